//! The commands that programs built for one game have as well: each is its arguments and a [`WithGame`].
//!
//! The `multigame` program is told which game, and built programs know it; the commands are the same.
//!
//! [`WithGame`]: multigame_game::WithGame

pub mod moves;
pub mod perft;
pub mod play;
pub mod playout;
pub mod search;
pub mod show;
