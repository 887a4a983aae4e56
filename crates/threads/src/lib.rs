//! Search workers on threads: one worker for each, a channel for each, one table for all.
//!
//! [`Crew`] is [`multigame_search::Search`] with many hands: the same calls, the same answers. [`run`] is the driver below
//! it, for any kind of [`multigame_parallel::Worker`]. [`perft`] and [`divide`] count leaves.

#![forbid(unsafe_code)]

mod crew;
mod driver;
mod lazy;
mod perft;
mod puzzle;
mod report;
mod windows;

pub use crew::{Crew, MOST_THREADS};
pub use driver::{Done, Listener, Watcher, run};
pub use perft::{divide, perft};
pub use report::{CrewReport, HandReport};

/// Starts a thread. Deep searches need more stack than threads usually have.
fn spawn<'s, T: Send + 's>(
    scope: &'s std::thread::Scope<'s, '_>,
    work: impl FnOnce() -> T + Send + 's,
) -> std::thread::ScopedJoinHandle<'s, T> {
    let builder = std::thread::Builder::new().stack_size(64 << 20);
    builder.spawn_scoped(scope, work).expect("the system has no more threads; use fewer")
}
