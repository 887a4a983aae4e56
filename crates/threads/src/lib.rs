//! Search workers on threads: one worker for each, a channel for each, one table for all.
//!
//! [`Crew`] is [`multigame_search::Search`] with many hands: the same calls, the same answers. [`run`] is the driver below
//! it, for any kind of [`multigame_parallel::Worker`].

#![forbid(unsafe_code)]

mod crew;
mod driver;
mod lazy;
mod report;
mod windows;

pub use crew::{Crew, MOST_THREADS};
pub use driver::{Listener, Watcher, run};
pub use report::{CrewReport, HandReport};
