//! One job, many processes: how messages get from one to another.
//!
//! | | |
//! |---|---|
//! | [`Transport`] | carries bytes between the ranks of a job; the binary has one for MPI |
//! | [`memory`] | a transport inside of one process, with delays from a seed: for tests |
//! | [`Cluster`] | one rank's end: what has arrived, who is alive, what was carried |
//! | [`Post`] | letters of the workers of one search |
//!
//! **Invariant:** nothing here knows what is searched: the crate knows bytes and ranks.

#![forbid(unsafe_code)]

mod cluster;
mod frame;
mod launcher;
pub mod memory;
mod post;
mod pulse;
mod transport;

pub use cluster::{Cluster, SilenceLimit};
pub use frame::{Frame, FrameKind, inspect};
pub use launcher::{is_of_launcher, launched};
pub use post::Post;
pub use pulse::LOST;
pub use transport::{Lost, Rank, Transport};
