//! Search workers on threads: one worker for each, a channel for each, one table for all.
//!
//! [`Crew`] is [`multigame_search::Search`] with many hands: the same calls, the same answers. [`run`] is
//! the driver below it, for any kind of [`multigame_parallel::Worker`]. [`perft`] and [`divide`] count leaves.
//! [`Tasks`] plays games side by side, for matches, learning and analyses.

#![forbid(unsafe_code)]

mod crew;
mod driver;
mod lazy;
mod no_threads;
mod owners;
mod perft;
mod port;
mod puzzle;
mod report;
#[cfg(test)]
mod schedule;
#[cfg(not(test))]
mod stage;
#[cfg(test)]
#[path = "schedule/stage.rs"]
mod stage;
mod tasks;
mod verdict;
mod windows;

pub use crew::{Crew, MOST_THREADS, check};
pub use driver::{Done, Listener, Watcher, run, run_team};
pub use no_threads::NoThreads;
pub use perft::{divide, perft};
pub use port::{Alone, Beyond, Port, Team};
pub use report::{CrewReport, HandReport, ProcessReport, Traffic};
pub use tasks::{Elsewhere, InOrder, Next, Tasks};
