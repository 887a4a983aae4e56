//! Matches: two players, many games, and what their results prove.
//!
//! A [`Spec`] says who plays, in one text; it gives a [`Contestant`], which is one of our own players, one
//! that plays at random, or another program that speaks UCI ([`Process`]). [`play_game`] referees one game:
//! whoever crashes, hangs, plays an illegal move or runs out of time has lost it, with the reason.
//! [`Tournament`] plays pairs of games with colours swapped, in several threads, and goes on after an
//! interruption. [`Tally`] is what came of it: Elo with error bars, and the sequential probability ratio
//! test.

#![forbid(unsafe_code)]

mod computer;
mod contestant;
mod log;
mod openings;
#[expect(clippy::disallowed_methods, reason = "starts the programs that play")]
mod process;
mod record;
mod referee;
#[expect(clippy::disallowed_methods, reason = "a player may have weights in a file")]
mod spec;
mod tally;
mod tournament;
mod travel;

pub use computer::{Computer, Guesser};
pub use contestant::{Contestant, Failure};
pub use log::{Entry, Header, Log};
pub use openings::{Opening, from_text, random};
pub use process::Process;
pub use record::{Format, write_game};
pub use referee::{Control, Played, Terms, play_game};
pub use spec::{Kind, Spec};
pub use tally::{Sprt, Tally, Verdict, elo};
pub use tournament::{Factory, Report, Tournament};
pub use travel::{Beginnings, MatchTask, Openings};
