//! From a game being played to the move the computer plays: book, search within limits, and always a legal move.

mod arguments;
mod book;
mod checkpoint;
mod explain;
pub mod interrupt;
mod learned;
mod limits;
mod player;
mod report;
mod tables;
mod watch;

pub use arguments::{
    LimitArguments, SearchArguments, engine_parser, note_threads, policy_parser, threads_parser,
};
pub use book::Book;
pub use checkpoint::{Checkpoint, Knowledge};
pub use explain::{Explained, explain};
pub use learned::{read_network, read_patterns};
pub use limits::{Clock, Limits, parse_clock, parse_time};
pub use multigame_threads::{CrewReport, MOST_THREADS};
pub use player::{Origin, Player, Thought, Wish, check_memory};
pub use report::{crew_text, iteration_text, line_names, live_text, outcome_text, speed, value_text};
pub use tables::{load_tables, save_tables};
pub use watch::{Progress, Watch};

pub use multigame_search::Judge;
