//! Evaluations of rules in searches: nothing that is looked at late or not at all changes a value.

use std::sync::atomic::AtomicBool;

use multigame_compiler::{Options as CompilerOptions, compile};
use multigame_game::{Game, Line, parse_position};
use multigame_jit::JitGame;
use multigame_player::{Configuration, Limits, Player};
use multigame_search::{
    Bounds, Engine, Evaluator, Nothing, Options, Root, RulesEvaluator, Search, TranspositionTable, Value,
};

fn chess() -> JitGame {
    let rules = include_str!("../../../games/chess/rules.mg");
    let options = CompilerOptions { name: "chess".to_string(), parameters: Vec::new() };
    JitGame::new(compile(rules, &options).program.unwrap()).unwrap()
}

fn value(game: &JitGame, evaluator: &RulesEvaluator, position: &str, depth: u32, options: Options) -> Value {
    let position = game.position(&parse_position(game.description(), position).unwrap());
    let table = TranspositionTable::new(1, options.table_layout).unwrap();
    let mut search = Search::new(game, evaluator, options).unwrap().with_table(&table);
    search.run(&Root::new(game, position), depth, &mut ()).unwrap().value
}

/// Stalemate and mate at the horizon, in the middle of captures, and a middle game.
const POSITIONS: [(&str, u32); 5] = [
    ("7k/8/5QK1/8/8/8/8/8 w - - 0 1", 3),
    ("7k/5Q2/8/6K1/8/8/8/7r b - - 0 1", 2),
    ("k7/2Q5/8/8/8/8/6q1/7K w - - 0 1", 2),
    ("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", 3),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 1),
];

#[test]
fn evaluating_before_looking_for_moves_keeps_the_values_of_negamax() {
    let game = chess();
    let evaluator = RulesEvaluator::new(&game, None).unwrap();
    let set = "quiescence=on,quiescence-depth=3,extensions=on,depth-exact=on";
    for (position, depth) in POSITIONS {
        let plain = Options::plain(Engine::NegaMax).with(set).unwrap();
        let expected = value(&game, &evaluator, position, depth, plain);
        for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf] {
            for more in ["tt=on", "tt=on,evaluation-cache=10,table-move=on,deepening=1,history=on,killers=on"]
            {
                let options = Options::plain(engine).with(set).unwrap().with(more).unwrap();
                let found = value(&game, &evaluator, position, depth, options);
                assert_eq!(found, expected, "{engine} {more} {position}");
            }
        }
    }
}

#[test]
fn a_queen_does_not_take_a_pawn_that_is_protected() {
    let game = chess();
    let evaluator = RulesEvaluator::new(&game, None).unwrap();
    let left_out = |position: &str, options: Options| {
        let position = game.position(&parse_position(game.description(), position).unwrap());
        let mut search = Search::new(&game, &evaluator, options).unwrap();
        search.run(&Root::new(&game, position), 1, &mut ()).unwrap().statistics.losing_captures
    };
    let (protected, alone) = ("4k3/8/2p5/3p4/8/8/8/3QK3 b - - 0 1", "4k3/8/p7/3p4/8/8/8/3QK3 b - - 0 1");
    assert!(left_out(protected, Options::playing()) > 0);
    assert_eq!(left_out(alone, Options::playing()), 0);
    assert_eq!(left_out(protected, Options::default()), 0);
    // Black has to go to b8. Then a rook may take a knight that a rook protects, once with a second rook
    // behind it.
    let backed = "k2r4/1p6/8/3n4/8/8/3R4/R2RK3 b - - 0 1";
    let unbacked = "k2r4/1p6/8/3n4/8/8/3R4/R3K3 b - - 0 1";
    assert_eq!(left_out(backed, Options::playing()), 0);
    assert!(left_out(unbacked, Options::playing()) > 0);
}

#[test]
fn captures_that_lose_are_left_out_near_the_horizon() {
    let game = chess();
    let evaluator = RulesEvaluator::new(&game, None).unwrap();
    let left_out = |position: &str, set: &str| {
        let position = game.position(&parse_position(game.description(), position).unwrap());
        let options = Options::playing().with("futility=off").unwrap().with(set).unwrap();
        let mut search = Search::new(&game, &evaluator, options).unwrap();
        search.run(&Root::new(&game, position), 4, &mut ()).unwrap().statistics.losing_captures
    };
    let (protected, alone) = ("4k3/8/2p5/3p4/8/8/4P3/3QK3 b - - 0 1", "4k3/8/p7/3p3p/8/8/4P3/3QK3 b - - 0 1");
    assert!(left_out(protected, "") > 0);
    assert_eq!(left_out(protected, "lmp=off"), 0);
    assert!(left_out(alone, "") < left_out(protected, ""));
}

/// Positions that a search looks at, over some middle games.
fn nodes(set: &str) -> u64 {
    let game = chess();
    let evaluator = RulesEvaluator::new(&game, None).unwrap();
    let positions = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq1rk1/pp3pbp/2np1np1/2p1p3/2P1P3/2NP1NPP/PP3PB1/R1BQ1RK1 b - - 0 9",
        "2r2rk1/1bqnbppp/pp1ppn2/8/2PNP3/1PN1BP2/P3BQPP/2RR2K1 w - - 0 15",
    ];
    let search = |position: &str| {
        let position = game.position(&parse_position(game.description(), position).unwrap());
        let options = Options { table_mib: 4, ..Options::playing() }.with(set).unwrap();
        let table = TranspositionTable::new(4, options.table_layout).unwrap();
        let mut search = Search::new(&game, &evaluator, options).unwrap().with_table(&table);
        search.run(&Root::new(&game, position), 8, &mut ()).unwrap().statistics.nodes
    };
    positions.into_iter().map(search).sum()
}

#[test]
fn merits_and_a_table_below_the_horizon_change_what_is_searched() {
    let all = nodes("");
    let without = nodes("quiescence-table=off");
    assert!(all < without, "{all} positions with a table below the horizon, {without} without");
    // Whether few positions become fewer is chance; the experiments say what merits are worth.
    assert_ne!(all, nodes("merits=off"));
}

#[test]
fn a_stalemate_is_a_draw_for_those_who_prune_as_well() {
    let game = chess();
    let evaluator = RulesEvaluator::new(&game, None).unwrap();
    // Black has no move, and White would be far ahead.
    let position = "k7/P7/1K6/8/8/8/8/8 b - - 0 1";
    let found = value(&game, &evaluator, position, 4, Options { table_mib: 1, ..Options::playing() });
    assert_eq!(found, Value::DRAW);
}

#[test]
fn what_a_player_learned_in_one_search_is_there_in_the_next_until_it_is_forgotten() {
    let game = chess();
    let stop = AtomicBool::new(false);
    let limits = Limits { depth: Some(5), ..Limits::default() };
    let line = Line::new(&game, game.initial());
    let evaluations =
        |player: &mut Player<'_, JitGame>| player.search(&line, &mut |_| {}).unwrap().statistics.evaluations;
    for set in ["tt=off", "tt=off,threads=2"] {
        let configuration = Configuration::playing().with(set).unwrap();
        let mut player = Player::new(&game, configuration, limits, &stop).unwrap();
        let first = evaluations(&mut player);
        let second = evaluations(&mut player);
        // Of two threads each knows only what it has seen itself.
        assert!(second < first * 9 / 10, "{set}: {first} evaluations, then {second}");
        player.forget();
        let third = evaluations(&mut player);
        assert!(third > second, "{set}: {first} evaluations at first, {third} when all is forgotten");
    }
}

/// The result of a search for endings alone, and the nodes it took.
fn ending<E: Evaluator<JitGame>>(
    game: &JitGame,
    evaluator: &E,
    position: &str,
    options: &Options,
) -> (Bounds, u64) {
    let position = game.position(&parse_position(game.description(), position).unwrap());
    let table = TranspositionTable::new(1, options.table_layout).unwrap();
    let mut search = Search::new(game, evaluator, options.clone()).unwrap().with_table(&table);
    let result = search.run(&Root::new(game, position), 4, &mut ()).unwrap();
    (result.bounds, result.statistics.nodes)
}

#[test]
fn judging_nothing_by_either_evaluator_is_the_same_search() {
    let game = chess();
    let nothing = RulesEvaluator::nothing(&game);
    for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf] {
        let options = Options { engine, ..Options::default() };
        for (position, _) in POSITIONS {
            let found = ending(&game, &nothing, position, &options);
            assert_eq!(found, ending(&game, &Nothing, position, &options), "{engine} {position}");
        }
    }
}
