//! What is proved about Jamboree comes out exactly: work and critical path on best- and worst-ordered trees.

use multigame_game::Game;
use multigame_parallel::{MessagePolicy, PolicyKind, Prices, Setup};
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{Engine, Options, Root};
use multigame_simulator::{Experiment, Faults, Machine, simulate};

/// Work and critical path in leaves.
fn jamboree(shape: Shape, processors: u32) -> (u64, u64) {
    let game = RandomTree::new(shape);
    let options = Options::plain(Engine::NegaScout);
    let policy: MessagePolicy = "jamboree".parse::<PolicyKind>().unwrap().messages().unwrap();
    let machine = Machine { prices: Prices::LEAVES, latency: 1, ..Machine::named("ideal").unwrap() };
    let experiment = Experiment {
        processors,
        options: &options,
        setup: Setup { by_the_book: true, ..Setup::fine(policy) },
        depth: u32::from(shape.height),
        machine,
        faults: Faults::default(),
        seed: 1,
        entries: 4,
        spans: false,
    };
    let root = Root::new(&game, game.initial());
    let outcome = simulate(&game, &Guess, &root, &experiment, &mut |_, _| true, &|| ()).unwrap();
    assert!(outcome.complete && outcome.clean);
    assert_eq!(Some(outcome.value), game.known_value(&game.initial()));
    // All work has its place on the machine with infinitely many processors.
    let ideal = outcome.ideal.parallelism(50, outcome.critical);
    let area = ideal.iter().sum::<f64>() * outcome.critical as f64 / 50.0;
    assert!((area - outcome.counters.work as f64).abs() < 1.0, "{area} {}", outcome.counters.work);
    (outcome.counters.work, outcome.critical)
}

#[test]
fn a_best_ordered_tree_is_searched_without_extra_work() {
    for (width, height, critical) in [(4u16, 6u16, 15), (8, 4, 7), (3, 7, 23), (6, 5, 11)] {
        let shape = Shape { width, height, ordered: 100, ..Shape::default() };
        let half = |height: u16| u64::from(width).pow(u32::from(height));
        let minimal = half(height.div_ceil(2)) + half(height / 2) - 1;
        for processors in [1, 5] {
            assert_eq!(jamboree(shape, processors), (minimal, critical), "{width} {height} on {processors}");
        }
    }
}

#[test]
fn a_worst_ordered_tree_takes_three_times_the_work() {
    for (width, height) in [(3u16, 8u16), (5, 6), (10, 4)] {
        let d = u64::from(width);
        // Valuing a tree values its children and tests all but the first, a test costs as much as a minimal
        // tree's half: V(h) = d V(h-1) + (d-1) T(h-1). Tests run beside each other, values do not: C(h) = d
        // C(h-1) + 2^ceil((h-1)/2).
        let (mut work, mut critical) = (1, 1);
        for below in 0..u32::from(height) {
            work = d * work + (d - 1) * d.pow(below.div_ceil(2));
            critical = d * critical + 2u64.pow(below.div_ceil(2));
        }
        let shape = Shape { width, height, worst: true, ..Shape::default() };
        assert_eq!(jamboree(shape, 1), (work, critical), "{width} {height}");
        assert!(work > 2 * d.pow(u32::from(height)), "nearly three times Alpha-Beta's work");
    }
}
