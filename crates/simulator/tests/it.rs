//! Searches on virtual machines give the values of sequential searches.

use multigame_game::Game;
use multigame_parallel::{Balance, Form, Memory, MessagePolicy, PolicyKind, Setup};
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{Layout, Options, Root, Search, SearchResult, TranspositionTable};
use multigame_simulator::{Doubled, Experiment, Faults, Machine, Outcome, simulate};

fn sequential(game: &RandomTree, options: &Options, depth: u32) -> SearchResult<u16> {
    let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
    let mut search = Search::new(game, &Guess, options.clone()).unwrap().with_table(&table);
    search.run(&Root::new(game, game.initial()), depth, &mut ()).unwrap()
}

fn run(game: &RandomTree, experiment: &Experiment<'_>) -> Outcome<u16> {
    let root = Root::new(game, game.initial());
    simulate(game, &Guess, &root, experiment, &mut |_, _| true, &|| ()).unwrap()
}

fn experiment<'a>(
    options: &'a Options,
    policy: MessagePolicy,
    processors: u32,
    depth: u32,
) -> Experiment<'a> {
    Experiment {
        processors,
        options,
        setup: Setup::fine(policy),
        depth,
        machine: Machine::named("cluster").unwrap(),
        faults: Faults::default(),
        seed: 1,
        entries: 1 << 16,
        spans: false,
    }
}

fn policies() -> impl Iterator<Item = (&'static str, MessagePolicy)> {
    PolicyKind::ALL
        .into_iter()
        .filter(|(_, kind, _)| kind.is_sound())
        .filter_map(|(name, kind, _)| Some((name, kind.messages()?)))
}

fn exact() -> Options {
    Options { depth_exact: true, ..Options::default() }
}

#[test]
fn one_processor_visits_the_nodes_of_the_sequential_search() {
    for seed in 0..8 {
        let shape =
            Shape { seed, width: 5, height: 9, noise: 60, unquiet: 200, extended: 100, ..Shape::default() };
        let game = RandomTree::new(shape);
        for text in [
            "",
            "engine=alphabeta",
            "lmr=on,depth-exact=off",
            "engine=mtdf",
            "null=on,depth-exact=off,futility=on",
            "iid=on,etc=on",
            "iir=on,singular=on,depth-exact=off",
            "iir=on,lmp=on,futility=on,depth-exact=off",
        ] {
            let options = exact().with(text).unwrap();
            let depth = if options.internal_reduction { 8 } else { 6 };
            let alone = sequential(&game, &options, depth);
            for grain in [0, 2, 4] {
                let policy = PolicyKind::default().messages().unwrap();
                let mut experiment = experiment(&options, policy, 1, depth);
                experiment.setup.grain = grain;
                let outcome = run(&game, &experiment);
                assert_eq!(outcome.result.bounds, alone.bounds, "{text} {seed}");
                assert_eq!(outcome.statistics, alone.statistics, "{text} seed {seed} grain {grain}");
            }
        }
    }
}

/// Late moves are reduced by more once the window of their node is closed but for one value, which takes many
/// moves and a narrow window.
#[test]
fn reductions_follow_the_window_of_a_node() {
    let text = "lmr=on,depth-exact=off,aspiration-narrow=1,aspiration-wide=2";
    let options = exact().with(text).unwrap();
    let policy = PolicyKind::default().messages().unwrap();
    for seed in 0..8 {
        let game = RandomTree::new(Shape { seed, width: 12, height: 9, noise: 60, ..Shape::default() });
        let alone = sequential(&game, &options, 7);
        let outcome = run(&game, &experiment(&options, policy, 1, 7));
        assert_eq!(outcome.statistics, alone.statistics, "seed {seed}");
    }
}

#[test]
fn every_policy_gives_the_sequential_value() {
    for seed in 0..4 {
        let game = RandomTree::new(Shape {
            seed,
            width: 4,
            height: 6,
            noise: 60,
            positions: if seed % 2 == 0 { 0 } else { 200 },
            ..Shape::default()
        });
        let options = exact();
        let alone = sequential(&game, &options, 5);
        for (name, policy) in policies() {
            for processors in [2, 3, 8] {
                let outcome = run(&game, &experiment(&options, policy, processors, 5));
                assert!(outcome.complete && outcome.clean, "{name} on {processors}");
                assert_eq!(outcome.result.bounds, alone.bounds, "{name} on {processors}, seed {seed}");
            }
        }
    }
}

#[test]
fn jobs_from_the_principal_variation_can_be_given_last() {
    let game = RandomTree::new(Shape { seed: 5, width: 8, height: 8, noise: 60, ..Shape::default() });
    let options = exact();
    let plies = |line_last: bool| {
        let policy = PolicyKind::default().messages().unwrap();
        let mut experiment = experiment(&options, policy, 8, 6);
        experiment.setup.balance = Balance { line_last, ..Balance::ZUGZWANG };
        let counters = run(&game, &experiment).counters;
        counters.given_plies as f64 / counters.given as f64
    };
    assert!(plies(true) > plies(false) + 0.1, "{} {}", plies(true), plies(false));
}

#[test]
fn thieves_of_the_last_child_cause_more_work() {
    let (mut first, mut last) = (0, 0);
    for seed in 0..6 {
        let shape = Shape { seed, width: 12, height: 6, ordered: 80, ..Shape::default() };
        let game = RandomTree::new(shape);
        let options = exact();
        for (child, nodes) in [("first", &mut first), ("last", &mut last)] {
            let policy = "free".parse::<PolicyKind>().unwrap().messages().unwrap();
            let mut experiment = experiment(&options, policy, 16, 6);
            experiment.setup.balance = Balance::named("random").unwrap().stealing(child).unwrap();
            *nodes += run(&game, &experiment).statistics.nodes;
        }
    }
    assert!(last > first, "{last} {first}");
}

#[test]
fn in_a_processor_tree_work_comes_from_the_father_only() {
    let game = RandomTree::new(Shape { seed: 5, width: 8, height: 8, noise: 60, ..Shape::default() });
    let options = exact();
    let policy = PolicyKind::default().messages().unwrap();
    let load = |balance: &str| {
        let mut experiment = experiment(&options, policy, 64, 6);
        experiment.machine = Machine::named("transputer").unwrap();
        experiment.setup.balance = Balance::named(balance).unwrap();
        let outcome = run(&game, &experiment);
        assert_eq!(outcome.counters.forwarded > 0, balance == "zugzwang");
        outcome.load()
    };
    let (tree, dynamic) = (load("tree"), load("zugzwang"));
    assert!(tree < dynamic * 0.8, "{tree} {dynamic}");
}

#[test]
fn doubled_messages_cost_twice_and_mean_nothing() {
    let game = RandomTree::new(Shape { seed: 5, width: 8, height: 8, noise: 60, ..Shape::default() });
    let options = exact();
    let policy = PolicyKind::default().messages().unwrap();
    let outcome = |doubled: Doubled| {
        let mut experiment = experiment(&options, policy, 16, 5);
        experiment.machine = Machine { doubled, ..Machine::named("transputer").unwrap() };
        experiment.setup.memory = Memory::of(Form::Partitioned).from_depth(1);
        run(&game, &experiment)
    };
    let (usual, table, jobs) = (outcome(Doubled::Nothing), outcome(Doubled::Table), outcome(Doubled::Jobs));
    let node = Machine::named("transputer").unwrap().prices.node;
    let performance = [&usual, &table, &jobs].map(|outcome| outcome.performance(node));
    assert!(performance[1] < performance[0] - 0.01, "{performance:?}");
    assert!([&table, &jobs].iter().all(|outcome| outcome.result.bounds == usual.result.bounds));
    let count = |outcome: &Outcome<u16>, kind: &str| {
        outcome.traffic.iter().find(|(name, _)| *name == kind).map_or(0, |(_, traffic)| traffic.count)
    };
    assert_eq!(count(&jobs, "job"), 2 * jobs.counters.given);
    assert_eq!(count(&usual, "job"), usual.counters.given);
}

#[test]
fn messages_are_handled_while_the_kernel_runs() {
    let game = RandomTree::new(Shape { seed: 5, width: 8, height: 8, noise: 60, ..Shape::default() });
    let options = exact();
    let alone = sequential(&game, &options, 6);
    let search = |pays_by_node: bool| {
        let policy = PolicyKind::default().messages().unwrap();
        let mut experiment = experiment(&options, policy, 16, 6);
        experiment.machine = Machine::named("transputer").unwrap();
        experiment.setup = Setup { pays_by_node, grain: 2, ..experiment.setup };
        let outcome = run(&game, &experiment);
        assert_eq!(outcome.result.bounds, alone.bounds);
        assert_eq!(outcome.counters.work, outcome.statistics.nodes * experiment.machine.prices.node);
        outcome
    };
    let (deaf, listening) = (search(false), search(true));
    // The others get their share of the work sooner, and some of what the kernel is at is not needed any
    // more.
    assert!(listening.load() > deaf.load() + 0.02, "{} {}", listening.load(), deaf.load());
    assert!(listening.counters.unvisited > 0 && deaf.counters.unvisited == 0);
}

#[test]
fn storms_change_nothing_but_time() {
    let game = RandomTree::new(Shape { seed: 5, width: 6, height: 7, noise: 60, ..Shape::default() });
    let options = exact();
    let alone = sequential(&game, &options, 5);
    for (name, policy) in policies() {
        for seed in 0..8 {
            let mut experiment = experiment(&options, policy, 16, 5);
            experiment.seed = seed;
            experiment.faults = Faults::storm(600);
            let found = ["zugzwang", "have-work", "random", "tree"][seed as usize % 4];
            let child = if seed < 4 { "first" } else { "last" };
            experiment.setup.balance = Balance::named(found).unwrap().stealing(child).unwrap();
            experiment.setup.memory = match seed % 4 {
                0 => Memory::SHARED,
                1 => Memory::USUAL.from_depth(1).in_company(1 + seed as usize % 3),
                2 => Memory::of(Form::Replicated).from_depth(2).in_company(3),
                _ => Memory::PRIVATE,
            };
            let outcome = run(&game, &experiment);
            assert!(outcome.complete && outcome.clean, "{name}, seed {seed}");
            assert_eq!(outcome.result.bounds, alone.bounds, "{name}, seed {seed}");
            let again = run(&game, &experiment);
            assert_eq!(
                (again.time, again.statistics),
                (outcome.time, outcome.statistics),
                "{name}, seed {seed}"
            );
        }
    }
}

#[test]
fn work_on_what_is_dropped_is_counted() {
    let game = RandomTree::new(Shape { seed: 3, width: 8, height: 6, noise: 60, ..Shape::default() });
    let options = exact();
    let policy = "free".parse::<PolicyKind>().unwrap().messages().unwrap();
    let alone = run(&game, &experiment(&options, policy, 1, 5)).counters;
    assert_eq!((alone.killed, alone.dropped), (0, 0));
    let many = run(&game, &experiment(&options, policy, 16, 5)).counters;
    assert!(many.killed > 0 && many.dropped > 0 && many.dropped < many.work, "{many:?}");
}

#[test]
fn tests_of_a_bound_that_has_become_better_are_begun_anew() {
    let game = RandomTree::new(Shape { seed: 4, width: 12, height: 6, noise: 60, ..Shape::default() });
    let options = exact();
    let alone = sequential(&game, &options, 5);
    let renewed = |policy: &str, processors: u32| {
        let policy = policy.parse::<PolicyKind>().unwrap().messages().unwrap();
        let outcome = run(&game, &experiment(&options, policy, processors, 5));
        assert!(outcome.clean);
        assert_eq!(outcome.result.bounds, alone.bounds, "{policy:?}");
        outcome.counters.renewed
    };
    assert_eq!(renewed("ybwc-1-2*", 1), 0, "nobody finds a better bound meanwhile");
    assert!(renewed("ybwc-1-2*", 64) > 0);
    assert_eq!(renewed("jamboree", 64), 0, "there tests are a phase of their own");
    assert_eq!(renewed("speculative-1", 64), 0, "no bounds are sent down");
}
