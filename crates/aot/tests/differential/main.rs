//! Generated Rust, compiled by rustc, against the interpreter and the emulator.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may use files and say what it did"
)]

mod folder;
mod games;
mod random_rules;
