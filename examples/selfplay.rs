//! Lets the computer play a game against itself: `cargo run --release --example selfplay -- connect-4`.

#![allow(clippy::print_stdout, reason = "an example is a program")]

use std::sync::atomic::AtomicBool;

use multigame::{Configuration, Game, JitGame, Limits, Line, Player, Status, line_names, position_text};

fn main() -> anyhow::Result<()> {
    run(&std::env::args().nth(1).unwrap_or_else(|| "connect-4".to_string()))
}

fn run(name: &str) -> anyhow::Result<()> {
    let game = JitGame::new(multigame::rules(name, &[])?)?;
    let limits = Limits { nodes: Some(2000), ..Limits::default() };
    let stop = AtomicBool::new(false);
    let configuration = Configuration::playing().with("tt-size=4")?;
    let mut player = Player::new(&game, configuration, limits, &stop)?;
    let mut line = Line::new(&game, game.initial());
    while line.status()? == Status::Playing {
        let thought = player.think(&line, &mut |_| ())?;
        let Some(best) = thought.best else { break };
        println!("{}", line_names(&game, line.position(), std::slice::from_ref(&best), 1)?.join(" "));
        line.play(&best);
    }
    println!("{}", position_text(game.description(), &game.diagram(line.position())));
    println!("{:?}", line.status()?);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_runs() {
        super::run("connect-4").unwrap();
    }
}
