//! `multigame search`: what the computer thinks about a position.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use multigame_game::{Game, Line, Task, position_text};
use serde_json::json;

use crate::{PositionArguments, output};
use multigame_player::{
    CrewReport, LimitArguments, Progress, SearchArguments, Thought, Wish, crew_text, interrupt,
    iteration_text, line_names, outcome_text, value_text,
};
use multigame_simulator::plot;

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

impl Task for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let position = self.position.position(&game)?;
        if let Some(outcome) = game.outcome(&position)? {
            let outcome = outcome_text(game.description(), outcome);
            bail!("there is nothing to search, the game is over: {outcome}; give another `--position`");
        }
        let mut player = self.search.player(&game, self.limits.limits().or_usual())?;
        if self.trace.is_some() && player.options().threads < 2 {
            bail!("`--trace` tells what threads do, and there is only one; add `--threads 2`");
        }
        interrupt::catch()?;
        let line = Line::new(&game, position);
        let mut out = std::io::stdout().lock();
        let mut iterations = Vec::new();
        let mut failure = None;
        let mut report = |progress: &Progress<'_, G::Move>| {
            if !progress.finished {
                return;
            }
            let names = line_names(&game, line.position(), progress.pv, LONGEST_LINE).unwrap_or_default();
            if self.json {
                iterations.push(iteration_json(progress, &names));
            } else if let Err(error) = writeln!(out, "{}", iteration_text(progress, &names)) {
                failure = Some(error);
            }
        };
        let _thinking = interrupt::Thinking::begin();
        let wish = Wish { trace: self.trace.is_some(), ..Wish::default() };
        let thought = player.search_for(&line, wish, &mut report)?;
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
                "value": value_text(thought.bounds),
                "number": thought.value.number(),
                "depth": thought.depth,
                "finished": thought.finished,
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
        if !thought.finished || thought.depth == 0 || thought.engine.is_for_puzzles() {
            let progress = Progress::<M> {
                depth: thought.depth,
                finished: true,
                bounds: thought.bounds,
                pv: &[],
                line: 0,
                fullness: None,
                statistics: &thought.statistics,
                time: thought.time,
            };
            let shown = &names[..names.len().min(LONGEST_LINE)];
            writeln!(out, "{}", iteration_text(&progress, shown))?;
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
            None if thought.bounds.upper.is_loss() => writeln!(out, "no solution")?,
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
    json!({
        "policy": crew.policy.to_string(),
        "load": crew.load(),
        "work": crew.work,
        "critical": crew.critical,
        "each": hands,
    })
}

fn iteration_json<M>(progress: &Progress<'_, M>, names: &[String]) -> serde_json::Value {
    json!({
        "depth": progress.depth,
        "value": value_text(progress.bounds),
        "nodes": progress.statistics.nodes,
        "seconds": progress.time.as_secs_f64(),
        "pv": names,
    })
}
