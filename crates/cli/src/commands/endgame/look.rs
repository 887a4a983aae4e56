//! `multigame endgame verify`, `statistics` and `probe`: what finished slices say.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use multigame_charts::{Axis, Chart, Tone};
use multigame_endgame::{
    Anatomy, Conditions, Endgames, Material, Summary, Table, load_endgames, load_folder, summary, verify,
};
use multigame_game::{Game, notation, parse_position, position_text};
use multigame_loader::WithGame;
use serde_json::json;

use super::{FolderArguments, Stages, standing_text};
use crate::arguments::{PositionArguments, threads_parser};
use crate::{interrupt, load, output};

/// Most moves of a line.
const LONGEST_LINE: usize = 1000;

/// Prove all values: each has to follow from those of its moves.
#[derive(Debug, Args)]
pub struct VerifyArguments {
    #[command(flatten)]
    pub(super) game: load::GameArguments,
    #[command(flatten)]
    folder: FolderArguments,
    /// Only these slices
    #[arg(long = "slice", value_name = "NAME", value_delimiter = ',')]
    slices: Vec<String>,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = threads_parser())]
    threads: u32,
}

impl WithGame for &VerifyArguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let (anatomy, description) = (Anatomy::of(&game)?, game.description());
        let folder = self.folder.folder(description);
        let tables = load_folder(&folder, &game)?;
        let mut chosen = chosen(tables.values(), &self.slices, &game)?;
        chosen.sort_by_key(|table| table.entries());
        interrupt::catch()?;
        let _thinking = interrupt::thinking();
        for table in chosen {
            let mut stages = Stages::default();
            let mut conditions = Conditions {
                threads: self.threads as usize,
                memory: u64::MAX,
                option: "--memory",
                stop: interrupt::flag(),
                tell: &mut |stage, done, of| stages.at(stage, done, of),
            };
            let proved = verify(&game, table, anatomy.survey(), &tables, &mut conditions)?;
            stages.end();
            let Some(positions) = proved else { bail!("stopped before all values were proved") };
            writeln!(std::io::stdout(), "{:<12} {positions:>11} positions proved", name(table, &game))?;
        }
        Ok(())
    }
}

fn name<G: Game>(table: &Table, game: &G) -> String {
    table.material().map(|material| material.name(game.description())).unwrap_or_default()
}

/// The tables of slices with these names; all where none is given.
fn chosen<'t, G: Game>(
    tables: impl Iterator<Item = &'t Arc<Table>>,
    names: &[String],
    game: &G,
) -> anyhow::Result<Vec<&'t Table>> {
    let all: Vec<&Table> = tables.map(|table| &**table).collect();
    if all.is_empty() {
        bail!("the folder has no endgames; `multigame endgame make` makes them");
    }
    if names.is_empty() {
        return Ok(all);
    }
    let find = |text: &String| {
        let material = Material::parse(game.description(), text)?;
        match all.iter().find(|table| table.material() == Some(&material)) {
            Some(table) => Ok(*table),
            None => {
                bail!("the slice `{text}` is not there; `multigame endgame make --slice {text}` makes it")
            }
        }
    };
    names.iter().map(find).collect()
}

/// Count wins, draws and losses, and show the longest wins with their moves.
#[derive(Debug, Args)]
pub struct StatisticsArguments {
    #[command(flatten)]
    pub(super) game: load::GameArguments,
    #[command(flatten)]
    folder: FolderArguments,
    /// Only these slices
    #[arg(long = "slice", value_name = "NAME", value_delimiter = ',')]
    slices: Vec<String>,
    /// Draw how many positions are won in how many plies
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl WithGame for &StatisticsArguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let folder = self.folder.folder(game.description());
        let tables = load_folder(&folder, &game)?;
        let mut chosen = chosen(tables.values(), &self.slices, &game)?;
        chosen.sort_by_key(|table| (table.material().map(Material::total), name(table, &game)));
        let summaries = chosen.iter().map(|table| (name(table, &game), summary(&game, table)));
        let summaries: Vec<(String, Summary)> = summaries.collect();
        if let Some(file) = &self.plot {
            output::write(file, &plot(&summaries).svg())?;
        }
        let endgames = Endgames::new(game.description(), tables.clone(), None);
        if self.json {
            let each = summaries.iter().map(|(name, summary)| {
                let mut json = summary_json(name, summary);
                for (side, longest) in ["white", "black"].into_iter().zip(&summary.longest) {
                    if let Some((_, position)) = longest {
                        json["longest"][side]["moves"] = json!(best_line(&game, &endgames, position)?);
                    }
                }
                Ok(json)
            });
            return output::json(&each.collect::<anyhow::Result<serde_json::Value>>()?);
        }
        let mut out = std::io::stdout().lock();
        for (name, summary) in &summaries {
            write!(out, "{}", summary_text(name, summary))?;
            for (_, position) in summary.longest.iter().flatten() {
                let moves = best_line(&game, &endgames, position)?;
                writeln!(out, "  from `{position}`: {}", notation::listed(&moves))?;
            }
        }
        Ok(())
    }
}

/// The names of best moves from a position to the end of the game, or as far as slices are there.
fn best_line<G: Game>(game: &G, endgames: &Endgames, position: &str) -> anyhow::Result<Vec<String>> {
    let mut position = game.position(&parse_position(game.description(), position)?);
    let mut names = Vec::new();
    // Where margins count, best moves may lead round in a circle.
    while names.len() < LONGEST_LINE {
        let moves = endgames.moves(game, &position)?;
        let Some((mv, Some(_))) = moves.first() else { break };
        names.push(notation::name_of(game, &position, mv)?);
        let before = position.clone();
        game.apply(&before, mv, &mut position);
    }
    Ok(names)
}

/// How many positions are won in how many plies, or by how much.
fn plot(summaries: &[(String, Summary)]) -> Chart {
    let scored = summaries.iter().any(|(_, summary)| summary.scored);
    let (title, across) = match scored {
        true => ("positions won by a margin", "margin"),
        false => ("positions won in a number of plies", "plies"),
    };
    let mut chart = Chart::new(title, Axis::linear(across), Axis::linear("positions"));
    let mut number = 0;
    for (name, summary) in summaries {
        for (side, counts) in ["white", "black"].into_iter().zip(&summary.spread) {
            if counts.iter().all(|&count| count == 0) {
                continue;
            }
            let points = counts.iter().enumerate().map(|(plies, &count)| (plies as f64, count as f64));
            chart = chart.line(&format!("{name}, {side} wins"), Tone::nth(number), points.collect());
            number += 1;
        }
    }
    chart
}

/// A block of lines about a table.
pub(crate) fn summary_text(name: &str, summary: &Summary) -> String {
    let mut text = format!("{name}  {} positions\n", summary.positions());
    for (side, [won, drawn, lost]) in ["white", "black"].into_iter().zip(summary.counts) {
        text += &format!("  {side} to move: {won} won, {drawn} drawn, {lost} lost\n");
    }
    for (side, longest) in ["white", "black"].into_iter().zip(&summary.longest) {
        if let Some((plies, position)) = longest {
            if summary.scored {
                text += &format!("  {side} wins by at most {plies}: {position}\n");
                continue;
            }
            let moves = plies.div_ceil(2);
            text += &format!("  {side} needs at most {plies} plies ({moves} moves) to win: {position}\n");
        }
    }
    text
}

fn summary_json(name: &str, summary: &Summary) -> serde_json::Value {
    let counts = |[won, drawn, lost]: [u64; 3]| json!({"won": won, "drawn": drawn, "lost": lost});
    let longest = |side: usize| {
        let number = if summary.scored { "margin" } else { "plies" };
        summary.longest[side].as_ref().map(|(size, position)| json!({number: size, "position": position}))
    };
    json!({
        "slice": name,
        "positions": summary.positions(),
        "white to move": counts(summary.counts[0]),
        "black to move": counts(summary.counts[1]),
        "longest": {"white": longest(0), "black": longest(1)},
    })
}

/// Show the value of a position and of each of its moves.
#[derive(Debug, Args)]
pub struct ProbeArguments {
    #[command(flatten)]
    pub(super) game: load::GameArguments,
    #[command(flatten)]
    position: PositionArguments,
    /// The folder of the databases, or a file of `multigame solve --strong`; `GAME.endgames` if not given
    #[arg(long, value_name = "PATH")]
    endgames: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl WithGame for &ProbeArguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let description = game.description();
        let path = FolderArguments { endgames: self.endgames.clone() }.folder(description);
        let endgames = load_endgames(&path, &game)?;
        let position = self.position.position(&game)?;
        let text = position_text(description, &game.diagram(&position));
        let Some(standing) = endgames.probe(&game, &position) else {
            bail!(
                "`{text}` is not stored in `{}`; positions with other pieces, with castling rights and the \
                 like are not",
                path.display()
            )
        };
        let names = notation::names(&game, &position)?;
        let moves = endgames.moves(&game, &position)?;
        let named = moves.iter().map(|(mv, value)| {
            let name = names.iter().find(|named| game.move_key(&named.mv) == game.move_key(mv));
            (name.map_or("?", |named| &named.name), *value)
        });
        if self.json {
            let moves: Vec<_> = named.map(|(name, value)| json!({"move": name, "standing": value})).collect();
            return output::json(&json!({
                "game": description.name, "position": text, "standing": standing, "moves": moves,
            }));
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{} {}", game.side_to_move(&position), standing_text(standing))?;
        for (name, value) in named {
            writeln!(out, "  {name:<8} {}", value.map_or("not stored".to_string(), standing_text))?;
        }
        Ok(())
    }
}
