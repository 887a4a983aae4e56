//! `multigame search`: what the computer thinks about a position.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use multigame_game::{Line, Portable, WithGame, notation, position_text};
use multigame_player::{
    CrewReport, Progress, Thought, Wish, crew_text, iteration_text, line_names, live_text, outcome_text,
    value_text,
};
use multigame_progress::Progress as Display;
use multigame_simulator::plot;
use serde_json::json;

use crate::arguments::{LimitArguments, PositionArguments, SearchArguments};
use crate::{interrupt, output};

/// Lines are shown up to this length.
const LONGEST_LINE: usize = 24;

/// Search a position for the best move.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    #[command(flatten)]
    search: SearchArguments,
    #[command(flatten)]
    limits: LimitArguments,
    /// Also print what was counted
    #[arg(long, visible_alias = "stats")]
    statistics: bool,
    /// Write when each thread worked to FILE, for Perfetto or Chrome
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl WithGame for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Portable>(self, game: G) -> anyhow::Result<()> {
        let position = self.position.position(&game)?;
        if let Some(outcome) = game.outcome(&position)? {
            let outcome = outcome_text(game.description(), outcome);
            bail!("there is nothing to search, the game is over: {outcome}; give another `--position`");
        }
        let mut player = self.search.player(&game, self.limits.limits().or_usual())?;
        if self.trace.is_some() && player.configuration().threads < 2 && !player.uses_others() {
            bail!("`--trace` tells what threads do, and there is only one; add `--threads 2`");
        }
        interrupt::catch()?;
        let line = Line::new(&game, position);
        let mut out = std::io::stdout().lock();
        let mut iterations = Vec::new();
        let mut failure = None;
        // One line for all ranks, between those of the iterations.
        let mut display = (multigame_progress::is_live() && !self.json).then(Display::news);
        let mut known = (String::from("?"), String::new());
        let mut report = |progress: &Progress<'_, G::Move>| {
            if !progress.finished {
                if let Some(display) = &mut display {
                    display.say(&live_text(progress, &known.0, &known.1));
                }
                return;
            }
            let names = line_names(&game, line.position(), progress.pv, LONGEST_LINE).unwrap_or_default();
            known = (value_text(progress.bounds, progress.proved), notation::listed(&names));
            if self.json {
                iterations.push(iteration_json(progress, &names));
                return;
            }
            let mut tell = || writeln!(out, "{}", iteration_text(progress, &names));
            let told = match &display {
                Some(display) => display.aside(tell),
                None => tell(),
            };
            failure = told.err().or(failure.take());
        };
        let _thinking = interrupt::thinking();
        let wish = Wish { trace: self.trace.is_some(), ..Wish::default() };
        let thought = player.search_for(&line, wish, &mut report);
        drop(display);
        let thought = thought?;
        if let Some(error) = failure {
            return Err(error.into());
        }
        if let (Some(file), Some(crew)) = (&self.trace, &thought.crew) {
            output::write(file, &plot::chrome_trace(crew.spans.iter().copied()))?;
        }
        let names = line_names(&game, line.position(), &thought.pv, usize::MAX)?;
        if self.json {
            let statistics: serde_json::Map<String, serde_json::Value> =
                thought.statistics.entries().map(|(name, count)| (name.to_string(), count.into())).collect();
            return output::json(&json!({
                "game": game.description().name,
                "position": position_text(game.description(), &game.diagram(line.position())),
                "engine": thought.engine.to_string(),
                "iterations": iterations,
                "best": names.first(),
                "pv": names,
                "value": value_text(thought.bounds, thought.proved),
                "number": thought.value.number(),
                "depth": thought.depth,
                "finished": thought.finished,
                "proved": thought.proved.decides(),
                "nodes": thought.statistics.nodes,
                "seconds": thought.time.as_secs_f64(),
                "statistics": statistics,
                "threads": thought.crew.as_ref().map(crew_json),
            }));
        }
        self.finish(&thought, &names, &mut out)
    }
}

impl Arguments {
    /// What is not said by the iterations, and the best move.
    fn finish<M>(&self, thought: &Thought<M>, names: &[String], out: &mut dyn Write) -> anyhow::Result<()> {
        // A stopped iteration may have found something better; other engines know no iterations.
        if !thought.reported || thought.depth == 0 || thought.engine.is_for_puzzles() {
            let shown = &names[..names.len().min(LONGEST_LINE)];
            writeln!(out, "{}", iteration_text(&thought.progress(), shown))?;
        }
        if self.statistics {
            for (name, count) in thought.statistics.entries().filter(|&(_, count)| count > 0) {
                writeln!(out, "{:<18} {count}", name.replace('_', " "))?;
            }
        }
        if let Some(crew) = thought.crew.as_ref().filter(|_| self.statistics) {
            write!(out, "{}", crew_text(crew))?;
        }
        match names.first() {
            Some(best) => writeln!(out, "best {best}")?,
            None if thought.engine.knows_chance() => writeln!(out, "nobody chooses: nature moves")?,
            None if thought.proved.is_loss() => writeln!(out, "no solution")?,
            None => bail!("no solution found within the limits; give more `--time` or `--depth`"),
        }
        Ok(())
    }
}

fn crew_json(crew: &CrewReport) -> serde_json::Value {
    let hands: Vec<_> = crew
        .hands
        .iter()
        .map(|hand| {
            let counters: serde_json::Map<String, serde_json::Value> =
                hand.counters.entries().map(|(name, count)| (name.to_string(), count.into())).collect();
            json!({ "nodes": hand.statistics.nodes, "idle": hand.idle.as_secs_f64(), "counters": counters })
        })
        .collect();
    let processes: Vec<_> = crew
        .processes
        .iter()
        .map(|(name, traffic)| {
            let letters: serde_json::Map<String, serde_json::Value> =
                traffic.letters.iter().map(|(kind, count)| (kind.clone(), (*count).into())).collect();
            json!({ "name": name, "messages": traffic.messages, "bytes": traffic.bytes, "letters": letters })
        })
        .collect();
    json!({
        "policy": crew.policy.map(|policy| policy.to_string()),
        "load": crew.load(),
        "work": crew.work,
        "critical": crew.critical,
        "each": hands,
        "processes": processes,
    })
}

fn iteration_json<M>(progress: &Progress<'_, M>, names: &[String]) -> serde_json::Value {
    json!({
        "depth": progress.depth,
        "value": value_text(progress.bounds, progress.proved),
        "nodes": progress.statistics.nodes,
        "seconds": progress.time.as_secs_f64(),
        "pv": names,
    })
}
