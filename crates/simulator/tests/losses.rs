//! Searches that lose processors still end with the value of the sequential search.

use multigame_game::Game;
use multigame_parallel::{Balance, Form, Memory, PolicyKind, Setup};
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{Layout, Options, Root, Search, TranspositionTable};
use multigame_simulator::{Experiment, Faults, Losses, Machine, Outcome, simulate};

const DEPTH: u32 = 6;

fn tree(seed: u64) -> RandomTree {
    let positions = if seed.is_multiple_of(2) { 0 } else { 200 };
    RandomTree::new(Shape { seed, width: 5, height: 7, noise: 60, positions, ..Shape::default() })
}

fn run(game: &RandomTree, experiment: &Experiment<'_>) -> Outcome<u16> {
    let root = Root::new(game, game.initial());
    simulate(game, &Guess, &root, experiment, &mut |_, _| true, &|| ()).unwrap()
}

fn experiment(options: &Options, policy: PolicyKind) -> Experiment<'_> {
    let machine = Machine::named("cluster").unwrap();
    let setup = Setup::fine(policy.messages().unwrap());
    Experiment {
        processors: 16,
        options,
        setup: Setup { patience: 200 * machine.prices.node, ..setup },
        depth: DEPTH,
        machine,
        faults: Faults::default(),
        seed: 1,
        entries: 1 << 14,
        spans: false,
    }
}

fn forms(seed: u64) -> (Memory, Balance) {
    let memory = [
        Memory::SHARED,
        Memory::USUAL.from_depth(1),
        "partitioned:depth=1:ahead=8".parse().unwrap(),
        Memory::of(Form::Replicated).in_company(3),
    ];
    let balance = ["zugzwang", "have-work", "random"][seed as usize % 3];
    (memory[seed as usize % 4], Balance::named(balance).unwrap())
}

/// Each policy loses a third to all but one of 16 processors, in each form of the table, with delays besides.
#[test]
fn the_value_is_right_whichever_processors_are_lost() {
    let options = Options { depth_exact: true, ..Options::default() };
    let seeds: u64 = std::env::var("SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let (mut lost, mut redone) = (0, 0);
    for seed in 0..seeds {
        let game = tree(seed);
        let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
        let mut alone = Search::new(&game, &Guess, options.clone()).unwrap().with_table(&table);
        let value = alone.run(&Root::new(&game, game.initial()), DEPTH, &mut ()).unwrap().bounds;
        for (name, kind, _) in PolicyKind::ALL.into_iter().filter(|(_, kind, _)| kind.is_sound()) {
            if kind.messages().is_none() {
                continue;
            }
            let mut experiment = experiment(&options, kind);
            (experiment.setup.memory, experiment.setup.balance) = forms(seed);
            experiment.seed = seed;
            let whole = run(&game, &experiment);
            assert_eq!((whole.result.bounds, whole.lost), (value, 0), "{name}, seed {seed}");
            if seed.is_multiple_of(2) {
                experiment.faults = Faults::storm(experiment.machine.prices.node);
            }
            let count = [5, 10, 15][seed as usize % 3];
            experiment.faults.losses = Losses { count, within: whole.time };
            let outcome = run(&game, &experiment);
            assert!(outcome.complete && outcome.clean, "{name}, seed {seed}");
            assert_eq!(outcome.result.bounds, value, "{name}, seed {seed}");
            let again = run(&game, &experiment);
            assert_eq!((again.time, again.statistics), (outcome.time, outcome.statistics), "{name}, {seed}");
            lost += outcome.lost;
            redone += outcome.counters.redone;
        }
    }
    assert!(u64::from(lost) > 40 * seeds && redone > 30 * seeds, "{lost} lost, {redone} jobs redone");
}

#[test]
fn without_patience_a_search_waits_for_ever() {
    let options = Options { depth_exact: true, ..Options::default() };
    let waits = |seed: u64| {
        let game = tree(seed);
        let mut experiment = experiment(&options, PolicyKind::default());
        (experiment.setup.patience, experiment.seed) = (0, seed);
        experiment.faults.losses = Losses { count: 15, within: run(&game, &experiment).time / 2 };
        let outcome = run(&game, &experiment);
        outcome.lost == 15 && !outcome.complete
    };
    let waiting = (0..8).filter(|&seed| waits(seed)).count();
    assert!(waiting > 0);
}

#[test]
fn patience_that_never_ends_changes_nothing() {
    let options = Options { depth_exact: true, ..Options::default() };
    let game = tree(3);
    let mut experiment = experiment(&options, PolicyKind::default());
    (experiment.setup.memory, experiment.setup.balance) = forms(1);
    experiment.setup.patience = u64::MAX / 2;
    let patient = run(&game, &experiment);
    experiment.setup.patience = 0;
    let usual = run(&game, &experiment);
    assert_eq!((patient.time, patient.statistics), (usual.time, usual.statistics));
    assert_eq!(patient.counters.redone, 0);
}
