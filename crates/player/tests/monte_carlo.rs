//! Monte-Carlo tree search on compiled rules, whose moves tell how they end the game.

use multigame_compiler::{Options as CompilerOptions, compile};
use multigame_game::{Game, Line, notation};
use multigame_jit::JitGame;
use multigame_search::{Engine, Options, Root, RulesEvaluator, Search};

/// Nodes that are searched after some moves of connect-4 until the result is proved: White makes the first,
/// third and so on.
fn nodes_to_proof(moves: &[&str]) -> (u64, String) {
    let rules = include_str!("../../../games/connect-4/rules.mg");
    let options = CompilerOptions { name: "connect-4".to_string(), parameters: Vec::new() };
    let game = JitGame::new(compile(rules, &options).program.unwrap()).unwrap();
    let mut line = Line::new(&game, game.initial());
    for text in moves {
        line.play(&notation::find(&game, line.position(), text).unwrap());
    }
    let evaluator = RulesEvaluator::new(&game, None).unwrap();
    let options = Options { engine: Engine::Mcts, ..Options::default() };
    let result =
        Search::new(&game, &evaluator, options).unwrap().run(&Root::of_line(&line), 0, &mut ()).unwrap();
    assert!(result.finished && result.bounds.lower.is_win(), "{moves:?}");
    (result.statistics.nodes, notation::name_of(&game, line.position(), &result.pv[0]).unwrap())
}

#[test]
fn a_move_that_wins_at_once_needs_no_random_game() {
    assert_eq!(nodes_to_proof(&["4", "1", "4", "1", "4", "1"]), (1, "4".to_string()));
}

#[test]
fn two_threats_are_seen_before_many_random_games() {
    // Three in the lowest row with both ends free.
    let (nodes, best) = nodes_to_proof(&["4", "4", "5", "5"]);
    assert!(["3", "6"].contains(&best.as_str()), "{best}");
    assert!(nodes < 300, "{nodes}");
}

#[test]
fn it_is_chosen_where_random_games_tell_nothing_about_positions() {
    let suited = |name: &str, rules: &str, evaluation: Option<&str>| {
        let options = CompilerOptions { name: name.to_string(), parameters: Vec::new() };
        let game = JitGame::new(compile(rules, &options).program.unwrap()).unwrap();
        RulesEvaluator::new(&game, evaluation).unwrap().suits(&game)
    };
    let engine = |name: &str, rules: &str| suited(name, rules, Some("measured"));
    // Pieces move when a part of the board is turned, and what that says about them does not go with results.
    let pentago = include_str!("../../../games/pentago/rules.mg");
    assert_eq!(engine("pentago", pentago), Engine::Mcts);
    // But the rules know something.
    assert_eq!(suited("pentago", pentago, None), Engine::NegaScout);
    // As many moves and pieces, but here they tell.
    assert_eq!(
        engine("breakthrough", include_str!("../../../games/breakthrough/rules.mg")),
        Engine::NegaScout
    );
    // Few moves, but too many to see the end.
    let ultimate = include_str!("../../../games/ultimate-tic-tac-toe/rules.mg");
    assert_eq!(engine("ultimate-tic-tac-toe", ultimate), Engine::Mcts);
    assert_eq!(engine("connect-4", include_str!("../../../games/connect-4/rules.mg")), Engine::NegaScout);
    assert_eq!(engine("go-9x9", include_str!("../../../games/go-9x9/rules.mg")), Engine::Mcts);
}
