//! Every engine with every set of enhancements on every back end agrees with the frozen values.
//!
//! The usual run takes a part of the sets; `cargo test --release -p multigame-suite -- --ignored` takes all
//! of them. `UPDATE_SUITE=1 cargo test --release -p multigame-suite -- --ignored freeze` writes the file
//! anew, which is needed when games come or their rules change.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use multigame_game::{Game, Line, Random, playout, position_text};
use multigame_jit::JitGame;
use multigame_search::{Engine, Material, NodeLimit, Root, Search, TranspositionTable};
use multigame_suite::{Case, Suite, cases, negamax, options};

/// Each line is one set, on top of nothing at all; the first few are for every day.
const SETS: [&str; 14] = [
    "tt=on,table-move=on,deepening=1,aspiration=on,history=on,killers=on,refutation=on,etc=on,evaluation-cache=8",
    "history=on,history-form=fields,killers=on",
    "tt=on,tt-layout=two-way,tt-depth=2",
    "",
    "deepening=1",
    "deepening=2,refutation=on",
    "deepening=1,aspiration=on,aspiration-narrow=3,aspiration-wide=7",
    "tt=on",
    "tt=on,tt-cutoffs=off,table-move=on,deepening=1",
    "tt=on,etc=on,table-move=on,deepening=1,history=on,killers=on",
    "history=on",
    "killers=on",
    "iid=on,tt=on,table-move=on",
    "evaluation-cache=6",
];
const EVERY_DAY: usize = 3;
const ENGINES: [Engine; 3] = [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf];

fn check<G: Game>(case: &Case, game: &G, sets: &[&str], engines: &[Engine]) {
    let root = case.root(game);
    for &engine in engines {
        for set in sets {
            let options = options(engine, set);
            let table = TranspositionTable::new(1, options.table_layout).unwrap();
            let mut search = Search::new(game, &Material, options).unwrap().with_table(&table);
            let result = search.run(&root, case.depth, &mut ()).unwrap();
            let what = format!("{engine} {set} {} {} depth {}", case.game, case.position, case.depth);
            assert_eq!(result.bounds, multigame_search::Bounds::exact(case.value()), "{what}");
        }
    }
}

/// Calls something with each game once and the cases that belong to it, on all cores.
fn games(visit: impl Fn(&[Case]) + Sync) {
    let cases = cases();
    let groups = Mutex::new(cases.chunk_by(|a, b| (&a.game, &a.set) == (&b.game, &b.set)));
    let next = || groups.lock().unwrap().next();
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(group) = next() {
                    visit(group);
                }
            });
        }
    });
}

#[test]
fn interpreter() {
    games(|group| {
        let game = JitGame::interpreting(group[0].program());
        for case in group {
            check(case, &game, &SETS[..1], &[Engine::NegaScout]);
        }
    });
}

#[test]
fn machine_code() {
    games(|group| {
        if let Ok(game) = JitGame::new(group[0].program()) {
            for case in group {
                assert_eq!(negamax(&game, &case.root(&game), case.depth), case.value(), "{case:?}");
                check(case, &game, &SETS[..EVERY_DAY], &ENGINES);
            }
        }
    });
}

#[test]
#[ignore = "takes minutes"]
fn everything() {
    games(|group| {
        let game = JitGame::interpreting(group[0].program());
        group.iter().for_each(|case| check(case, &game, &SETS, &ENGINES));
        if let Ok(game) = JitGame::new(group[0].program()) {
            group.iter().for_each(|case| check(case, &game, &SETS, &ENGINES));
        }
    });
}

#[test]
fn every_game_is_there() {
    let cases = cases();
    for name in names() {
        assert!(cases.iter().any(|case| case.game == name), "no position of {name}: see UPDATE_SUITE");
    }
}

/// The bundled games whose positions have a value by NegaMax: those in which nature does not move.
fn names() -> Vec<String> {
    let mut names = multigame_loader::bundled::names();
    names.retain(|name| empty(name).program().description.chance.is_none());
    names
}

/// A case of a game without a position.
fn empty(name: &str) -> Case {
    Case { game: name.to_string(), set: BTreeMap::new(), position: String::new(), depth: 0, value: 0 }
}

/// Most nodes of a search by NegaMax.
const NODES: u64 = 3_000;

#[test]
#[ignore = "writes the suite"]
fn freeze() {
    if std::env::var_os("UPDATE_SUITE").is_none() {
        return;
    }
    // Old positions stay: searches have to go on agreeing with them.
    let mut suite = Suite { cases: cases() };
    let is_new = |name: &String| !suite.cases.iter().any(|case| case.game == *name);
    let new: Vec<String> = names().into_iter().filter(is_new).collect();
    for name in new {
        let empty = empty(&name);
        let program = empty.program();
        let game = JitGame::new(program.clone()).unwrap_or_else(|_| JitGame::interpreting(program));
        freeze_game(&game, &empty, &mut suite.cases);
    }
    suite.cases.sort_by(|a, b| a.game.cmp(&b.game));
    let text = toml::to_string(&suite).unwrap();
    let head = "# Positions of all games and what NegaMax says about them: see src/lib.rs. Written by tests/suite.rs.\n\n";
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/positions.toml"), format!("{head}{text}")).unwrap();
}

/// The start and two positions of random games.
fn freeze_game<G: Game>(game: &G, empty: &Case, cases: &mut Vec<Case>) {
    let mut positions = vec![game.initial()];
    for (seed, plies) in [(1, 12), (2, 31)] {
        let mut line = Line::new(game, game.initial());
        let _ = playout(&mut line, plies, &mut Random::new(seed));
        // A few moves back: the end may be near.
        let back = line.positions().len().saturating_sub(3);
        positions.push(line.positions()[back].clone());
    }
    for position in positions {
        let text = position_text(game.description(), &game.diagram(&position));
        let case = Case { position: text, ..empty.clone() };
        let position = case.root(game).position;
        let over = game.visit(&position, &mut |_, _| ControlFlow::Break(())).unwrap().is_some();
        if over || cases.iter().any(|other| (&other.game, &other.position) == (&case.game, &case.position)) {
            continue;
        }
        let depth = (1..=8).take_while(|&depth| fits(game, &position, depth)).last().unwrap_or(1);
        let value = negamax(game, &Root::new(game, position), depth).number();
        cases.push(Case { depth, value, ..case });
    }
}

fn fits<G: Game>(game: &G, position: &G::Position, depth: u32) -> bool {
    let mut options = options(Engine::NegaMax, "");
    options.poll_interval = 16;
    let mut search = Search::new(game, &Material, options).unwrap();
    let root = Root::new(game, position.clone());
    search.run(&root, depth, &mut NodeLimit(NODES)).unwrap().finished
}
