//! `multigame games`: what comes with the program.

use std::io::Write;

use clap::Args;
use multigame_game::Game;
use multigame_ir::RulesGame;
use multigame_loader::{bundled, compile, source};

use crate::output;

/// List the bundled games.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints one line for each bundled game.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut list = Vec::new();
    for name in bundled::names() {
        let source = source(&name)?;
        let lines = source.text.lines().filter(|line| is_rule_line(line)).count();
        let about = source.text.lines().next().unwrap_or("").trim_start_matches('#').trim().to_string();
        let Some(program) = compile(&source, &[]).program else { continue };
        let game = RulesGame::new(program);
        let description = game.description();
        let board = (description.board.columns(), description.board.rows());
        list.push((name, description.players, board, lines, about));
    }
    if arguments.json {
        let value = list.iter().map(|(name, players, board, lines, about)| {
            serde_json::json!({
                "name": name, "players": players, "columns": board.0, "rows": board.1, "lines": lines, "about": about,
            })
        });
        return output::json(&value.collect());
    }
    let width = list.iter().map(|entry| entry.0.len()).max().unwrap_or(0);
    let mut out = std::io::stdout().lock();
    for (name, players, board, lines, about) in list {
        let players = if players == 1 { "puzzle   " } else { "2 players" };
        let board = format!("{}x{}", board.0, board.1);
        writeln!(out, "{name:width$}  {players}  {board:>6}  {lines:>3} lines  {about}")?;
    }
    Ok(())
}

/// Blank lines and comments do not count.
fn is_rule_line(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}
