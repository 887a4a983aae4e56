//! The Multigame thesis's experiment: the 15-puzzle and the double-blank puzzle by transposition-driven scheduling and by
//! work stealing on a cluster of 128 processors with Myrinet.
//!
//!     cargo run --release -p multigame-simulator --example tds -- PUZZLE PROCESSORS,... MOVES SEEDS [POLICY]
//!
//! PUZZLE is `15` or `double-blank`, each seed from 1 to SEEDS a position that so many random moves lead to. As in the
//! thesis, speedup and efficiency are relative to the same program on one processor with one processor's table. A position
//! of the thesis takes 3.66 us to expand and 2.70 us to judge; of the double-blank puzzle 10.7 and 3.26 us.

#[path = "../tests/support/double_blank.rs"]
mod double_blank;
#[path = "../tests/support/fifteen.rs"]
mod fifteen;

use double_blank::DoubleBlank;
use fifteen::{Manhattan, shuffled};
use multigame_game::{Game, Random};
use multigame_parallel::{Prices, PuzzlePolicy, PuzzleResult, PuzzleSetup};
use multigame_reference::Fifteen;
use multigame_simulator::{Faults, Machine, PuzzleExperiment, PuzzleOutcome, simulate_puzzle};

/// Entries of each processor's table.
const ENTRIES: usize = 1 << 14;

struct Arguments {
    processors: Vec<u32>,
    moves: usize,
    seeds: u64,
    policies: Vec<PuzzlePolicy>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |number: usize, usual: &str| arguments.get(number).cloned().unwrap_or(usual.to_string());
    let numbers = |text: String| text.split(',').map(|n| n.parse().expect("a number")).collect();
    let policies = match argument(4, "tds,stealing").as_str() {
        "tds" => vec![PuzzlePolicy::Tds],
        "stealing" => vec![PuzzlePolicy::Stealing],
        _ => vec![PuzzlePolicy::Tds, PuzzlePolicy::Stealing],
    };
    let order = Arguments {
        processors: numbers(argument(1, "16,128")),
        moves: argument(2, "150").parse().expect("a number"),
        seeds: argument(3, "3").parse().expect("a number"),
        policies,
    };
    let machine = Machine::named("myrinet").expect("a network").for_puzzles();
    match argument(0, "15").as_str() {
        "15" => measure(&Fifteen::new(), machine, &order),
        "double-blank" => {
            let prices = Prices { node: 13_960, leaf: 3_260, evaluation: 0 };
            measure(&DoubleBlank::new(), Machine { prices, ..machine }, &order);
        }
        other => panic!("there is no puzzle `{other}`; use 15 or double-blank"),
    }
}

fn run<G: Game>(
    game: &G,
    machine: Machine,
    moves: usize,
    (policy, seed, processors): (PuzzlePolicy, u64, u32),
) -> PuzzleOutcome {
    let root = shuffled(game, moves, &mut Random::new(seed));
    let grain = if policy == PuzzlePolicy::Tds { 0 } else { 8 };
    let setup = PuzzleSetup { grain, reach: u32::MAX, combine: 64, ..PuzzleSetup::threads(policy) };
    let experiment = PuzzleExperiment {
        processors,
        setup,
        longest: 80,
        machine,
        faults: Faults::default(),
        seed,
        entries: ENTRIES,
        spans: false,
    };
    simulate_puzzle((game, &Manhattan), &root, &experiment, &mut |_, _| true).expect("it runs")
}

fn measure<G: Game>(game: &G, machine: Machine, order: &Arguments) {
    let Arguments { processors, moves, seeds, policies } = order;
    for &policy in policies {
        let all = |count: u32| -> Vec<PuzzleOutcome> {
            (1..=*seeds).map(|seed| run(game, machine, *moves, (policy, seed, count))).collect()
        };
        let alone = all(1);
        let time: u64 = alone.iter().map(|outcome| outcome.time).sum();
        let nodes: u64 = alone.iter().map(|outcome| outcome.statistics.nodes).sum();
        println!(
            "{policy:?}: {seeds} positions, {nodes} nodes and {:.1} s on one processor",
            time as f64 * 1e-9
        );
        for &count in processors {
            let outcomes = all(count);
            for (one, many) in alone.iter().zip(&outcomes) {
                assert_eq!(length(&one.result), length(&many.result), "solutions are shortest");
            }
            let sum: u64 = outcomes.iter().map(|outcome| outcome.time).sum();
            let all_nodes: u64 = outcomes.iter().map(|outcome| outcome.statistics.nodes).sum();
            let speedup = time as f64 / sum as f64;
            let load = outcomes.iter().map(|o| o.load() * o.time as f64).sum::<f64>() / sum as f64;
            println!(
                "{count:>6} processors: {:.3} s, speedup {speedup:.1}, efficiency {:.1} %, load {:.1} %, {all_nodes} nodes ({:+.1} %)",
                sum as f64 * 1e-9,
                100.0 * speedup / f64::from(count),
                100.0 * load,
                100.0 * (all_nodes as f64 / nodes as f64 - 1.0)
            );
        }
    }
}

fn length(result: &PuzzleResult) -> usize {
    match result {
        PuzzleResult::Solved(path) => path.len(),
        other => panic!("{other:?}"),
    }
}
