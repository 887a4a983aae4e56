//! ZUGZWANG's experiment: the Bratko-Kopec positions on a network of Transputers.
//!
//!     cargo run --release -p multigame-simulator --example bratko_kopec -- DEPTH PROCESSORS,... POSITIONS,... [NAME=VALUE]...
//!
//! A position is a number from 1 to 24, with a depth of its own as in `10:8`. Measures are ratios of sums over the
//! positions, as in the thesis; LOST is the share of nodes below what was given up, FIRST how often the first move gave
//! the cutoff. Names: `network`, `policy`, `memory` (`partitioned`, `shared`, `private`), `least` (depth of nodes whose home is
//! asked), `history` (`merged`, `local`, or after how many nodes workers tell each other), `killers` (`local`, `shared`),
//! `masters` (`waiting`, `helpful`), `line` (`first`, `last`: when jobs from the principal variation are given), `captures`
//! (`all` tries them all before other moves), `set` (options of the search), `seed`, `svg` (a file that gets the curve of
//! speedups).

#[path = "support/chess.rs"]
mod chess;
#[path = "support/positions.rs"]
mod positions;

use chess::{Exchanges, chess};
use multigame_game::{Game, parse_position};
use multigame_jit::JitGame;
use multigame_parallel::{Balance, Memory, PolicyKind, Setup};
use multigame_search::{Evaluator, Judge, Options, Root};
use multigame_simulator::plot::{Axes, Series, lines};
use multigame_simulator::{Experiment, Faults, Machine, Outcome, simulate};
use positions::POSITIONS;

/// Entries of each processor's table, as on ZUGZWANG's.
const ENTRIES: usize = 160_000;
/// ZUGZWANG's speedups, 8 plies.
const ZUGZWANG: [(f64, f64); 8] = [
    (1.0, 1.0),
    (4.0, 4.11),
    (8.0, 7.62),
    (16.0, 14.79),
    (32.0, 26.83),
    (64.0, 49.43),
    (128.0, 86.03),
    (256.0, 142.32),
];

struct Order {
    processors: Vec<u32>,
    /// Numbers and depths.
    positions: Vec<(usize, u32)>,
    machine: Machine,
    policy: PolicyKind,
    /// All but the policy.
    setup: Setup,
    options: Options,
    seed: u64,
    svg: Option<String>,
}

fn main() {
    let (named, plain): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|text| text.contains('='));
    let argument = |number: usize, usual: &str| plain.get(number).cloned().unwrap_or(usual.to_string());
    let name = |name: &str| named.iter().find_map(|text| text.strip_prefix(name)?.strip_prefix('='));
    let depth: u32 = argument(0, "5").parse().expect("a depth");
    let position = |text: &str| match text.split_once(':') {
        None => (text.parse().expect("a number"), depth),
        Some((number, depth)) => (number.parse().expect("a number"), depth.parse().expect("a depth")),
    };
    let options = Options { depth_exact: true, evaluation_cache: 0, ..Options::default() };
    let order = Order {
        processors: argument(1, "4,16,64,256").split(',').map(|n| n.parse().expect("a number")).collect(),
        positions: argument(2, "2,3,10,12").split(',').map(position).collect(),
        machine: Machine::named(name("network").unwrap_or("transputer")).expect("a network"),
        policy: name("policy").unwrap_or("ybwc-1-2*").parse().expect("a policy"),
        setup: setup(&name),
        options: options.with(name("set").unwrap_or("")).expect("options"),
        seed: name("seed").unwrap_or("1").parse().expect("a number"),
        svg: name("svg").map(str::to_string),
    };
    let game = chess();
    if name("captures") == Some("all") {
        order.carry_out(&game, &Judge::new(&game, Some("main")).expect("chess can be judged"));
    } else {
        order.carry_out(&game, &Exchanges::new(&game));
    }
}

fn setup<'t>(name: &impl Fn(&str) -> Option<&'t str>) -> Setup {
    let number = |text: &str| text.parse().expect("a number");
    let memory = match name("memory").unwrap_or("partitioned") {
        "shared" => Memory::Shared,
        "private" => Memory::Private,
        _ => Memory::Partitioned { least_depth: number(name("least").unwrap_or("1")) as u32, combine: 1 },
    };
    let history = name("history").unwrap_or("merged");
    let spread_history = if ["merged", "local"].contains(&history) { 0 } else { number(history) };
    let helpful = name("masters") == Some("helpful");
    Setup {
        memory,
        merge_history: history == "merged",
        spread_history,
        share_killers: name("killers") == Some("shared"),
        balance: Balance { helpful, line_last: name("line") == Some("last"), ..Balance::ZUGZWANG },
        ..Setup::fine(Setup::default().policy)
    }
}

/// What was measured, summed up over positions.
#[derive(Clone, Copy, Default)]
struct Sums {
    time: f64,
    nodes: f64,
    /// Time of all processors spent on searching and what interrupts it.
    worked: f64,
    work: f64,
    critical: f64,
    dropped: f64,
    cutoffs: f64,
    first: f64,
}

impl Sums {
    fn add<M>(&mut self, outcome: &Outcome<M>) {
        self.time += outcome.time as f64;
        self.nodes += outcome.statistics.nodes as f64;
        self.worked += outcome.load() * outcome.time as f64 * outcome.accounts.len() as f64;
        self.work += outcome.counters.work as f64;
        self.critical += outcome.critical as f64;
        self.dropped += outcome.counters.dropped as f64;
        self.cutoffs += outcome.statistics.cutoffs as f64;
        self.first += outcome.statistics.first_move_cutoffs as f64;
    }

    fn line(&self, alone: &Sums, processors: u32, node: u64) -> String {
        let count = f64::from(processors);
        format!(
            "{processors:>6} {:>9.0} {:>10.0} {:>8.2} {:>7.2} {:>7.2} {:>7.2} {:>9.1} {:>6.2} {:>6.2}",
            alone.nodes,
            self.nodes,
            alone.time / self.time,
            100.0 * self.worked / (self.time * count),
            100.0 * (self.nodes / alone.nodes - 1.0),
            100.0 * self.nodes * node as f64 / self.worked,
            self.work / self.critical,
            100.0 * self.dropped / self.work,
            100.0 * self.first / self.cutoffs
        )
    }
}

impl Order {
    fn carry_out<E: Evaluator<JitGame>>(&self, game: &JitGame, evaluator: &E) {
        let node = self.machine.prices.node;
        println!(
            "{:>10} {:>6} {:>9} {:>10} {:>8} {:>7} {:>7} {:>7} {:>9} {:>6} {:>6}",
            "position", "P", "nodes", "parallel", "SPE", "LOAD", "SOVHD", "PERF", "W/C", "LOST", "FIRST"
        );
        let mut alone = Sums::default();
        let mut together = vec![Sums::default(); self.processors.len()];
        for &(number, depth) in &self.positions {
            let one = self.run(game, evaluator, number, depth, 1);
            let mut base = Sums::default();
            base.add(&one);
            alone.add(&one);
            for (&count, sums) in self.processors.iter().zip(&mut together) {
                let many =
                    if count == 1 { one.clone() } else { self.run(game, evaluator, number, depth, count) };
                assert_eq!(one.value, many.value, "the value of the root does not depend on processors");
                let mut own = Sums::default();
                own.add(&many);
                sums.add(&many);
                println!("{:>10} {}", format!("{number}:{depth}"), own.line(&base, count, node));
            }
        }
        for (&count, sums) in self.processors.iter().zip(&together) {
            println!("{:>10} {}", "all", sums.line(&alone, count, node));
        }
        if let Some(file) = &self.svg {
            let own = self.processors.iter().zip(&together);
            let mut points = vec![(1.0, 1.0)];
            points.extend(own.map(|(&count, sums)| (f64::from(count), alone.time / sums.time)));
            std::fs::write(file, curve(points)).expect("a file that can be written");
        }
    }

    fn run<E: Evaluator<JitGame>>(
        &self,
        game: &JitGame,
        evaluator: &E,
        number: usize,
        depth: u32,
        processors: u32,
    ) -> Outcome<<JitGame as Game>::Move> {
        let position = parse_position(game.description(), POSITIONS[number - 1]).expect("a position");
        let root = Root::new(game, game.position(&position));
        let policy = self.policy.messages().expect("a policy of workers");
        // One processor searches the same nodes in whatever pieces, sooner in one.
        let grain = if processors == 1 { depth } else { self.setup.grain };
        let shared = if self.setup.memory == Memory::Shared { processors as usize } else { 1 };
        let experiment = Experiment {
            processors,
            options: &self.options,
            setup: Setup { policy, grain, ..self.setup },
            depth,
            machine: self.machine,
            faults: Faults::default(),
            seed: self.seed,
            entries: ENTRIES * shared,
            spans: false,
        };
        simulate(game, evaluator, &root, &experiment, &mut |_, _| true, &|| ()).expect("it runs")
    }
}

fn curve(points: Vec<(f64, f64)>) -> String {
    let ideal = points.iter().map(|&(count, _)| (count, count)).collect();
    let series = [
        Series { name: "simulated", points },
        Series { name: "ZUGZWANG, 8 plies", points: ZUGZWANG.to_vec() },
        Series { name: "ideal", points: ideal },
    ];
    let axes = Axes {
        title: "Bratko-Kopec positions on Transputers: speedup",
        x: "processors",
        y: "speedup",
        logarithmic: true,
        steps: false,
    };
    lines(&axes, &series)
}
