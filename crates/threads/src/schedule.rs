//! Deterministic schedules for everything here that shares memory: the same seed is the same run, down to the
//! nodes visited.
//!
//! Each thread of a search is a real thread, but only the one that holds the [baton] runs. It hands the baton
//! on at random *points*: whenever a search asks the [game](game) something, when it sends, looks for or
//! waits for a message, starts or joins a thread, or sleeps. The crate's threads and channels are replaced by
//! [those of the schedule](crate::stage) when its unit tests are compiled.
//!
//! Points in the game are as good as points at each access of the table: a search makes at least one call of
//! the game between two accesses that another thread could tell apart, except on its way out of a finished
//! node. They need no change in the search, which would cost every search time or every test another build
//! (as `shuttle` would, which brings its own atomics). The order of events *inside* an access, which is a
//! matter of the memory model, is loom's business.
//!
//! `SCHEDULES=10000 cargo test --release -p multigame-threads --lib schedule` tries more of them than the
//! usual number, and `FIRST_SCHEDULE=n` begins with the seed `n`, which is how to repeat what a failure
//! names.

pub(crate) mod baton;
mod game;
mod maze;
mod tests;
