//! Emulated programs against the interpreter, on every bundled game and on random rules: the tests of
//! `crates/jit`, of which far more random rules can be played here.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may use files and say what it did"
)]

mod under_test;

#[path = "../../../jit/tests/differential/mod.rs"]
mod differential;
