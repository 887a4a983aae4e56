//! Search engines for every [`multigame_game::Game`], and what makes them fast.
//!
//! [`Search`] runs any [`Engine`] with [`Options`] that switch each enhancement; [`Evaluator`] is what a game
//! has to say beyond its rules; [`Kernel`] is the Alpha-Beta core that parallel workers run.
//!
//! | engines | |
//! |---|---|
//! | NegaMax | the reference: the whole tree |
//! | Alpha-Beta, NegaScout, MTD(f) | the same value from a small part of the tree |
//! | proof-number search, df-pn, verdict | won or not, to the end of the game |
//! | IDA*, A*, breadth-first | shortest solutions of puzzles |
//! | Monte-Carlo tree search | a good move without an evaluation |
//!
//! With `depth-exact=on` the Alpha-Beta engines give NegaMax's value at equal depth, whatever else is
//! switched on (`null`, `lmr` and `futility` excepted, which cannot be combined with it).
//!
//! **Invariant:** no threads, no sockets, no clock, no printing. Deadlines and live output come through
//! [`Monitor`].

#![deny(unsafe_code)]

mod alphabeta;
pub mod astar;
mod atomic;
mod bfs;
mod busy;
mod children;
mod deepening;
mod dfpn;
mod effort;
mod endgames;
mod evaluation_cache;
mod evaluator;
mod exchange;
mod expectimax;
mod hooks;
mod idastar;
mod identity;
mod kernel;
mod layer;
mod mcts;
mod memory;
mod negamax;
mod negascout;
mod network;
mod ntuple;
mod options;
mod ordering;
mod passes;
mod paths;
pub mod patterns;
mod pns;
mod proof;
mod proofs;
mod proved;
mod puzzle;
mod quiescence;
pub mod random_tree;
mod root;
mod rules_evaluator;
mod search;
mod selective;
mod slot;
mod standard;
mod statistics;
mod stepper;
mod symmetry;
mod transposition;
mod value;
mod verdict;
mod workspace;

pub use busy::BusyMoves;
pub use deepening::continued;
pub use endgames::Endgames;
pub use evaluator::{Estimate, Evaluator, Material, Nothing};
pub use hooks::{Computed, Control, Interrupt, Iteration, Monitor, NodeLimit, Part, SearchResult};
pub use idastar::{Pursuit, Salt};
pub use kernel::{Found, Kernel, KernelInput, Opened, Opening};
pub use mcts::Tree;
pub use network::Net;
pub use ntuple::{MOST_PATTERNS, Patterns, View, candidates, contents};
pub use options::declared;
pub use options::{Engine, HistoryForm, Options, OptionsError, RepetitionMode};
pub use ordering::{Choice, Killer};
pub use passes::{Passes, decided, depths};
pub use paths::Paths;
pub use proofs::Proofs;
pub use proved::{Grounds, Proved};
pub use puzzle::NEVER;
pub use root::Root;
pub use rules_evaluator::{ALWAYS, Learned, RulesEvaluator};
pub use search::{Search, SearchError, check};
pub use selective::PRUNED_DEPTH;
pub use standard::Standard;
pub use statistics::Statistics;
pub use stepper::{Brood, Closing, PathEntry, Stepper};
pub use transposition::{Entry, Layout, TableError, TranspositionTable, move_mark};
pub use value::{Bound, Bounds, Value, Window};
pub use workspace::Workspace;
