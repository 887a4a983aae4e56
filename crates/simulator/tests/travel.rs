//! Transposition-driven scheduling for two players gives the values of sequential searches, whatever the order
//! of events.

use std::sync::atomic::{AtomicU64, Ordering};

use multigame_game::Game;
use multigame_parallel::{Order, PolicyKind, Setup, Travel};
use multigame_search::random_tree::{Guess, RandomTree, Shape, TreePosition};
use multigame_search::{Computed, Engine, Layout, Monitor, Options, Root, Search, TranspositionTable, Value};
use multigame_simulator::{Experiment, Faults, Machine, Outcome, simulate};

const DEPTH: u32 = 5;

fn run(game: &RandomTree, experiment: &Experiment<'_>) -> Outcome<u16> {
    let root = Root::new(game, game.initial());
    simulate(game, &Guess, &root, experiment, &mut |_, _| true, &|| ()).unwrap()
}

fn experiment<'o>(options: &'o Options, policy: &str, travel: Travel, processors: u32) -> Experiment<'o> {
    let policy = policy.parse::<PolicyKind>().unwrap().messages().unwrap();
    Experiment {
        processors,
        options,
        setup: Setup { travel: Some(travel), ..Setup::fine(policy) },
        depth: DEPTH,
        machine: Machine::named("cluster").unwrap(),
        faults: Faults::default(),
        seed: 1,
        entries: 1 << 14,
        spans: false,
    }
}

fn exact() -> Options {
    Options { depth_exact: true, ..Options::default() }
}

#[test]
fn one_worker_visits_the_nodes_of_the_sequential_search() {
    for seed in 0..8 {
        let shape = Shape { seed, width: 5, height: 9, noise: 60, positions: 0, ..Shape::default() };
        let game = RandomTree::new(shape);
        for text in ["", "engine=alphabeta", "engine=mtdf"] {
            let options = exact().with(text).unwrap();
            let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
            let mut search = Search::new(&game, &Guess, options.clone()).unwrap().with_table(&table);
            let alone = search.run(&Root::new(&game, game.initial()), 6, &mut ()).unwrap();
            for grain in [0, 2] {
                let mut experiment = experiment(&options, "ybwc", Travel::USUAL, 1);
                (experiment.depth, experiment.setup.grain) = (6, grain);
                let outcome = run(&game, &experiment);
                assert_eq!(outcome.result.bounds, alone.bounds, "{text} {seed}");
                assert_eq!(outcome.statistics.nodes, alone.statistics.nodes, "{text} {seed} {grain}");
                assert_eq!(outcome.result.pv.first(), alone.pv.first(), "{text} {seed} {grain}");
            }
        }
    }
}

fn full_value(game: &RandomTree, position: &TreePosition, depth: u32) -> Value {
    let mut search = Search::new(game, &Guess, Options::plain(Engine::NegaMax)).unwrap();
    search.run(&Root::new(game, *position), depth, &mut ()).unwrap().value
}

/// Compares every bound with the full tree.
struct Checker<'g>(&'g RandomTree, &'g AtomicU64);

impl Monitor<RandomTree> for Checker<'_> {
    fn witnesses(&self) -> bool {
        true
    }

    fn computed(&mut self, computed: &Computed<'_, RandomTree>) {
        self.1.fetch_add(1, Ordering::Relaxed);
        let value = full_value(self.0, computed.position, computed.depth).from_node(computed.ply);
        assert!(computed.bounds.contains(value), "{computed:?} but the value is {value}");
    }
}

#[test]
fn every_bound_is_true() {
    let bounds = AtomicU64::new(0);
    for seed in 0..40 {
        let positions = [0, 5, 14][seed as usize % 3];
        let shape =
            Shape { width: 3, height: 6, seed, positions, sudden: 80, again: 100, ..Shape::default() };
        let game = RandomTree::new(Shape { ordered: 40, ..shape });
        let engine = [Engine::NegaScout, Engine::AlphaBeta, Engine::Mtdf][seed as usize % 3];
        let options = Options::plain(engine)
            .with("tt,table-move,history,killers,deepening=1,depth-exact,aspiration")
            .unwrap();
        let order = [Order::Left, Order::Last, Order::First][seed as usize / 3 % 3];
        let policy = ["ybwc", "ybwc-1-2*", "free"][seed as usize % 2 + seed as usize / 7 % 2];
        let travel = Travel { combine: 1 + seed as u32 % 4, order };
        let mut experiment = experiment(&options, policy, travel, 1 << (seed % 5));
        (experiment.seed, experiment.setup.grain) = (seed, seed as u32 / 4 % 2);
        experiment.faults = Faults::storm(experiment.machine.prices.node);
        let root = Root::new(&game, game.initial());
        let witness = || Checker(&game, &bounds);
        let outcome = simulate(&game, &Guess, &root, &experiment, &mut |_, _| true, &witness).unwrap();
        assert!(outcome.complete && outcome.clean, "seed {seed}");
        assert_eq!(outcome.value, full_value(&game, &game.initial(), DEPTH), "seed {seed}");
    }
    assert!(bounds.into_inner() > 1000);
}

#[test]
fn storms_change_nothing_but_time() {
    let options = exact();
    let seeds: u64 = std::env::var("SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let (mut killed, mut narrowed, mut joined, mut stale, mut renewed) = (0, 0, 0, 0, 0);
    for seed in 0..seeds {
        let positions = if seed.is_multiple_of(2) { 0 } else { 100 };
        let shape = Shape { seed, width: 6, height: 7, noise: 60, positions, ..Shape::default() };
        let game = RandomTree::new(Shape { extended: 100, unquiet: 100, ..shape });
        let table = TranspositionTable::new(1, Layout::Cluster).unwrap();
        let mut search = Search::new(&game, &Guess, options.clone()).unwrap().with_table(&table);
        let alone = search.run(&Root::new(&game, game.initial()), DEPTH, &mut ()).unwrap();
        let policy = ["ybwc", "ybwc-1-2*", "ybwc-1-2", "free"][seed as usize % 4];
        let order = [Order::Left, Order::Last, Order::First][seed as usize % 3];
        let travel = Travel { combine: [1, 4, 64][seed as usize / 2 % 3], order };
        let mut experiment = experiment(&options, policy, travel, [2, 3, 16, 64][seed as usize / 3 % 4]);
        (experiment.seed, experiment.setup.grain) = (seed, seed as u32 / 5 % 3);
        experiment.faults = Faults::storm(experiment.machine.prices.node);
        let outcome = run(&game, &experiment);
        assert!(outcome.complete && outcome.clean, "seed {seed}");
        assert_eq!(outcome.result.bounds, alone.bounds, "seed {seed}");
        let price = experiment.machine.prices.node;
        assert_eq!(outcome.counters.work, outcome.statistics.nodes * price, "seed {seed}");
        let again = run(&game, &experiment);
        assert_eq!((again.time, again.statistics), (outcome.time, outcome.statistics), "seed {seed}");
        let counters = outcome.counters;
        killed += counters.killed;
        narrowed += counters.narrowed;
        joined += counters.joined;
        stale += counters.stale;
        renewed += counters.renewed;
    }
    assert!([killed, narrowed, joined, stale, renewed].into_iter().all(|count| count > seeds));
}

#[test]
fn positions_that_are_taken_from_the_left_cause_less_work() {
    let nodes = |order: Order| {
        let options = exact();
        let count = |seed| {
            let shape = Shape { seed, width: 12, height: 6, ordered: 80, ..Shape::default() };
            let experiment = experiment(&options, "ybwc", Travel { combine: 1, order }, 16);
            run(&RandomTree::new(shape), &experiment).statistics.nodes
        };
        (0..8).map(count).sum::<u64>()
    };
    let (left, last, first) = (nodes(Order::Left), nodes(Order::Last), nodes(Order::First));
    assert!(left < last && left < first, "{left} {last} {first}");
}
