//! Every policy under many schedules: values are those of one thread, and solutions as short.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use multigame_game::{Game, Line, Random, playout};
use multigame_parallel::PolicyKind;
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{
    Bounds, Control, Iteration, Layout, Monitor, NodeLimit, Nothing, Options, Root, Search, SearchResult,
    Statistics, TranspositionTable, Value,
};

use super::baton::{Seat, pass, point, scheduled, scheduled_in_stretches};
use super::game::{Inside, Interleaved};
use super::maze::{Half, Maze};
use crate::{Crew, Tasks, stage};

/// The seeds to try, this many unless the environment says otherwise.
fn seeds(usual: u64) -> std::ops::Range<u64> {
    let number = |name: &str| -> Option<u64> {
        let text = std::env::var(name).ok()?;
        Some(text.parse().unwrap_or_else(|_| panic!("`{name}={text}` is not a number")))
    };
    let first = number("FIRST_SCHEDULE").unwrap_or(0);
    first..first + number("SCHEDULES").unwrap_or(usual)
}

fn small_table(random: &mut Random) -> TranspositionTable {
    let entries = [1 << 5, 1 << 8, 1 << 12][random.below(3)];
    TranspositionTable::with_entries(entries, Layout::Cluster).unwrap()
}

#[test]
fn two_writers_of_one_number_can_miss_each_other() {
    // A race as simple as can be: whoever reads before the other has written undoes what the other does.
    let run = |seed| {
        let number = std::sync::atomic::AtomicU64::new(0);
        let (_, fingerprint) = scheduled(seed, || {
            stage::scope(|scope| {
                for _ in 0..2 {
                    stage::spawn(scope, || {
                        let before = number.load(Ordering::Relaxed);
                        point();
                        number.store(before + 1, Ordering::Relaxed);
                    });
                }
            });
        });
        (number.into_inner(), fingerprint)
    };
    let runs: Vec<_> = (0..100).map(run).collect();
    assert!(runs.iter().any(|&(number, _)| number == 1), "some schedules show the race");
    assert!(runs.iter().any(|&(number, _)| number == 2), "and some do not");
    assert_eq!(runs, (0..100).map(run).collect::<Vec<_>>(), "a seed always decides in the same way");
}

#[test]
#[should_panic(expected = "every thread waits for another")]
fn a_deadlock_is_told() {
    scheduled(1, || {
        stage::scope(|scope| {
            stage::spawn(scope, || pass(Seat::Joins(vec![0])));
        });
    });
}

/// What a tree is worth, by one thread.
fn alone(game: &Interleaved<RandomTree>, options: &Options, depth: u32) -> Bounds {
    let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
    let search = Search::new(game, &Inside(Guess), options.clone()).unwrap();
    search.with_table(&table).run(&Root::new(game, game.initial()), depth, &mut ()).unwrap().bounds
}

/// Searches random trees under many schedules with those policies that are asked for.
fn searches_trees(usual: u64, asked: impl Fn(PolicyKind) -> bool) {
    const DEPTH: u32 = 4;
    let policies: Vec<_> = PolicyKind::ALL.iter().filter(|(_, policy, _)| asked(*policy)).collect();
    assert!(!policies.is_empty());
    for seed in seeds(usual) {
        let mut random = Random::new(seed);
        let positions = [0, 20, 60][random.below(3)];
        let shape = Shape { seed, width: 4, height: 6, noise: 60, positions, ..Shape::default() };
        let game = Interleaved(RandomTree::new(shape));
        let engine = ["", "engine=alphabeta", "engine=mtdf"][random.below(3)];
        let poll_interval = 1 + random.below(8) as u32;
        let options = Options { depth_exact: true, poll_interval, ..Options::default() };
        let options = options.with(engine).unwrap();
        let (value, root) = (alone(&game, &options, DEPTH), Root::new(&game, game.initial()));
        for (name, policy, _) in &policies {
            let threads = 2 + random.below(3) as u32;
            let Ok(crew) = Crew::new(&game, &Inside(Guess), options.clone(), threads, *policy) else {
                continue;
            };
            let table = small_table(&mut random);
            let mut crew = crew.with_table(&table);
            let stopped = (random.below(4) == 0).then(|| NodeLimit(random.below(400) as u64));
            let run = || {
                // Table entries of a stopped search must not mislead the next.
                stopped.map(|mut limit| crew.run(&root, DEPTH, &mut limit).unwrap());
                crew.run(&root, DEPTH, &mut ()).unwrap().0
            };
            let (result, _) = scheduled(seed, run);
            let told = format!("{name} on {threads} threads, {engine}, FIRST_SCHEDULE={seed}");
            assert!(result.finished && !result.pv.is_empty(), "{told}");
            assert_eq!(result.bounds, value, "{told}");
        }
    }
}

#[test]
fn workers_that_exchange_messages_find_the_value() {
    searches_trees(300, |policy| policy.messages().is_some() && policy.is_sound());
}

#[test]
fn threads_that_meet_in_the_table_find_the_value() {
    searches_trees(300, |policy| {
        matches!(policy, PolicyKind::LazySmp | PolicyKind::Abdada | PolicyKind::Aspiration)
    });
}

/// Stops after this many nodes, and checks what it is told before.
struct Witness<'t> {
    value: Value,
    nodes: u64,
    told: &'t str,
}

impl Monitor<Interleaved<Maze>> for Witness<'_> {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        if statistics.nodes >= self.nodes { Control::Stop } else { Control::Continue }
    }

    fn iteration(&mut self, iteration: &Iteration<'_, u16>) -> ControlFlow<()> {
        let (bounds, value, told) = (iteration.bounds, self.value, self.told);
        assert!(bounds.contains(value), "{bounds} is {value}: {told}");
        ControlFlow::Continue(())
    }
}

/// Solves mazes under many schedules, the same one several times with the same table.
fn solves_mazes(usual: u64, policy: &str) {
    for seed in seeds(usual) {
        let mut random = Random::new(seed ^ 0x6d61_7a65);
        let game = Interleaved(Maze::new(60 + random.below(60) as u16, 40 + random.below(60), seed));
        let threads = 2 + random.below(3) as u32;
        let options = Options::default().with("engine=idastar,tt-size=1").unwrap();
        let table = small_table(&mut Random::new(seed | 2));
        let crew = Crew::new(&game, &Inside(Half), options, threads, policy.parse().unwrap()).unwrap();
        let mut crew = crew.with_table(&table);
        for turn in 0..4 {
            let place = 1 + random.below(40) as u16;
            let (root, distance) = (Root::new(&game, place), game.0.distance(place));
            let (longest, nodes, value) =
                (random.below(60) as u32, random.below(600) as u64, Value::win_in(distance));
            let told = format!("{policy} on {threads} threads, FIRST_SCHEDULE={seed}, turn {turn}");
            let ((stopped, result), _) = scheduled(seed + turn, || {
                let stopped = crew.run(&root, longest, &mut Witness { value, nodes, told: &told }).unwrap().0;
                (
                    stopped,
                    crew.run(&root, 60, &mut Witness { value, nodes: u64::MAX, told: &told }).unwrap().0,
                )
            });
            assert!(stopped.bounds.contains(value), "{} is {value}: {told}", stopped.bounds);
            assert_eq!(result.bounds, Bounds::exact(value), "{told}");
            let end = result.pv.last().copied().unwrap_or(place);
            assert_eq!((result.pv.len() as u32, end), (distance, 0), "{told}");
        }
    }
}

#[test]
fn work_stealing_solves_as_shortly_as_one_thread() {
    solves_mazes(300, "stealing");
}

#[test]
fn transposition_driven_scheduling_solves_as_shortly_as_one_thread() {
    solves_mazes(300, "tds");
}

// When worker 0 told its own limit for the one that was proved, schedule 2 claimed 12 moves where 11 are
// enough.
#[test]
fn windows_solve_as_shortly_as_one_thread() {
    solves_mazes(300, "windows");
}

// When windows read each other's entries, schedule 35 told that 16 moves are needed where 15 are enough.
#[test]
fn limits_searched_at_the_same_time_do_not_mislead_each_other() {
    for seed in seeds(300) {
        let mut random = Random::new(seed);
        let game = Interleaved(Maze::new(60 + random.below(60) as u16, 40 + random.below(60), seed));
        let options = Options::default().with("engine=idastar").unwrap();
        for place in (1..42).step_by(5) {
            let table = small_table(&mut random);
            let threads = 2 + random.below(3) as u32;
            let crew = Crew::new(&game, &Inside(Half), options.clone(), threads, "windows".parse().unwrap());
            let (mut crew, root) = (crew.unwrap().with_table(&table), Root::new(&game, place));
            let value = Value::win_in(game.0.distance(place));
            let told = format!("from {place} on {threads} threads, FIRST_SCHEDULE={seed}");
            let mut witness = Witness { value, nodes: u64::MAX, told: &told };
            let ((result, _), _) = scheduled(seed, || crew.run(&root, 60, &mut witness).unwrap());
            assert_eq!(result.bounds, Bounds::exact(value), "{told}");
        }
    }
}

// When searches read the entries of earlier ones, seed 230 took 11 moves for shortest where 10 are enough.
#[test]
fn one_thread_solves_mazes_whatever_it_solved_before() {
    for seed in seeds(300) {
        let (maze, mut random) = (Maze::new(60, 70, seed), Random::new(seed));
        let options = Options::default().with("engine=idastar").unwrap();
        let table = small_table(&mut random);
        let mut search = Search::new(&maze, &Half, options).unwrap().with_table(&table);
        for _ in 0..20 {
            let place = random.below(60) as u16;
            let (root, value) = (Root::new(&maze, place), Value::win_in(maze.distance(place)));
            let limit = random.below(300) as u64;
            let stopped = search.run(&root, 60, &mut NodeLimit(limit)).unwrap().bounds;
            assert!(stopped.contains(value), "{stopped} is {value}, seed {seed}");
            assert_eq!(search.run(&root, 60, &mut ()).unwrap().bounds, Bounds::exact(value), "seed {seed}");
        }
    }
}

#[test]
fn verdicts_are_those_of_one_thread() {
    let game = Interleaved(multigame_reference::ConnectFour::new());
    let options = Options::default().with("engine=verdict,etc=on,symmetry=off,tt-size=1").unwrap();
    let options = Options { poll_interval: 8, ..options };
    let mut helped = 0;
    for seed in seeds(40) {
        let mut random = Random::new(seed);
        let mut line = Line::new(&game, game.initial());
        playout(&mut line, 22, &mut random).unwrap();
        let (root, threads) = (Root::of_line(&line), 2 + random.below(3) as u32);
        let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
        let search = Search::new(&game, &Nothing, options.clone()).unwrap();
        let expected: SearchResult<_> = search.with_table(&table).run(&root, 0, &mut ()).unwrap();
        let table =
            TranspositionTable::with_entries([1 << 8, 1 << 14][random.below(2)], Layout::Cluster).unwrap();
        let crew = Crew::new(&game, &Nothing, options.clone(), threads, PolicyKind::default()).unwrap();
        let run = || crew.with_table(&table).run(&root, 0, &mut ()).unwrap();
        // Threads tell each other only of what takes thousands of nodes.
        let ((result, report), _) = scheduled_in_stretches(256, seed, run);
        assert_eq!(result.bounds, expected.bounds, "{threads} threads, FIRST_SCHEDULE={seed}");
        assert!(result.finished);
        helped += u64::from(report.hands[0].statistics.nodes < expected.statistics.nodes * 9 / 10);
    }
    assert!(helped > 0, "others save work");
}

/// Positions of connect-4 with few free fields, in which two threads prove the same as one.
fn proves_connect_four(engine: &str, usual: u64, root_plies: u32, stretch: usize) {
    let game = Interleaved(multigame_reference::ConnectFour::new());
    let mut helped = 0;
    for seed in seeds(usual) {
        let mut random = Random::new(seed ^ 0x70_6e);
        let mut line = Line::new(&game, game.initial());
        playout(&mut line, root_plies, &mut random).unwrap();
        let (root, threads) = (Root::of_line(&line), 2 + random.below(3) as u32);
        let nodes = [200, 5000, 1 << 20][random.below(3)];
        let text = format!("engine={engine},tree-nodes={nodes},poll={}", 1 + random.below(8));
        let options = Options::default().with(&text).unwrap();
        let exact = Options { tree_nodes: 1 << 20, ..options.clone() };
        let expected = Search::new(&game, &Nothing, exact).unwrap().run(&root, 0, &mut ()).unwrap();
        assert!(expected.finished);
        let crew = Crew::new(&game, &Nothing, options.clone(), threads, PolicyKind::default());
        let mut crew = crew.unwrap();
        let limit = (random.below(3) == 0).then(|| NodeLimit(random.below(2000) as u64));
        let run = || {
            let stopped = limit.map(|mut limit| crew.run(&root, 0, &mut limit).unwrap().0);
            (stopped, crew.run(&root, 0, &mut ()).unwrap())
        };
        let ((stopped, (result, report)), _) = scheduled_in_stretches(stretch, seed, run);
        let told = format!("{engine} on {threads} threads, FIRST_SCHEDULE={seed}");
        for result in stopped.iter().chain([&result]) {
            let proved = result.proved.bounds();
            let both = proved.and(expected.proved.bounds());
            assert!(both.lower <= both.upper, "{proved} but {}: {told}", expected.bounds);
        }
        // A tree that is full ends Monte-Carlo search; a table that is full only costs df-pn time.
        if engine == "dfpn" || nodes == 1 << 20 {
            assert_eq!((result.bounds, result.finished), (expected.bounds, true), "{told}");
        }
        assert_eq!(report.hands.len(), threads as usize);
        helped += u64::from(report.hands[0].statistics.nodes < expected.statistics.nodes * 9 / 10);
    }
    assert!(helped > 0, "others save work");
}

#[test]
fn proof_numbers_that_are_shared_prove_the_same() {
    proves_connect_four("dfpn", 60, 24, 64);
}

#[test]
fn a_tree_that_is_shared_proves_the_same() {
    proves_connect_four("mcts", 60, 31, 8);
}

#[test]
fn owners_of_positions_solve_as_shortly_as_one_thread() {
    let mut shared = 0;
    for seed in seeds(300) {
        let mut random = Random::new(seed ^ 0x61_2a);
        let game = Interleaved(Maze::new(60 + random.below(60) as u16, 40 + random.below(60), seed));
        let threads = 2 + random.below(3) as u32;
        let options = Options::default().with("engine=astar").unwrap();
        let mut crew = Crew::new(&game, &Inside(Half), options, threads, PolicyKind::default()).unwrap();
        let place = 1 + random.below(40) as u16;
        let (root, distance) = (Root::new(&game, place), game.0.distance(place));
        let (longest, nodes) = (random.below(60) as u32, random.below(100) as u64);
        let told = format!("from {place} on {threads} threads, FIRST_SCHEDULE={seed}");
        let ((stopped, short, (result, report)), _) = scheduled(seed, || {
            let stopped = crew.run(&root, 60, &mut NodeLimit(nodes)).unwrap().0;
            let short = crew.run(&root, longest, &mut ()).unwrap().0;
            (stopped, short, crew.run(&root, 60, &mut ()).unwrap())
        });
        let value = Value::win_in(distance);
        assert!(stopped.proved.bounds().contains(value), "{} is {value}: {told}", stopped.bounds);
        assert!(
            short.finished && short.proved.bounds().contains(value),
            "{} of {longest}: {told}",
            short.bounds
        );
        assert_eq!(short.bounds == Bounds::exact(value), longest >= distance, "{longest}: {told}");
        assert_eq!(result.proved.bounds(), Bounds::exact(value), "{told}");
        assert_eq!((result.pv.len() as u32, result.pv.last()), (distance, Some(&0)), "{told}");
        shared += u64::from(report.hands.iter().filter(|hand| hand.statistics.nodes > 0).count() > 1);
    }
    assert!(shared > 0, "several threads expand positions");
}

#[test]
fn owners_of_few_positions_end_when_memory_is_full() {
    for seed in seeds(100) {
        let game = Interleaved(Maze::new(90, 80, seed));
        let options = Options::default().with("engine=astar,tree-nodes=12").unwrap();
        let mut crew = Crew::new(&game, &Inside(Half), options, 3, PolicyKind::default()).unwrap();
        let root = Root::new(&game, 30);
        let ((result, _), _) = scheduled(seed, || crew.run(&root, 60, &mut ()).unwrap());
        let value = Value::win_in(game.0.distance(30));
        assert!(!result.finished && result.proved.bounds().contains(value), "FIRST_SCHEDULE={seed}");
    }
}

#[test]
fn leaves_are_counted_once() {
    let game = Interleaved(multigame_reference::Othello::new());
    let count = multigame_game::perft(&game, &game.initial(), 3).unwrap();
    for seed in seeds(100) {
        let (counted, _) = scheduled(seed, || crate::perft(&game, &game.initial(), 3, 3).unwrap());
        assert_eq!(counted, count, "FIRST_SCHEDULE={seed}");
    }
}

/// What became of tasks: numbers as they were begun and as they were reported, and how it ended.
struct Worked {
    begun: Vec<usize>,
    reported: Vec<usize>,
    result: anyhow::Result<()>,
    stopped: bool,
}

/// Does 30 tasks under a schedule. Every fifth has no result; `event` is told of each task when it is begun, and
/// of each report as a number beyond the tasks.
fn work_off(seed: u64, event: &(dyn Fn(usize, &AtomicBool) -> anyhow::Result<()> + Sync)) -> Worked {
    let (stop, begun, mut reported) = (AtomicBool::new(false), Mutex::new(Vec::new()), Vec::new());
    let work = |made: &mut usize, number: usize| {
        begun.lock().unwrap().push(number);
        event(number, &stop)?;
        (0..number % 4).for_each(|_| point());
        *made += 1;
        Ok((number % 5 != 3).then_some(number * 2))
    };
    let threads = 1 + seed as usize % 4;
    let tasks = Tasks { threads, stop: &stop, worker: &|| Ok(0), work: &work };
    let mut report = |number: usize, double: usize| {
        assert_eq!(double, 2 * number);
        reported.push(number);
        event(TASKS + number, &stop)
    };
    let (result, _) = scheduled(seed, || tasks.run(0..TASKS, &mut report));
    Worked { begun: begun.into_inner().unwrap(), reported, result, stopped: stop.into_inner() }
}

const TASKS: usize = 30;

#[test]
fn each_task_is_done_and_reported_once() {
    for seed in seeds(300) {
        let Worked { mut begun, mut reported, result, stopped } = work_off(seed, &|_, _| Ok(()));
        assert!(result.is_ok() && !stopped, "FIRST_SCHEDULE={seed}");
        begun.sort_unstable();
        reported.sort_unstable();
        assert_eq!(begun, (0..TASKS).collect::<Vec<_>>(), "FIRST_SCHEDULE={seed}");
        begun.retain(|number| number % 5 != 3);
        assert_eq!(reported, begun, "FIRST_SCHEDULE={seed}");
    }
}

/// Somebody else does tasks beside the threads: each is still done once.
#[test]
fn tasks_are_shared_with_somebody_elsewhere() {
    let mut shared = 0;
    for seed in seeds(300) {
        let (stop, next, mut reported) = (AtomicBool::new(false), Mutex::new(0..TASKS), Vec::new());
        let next = || {
            point();
            next.lock().unwrap().next()
        };
        let elsewhere = |done: &mut dyn FnMut(usize, bool)| {
            while let Some(number) = next() {
                anyhow::ensure!(seed % 3 > 0 || number != 20, "20 is broken");
                done(number, true);
            }
            Ok(())
        };
        let work = |(): &mut (), number| Ok((number < TASKS).then_some(false));
        let tasks = Tasks { threads: 1 + seed as usize % 3, stop: &stop, worker: &|| Ok(()), work: &work };
        let mut report = |number, elsewhere| {
            reported.push(number);
            shared += usize::from(elsewhere);
            Ok(())
        };
        let (result, _) = scheduled(seed, || tasks.run_with(&next, Some(&elsewhere), &mut report));
        reported.sort_unstable();
        match result {
            Ok(()) => assert_eq!(reported, (0..TASKS).collect::<Vec<_>>(), "FIRST_SCHEDULE={seed}"),
            Err(error) => {
                assert_eq!(error.to_string(), "20 is broken");
                assert!(seed % 3 == 0 && stop.into_inner() && !reported.contains(&20));
            }
        }
    }
    assert!(shared > TASKS, "{shared}");
}

#[test]
fn after_a_stop_no_task_is_begun_and_what_was_done_is_reported() {
    let mut met = 0;
    for seed in seeds(300) {
        let last = 5 + seed as usize % 20;
        let Worked { begun, mut reported, result, .. } = work_off(seed, &|number, stop| {
            stop.fetch_or(number == last, Ordering::Relaxed);
            Ok(())
        });
        assert!(result.is_ok(), "FIRST_SCHEDULE={seed}");
        let after = begun.len() - 1 - begun.iter().position(|&number| number == last).unwrap();
        assert!(after < 4, "each of the others is at one task at most: FIRST_SCHEDULE={seed}");
        met += usize::from(reported.last() != Some(&last));
        let mut done: Vec<usize> = begun.into_iter().filter(|number| number % 5 != 3).collect();
        done.sort_unstable();
        reported.sort_unstable();
        assert_eq!(reported, done, "FIRST_SCHEDULE={seed}");
    }
    assert!(met > 0, "some were at work meanwhile");
}

#[test]
fn the_first_error_ends_all_tasks_and_nothing_is_reported_after_it() {
    for seed in seeds(300) {
        // A task that fails, or a report.
        let broken = [7, TASKS + 7][seed as usize % 2];
        let Worked { begun, reported, result, stopped } = work_off(seed, &|number, _| {
            anyhow::ensure!(number != broken, "{number} is broken");
            Ok(())
        });
        let told = result.unwrap_err().to_string();
        assert_eq!(told, format!("{broken} is broken"), "FIRST_SCHEDULE={seed}");
        assert!(stopped && begun.len() <= TASKS);
        if broken >= TASKS {
            assert_eq!(reported.last(), Some(&7), "nothing is reported after it: FIRST_SCHEDULE={seed}");
        } else {
            assert!(!reported.contains(&7), "FIRST_SCHEDULE={seed}");
        }
    }
}

#[test]
fn the_same_seed_is_the_same_search_of_shared_proofs_and_trees() {
    let game = Interleaved(multigame_reference::ConnectFour::new());
    let mut line = Line::new(&game, game.initial());
    playout(&mut line, 30, &mut Random::new(5)).unwrap();
    let root = Root::of_line(&line);
    for engine in ["engine=dfpn", "engine=mcts"] {
        let run = |seed| {
            let options = Options::default().with(engine).unwrap();
            let mut crew = Crew::new(&game, &Nothing, options, 3, PolicyKind::default()).unwrap();
            scheduled(seed, || crew.run(&root, 0, &mut NodeLimit(300)).unwrap().0.statistics)
        };
        let runs: Vec<_> = (0..10).map(run).collect();
        assert!(runs.windows(2).any(|pair| pair[0] != pair[1]), "{engine}: seeds differ");
        (0..10).zip(&runs).for_each(|(seed, first)| assert_eq!(run(seed), *first, "{engine}"));
    }
}

#[test]
fn the_same_seed_is_the_same_search() {
    for (number, policy) in ["ybwc-1-2*", "abdada", "aspiration"].into_iter().enumerate() {
        let game = Interleaved(RandomTree::new(Shape { height: 6, positions: 40, ..Shape::default() }));
        let run = |seed| {
            let table = TranspositionTable::with_entries(256, Layout::Cluster).unwrap();
            let crew = Crew::new(&game, &Inside(Guess), Options::default(), 3, policy.parse().unwrap());
            let mut crew = crew.unwrap().with_table(&table);
            let root = Root::new(&game, game.initial());
            scheduled(seed, || crew.run(&root, 5, &mut ()).unwrap().0.statistics)
        };
        let runs: Vec<_> = (0..20).map(|seed| run(seed + number as u64)).collect();
        assert!(runs.windows(2).any(|pair| pair[0] != pair[1]), "{policy}: seeds differ");
        for (seed, first) in runs.iter().enumerate() {
            assert_eq!(run((seed + number) as u64), *first, "{policy}");
        }
    }
}

#[test]
fn a_flag_stops_all_threads_at_any_time() {
    for seed in seeds(100) {
        let game = Interleaved(Maze::new(90, 80, seed));
        for policy in ["stealing", "tds", "windows"] {
            let stop = AtomicBool::new(true);
            let options = Options::default().with("engine=idastar,tt-size=1").unwrap();
            let crew = Crew::new(&game, &Inside(Half), options, 3, policy.parse().unwrap()).unwrap();
            let mut crew = crew.with_abort(&stop);
            let ((result, _), _) = scheduled(seed, || crew.run(&Root::new(&game, 30), 60, &mut ()).unwrap());
            let value = Value::win_in(game.0.distance(30));
            assert!(result.bounds.contains(value), "{policy}, FIRST_SCHEDULE={seed}");
        }
    }
}
