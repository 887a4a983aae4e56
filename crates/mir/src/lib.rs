//! Move programs as machine programs: bitboards, shifts and masks instead of fingers and sets.
//!
//! Lowering turns the structured, set-valued statements of `multigame_ir` into straight code on 64-bit words. What it
//! cannot turn is refused as a whole with the reason, and the interpreter plays that game.
//!
//! **Invariant:** this crate knows no machine: back ends translate [`Module`] and nothing else.

mod apart;
mod attempt;
mod backward;
mod branches;
mod builder;
mod calls;
mod carry;
mod codes;
mod decided;
mod exists;
mod explain;
mod expression;
mod facts;
mod features;
mod fixed;
mod fold;
mod geometry;
mod glance;
mod intervals;
mod layout;
mod leaves;
mod loops;
mod lower;
mod module;
mod narrow;
mod outline;
mod parts;
mod passes;
mod picks;
mod possible;
mod rest;
mod results;
mod rounds;
mod run;
mod sensitive;
mod sets;
mod sites;
mod slides;
mod state;
mod statement;
mod takes;
mod threats;
mod unused;
mod vector;
mod walks;
mod wholesale;
mod write;

pub use calls::{DEEPEST_CALLS, MOST_CALLS};
pub use explain::explain;
pub use features::Features;
pub use layout::{HEADER, Header, Layout, Planes, SIGNATURE};
pub use lower::Refusal;
pub use module::*;
pub use parts::{lower, lower_moves, lower_with};
pub use passes::{Options, Pass};
pub use unused::{blocks, operands, uses};
