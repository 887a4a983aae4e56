//! Threads give the values of sequential searches.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use multigame_game::Game;
use multigame_parallel::{Mail, Parcel, PolicyKind, Progress, Status, Worker, WorkerId};
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{
    Control, Iteration, Layout, Monitor, NodeLimit, Options, Proofs, Root, Search, Statistics,
    TranspositionTable,
};
use multigame_threads::{Alone, Crew, Listener, Team, Watcher, divide, perft, run_team};

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

/// The shortest of some tries: the machine may be busy with other things, but not all the time.
fn shortest(tries: u32, mut once: impl FnMut() -> Duration) -> Duration {
    (0..tries).map(|_| once()).min().unwrap()
}

#[test]
fn a_flag_stops_all_threads_within_a_tenth_of_a_second() {
    let game = RandomTree::new(Shape { width: 30, height: 40, ..Shape::default() });
    let root = Root::new(&game, game.initial());
    for (policy, threads) in [("ybwc-1-2*", 3), ("jamboree", 8), ("lazy-smp", 3), ("aspiration", 3)] {
        let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
        let late = shortest(5, || {
            let stop = AtomicBool::new(false);
            let crew =
                Crew::new(&game, &Guess, Options::default(), threads, policy.parse().unwrap()).unwrap();
            let mut crew = crew.with_abort(&stop).with_table(&table);
            std::thread::scope(|scope| {
                let stop = &stop;
                let told = scope.spawn(move || {
                    std::thread::sleep(Duration::from_millis(100));
                    stop.store(true, Ordering::Relaxed);
                    Instant::now()
                });
                let (result, _) = crew.run(&root, 30, &mut ()).unwrap();
                assert!(!result.finished && !result.pv.is_empty() && result.depth > 0);
                told.join().unwrap().elapsed()
            })
        });
        assert!(late < Duration::from_millis(100), "{policy}: {late:?}");
    }
}

#[test]
fn perft_is_the_same_on_any_number_of_threads() {
    fn check<G: Game>(game: &G, depth: u32) {
        let position = game.initial();
        let (count, parts) = (
            multigame_game::perft(game, &position, depth).unwrap(),
            multigame_game::divide(game, &position, depth).unwrap(),
        );
        for threads in [1, 2, 5] {
            assert_eq!(perft(game, &position, depth, threads).unwrap(), count, "{threads} threads");
            assert_eq!(divide(game, &position, depth, threads).unwrap(), parts, "{threads} threads");
        }
        for depth in 0..2 {
            let alone = multigame_game::perft(game, &position, depth).unwrap();
            assert_eq!(perft(game, &position, depth, 2).unwrap(), alone);
        }
    }
    check(&multigame_reference::Othello::new(), 6);
    check(&multigame_reference::Chess::new(), 3);
    // Narrow: the parts begin deeper in the tree.
    check(&multigame_reference::Fifteen::new(), 12);
    // Where repetition is forbidden, the way to a position decides which moves there are.
    struct Check;
    impl multigame_loader::WithGame for Check {
        type Output = ();
        fn run<G: Game>(self, game: G) {
            assert_eq!(game.description().repetition, multigame_game::Repetition::Forbidden);
            check(&game, 2);
        }
    }
    let go = multigame_loader::compile(&multigame_loader::source("go-9x9").unwrap(), &[]).program.unwrap();
    multigame_loader::Playable::new(go, multigame_loader::Backend::Interp).0.run(Check);
}

#[test]
fn a_trace_tells_when_each_thread_worked() {
    let game = RandomTree::new(Shape { width: 12, height: 12, ..Shape::default() });
    let root = Root::new(&game, game.initial());
    for policy in ["ybwc-1-2*", "lazy-smp", "aspiration"] {
        let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
        let run = |trace| {
            let crew = Crew::new(&game, &Guess, Options::default(), 2, policy.parse().unwrap()).unwrap();
            crew.with_table(&table).with_trace(trace).run(&root, 7, &mut ()).unwrap().1
        };
        assert_eq!(run(false).spans, [], "only if it is asked for");
        let report = run(true);
        for thread in 0..2 {
            let spans: Vec<_> = report.spans.iter().filter(|span| span.processor == thread).collect();
            assert!(!spans.is_empty(), "{policy}: thread {thread} worked");
            assert!(spans.iter().all(|span| span.from <= span.to));
            assert!(spans.windows(2).all(|pair| pair[0].to <= pair[1].from), "one after the other");
            assert!(spans.iter().all(|span| u128::from(span.to) <= report.time.as_nanos()));
        }
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

/// Asks to be shown what is known, as somebody does who keeps it.
struct Curious(u32);

impl<G: Game> Monitor<G> for Curious {
    fn poll(&mut self, _statistics: &Statistics) -> Control {
        Control::Show
    }

    fn known(&mut self, proofs: &Proofs) {
        self.0 += u32::from(proofs.words().0 > 1);
    }
}

#[test]
fn what_threads_have_proved_so_far_can_be_kept() {
    let game = RandomTree::new(Shape { width: 6, height: 8, positions: 400, ..Shape::default() });
    let options = Options::default().with("engine=dfpn,poll=16").unwrap();
    let root = Root::new(&game, game.initial());
    let (mut curious, proofs) = (Curious(0), Proofs::new(1 << 16));
    let crew = Crew::new(&game, &Guess, options, 2, PolicyKind::default()).unwrap();
    let mut crew = crew.with_proofs(&proofs);
    let (result, report) = crew.run(&root, 0, &mut curious).unwrap();
    assert!(result.finished && curious.0 > 0 && report.policy.is_none());
    // Whoever goes on has nothing left to do.
    let (again, _) = crew.run(&root, 0, &mut ()).unwrap();
    assert_eq!(again.bounds, result.bounds);
    assert!(again.statistics.nodes <= 8, "{}", again.statistics.nodes);
}

#[test]
fn impossible_combinations_are_refused() {
    let game = RandomTree::new(Shape::default());
    let error = |text: &str, threads, policy: &str| {
        let options = Options::default().with(text).unwrap();
        Crew::new(&game, &Guess, options, threads, policy.parse().unwrap()).unwrap_err().to_string()
    };
    assert!(error("", 0, "ybwc").contains("1 to"));
    assert!(error("engine=negamax", 2, "ybwc").contains("one thread"));
    assert!(error("tt=off", 2, "lazy-smp").contains("tt=on"));
    assert!(error("lines=2", 2, "ybwc").contains("lines=1"));
}

#[path = "../../simulator/tests/support/fifteen.rs"]
mod fifteen;

#[test]
fn one_thread_of_a_crew_solves_puzzles_exactly_like_a_search() {
    use fifteen::{Manhattan, shuffled};
    let game = multigame_reference::Fifteen::new();
    let mut random = multigame_game::Random::new(3);
    for _ in 0..6 {
        let root = Root::new(&game, shuffled(&game, 80, &mut random));
        let options = Options::default().with("engine=idastar").unwrap();
        let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
        let search = Search::new(&game, &Manhattan, options.clone()).unwrap();
        let alone = search.with_table(&table).run(&root, 60, &mut ()).unwrap();
        table.clear();
        let crew = Crew::new(&game, &Manhattan, options.clone(), 1, "stealing".parse().unwrap()).unwrap();
        let (result, _) = crew.with_table(&table).run(&root, 60, &mut ()).unwrap();
        assert_eq!((result.statistics, result.pv), (alone.statistics, alone.pv));
        // Who wants only one limit gets no other.
        table.clear();
        let search = Search::new(&game, &Manhattan, options.clone()).unwrap();
        let alone = search.with_table(&table).run(&root, 60, &mut Once).unwrap();
        table.clear();
        let crew = Crew::new(&game, &Manhattan, options, 1, "stealing".parse().unwrap()).unwrap();
        let (result, _) = crew.with_table(&table).run(&root, 60, &mut Once).unwrap();
        assert_eq!(result.statistics, alone.statistics);
    }
}

/// Ends after the first iteration.
struct Once;

impl<G: Game> Monitor<G> for Once {
    fn iteration(&mut self, _iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// Ends after an iteration that was large enough to be shared.
struct Enough;

impl<G: Game> Monitor<G> for Enough {
    fn iteration(&mut self, iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        if iteration.statistics.nodes > 200_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn two_threads_share_the_work_on_a_puzzle() {
    use fifteen::{Manhattan, shuffled};
    let game = multigame_reference::Fifteen::new();
    let root = Root::new(&game, shuffled(&game, 500, &mut multigame_game::Random::new(1)));
    let options = Options::default().with("engine=idastar").unwrap();
    let table = TranspositionTable::new(16, Layout::Cluster).unwrap();
    // Up to a length without solution, so that everybody has to search everything.
    let search = Search::new(&game, &Manhattan, options.clone()).unwrap();
    let alone = search.with_table(&table).run(&root, 80, &mut Enough).unwrap();
    let (depth, alone) = (alone.depth - 1, alone.statistics.nodes);
    table.clear();
    let crew = Crew::new(&game, &Manhattan, options, 2, "stealing".parse().unwrap()).unwrap();
    let (result, report) = crew.with_table(&table).run(&root, depth, &mut ()).unwrap();
    let nodes = result.statistics.nodes;
    assert!(nodes < alone + alone / 5, "{nodes} instead of {alone}");
    for hand in &report.hands {
        assert!(hand.statistics.nodes > nodes / 50, "{} of {nodes}", hand.statistics.nodes);
    }
}

#[test]
fn puzzles_are_solved_as_shortly_as_by_one_thread() {
    use fifteen::{Manhattan, shuffled};
    let game = multigame_reference::Fifteen::new();
    let mut random = multigame_game::Random::new(2);
    for _ in 0..6 {
        let root = Root::new(&game, shuffled(&game, 80, &mut random));
        let options = Options::default().with("engine=idastar,tt-size=1").unwrap();
        let alone = Search::new(&game, &Manhattan, options.clone()).unwrap().run(&root, 60, &mut ()).unwrap();
        for policy in ["stealing", "tds", "windows"] {
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

#[test]
fn verdicts_are_those_of_one_thread_and_so_are_their_moves() {
    use multigame_game::{Line, Random, playout};
    use multigame_search::{Bounds, Nothing, SearchResult, Value};
    let game = multigame_reference::ConnectFour::new();
    let options = Options::default().with("engine=verdict,etc=on,symmetry=off,tt-size=4").unwrap();
    let new_table = || TranspositionTable::new(4, Layout::Cluster).unwrap();
    let alone = |line: &Line<'_, _>| -> SearchResult<_> {
        let (root, table) = (Root::of_line(line), new_table());
        let search = Search::new(&game, &Nothing, options.clone()).unwrap();
        search.with_table(&table).run(&root, 0, &mut ()).unwrap()
    };
    let class =
        |bounds: Bounds| i32::from(bounds.lower > Value::DRAW) - i32::from(bounds.upper < Value::DRAW);
    const LARGE: usize = 1 << 18;
    // Positions in all searches with a large table: those of the first thread, and those of one thread alone.
    let (mut first, mut one_thread) = (0, 0);
    let mut random = Random::new(3);
    for number in 0..10 {
        let mut line = Line::new(&game, game.initial());
        playout(&mut line, 18, &mut random).unwrap();
        let expected = alone(&line);
        // With a small table, answers of others are gone before somebody reads them.
        for (threads, entries) in [(2, LARGE), (4, LARGE), (4, 1 << 8)] {
            let table = TranspositionTable::with_entries(entries, Layout::Cluster).unwrap();
            let crew = Crew::new(&game, &Nothing, options.clone(), threads, PolicyKind::default()).unwrap();
            let (result, report) = crew.with_table(&table).run(&Root::of_line(&line), 0, &mut ()).unwrap();
            assert_eq!(result.bounds, expected.bounds, "position {number} on {threads} threads");
            assert!(result.finished);
            let nodes = |hand: &multigame_threads::HandReport| hand.statistics.nodes;
            if entries == LARGE {
                first += nodes(&report.hands[0]);
                one_thread += expected.statistics.nodes;
            }
            if let Some(best) = result.pv.first() {
                let mut after = line.clone();
                after.play(best);
                let reached = class(alone(&after).bounds);
                assert_eq!(reached, -class(result.bounds), "position {number}: what the move promises");
            }
        }
    }
    assert!(first < one_thread * 9 / 10, "others save work: {first} of {one_thread}");
    let refused = |text: &str, policy: &str| {
        let options = Options::default().with(text).unwrap();
        Crew::new(&game, &Nothing, options, 2, policy.parse().unwrap()).map(|_| ()).unwrap_err().to_string()
    };
    assert!(refused("engine=verdict", "jamboree").contains("use `abdada`"));
    assert!(refused("engine=verdict,tt=off", "abdada").contains("`tt=on`"));
}

/// One of several workers, which wait for each other for ever; one fails.
struct Faulty {
    fails: bool,
}

struct Never;

impl Parcel for Never {
    const KINDS: &'static [&'static str] = &["never"];

    fn bytes(&self) -> u32 {
        0
    }

    fn kind(&self) -> usize {
        0
    }
}

impl Worker for Faulty {
    type Message = Never;

    fn handle(&mut self, _: WorkerId, _: Never, _: &mut dyn Mail<Never>) {}

    fn work(&mut self, _: u64, _: &mut dyn Mail<Never>) -> Progress {
        assert!(!self.fails, "this worker fails");
        Progress { cost: 1, status: Status::Waiting }
    }
}

struct Deaf;

impl Watcher<Faulty> for Deaf {
    fn beat(&mut self, _: Option<u64>) {}

    fn worked(&mut self, _: &mut Faulty) {}
}

impl Listener for Deaf {
    fn visited(&self, _: WorkerId, _: u64) {}
}

#[test]
fn nobody_waits_for_a_worker_that_has_failed() {
    for faulty in 0..3 {
        let (send, ended) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let workers = (0..3).map(|number| Faulty { fails: number == faulty }).collect();
            let run = || run_team(Team::alone(3), workers, Alone, &mut Deaf, &Deaf, None).is_ok();
            send.send(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err()).unwrap();
        });
        let ended = ended.recv_timeout(Duration::from_secs(20));
        assert_eq!(ended, Ok(true), "the others wait for worker {faulty}, or it did not fail");
    }
}
