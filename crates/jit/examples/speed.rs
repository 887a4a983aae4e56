//! How long a bundled game takes to compile, and how fast its native code counts:
//! `speed NAME DEPTH [POSITION]`. Of several runs the best counts, so that the figures mean something on a
//! machine with other work.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "an example is a program")]

use std::time::Instant;

use multigame_compiler::{Options, compile};
use multigame_game::{Game, parse_position, perft};
use multigame_jit::JitGame;

const RUNS: u32 = 15;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or("chess".to_string());
    let depth = arguments.next().map_or(4, |depth| depth.parse().expect("a depth"));
    let path = format!("{}/../../games/{name}/rules.mg", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a bundled game");
    let program =
        compile(&text, &Options { name, ..Options::default() }).program.expect("rules without errors");
    let begin = Instant::now();
    let module = multigame_mir::lower(&program).expect("rules that can be lowered");
    let values: u32 = module.functions.iter().map(|function| function.values).sum();
    println!(
        "lowered in {:?}: {} functions, {values} values, {} words, results may repeat: {}",
        begin.elapsed(),
        module.functions.len(),
        module.layout.words(),
        module.may_repeat
    );
    let begin = Instant::now();
    let game = JitGame::new(program).expect("rules that can be compiled");
    println!("lowered and translated in {:?}", begin.elapsed());
    let start = match arguments.next() {
        Some(text) => game.position(&parse_position(game.description(), &text).expect("a position")),
        None => game.initial(),
    };
    for depth in 1..=depth {
        let mut runs = (0..RUNS).map(|_| {
            let begin = Instant::now();
            let count = perft(&game, &start, depth).expect("rules without errors");
            (begin.elapsed(), count)
        });
        let first = runs.next().expect("at least one run");
        let (time, count) = runs.fold(first, |best, run| best.min(run));
        println!("{depth} {count} {time:?} {:.1} M/s", count as f64 / time.as_secs_f64() / 1e6);
    }
    println!("{} positions were interpreted", game.interpreted());
}
