//! Who plays: something that finds a move, or fails to.

use std::time::{Duration, Instant};

use multigame_game::{Game, Line};
use multigame_player::Limits;

/// Why a player has lost without the rules saying so.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The program is gone.
    #[error("crashed: {0}")]
    Crashed(String),
    /// Nothing was heard of it for too long.
    #[error("hung: no answer within {:.1} s", .0.as_secs_f64())]
    Hung(Duration),
    /// It answered with something that is not a legal move.
    #[error("illegal move: {0}")]
    Illegal(String),
    /// One of our own players could not go on.
    #[error("failed: {0}")]
    Broken(String),
}

/// A player of a match.
pub trait Contestant<G: Game> {
    /// A new game begins. A program that died is started again.
    fn new_game(&mut self) -> Result<(), Failure>;

    /// The move to play, within limits that say what is left on the clock. After `patience` the player is
    /// given up.
    fn choose(&mut self, line: &Line<'_, G>, limits: &Limits, patience: Duration)
    -> Result<G::Move, Failure>;

    /// When the answer of the last [`choose`](Contestant::choose) arrived, if that was before it returned:
    /// nobody pays for the time in which a busy machine keeps the referee waiting.
    fn answered(&self) -> Option<Instant> {
        None
    }
}
