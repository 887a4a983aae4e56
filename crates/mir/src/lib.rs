//! Move programs as machine programs: bitboards, shifts and masks instead of fingers and sets.
//!
//! Lowering turns the structured, set-valued statements of `multigame_ir` into straight code on 64-bit words.
//! A program that lowering cannot turn is refused as a whole with the reason, and the interpreter plays that
//! game.
//!
//! | module | what |
//! |---|---|
//! | `program` | the machine program: its parts, how it lies in memory, how it is built and simplified |
//! | `analysis` | what can be said about rules before any code is made |
//! | `sets` | statements that run for many fields at once, as shifts and masks |
//! | `lowering` | statements followed one after the other, with a symbolic state |
//! | `emission` | what a result writes: boards, signature, position; what an evaluation counts |
//! | `passes` | what makes code faster and can be left out, one pass a file |
//! | `parts` | the entry points: which functions a module has |
//!
//! **Invariant:** this crate does not know any machine: back ends translate [`Module`] and nothing else.

mod analysis;
mod emission;
mod lowering;
mod parts;
mod passes;
mod program;
mod refusal;
mod sets;
#[cfg(test)]
mod testing;

pub use analysis::explain::explain;
pub use emission::features::Features;
pub use parts::{lower, lower_moves, lower_with};
pub use passes::{Options, Pass};
pub use program::calls::{DEEPEST_CALLS, MOST_CALLS};
pub use program::layout::{HEADER, Header, Layout, Planes, SIGNATURE};
pub use program::used::{Use, used};
pub use program::visit::{blocks, operands, uses};
pub use program::*;
pub use refusal::{REMEDIES, Refusal};
