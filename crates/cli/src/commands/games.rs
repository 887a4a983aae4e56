//! `multigame games`: what comes with the program.

use std::io::Write;

use clap::Args;
use clap::builder::PossibleValuesParser;
use multigame_game::{Game, Topology};
use multigame_ir::RulesGame;
use multigame_loader::{Length, bundled, compile, source};

use crate::output;

/// List the bundled games.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Only games of this family
    #[arg(long, value_parser = PossibleValuesParser::new(bundled::FAMILIES))]
    family: Option<String>,

    /// Only games for this number of players; puzzles have one
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=2))]
    players: Option<u8>,

    /// Only games on boards of this kind
    #[arg(long, value_parser = PossibleValuesParser::new(["square", "hex", "graph"]))]
    topology: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What a list shows of a game.
struct Entry {
    name: String,
    family: String,
    players: u8,
    topology: &'static str,
    columns: u32,
    rows: u32,
    lines: usize,
    about: String,
}

impl Arguments {
    fn wants(&self, entry: &Entry) -> bool {
        self.family.as_ref().is_none_or(|family| *family == entry.family)
            && self.players.is_none_or(|players| players == entry.players)
            && self.topology.as_ref().is_none_or(|topology| topology == entry.topology)
    }
}

/// Prints one line for each bundled game that is wanted.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut list = Vec::new();
    for name in bundled::names() {
        let family = bundled::family(&name).unwrap_or_default();
        if arguments.family.as_ref().is_none_or(|wanted| *wanted == family) {
            list.extend(entry(name, family)?.filter(|entry| arguments.wants(entry)));
        }
    }
    if arguments.json {
        let value = list.iter().map(|entry| {
            serde_json::json!({
                "name": entry.name, "family": entry.family, "players": entry.players, "topology": entry.topology,
                "columns": entry.columns, "rows": entry.rows, "lines": entry.lines, "about": entry.about,
            })
        });
        return output::json(&value.collect());
    }
    anyhow::ensure!(!list.is_empty(), "no bundled game is like that: `multigame games` lists all of them");
    let width = |text: fn(&Entry) -> &str| list.iter().map(|entry| text(entry).len()).max().unwrap_or(0);
    let (names, families) = (width(|entry| &entry.name), width(|entry| &entry.family));
    let mut out = std::io::stdout().lock();
    for Entry { name, family, players, columns, rows, lines, about, .. } in &list {
        let players = if *players == 1 { "puzzle   " } else { "2 players" };
        let board = format!("{columns}x{rows}");
        writeln!(out, "{name:names$}  {family:families$}  {players}  {board:>6}  {lines:>3} lines  {about}")?;
    }
    Ok(())
}

/// What is shown of a game; `None` if its rules are wrong.
fn entry(name: String, family: String) -> anyhow::Result<Option<Entry>> {
    let source = source(&name)?;
    let lines = Length::of(&source.text).lines;
    let about = source.text.lines().next().unwrap_or("").trim_start_matches('#').trim().to_string();
    let Some(program) = compile(&source, &[]).program else { return Ok(None) };
    let game = RulesGame::new(program);
    let description = game.description();
    let board = &description.board;
    Ok(Some(Entry {
        name,
        family,
        players: description.players,
        topology: match board.topology() {
            Topology::Square => "square",
            Topology::Hex => "hex",
            Topology::Graph => "graph",
        },
        columns: u32::from(board.columns()),
        rows: u32::from(board.rows()),
        lines,
        about,
    }))
}
