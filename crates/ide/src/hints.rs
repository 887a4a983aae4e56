//! What an editor may show between the words: what rules may do, and which back end runs them.

use multigame_compiler::model;
use multigame_ir::Program;
use multigame_mir::{Options, lower_moves};
use multigame_syntax::Span;

use crate::effects::Effects;
use crate::names::NameKind;
use crate::rules::Rules;

/// Something shown at a place of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Where.
    pub offset: u32,
    /// What.
    pub label: String,
    /// What it means.
    pub tooltip: String,
}

/// What runs the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runs {
    /// Machine code.
    Machine,
    /// The interpreter, for this reason.
    Interpreter(String),
}

/// Finds out what runs a program. This takes up to half a second for long rules.
pub fn runs(program: &Program) -> Runs {
    match lower_moves(program, &Options::default()) {
        Ok(_) => Runs::Machine,
        Err(refusal) => {
            Runs::Interpreter(refusal.to_string().trim_start_matches("not compiled: ").to_string())
        }
    }
}

/// What the rules of a text may do; nothing if it has errors.
pub fn effects(rules: &Rules) -> Option<Effects> {
    let own = rules.own();
    model(&own.text, &own.name).map(|model| Effects::new(&model))
}

/// The hints in a part of the text. `runs` is shown at `main`.
pub fn hints(rules: &Rules, part: Span, effects: &Effects, runs: Option<&Runs>) -> Vec<Hint> {
    let symbols = rules.own().symbols.iter();
    symbols
        .filter(|symbol| symbol.kind == NameKind::Rule)
        .filter(|symbol| symbol.span.start <= part.end && part.start <= symbol.span.end)
        .filter_map(|symbol| {
            let effect = effects.of(&symbol.name)?;
            let mut label = format!(": {}, {}", effect.parts().join(", "), effect.results());
            let mut tooltip = format!("This rule {}.", effect.sentence());
            match runs.filter(|_| symbol.name == "main") {
                Some(Runs::Machine) => label.push_str("; machine code"),
                Some(Runs::Interpreter(reason)) => {
                    label.push_str("; interpreter");
                    tooltip.push_str(&format!(" The interpreter runs these rules: {reason}."));
                }
                None => {}
            }
            Some(Hint { offset: symbol.span.end, label, tooltip })
        })
        .collect()
}
