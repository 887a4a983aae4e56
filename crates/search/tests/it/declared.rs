//! What options are declared to fit: for other engines they make no difference.

use multigame_game::{Game, Random};
use multigame_search::declared::{Declaration, Kind};
use multigame_search::{Engine, Evaluator, NodeLimit, Nothing, Options, Root, Search, TranspositionTable};

use crate::games::eight::{Eight, Manhattan};
use crate::games::tictactoe::TicTacToe;

/// What an engine does with some options: its statistics, bounds and line.
fn trace<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E, root: &Root<G>, options: Options) -> String {
    let table = TranspositionTable::new(1, options.table_layout).unwrap();
    let mut search = Search::new(game, evaluator, options).unwrap().with_table(&table);
    let result = search.run(root, 8, &mut NodeLimit(3000)).unwrap();
    format!("{:?} {:?} {:?}", result.statistics, result.bounds, result.pv)
}

/// Some other values of an option.
fn others(option: &Declaration<Options>, usual: &Options) -> Vec<String> {
    let values: Vec<String> = match &option.kind {
        Kind::Switch { .. } => vec!["on".into(), "off".into()],
        Kind::Number { least, .. } => (*least..least + 3).map(|number| number.to_string()).collect(),
        Kind::Choice { names, .. } => names.iter().map(ToString::to_string).collect(),
        Kind::Named { .. } => Vec::new(),
    };
    values.into_iter().filter(|value| *value != option.get(usual)).collect()
}

/// Tries all options that do not fit an engine; tells how many values were possible.
fn try_all<G: Game, E: Evaluator<G>>(engine: Engine, game: &G, evaluator: &E, start: G::Position) -> usize {
    let usual = Options { engine, table_mib: 1, tree_nodes: 2000, poll_interval: 16, ..Options::default() };
    let root = Root::new(game, start);
    let expected = trace(game, evaluator, &root, usual.clone());
    let unfit =
        |option: &&Declaration<Options>| !option.engines.is_empty() && !option.engines.contains(&engine);
    let mut tried = 0;
    for option in Options::DECLARED.iter().filter(unfit) {
        for value in others(option, &usual) {
            let changed = usual.clone().with(&format!("{}={value}", option.name)).unwrap();
            // Several lines of an engine that knows one are refused.
            if changed.check().is_ok() {
                let found = trace(game, evaluator, &root, changed);
                assert_eq!(found, expected, "engine={engine},{}={value}", option.name);
                tried += 1;
            }
        }
    }
    tried
}

#[test]
fn options_of_other_engines_make_no_difference() {
    let (cross, eight) = (TicTacToe::new(), Eight::new());
    let mut random = Random::new(3);
    for (name, engine) in Engine::ALL {
        let tried = match engine.is_for_puzzles() {
            true => try_all(engine, &eight, &Manhattan, eight.shuffled(20, &mut random)),
            false => try_all(engine, &cross, &Nothing, cross.initial()),
        };
        assert!(tried >= 3, "{name}: {tried}");
    }
}
