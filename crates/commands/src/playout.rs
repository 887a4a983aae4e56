//! `multigame playout`: random games and what they look like.

use std::io::Write;

use clap::Args;
use multigame_game::{Ending, Game, Line, Outcome, Random, Side, Task, playout};

use crate::stopwatch::Stopwatch;
use crate::{PositionArguments, output};

/// Play random games and report statistics.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// How many games
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// Give up on a game after so many moves
    #[arg(long, default_value_t = 2000)]
    max_plies: u32,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Default)]
struct Totals {
    plies: u64,
    shortest: u32,
    longest: u32,
    choices: u64,
    white: u32,
    black: u32,
    draws: u32,
    repeated: u32,
    unfinished: u32,
}

impl Task for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let arguments = self;
        let start = arguments.position.position(&game)?;
        let mut random = Random::new(arguments.seed);
        let mut totals = Totals { shortest: u32::MAX, ..Totals::default() };
        let watch = Stopwatch::start();
        for _ in 0..arguments.games {
            let mut line = Line::new(&game, start.clone());
            let game = playout(&mut line, arguments.max_plies, &mut random);
            totals.add(&game?);
        }
        let (seconds, processor) = (watch.seconds(), watch.processor_seconds());
        let games = f64::from(arguments.games.max(1));
        let length = totals.plies as f64 / games;
        let branching = totals.choices as f64 / (totals.plies.max(1)) as f64;
        let shortest = if arguments.games == 0 { 0 } else { totals.shortest };
        if arguments.json {
            return output::json(&serde_json::json!({
                "game": game.description().name,
                "games": arguments.games,
                "seed": arguments.seed,
                "length": {"mean": length, "shortest": shortest, "longest": totals.longest},
                "branching": branching,
                "white": totals.white, "black": totals.black, "draws": totals.draws,
                "by_repetition": totals.repeated, "unfinished": totals.unfinished,
                "seconds": seconds, "processor_seconds": processor, "moves": totals.plies,
                "moves_per_second": totals.plies as f64 / seconds,
            }));
        }
        let mut out = std::io::stdout().lock();
        let percent = |count: u32| 100.0 * f64::from(count) / games;
        writeln!(out, "games       {}", arguments.games)?;
        writeln!(out, "length      {length:.1} moves (shortest {shortest}, longest {})", totals.longest)?;
        writeln!(out, "branching   {branching:.1} moves a position")?;
        if game.description().players == 1 {
            writeln!(out, "solved      {:.1} %", percent(totals.white))?;
        } else {
            writeln!(out, "white wins  {:.1} %", percent(totals.white))?;
            writeln!(out, "black wins  {:.1} %", percent(totals.black))?;
            writeln!(
                out,
                "draws       {:.1} % ({:.1} % by repetition)",
                percent(totals.draws),
                percent(totals.repeated)
            )?;
        }
        writeln!(
            out,
            "unfinished  {:.1} % (after {} moves)",
            percent(totals.unfinished),
            arguments.max_plies
        )?;
        writeln!(out, "speed       {:.0} moves/s", totals.plies as f64 / seconds)?;
        Ok(())
    }
}

impl Totals {
    fn add(&mut self, game: &multigame_game::Playout) {
        self.plies += u64::from(game.plies);
        self.choices += game.choices;
        self.shortest = self.shortest.min(game.plies);
        self.longest = self.longest.max(game.plies);
        match game.ending {
            Ending::Over(outcome) => self.count(outcome),
            Ending::Repeated(outcome) => {
                self.repeated += 1;
                self.count(outcome);
            }
            Ending::TooLong => self.unfinished += 1,
        }
    }

    fn count(&mut self, outcome: Outcome) {
        match outcome.winner() {
            Some(Side::White) => self.white += 1,
            Some(Side::Black) => self.black += 1,
            None => self.draws += 1,
        }
    }
}
