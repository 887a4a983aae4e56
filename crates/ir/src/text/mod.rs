//! The move program as text: for reading what the compiler made of some rules, and for tests that state a
//! program and what it must do in one file.
//!
//! The text is complete: [`parse`] gives back exactly the program that [`print`] was given. Each line has one
//! fact, then come the functions, then the places in the rules file that `@N` refers to:
//!
//! ```text
//! multigame ir 1
//! game "race"
//! players 2
//! board square 3 3 turned
//! piece 'P' "pawn" white
//! piece 'p' "pawn" black
//! property "moved" player 0 .. 1 hashed
//! move property "taken" 0 .. 1
//! no moves loss
//! repetition ignored
//! initial "ppp/3/PPP w"
//! main white @main.white
//! main black @main.black
//!
//! function main white {
//!   find "P" @1
//!   pick up
//!   face north
//!   step
//!   points at "."
//!   put down
//!   assign ((moved.white = 1)@2)
//! }
//!
//! origin 1 "main" 7 120..128
//! ```
//!
//! - `#` begins a comment; `;` may stand where a line ends. A text or sign in quotes is escaped as in Rust.
//! - Fields and directions have White's names. A set of pieces is the text of their signs, `.` being the
//!   empty field.
//! - `@main.white` is a function, `@main.white~2` the second one of that name and view; `@7` is an origin,
//!   and where none is written it is 0.
//! - A body in braces is its only statement or the sequence of its statements, whose origin follows the
//!   brace. A sequence of one statement, or one inside another, is written `sequence { ... }`, an empty one
//!   `nothing`; a union of nothing is `fail`.
//! - Expressions have all their brackets. Values are named `clock`, `moved.white`, `seeds[finger]`,
//!   `seeds[a1]`, `move.taken`, or by their number `$3` and `$3[finger]` where no property has such a value.
//!
//! **Invariant:** not written, because it follows, is that properties lie one after the other, that signs,
//! properties and directions have different names, that piece 0 is the empty field and origin 0 is nowhere. A
//! program that breaks this prints, but not to a text that reads back.

mod lexer;
mod parser;
mod printer;

pub use parser::parse;
pub use printer::print;

use crate::BinaryOp;

/// Statements and expressions nested deeper than this are not read.
const MAX_NESTING: u32 = 1_000;

/// Longer texts are not read.
const MAX_LENGTH: usize = 1 << 24;

/// Words that mean something in an expression; a property of such a name is written in quotes.
const RESERVED: [&str; 6] = ["column", "count", "move", "post", "row", "sum"];

/// How operators are written.
const BINARY: [(BinaryOp, &str); 17] = [
    (BinaryOp::Multiply, "*"),
    (BinaryOp::Divide, "/"),
    (BinaryOp::Remainder, "%"),
    (BinaryOp::Add, "+"),
    (BinaryOp::Subtract, "-"),
    (BinaryOp::ShiftLeft, "<<"),
    (BinaryOp::ShiftIn, "<<|"),
    (BinaryOp::ShiftRight, ">>"),
    (BinaryOp::Less, "<"),
    (BinaryOp::LessEqual, "<="),
    (BinaryOp::Greater, ">"),
    (BinaryOp::GreaterEqual, ">="),
    (BinaryOp::Equal, "=="),
    (BinaryOp::NotEqual, "!="),
    (BinaryOp::BitAnd, "&"),
    (BinaryOp::BitXor, "^"),
    (BinaryOp::BitOr, "|"),
];

/// The reason why a text is not a move program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong and what was expected there.
    pub message: String,
}

/// Whether a name can stand without quotes.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
        && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
}
