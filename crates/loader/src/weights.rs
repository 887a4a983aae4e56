//! Weights of evaluations in a file beside the rules: `weights.toml`.
//!
//! ```toml
//! [evaluation.main]
//! provenance = "tuned on 20000 positions of self-play, 2026-11-16"
//!
//! [evaluation.main.weights]
//! "material.pawn" = 92
//! ```
//!
//! Weights that the file does not name stay as the rules have them.

use std::collections::BTreeMap;

use multigame_game::Evaluation;
use multigame_ir::Program;
use serde::{Deserialize, Serialize};

/// What a weights file says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightsFile {
    /// By the name of the evaluation.
    #[serde(default)]
    pub evaluation: BTreeMap<String, Weights>,
}

/// The weights of one evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Where they come from.
    pub provenance: String,
    /// By the name of the weight.
    pub weights: BTreeMap<String, i32>,
}

impl WeightsFile {
    /// Reads a file's text.
    pub fn parse(text: &str) -> Result<WeightsFile, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        toml::to_string(self).expect("names and numbers can always be written")
    }

    /// Sets the weights of one evaluation, all of them.
    pub fn set(&mut self, evaluation: &Evaluation, values: &[i32], provenance: &str) {
        let named = evaluation.weights.iter().zip(values);
        let weights = named.map(|(weight, &value)| (weight.name.clone(), value)).collect();
        let entry = Weights { provenance: provenance.to_string(), weights };
        self.evaluation.insert(evaluation.name.clone(), entry);
    }

    /// The values of an evaluation's weights with those of the file put in; as they are if it names none.
    pub fn values(&self, evaluation: &Evaluation) -> Result<Vec<i32>, String> {
        match self.evaluation.get(&evaluation.name) {
            Some(named) => evaluation.with_named(&named.weights),
            None => Ok(evaluation.values()),
        }
    }

    /// Puts the weights into a program; nothing is changed if a name or a number is wrong.
    pub fn apply(&self, program: &mut Program) -> Result<(), String> {
        let mut changed = program.evaluations.clone();
        for name in self.evaluation.keys() {
            let Some(judgement) = changed.iter_mut().find(|found| found.evaluation.name == *name) else {
                return Err(format!("the rules have no evaluation `{name}`; remove it from the file"));
            };
            let evaluation = &mut judgement.evaluation;
            let values = self.values(evaluation)?;
            for (weight, value) in evaluation.weights.iter_mut().zip(values) {
                weight.value = value;
            }
        }
        program.evaluations = changed;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use multigame_compiler::{Options, compile};

    use super::WeightsFile;

    const RULES: &str = "dimensions (2, 2) no moves = loss pieces { man 'M' 'm' }
        evaluation { material { man 100 } near 5 : count [ find own man, assert (row == 2) ] }
        main = find own man, pick up, north, step, put down.";

    #[test]
    fn a_file_replaces_weights_and_is_written_back() {
        let mut program = compile(RULES, &Options::default()).program.unwrap();
        let mut file = WeightsFile::default();
        file.set(&program.evaluations[0].evaluation, &[90, 7], "by hand");
        let read = WeightsFile::parse(&file.to_text()).unwrap();
        assert_eq!(read, file);
        read.apply(&mut program).unwrap();
        assert_eq!(program.evaluations[0].evaluation.values(), [90, 7]);
    }

    #[test]
    fn wrong_files_are_refused_and_change_nothing() {
        let mut program = compile(RULES, &Options::default()).program.unwrap();
        let before = program.clone();
        let mut check = |evaluation: &str, weight: &str, value: i32, message: &str| {
            let text = format!(
                "[evaluation.{evaluation}]\nprovenance = \"x\"\n[evaluation.{evaluation}.weights]\nnear = \
                 1\n{weight} = {value}\n"
            );
            let error = WeightsFile::parse(&text).unwrap().apply(&mut program).unwrap_err();
            assert!(error.contains(message), "{error}");
            assert_eq!(program, before);
        };
        check("main", "far", 1, "no weight `far`");
        check("other", "far", 1, "no evaluation `other`");
        check("main", "\"material.man\"", 20_000, "-10000 to 10000");
        assert!(WeightsFile::parse("weights = 3").is_err());
    }
}
