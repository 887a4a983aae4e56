//! Verdicts by several processes: the threads of each meet in its table, the processes tell each other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use multigame_game::Game;
use multigame_parallel::VerdictWorker;
use multigame_search::{
    BusyMoves, Evaluator, Iteration, KernelInput, Monitor, Root, SearchError, SearchResult, Statistics,
};

use crate::crew::{Counts, Crew, Worked, beat};
use crate::driver::{Done, Watcher, run_team};
use crate::port::Beyond;
use crate::report::{CrewReport, HandReport};

impl<G: Game, E: Evaluator<G>> Crew<'_, G, E> {
    pub(crate) fn run_verdict(
        &mut self,
        beyond: &dyn Beyond<G>,
        root: &Root<G>,
        monitor: &mut dyn Monitor<G>,
    ) -> Result<(SearchResult<G::Move>, CrewReport), SearchError> {
        let start = Instant::now();
        let mut worked = self.find_verdict(beyond, root, monitor, start)?;
        worked.join_others(self.beyond)?;
        let mut result = worked.result.take().expect("worker 0 has a result unless the rules failed");
        result.statistics = Statistics::default();
        worked.hands.iter().for_each(|hand| result.statistics += hand.statistics);
        let (statistics, proved) = (result.statistics, result.proved);
        let (depth, bounds, pv) = (result.depth, result.bounds, &result.pv);
        let last = Iteration { depth, bounds, proved, pv, line: 0, statistics: &statistics };
        let _ = monitor.iteration(&last);
        let Worked { hands, spans, processes, .. } = worked;
        let (work, policy, time) = (statistics.nodes, self.named_policy(), start.elapsed());
        Ok((result, CrewReport { policy, hands, time, work, critical: None, spans, processes }))
    }

    /// Runs the workers of this process to their end.
    pub(crate) fn find_verdict(
        &self,
        beyond: &dyn Beyond<G>,
        root: &Root<G>,
        monitor: &mut dyn Monitor<G>,
        start: Instant,
    ) -> Result<Worked<SearchResult<G::Move>>, SearchError> {
        let (team, halt, busy) = (self.team(), AtomicBool::new(false), BusyMoves::default());
        let task = KernelInput {
            game: self.game,
            evaluator: self.evaluator,
            options: &self.options,
            table: self.table,
            abort: Some(&halt),
            busy: Some(&busy),
        };
        let tables = (beyond.memory(), self.threads);
        let workers: Vec<_> =
            team.workers().map(|id| VerdictWorker::new((id, team.all), task, root, tables)).collect();
        let counts = Counts::new(team, self.beyond);
        let mut watch = Watch { monitor, halt: &halt, abort: self.abort, counts: &counts };
        let trace = self.trace.then_some(start);
        let done = run_team(team, workers, beyond.games(), &mut watch, &counts, trace)?;
        let mut worked = Worked::default();
        for Done { worker, idle, spans } in done {
            worked.failure = worked.failure.or(worker.failure().cloned());
            let (statistics, counters) = (*worker.statistics(), *worker.counters());
            worked.hands.push(HandReport { statistics, counters, idle });
            worked.spans.extend(spans);
            worked.result = worked.result.or(worker.into_result());
        }
        Ok(worked)
    }
}

/// Asks the monitor of the caller whether the search is to end.
struct Watch<'w, G: Game> {
    monitor: &'w mut dyn Monitor<G>,
    halt: &'w AtomicBool,
    abort: Option<&'w AtomicBool>,
    counts: &'w Counts<'w, G>,
}

impl<G: Game, E: Evaluator<G>> Watcher<VerdictWorker<'_, G, E>> for Watch<'_, G> {
    fn beat(&mut self, nodes: Option<u64>) {
        // A search that has ended needs no end.
        if !self.halt.load(Ordering::Relaxed) {
            beat(self.counts, self.monitor, (self.halt, self.abort), nodes);
        }
    }

    fn worked(&mut self, worker: &mut VerdictWorker<'_, G, E>) {
        self.counts.first(worker.statistics().nodes);
    }
}
