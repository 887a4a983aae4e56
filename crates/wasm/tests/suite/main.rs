//! WebAssembly against everything that machine code has to pass: the evaluator of machine programs, and the
//! interpreter on every bundled game and on random rules. The tests are those of `crates/jit`.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may use files and say what it did"
)]

mod answers;
mod outside;
mod under_test;

#[path = "../../../jit/tests/differential/mod.rs"]
mod differential;
#[path = "../../../jit/src/tests/mod.rs"]
mod programs;
