//! What puzzle workers are told and tell each other.

use multigame_game::{Game, RulesError, Signature};
use multigame_search::Entry;
use serde::{Deserialize, Serialize};

use super::path::Path;
use super::routes::Homes;
use crate::form::Memory;
use crate::memory::TableTalk;
use crate::setup::Prices;
use crate::worker::Parcel;

/// How the work on a puzzle is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PuzzlePolicy {
    /// Idle workers ask for work.
    Stealing,
    /// Positions go to their homes.
    Tds(Homes),
    /// Each worker has a limit of its own.
    Windows,
}

impl PuzzlePolicy {
    /// Transposition-driven scheduling as usual.
    pub const TDS: PuzzlePolicy = PuzzlePolicy::Tds(Homes::USUAL);

    /// How positions go home, if they do.
    pub fn homes(self) -> Option<Homes> {
        match self {
            PuzzlePolicy::Tds(homes) => Some(homes),
            PuzzlePolicy::Stealing | PuzzlePolicy::Windows => None,
        }
    }
}

/// How the workers of a puzzle are set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleSetup {
    /// How work is divided.
    pub policy: PuzzlePolicy,
    /// Where the table is; for work stealing only.
    pub memory: Memory,
    /// Workers that use the same table, one after the other by number: those of one process.
    pub sharing: u32,
    /// Positions with this many moves left or fewer are searched in one go.
    pub grain: u32,
    /// Positions that many moves from the root are searched in one go, too.
    pub reach: u32,
    /// With transposition-driven scheduling, positions are searched in one go, too, that have so few moves to
    /// spare that about this many nodes are below them. How many moves that means is learned; 0 for none.
    pub dive_nodes: u64,
    /// Positions that travel together to the same home.
    pub combine: usize,
    /// Positions wait for company no longer than for about this many nodes.
    pub linger: u64,
    /// The first nodes of a limit are all searched by worker 0: most limits end before it pays to divide
    /// them.
    pub alone: u64,
    /// Whether a position is judged at home, and not by the worker that makes it.
    pub judged_at_home: bool,
    /// What work costs; a leaf is a position that is cut off as soon as it is made.
    pub prices: Prices,
    /// Of whom to ask for work.
    pub seed: u64,
}

/// Moves left from which on others are asked and told about positions of a puzzle, if nothing else is said.
/// Below a position there are about twice as many nodes for each two moves.
pub(super) const USUAL_DEPTH: u32 = 24;

impl PuzzleSetup {
    /// For threads, which can take messages and give work away in the middle of a search in one go.
    pub fn threads(policy: PuzzlePolicy) -> PuzzleSetup {
        let tds = policy.homes().is_some();
        PuzzleSetup {
            policy,
            memory: Memory::SHARED,
            sharing: 1,
            grain: 0,
            // In transposition-driven scheduling it is the table that saves work, and only positions in hand
            // are looked up.
            reach: if tds { u32::MAX } else { 0 },
            dive_nodes: 500,
            combine: 64,
            linger: 2000,
            alone: 2000,
            judged_at_home: false,
            prices: Prices::NODES,
            seed: 1,
        }
    }

    /// For threads of several processes, as many in each, and a puzzle that needs at least `least` moves.
    pub fn ranks(policy: PuzzlePolicy, threads: u32, memory: Memory, least: u32) -> PuzzleSetup {
        // The larger the puzzle, the more moves are left where trees are small.
        let memory = memory.telling_from(USUAL_DEPTH.max(least * 2 / 3));
        // PERF: what is searched in one go is found again only in the table of the same process. With trees
        // of 500 nodes two ranks searched 1.6 times the nodes of one in two of Korf's 15-puzzles (77 and 1,
        // up to the limit before the solution), and took 1.4 times as much processor time as with single
        // positions.
        let dive_nodes = 0;
        let setup =
            PuzzleSetup { memory, dive_nodes, sharing: threads.max(1), ..PuzzleSetup::threads(policy) };
        if policy == PuzzlePolicy::Stealing && memory.form.tells() {
            // Only positions in hand are looked up elsewhere and told.
            PuzzleSetup { grain: setup.least_depth().saturating_sub(1), reach: u32::MAX, ..setup }
        } else {
            setup
        }
    }

    /// For experiments: every position goes to its home, or is in the hands of its worker down to a grain.
    pub fn fine(policy: PuzzlePolicy) -> PuzzleSetup {
        let grain = if policy.homes().is_some() { 0 } else { 8 };
        let (memory, linger) = (Memory::PRIVATE, u64::MAX);
        PuzzleSetup { memory, grain, reach: u32::MAX, dive_nodes: 0, linger, ..PuzzleSetup::threads(policy) }
    }

    /// Moves left from which on others are asked or told something.
    pub(super) fn least_depth(&self) -> u32 {
        let told = self.memory.told_from(USUAL_DEPTH);
        if self.memory.form.asks() { told.min(self.memory.asked_from(USUAL_DEPTH)) } else { told }
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
    /// Moves that are certainly needed, if it has been judged.
    pub(super) bound: u32,
    /// The moves so far.
    pub(super) path: Path,
}

/// What puzzle workers tell each other.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the module says what they mean")]
pub enum PuzzleMessage<G: Game> {
    Start { limit: u32, spare: u32 },
    States { limit: u32, states: Vec<State<G::Position>> },
    Request,
    NoWork,
    Wave(u64),
    Quiet { wave: u64, sent: u64, received: u64, least: u32 },
    Window { limit: Option<u32> },
    Searched { limit: u32, least: u32 },
    Lookup { signature: Signature },
    Answer { signature: Signature, entry: Option<Entry> },
    Store(Vec<(Signature, Entry)>),
    Solved(Vec<u16>),
    Failed(Box<RulesError>),
    Finished,
}

impl<G: Game> TableTalk for PuzzleMessage<G> {
    fn look_up(signature: Signature) -> Self {
        PuzzleMessage::Lookup { signature }
    }

    fn store(entries: Vec<(Signature, Entry)>) -> Self {
        PuzzleMessage::Store(entries)
    }
}

/// What a position takes besides the words of the game and its way.
const STATE: usize = 12;

impl<G: Game> Parcel for PuzzleMessage<G> {
    const KINDS: &'static [&'static str] = &[
        "start", "states", "request", "no-work", "wave", "quiet", "window", "searched", "lookup", "answer",
        "store", "solved", "failed", "finished",
    ];

    fn bytes(&self) -> u32 {
        let position = size_of::<G::Position>();
        16 + match self {
            PuzzleMessage::States { states, .. } => {
                states.iter().map(|state| (position + STATE + state.path.size()) as u32).sum()
            }
            PuzzleMessage::Quiet { .. } => 24,
            PuzzleMessage::Window { .. } | PuzzleMessage::Searched { .. } => 8,
            PuzzleMessage::Answer { .. } => 16,
            PuzzleMessage::Store(entries) => 16 * entries.len() as u32,
            PuzzleMessage::Solved(path) => 2 * path.len() as u32,
            _ => 0,
        }
    }

    fn interrupts(&self) -> bool {
        matches!(self, PuzzleMessage::Lookup { .. } | PuzzleMessage::Store(_))
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
            PuzzleMessage::Lookup { .. } => 8,
            PuzzleMessage::Answer { .. } => 9,
            PuzzleMessage::Store(_) => 10,
            PuzzleMessage::Solved(_) => 11,
            PuzzleMessage::Failed(_) => 12,
            PuzzleMessage::Finished => 13,
        }
    }
}

/// What has come of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PuzzleResult {
    /// A shortest solution, each move as its place in the list of moves.
    Solved(Vec<u16>),
    /// There is none.
    Unsolvable,
    /// None of fewer moves than this; the search ended before its time or its limit.
    Unknown(u32),
}
