//! Learning on a small game, from self-play to weights.

use std::sync::atomic::AtomicBool;

use multigame_game::Appraiser;
use multigame_ir::RulesGame;
use multigame_learning::{Fit, GameRecord, SelfPlay, fit, judged, learn_patterns, loss, samples, scale_of};
use multigame_player::{Limits, RulesEvaluator};
use multigame_search::{View, contents};

/// A race of men: a player who captures a man or gets to the last row wins sooner. The weights say the
/// opposite of the truth.
const RULES: &str = "
dimensions (4, 5)
no moves = loss
pieces { man 'A' 'B' }
setup { \"BBBB\" \"....\" \"....\" \"....\" \"AAAA\" }
main = find own man, pick up, either [ north, step, points at empty field ]
       or [ either northwest or northeast, step, points at opponent's man ],
       put down, irreversible, try [ assert (row == 5), win ].
evaluation { material { man 10 } ahead -20 : count [ find own man, assert (row >= 3) ] }
";

fn game() -> RulesGame {
    let options = multigame_compiler::Options { name: "race".to_string(), parameters: Vec::new() };
    let compilation = multigame_compiler::compile(RULES, &options);
    assert!(compilation.program.is_some(), "{:?}", compilation.diagnostics);
    RulesGame::new(compilation.program.unwrap())
}

fn play(game: &RulesGame, numbers: &[u32], concurrency: usize) -> Vec<GameRecord> {
    let evaluator = RulesEvaluator::new(game, None).unwrap();
    let stop = AtomicBool::new(false);
    let selfplay = SelfPlay {
        game,
        evaluator: &evaluator,
        limits: Limits { depth: Some(2), ..Limits::default() },
        plies: 3,
        max_plies: 60,
        seed: 5,
        concurrency,
        farm: None,
        stop: &stop,
    };
    let mut records = Vec::new();
    selfplay
        .play(numbers, &mut |record| {
            records.push(record);
            Ok(())
        })
        .unwrap();
    records.sort_by_key(|record| record.number);
    records
}

// The first sum wrapped around to the number of moves, and the second value has no absolute one.
#[test]
fn numbers_that_are_too_large_are_not_a_game() {
    let (moves, values, quiet) = (Vec::new(), vec![0], vec![true]);
    let record = GameRecord { number: 0, moves, opening: usize::MAX, values, quiet, result: 0.5 };
    assert!(!record.is_possible());
    let record = GameRecord { opening: 0, moves: vec![0], values: vec![i32::MIN], ..record };
    assert!(record.is_possible() && !record.teaches(0));
}

#[test]
fn games_are_the_same_whoever_plays_them() {
    let game = game();
    let numbers: Vec<u32> = (0..12).collect();
    let one = play(&game, &numbers, 1);
    assert_eq!(one, play(&game, &numbers, 2));
    assert_eq!(one[7], play(&game, &[7], 1)[0]);
    for record in &one {
        assert_eq!(record.opening, 3);
        assert_eq!(record.values.len(), record.moves.len() - record.opening);
        assert_eq!(record.replay(&game).unwrap().moves().len(), record.moves.len());
    }
    let broken = GameRecord { moves: vec![999], ..one[0].clone() };
    assert!(broken.replay(&game).unwrap_err().to_string().contains("played by other rules"));
}

#[test]
fn wrong_weights_are_put_right() {
    let game = game();
    let appraiser = Appraiser::new(&game, 0);
    let records = play(&game, &(0..150).collect::<Vec<_>>(), 2);
    let start: Vec<f64> = appraiser.values().iter().map(|&value| f64::from(value)).collect();
    let all = |lambda: f64, scale: f64| -> Vec<_> {
        records.iter().flat_map(|record| samples(&game, &appraiser, record, lambda, scale).unwrap()).collect()
    };
    let scale = scale_of(&all(1.0, 100.0), &start).clamp(50.0, 400.0);
    for lambda in [1.0, 0.7] {
        let samples = all(lambda, scale);
        assert!(samples.len() > 200, "{}", samples.len());
        let plan = Fit { scale, pull: 0.01, rounds: 300 };
        let found = fit(&samples, &start, &[(-500.0, 500.0); 2], &plan, &mut |_, _| {});
        assert!(found[0] > 20.0 && found[1] > start[1] + 5.0, "a man more wins: {found:?} from {start:?}");
        assert!(loss(&samples, &found, scale) < loss(&samples, &start, scale));
    }
}

#[test]
fn patterns_tell_what_the_evaluation_does_not_know() {
    let game = game();
    let evaluator = RulesEvaluator::new(&game, Some("random")).unwrap();
    let records = play(&game, &(0..150).collect::<Vec<_>>(), 2);
    let plan = Fit { scale: 100.0, pull: 0.05, rounds: 150 };
    let (patterns, [without, with]) = learn_patterns(&game, &evaluator, &records, 0.8, &plan, 12).unwrap();
    assert_eq!(patterns.tuples().len(), 12);
    assert!(with < without - 0.02, "{without} -> {with}");
    // The result is the same for any number of threads.
    assert_eq!(learn_patterns(&game, &evaluator, &records, 0.8, &plan, 12).unwrap().0, patterns);
    // Searches look up the fitted values.
    let contents = contents(multigame_game::Game::description(&game));
    for record in &records[..20] {
        for position in record.replay(&game).unwrap().positions() {
            let view = View::of(&game, position);
            let tables = patterns.tuples().iter();
            let sum: i32 = tables.map(|tuple| tuple.table[view.index(&tuple.fields, contents)]).sum();
            assert_eq!(patterns.value(&game, position), sum);
        }
    }
    // A position that is all but won looks better than one that is all but lost, whoever is to move.
    let value = |text: &str| {
        let description = multigame_game::Game::description(&game);
        let diagram = multigame_game::parse_position(description, text).unwrap();
        patterns.value(&game, &multigame_game::Game::position(&game, &diagram))
    };
    assert!(value("B3/A3/4/4/4 w") > value("B3/4/4/1B2/A3 w"));
    assert_eq!(value("B3/A3/4/4/4 w"), value("4/4/4/3B/3A b"), "both players see the same");
}

#[test]
fn judged_positions_become_samples_as_white_sees_them() {
    let game = game();
    let appraiser = Appraiser::new(&game, 0);
    let text =
        "# judged by somebody\n\nBBBB/..../..A./..../AAA. w | 0.75\nBBBB/..../..A./..../AAA. b | 0.25\n";
    let samples = judged(&game, &appraiser, text).unwrap();
    let targets: Vec<f64> = samples.iter().map(|sample| sample.target).collect();
    assert_eq!(targets, [0.75, 0.25]);
    // White has a man ahead, whoever is to move: the features are the same.
    assert_eq!(samples[0].features, samples[1].features);
    assert_eq!(samples[0].features.len(), 1);
    assert_eq!(samples[0].features[0].1, 1.0);
}

#[test]
fn wrong_lines_of_judged_positions_are_named() {
    let game = game();
    let appraiser = Appraiser::new(&game, 0);
    let error = |text: &str| format!("{:#}", judged(&game, &appraiser, text).unwrap_err());
    assert!(error("\nnonsense").contains("line 2 is wrong: `POSITION | SCORE` is expected"));
    assert!(error("BBBB/..../..../..../AAAA w | 3").contains("from 0 (Black wins) to 1"));
    assert!(error("BBBB/.. | 0.5").contains("line 1 is wrong"));
}
