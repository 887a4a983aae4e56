//! `multigame endgame plan`: slices, sizes and order.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use multigame_endgame::{Anatomy, Planned, SAMPLES};
use multigame_game::Game;
use multigame_loader::WithGame;
use serde_json::json;

use super::SliceArguments;
use crate::{load, output};

/// Show the slices, their order and sizes before anything is made.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) game: load::GameArguments,
    #[command(flatten)]
    slices: SliceArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl WithGame for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let (anatomy, description) = (Anatomy::of(&game)?, game.description());
        let wanted = self.slices.wanted(&anatomy, description)?;
        let start = Instant::now();
        let plan = anatomy.plan(&wanted)?;
        // Making a slice runs the rules once for each number, which takes four fifths of the time.
        let each = 1.25 * start.elapsed().as_secs_f64() / (plan.len() * SAMPLES) as f64;
        let name = |planned: &Planned| planned.material.name(description);
        let needs = |planned: &Planned| -> Vec<String> {
            planned.needs.iter().map(|need| need.name(description)).collect()
        };
        let entries: u64 = plan.iter().map(|planned| planned.entries).sum();
        let most = plan.iter().map(Planned::memory).max().unwrap_or(0);
        let seconds = entries as f64 * each;
        if self.json {
            let slice = |planned: &Planned| {
                json!({
                    "slice": name(planned),
                    "entries": planned.entries,
                    "memory": planned.memory(),
                    "needs": needs(planned),
                    "seconds": planned.entries as f64 * each,
                })
            };
            return output::json(&json!({
                "game": description.name,
                "slices": plan.iter().map(slice).collect::<Vec<_>>(),
                "entries": entries,
                "memory": most,
                "seconds": seconds,
            }));
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{:<12} {:>13} {:>10}  needs", "slice", "entries", "MiB")?;
        for planned in &plan {
            let memory = planned.memory().div_ceil(1 << 20);
            writeln!(
                out,
                "{:<12} {:>13} {memory:>10}  {}",
                name(planned),
                planned.entries,
                needs(planned).join(" ")
            )?;
        }
        let memory = (most + entries).div_ceil(1 << 20);
        writeln!(
            out,
            "{} slices  {entries} entries  about {memory} MiB of memory  about {seconds:.0} s on one thread",
            plan.len()
        )?;
        Ok(())
    }
}
