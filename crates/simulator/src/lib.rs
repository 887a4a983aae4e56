//! Thousands of virtual processors in one thread: workers of [`multigame_parallel`] in virtual time.
//!
//! [`Simulation`] runs any kind of [`multigame_parallel::Worker`]; [`Machine`] says what messages cost and
//! who is next to whom; [`Faults`] delays, slows and pauses on purpose. [`simulate`] is the comfortable way
//! to run a search of a game. For the same seed every run is the same, bit for bit.
//!
//! **Invariant:** no threads, no clock: time is a number.

#![forbid(unsafe_code)]

mod curve;
mod description;
mod faults;
mod machine;
mod measure;
mod options;
pub mod plot;
mod puzzle;
mod queue;
mod search;
mod simulation;
mod topology;

pub use multigame_parallel::{Activity, Span};

pub use faults::{Faults, Losses, LossesError};
pub use machine::{ABOUT_TABLE, Doubled, Machine, MachineError, Profile};
pub use measure::{COLUMNS, Fit, Row, csv};
pub use options::search_options;
pub use puzzle::{PuzzleExperiment, PuzzleOutcome, simulate_puzzle};
pub use search::{Experiment, Outcome, SimulationError, simulate};
pub use simulation::{Account, Simulation, Traffic};
pub use topology::{Topology, TopologyError};
