//! Enhancements that may change values: they do something, save work and leave what is certain alone.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use multigame_game::*;
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{Engine, Nothing, Options, Root, Search, SearchError, Statistics};

use crate::games::tictactoe::{Marks, TicTacToe};
use crate::{play, search};

fn statistics(set: &str) -> Statistics {
    statistics_at(5, set)
}

fn statistics_at(depth: u32, set: &str) -> Statistics {
    let mut sum = Statistics::default();
    for seed in 0..5 {
        let game =
            RandomTree::new(Shape { width: 8, height: 12, seed, ordered: 90, noise: 10, ..Shape::default() });
        for engine in [Engine::AlphaBeta, Engine::NegaScout] {
            let options =
                Options::plain(engine).with("history,killers,deepening=1").unwrap().with(set).unwrap();
            let result = search(&game, &Guess, &game.initial(), depth, options);
            // Searched more deeply the second time, a move can turn out worse than its test promised.
            assert!(result.finished && (result.bounds.is_exact() || set.contains("singular")), "{set}");
            play(&game, &game.initial(), &result.pv).unwrap();
            sum += result.statistics;
        }
    }
    sum
}

#[test]
fn pruning_saves_nodes() {
    let plain = statistics("");
    let null = statistics("null");
    assert!(null.null_cutoffs > 0 && null.nodes < plain.nodes, "{} {}", null.nodes, plain.nodes);
    let lmr = statistics("lmr");
    assert!(lmr.reductions > 0 && lmr.nodes < plain.nodes, "{} {}", lmr.nodes, plain.nodes);
    let futility = statistics("futility,futility-margin=20");
    assert!(futility.futile > 0 && futility.nodes < plain.nodes, "{} {}", futility.nodes, plain.nodes);
    let all = statistics("null,lmr,futility,futility-margin=20");
    assert!(all.nodes < lmr.nodes);
}

#[test]
fn nodes_without_a_known_move_are_searched_less_deeply() {
    let plain = statistics_at(7, "tt,tt-size=1,table-move");
    let reduced = statistics_at(7, "tt,tt-size=1,table-move,iir");
    assert!(reduced.nodes < plain.nodes, "{} {}", reduced.nodes, plain.nodes);
}

#[test]
fn moves_that_are_better_than_all_others_are_searched_more_deeply() {
    let plain = statistics_at(8, "tt,tt-size=1,table-move");
    let singular = statistics_at(8, "tt,tt-size=1,table-move,singular");
    assert_eq!(plain.extensions, 0);
    assert!(singular.extensions > 0);
}

// Twice this depth is too large a number: no path was allowed to grow.
#[test]
fn searches_of_the_largest_depths_extend_too() {
    let game = RandomTree::new(Shape { width: 3, height: 6, extended: 300, ..Shape::default() });
    let options = Options { table_mib: 1, ..Options::default() }.with("extensions,deepening=0").unwrap();
    let result = search(&game, &Guess, &game.initial(), 1 << 31, options);
    assert!(result.finished && result.statistics.extensions > 0);
}

#[test]
fn pruning_does_not_change_what_tic_tac_toe_is() {
    let game = TicTacToe::new();
    for set in ["null", "lmr", "futility", "lmp", "iir", "singular", "null,lmr,futility,lmp,iir,singular"] {
        let options = Options { quiescence: false, table_mib: 1, ..Options::default() }.with(set).unwrap();
        let result = search(&game, &Nothing, &game.initial(), 20, options);
        assert_eq!(result.value.number(), 0, "{set}");
    }
}

static CLONES: AtomicU64 = AtomicU64::new(0);

/// Counts how often it is copied with `clone`, which is where positions allocate.
#[derive(Debug, PartialEq)]
struct Counted(Marks);

impl Clone for Counted {
    fn clone(&self) -> Self {
        CLONES.fetch_add(1, Ordering::Relaxed);
        Counted(self.0)
    }
    fn clone_from(&mut self, source: &Self) {
        self.0 = source.0;
    }
}

/// Tic-tac-toe with counted positions, whose rules fail when this many marks are set.
#[derive(Debug)]
struct Watched(TicTacToe, u32);

impl Game for Watched {
    type Position = Counted;
    type Move = u16;

    fn description(&self) -> &Description {
        self.0.description()
    }
    fn position(&self, diagram: &Diagram) -> Counted {
        Counted(self.0.position(diagram))
    }
    fn diagram(&self, position: &Counted) -> Diagram {
        self.0.diagram(&position.0)
    }
    fn side_to_move(&self, position: &Counted) -> Side {
        self.0.side_to_move(&position.0)
    }
    fn signature(&self, position: &Counted) -> Signature {
        self.0.signature(&position.0)
    }
    fn is_irreversible(&self, _: &Counted) -> bool {
        false
    }
    fn visit(
        &self,
        position: &Counted,
        visitor: &mut Visitor<'_, Self>,
    ) -> Result<Option<Outcome>, RulesError> {
        if (position.0[0] | position.0[1]).count_ones() >= self.1 {
            let message = "too many marks".to_string();
            return Err(RulesError { message, rule: "main".to_string(), line: 7, span: (0, 0) });
        }
        self.0.visit(&position.0, &mut |mv, child| match visitor(mv, &Counted(*child)) {
            ControlFlow::Break(()) => ControlFlow::Break(()),
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
        })
    }
    fn ended(&self, _: &Counted) -> Option<Outcome> {
        None
    }
    fn ending(&self, _: &u16) -> Option<Outcome> {
        None
    }
    multigame_game::moves_alone!();
    fn apply(&self, position: &Counted, mv: &u16, child: &mut Counted) {
        self.0.apply(&position.0, mv, &mut child.0);
    }
    fn move_key(&self, mv: &u16) -> u64 {
        self.0.move_key(mv)
    }
}

#[test]
fn no_node_copies_a_position() {
    let game = Watched(TicTacToe::new(), 10);
    let root = Root::new(&game, game.initial());
    let options =
        Options::default().with("tt-size=1,etc,iid,lmr,futility,quiescence=off,deepening=0").unwrap();
    let mut search = Search::new(&game, &Nothing, options).unwrap();
    for depth in [4, 6, 9] {
        let before = CLONES.load(Ordering::Relaxed);
        let result = search.run(&root, depth, &mut ()).unwrap();
        let clones = CLONES.load(Ordering::Relaxed) - before;
        // One for each ply of the stack, at most.
        assert!(clones <= 20 && result.statistics.nodes > 100, "{clones} of {}", result.statistics.nodes);
    }
}

#[test]
fn errors_of_the_rules_come_out() {
    let game = Watched(TicTacToe::new(), 4);
    let root = Root::new(&game, game.initial());
    for (name, engine) in Engine::ALL.into_iter().filter(|(_, engine)| !engine.is_for_puzzles()) {
        let options = Options { engine, table: engine == Engine::Mtdf, ..Options::default() };
        let error = Search::new(&game, &Nothing, options).unwrap().run(&root, 9, &mut ()).unwrap_err();
        assert!(matches!(error, SearchError::Rules(_)), "{name}");
        assert!(error.to_string().contains("too many marks (in rule `main`, line 7)"), "{error}");
    }
}
