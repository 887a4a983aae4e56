//! `multigame perft`: counting the leaves of the game tree.

use std::io::Write;

use clap::Args;
use multigame_game::{Game, Task, notation, perft_making};
use multigame_player::{note_threads, threads_parser};
use multigame_threads::{divide, perft};

use crate::stopwatch::Stopwatch;
use crate::{PositionArguments, output};

/// Count the leaves of the game tree.
#[derive(Debug, Args)]
pub struct Arguments {
    /// How deep; every depth from 1 up to it is counted
    depth: u32,
    #[command(flatten)]
    position: PositionArguments,
    /// Also say how many leaves each move has at the last depth
    #[arg(long)]
    divide: bool,
    /// Make every position, the last ones too, instead of counting them: what a search has to pay for
    #[arg(long, conflicts_with_all = ["divide", "threads"])]
    make: bool,
    /// Threads to count on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads_parser())]
    threads: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Task for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let arguments = self;
        let position = arguments.position.position(&game)?;
        note_threads(arguments.threads);
        let mut counts = Vec::new();
        let mut out = std::io::stdout().lock();
        for depth in 1..=arguments.depth {
            let watch = Stopwatch::start();
            let count = match arguments.make {
                true => perft_making(&game, &position, depth)?,
                false => perft(&game, &position, depth, arguments.threads)?,
            };
            counts.push((depth, count, watch.seconds(), watch.processor_seconds()));
            if !arguments.json {
                writeln!(out, "perft {depth} {count}")?;
                out.flush()?;
            }
        }
        let mut branches = Vec::new();
        if arguments.divide && arguments.depth > 0 {
            let parts = divide(&game, &position, arguments.depth, arguments.threads)?;
            let names = notation::names(&game, &position)?;
            for (mv, count) in parts {
                let key = game.move_key(&mv);
                let name = names.iter().find(|named| game.move_key(&named.mv) == key);
                branches.push((name.map_or("?", |named| named.name.as_str()).to_string(), count));
            }
            branches.sort();
        }
        if arguments.json {
            let counts = counts.iter().map(|(depth, count, seconds, processor)| {
                serde_json::json!({
                    "depth": depth, "count": count, "seconds": seconds, "processor_seconds": processor,
                })
            });
            let branches =
                branches.iter().map(|(name, count)| serde_json::json!({"move": name, "count": count}));
            return output::json(&serde_json::json!({
                "game": game.description().name,
                "perft": counts.collect::<Vec<_>>(),
                "divide": branches.collect::<Vec<_>>(),
            }));
        }
        for (name, count) in branches {
            writeln!(out, "{name}: {count}")?;
        }
        Ok(())
    }
}
