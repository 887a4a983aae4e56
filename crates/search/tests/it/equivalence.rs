//! Every engine with every set of enhancements gives NegaMax's value at equal depth.

use multigame_game::{Game, Line, Random, Repetition, playout};
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{Engine, Evaluator, Layout, Nothing, Options, Root, Search, TranspositionTable};

use crate::games::cycles::Cycles;
use crate::games::drop::Drop;
use crate::games::nim::Nim;
use crate::games::tictactoe::TicTacToe;
use crate::{play, search, seeds};

/// Each line is one set, on top of nothing at all.
const SETS: &[&str] = &[
    "",
    "deepening=1",
    "deepening=2",
    "deepening=1,aspiration,aspiration-narrow=3,aspiration-wide=7",
    "tt",
    "tt,tt-layout=two-way,tt-depth=2",
    "tt,table-move,deepening=1",
    "history",
    "killers",
    "fewest",
    "fewest,tt,table-move,deepening=1,history,killers",
    "deepening=1,refutation",
    "deepening=1,history,killers,refutation",
    "tt,etc",
    "tt,etc,table-move,deepening=1,history,killers",
    "iid",
    "iid,tt,table-move",
    "evaluation-cache=6",
    "deepening=1,aspiration,tt,tt-layout=two-way,table-move,history,killers,refutation,etc,iid,evaluation-cache=8",
];

fn options(engine: Engine, common: &str, set: &str) -> Options {
    let table = if engine == Engine::Mtdf { "tt," } else { "" };
    let mut options = Options::plain(engine);
    options.set("tt-size=1,depth-exact").unwrap();
    options.set(&format!("{table}{common},{set}")).unwrap();
    if engine == Engine::Mtdf {
        options.table = true;
    }
    options
}

/// All engines and sets against NegaMax.
fn check<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    position: &G::Position,
    depth: u32,
    common: &str,
) {
    let reference = search(game, evaluator, position, depth, options(Engine::NegaMax, common, ""));
    assert!(reference.bounds.is_exact());
    for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf] {
        for set in SETS {
            let result = search(game, evaluator, position, depth, options(engine, common, set));
            let what = format!("{engine} {set} {common} depth {depth} {position:?}");
            assert_eq!(result.bounds, reference.bounds, "{what}");
            assert!(result.finished, "{what}");
            play(game, position, &result.pv).unwrap();
            assert_eq!(result.pv.is_empty(), game.outcome(position).unwrap().is_some(), "{what}");
        }
    }
}

#[test]
fn random_trees() {
    for seed in seeds(12) {
        let ordered = [0, 50, 100][seed as usize % 3];
        let shape = Shape { width: 3, height: 6, seed, ordered, ..Shape::default() };
        let game = RandomTree::new(shape);
        for depth in [0, 1, 4, 6, 8] {
            check(&game, &Guess, &game.initial(), depth, "");
        }
    }
}

#[test]
fn random_graphs_with_transpositions_sudden_wins_and_double_moves() {
    for seed in seeds(30) {
        let shape = Shape {
            width: 3,
            height: 7,
            seed,
            positions: [2, 5, 20][seed as usize % 3],
            spread: [1, 10, 100][seed as usize / 3 % 3],
            sudden: 100,
            again: if seed % 2 == 0 { 150 } else { 0 },
            ..Shape::default()
        };
        let game = RandomTree::new(shape);
        for depth in [2, 5, 7] {
            check(&game, &Guess, &game.initial(), depth, "");
        }
    }
}

#[test]
fn quiescence_and_extensions() {
    for seed in seeds(12) {
        let shape = Shape {
            width: 3,
            height: 9,
            seed,
            positions: 30,
            sudden: 50,
            again: 100,
            unquiet: 300,
            extended: if seed % 2 == 0 { 100 } else { 0 },
            ..Shape::default()
        };
        let game = RandomTree::new(shape);
        for common in ["quiescence", "quiescence,quiescence-depth=2", "extensions", "quiescence,extensions"] {
            check(&game, &Guess, &game.initial(), 4, common);
        }
    }
}

#[test]
fn real_games() {
    let game = TicTacToe::new();
    check(&game, &Nothing, &game.initial(), 6, "");
    let game = Nim::new([2, 3, 3]);
    check(&game, &Nothing, &game.initial(), 9, "");
    let game = Drop::new(5, 4);
    let mut random = Random::new(7);
    for plies in 2..12 {
        let mut line = Line::new(&game, game.initial());
        playout(&mut line, plies, &mut random).unwrap();
        check(&game, &Nothing, line.position(), 5, "");
    }
}

#[test]
fn repetition_without_table() {
    let rules = [
        Repetition::Draw(2),
        Repetition::Draw(3),
        Repetition::Win(2),
        Repetition::Loss(3),
        Repetition::Forbidden,
    ];
    for seed in seeds(20) {
        let game = Cycles::new(8, seed, rules[seed as usize % rules.len()]);
        for mode in ["first", "exact"] {
            let common = format!("repetition={mode}");
            let reference =
                search(&game, &Nothing, &game.initial(), 8, options(Engine::NegaMax, &common, ""));
            for engine in [Engine::AlphaBeta, Engine::NegaScout] {
                for set in ["", "history,killers,deepening=1,refutation,aspiration", "iid"] {
                    let result = search(&game, &Nothing, &game.initial(), 8, options(engine, &common, set));
                    assert_eq!(result.bounds, reference.bounds, "{engine} {set} {mode} {seed}");
                }
            }
        }
    }
}

#[test]
fn a_played_game_counts_for_repetition() {
    let game = Cycles::new(12, 3, Repetition::Draw(2));
    let mut random = Random::new(5);
    for plies in 1..8 {
        let mut line = Line::new(&game, game.initial());
        playout(&mut line, plies, &mut random).unwrap();
        let root = Root::of_line(&line);
        let run = |engine| {
            let mut search = Search::new(&game, &Nothing, options(engine, "", "")).unwrap();
            search.run(&root, 7, &mut ()).unwrap().bounds
        };
        assert_eq!(run(Engine::NegaMax), run(Engine::NegaScout));
    }
}

#[test]
fn the_tree_knows_its_value() {
    for seed in seeds(20) {
        let shape = Shape { width: 4, height: 5, seed, again: 200 * (seed as u32 % 2), ..Shape::default() };
        let game = RandomTree::new(shape);
        let result = search(&game, &Guess, &game.initial(), 5, options(Engine::NegaMax, "", ""));
        assert_eq!(Some(result.value), game.known_value(&game.initial()));
        assert_eq!(game.position(&game.diagram(&game.initial())), game.initial());
    }
}

#[test]
fn better_ordering_means_fewer_nodes() {
    let nodes = |ordered, set: &str| {
        let game = RandomTree::new(Shape { width: 6, height: 6, ordered, ..Shape::default() });
        let result = search(&game, &Guess, &game.initial(), 6, options(Engine::NegaScout, "", set));
        result.statistics
    };
    let (best, good, bad) = (nodes(100, ""), nodes(80, ""), nodes(0, ""));
    assert!(best.nodes < good.nodes && good.nodes < bad.nodes);
    assert_eq!(best.first_move_rate(), Some(1.0));
    // The minimal tree of width 6 and depth 6 has 6^3 + 6^3 - 1 leaves.
    assert_eq!(best.leaves, 431);
}

#[test]
fn threads_share_a_table() {
    for seed in seeds(4) {
        let shape = Shape { width: 4, height: 8, seed, positions: 60, sudden: 30, ..Shape::default() };
        let game = RandomTree::new(shape);
        let expected = search(&game, &Guess, &game.initial(), 8, options(Engine::NegaMax, "", "")).bounds;
        let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
        std::thread::scope(|scope| {
            for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf] {
                let (game, table) = (&game, &table);
                scope.spawn(move || {
                    let options = options(engine, "", "tt,table-move,etc,history,deepening=1");
                    let mut search = Search::new(game, &Guess, options).unwrap().with_table(table);
                    let result = search.run(&Root::new(game, game.initial()), 8, &mut ()).unwrap();
                    assert_eq!(result.bounds, expected, "{engine}");
                });
            }
        });
    }
}
