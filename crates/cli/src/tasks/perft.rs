//! `multigame perft`: counting the leaves of the game tree.

use std::io::Write;

use clap::Args;
use multigame_game::{Game, Portable, WithGame, notation, perft, perft_making};
use multigame_player::{plain, ranks};
use multigame_threads::divide;

use crate::arguments::{PositionArguments, note_threads, threads_parser};
use crate::output;
use crate::stopwatch::Stopwatch;

/// Count the leaves of the game tree.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Greatest depth; every depth from 1 on is counted
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

/// Trees that are less deep are counted before other ranks have heard of them.
const SHARED: u32 = 4;

impl WithGame for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Portable>(self, game: G) -> anyhow::Result<()> {
        let Some(ranks) = ranks::installed() else { return self.count_alone(&game) };
        self.count(&game, |position, depth| match depth {
            SHARED.. => ranks.divide(&game, position, depth, self.threads),
            _ => divide(&game, position, depth, self.threads).map_err(plain),
        })
    }
}

impl Arguments {
    /// Counts in this process alone.
    pub fn count_alone<G: Game>(&self, game: &G) -> anyhow::Result<()> {
        self.count(game, |position, depth| divide(game, position, depth, self.threads).map_err(plain))
    }

    fn count<G: Game>(
        &self,
        game: &G,
        divide: impl Fn(&G::Position, u32) -> anyhow::Result<Vec<(G::Move, u64)>>,
    ) -> anyhow::Result<()> {
        let arguments = self;
        let position = arguments.position.position(game)?;
        note_threads(arguments.threads);
        let mut counts = Vec::new();
        let mut out = std::io::stdout().lock();
        for depth in 1..=arguments.depth {
            let watch = Stopwatch::start();
            let count = match arguments.make {
                true => perft_making(game, &position, depth)?,
                false if arguments.threads < 2 && ranks::installed().is_none() => {
                    perft(game, &position, depth)?
                }
                false => divide(&position, depth)?.iter().map(|(_, count)| count).sum(),
            };
            counts.push((depth, count, watch.seconds(), watch.processor_seconds()));
            if !arguments.json {
                writeln!(out, "perft {depth} {count}")?;
                out.flush()?;
            }
        }
        let mut branches = Vec::new();
        if arguments.divide && arguments.depth > 0 {
            let parts = divide(&position, arguments.depth)?;
            let names = notation::names(game, &position)?;
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
