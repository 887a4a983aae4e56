//! Solves a game whose rules are a text of this program.

#![allow(clippy::print_stdout, reason = "an example is a program")]

use multigame::{Game, JitGame, Line, Solving, result_text};

const RULES: &str = include_str!("../games/tic-tac-toe/rules.mg");

fn main() -> anyhow::Result<()> {
    let program = multigame::rules_of_text("tic-tac-toe", RULES, &[])?;
    let game = JitGame::new(program)?;
    let line = Line::new(&game, game.initial());
    let solution = multigame::solve(&line, &Solving { table_mib: 1, ..Solving::default() })?;
    let side = game.side_to_move(line.position());
    let result = result_text(game.description(), side, solution.proved);
    println!("{}", result.as_deref().unwrap_or("not solved"));
    assert_eq!(result.as_deref(), Some("draw"));
    // Mistakes in rules are reported with their places.
    let mistake = multigame::rules_of_text("mistake", "game {", &[]).map(|_| ()).unwrap_err();
    println!("{mistake}");
    assert!(mistake.to_string().contains("error"));
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_runs() {
        super::main().unwrap();
    }
}
