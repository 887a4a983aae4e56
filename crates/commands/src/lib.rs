//! What people do with one game from a command line: each command is its arguments and a [`Task`].
//!
//! The `multigame` program says which game, and programs that are built for one game alone know it; the commands are
//! the same.
//!
//! [`Task`]: multigame_game::Task

pub mod evaluate;
pub mod moves;
pub mod output;
pub mod perft;
pub mod play;
pub mod playout;
pub mod search;
pub mod show;
pub mod simulate;
pub mod stopwatch;
pub mod uci;

use anyhow::Context;
use clap::Args;
use multigame_game::{Game, parse_position};

/// Where to start.
#[derive(Debug, Args)]
pub struct PositionArguments {
    /// A position as text; the initial position if not given
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
}

impl PositionArguments {
    /// The position asked for.
    pub fn position<G: Game>(&self, game: &G) -> anyhow::Result<G::Position> {
        self.position.as_ref().map_or_else(|| Ok(game.initial()), |text| position(game, text))
    }
}

/// The position that a text describes.
fn position<G: Game>(game: &G, text: &str) -> anyhow::Result<G::Position> {
    let diagram = parse_position(game.description(), text).context("the position is wrong")?;
    Ok(game.position(&diagram))
}
