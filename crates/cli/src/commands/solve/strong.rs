//! `multigame solve --strong`: the values of all positions that can be reached.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use multigame_endgame::{Conditions, finished, save_whole, solve_strongly, summary};
use multigame_game::Game;
use multigame_loader::WithGame;
use multigame_player::check_memory;
use serde_json::json;

use super::Arguments;
use crate::arguments::note_threads;
use crate::commands::endgame::look::summary_text;
use crate::commands::endgame::{Stages, standing_text};
use crate::{interrupt, output};

pub(super) struct Solve<'a> {
    pub arguments: &'a Arguments,
}

impl WithGame for Solve<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let (arguments, description) = (self.arguments, game.description());
        let position = arguments.position.position(&game)?;
        let threads = arguments.threads.unwrap_or(1);
        check_memory(arguments.table as usize)?;
        note_threads(threads);
        interrupt::catch()?;
        let thinking = interrupt::thinking();
        let (start, mut stages) = (Instant::now(), Stages::default());
        let mut conditions = Conditions {
            threads: threads as usize,
            memory: u64::from(arguments.table) << 20,
            option: "--table",
            stop: interrupt::flag(),
            tell: &mut |stage, done, of| stages.at(stage, done, of),
        };
        let solved = solve_strongly(&game, &position, &mut conditions)?;
        stages.end();
        drop(thinking);
        let table = solved.context("stopped before all positions were known; nothing was written")?;
        let seconds = start.elapsed().as_secs_f64();
        let default = || PathBuf::from(format!("{}.solution", description.name));
        let path = arguments.output.clone().unwrap_or_else(default);
        let bytes = save_whole(&path, &game, &table)?;
        let (summary, ended) = (summary(&game, &table), finished(&game, &table)?);
        let entries = table.entries() as u64;
        let value = multigame_endgame::Endgames::new(description, Default::default(), Some(table.into()))
            .probe(&game, &position);
        let reached = entries + ended.iter().sum::<u64>();
        if arguments.json {
            return output::json(&json!({
                "game": description.name,
                "standing": value,
                "positions": reached,
                "white to move": summary.counts[0],
                "black to move": summary.counts[1],
                "ended by a move": ended,
                "file": path.display().to_string(),
                "bytes": bytes,
                "seconds": seconds,
            }));
        }
        let mut out = std::io::stdout().lock();
        let value = value.map(standing_text).unwrap_or_default();
        writeln!(out, "{} {value}", game.side_to_move(&position))?;
        write!(out, "{}", summary_text("reachable", &summary))?;
        let [white, draws, black] = ended;
        writeln!(out, "  ended by the last move: {white} won by white, {draws} drawn, {black} won by black")?;
        writeln!(out, "{reached} positions  {seconds:.1} s  {bytes} bytes in `{}`", path.display())?;
        Ok(())
    }
}
