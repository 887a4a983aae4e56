//! Random rules mean the same to native code and to the interpreter. The bytes choose the rules, so that the fuzzer can
//! make them smaller.
#![no_main]

use libfuzzer_sys::fuzz_target;
use multigame_game::{Game, perft};
use multigame_ir::RulesGame;
use multigame_jit::JitGame;

#[path = "../../crates/jit/tests/differential/generator.rs"]
mod generator;

/// Statements for one move; rules that need more are left alone.
const MOST_STEPS: u64 = 100_000;

fuzz_target!(|bytes: &[u8]| {
    let text = generator::rules(bytes);
    let Some(program) = multigame_compiler::compile(&text, &Default::default()).program else { return };
    let rules = RulesGame::new(program.clone()).with_most_steps(MOST_STEPS);
    let Ok(game) = JitGame::new(program) else { return };
    for depth in 1..=2 {
        let Ok(expected) = perft(&rules, &rules.initial(), depth) else { return };
        let found = perft(&game, &game.initial(), depth);
        assert_eq!(found, Ok(expected), "depth {depth} of\n{text}");
    }
});
