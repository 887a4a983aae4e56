//! What each pass brings: the same answers with fewer statements.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

use multigame_compiled::{CompiledGame, Translated};
use multigame_compiler::compile;
use multigame_game::{Ending, Game, Line, Random, Side, parse_position, playout};
use multigame_ir::Program;
use multigame_mir::{FunctionId, HEADER, Header, Module, Options, Pass, Stmt, lower_with};

use crate::under_test::Tested;
use multigame_emulator::{evaluate, statements};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// White's pawn on f2 must not leave the king.
const PINNED: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// What is run.
#[derive(Clone, Copy, PartialEq)]
enum Run {
    Count,
    Generate,
}

fn bundled(game: &str) -> Program {
    let path = format!("{}/../../games/{game}/rules.mg", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let options = multigame_compiler::Options { name: game.to_string(), ..Default::default() };
    compile(&text, &options).program.expect("bundled rules are right")
}

/// The program of a bundled game with a position of it.
fn lowered(game: &str, options: &Options, position: Option<&str>) -> (Module, Vec<u64>) {
    let program = bundled(game);
    let module = lower_with(&program, options).expect("the game compiles");
    let description = &program.description;
    let diagram = match position {
        Some(text) => parse_position(description, text).unwrap(),
        None => description.initial.clone(),
    };
    let mut words = vec![0; module.layout.words()];
    module.layout.write(&diagram, &mut words);
    (module, words)
}

fn function(module: &Module, run: Run, words: &[u64]) -> Option<FunctionId> {
    let side = Header::of(words[HEADER]).side;
    let side = usize::from(side == Side::Black);
    match run {
        Run::Count => module.count[side],
        Run::Generate => Some(module.generate[side]),
    }
}

/// Statements with all passes and without one, for the same answer.
fn compare(game: &str, position: Option<&str>, run: Run, pass: Pass) -> (u64, u64) {
    let [all, less] = [Options::default(), Options::without(pass)].map(|options| {
        let (module, words) = lowered(game, &options, position);
        let id = function(&module, run, &words).expect("there is such a function");
        let answer = evaluate(&module, id, &words).map(|mut answer| {
            answer.children.sort();
            answer
        });
        (statements(&module, id, &words), answer)
    });
    assert_eq!(all.1, less.1, "{game}: {}", pass.name());
    (all.0, less.0)
}

#[track_caller]
fn saves(game: &str, position: Option<&str>, run: Run, pass: Pass, percent: u64) {
    let (all, less) = compare(game, position, run, pass);
    assert!(
        all * 100 <= less * (100 - percent),
        "{game} without {}: {less} statements, with it {all}: saves less than {percent} %",
        pass.name()
    );
}

#[test]
fn pawns_are_counted_at_once() {
    saves("breakthrough", None, Run::Count, Pass::Wholesale, 50);
    saves("chess", None, Run::Count, Pass::Wholesale, 20);
}

#[test]
fn slides_are_looked_up_or_go_ever_farther() {
    saves("othello", None, Run::Count, Pass::Slides, 20);
    saves("othello", None, Run::Generate, Pass::Slides, 20);
    saves("chess", Some(KIWIPETE), Run::Count, Pass::Slides, 10);
}

#[test]
fn rows_are_looked_for_where_there_are_any() {
    saves("connect-4", None, Run::Generate, Pass::Rows, 50);
    saves("go-moku", None, Run::Generate, Pass::Rows, 25);
}

#[test]
fn only_who_can_jump_is_picked_up() {
    saves("checkers", None, Run::Generate, Pass::Narrowing, 20);
}

#[test]
fn tests_are_remembered() {
    saves("chess", None, Run::Generate, Pass::Threats, 20);
    saves("chess", Some(KIWIPETE), Run::Generate, Pass::Threats, 20);
    saves("chess", Some(PINNED), Run::Count, Pass::Sensitive, 10);
}

#[test]
fn far_looks_need_something_to_see() {
    saves("chess", None, Run::Generate, Pass::FarLooks, 2);
}

#[test]
fn what_cannot_be_equal_is_counted() {
    let counted = |game: &str, pass: Option<Pass>| {
        let options = pass.map_or(Options::default(), Options::without);
        lowered(game, &options, None).0.count.iter().all(Option::is_some)
    };
    assert!(counted("chess", None) && !counted("chess", Some(Pass::Counting)));
    // Only jumps can come to the same position in two ways.
    assert!(counted("checkers", None) && !counted("checkers", Some(Pass::Classes)));
}

/// What is counted below all moves: at once, or after each move by itself; and the statements of both.
fn two_plies(game: &str) -> [(u64, u64); 2] {
    let (module, words) = lowered(game, &Options::default(), None);
    let run = |id: Option<FunctionId>, words: &[u64]| {
        let id = id.expect("there is such a function");
        (evaluate(&module, id, words).expect("no error"), statements(&module, id, words))
    };
    let side = |words: &[u64]| usize::from(Header::of(words[HEADER]).side == Side::Black);
    let (answer, mut sum) = run(Some(module.generate[side(&words)]), &words);
    let mut leaves = 0;
    for child in answer.children {
        let (counted, statements) = run(module.count[side(&child)], &child);
        leaves += counted.variables[0];
        sum += statements;
    }
    let (at_once, statements) = run(module.leaves.first().map(|leaves| leaves[side(&words)]), &words);
    [(at_once.variables[0], statements), (leaves, sum)]
}

#[test]
fn two_plies_are_counted_at_once() {
    for (game, percent) in [("15-puzzle", 20), ("othello", 5), ("connect-4", 5), ("breakthrough", 5)] {
        let [(at_once, few), (leaves, many)] = two_plies(game);
        assert_eq!(at_once, leaves, "{game}");
        assert!(few * 100 <= many * (100 - percent), "{game}: {few} statements at once, {many} one by one");
    }
    // Equal moves have to be made to be told apart.
    let (module, _) = lowered("checkers", &Options::default(), None);
    assert!(module.leaves.is_empty());
}

#[test]
fn tiles_that_are_carried_are_counted_without_a_loop() {
    let (module, words) = lowered("15-puzzle", &Options::default(), None);
    let id = function(&module, Run::Count, &words).expect("moves are counted");
    let body = &module.function(id).body;
    assert!(!body.iter().any(|stmt| matches!(stmt, Stmt::ForBits { .. })), "{body:#?}");
}

#[test]
fn machine_code_says_how_a_game_without_moves_ends() {
    let game = CompiledGame::<Translated<Tested>>::new(bundled("othello")).unwrap();
    let mut random = Random::new(1);
    let mut line = Line::new(&game, game.initial());
    for _ in 0..5 {
        line.restart();
        let end = playout(&mut line, 100, &mut random).unwrap();
        assert!(matches!(end.ending, Ending::Over(_)), "{end:?}");
    }
    assert_eq!(game.interpreted(), 0);
}
