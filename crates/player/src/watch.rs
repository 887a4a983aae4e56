//! Looks at the clock while a search runs, and tells how it is getting on.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use multigame_game::{Game, Side};
use multigame_search::{Bounds, Control, Iteration, Monitor, Statistics};

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
    /// The best line; empty in a sign of life.
    pub pv: &'p [M],
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
        Watch { start, budget: limits.budget(side), nodes: limits.nodes, depth: 0, next_beat: BEAT, report }
    }
}

impl<G: Game> Monitor<G> for Watch<'_, G::Move> {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        if self.nodes.is_some_and(|nodes| statistics.nodes >= nodes) {
            return Control::Stop;
        }
        let time = self.start.elapsed();
        if self.budget.is_some_and(|(hard, _)| time >= hard) {
            return Control::Stop;
        }
        if time >= self.next_beat {
            self.next_beat = time + BEAT;
            let (depth, bounds) = (self.depth, Bounds::UNKNOWN);
            (self.report)(&Progress { depth, finished: false, bounds, pv: &[], statistics, time });
        }
        Control::Continue
    }

    fn iteration(&mut self, iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        let time = self.start.elapsed();
        self.depth = iteration.depth;
        let Iteration { depth, bounds, pv, statistics, .. } = *iteration;
        (self.report)(&Progress { depth, finished: true, bounds, pv, statistics, time });
        match self.budget {
            Some((_, soft)) if time >= soft => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}
