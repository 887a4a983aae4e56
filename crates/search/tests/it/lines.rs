//! Searches of some moves of the root only, and of several lines.

use std::ops::ControlFlow;

use multigame_game::Game;
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{
    Bounds, Engine, Iteration, Monitor, Options, Root, Search, TranspositionTable, Value,
};

use crate::{search, seeds};

const ENGINES: [Engine; 3] = [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf];

/// Writes the lines of the last iteration down.
#[derive(Default)]
struct Lines(Vec<(u32, Bounds, Vec<u16>)>);

impl Monitor<RandomTree> for Lines {
    fn iteration(&mut self, iteration: &Iteration<'_, u16>) -> ControlFlow<()> {
        self.0.truncate(iteration.line);
        self.0.push((iteration.depth, iteration.bounds, iteration.pv.to_vec()));
        ControlFlow::Continue(())
    }
}

fn tree(seed: u64) -> RandomTree {
    RandomTree::new(Shape { width: 5, height: 6, seed, ..Shape::default() })
}

/// NegaMax's value of each move of the root, best first.
fn values(game: &RandomTree, depth: u32) -> Vec<(Value, u16)> {
    let root = game.initial();
    let mut moves = Vec::new();
    game.moves(&root, &mut moves).unwrap();
    let value = |mv: &u16| {
        let only = Root::new(game, root).only(game, std::slice::from_ref(mv));
        let options = Options::plain(Engine::NegaMax);
        let result = Search::new(game, &Guess, options).unwrap().run(&only, depth, &mut ()).unwrap();
        assert_eq!(result.pv.first(), Some(mv));
        (result.value, *mv)
    };
    let mut values: Vec<_> = moves.iter().map(value).collect();
    values.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
    values
}

fn options(engine: Engine) -> Options {
    Options { engine, depth_exact: true, table_mib: 1, ..Options::default() }
}

#[test]
fn lines_are_the_best_moves_in_order() {
    for seed in seeds(8) {
        let game = tree(seed);
        let values = values(&game, 4);
        let full = search(&game, &Guess, &game.initial(), 4, options(Engine::NegaScout));
        assert_eq!(values[0].0, full.value, "the best of all moves is the value of the root");
        for engine in ENGINES {
            let table = TranspositionTable::new(1, Default::default()).unwrap();
            let options = Options { lines: 9, ..options(engine) };
            let mut search = Search::new(&game, &Guess, options).unwrap().with_table(&table);
            let mut lines = Lines::default();
            let result = search.run(&Root::new(&game, game.initial()), 4, &mut lines).unwrap();
            assert_eq!(result.value, values[0].0);
            assert_eq!(lines.0.len(), values.len(), "no more lines than moves");
            let mut firsts: Vec<u16> = lines.0.iter().map(|(_, _, pv)| pv[0]).collect();
            for ((depth, bounds, _), (value, _)) in lines.0.iter().zip(&values) {
                assert_eq!((*depth, *bounds), (4, Bounds::exact(*value)), "{engine} seed {seed}");
            }
            firsts.sort_unstable();
            firsts.dedup();
            assert_eq!(firsts.len(), values.len(), "each line begins with another move");
        }
    }
}

#[test]
fn only_some_moves() {
    for seed in seeds(8) {
        let game = tree(seed);
        let values = values(&game, 4);
        let (best, worst) = (values[0], values[values.len() - 1]);
        let moves: Vec<u16> = values[2..].iter().map(|&(_, mv)| mv).collect();
        for engine in ENGINES {
            let table = TranspositionTable::new(1, Default::default()).unwrap();
            let mut search = Search::new(&game, &Guess, options(engine)).unwrap().with_table(&table);
            let root = Root::new(&game, game.initial());
            let some = search.run(&root.clone().only(&game, &moves), 4, &mut ()).unwrap();
            assert_eq!(some.value, values[2].0, "{engine}");
            assert!(moves.contains(&some.pv[0]));
            let last = search.run(&root.clone().only(&game, &[worst.1]), 4, &mut ()).unwrap();
            assert_eq!((last.value, last.pv[0]), (worst.0, worst.1));
            // Facts about some moves must not be taken for the position's value.
            assert_eq!(search.run(&root, 4, &mut ()).unwrap().value, best.0, "{engine}");
        }
        let options = Options { engine: Engine::Mcts, tree_nodes: 300, ..Options::default() };
        let root = Root::new(&game, game.initial()).only(&game, &[worst.1]);
        let result = Search::new(&game, &Guess, options).unwrap().run(&root, 4, &mut ()).unwrap();
        assert_eq!(result.pv[0], worst.1);
    }
}

#[test]
fn impossible_wishes_are_refused() {
    let game = tree(1);
    let root = Root::new(&game, game.initial()).only(&game, &[77]);
    let refused = |engine, root: &Root<RandomTree>| {
        let options = Options { engine, ..Options::default() };
        Search::new(&game, &Guess, options).unwrap().run(root, 3, &mut ()).unwrap_err().to_string()
    };
    assert_eq!(refused(Engine::NegaScout, &root), "none of the moves to search is legal");
    let two = |engine| Options { engine, lines: 2, ..Options::default() }.check().unwrap_err().to_string();
    assert!(two(Engine::Mcts).contains("knows only one line"), "{}", two(Engine::Mcts));
    let zero = Options { lines: 0, ..Options::default() };
    assert!(zero.check().is_err());
}
