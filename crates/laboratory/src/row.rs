//! Results as data: a row for each run, a line of JSON for each row.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::plan::{Key, Run};

/// What came out of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The experiment.
    pub experiment: String,
    /// The variant.
    pub variant: String,
    /// The number of the position, from 1.
    pub position: u32,
    /// How deep; the longest solution of a puzzle.
    pub depth: u32,
    /// On how many processors.
    pub processors: u32,
    /// Of everything that was left to chance.
    pub seed: u64,
    /// Tells its configuration from others of the same name.
    pub settings: String,
    /// The program that measured it.
    pub version: String,
    /// Seconds that the run took on the machine that simulated it.
    pub taken: f64,
    /// What was measured.
    #[serde(flatten)]
    pub measured: Measured,
}

/// What is measured in a run. Times are virtual, in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// From the beginning to the end.
    pub time: u64,
    /// Nodes of all processors.
    pub nodes: u64,
    /// Calls of the evaluation of all processors.
    pub evaluations: u64,
    /// Spent on searching, by all processors.
    pub searching: u64,
    /// Of this, on evaluations.
    pub evaluating: u64,
    /// Spent on passing on messages of others, and on the table's server.
    pub routing: u64,
    /// Spent on messages about the table.
    pub table: u64,
    /// Spent on all other messages.
    pub messages: u64,
    /// What the nodes would have cost on processors that are never interrupted.
    pub undisturbed: u64,
    /// Work W.
    pub work: u64,
    /// Critical path C; 0 for puzzles.
    pub critical: u64,
    /// Work on what was given up.
    pub dropped: u64,
    /// Jobs given.
    pub jobs: u64,
    /// Cutoffs, and those by the first move.
    pub cutoffs: [u64; 2],
    /// Nodes expected to have a cutoff, and those without.
    pub cut_nodes: [u64; 2],
    /// Nodes expected to have none, and those with one.
    pub all_nodes: [u64; 2],
    /// The value of the root; of a puzzle, the moves of its solution, or -1.
    pub value: i32,
    /// Messages and their bytes by kind.
    pub traffic: BTreeMap<String, [u64; 2]>,
    /// Busy processors on average, in parts of the time of equal length.
    pub profile: Vec<f64>,
    /// Processors that would be at work if there were infinitely many, in parts of the critical path of
    /// equal length.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ideal: Vec<f64>,
    /// The distances of given jobs from the root, added up.
    #[serde(default)]
    pub job_plies: u64,
    /// Questions to the table, those that found the position, and nodes finished by it.
    #[serde(default)]
    pub reads: [u64; 3],
    /// Time in which nothing was done because others were asked about the table, by all processors.
    #[serde(default)]
    pub waited: u64,
    /// Jobs that masters did themselves, because nothing was heard of them.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub redone: u64,
    /// Processors that were lost.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub lost: u64,
    /// Questions about positions that were being searched.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub joined: u64,
}

fn is_nothing(count: &u64) -> bool {
    *count == 0
}

/// A line that is not a row.
#[derive(Debug, thiserror::Error)]
#[error("line {line} is not a row of results: {reason}; delete the line, and what it told is measured again")]
pub struct RowError {
    line: usize,
    reason: String,
}

impl Row {
    /// The row of a run.
    pub fn new(run: &Run<'_>, version: String, taken: f64, measured: Measured) -> Row {
        let Key { experiment, variant, position, depth, processors, seed, settings } = run.key();
        Row { experiment, variant, position, depth, processors, seed, settings, version, taken, measured }
    }

    pub(crate) fn key(&self) -> Key {
        Key {
            experiment: self.experiment.clone(),
            variant: self.variant.clone(),
            position: self.position,
            depth: self.depth,
            processors: self.processors,
            seed: self.seed,
            settings: self.settings.clone(),
        }
    }

    /// The row as a line, with its end.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("a row is plain data") + "\n"
    }
}

/// Reads rows. A last line without an end was being written when the program was stopped: it counts as missing.
pub fn read_rows(text: &str) -> Result<Vec<Row>, RowError> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = whole.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let row = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| RowError { line: number + 1, reason: error.to_string() })
    };
    lines.map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        let measured = Measured { time: 7, profile: vec![1.5, 2.0], ..Measured::default() };
        Row {
            experiment: "e".into(),
            variant: "v".into(),
            position: 1,
            depth: 2,
            processors: 3,
            seed: 4,
            settings: "s".into(),
            version: "0".into(),
            taken: 0.5,
            measured,
        }
    }

    #[test]
    fn rows_are_read_as_they_were_written() {
        let text = row().line() + "\n" + &row().line();
        assert_eq!(read_rows(&text).unwrap(), [row(), row()]);
    }

    #[test]
    fn a_line_that_was_cut_off_is_measured_again_and_others_are_told() {
        let text = row().line() + &row().line()[..20];
        assert_eq!(read_rows(&text).unwrap().len(), 1);
        let text = format!("{}nonsense\n", row().line());
        assert!(read_rows(&text).unwrap_err().to_string().starts_with("line 2 "));
        assert!(read_rows("").unwrap().is_empty());
    }
}
