//! Puzzles on threads: IDA* by work stealing or with a limit for each thread, with a common table, or transposition-driven
//! scheduling with a table for each thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use multigame_game::{Game, RulesError};
use multigame_parallel::{PuzzlePolicy, PuzzleResult, PuzzleSetup, PuzzleWorker, WorkerId};
use multigame_search::{
    Bounds, Control, Evaluator, Iteration, Monitor, Root, SearchError, SearchResult, Statistics,
    TranspositionTable, Value,
};

use crate::crew::Crew;
use crate::driver::{Done, Listener, Watcher, run};
use crate::report::{CrewReport, HandReport};

impl<G: Game, E: Evaluator<G>> Crew<'_, G, E> {
    pub(crate) fn run_puzzle(
        &mut self,
        policy: PuzzlePolicy,
        root: &Root<G>,
        longest: u32,
        monitor: &mut impl Monitor<G>,
    ) -> Result<(SearchResult<G::Move>, CrewReport), SearchError> {
        let start = Instant::now();
        let halt = AtomicBool::new(false);
        let setup = PuzzleSetup { seed: self.options.seed, ..PuzzleSetup::threads(policy) };
        let own = self.own_tables(policy)?;
        let shared = self.table.filter(|_| self.options.table && policy != PuzzlePolicy::Tds);
        let workers: Vec<_> = (0..self.threads)
            .map(|id| {
                let table = own.get(id as usize).or(shared);
                let known = (self.game, self.evaluator);
                PuzzleWorker::new((id, self.threads), known, table, &root.position, longest, setup)
                    .with_abort(&halt)
            })
            .collect();
        let nodes: Vec<AtomicU64> = (0..self.threads).map(|_| AtomicU64::new(0)).collect();
        let (ears, abort) = (Ears(&nodes), self.abort);
        let mut watch = Watch { monitor, halt: &halt, abort, nodes: &nodes, seen: 0 };
        let done = run(workers, &mut watch, &ears, self.trace.then_some(start));
        let mut statistics = Statistics::default();
        let mut hands = Vec::new();
        for Done { worker, idle, .. } in &done {
            if let Some(error) = worker.failure() {
                return Err(SearchError::Rules(Box::new(error.clone())));
            }
            statistics += *worker.statistics();
            let (statistics, counters) = (*worker.statistics(), worker.counters());
            hands.push(HandReport { statistics, counters, idle: *idle });
        }
        let found = done.first().and_then(|first| first.worker.result().cloned());
        let result = self.answer(root, found, halt.load(Ordering::Relaxed), statistics);
        let result = result.map_err(|error| SearchError::Rules(Box::new(error)))?;
        let (work, policy) = (statistics.nodes, self.policy);
        let spans = done.iter().flat_map(|done| &done.spans).copied().collect();
        Ok((result, CrewReport { policy, hands, time: start.elapsed(), work, critical: None, spans }))
    }

    /// A table for each thread, where positions have homes.
    fn own_tables(&self, policy: PuzzlePolicy) -> Result<Vec<TranspositionTable>, SearchError> {
        if policy != PuzzlePolicy::Tds || !self.options.table {
            return Ok(Vec::new());
        }
        let mib = (self.options.table_mib / self.threads as usize).max(1);
        let tables = (0..self.threads).map(|_| TranspositionTable::new(mib, self.options.table_layout));
        let tables: Result<Vec<_>, _> = tables.collect();
        tables.map_err(|error| SearchError::Unsuitable(error.to_string()))
    }

    fn answer(
        &self,
        root: &Root<G>,
        found: Option<PuzzleResult>,
        stopped: bool,
        statistics: Statistics,
    ) -> Result<SearchResult<G::Move>, RulesError> {
        let (bounds, pv, depth, finished) = match found {
            Some(PuzzleResult::Solved(path)) => {
                let length = path.len() as u32;
                (Bounds::exact(Value::win_in(length)), self.line(root, &path)?, length, true)
            }
            Some(PuzzleResult::Unsolvable) => (Bounds::exact(-Value::WIN), Vec::new(), 0, true),
            Some(PuzzleResult::Unknown(least)) => {
                (Bounds::at_most(Value::win_in(least)), Vec::new(), least, !stopped)
            }
            None => (Bounds::UNKNOWN, Vec::new(), 0, false),
        };
        let value = if bounds.is_exact() { bounds.lower } else { Value::DRAW };
        Ok(SearchResult { bounds, value, pv, depth, finished, statistics })
    }

    /// The moves of a solution that is told by places in lists of moves.
    fn line(&self, root: &Root<G>, path: &[u16]) -> Result<Vec<G::Move>, RulesError> {
        let (mut position, mut moves, mut line) = (root.position.clone(), Vec::new(), Vec::new());
        for &index in path {
            self.game.moves(&position, &mut moves)?;
            let mv = moves[usize::from(index)].clone();
            let before = position.clone();
            self.game.apply(&before, &mv, &mut position);
            line.push(mv);
        }
        Ok(line)
    }
}

struct Ears<'n>(&'n [AtomicU64]);

impl Listener for Ears<'_> {
    fn visited(&self, worker: WorkerId, nodes: u64) {
        self.0[worker as usize].store(nodes, Ordering::Relaxed);
    }
}

/// Asks the monitor, and tells it of limits that were not enough.
struct Watch<'w, M> {
    monitor: &'w mut M,
    halt: &'w AtomicBool,
    abort: Option<&'w AtomicBool>,
    nodes: &'w [AtomicU64],
    seen: usize,
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Watcher<PuzzleWorker<'_, G, E>> for Watch<'_, M> {
    fn beat(&mut self, nodes: Option<u64>) {
        if let Some(nodes) = nodes {
            self.nodes[0].store(nodes, Ordering::Relaxed);
        }
        let nodes = self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum();
        let told = self.abort.is_some_and(|abort| abort.load(Ordering::Relaxed));
        let statistics = Statistics { nodes, ..Statistics::default() };
        if told || self.monitor.poll(&statistics) == Control::Stop {
            self.halt.store(true, Ordering::Relaxed);
        }
    }

    fn worked(&mut self, worker: &mut PuzzleWorker<'_, G, E>) {
        self.nodes[0].store(worker.statistics().nodes, Ordering::Relaxed);
        let nodes = self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum();
        let statistics = Statistics { nodes, ..Statistics::default() };
        let limits = worker.iterations();
        for (number, &depth) in limits.iter().enumerate().skip(self.seen) {
            let next = limits.get(number + 1).copied().unwrap_or(worker.limit());
            let bounds = Bounds::at_most(Value::win_in(next.max(depth + 1)));
            let iteration = Iteration { depth, bounds, pv: &[], line: 0, statistics: &statistics };
            if self.monitor.iteration(&iteration).is_break() {
                self.halt.store(true, Ordering::Relaxed);
            }
        }
        self.seen = limits.len();
    }
}
