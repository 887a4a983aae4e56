//! Random rules: whatever can be compiled does what the interpreter does.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use multigame_compiler::{Options, compile};
use multigame_game::Game;
use multigame_ir::RulesGame;
use multigame_jit::{JitError, JitGame};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::agree;
use crate::generator::rules;

/// Programs that are made, unless the environment says otherwise: `PROGRAMS=10000 cargo test ...`.
const PROGRAMS: u32 = 300;

/// Statements for one move; rules that need more are left alone.
const MOST_STEPS: u64 = 100_000;

/// Moves that are played with each.
const PLIES: u32 = 4;

#[test]
fn random_rules_mean_the_same() {
    let programs = std::env::var("PROGRAMS").map_or(PROGRAMS, |number| number.parse().expect("a number"));
    let (valid, compiled) = (Cell::new(0), Cell::new(0));
    let config = Config { cases: programs, failure_persistence: None, ..Config::default() };
    let seed = proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, seed);
    let bytes = proptest::collection::vec(any::<u8>(), 10..120);
    let result = runner.run(&bytes, |bytes| {
        let text = rules(&bytes);
        let Some(program) = compile(&text, &Options::default()).program else { return Ok(()) };
        valid.set(valid.get() + 1);
        let reference = RulesGame::new(program.clone()).with_most_steps(MOST_STEPS);
        let game = match JitGame::new(program) {
            Ok(game) => game,
            Err(JitError::Refused(_)) => return Ok(()),
            Err(error) => return Err(TestCaseError::fail(format!("{error}\n{text}"))),
        };
        compiled.set(compiled.get() + 1);
        let initial = &reference.description().initial;
        let seed = u64::from(bytes[0]);
        let same = AssertUnwindSafe(|| agree::follow(&game, &reference, initial, seed, PLIES));
        match catch_unwind(same) {
            Ok(same) => same.map_err(|message| TestCaseError::fail(format!("{message}\n{text}"))),
            Err(_) => Err(TestCaseError::fail(format!("a promise was broken\n{text}"))),
        }
    });
    println!("{programs} programs, {} valid, {} compiled", valid.get(), compiled.get());
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(valid.get() * 2 > programs, "most programs are valid: {} of {programs}", valid.get());
    assert!(compiled.get() * 3 > programs, "many programs compile: {} of {programs}", compiled.get());
}
