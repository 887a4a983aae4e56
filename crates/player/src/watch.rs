//! Looks at the clock while a search runs, and tells how it is getting on.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use multigame_game::{Game, Side};
use multigame_search::{Bounds, Control, Iteration, Monitor, Proved, Statistics, TranspositionTable};

use crate::Limits;

/// Between two signs of life.
const BEAT: Duration = Duration::from_millis(250);

/// How a search is getting on.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'p, M> {
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// Whether this iteration has just been finished; otherwise it is only a sign of life.
    pub finished: bool,
    /// What is known; nothing in a sign of life.
    pub bounds: Bounds,
    /// What of that is proved.
    pub proved: Proved,
    /// The best line; empty in a sign of life.
    pub pv: &'p [M],
    /// 0 for the best line, 1 for the best one that begins with another move, and so on.
    pub line: usize,
    /// How full the transposition table is, in thousandths, if there is one; not known in a sign of life.
    pub fullness: Option<u32>,
    /// What was counted.
    pub statistics: &'p Statistics,
    /// Since the search began.
    pub time: Duration,
}

/// Ends a search in time.
pub struct Watch<'r, M> {
    start: Instant,
    /// Time in which everything must be over, and time after which nothing new is begun.
    budget: Option<(Duration, Duration)>,
    nodes: Option<u64>,
    depth: u32,
    next_beat: Duration,
    waiting: Option<&'r AtomicBool>,
    /// When the clock began to run, if that was after the start.
    released: Option<Duration>,
    table: Option<&'r TranspositionTable>,
    report: &'r mut dyn FnMut(&Progress<'_, M>),
}

impl<'r, M> Watch<'r, M> {
    /// Watches a search that began at `start` for a player.
    pub fn new(
        limits: &Limits,
        side: Side,
        start: Instant,
        report: &'r mut dyn FnMut(&Progress<'_, M>),
    ) -> Watch<'r, M> {
        Watch {
            start,
            budget: limits.budget(side),
            nodes: limits.nodes,
            depth: 0,
            next_beat: BEAT,
            waiting: None,
            released: None,
            table: None,
            report,
        }
    }

    /// Does not count the time for as long as a flag is set.
    pub fn waiting(mut self, flag: &'r AtomicBool) -> Self {
        self.waiting = Some(flag);
        self
    }

    /// Tells how full the table is.
    pub fn with_table(mut self, table: &'r TranspositionTable) -> Self {
        self.table = Some(table);
        self
    }

    /// The time that counts, out of the time since the start.
    fn counted(&mut self, time: Duration) -> Duration {
        if let Some(flag) = self.waiting {
            if flag.load(Ordering::Relaxed) {
                return Duration::ZERO;
            }
            self.waiting = None;
            self.released = Some(time);
        }
        time.saturating_sub(self.released.unwrap_or_default())
    }
}

impl<G: Game> Monitor<G> for Watch<'_, G::Move> {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        if self.nodes.is_some_and(|nodes| statistics.nodes >= nodes) {
            return Control::Stop;
        }
        let time = self.start.elapsed();
        let counted = self.counted(time);
        if self.budget.is_some_and(|(hard, _)| counted >= hard) {
            return Control::Stop;
        }
        if time >= self.next_beat {
            self.next_beat = time + BEAT;
            let (depth, bounds) = (self.depth, Bounds::UNKNOWN);
            (self.report)(&Progress {
                depth,
                finished: false,
                bounds,
                proved: Proved::NOTHING,
                pv: &[],
                line: 0,
                fullness: None,
                statistics,
                time,
            });
        }
        Control::Continue
    }

    fn iteration(&mut self, iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        let time = self.start.elapsed();
        self.depth = iteration.depth;
        let Iteration { depth, bounds, proved, pv, line, statistics } = *iteration;
        let fullness = self.table.map(TranspositionTable::fullness);
        let finished = true;
        (self.report)(&Progress { depth, finished, bounds, proved, pv, line, fullness, statistics, time });
        let counted = self.counted(time);
        match self.budget {
            Some((_, soft)) if counted >= soft => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}
