//! The search of the root: which pass comes next, and what has been found so far.

use multigame_game::Game;
use multigame_search::{Bounds, Found, Options, Passes, Value, Window, decided, depths};

/// A finished iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct IterationReport<M> {
    /// Its depth.
    pub depth: u32,
    /// What is known about the root.
    pub bounds: Bounds,
    /// Whether that rests on finished games alone.
    pub complete: bool,
    /// The best line.
    pub pv: Vec<M>,
    /// The length of the critical path so far, in ticks.
    pub critical: u64,
}

/// The search of the root, as one worker conducts it.
#[derive(Debug)]
pub struct Master<G: Game> {
    /// The depths still to be searched, the present one first.
    remaining: Vec<u32>,
    passes: Passes,
    /// The line of a pass that failed high, for passes after it that know none.
    line: Vec<G::Move>,
    result: IterationReport<G::Move>,
    value: Value,
    reports: Vec<IterationReport<G::Move>>,
    interrupted: bool,
    extra_passes: u64,
    /// The passes end at iterations that the one who runs the worker wants to hear of.
    news: bool,
}

impl<G: Game> Master<G> {
    /// A search to a depth, or `ahead` plies further in larger steps.
    pub(crate) fn new(depth: u32, ahead: u32, options: &Options) -> Master<G> {
        let step = if ahead > 0 && options.deepening > 0 { 2 } else { options.deepening };
        let mut remaining: Vec<u32> = depths(depth + ahead, step).collect();
        remaining.reverse();
        let first = remaining.last().copied().unwrap_or(0);
        Master {
            remaining,
            passes: Passes::new(first, None, options),
            line: Vec::new(),
            result: IterationReport {
                depth: 0,
                bounds: Bounds::UNKNOWN,
                complete: false,
                pv: Vec::new(),
                critical: 0,
            },
            value: Value::DRAW,
            reports: Vec::new(),
            interrupted: false,
            extra_passes: 0,
            news: false,
        }
    }

    /// Depth, window and critical path of the next pass.
    pub(crate) fn next(&self) -> Option<(u32, Window, u64)> {
        let depth = *self.remaining.last()?;
        Some((depth, self.passes.window(), self.result.critical))
    }

    /// Takes the answer of a pass; true at the end of an iteration.
    pub(crate) fn absorb(&mut self, found: Found, pv: Vec<G::Move>, end: u64, options: &Options) -> bool {
        let Some((depth, asked, _)) = self.next() else { return false };
        self.result.critical = end;
        let answer = self.passes.absorb(found, asked, Window::FULL);
        self.extra_passes += u64::from(self.passes.counts());
        if self.passes.keeps_line(found, asked) && !pv.is_empty() {
            self.line.clone_from(&pv);
        }
        let Some(found) = answer else { return false };
        let pv = if self.line.is_empty() { pv } else { std::mem::take(&mut self.line) };
        self.result.depth = depth;
        (self.result.bounds, self.result.complete) = (found.bounds, found.complete);
        if !pv.is_empty() {
            self.result.pv = pv;
        }
        self.value = found.bounds.strongest().1;
        self.reports.push(self.result.clone());
        self.news = true;
        self.remaining.pop();
        if decided(found, depth, options) {
            self.remaining.clear();
        }
        if let Some(&next) = self.remaining.last() {
            self.passes = Passes::new(next, Some(self.value), options);
        }
        true
    }

    /// Passes more than one for an iteration, since this was last asked.
    pub(crate) fn take_extra_passes(&mut self) -> u64 {
        std::mem::take(&mut self.extra_passes)
    }

    /// Whether an iteration has ended since this was last asked.
    pub(crate) fn has_news(&mut self) -> bool {
        std::mem::take(&mut self.news)
    }

    /// The search ends before its time: what the unfinished pass found better counts.
    pub(crate) fn stopped(&mut self, lower: Value, pv: &[G::Move]) {
        self.interrupted = true;
        if !pv.is_empty() {
            self.result.pv = pv.to_vec();
            (self.result.bounds, self.result.complete) = (Bounds::at_least(lower), false);
            self.value = lower;
        }
    }

    /// The iterations finished so far.
    pub fn reports(&self) -> &[IterationReport<G::Move>] {
        &self.reports
    }

    /// The last finished iteration, or what an unfinished one found better.
    pub fn result(&self) -> &IterationReport<G::Move> {
        &self.result
    }

    /// The value in one number.
    pub fn value(&self) -> Value {
        self.value
    }

    /// Whether the search came to its end.
    pub fn is_complete(&self) -> bool {
        !self.interrupted && self.remaining.is_empty()
    }

    /// Searches no deeper than the iterations finished so far.
    pub fn end_here(&mut self) {
        self.remaining.clear();
    }
}
