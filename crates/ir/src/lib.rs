//! The typed low-level move program, its textual form, and the interpreter that gives it its meaning.
//!
//! **Invariant:** this crate knows neither source texts nor machine code. Whatever runs rules, now or later,
//! must agree with [`Interpreter`].

mod coverage;
mod distribute;
mod game;
mod goals;
mod interpreter;
mod names;
mod portable;
mod prefixes;
mod program;
mod puzzle;
mod rewrite;
mod state;
mod symmetry;
mod text;

pub use coverage::{Coverage, RuleCoverage, Unused};
pub use game::{RulesGame, RulesMove, RulesPosition, apply_setup};
pub use interpreter::{Interpreter, MAX_DEPTH, MAX_STATES, MAX_STEPS, recursive_functions};
pub use program::*;
pub use text::{ParseError, parse, print};
