//! Measures what a game is like, for its designer: the first player's advantage, the length of games, the
//! choice of moves, the drama, and whether thinking longer helps.
//!
//! [`analyze`] plays random games, games of the computer against itself at growing levels, and matches in
//! which one side thinks twice as long. The [`Report`] is plain data; [`text`] and [`html`] show it.

#![forbid(unsafe_code)]

mod doubling;
mod findings;
mod games;
mod html;
mod random_games;
mod report;
mod selfplay;
mod text;
mod travel;

use std::sync::atomic::AtomicBool;

use multigame_game::Game;
use serde::{Deserialize, Serialize};

pub use html::html;
pub use report::{Doubling, Level, Report, Spread, Summary, Trace, Unused};
pub use text::text;
pub use travel::{AnalysisTask, Farms};

/// Numbers of games.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Random games.
    pub random_games: u32,
    /// Levels of self-play: plies, or steps of the number of random games in Monte-Carlo search.
    pub levels: u32,
    /// Games at each level.
    pub games: u32,
    /// Random moves at the beginning of a game, so that games differ.
    pub plies: u32,
    /// Nodes of the weakest player in the matches with doubled effort.
    pub nodes: u64,
    /// Number of these matches; 0 for none.
    pub doublings: u32,
    /// Games of each match.
    pub match_games: u32,
    /// Games at the same time; the report does not depend on it.
    pub concurrency: usize,
    /// Games are given up after this many moves.
    pub max_plies: u32,
    /// The same seed gives the same games.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            random_games: 200,
            levels: 3,
            games: 20,
            plies: 2,
            nodes: 500,
            doublings: 3,
            match_games: 20,
            concurrency: 1,
            max_plies: 400,
            seed: 1,
        }
    }
}

/// Events for the caller while games are played.
pub trait Listener<G: Game> {
    /// Something has been done: which part, how many games of how many.
    fn progress(&mut self, _part: &str, _done: u32, _of: u32) {}

    /// A position of a random game or of one of the computer against itself.
    fn position(&mut self, _position: &G::Position) {}
}

impl<G: Game> Listener<G> for () {}

/// Measures a game of two players. `farms` knows other ranks that play games as well. When `stop` is set, it
/// ends early and reports what there is.
pub fn analyze<G: Game>(
    game: &G,
    plan: &Plan,
    farms: &Farms<'_>,
    stop: &AtomicBool,
    listener: &mut dyn Listener<G>,
) -> anyhow::Result<Report> {
    if game.description().players != 2 {
        anyhow::bail!(
            "a puzzle has no opponent to measure; `multigame solve` and `states` tell about puzzles"
        );
    }
    let description = game.description();
    let mut report = Report {
        game: description.name.clone(),
        fields: description.board.fields().count(),
        kinds: {
            let mut kinds: Vec<&str> =
                description.pieces[1..].iter().map(|piece| piece.name.as_str()).collect();
            kinds.sort_unstable();
            kinds.dedup();
            kinds.len()
        },
        ..Report::default()
    };
    random_games::play(game, plan, stop, listener, &mut report)?;
    selfplay::play(game, plan, farms, stop, listener, &mut report)?;
    doubling::play(game, plan, farms, stop, listener, &mut report)?;
    report.complete = !stop.load(std::sync::atomic::Ordering::Relaxed);
    report.findings = findings::of(&report);
    Ok(report)
}
