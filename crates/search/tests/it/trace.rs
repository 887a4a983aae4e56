//! Trace checking: every bound computed anywhere in the tree is true of the full tree, and windows may be
//! narrowed and searches stopped at any time without making one false.

use std::sync::atomic::{AtomicBool, Ordering};

use multigame_game::{Game, Random};
use multigame_search::random_tree::{Guess, RandomTree, Shape, TreePosition};
use multigame_search::{
    Bounds, Computed, Control, Engine, Kernel, KernelInput, Monitor, NodeLimit, Options, Root, Search,
    Statistics, TranspositionTable, Value, Window, Workspace,
};

use crate::{play, search, seeds};

fn exact_options(engine: Engine, more: &str) -> Options {
    Options::plain(engine).with("tt-size=1,depth-exact").unwrap().with(more).unwrap()
}

fn true_value(game: &RandomTree, position: &TreePosition, depth: u32, ply: usize, meaning: &str) -> Value {
    search(game, &Guess, position, depth, exact_options(Engine::NegaMax, meaning)).value.from_node(ply)
}

/// Checks every bound; narrows the window or stops if asked to.
struct Checker<'a> {
    game: &'a RandomTree,
    /// Options that decide what a value is.
    meaning: &'a str,
    checked: u32,
    narrow: Option<(Random, Value)>,
}

impl Monitor<RandomTree> for Checker<'_> {
    fn witnesses(&self) -> bool {
        true
    }

    fn computed(&mut self, computed: &Computed<'_, RandomTree>) {
        let value = true_value(self.game, computed.position, computed.depth, computed.ply, self.meaning);
        assert!(computed.bounds.contains(value), "{computed:?} but the value is {value}");
        if self.narrow.is_none() {
            assert!(computed.bounds.decides(computed.window), "{computed:?}");
        }
        self.checked += 1;
    }

    /// Random windows that always contain the root's value.
    fn poll(&mut self, _: &Statistics) -> Control {
        let Some((random, value)) = &mut self.narrow else { return Control::Continue };
        match random.below(4) {
            0 => {
                Control::Narrow(Window { alpha: *value - 1 - random.below(30) as i32, beta: Value::INFINITE })
            }
            1 => Control::Narrow(Window {
                alpha: -Value::INFINITE,
                beta: *value + 1 + random.below(30) as i32,
            }),
            _ => Control::Continue,
        }
    }
}

fn games() -> impl Iterator<Item = RandomTree> {
    seeds(8).map(|seed| {
        let positions = [0, 4, 12][seed as usize % 3];
        RandomTree::new(Shape {
            width: 3,
            height: 5,
            seed,
            positions,
            sudden: 80,
            again: 100,
            unquiet: 250,
            ordered: 40,
            ..Shape::default()
        })
    })
}

const SETS: [&str; 4] = [
    "deepening=1",
    "deepening=1,tt,table-move,history,killers,aspiration,refutation",
    "tt,etc,iid,table-move,tt-layout=two-way",
    "quiescence,deepening=1,tt,table-move",
];

/// The part of a set that decides what a value is.
fn meaning(set: &str) -> &'static str {
    if set.contains("quiescence") { "quiescence" } else { "" }
}

#[test]
fn every_bound_is_true() {
    let mut checked = 0;
    for game in games() {
        for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf] {
            for set in SETS {
                let mut options = exact_options(engine, set);
                options.table |= engine == Engine::Mtdf;
                let table = TranspositionTable::new(1, options.table_layout).unwrap();
                let mut checker = Checker { game: &game, meaning: meaning(set), checked: 0, narrow: None };
                let mut search = Search::new(&game, &Guess, options).unwrap().with_table(&table);
                search.run(&Root::new(&game, game.initial()), 5, &mut checker).unwrap();
                checked += checker.checked;
            }
        }
    }
    assert!(checked > 5000, "{checked}");
}

#[test]
fn windows_may_be_narrowed_at_any_time() {
    for (number, game) in games().enumerate() {
        for engine in [Engine::AlphaBeta, Engine::NegaScout, Engine::Mtdf] {
            for (set_number, set) in SETS.into_iter().enumerate() {
                let mut options = exact_options(engine, set);
                options.set("poll=3").unwrap();
                options.table |= engine == Engine::Mtdf;
                let table = TranspositionTable::new(1, options.table_layout).unwrap();
                let value = true_value(&game, &game.initial(), 5, 0, meaning(set));
                let random = Random::new((number * 4 + set_number) as u64);
                let mut checker =
                    Checker { game: &game, meaning: meaning(set), checked: 0, narrow: Some((random, value)) };
                let mut search = Search::new(&game, &Guess, options).unwrap().with_table(&table);
                let result = search.run(&Root::new(&game, game.initial()), 5, &mut checker).unwrap();
                assert_eq!(result.bounds, Bounds::exact(value), "{engine} {set}");
            }
        }
    }
}

/// Narrows to a window that does not contain the value.
struct Closing(Window);

impl Monitor<RandomTree> for Closing {
    fn poll(&mut self, _: &Statistics) -> Control {
        Control::Narrow(self.0)
    }
}

#[test]
fn a_window_beside_the_value_ends_the_search_early() {
    let game = RandomTree::new(Shape { width: 6, height: 6, ordered: 100, ..Shape::default() });
    let value = true_value(&game, &game.initial(), 6, 0, "");
    let options = exact_options(Engine::AlphaBeta, "poll=20");
    let task = KernelInput {
        game: &game,
        evaluator: &Guess,
        options: &options,
        table: None,
        abort: None,
        busy: None,
    };
    let root = Root::new(&game, game.initial());
    let run = |monitor: &mut dyn FnMut() -> Option<Window>| {
        let mut work = Workspace::default();
        let window = monitor();
        let mut closing = Closing(window.unwrap_or(Window::FULL));
        let mut kernel = Kernel::new(task, &root, &mut work, &mut closing);
        let found = kernel.search(6, Window::FULL).unwrap();
        (found.bounds, kernel.statistics().nodes)
    };
    let (bounds, all) = run(&mut || None);
    assert_eq!(bounds, Bounds::exact(value));
    let (bounds, few) = run(&mut || Some(Window { alpha: -Value::INFINITE, beta: value - 5 }));
    assert!(bounds.contains(value) && bounds.lower >= value - 5 && few < all, "{bounds} {few} {all}");
    let (bounds, few) = run(&mut || Some(Window { alpha: value + 5, beta: Value::INFINITE }));
    assert!(bounds.contains(value) && bounds.upper <= value + 5 && few < all, "{bounds} {few} {all}");
}

#[test]
fn a_stopped_search_keeps_its_best_move() {
    let game = RandomTree::new(Shape { width: 5, height: 20, ..Shape::default() });
    let root = Root::new(&game, game.initial());
    for limit in [1, 10, 100, 1000, 10_000] {
        let options = Options::default().with("poll=1,tt-size=1").unwrap();
        let table = TranspositionTable::new(1, options.table_layout).unwrap();
        let mut search = Search::new(&game, &Guess, options).unwrap().with_table(&table);
        let result = search.run(&root, 20, &mut NodeLimit(limit)).unwrap();
        assert!(!result.finished && !result.pv.is_empty());
        assert!(result.statistics.nodes <= limit + 1);
        play(&game, &game.initial(), &result.pv).unwrap();
    }
    let abort = AtomicBool::new(false);
    let mut search = Search::new(&game, &Guess, Options::default()).unwrap().with_abort(&abort);
    abort.store(true, Ordering::Relaxed);
    let result = search.run(&root, 20, &mut ()).unwrap();
    assert!(!result.finished && result.pv.len() == 1);
}
