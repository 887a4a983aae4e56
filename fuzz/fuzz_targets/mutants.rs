//! See `crates/fuzzing`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| multigame_fuzzing::run("mutants", bytes));
