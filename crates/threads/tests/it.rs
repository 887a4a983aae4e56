//! Threads give the values of sequential searches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use multigame_game::Game;
use multigame_parallel::PolicyKind;
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{
    Control, Layout, Monitor, NodeLimit, Options, Root, Search, Statistics, TranspositionTable,
};
use multigame_threads::Crew;

fn exact(text: &str) -> Options {
    Options { depth_exact: true, ..Options::default() }.with(text).unwrap()
}

#[test]
fn every_policy_gives_the_sequential_value() {
    for seed in 0..3 {
        let positions = if seed == 1 { 300 } else { 0 };
        let game =
            RandomTree::new(Shape { seed, width: 7, height: 9, noise: 60, positions, ..Shape::default() });
        let root = Root::new(&game, game.initial());
        for engine in ["", "engine=alphabeta", "engine=mtdf"] {
            let options = exact(engine);
            let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
            let alone = Search::new(&game, &Guess, options.clone()).unwrap().with_table(&table);
            let alone = { alone }.run(&root, 6, &mut ()).unwrap();
            for (name, policy, _) in PolicyKind::ALL {
                if !policy.is_sound() {
                    continue;
                }
                for threads in [1, 2, 4] {
                    let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
                    let Ok(crew) = Crew::new(&game, &Guess, options.clone(), threads, policy) else {
                        continue;
                    };
                    let (result, report) = crew.with_table(&table).run(&root, 6, &mut ()).unwrap();
                    assert_eq!(
                        result.bounds, alone.bounds,
                        "{name}, {threads} threads, {engine}, seed {seed}"
                    );
                    assert!(result.finished && !result.pv.is_empty());
                    assert_eq!(report.hands.len(), threads as usize);
                    let nodes: u64 = report.hands.iter().map(|hand| hand.statistics.nodes).sum();
                    assert_eq!(nodes, result.statistics.nodes);
                    if threads == 1 && policy == PolicyKind::default() {
                        assert_eq!(result.statistics, alone.statistics, "one thread does what none does");
                    }
                }
            }
        }
    }
}

#[test]
fn a_flag_stops_all_threads_at_once() {
    let game = RandomTree::new(Shape { width: 30, height: 40, ..Shape::default() });
    let root = Root::new(&game, game.initial());
    for policy in ["ybwc-1-2*", "lazy-smp"] {
        let stop = AtomicBool::new(false);
        let crew = Crew::new(&game, &Guess, Options::default(), 3, policy.parse().unwrap()).unwrap();
        let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
        let mut crew = crew.with_abort(&stop).with_table(&table);
        std::thread::scope(|scope| {
            let stop = &stop;
            let told = scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(200));
                stop.store(true, Ordering::Relaxed);
                Instant::now()
            });
            let (result, _) = crew.run(&root, 30, &mut ()).unwrap();
            let late = told.join().unwrap().elapsed();
            assert!(!result.finished && !result.pv.is_empty() && result.depth > 0);
            // Generous: the machine may be busy with other things.
            assert!(late < Duration::from_secs(2), "{policy}: {late:?}");
        });
    }
}

#[test]
fn limits_count_the_nodes_of_all_threads() {
    let game = RandomTree::new(Shape { width: 30, height: 40, ..Shape::default() });
    let root = Root::new(&game, game.initial());
    for policy in ["ybwc", "lazy-smp"] {
        let mut crew = Crew::new(&game, &Guess, Options::default(), 2, policy.parse().unwrap()).unwrap();
        let (result, _) = crew.run(&root, 30, &mut NodeLimit(200_000)).unwrap();
        assert!(result.statistics.nodes >= 199_000, "{}", result.statistics.nodes);
    }
}

#[test]
fn iterations_are_reported_and_can_be_the_last() {
    struct Two(Vec<u32>);
    impl<G: Game> Monitor<G> for Two {
        fn iteration(
            &mut self,
            iteration: &multigame_search::Iteration<'_, G::Move>,
        ) -> std::ops::ControlFlow<()> {
            self.0.push(iteration.depth);
            if iteration.depth == 2 {
                std::ops::ControlFlow::Break(())
            } else {
                std::ops::ControlFlow::Continue(())
            }
        }
        fn poll(&mut self, _statistics: &Statistics) -> Control {
            Control::Continue
        }
    }
    let game = RandomTree::new(Shape { width: 8, height: 12, ..Shape::default() });
    let root = Root::new(&game, game.initial());
    let mut crew = Crew::new(&game, &Guess, Options::default(), 2, PolicyKind::default()).unwrap();
    let mut two = Two(Vec::new());
    let (result, _) = crew.run(&root, 8, &mut two).unwrap();
    assert_eq!((two.0, result.depth), (vec![1, 2], 2));
}

#[test]
fn impossible_combinations_are_refused() {
    let game = RandomTree::new(Shape::default());
    let error = |text: &str, threads, policy: &str| {
        let options = Options::default().with(text).unwrap();
        Crew::new(&game, &Guess, options, threads, policy.parse().unwrap()).unwrap_err().to_string()
    };
    assert!(error("", 0, "ybwc").contains("1 to"));
    assert!(error("engine=mcts", 2, "ybwc").contains("one thread"));
    assert!(error("tt=off", 2, "lazy-smp").contains("tt=on"));
    assert!(error("lines=2", 2, "ybwc").contains("lines=1"));
}

#[path = "../../simulator/tests/support/fifteen.rs"]
mod fifteen;

#[test]
fn puzzles_are_solved_as_shortly_as_by_one_thread() {
    use fifteen::{Manhattan, shuffled};
    let game = multigame_reference::Fifteen::new();
    let mut random = multigame_game::Random::new(2);
    for _ in 0..6 {
        let root = Root::new(&game, shuffled(&game, 80, &mut random));
        let options = Options::default().with("engine=idastar,tt-size=1").unwrap();
        let alone = Search::new(&game, &Manhattan, options.clone()).unwrap().run(&root, 60, &mut ()).unwrap();
        for policy in ["stealing", "tds"] {
            for threads in [2, 3] {
                let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
                let crew = Crew::new(&game, &Manhattan, options.clone(), threads, policy.parse().unwrap());
                let mut crew = crew.unwrap().with_table(&table);
                // Twice with the same table: what one search marked must not mislead the next.
                for _ in 0..2 {
                    let (result, _) = crew.run(&root, 60, &mut ()).unwrap();
                    assert_eq!(result.bounds, alone.bounds, "{policy} on {threads} threads");
                    assert_eq!(result.pv.len(), alone.pv.len());
                }
            }
        }
    }
}
