//! What puzzle workers are told and tell each other.

use multigame_game::{Game, RulesError, Signature};

use crate::setup::Prices;
use crate::worker::Parcel;

/// How the work on a puzzle is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PuzzlePolicy {
    /// Idle workers ask for work.
    Stealing,
    /// Positions go to their homes.
    Tds,
    /// Each worker has a limit of its own.
    Windows,
}

/// How the workers of a puzzle are set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleSetup {
    /// How work is divided.
    pub policy: PuzzlePolicy,
    /// Positions with this many moves left or fewer are searched in one go.
    pub grain: u32,
    /// Positions that many moves from the root are searched in one go, too.
    pub reach: u32,
    /// Positions that travel together to the same home.
    pub combine: usize,
    /// What work costs; a leaf is a position that is cut off as soon as it is made.
    pub prices: Prices,
    /// Of whom to ask for work.
    pub seed: u64,
}

impl PuzzleSetup {
    /// For threads, which can take messages and give work away in the middle of a search in one go.
    pub fn threads(policy: PuzzlePolicy) -> PuzzleSetup {
        // In transposition-driven scheduling it is the table that saves work, and only positions in hand are looked up.
        let reach = if policy == PuzzlePolicy::Tds { u32::MAX } else { 0 };
        PuzzleSetup { policy, grain: 14, reach, combine: 64, prices: Prices::NODES, seed: 1 }
    }
}

/// A position to be searched.
#[derive(Clone, Debug)]
pub struct State<P> {
    pub(super) position: P,
    /// Where it came from, which is not gone back to.
    pub(super) back: Option<Signature>,
    /// Moves that are left.
    pub(super) left: u32,
    /// The moves so far, each as its place in the list of moves.
    pub(super) path: Vec<u16>,
}

/// What puzzle workers tell each other.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the module says what they mean")]
pub enum PuzzleMessage<G: Game> {
    Start { limit: u32 },
    States { limit: u32, states: Vec<State<G::Position>> },
    Request,
    NoWork,
    Wave(u64),
    Quiet { wave: u64, sent: u64, received: u64, least: u32 },
    Window { limit: Option<u32> },
    Searched { limit: u32, least: u32 },
    Solved(Vec<u16>),
    Failed(Box<RulesError>),
    Finished,
}

impl<G: Game> Parcel for PuzzleMessage<G> {
    const KINDS: &'static [&'static str] = &[
        "start", "states", "request", "no-work", "wave", "quiet", "window", "searched", "solved", "failed",
        "finished",
    ];

    fn bytes(&self) -> u32 {
        16 + match self {
            // The way is kept for the solution only; a real wire would carry some bits for each move.
            PuzzleMessage::States { states, .. } => (states.len() * (size_of::<G::Position>() + 12)) as u32,
            PuzzleMessage::Quiet { .. } => 24,
            PuzzleMessage::Window { .. } | PuzzleMessage::Searched { .. } => 8,
            PuzzleMessage::Solved(path) => 2 * path.len() as u32,
            _ => 0,
        }
    }

    fn kind(&self) -> usize {
        match self {
            PuzzleMessage::Start { .. } => 0,
            PuzzleMessage::States { .. } => 1,
            PuzzleMessage::Request => 2,
            PuzzleMessage::NoWork => 3,
            PuzzleMessage::Wave(_) => 4,
            PuzzleMessage::Quiet { .. } => 5,
            PuzzleMessage::Window { .. } => 6,
            PuzzleMessage::Searched { .. } => 7,
            PuzzleMessage::Solved(_) => 8,
            PuzzleMessage::Failed(_) => 9,
            PuzzleMessage::Finished => 10,
        }
    }
}

/// What has come of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PuzzleResult {
    /// A shortest solution, each move as its place in the list of moves.
    Solved(Vec<u16>),
    /// There is none.
    Unsolvable,
    /// None of fewer moves than this; the search ended before its time or its limit.
    Unknown(u32),
}
