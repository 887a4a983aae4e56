//! Puzzles on threads, with a common table: IDA* by work stealing, with a limit for each thread, or by transposition-driven
//! scheduling.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use multigame_game::{Game, RulesError};
use multigame_parallel::{PuzzlePolicy, PuzzleResult, PuzzleSetup, PuzzleWorker};
use multigame_search::{
    Evaluator, Iteration, Monitor, NEVER, Proved, Root, SearchError, SearchResult, Statistics, Value,
};

use crate::crew::{Counts, Crew, Worked, beat};
use crate::driver::{Done, Watcher, run_team};
use crate::port::{Alone, Port};
use crate::report::{CrewReport, HandReport};

/// What the workers have come to: a result, if it is known here, whether that was before anybody was told to stop, and what the
/// limits prove that were searched until then.
pub(crate) type Pursued = (Option<PuzzleResult>, bool, Proved);

impl<G: Game, E: Evaluator<G>> Crew<'_, G, E> {
    pub(crate) fn run_puzzle(
        &mut self,
        policy: PuzzlePolicy,
        root: &Root<G>,
        longest: u32,
        monitor: &mut dyn Monitor<G>,
    ) -> Result<(SearchResult<G::Move>, CrewReport), SearchError> {
        let start = Instant::now();
        let mut worked = self.pursue(policy, root, longest, monitor, start)?;
        worked.join_others(self.beyond)?;
        let mut statistics = Statistics::default();
        worked.hands.iter().for_each(|hand| statistics += hand.statistics);
        let pursued = worked.result.take().unwrap_or((None, false, Proved::NOTHING));
        let result = self.answer(root, pursued, statistics);
        let result = result.map_err(|error| SearchError::Rules(Box::new(error)))?;
        let (work, policy) = (statistics.nodes, self.named_policy());
        let Worked { hands, spans, processes, .. } = worked;
        let (time, critical) = (start.elapsed(), None);
        Ok((result, CrewReport { policy, hands, time, work, critical, spans, processes }))
    }

    /// Runs the workers of this process to their end.
    pub(crate) fn pursue(
        &mut self,
        policy: PuzzlePolicy,
        root: &Root<G>,
        longest: u32,
        monitor: &mut dyn Monitor<G>,
        start: Instant,
    ) -> Result<Worked<Pursued>, SearchError> {
        let team = self.team();
        let halt = AtomicBool::new(false);
        let least = self.evaluator.lower_bound(self.game, &root.position);
        let setup = match self.beyond {
            Some(beyond) if team.is_part() => {
                PuzzleSetup::ranks(policy, self.threads, beyond.memory(), least)
            }
            _ => PuzzleSetup::threads(policy),
        };
        let setup = PuzzleSetup { seed: self.options.seed, ..setup };
        let table = self.table.filter(|_| self.options.table);
        let workers: Vec<_> = team
            .workers()
            .map(|id| {
                let known = (self.game, self.evaluator);
                PuzzleWorker::new((id, team.all), known, table, &root.position, longest, setup)
                    .with_abort(&halt)
            })
            .collect();
        let counts = Counts::new(team, self.beyond);
        let proved = Proved::at_least_moves(least);
        let (counts, abort) = (&counts, self.abort);
        let mut watch = Watch { monitor, halt: &halt, abort, counts, seen: 0, proved, settled: false };
        let port: Box<dyn Port<_> + '_> = match self.beyond {
            None => Box::new(Alone),
            Some(beyond) => beyond.puzzles(),
        };
        let done = run_team(team, workers, port, &mut watch, counts, self.trace.then_some(start))?;
        let mut worked = Worked::default();
        for Done { worker, idle, spans } in done {
            worked.failure = worked.failure.or(worker.failure().cloned());
            let (statistics, counters) = (*worker.statistics(), worker.counters());
            worked.hands.push(HandReport { statistics, counters, idle });
            worked.spans.extend(spans);
            let found = worker.result().cloned();
            worked.result = worked.result.or(Some((found, watch.settled, watch.proved)));
        }
        Ok(worked)
    }

    /// Workers that are told to stop drop what they have, and the others may take that for the end of a search: then only a
    /// solution is believed, which can be played, and what was `proved` before.
    fn answer(
        &self,
        root: &Root<G>,
        (found, settled, proved): Pursued,
        statistics: Statistics,
    ) -> Result<SearchResult<G::Move>, RulesError> {
        let (proved, pv, depth, finished) = match found {
            Some(PuzzleResult::Solved(path)) => {
                let line = self.line(root, &path)?.unwrap_or_default();
                let length = line.len() as u32;
                match Proved::shortest(self.game, &root.position, &line)? {
                    Some(proved) => (proved, line, length, true),
                    None => (proved, Vec::new(), 0, false),
                }
            }
            Some(PuzzleResult::Unsolvable) if settled => (Proved::at_least_moves(NEVER), Vec::new(), 0, true),
            Some(PuzzleResult::Unknown(least)) if settled => {
                (Proved::at_least_moves(least), Vec::new(), least, true)
            }
            _ => (proved, Vec::new(), proved.bounds().upper.plies().unwrap_or(0), false),
        };
        let (bounds, value) = (proved.bounds(), proved.value().unwrap_or(Value::DRAW));
        Ok(SearchResult { bounds, proved, value, pv, depth, finished, reported: finished, statistics })
    }

    /// The moves of a solution that is told by places in lists of moves; nothing if there are no such places.
    fn line(&self, root: &Root<G>, path: &[u16]) -> Result<Option<Vec<G::Move>>, RulesError> {
        let (mut position, mut moves, mut line) = (root.position.clone(), Vec::new(), Vec::new());
        for &index in path {
            let outcome = self.game.moves(&position, &mut moves)?;
            let Some(mv) = moves.get(usize::from(index)).filter(|_| outcome.is_none()).cloned() else {
                return Ok(None);
            };
            let before = position.clone();
            self.game.apply(&before, &mv, &mut position);
            line.push(mv);
        }
        Ok(Some(line))
    }
}

/// Asks the monitor, and tells it of limits that were not enough.
struct Watch<'w, G: Game> {
    monitor: &'w mut dyn Monitor<G>,
    halt: &'w AtomicBool,
    abort: Option<&'w AtomicBool>,
    counts: &'w Counts<'w, G>,
    seen: usize,
    /// What the limits prove that were searched before anybody was told to stop.
    proved: Proved,
    /// Whether there was a result before anybody was told to stop.
    settled: bool,
}

impl<G: Game, E: Evaluator<G>> Watcher<PuzzleWorker<'_, G, E>> for Watch<'_, G> {
    fn beat(&mut self, nodes: Option<u64>) {
        beat(self.counts, self.monitor, (self.halt, self.abort), nodes);
    }

    fn worked(&mut self, worker: &mut PuzzleWorker<'_, G, E>) {
        self.counts.first(worker.statistics().nodes);
        let statistics = self.counts.statistics();
        // Only this thread tells the others to stop.
        let stopped = self.halt.load(Ordering::Relaxed);
        self.settled |= !stopped && worker.result().is_some();
        let limits = worker.iterations();
        for (number, &depth) in limits.iter().enumerate().skip(self.seen) {
            let next = limits.get(number + 1).copied().unwrap_or(worker.proved());
            if !stopped {
                self.proved = self.proved.and(Proved::at_least_moves(next.max(depth + 1)));
            }
            let (bounds, proved) = (self.proved.bounds(), self.proved);
            let iteration = Iteration { depth, bounds, proved, pv: &[], line: 0, statistics: &statistics };
            if self.monitor.iteration(&iteration).is_break() {
                self.halt.store(true, Ordering::Relaxed);
            }
        }
        self.seen = limits.len();
    }
}
