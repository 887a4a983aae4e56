//! Rules with `based on`, `called` and `repetition = judge` keep their promises: names are unique and read back, and
//! native code agrees with the interpreter about names and judgements.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/extensions/generator.rs"]
mod generator;

fuzz_target!(|bytes: &[u8]| generator::check(&generator::rules(bytes)));
