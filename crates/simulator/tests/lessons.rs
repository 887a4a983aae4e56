//! What workers learn about moves travels with jobs and results, or by itself, and changes nothing but the
//! order of moves.

use multigame_game::Game;
use multigame_parallel::Setup;
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{Options, Root};
use multigame_simulator::{Experiment, Faults, Machine, Outcome, Traffic, simulate};

fn run(processors: u32, setup: Setup) -> Outcome<u16> {
    let game = RandomTree::new(Shape { seed: 3, width: 7, height: 6, ordered: 50, ..Shape::default() });
    let options = Options { depth_exact: true, ..Options::default() };
    let experiment = Experiment {
        processors,
        options: &options,
        setup,
        depth: 6,
        machine: Machine::named("transputer").unwrap(),
        faults: Faults::default(),
        seed: 1,
        entries: 1 << 14,
        spans: false,
    };
    let root = Root::new(&game, game.initial());
    let outcome = simulate(&game, &Guess, &root, &experiment, &mut |_, _| true, &|| ()).unwrap();
    assert!(outcome.complete && outcome.clean);
    assert_eq!(Some(outcome.value), game.known_value(&game.initial()));
    outcome
}

fn traffic(outcome: &Outcome<u16>, kind: &str) -> Traffic {
    outcome.traffic.iter().find(|(name, _)| *name == kind).unwrap().1
}

fn setup() -> Setup {
    Setup { merge_history: true, ..Setup::fine(Setup::default().policy) }
}

#[test]
fn killers_travel_with_jobs_and_results() {
    let alone = run(16, setup());
    let shared = run(16, Setup { share_killers: true, ..setup() });
    for kind in ["job", "result"] {
        let size = |outcome| {
            let traffic = traffic(outcome, kind);
            traffic.bytes as f64 / traffic.count as f64
        };
        // Two killers take 24 bytes; jobs at the horizon have none.
        assert!(size(&shared) > size(&alone) + 12.0, "{kind}: {} and {}", size(&shared), size(&alone));
    }
}

#[test]
fn counts_are_told_while_the_search_goes_on_instead_of_between_iterations() {
    let merged = run(16, setup());
    assert!(traffic(&merged, "learned").count > 0 && traffic(&merged, "news").count == 0);
    let spread = run(16, Setup { spread_history: 32, ..setup() });
    assert!(traffic(&spread, "learned").count == 0 && traffic(&spread, "news").bytes > 0);
    let rarely = run(16, Setup { spread_history: 512, ..setup() });
    assert!(traffic(&rarely, "news").count < traffic(&spread, "news").count);
}

#[test]
fn one_worker_has_nobody_to_tell() {
    let sharing = Setup { share_killers: true, spread_history: 1, ..setup() };
    let (alone, sharing) = (run(1, setup()), run(1, sharing));
    assert_eq!(alone.statistics, sharing.statistics);
    assert!(sharing.traffic.iter().all(|(_, traffic)| traffic.count == 0));
}
