//! The typed low-level move program, its textual form, and the interpreter that gives it its meaning.
//!
//! **Invariant:** this crate knows neither source texts nor machine code. Whatever runs rules, now or later, must
//! agree with [`Interpreter`].

mod program;

pub use program::*;
