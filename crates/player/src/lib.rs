//! From a game being played to the move the computer plays: book, search within limits, and always a legal move.

#[expect(clippy::disallowed_methods, reason = "an opening book is a file")]
mod book;
mod checkpoint;
mod configuration;
mod expected;
mod explain;
mod interrupt;
mod keeping;
#[expect(clippy::disallowed_methods, reason = "learned tables and networks are files")]
mod learned;
mod limits;
mod player;
pub mod ranks;
mod report;
mod searching;
mod solve;
#[cfg_attr(test, expect(clippy::disallowed_methods, reason = "a test removes its file"))]
mod spec;
#[expect(clippy::disallowed_methods, reason = "pattern databases are files")]
mod tables;
mod watch;

pub use book::Book;
pub use checkpoint::{Checkpoint, Identity, Knowledge};
pub use configuration::{Changes, Configuration, Described, Given, parse_memory};
pub use expected::{Expected, Wanted, expected};
pub use explain::{Explained, explain};
pub use interrupt::{Interrupt, Thinking};
pub use limits::{Clock, Limits, parse_clock, parse_time};
pub use multigame_threads::{CrewReport, MOST_THREADS};
pub use player::{Origin, Player, Thought, Wish, check_memory};
pub use report::{
    claims_too_much, crew_text, iteration_text, line_names, live_text, outcome_text, partial_text,
    result_text, speed, value_text,
};
pub use searching::{Found, Searching, plain};
pub use solve::{News, Solver, Solving};
pub use spec::{PlayerSpec, asks_endgames};
pub use tables::{TableMaker, TablesTask, load_tables, read_tables, save_tables};
pub use watch::{Progress, Watch};

pub use multigame_search::RulesEvaluator;
