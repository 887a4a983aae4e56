//! `multigame tables`: pattern databases of a puzzle.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use multigame_game::Game;
use multigame_loader::WithGame;
use multigame_player::save_tables;
use multigame_progress::Progress;
use multigame_search::patterns::{Costs, build};

use crate::{interrupt, load};

/// Make the pattern databases that a puzzle declares as abstractions.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: load::GameArguments,
    /// Where to write them; `GAME.tables` if not given
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
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
        let mut patterns = Vec::new();
        for abstraction in &puzzle.abstractions {
            let start = Instant::now();
            let name = &abstraction.name;
            let mut progress = Progress::open_ended(&format!("positions of {name}"));
            let mut report = |positions| {
                progress.at(positions);
                !interrupt::INTERRUPT.take()
            };
            let pattern = build(&game, &puzzle, abstraction, &mut report)
                .with_context(|| format!("no table for the abstraction `{name}`"))?;
            drop(progress);
            let (greatest, average) = pattern.summary();
            let counted = if pattern.costs() == Costs::Own { "own moves" } else { "all moves" };
            writeln!(
                std::io::stdout(),
                "{name:<12} {} pieces  {:>10} entries of {} bits  {counted}  greatest {greatest}  average {average:.2}  time {:.1}",
                abstraction.kept.len(),
                pattern.entries(),
                pattern.width(),
                start.elapsed().as_secs_f64(),
            )?;
            patterns.push(pattern);
        }
        let output = self.output.clone().unwrap_or_else(|| format!("{}.tables", description.name).into());
        save_tables(&output, &game, &patterns)?;
        writeln!(std::io::stdout(), "written to `{}`", output.display())?;
        Ok(())
    }
}
