//! The laboratory: experiments on parallel search, theirs beside ours.
//!
//! An experiment is a file of TOML under `experiments/catalogue`: a game, positions, machines and policies, and the numbers
//! that a document gives for the same, with table and page. [`Experiment::runs`] is all that it takes, one [`Run`] for each
//! variant, position, number of processors and seed; [`Bench`] carries runs out, on virtual processors; a [`Row`] is what
//! came out of one. [`report`] makes tables and pictures of rows.
//!
//! **Invariant:** this crate reads no files but those that were built in, writes none and prints nothing. Rows that are
//! known are handed in, new ones are handed out, so that a front end can keep them and go on where it stopped.

#![forbid(unsafe_code)]

mod bench;
mod catalogue;
mod exchanges;
mod form;
mod plan;
pub mod report;
mod row;
mod settings;
mod tally;
mod tune;

pub use bench::{Bench, BenchError, Watch};
pub use catalogue::{Positions, experiment, names, positions};
pub use exchanges::Exchanges;
pub use form::{Average, Experiment, Form, FormError, Picture, Scale, Size, TheirFit, Theirs};
pub use plan::{Run, missing};
pub use row::{Measured, Row, RowError, read_rows};
pub use settings::Settings;
pub use tally::{Estimate, Measure, Tally, tally};
pub use tune::{Change, Tuned, Tuning};
