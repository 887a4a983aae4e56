//! Lists the moves of a bundled game and counts positions: `cargo run --release --example moves -- othello`.

#![allow(clippy::print_stdout, reason = "an example is a program")]

use multigame::{Game, JitGame, notation, perft};

fn main() -> anyhow::Result<()> {
    run(&std::env::args().nth(1).unwrap_or_else(|| "othello".to_string()))
}

fn run(name: &str) -> anyhow::Result<()> {
    let game = JitGame::new(multigame::rules(name, &[])?)?;
    let start = game.initial();
    for named in notation::names(&game, &start)? {
        println!("{}", named.name);
    }
    for depth in 1..=4 {
        println!("{depth} moves: {} ways", perft(&game, &start, depth)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_runs() {
        super::run("othello").unwrap();
    }
}
