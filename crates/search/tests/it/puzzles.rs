//! Puzzles: all engines find solutions of the same, shortest length.

use multigame_game::{Game, Outcome, Random, Side};
use multigame_search::patterns::Perimeter;
use multigame_search::{
    Bounds, Engine, NodeLimit, Nothing, Options, Root, RulesEvaluator, Search, SearchError, Value,
};

use crate::games::eight::{Eight, Manhattan, SOLVED};
use crate::games::tictactoe::TicTacToe;
use crate::{play, search};

fn options(engine: Engine, table: bool) -> Options {
    Options { engine, table, table_mib: 1, tree_nodes: 200_000, ..Options::default() }
}

#[test]
fn shortest_solutions_agree() {
    let game = Eight::new();
    let mut random = Random::new(8);
    for moves in [0, 1, 2, 5, 10, 15, 20, 30, 40, 60] {
        let start = game.shuffled(moves, &mut random);
        let reference = search(&game, &Nothing, &start, 40, options(Engine::Bfs, false));
        assert!(reference.bounds.is_exact() && reference.pv.len() <= moves);
        assert_eq!(reference.value, Value::win_in(reference.pv.len() as u32));
        for (engine, table) in [(Engine::IdaStar, false), (Engine::IdaStar, true), (Engine::AStar, false)] {
            let result = search(&game, &Manhattan, &start, 40, options(engine, table));
            assert_eq!(result.bounds, reference.bounds, "{engine} {table} {start:?}");
            let end = play(&game, &start, &result.pv).unwrap();
            assert_eq!(game.outcome(&end).unwrap(), Some(Outcome::Wins(Side::White)));
        }
    }
    let result = search(&game, &Manhattan, &SOLVED, 40, options(Engine::IdaStar, false));
    assert_eq!(result.bounds, Bounds::exact(Value::win_in(0)));
}

#[test]
fn lower_bounds_and_tables_save_work() {
    let game = Eight::new();
    // 31 moves: as far from the solution as it gets.
    let start = ([8, 0, 6, 5, 4, 7, 2, 3, 1], 1);
    let nodes = |engine, table| {
        let result = search(&game, &Manhattan, &start, 40, options(engine, table));
        assert_eq!(result.pv.len(), 31);
        result.statistics.nodes
    };
    let (blind, informed) = (nodes(Engine::Bfs, false), nodes(Engine::AStar, false));
    assert!(informed < blind && blind <= 181_440, "{informed} {blind}");
    let (plain, with_table) = (nodes(Engine::IdaStar, false), nodes(Engine::IdaStar, true));
    assert!(with_table < plain, "{with_table} {plain}");
}

#[test]
fn a_perimeter_tells_what_is_near_and_that_all_else_is_farther() {
    let around = |width, most| Perimeter::around(&Eight::endless(), &SOLVED, width, most, &mut |_| true);
    let perimeter = around(8, 1000).unwrap();
    // The number of positions at each distance is known (Reinefeld 1993).
    assert_eq!(perimeter.counts(), [1, 2, 4, 8, 16, 20, 39, 62, 116]);
    let game = Eight::new();
    let (blind, evaluator) =
        (RulesEvaluator::new(&game, None).unwrap(), RulesEvaluator::new(&game, None).unwrap());
    let evaluator = evaluator.with_perimeter(perimeter.clone());
    let mut random = Random::new(3);
    for moves in [0, 3, 7, 9, 14, 25] {
        let start = game.shuffled(moves, &mut random);
        let shortest = search(&game, &Nothing, &start, 40, options(Engine::Bfs, false)).pv.len() as u32;
        assert_eq!(perimeter.bound(game.signature(&start)), shortest.min(9));
        let [far, near] = [&blind, &evaluator].map(|evaluator| {
            let result = search(&game, evaluator, &start, 40, options(Engine::IdaStar, true));
            assert_eq!(result.pv.len() as u32, shortest);
            result.statistics.nodes
        });
        assert!(near <= far, "{near} {far}");
    }
    assert!(around(8, 100).unwrap_err().to_string().contains("choose fewer moves"));
    assert!(around(15, 100).unwrap_err().to_string().contains("too large"));
    let ended = Perimeter::around(&game, &SOLVED, 3, 1000, &mut |_| true).unwrap_err();
    assert!(ended.to_string().contains("ends before its goal"));
    let stopped = Perimeter::around(&Eight::endless(), &SOLVED, 3, 1000, &mut |_| false).unwrap_err();
    assert!(stopped.to_string().contains("stopped"));
}

#[test]
fn a_puzzle_without_solution_is_lost() {
    let game = Eight::new();
    let unsolvable = ([0, 2, 1, 3, 4, 5, 6, 7, 8], 0);
    let result = search(&game, &Manhattan, &unsolvable, 40, options(Engine::Bfs, false));
    assert_eq!(result.bounds, Bounds::exact(-Value::WIN));
    assert_eq!(result.statistics.nodes, 181_440);
    let result = search(&game, &Manhattan, &unsolvable, 12, options(Engine::IdaStar, true));
    assert!(result.finished && result.bounds.upper <= Value::win_in(13));
}

#[test]
fn limits_are_kept() {
    let game = Eight::new();
    let start = ([8, 0, 6, 5, 4, 7, 2, 3, 1], 1);
    for engine in [Engine::IdaStar, Engine::AStar, Engine::Bfs] {
        let result = search(&game, &Manhattan, &start, 24, options(engine, false));
        assert!(result.finished && result.pv.is_empty(), "{engine}");
        assert!(result.bounds.contains(Value::win_in(31)), "{engine} {}", result.bounds);
        let small = Options { tree_nodes: 1000, poll_interval: 10, ..options(engine, false) };
        let mut search = Search::new(&game, &Manhattan, small).unwrap();
        let result = search.run(&Root::new(&game, start), 40, &mut NodeLimit(2000)).unwrap();
        assert!(!result.finished && result.bounds.contains(Value::win_in(31)), "{engine} {}", result.bounds);
    }
}

#[test]
fn two_players_do_not_solve_puzzles() {
    let game = TicTacToe::new();
    let error = Search::new(&game, &Nothing, options(Engine::IdaStar, true)).unwrap_err();
    assert!(matches!(error, SearchError::Unsuitable(message) if message.contains("2 players")));
}
