//! The Multigame thesis's experiment: the 15-puzzle by transposition-driven scheduling and by work stealing on a cluster of
//! 128 processors with Myrinet.
//!
//!     cargo run --release -p multigame-simulator --example tds -- PROCESSORS,... [MOVES] [SEEDS]
//!
//! A position of the thesis takes 3.66 us to expand and 2.70 us to judge.

#[path = "../tests/support/fifteen.rs"]
mod fifteen;

use fifteen::{Manhattan, shuffled};
use multigame_game::Random;
use multigame_parallel::{PuzzlePolicy, PuzzleResult, PuzzleSetup};
use multigame_reference::Fifteen;
use multigame_simulator::{Faults, Machine, PuzzleExperiment, simulate_puzzle};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |number: usize, usual: &str| arguments.get(number).cloned().unwrap_or(usual.to_string());
    let processors: Vec<u32> =
        argument(0, "16,128").split(',').map(|text| text.parse().expect("a number")).collect();
    let moves: usize = argument(1, "150").parse().expect("a number");
    let seeds: u64 = argument(2, "3").parse().expect("a number");
    let game = Fifteen::new();
    let machine = Machine::named("myrinet").expect("a network").for_puzzles();
    for policy in [PuzzlePolicy::Tds, PuzzlePolicy::Stealing] {
        let run = |seed: u64, processors: u32| {
            let root = shuffled(&game, moves, &mut Random::new(seed));
            let grain = if policy == PuzzlePolicy::Tds { 0 } else { 8 };
            let setup = PuzzleSetup { grain, reach: u32::MAX, combine: 64, ..PuzzleSetup::threads(policy) };
            let experiment = PuzzleExperiment {
                processors,
                setup,
                longest: 80,
                machine,
                faults: Faults::default(),
                seed,
                entries: 1 << 14,
                spans: false,
            };
            simulate_puzzle((&game, &Manhattan), &root, &experiment, &mut |_, _| true).expect("it runs")
        };
        let alone: Vec<_> = (1..=seeds).map(|seed| run(seed, 1)).collect();
        let time: u64 = alone.iter().map(|outcome| outcome.time).sum();
        let nodes: u64 = alone.iter().map(|outcome| outcome.statistics.nodes).sum();
        println!("{policy:?}: {seeds} positions, {nodes} nodes on one processor");
        for &count in &processors {
            let outcomes: Vec<_> = (1..=seeds).map(|seed| run(seed, count)).collect();
            let length = |result: &PuzzleResult| match result {
                PuzzleResult::Solved(path) => path.len(),
                other => panic!("{other:?}"),
            };
            for (one, many) in alone.iter().zip(&outcomes) {
                assert_eq!(length(&one.result), length(&many.result), "solutions are shortest");
            }
            let all: u64 = outcomes.iter().map(|outcome| outcome.time).sum();
            let all_nodes: u64 = outcomes.iter().map(|outcome| outcome.statistics.nodes).sum();
            let speedup = time as f64 / all as f64;
            let load = outcomes.iter().map(|o| o.load() * o.time as f64).sum::<f64>() / all as f64;
            println!(
                "{count:>6} processors: speedup {speedup:.1}, efficiency {:.1} %, load {:.1} %, nodes {:+.1} %",
                100.0 * speedup / f64::from(count),
                100.0 * load,
                100.0 * (all_nodes as f64 / nodes as f64 - 1.0)
            );
        }
    }
}
