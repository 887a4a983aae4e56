//! Games with chance: expectations known by hand, two ways to compute them, and dice that are fair.

use std::sync::atomic::AtomicBool;

use multigame_compiler::{Options as CompilerOptions, compile};
use multigame_game::{Game, Line, parse_position};
use multigame_ir::RulesGame;
use multigame_jit::JitGame;
use multigame_player::{Configuration, Limits, Origin, Player, Wanted, expected};
use multigame_search::{Engine, Options, Root, RulesEvaluator, Search, TranspositionTable};

const PIG: &str = include_str!("../../../games/pig/rules.mg");
const EINSTEIN: &str = include_str!("../../../games/einstein/rules.mg");

fn game(rules: &str, parameters: &[(&str, i64)]) -> JitGame {
    let parameters = parameters.iter().map(|&(name, value)| (name.to_string(), value)).collect();
    let options = CompilerOptions { name: "game".to_string(), parameters };
    JitGame::new(compile(rules, &options).program.unwrap()).unwrap()
}

fn solved<G: Game>(game: &G, position: &G::Position) -> (f64, f64) {
    let found = expected(game, position, Wanted::default(), &AtomicBool::new(false)).unwrap();
    (found.low, found.high)
}

#[test]
fn a_race_to_two_is_won_by_six_in_seven() {
    // Every throw but a one wins, and a one gives the other player the same chance: p = 5/6 + (1 - p) / 6.
    let pig = game(PIG, &[("target", 2)]);
    let (low, high) = solved(&pig, &pig.initial());
    assert!(low <= 5.0 / 7.0 + 1e-12 && 5.0 / 7.0 - 1e-12 <= high && high - low < 1e-8, "{low} .. {high}");
}

#[test]
fn the_interpreter_expects_the_same() {
    let pig = game(PIG, &[("target", 12)]);
    let rules = RulesGame::new(pig.program().clone());
    let (native, interpreted) = (solved(&pig, &pig.initial()), solved(&rules, &rules.initial()));
    // Outcomes come in another order, so sums are rounded in another way.
    assert!((native.0 - interpreted.0).abs() < 1e-12, "{native:?} and {interpreted:?}");
}

#[test]
fn searches_to_the_end_agree_with_the_solution() {
    let game = game(EINSTEIN, &[]);
    let evaluator = RulesEvaluator::new(&game, None).unwrap();
    for text in ["5/5/a2f1/5/A4 b die=3 placed=6,6", "4f/5/B4/5/5 w die=6 placed=6,6"] {
        let position = game.position(&parse_position(game.description(), text).unwrap());
        let (low, high) = solved(&game, &position);
        assert!(high - low < 1e-8, "{text}: {low} .. {high}");
        let options = Options { engine: Engine::Expectimax, ..Options::default() };
        let table = TranspositionTable::new(16, options.table_layout).unwrap();
        let mut search = Search::new(&game, &evaluator, options).unwrap().with_table(&table);
        let result = search.run(&Root::new(&game, position), 80, &mut ()).unwrap();
        let value = f64::from(result.value.number()) / 1000.0;
        assert!(result.finished && result.depth < 80, "{text}: stopped at depth {}", result.depth);
        assert!((value - low).abs() < 0.0021, "{text}: {value} instead of {low}");
    }
}

#[test]
fn players_throw_the_dice_where_nature_moves() {
    let pig = game(PIG, &[]);
    let stop = AtomicBool::new(false);
    let mut player = Player::new(&pig, Configuration::default(), Limits::default(), &stop).unwrap();
    let mut counts = [0; 6];
    for _ in 0..6000 {
        let line = Line::new(&pig, pig.initial());
        let thought = player.think(&line, &mut |_| {}).unwrap();
        assert_eq!(thought.origin, Origin::Chance);
        let mut child = pig.initial();
        pig.apply(line.position(), &thought.best.unwrap(), &mut child);
        let die = pig.description().property("die").unwrap().offset;
        counts[pig.value(&child, die) as usize - 1] += 1;
    }
    assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
}
