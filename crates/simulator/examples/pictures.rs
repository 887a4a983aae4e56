//! The pictures of docs/parallel.md that one run each is enough for.
//!
//!     cargo run --release -p multigame-simulator --example pictures -- FOLDER
//!
//! `busy.svg`: how many of 64 Transputers work on a Bratko-Kopec position. `timeline.svg`: who of 8 does what when.

#[path = "support/chess.rs"]
mod chess;
#[path = "support/positions.rs"]
mod positions;

use chess::{Exchanges, chess};
use multigame_game::{Game, parse_position};
use multigame_jit::JitGame;
use multigame_parallel::{Memory, Setup};
use multigame_search::{Options, Root};
use multigame_simulator::{Experiment, Faults, Machine, Outcome, plot, simulate};
use positions::POSITIONS;

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let write = |name: &str, text: String| {
        std::fs::write(format!("{folder}/{name}"), text).expect("a folder to write to")
    };
    let game = chess();
    let busy = run(&game, 6, 64);
    write(
        "busy.svg",
        plot::profile("Position 12, 6 plies: busy Transputers of 64", &busy.profile, busy.time),
    );
    let few = run(&game, 3, 8);
    let title = "Position 12, 3 plies: who does what when";
    write("timeline.svg", plot::timeline(title, &few.spans, 8, few.time));
}

fn run(game: &JitGame, depth: u32, processors: u32) -> Outcome<<JitGame as Game>::Move> {
    let position = parse_position(game.description(), POSITIONS[11]).expect("a position");
    let options = Options { depth_exact: true, evaluation_cache: 0, ..Options::default() };
    let memory = Memory::Partitioned { least_depth: 1, combine: 1 };
    let experiment = Experiment {
        processors,
        options: &options,
        setup: Setup { memory, merge_history: true, ..Setup::fine(Setup::default().policy) },
        depth,
        machine: Machine::named("transputer").expect("a network"),
        faults: Faults::default(),
        seed: 1,
        entries: 160_000,
        spans: processors <= 8,
    };
    let root = Root::new(game, game.position(&position));
    simulate(game, &Exchanges::new(game), &root, &experiment, &mut |_, _| true, &|| ()).expect("it runs")
}
