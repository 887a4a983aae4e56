//! Programs: random rules and changed rules of bundled games mean the same to the emulator of machine programs
//! and to the interpreter, and any text as a program is an error or a program that round-trips.

use multigame_emulator::EmulatedGame;
use multigame_game::{Game, Random, perft};
use multigame_ir::RulesGame;

use crate::games::{MOST_STEPS, all};

/// Random positions of each program.
const POSITIONS: usize = 4;
/// How many random rules there are to begin with.
const NUMBERS: u64 = 64;

/// The bytes choose the rules, so that a fuzzer can make them smaller.
pub fn check(input: &[u8]) {
    compare(&multigame_generator::rules(input), input);
}

/// The bytes choose a bundled game and what is changed.
pub fn check_mutant(input: &[u8]) {
    compare(&multigame_generator::mutant(input), input);
}

fn compare(text: &str, input: &[u8]) {
    let Some(program) = multigame_compiler::compile(text, &Default::default()).program else { return };
    let rules = RulesGame::new(program.clone()).with_most_steps(MOST_STEPS);
    let Ok(game) = EmulatedGame::new(program) else { return };
    let game = game.with_most_steps(MOST_STEPS);
    let seed = input.iter().fold(0, |seed, &byte| u64::wrapping_mul(seed, 31) + u64::from(byte));
    let mut random = Random::new(seed);
    let initial = rules.description().initial.clone();
    let others = (0..POSITIONS).map(|_| multigame_generator::position(rules.description(), &mut random));
    for diagram in [initial].into_iter().chain(others) {
        for depth in 1..=2 {
            let Ok(expected) = perft(&rules, &rules.position(&diagram), depth) else { break };
            let found = perft(&game, &game.position(&diagram), depth);
            assert_eq!(found, Ok(expected), "depth {depth} of\n{text}\n{diagram:?}");
        }
    }
}

/// Bytes that are long enough to choose whole rules.
pub fn numbers() -> Vec<Vec<u8>> {
    (0..NUMBERS).map(multigame_generator::bytes).collect()
}

pub fn check_text(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Ok(program) = multigame_ir::parse(&text) {
        let printed = multigame_ir::print(&program);
        assert_eq!(multigame_ir::parse(&printed).as_ref(), Ok(&program), "programs round-trip:\n{printed}");
    }
}

/// The move programs of some games, without what was learned about them.
pub fn texts() -> Vec<Vec<u8>> {
    let text = |program: &multigame_ir::Program| {
        let program = multigame_ir::Program { patterns: Vec::new(), network: None, ..program.clone() };
        multigame_ir::print(&program).into_bytes()
    };
    all().iter().map(|game| text(&game.program)).collect()
}
