//! Parallel search without threads: workers as state machines.
//!
//! | | |
//! |---|---|
//! | [`Worker`] | what drivers run: `handle(message)`, `work(budget)` |
//! | [`AlphaBeta`] | the worker of all two-player searches |
//! | [`VerdictWorker`] | the worker that finds out who wins, beside others with tables of their own |
//! | [`PuzzleWorker`] | the worker for puzzles: IDA* by work stealing, and transposition-driven scheduling |
//! | [`TravelWorker`] | the worker of transposition-driven scheduling for two players |
//! | [`Message`] | what these workers tell each other |
//! | [`PolicyKind`] | which node may be split, when, with which window |
//! | [`Setup`] | how work is found, what it costs |
//! | [`Memory`] | where the table is |
//!
//! **Invariant:** no clock, no thread, no socket: drivers bring them.

#![forbid(unsafe_code)]

mod alphabeta;
mod balance;
mod form;
mod garbage;
mod grain;
mod ideal;
mod level;
mod master;
mod memory;
mod news;
mod policy;
mod protocol;
mod puzzle;
mod setup;
mod stages;
mod statistics;
mod telling;
mod travel;
mod tree;
mod verdict;
mod wire;
mod worker;

pub use alphabeta::AlphaBeta;
pub use form::{Form, Memory, MemoryError};
pub use garbage::read_anything;
pub use ideal::Ideal;
pub use master::{IterationReport, Master};
pub use memory::home;
pub use policy::{
    Exhaustive, Jamboree, Lazy, MandatoryWork, MessagePolicy, NodeKind, Policy, PolicyError, PolicyKind,
    Probe, PvSplitting, RootSplitting, Speculative, View, YoungBrothersWait,
};
pub use protocol::{Job, JobId, JobResult, Message, Request};
pub use puzzle::{Homes, PuzzleMessage, PuzzlePolicy, PuzzleResult, PuzzleSetup, PuzzleWorker, State};
pub use setup::{Balance, Prices, Setup};
pub use statistics::Counters;
pub use travel::{Order, Travel, TravelMessage, TravelWorker};
pub use verdict::{VerdictWorker, check_verdict_memory};
pub use wire::Wire;
pub use worker::{Activity, Mail, Outbox, Parcel, Progress, Span, Status, Worker, WorkerId};
