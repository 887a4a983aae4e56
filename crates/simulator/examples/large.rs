//! A large machine on a large tree: how long the simulator takes, and how much memory.
//!
//!     cargo run --release -p multigame-simulator --example large -- PROCESSORS WIDTH DEPTH ORDERED [POLICY] [GRAIN]

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "an example is a program")]

use std::time::Instant;

use multigame_game::Game;
use multigame_parallel::{Memory, PolicyKind, Setup};
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use multigame_search::{Options, Root};
use multigame_simulator::{Experiment, Faults, Machine, simulate};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |number: usize, usual: &str| arguments.get(number).cloned().unwrap_or(usual.to_string());
    let number = |place: usize, usual: &str| argument(place, usual).parse::<u32>().expect("a number");
    let (processors, width, depth, ordered) =
        (number(0, "1024"), number(1, "30"), number(2, "8"), number(3, "70"));
    let policy: PolicyKind = argument(4, "ybwc-1-2*").parse().expect("a policy");
    let (width, height) = (width as u16, depth as u16);
    let game = RandomTree::new(Shape { width, height, ordered, ..Shape::default() });
    let options = Options { depth_exact: true, evaluation_cache: 0, ..Options::default() };
    let machine = Machine::named("cluster").expect("a network");
    let setup = Setup::fine(policy.messages().expect("a policy of workers"));
    let memory = Memory::USUAL.from_depth(2);
    let experiment = Experiment {
        processors,
        options: &options,
        setup: Setup { memory, grain: number(5, "1"), ..setup },
        depth,
        machine,
        faults: Faults::default(),
        seed: 1,
        entries: 1 << 14,
        spans: false,
    };
    let root = Root::new(&game, game.initial());
    let start = Instant::now();
    let outcome = simulate(&game, &Guess, &root, &experiment, &mut |_, _| true, &|| ()).expect("it runs");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown").trim();
    let (nodes, work) = (outcome.statistics.nodes, outcome.counters.work as f64);
    println!("{processors} processors, {nodes} nodes, value {}", outcome.value);
    println!(
        "virtual {:.3} s, load {:.1} %, W/T {:.1}, W/C {:.1}, at most {} nodes in one worker's hands",
        outcome.time as f64 * 1e-9,
        outcome.load() * 100.0,
        work / outcome.time as f64,
        work / outcome.critical as f64,
        outcome.highest_stack
    );
    println!("real {:.1} s, {peak} of memory at most", start.elapsed().as_secs_f64());
}
