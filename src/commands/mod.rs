//! One file for each command.

pub mod check;
pub mod fmt;
pub mod games;
pub mod ir;
pub mod moves;
pub mod perft;
pub mod play;
pub mod playout;
pub mod show;
pub mod states;
