//! The memory that a worker keeps from node to node and from search to search, so that no node allocates.

use multigame_game::{Game, Signature};

use crate::effort::Effort;
use crate::evaluation_cache::EvaluationCache;
use crate::ordering::{Choice, Choices, HistoryTable, Killer, Killers, Merits, Refutations};
use crate::{Bounds, Options, Value, Window};

/// Number of bits by which merits tell moves and replies apart.
const MERIT_BITS: u32 = 14;
const REPLY_BITS: u32 = 16;

/// Buffers and learned tables of one worker. One workspace serves any number of searches of one game, one at
/// a time.
#[derive(Debug)]
pub struct Workspace<G: Game> {
    /// One frame for each ply; more are added when a search first gets there.
    pub(crate) frames: Vec<Frame<G>>,
    pub(crate) history: HistoryTable,
    pub(crate) merits: Merits,
    /// The merits of moves as answers to the move before.
    pub(crate) replies: Merits,
    pub(crate) killers: Killers,
    pub(crate) refutations: Refutations,
    pub(crate) evaluations: EvaluationCache,
    /// The refutation line being followed, from the root move on.
    pub(crate) line: Vec<u64>,
}

impl<G: Game> Default for Workspace<G> {
    fn default() -> Self {
        Workspace {
            frames: Vec::new(),
            history: HistoryTable::default(),
            merits: Merits::with_bits(MERIT_BITS),
            replies: Merits::with_bits(REPLY_BITS),
            killers: Killers::default(),
            refutations: Refutations::default(),
            evaluations: EvaluationCache::default(),
            line: Vec::new(),
        }
    }
}

impl<G: Game> Workspace<G> {
    /// Counts of best moves: workers tell them to each other between iterations.
    pub fn history(&self) -> &[u32] {
        self.history.counts()
    }

    /// Takes counts over.
    pub fn set_history(&mut self, counts: &[u32]) {
        self.history.set(counts);
    }

    /// Adds counts.
    pub fn add_history(&mut self, counts: &[u32]) {
        self.history.merge(counts);
    }

    /// Adds some counts, each to its place.
    pub fn add_to_history(&mut self, counts: &[(u16, u32)]) {
        self.history.add_some(counts);
    }

    /// The killers of the plies from one on: what workers tell each other with their jobs.
    pub fn killers(&self, ply: usize) -> &[[Killer; 2]] {
        self.killers.below(ply)
    }

    /// Takes over the killers of whoever gave a job, for the plies from one on.
    pub fn adopt_killers(&mut self, ply: usize, killers: &[[Killer; 2]]) {
        self.killers.adopt(ply, killers);
    }

    /// Takes in the killers of whoever did a job.
    pub fn merge_killers(&mut self, ply: usize, killers: &[[Killer; 2]]) {
        self.killers.merge(ply, killers);
    }

    /// Begins a search from a new root: what belongs to plies is forgotten, what belongs to moves fades.
    pub(crate) fn begin(&mut self, root: &G::Position, options: &Options) {
        self.ensure(1, root);
        self.frames[0].position.clone_from(root);
        self.frames.iter_mut().for_each(|frame| frame.effort = Effort::default());
        self.history.age();
        self.merits.age();
        self.replies.age();
        self.killers.clear();
        self.refutations.clear();
        self.evaluations.resize(options.evaluation_cache);
    }

    /// The frames of a node and of its child.
    #[inline]
    pub(crate) fn pair(&mut self, ply: usize) -> (&mut Frame<G>, &mut Frame<G>) {
        let (upper, lower) = self.frames.split_at_mut(ply + 1);
        (&mut upper[ply], &mut lower[0])
    }

    /// Makes room for a ply and the one below it.
    #[inline]
    pub(crate) fn ensure(&mut self, ply: usize, any: &G::Position) {
        while self.frames.len() < ply + 2 {
            self.frames.push(Frame::new(any.clone()));
        }
    }
}

/// The data of one ply of the path being searched.
#[derive(Debug)]
pub(crate) struct Frame<G: Game> {
    pub position: G::Position,
    pub moves: Vec<G::Move>,
    pub order: Choices,
    /// Children left for later because somebody else is at them, with their places.
    pub deferred: Vec<(usize, Choice)>,
    /// The best line from here.
    pub pv: Vec<G::Move>,
    /// The window; alpha rises with the best child.
    pub window: Window,
    /// Proved so far.
    pub lower: Value,
    /// Searched with a zero window of its father's making, which must not be narrowed: a wider search may
    /// follow.
    pub scouting: bool,
    /// Whether the path so far is the beginning of the refutation line.
    pub follows: bool,
    /// The key of the move that led here, as far as it is known.
    pub arrived: u64,
    /// The position that it was made from, a null move included; 0 where somebody else made it.
    pub father: Signature,
    /// Whether the move that led here was a null move.
    pub passed: bool,
    /// Mark of the move that is left out, to see how much worse the others are; 0 for none.
    pub without: u32,
    /// Mark of the move that all others are worse than by far; 0 for none.
    pub singular: u32,
    /// The table entry of the position, of any depth.
    pub hearsay: Bounds,
    /// The position that was last asked whether it is calm, and the answer.
    pub calm: Option<(Signature, Option<bool>)>,
    /// The work of nodes of this ply.
    pub effort: Effort,
    /// Nodes counted before this one was opened, where that is not done by the kernel.
    pub began: u64,
}

impl<G: Game> Frame<G> {
    fn new(position: G::Position) -> Self {
        Frame {
            position,
            moves: Vec::new(),
            order: Choices::default(),
            deferred: Vec::new(),
            pv: Vec::new(),
            window: Window::FULL,
            lower: -Value::INFINITE,
            scouting: false,
            follows: false,
            arrived: 0,
            father: 0,
            passed: false,
            without: 0,
            singular: 0,
            hearsay: Bounds::UNKNOWN,
            calm: None,
            effort: Effort::default(),
            began: 0,
        }
    }
}
