//! Machine code against the interpreter.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may use files and say what it did"
)]

#[path = "mod.rs"]
mod differential;
mod interpreting;
mod under_test;
