//! `multigame playout`: random games, what they look like, and whether the game keeps its promises on the
//! way.

use std::io::Write;

use clap::Args;
use multigame_game::{
    Ending, Game, Line, Outcome, Playout, Portable, Random, Side, WithGame, check_position, playout,
};
use serde_json::{Value, json};

use crate::arguments::PositionArguments;
use crate::output;
use crate::stopwatch::Stopwatch;

/// Play random games and report statistics.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// Start from this position too; may be given several times, and the games begin in turn from all of them
    #[arg(long, value_name = "POSITION")]
    also: Vec<String>,
    /// Number of games
    #[arg(long, default_value_t = 100)]
    games: u32,
    /// Give up on a game after this many moves
    #[arg(long, default_value_t = 2000)]
    max_plies: u32,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Check this many positions of each game: texts read back, names of moves are unique and read back
    #[arg(long, value_name = "POSITIONS", num_args = 0..=1, default_value_t = 0, default_missing_value = "5")]
    check: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Names of moves that are read back in one position; all of them are made and compared.
const NAMES: usize = 100;

/// A summary of the games.
#[derive(Debug, Default)]
pub struct Totals {
    plies: u64,
    shortest: u32,
    longest: u32,
    choices: u64,
    white: u32,
    black: u32,
    draws: u32,
    repeated: u32,
    unfinished: u32,
    /// Names of moves that were read back.
    names: u64,
    seconds: f64,
    processor: f64,
}

impl WithGame for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Portable>(self, game: G) -> anyhow::Result<()> {
        self.report(&game)
    }
}

impl Arguments {
    /// Plays the games and tells what came of them.
    pub fn report<G: Game>(&self, game: &G) -> anyhow::Result<()> {
        let totals = self.play(game)?;
        if self.json {
            return output::json(&self.to_json(game, &totals));
        }
        self.print(game, &totals)
    }

    /// Plays the games.
    pub fn play<G: Game>(&self, game: &G) -> anyhow::Result<Totals> {
        let mut starts = vec![self.position.position(game)?];
        for text in &self.also {
            starts.push(crate::arguments::position(game, text)?);
        }
        let mut random = Random::new(self.seed);
        // Which positions are checked must not change which games are played.
        let mut chosen = Random::new(self.seed ^ u64::MAX);
        let mut totals = Totals { shortest: u32::MAX, ..Totals::default() };
        let watch = Stopwatch::start();
        let mut lines: Vec<Line<G>> = starts.into_iter().map(|start| Line::new(game, start)).collect();
        for number in 0..self.games as usize {
            let starts = lines.len();
            let line = &mut lines[number % starts];
            line.restart();
            totals.add(&playout(line, self.max_plies, &mut random)?);
            for _ in 0..self.check {
                let position = &line.positions()[chosen.below(line.positions().len())];
                totals.names += check_position(game, position, NAMES)? as u64;
            }
        }
        totals.seconds = watch.seconds();
        totals.processor = watch.processor_seconds();
        if self.games == 0 {
            totals.shortest = 0;
        }
        Ok(totals)
    }

    /// A summary of the games, for tools.
    pub fn to_json<G: Game>(&self, game: &G, totals: &Totals) -> Value {
        let length = totals.plies as f64 / f64::from(self.games.max(1));
        let mut report = json!({
            "game": game.description().name,
            "games": self.games,
            "seed": self.seed,
            "length": {"mean": length, "shortest": totals.shortest, "longest": totals.longest},
            "branching": totals.branching(),
            "white": totals.white, "black": totals.black, "draws": totals.draws,
            "by_repetition": totals.repeated, "unfinished": totals.unfinished,
            "seconds": totals.seconds, "processor_seconds": totals.processor, "moves": totals.plies,
            "moves_per_second": totals.plies as f64 / totals.seconds,
        });
        if self.check > 0 {
            report["names_checked"] = totals.names.into();
        }
        report
    }

    /// A summary of the games, for people.
    pub fn print<G: Game>(&self, game: &G, totals: &Totals) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        let games = f64::from(self.games.max(1));
        let length = totals.plies as f64 / games;
        let percent = |count: u32| 100.0 * f64::from(count) / games;
        writeln!(out, "games       {}", self.games)?;
        writeln!(
            out,
            "length      {length:.1} moves (shortest {}, longest {})",
            totals.shortest, totals.longest
        )?;
        writeln!(out, "branching   {:.1} moves a position", totals.branching())?;
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
        writeln!(out, "unfinished  {:.1} % (after {} moves)", percent(totals.unfinished), self.max_plies)?;
        if self.check > 0 {
            writeln!(out, "checked     {} names of moves", totals.names)?;
        }
        writeln!(out, "speed       {:.0} moves/s", totals.plies as f64 / totals.seconds)?;
        Ok(())
    }
}

impl Totals {
    fn branching(&self) -> f64 {
        self.choices as f64 / self.plies.max(1) as f64
    }

    fn add(&mut self, game: &Playout) {
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
