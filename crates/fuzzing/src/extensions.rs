//! What must hold for rules with `based on`, `called` and `repetition = judge`; `multigame-generator` writes
//! them.

use multigame_compiler::compile;
use multigame_game::{BrokenPromise, Game, Line, Random, check_position, notation};
use multigame_ir::{Program, RulesGame};
use multigame_jit::JitGame;

/// Statements for one move; rules that need more are left alone.
const MOST_STEPS: u64 = 100_000;

/// Compiles the rules, plays them, and checks names, judgements and texts on the way; nothing to check if
/// they are wrong.
pub fn check(text: &str) {
    let options = multigame_compiler::Options { name: "extended".to_string(), ..Default::default() };
    let Some(program) = compile(text, &options).program else { return };
    let printed = multigame_ir::print(&program);
    assert_eq!(multigame_ir::parse(&printed).as_ref(), Ok(&program), "programs round-trip:\n{text}");
    let game = RulesGame::new(program.clone()).with_most_steps(MOST_STEPS);
    let native = JitGame::new(program).ok();
    for seed in 0..2 {
        play(&game, native.as_ref(), seed, text);
    }
}

fn play(game: &RulesGame, native: Option<&JitGame>, seed: u64, text: &str) {
    let mut random = Random::new(seed);
    let mut line = Line::new(game, game.initial());
    for _ in 0..12 {
        let position = line.position();
        match check_position(game, position, 30) {
            Ok(_) => {}
            Err(BrokenPromise::Rules(_)) => return,
            Err(broken) => panic!("{broken}\n{text}"),
        }
        // A run-time error while a repetition is judged is the rules' own.
        let Ok(status) = line.status() else { return };
        if status.outcome().is_some() {
            return;
        }
        let judged = [0, 4, u32::MAX].map(|cycle| game.judge(line.position(), cycle));
        if let Some(native) = native {
            let twin = native.position(&game.diagram(line.position()));
            assert_eq!(judged, [0, 4, u32::MAX].map(|cycle| native.judge(&twin, cycle)), "{text}");
            let names = |named: Vec<String>| named.into_iter().collect::<std::collections::BTreeSet<_>>();
            let ours =
                notation::names(game, line.position()).unwrap().into_iter().map(|named| named.name).collect();
            let theirs =
                notation::names(native, &twin).unwrap().into_iter().map(|named| named.name).collect();
            assert_eq!(names(ours), names(theirs), "{text}");
        }
        let mut moves = Vec::new();
        if game.moves(line.position(), &mut moves).is_err() || moves.is_empty() {
            return;
        }
        let mv = moves[random.below(moves.len())].clone();
        line.play(&mv);
    }
}

/// Whether rules of this kind are ever accepted; a generator of nothing but errors would test little.
#[allow(dead_code, reason = "the fuzz target has no use for it")]
pub fn program(text: &str) -> Option<Program> {
    compile(text, &Default::default()).program
}

/// The same for random rules; the bytes choose them.
pub fn check_bytes(input: &[u8]) {
    check(&multigame_generator::extended_rules(input));
}
