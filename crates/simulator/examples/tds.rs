//! The Multigame thesis's experiment: the 15-puzzle and the double-blank puzzle by transposition-driven scheduling and by
//! work stealing on a cluster of 128 processors with Myrinet.
//!
//!     cargo run --release -p multigame-simulator --example tds -- PUZZLE PROCESSORS,... MOVES SEEDS [POLICY] [NAME=VALUE]...
//!
//! PUZZLE is `15` or `double-blank`, each seed from 1 to SEEDS, or each one of a list like `2,5,`, a position that so many
//! random moves lead to. As in the thesis, speedup and efficiency are relative to the same program on one processor with one
//! processor's table; `total=N` shares N entries out instead, for the stricter comparison with one processor that has as much
//! memory as all together. `limits=whole` leaves the limit of the solution out, in which luck decides: the thesis stops before
//! it, too. A position of the thesis takes 3.66 us to expand and 2.70 us to judge; of the double-blank puzzle 10.7 and 3.26 us.

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
/// No position is looked at that needs more moves.
const LONGEST: u32 = 80;

struct Arguments {
    processors: Vec<u32>,
    moves: usize,
    seeds: Vec<u64>,
    policies: Vec<PuzzlePolicy>,
    /// Entries of all tables together, if their number does not grow with the processors.
    total: Option<usize>,
    /// Whether only limits without a solution are searched.
    whole: bool,
}

/// One run: how, which position, on how many processors, up to which limit.
type Run = (PuzzlePolicy, u64, u32, u32);

fn main() {
    let (named, arguments): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|text| text.contains('='));
    let name = |name: &str| named.iter().find_map(|text| text.strip_prefix(name)?.strip_prefix('='));
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
        seeds: seeds(&argument(3, "3")),
        policies,
        total: name("total").map(|text| text.parse().expect("a number")),
        whole: name("limits") == Some("whole"),
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

fn seeds(text: &str) -> Vec<u64> {
    let number = |text: &str| text.parse().expect("a number");
    if text.contains(',') {
        text.split_terminator(',').map(number).collect()
    } else {
        (1..=number(text)).collect()
    }
}

fn run<G: Game>(
    game: &G,
    machine: Machine,
    order: &Arguments,
    (policy, seed, processors, longest): Run,
) -> PuzzleOutcome {
    let root = shuffled(game, order.moves, &mut Random::new(seed));
    let grain = if policy == PuzzlePolicy::Tds { 0 } else { 8 };
    let setup = PuzzleSetup { grain, reach: u32::MAX, combine: 64, ..PuzzleSetup::threads(policy) };
    let experiment = PuzzleExperiment {
        processors,
        setup,
        longest,
        machine,
        faults: Faults::default(),
        seed,
        entries: order.total.map_or(ENTRIES, |total| total / processors as usize),
        spans: false,
    };
    simulate_puzzle((game, &Manhattan), &root, &experiment, &mut |_, _| true).expect("it runs")
}

fn measure<G: Game>(game: &G, machine: Machine, order: &Arguments) {
    let Arguments { processors, seeds, policies, .. } = order;
    for &policy in policies {
        let most = processors.iter().copied().max().unwrap_or(1);
        let limit = |&seed: &u64| match order.whole {
            true => length(&run(game, machine, order, (policy, seed, most, LONGEST)).result) as u32 - 1,
            false => LONGEST,
        };
        let limits: Vec<u32> = seeds.iter().map(limit).collect();
        let all = |count: u32| -> Vec<PuzzleOutcome> {
            let limits = seeds.iter().zip(&limits);
            limits.map(|(&seed, &limit)| run(game, machine, order, (policy, seed, count, limit))).collect()
        };
        let alone = all(1);
        let time: u64 = alone.iter().map(|outcome| outcome.time).sum();
        let nodes: u64 = alone.iter().map(|outcome| outcome.statistics.nodes).sum();
        for (seed, outcome) in seeds.iter().zip(&alone) {
            println!("seed {seed}: {} nodes on one processor", outcome.statistics.nodes);
        }
        println!(
            "{policy:?}: {} positions, {nodes} nodes and {:.1} s on one processor",
            seeds.len(),
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

/// The length of a solution, or what it is at least.
fn length(result: &PuzzleResult) -> usize {
    match result {
        PuzzleResult::Solved(path) => path.len(),
        PuzzleResult::Unknown(least) => *least as usize,
        other => panic!("{other:?}"),
    }
}
