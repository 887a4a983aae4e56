//! The kernel all Alpha-Beta engines share: one node, its table, its children, its answer.
//!
//! The kernel is what a parallel worker runs below its grain size: it owns nothing but a [`Workspace`],
//! allocates nothing once its buffers have grown, counts into its own [`Statistics`], can be aborted at every
//! node, and asks its [`Monitor`] every few hundred nodes, which may narrow the window of the root.

use std::sync::atomic::AtomicBool;

use multigame_game::{Game, Outcome, Side, Signature};
use serde::{Deserialize, Serialize};

use crate::busy::BusyMoves;
use crate::hooks::{Computed, Interrupt, Monitor, Pulse};
use crate::ordering::Choice;
use crate::root::Path;
use crate::selective::INTERNAL_DEPTH;
use crate::transposition::{Entry, TranspositionTable, move_mark};
use crate::workspace::Workspace;
use crate::{Bounds, Engine, Evaluator, Options, RepetitionMode, Root, Statistics, Value, Window};

/// Replies to moves are counted where nodes after as many moves take at least this many nodes on average:
/// elsewhere that would take longer than searching them.
const FEWEST_EFFORT: u64 = 10;
/// Where replies are counted, the table is used by nodes that take at least this many nodes on average:
/// others are searched again sooner than memory answers.
///
/// PERF: position 40 of FFO (othello, see `experiments/strength`) takes 5.9 s with 0, 5.1 with 8, 5.2 with 20
/// and 5.3 with 50, and 21.4, 23.9, 25.8 and 26.3 million nodes.
const TABLE_EFFORT: u64 = 12;
/// No search goes deeper than this.
pub(crate) const MAX_PLY: usize = 500;

/// The answer of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The proof, counted from the root.
    pub bounds: Bounds,
    /// Whether it rests on finished games alone, so that searching more deeply cannot change it.
    pub complete: bool,
}

impl Found {
    pub(crate) fn exact(value: Value, complete: bool) -> Found {
        Found { bounds: Bounds::exact(value), complete }
    }

    /// Together with what was known before, which the window has been narrowed by.
    fn with(self, known: Found) -> Found {
        if known.bounds == Bounds::UNKNOWN {
            return self;
        }
        Found { bounds: known.bounds.and(self.bounds), complete: self.complete && known.complete }
    }
}

pub(crate) type Answer = Result<Found, Interrupt>;

/// The inputs of a kernel; see [`crate::Search`] for the comfortable way.
#[derive(Debug)]
pub struct KernelInput<'a, G: Game, E> {
    /// The game.
    pub game: &'a G,
    /// Facts about it.
    pub evaluator: &'a E,
    /// The switches.
    pub options: &'a Options,
    /// The transposition table.
    pub table: Option<&'a TranspositionTable>,
    /// Set by anybody to stop the search.
    pub abort: Option<&'a AtomicBool>,
    /// The moves that other threads are searching in the same tree.
    pub busy: Option<&'a BusyMoves>,
}

impl<G: Game, E> Clone for KernelInput<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, E> Copy for KernelInput<'_, G, E> {}

/// A search of one root.
#[derive(Debug)]
pub struct Kernel<'a, G: Game, E, M> {
    pub(crate) game: &'a G,
    pub(crate) evaluator: &'a E,
    pub(crate) options: &'a Options,
    pub(crate) table: Option<&'a TranspositionTable>,
    pub(crate) busy: Option<&'a BusyMoves>,
    pub(crate) pulse: Pulse<'a, M>,
    pub(crate) work: &'a mut Workspace<G>,
    pub(crate) path: Path,
    /// Depth of the iteration, which limits extensions.
    pub(crate) root_depth: u32,
    pub(crate) zero_windows: bool,
    /// For how many plies it searches below the horizon.
    pub(crate) quiescence_plies: u32,
    /// The ply this kernel starts from: windows are narrowed from there on.
    pub(crate) base: usize,
    /// Whether the monitor wants to be told each bound.
    pub(crate) witnessed: bool,
    /// The least depth of stored entries that the monitor wants to see.
    pub(crate) stored_from: u32,
}

/// The decision about a node before its children are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// It needs none of them.
    Answer(Found),
    /// They are in order of promise.
    Node(Opened),
}

/// Facts about a node before its children are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The table entry, which has narrowed the window.
    pub known: Found,
    /// The position's signature.
    pub signature: Signature,
    /// The depth of its children: as was asked, or less where no move is known to be tried first.
    pub depth: u32,
}

/// Facts about a node while its children are searched.
pub(crate) struct Node {
    pub ply: usize,
    pub depth: u32,
    /// Whether nothing serious is threatened; asked only near the horizon.
    pub calm: Option<bool>,
    /// No quiet move reaches alpha if that is below it.
    pub futile_below: Option<Value>,
    /// From this number on quiet moves are left out; nothing where all are searched.
    pub late: usize,
    /// Whether the evaluation is better than at the player's last turn, or says nothing.
    pub improves: bool,
}

impl<'a, G: Game, E: Evaluator<G>, M: Monitor<G>> Kernel<'a, G, E, M> {
    /// Prepares the search of a root.
    pub fn new(
        task: KernelInput<'a, G, E>,
        root: &Root<G>,
        work: &'a mut Workspace<G>,
        monitor: &'a mut M,
    ) -> Kernel<'a, G, E, M> {
        let options = task.options;
        work.begin(&root.position, options);
        Kernel {
            witnessed: monitor.witnesses(),
            stored_from: monitor.stored_from(),
            game: task.game,
            evaluator: task.evaluator,
            options,
            table: task.table.filter(|_| options.table),
            busy: task.busy,
            pulse: Pulse::new(monitor, task.abort, options.poll_interval),
            work,
            path: Path::new(task.game, root, options.repetition),
            quiescence_plies: options.quiescence_plies(task.game.description()),
            root_depth: 0,
            zero_windows: options.engine == Engine::NegaScout,
            base: 0,
        }
    }

    /// Searches the root to a depth. After an interrupt, [`pv`](Self::pv) and [`lower`](Self::lower) tell how
    /// far it got.
    pub fn search(&mut self, depth: u32, window: Window) -> Answer {
        self.root_depth = depth;
        self.path.back_to(0);
        let root = &mut self.work.frames[0];
        (root.scouting, root.follows, root.passed) = (false, false, false);
        self.node(0, depth, self.pulse.narrowed(window))
    }

    /// Searches the node at a ply, as part of a larger search.
    pub(crate) fn search_from(&mut self, ply: usize, depth: u32, window: Window) -> Answer {
        self.base = ply;
        self.work.frames[ply].scouting = false;
        self.node(ply, depth, window)
    }

    /// The best line of the last search.
    pub fn pv(&self) -> &[G::Move] {
        &self.work.frames[0].pv
    }

    /// A lower bound of the root's value.
    pub fn lower(&self) -> Value {
        self.work.frames[0].lower
    }

    /// The counters so far.
    pub fn statistics(&self) -> &Statistics {
        &self.pulse.statistics
    }

    /// Searches a node, whose position is in its frame.
    pub(crate) fn node(&mut self, ply: usize, depth: u32, window: Window) -> Answer {
        let answer = self.visit(ply, depth, window);
        self.caught(ply, answer)
    }

    /// Where the search is to go back to this node, what has been proved so far is the answer.
    #[inline]
    pub(crate) fn caught(&mut self, ply: usize, answer: Answer) -> Answer {
        match answer {
            Err(Interrupt::Unwind(target)) if target == ply => {
                self.path.back_to(ply);
                Ok(Found { bounds: Bounds::at_least(self.work.frames[ply].lower), complete: false })
            }
            answer => answer,
        }
    }

    fn visit(&mut self, ply: usize, depth: u32, window: Window) -> Answer {
        let begin = self.pulse.statistics.nodes;
        let opened = match self.open(ply, depth, window)? {
            Opening::Answer(found) => return Ok(found),
            Opening::Node(opened) => opened,
        };
        let depth = opened.depth;
        let (found, best) = self.children(ply, depth)?;
        self.work.frames[ply].effort.add(self.pulse.statistics.nodes - begin + 1);
        Ok(self.close(ply, depth, window, opened, found, best.map(|best| best.key)))
    }

    /// Everything a node does before its children are searched.
    #[inline]
    pub(crate) fn open(&mut self, ply: usize, depth: u32, window: Window) -> Result<Opening, Interrupt> {
        self.start(ply, window)?;
        if let Some(found) = self.ended(ply) {
            self.pulse.statistics.leaves += 1;
            self.witness(ply, depth, window, found.bounds, false);
            return Ok(Opening::Answer(found));
        }
        if let Some(found) = self.repeated(ply) {
            return Ok(Opening::Answer(found));
        }
        if let Some(found) = self.worked_out(ply) {
            self.witness(ply, depth, window, found.bounds, false);
            return Ok(Opening::Answer(found));
        }
        if depth == 0 || ply >= MAX_PLY {
            let found = self.horizon(ply)?;
            self.witness(ply, depth, window, found.bounds, false);
            return Ok(Opening::Answer(found));
        }
        let signature = self.game.signature(&self.work.frames[ply].position);
        let entry = self.probe(ply, signature, depth);
        let whole = self.work.frames[ply].without == 0;
        self.work.frames[ply].hearsay = entry.map_or(Bounds::UNKNOWN, |entry| entry.bounds(ply));
        self.work.frames[ply].singular = 0;
        let mut known = Found { bounds: Bounds::UNKNOWN, complete: true };
        if let Some(entry) = entry.filter(|entry| {
            whole && ply > 0 && self.options.table_cutoffs && entry.answers(depth, self.options.depth_exact)
        }) {
            known = Found { bounds: entry.bounds(ply), complete: entry.complete };
            if known.bounds.decides(window) {
                self.pulse.statistics.table_cutoffs += 1;
                self.witness(ply, depth, window, known.bounds, true);
                return Ok(Opening::Answer(known));
            }
            let frame = &mut self.work.frames[ply];
            frame.window = window.and(Window { alpha: known.bounds.lower, beta: known.bounds.upper });
            frame.lower = known.bounds.lower;
        }
        // Where nothing is threatened, a node is finished without asking whether there are moves at all:
        // whoever prunes takes a stalemate for a position that goes on.
        let calm = whole && self.may_prune(ply) && self.calm(ply) == Some(true);
        if calm && let Some(found) = self.pruned(ply, depth)? {
            return Ok(Opening::Answer(found.with(known)));
        }
        let mut hint = entry.map_or(0, |entry| entry.mark);
        if hint == 0 && self.options.internal_deepening && depth >= INTERNAL_DEPTH {
            hint = self.deepen_internally(ply, depth)?;
        }
        if let Some(found) = self.single_out(ply, depth, entry)? {
            return Ok(Opening::Answer(found.with(known)));
        }
        if let Some(outcome) = self.generate(ply)? {
            self.pulse.statistics.leaves += 1;
            self.work.frames[ply].effort.add(1);
            let found = Found::exact(self.worth(ply, outcome), true);
            self.witness(ply, depth, window, found.bounds, false);
            return Ok(Opening::Answer(found));
        }
        if !calm
            && whole
            && let Some(found) = self.null_move(ply, depth)?
        {
            return Ok(Opening::Answer(found.with(known)));
        }
        if whole && let Some(found) = self.enhanced_cutoff(ply, depth) {
            let found = found.with(known);
            self.witness(ply, depth, window, found.bounds, false);
            return Ok(Opening::Answer(found));
        }
        self.order(ply, if self.options.table_move { hint } else { 0 });
        if self.options.fewest_first && self.work.frames[ply].effort.takes(FEWEST_EFFORT) {
            self.prefer_few_replies(ply)?;
        }
        let depth = depth - u32::from(hint == 0 && self.goes_less_deep(ply, depth));
        Ok(Opening::Node(Opened { known, signature, depth }))
    }

    /// Everything a node does once its children have been searched; `best` is the key of the best one, if it
    /// is better than alpha.
    #[inline]
    pub(crate) fn close(
        &mut self,
        ply: usize,
        depth: u32,
        window: Window,
        opened: Opened,
        found: Found,
        best: Option<u64>,
    ) -> Found {
        let found = found.with(opened.known);
        self.witness(ply, depth, window, found.bounds, false);
        let whole = self.work.frames[ply].without == 0;
        let speaks_for_position = whole && (ply > 0 || !self.path.is_limited());
        if let Some(table) =
            self.table_at(ply).filter(|_| depth >= self.options.table_depth && speaks_for_position)
        {
            let mark = best.map_or(0, move_mark);
            self.pulse.statistics.table_stores += 1;
            let entry = Entry::new(found.bounds, window, ply, depth, found.complete, mark);
            table.store(opened.signature, entry);
            if depth >= self.stored_from {
                self.pulse.monitor.stored(opened.signature, entry);
            }
        }
        found
    }

    /// Counts a node and lets the world outside have its say.
    #[inline]
    pub(crate) fn start(&mut self, ply: usize, window: Window) -> Result<(), Interrupt> {
        if self.work.frames.len() < ply + 2 {
            self.grow(ply);
        }
        let frame = &mut self.work.frames[ply];
        frame.pv.clear();
        frame.window = window;
        frame.lower = -Value::INFINITE;
        match self.pulse.tick()? {
            Some(narrow) => self.narrow(ply, narrow),
            None => Ok(()),
        }
    }

    #[cold]
    pub(crate) fn grow(&mut self, ply: usize) {
        let any = self.work.frames[0].position.clone();
        self.work.ensure(ply, &any);
    }

    /// Takes a window of the root down the path. Below a scouting node nothing changes: its window asks a
    /// question of its own. Where a node turns out to be decided, the search goes back to it.
    fn narrow(&mut self, ply: usize, mut window: Window) -> Result<(), Interrupt> {
        for level in self.base..=ply {
            let frame = &mut self.work.frames[level];
            if frame.scouting {
                break;
            }
            frame.window = frame.window.and(window);
            if frame.lower >= frame.window.beta {
                return Err(Interrupt::Unwind(level));
            }
            window = frame.window;
            if level < ply && self.side(level) != self.side(level + 1) {
                window = -window;
            }
        }
        Ok(())
    }

    /// Whether the last move ended the game. Tables are not asked: they may know a position that looks the
    /// same and goes on.
    #[inline]
    pub(crate) fn ended(&self, ply: usize) -> Option<Found> {
        let outcome = self.game.ended(&self.work.frames[ply].position)?;
        Some(Found::exact(self.worth(ply, outcome), true))
    }

    /// Whether the last move brought a position back.
    #[inline]
    fn repeated(&mut self, ply: usize) -> Option<Found> {
        if ply == 0 || !self.path.is_watched() || self.work.frames[ply].passed {
            return None;
        }
        let position = &self.work.frames[ply].position;
        if self.game.is_irreversible(position) {
            return None;
        }
        self.pulse.statistics.repetition_scans += 1;
        let outcome = self.path.ending(self.game, position, self.side(ply - 1))?;
        self.pulse.statistics.repetitions += 1;
        // Entries of the table are believed on other paths as well, which need not repeat anything.
        let complete = self.options.repetition == RepetitionMode::Exact && self.table.is_none();
        Some(Found::exact(self.worth(ply, outcome), complete))
    }

    /// What an endgame database says. The root is not asked: it needs a move.
    #[inline]
    fn worked_out(&mut self, ply: usize) -> Option<Found> {
        let frame = &self.work.frames[ply];
        if ply == 0 || frame.without != 0 {
            return None;
        }
        let value = self.evaluator.known(self.game, &frame.position)?;
        self.pulse.statistics.endgame_hits += 1;
        // It rests on finished games, though not on those of this search.
        Some(Found::exact(value.from_node(ply), true))
    }

    /// The table, if it is worthwhile at a ply.
    #[inline]
    pub(crate) fn table_at(&self, ply: usize) -> Option<&'a TranspositionTable> {
        let worthwhile = !self.options.fewest_first || self.work.frames[ply].effort.takes(TABLE_EFFORT);
        self.table.filter(|_| worthwhile)
    }

    #[inline]
    fn probe(&mut self, ply: usize, signature: Signature, depth: u32) -> Option<Entry> {
        let table = self.table_at(ply).filter(|_| depth >= self.options.table_depth)?;
        self.pulse.statistics.table_probes += 1;
        let entry = table.probe(signature)?;
        self.pulse.statistics.table_hits += 1;
        Some(entry)
    }

    #[inline]
    pub(crate) fn generate(&mut self, ply: usize) -> Result<Option<Outcome>, Interrupt> {
        let (frame, below) = self.work.pair(ply);
        let outcome = self.path.moves(self.game, &frame.position, &mut frame.moves, &mut below.position)?;
        if ply == 0 {
            self.path.limit(self.game, &mut frame.moves);
        }
        Ok(outcome)
    }

    /// Writes the child of a move into the next frame.
    #[inline]
    pub(crate) fn make(&mut self, ply: usize, choice: Choice) {
        let follows = self.follow(ply, choice);
        let game = self.game;
        let (frame, below) = self.work.pair(ply);
        game.apply(&frame.position, &frame.moves[choice.index as usize], &mut below.position);
        (below.follows, below.passed, below.arrived, below.without) = (follows, false, choice.key, 0);
        below.father = game.signature(&frame.position);
        below.pv.clear();
        let child = &self.work.frames[ply + 1].position;
        if let Some(table) = self.table_at(ply + 1) {
            table.expect(game.signature(child));
        }
        if self.path.is_watched() {
            self.path.enter(game.signature(child), game.is_irreversible(child));
        }
    }

    /// Whose turn it is at a ply.
    #[inline]
    pub(crate) fn side(&self, ply: usize) -> Side {
        self.game.side_to_move(&self.work.frames[ply].position)
    }

    /// The worth of an outcome at a ply for the player to move there.
    #[inline]
    pub(crate) fn worth(&self, ply: usize, outcome: Outcome) -> Value {
        Value::of_outcome(outcome, self.side(ply), ply as u32)
    }

    #[inline]
    fn witness(&mut self, ply: usize, depth: u32, window: Window, bounds: Bounds, from_table: bool) {
        if !self.witnessed {
            return;
        }
        let position = &self.work.frames[ply].position;
        let parent = ply.checked_sub(1).map(|above| &self.work.frames[above].position);
        let computed = Computed { position, parent, ply, depth, window, bounds, from_table };
        self.pulse.monitor.computed(&computed);
    }
}
