//! The outside of every game: the [`Game`] trait and the words it is spoken in.
//!
//! Search engines, shells and servers are written against this crate alone; compiled rules and hand-written
//! Rust look the same from here.
//!
//! **Invariant:** this crate does not know where a game came from, reads no files and prints nothing.

mod appraiser;
mod board;
pub mod chance;
mod check;
mod description;
mod diagram;
mod draw;
mod error;
mod evaluation;
mod fen;
mod game;
mod goal;
mod history;
mod line;
mod network;
pub mod notation;
mod perft;
mod playout;
pub mod portable;
mod puzzle;
mod signature;
mod stacks;
mod text;
mod tuple;
mod vocabulary;
mod weights;

pub use appraiser::{Appraiser, Explanation, Share};
pub use board::{Board, BoardError, Chains, MAX_FIELDS, Topology, column_name};
pub use chance::Chance;
pub use check::{BrokenPromise, check_position};
pub use description::{
    Description, FenProperties, Looks, NoMoves, NotationStyle, PieceInfo, Property, Repetition, Scope,
};
pub use diagram::Diagram;
pub use draw::{DrawStyle, draw};
pub use error::RulesError;
pub use evaluation::{
    Evaluation, FieldWeights, MAX_TERMS, MAX_WEIGHT, Pair, Purpose, Term, TermKind, USUAL_EVALUATION, Weight,
};
pub use game::{Called, Game, Visitor, WithGame};
pub use goal::Goal;
pub use history::History;
pub use line::{Line, Status};
pub use network::{Eyes, Inputs, Network, NetworkFile};
pub use perft::{Part, Parts, divide, parts, perft, perft_making};
pub use playout::{Ending, Playout, Random, playout};
pub use portable::{Portable, Unreadable};
pub use puzzle::{Abstraction, Image, Puzzle};
pub use signature::{Signature, Zobrist};
pub use stacks::Stacks;
pub use text::{TextError, parse_position, position_text};
pub use tuple::{PatternEntry, PatternsFile, Tuple};
pub use vocabulary::{Direction, Field, Outcome, Piece, PieceSet, Side};
pub use weights::Weights;
