//! The Universal Chess Interface (UCI) for every game: how graphical programs and tournament managers talk to
//! a player.
//!
//! [`Protocol`] is the conversation as a state machine: what is heard and what the search reports goes in,
//! what is to be done comes out. [`serve`] runs it with threads, an input and an output. `docs/protocol.md`
//! describes what is said.
//!
//! **Invariant:** only [`serve`] knows threads and streams; everything else can be tested line by line.

#![allow(clippy::disallowed_methods, reason = "a front end does input and output")]
#![forbid(unsafe_code)]

mod command;
mod info;
mod moves;
mod options;
mod protocol;
mod serve;

pub use command::{Command, Go, Place};
pub use info::{info_text, score_text};
pub use moves::{find_move, move_text};
pub use options::Settings;
pub use protocol::{Action, Job, Protocol, Told};
pub use serve::serve;
