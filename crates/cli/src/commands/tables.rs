//! `multigame tables`: pattern databases of a puzzle.

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use multigame_game::Game;
use multigame_loader::WithGame;
use multigame_player::{TableMaker, TablesTask, save_tables};
use multigame_progress::Progress;
use multigame_search::patterns::{Costs, PatternDatabase};

use crate::arguments::threads_parser;
use crate::chores::Chore;
use crate::{interrupt, load};

/// Make the pattern databases that a puzzle declares as abstractions.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: load::GameArguments,
    /// Where to write them; `GAME.tables` if not given
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Databases made at the same time, on each rank of a job
    #[arg(long, default_value_t = 1, value_parser = threads_parser())]
    threads: u32,
}

/// Writes the databases and says how large they are.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    load::with_game(&arguments.game, arguments)
}

impl WithGame for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let description = game.description();
        let puzzle = game.puzzle().context(
            "tables need a puzzle without properties whose `goal` is one `match` of the whole board",
        )?;
        if puzzle.abstractions.is_empty() {
            bail!("these rules declare no abstractions; add `abstractions {{ NAME : PIECE, PIECE ... }}`");
        }
        interrupt::catch()?;
        let thinking = interrupt::thinking();
        let farm = Chore::Tables(TablesTask).farm(self.threads as usize);
        let progress = Mutex::new((0, Progress::open_ended("positions")));
        let shown = || progress.lock().unwrap_or_else(PoisonError::into_inner);
        let met = |more| {
            let (count, progress) = &mut *shown();
            *count += more;
            progress.at(*count);
        };
        let maker = TableMaker {
            threads: self.threads as usize,
            farm: farm.as_ref(),
            stop: interrupt::flag(),
            met: &met,
        };
        let made =
            maker.make(&game, &puzzle, &mut |pattern, time| shown().1.aside(|| tell(pattern, time)))?;
        drop((progress, thinking));
        let patterns = made.context("stopped before all tables were made; nothing was written")?;
        let output = self.output.clone().unwrap_or_else(|| format!("{}.tables", description.name).into());
        save_tables(&output, &game, &patterns)?;
        writeln!(std::io::stdout(), "written to `{}`", output.display())?;
        Ok(())
    }
}

/// A line about a database.
fn tell(pattern: &PatternDatabase, time: Duration) -> anyhow::Result<()> {
    let (greatest, average) = pattern.summary();
    let counted = if pattern.costs() == Costs::Own { "own moves" } else { "all moves" };
    writeln!(
        std::io::stdout(),
        "{:<12} {} pieces  {:>10} entries of {} bits  {counted}  greatest {greatest}  average {average:.2}  \
         time {:.1}",
        pattern.abstraction().name,
        pattern.abstraction().kept.len(),
        pattern.entries(),
        pattern.width(),
        time.as_secs_f64(),
    )?;
    Ok(())
}
