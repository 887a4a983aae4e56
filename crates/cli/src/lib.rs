//! The command line: the commands of `multigame`, and of programs that `multigame build` makes for one game.
//!
//! | module | what |
//! |---|---|
//! | `program` | `multigame` itself: which command, which game |
//! | `commands` | what only `multigame` can do |
//! | `tasks` | what programs built for one game can do as well |
//! | `alone` | such a program |
//! | `arguments` | arguments that several commands have |
//! | `launcher` | whether this process is one of several that `mpirun` started |
//!
//! A built program leaves the feature `full` off: it compiles neither the compiler of rules nor the server.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a front end does input and output"
)]

mod alone;
mod arguments;
mod databases;
mod interrupt;
mod launcher;
mod output;
mod stopwatch;
mod tasks;

#[cfg(feature = "full")]
mod chores;
#[cfg(feature = "full")]
mod commands;
#[cfg(feature = "full")]
mod coverage;
#[cfg(feature = "full")]
mod load;
#[cfg(feature = "full")]
mod program;
#[cfg(feature = "full")]
mod ranks;

pub use alone::{Rules, measure, run};
#[cfg(feature = "full")]
pub use commands::serve::make_game;
#[cfg(feature = "full")]
pub use program::main;
#[cfg(feature = "full")]
pub use ranks::{Join, Leave};
