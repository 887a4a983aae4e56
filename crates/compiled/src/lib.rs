//! Compiled rules as a game: endings, passes, merging and everything else besides generating, once for all
//! back ends.
//!
//! A back end makes [`Code`] of a machine program: functions on positions that are words. [`CompiledGame`]
//! makes a [`Game`](multigame_game::Game) of it. Everything here is generic over the code, so that a search
//! over generated Rust works on arrays of known size, and one over machine code on slices.
//!
//! **Invariant:** a [`CompiledGame`] behaves exactly like the [`RulesGame`](multigame_ir::RulesGame) of the
//! same program. What code cannot answer, the interpreter answers.

#![forbid(unsafe_code)]

mod budget;
mod children;
mod code;
mod counting;
mod counting_guard;
mod expand;
mod frame;
mod game;
mod merge;
mod play;
mod portable;
mod position;
mod translated;
pub mod words;

/// What generated code and those who run it name besides: one library is enough to compile it with.
pub use multigame_game;
pub use multigame_game::Side;
pub use multigame_ir;
pub use multigame_ir::Program;

pub use budget::Budget;
pub use children::{Children, Positions, Single};
pub use code::{Code, Failed, Mismatch, Numbers};
pub use frame::Frames;
pub use game::CompiledGame;
pub use portable::Inspection;
pub use position::{Kept, Move, Position};
pub use translated::{Flexible, Lowered, Machine, Translated, WordList, called, check};
