//! *Socrates's model: Jamboree's time is a C + b W/P.

use multigame_game::Game;
use multigame_parallel::{Memory, PolicyKind, Setup};
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{Options, Root};
use multigame_simulator::{Experiment, Faults, Fit, Machine, Row, simulate};

#[test]
fn critical_path_and_work_predict_jamboree_on_all_machines_at_once() {
    let machine = Machine::named("cm5").unwrap();
    let options = Options { depth_exact: true, ..Options::default() };
    let policy = "jamboree".parse::<PolicyKind>().unwrap().messages().unwrap();
    let mut rows = Vec::new();
    for (seed, ordered, depth) in [(1, 95, 6), (2, 80, 5), (3, 60, 4), (4, 80, 4), (5, 30, 4)] {
        let game = RandomTree::new(Shape { seed, width: 8, height: 6, ordered, ..Shape::default() });
        let root = Root::new(&game, game.initial());
        for processors in [1, 4, 16, 64] {
            let experiment = Experiment {
                processors,
                options: &options,
                setup: Setup { memory: Memory::USUAL.from_depth(1), ..Setup::fine(policy) },
                depth,
                machine,
                faults: Faults::default(),
                seed,
                entries: 1 << 12,
                spans: false,
            };
            let outcome = simulate(&game, &Guess, &root, &experiment, &mut |_, _| true, &|| ()).unwrap();
            rows.push(Row::new(&outcome, machine.prices.node, (1, 1)));
        }
    }
    let fit = Fit::of(&rows).unwrap();
    assert!(fit.r >= 0.99 && fit.error < 0.1, "{fit:?}");
    assert!((0.7..2.0).contains(&fit.a) && (0.7..1.3).contains(&fit.b), "{fit:?}");
}
