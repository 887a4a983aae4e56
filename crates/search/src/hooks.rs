//! How the world outside talks to a search: an abort flag, a poll every few hundred nodes, and a witness of results.
//!
//! **Invariant:** nothing in this crate looks at a clock or prints; deadlines and live output come through here.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use multigame_game::{Game, RulesError, Signature};

use crate::{Bounds, Entry, Proofs, Proved, Statistics, Value, Window};

/// Watches a search and may stop or redirect it. `()` watches nothing.
///
/// Whoever calls an engine hands its monitor over as a trait object, so that engines are compiled once for each game and
/// not once more for each monitor.
pub trait Monitor<G: Game> {
    /// Called every [`crate::Options::poll_interval`] nodes.
    fn poll(&mut self, _statistics: &Statistics) -> Control {
        Control::Continue
    }

    /// Called after each iteration; `Break` keeps its result and ends the search.
    fn iteration(&mut self, _iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Whether it wants to be told each bound.
    fn witnesses(&self) -> bool {
        false
    }

    /// Called with each bound the alpha-beta engines compute, those of a node's children before its own, if it
    /// [`witnesses`](Monitor::witnesses). It is for checking searches against full trees and for showing them.
    fn computed(&mut self, _computed: &Computed<'_, G>) {}

    /// The least depth of entries that it wants to see when they are put into the table; none if it does not say.
    fn stored_from(&self) -> u32 {
        u32::MAX
    }

    /// Called with each entry that the alpha-beta engines and the search for verdicts put into the table, from
    /// [`stored_from`](Monitor::stored_from) on.
    fn stored(&mut self, _signature: Signature, _entry: Entry) {}

    /// Called when the search for a verdict begins with a position that takes much work, and when it is done with it.
    fn at(&mut self, _signature: Signature, _begins: bool) {}

    /// Takes over a part of the work on a puzzle, perhaps, after a poll that answered [`Control::Share`]: nobody else will
    /// search it.
    fn share(&mut self, _part: Part<'_, G>) {}

    /// Looks at what df-pn knows, after a poll that answered [`Control::Show`].
    fn known(&mut self, _proofs: &Proofs) {}
}

impl<G: Game> Monitor<G> for () {}

impl<G: Game, M: Monitor<G> + ?Sized> Monitor<G> for &mut M {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        (**self).poll(statistics)
    }

    fn iteration(&mut self, iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        (**self).iteration(iteration)
    }

    fn witnesses(&self) -> bool {
        (**self).witnesses()
    }

    fn computed(&mut self, computed: &Computed<'_, G>) {
        (**self).computed(computed);
    }

    fn stored_from(&self) -> u32 {
        (**self).stored_from()
    }

    fn stored(&mut self, signature: Signature, entry: Entry) {
        (**self).stored(signature, entry);
    }

    fn at(&mut self, signature: Signature, begins: bool) {
        (**self).at(signature, begins);
    }

    fn share(&mut self, part: Part<'_, G>) {
        (**self).share(part);
    }

    fn known(&mut self, proofs: &Proofs) {
        (**self).known(proofs);
    }
}

/// What a poll answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop; what has been found is kept.
    Stop,
    /// Go on, but only values inside this window of the root matter any more.
    Narrow(Window),
    /// Go on, and give a part of the work away: IDA* hands it to [`Monitor::share`], if there is one just now.
    Share,
    /// Go on, and show what is known: df-pn hands it to [`Monitor::known`].
    Show,
}

/// A part of the work on a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a, G: Game> {
    /// A position to be searched.
    pub position: &'a G::Position,
    /// The signature of the position before it, which need not be gone back to.
    pub back: Signature,
    /// Moves that are left.
    pub left: u32,
    /// The way to it from where the search began, each move as its place in the list of moves.
    pub way: &'a [u16],
}

/// A finished iteration.
#[derive(Clone, Copy, Debug)]
pub struct Iteration<'a, M> {
    /// Its depth in plies; for puzzles the number of moves tried.
    pub depth: u32,
    /// What the search says about the root.
    pub bounds: Bounds,
    /// What of that holds however deeply one searches.
    pub proved: Proved,
    /// The best line.
    pub pv: &'a [M],
    /// 0 for the best line of the root, 1 for the best one that begins with another move, and so on.
    pub line: usize,
    /// Counts since the start of the search.
    pub statistics: &'a Statistics,
}

/// A bound computed at a node.
#[derive(Clone, Copy, Debug)]
pub struct Computed<'a, G: Game> {
    /// The position.
    pub position: &'a G::Position,
    /// The position before it; the root has none.
    pub parent: Option<&'a G::Position>,
    /// Its distance from the root.
    pub ply: usize,
    /// Remaining depth.
    pub depth: u32,
    /// What was asked.
    pub window: Window,
    /// The answer, counted from the root as all values in a search are.
    pub bounds: Bounds,
    /// Whether the transposition table knew the answer.
    pub from_table: bool,
}

/// Stops after a number of nodes, give or take one poll interval.
#[derive(Clone, Copy, Debug)]
pub struct NodeLimit(pub u64);

impl<G: Game> Monitor<G> for NodeLimit {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        if statistics.nodes >= self.0 { Control::Stop } else { Control::Continue }
    }
}

/// Why a search did not come to its end.
#[derive(Clone, Debug, PartialEq)]
pub enum Interrupt {
    /// It was told to stop.
    Stopped,
    /// A window narrowed from outside made everything below this ply pointless.
    Unwind(usize),
    /// The rules failed.
    Rules(Box<RulesError>),
}

impl From<RulesError> for Interrupt {
    fn from(error: RulesError) -> Self {
        Interrupt::Rules(Box::new(error))
    }
}

/// Moves within a node after which somebody is asked: they take milliseconds where rules are slow.
const WORK: usize = 500;

/// Counts nodes and asks the world outside now and then.
#[derive(Debug)]
pub(crate) struct Pulse<'a, M> {
    pub monitor: &'a mut M,
    pub statistics: Statistics,
    abort: Option<&'a AtomicBool>,
    interval: u64,
    next: u64,
    /// Moves made within a node since somebody was asked.
    work: usize,
    /// What is left of the root's window.
    narrowed: Option<Window>,
    /// Whether somebody waits for a part of the work, or for what is known.
    pub asked: bool,
}

impl<'a, M> Pulse<'a, M> {
    pub fn new(monitor: &'a mut M, abort: Option<&'a AtomicBool>, interval: u32) -> Self {
        let interval = u64::from(interval.max(1));
        let (statistics, narrowed, asked) = (Statistics::default(), None, false);
        Pulse { monitor, statistics, abort, interval, next: interval, work: 0, narrowed, asked }
    }

    /// Counts a node. Once the window of the root has been narrowed, every poll answers with it.
    #[inline]
    pub fn tick<G: Game>(&mut self) -> Result<Option<Window>, Interrupt>
    where
        M: Monitor<G>,
    {
        self.statistics.nodes += 1;
        if self.abort.is_some_and(|abort| abort.load(Ordering::Relaxed)) {
            return Err(Interrupt::Stopped);
        }
        if self.statistics.nodes < self.next {
            return Ok(None);
        }
        self.next = self.statistics.nodes + self.interval;
        self.ask()
    }

    /// Counts moves within a node. Nodes may be whole games of thousands of moves: where each node is asked about, such ones
    /// are in the middle.
    #[inline]
    pub fn work<G: Game>(&mut self, moves: usize) -> Result<(), Interrupt>
    where
        M: Monitor<G>,
    {
        self.work += moves;
        if self.work < WORK || self.interval > 1 {
            return Ok(());
        }
        self.work = 0;
        if self.abort.is_some_and(|abort| abort.load(Ordering::Relaxed)) {
            return Err(Interrupt::Stopped);
        }
        self.ask().map(drop)
    }

    fn ask<G: Game>(&mut self) -> Result<Option<Window>, Interrupt>
    where
        M: Monitor<G>,
    {
        match self.monitor.poll(&self.statistics) {
            Control::Continue => Ok(self.narrowed),
            Control::Share | Control::Show => {
                self.asked = true;
                Ok(self.narrowed)
            }
            Control::Stop => Err(Interrupt::Stopped),
            Control::Narrow(window) => {
                self.narrowed = Some(self.narrowed.map_or(window, |narrowed| narrowed.and(window)));
                Ok(self.narrowed)
            }
        }
    }

    /// What matters of a window of the root.
    pub fn narrowed(&self, window: Window) -> Window {
        self.narrowed.map_or(window, |narrowed| narrowed.and(window))
    }

    /// Reports an iteration; the answer says whether to stop.
    pub fn iteration<G: Game>(
        &mut self,
        depth: u32,
        bounds: Bounds,
        proved: Proved,
        pv: &[G::Move],
    ) -> ControlFlow<()>
    where
        M: Monitor<G>,
    {
        self.line(depth, bounds, proved, pv, 0)
    }

    /// Reports one of several lines.
    pub fn line<G: Game>(
        &mut self,
        depth: u32,
        bounds: Bounds,
        proved: Proved,
        pv: &[G::Move],
        line: usize,
    ) -> ControlFlow<()>
    where
        M: Monitor<G>,
    {
        self.monitor.iteration(&Iteration { depth, bounds, proved, pv, line, statistics: &self.statistics })
    }
}

/// What every engine answers.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<M> {
    /// What the search says about the root, as its player sees it: true for its depth and its evaluation. For a puzzle a
    /// solution in `n` moves is [`Value::win_in`]`(n)`; a puzzle without solution is lost.
    pub bounds: Bounds,
    /// What has been proved about the root: true for the game.
    pub proved: Proved,
    /// The best guess in one number; inside of `bounds`.
    pub value: Value,
    /// The best line found, perhaps cut short; empty only if the root is final or a puzzle not solved.
    pub pv: Vec<M>,
    /// Depth of the last finished iteration; 0 for engines without.
    pub depth: u32,
    /// Whether the search came to its end instead of being stopped. That alone proves nothing.
    pub finished: bool,
    /// Whether the last iteration that was reported says all of this.
    pub reported: bool,
    /// What was counted.
    pub statistics: Statistics,
}

impl<M> SearchResult<M> {
    /// What a search knows before it has begun.
    pub fn nothing() -> SearchResult<M> {
        SearchResult {
            bounds: Bounds::UNKNOWN,
            proved: Proved::NOTHING,
            value: Value::DRAW,
            pv: Vec::new(),
            depth: 0,
            finished: true,
            reported: true,
            statistics: Statistics::default(),
        }
    }
}
