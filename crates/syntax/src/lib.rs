//! From text to tree: lexer, lossless parser, abstract tree, formatter, and the diagnostics shown to people.
//!
//! **Invariant:** nothing here fails. Any text gives a tree and a list of diagnostics.
//! **Invariant:** this crate does not know what a rule means; it reads no files and prints nothing.

pub mod ast;
mod diagnostic;

pub use diagnostic::{Diagnostic, Fix, Label, Severity};

/// A range of bytes in the source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// From `start` up to, not including, `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }

    /// The least span that covers both.
    pub fn cover(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
