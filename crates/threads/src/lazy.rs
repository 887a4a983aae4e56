//! Threads that meet in the table. *Lazy SMP*: every thread searches the whole tree; every second helper looks one ply
//! further ahead, so that they do not all do the same at the same time. *ABDADA*: the same, but a thread leaves for later
//! the moves that others are searching just now; so do threads that look for a verdict.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use multigame_game::Game;
use multigame_search::{
    BusyMoves, Control, Evaluator, Iteration, Monitor, Options, Root, Search, SearchError, SearchResult,
    Statistics,
};

use crate::crew::Crew;
use crate::report::CrewReport;
use crate::stage;

impl<G: Game, E: Evaluator<G>> Crew<'_, G, E> {
    pub(crate) fn run_lazily(
        &mut self,
        root: &Root<G>,
        depth: u32,
        monitor: &mut dyn Monitor<G>,
        busy: Option<&BusyMoves>,
    ) -> Result<(SearchResult<G::Move>, CrewReport), SearchError> {
        let start = Instant::now();
        let halt = AtomicBool::new(false);
        let nodes: Vec<AtomicU64> = (0..self.threads).map(|_| AtomicU64::new(0)).collect();
        let crew = &*self;
        let (mut result, statistics) = stage::scope(|scope| {
            let works: Vec<_> = (1..crew.threads)
                .map(|id| {
                    let (halt, nodes) = (&halt, &nodes[id as usize]);
                    move || crew.help(id, root, depth, halt, nodes, busy)
                })
                .collect();
            let helpers = stage::spawn_all(scope, works.into_iter())?;
            let _end = Halts(&halt);
            let mut leader = Leader { monitor, nodes: &nodes, abort: crew.abort, halt: &halt };
            let search = Search::new(crew.game, crew.evaluator, crew.options.clone());
            let result = search.and_then(|search| {
                let mut search = crew.equipped(search, &halt, busy);
                search.join(root, depth, &mut leader)
            });
            halt.store(true, Ordering::Relaxed);
            let mut statistics = Vec::new();
            for helper in helpers {
                match helper.join() {
                    Ok(counted) => statistics.push(counted),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok::<_, SearchError>((result?, statistics))
        })?;
        let all: Vec<Statistics> = std::iter::once(result.statistics).chain(statistics).collect();
        result.statistics = Statistics::default();
        all.iter().for_each(|&statistics| result.statistics += statistics);
        Ok((result, CrewReport::of_busy(self.policy, all, start.elapsed(), self.trace)))
    }

    /// What a helper does until the leader has finished; whatever goes wrong goes wrong for the leader, too.
    fn help(
        &self,
        id: u32,
        root: &Root<G>,
        depth: u32,
        halt: &AtomicBool,
        nodes: &AtomicU64,
        busy: Option<&BusyMoves>,
    ) -> Statistics {
        let ahead = if busy.is_some() { 0 } else { id % 2 };
        let step = if ahead == 1 && self.options.deepening > 0 { 2 } else { self.options.deepening };
        let options = Options { deepening: step, ..self.options.clone() };
        let Ok(search) = Search::new(self.game, self.evaluator, options) else {
            return Statistics::default();
        };
        let mut search = self.equipped(search, halt, busy);
        let mut helper = Helper { nodes };
        let found = search.join(root, depth.saturating_add(ahead), &mut helper);
        found.map_or(Statistics::default(), |result| result.statistics)
    }
}

impl<'a, G: Game, E: Evaluator<G>> Crew<'a, G, E> {
    fn equipped<'s>(
        &self,
        search: Search<'s, G, E>,
        halt: &'s AtomicBool,
        busy: Option<&'s BusyMoves>,
    ) -> Search<'s, G, E>
    where
        'a: 's,
    {
        let mut search = search.with_abort(halt);
        if let Some(table) = self.table {
            search = search.with_table(table);
        }
        if let Some(busy) = busy {
            search = search.with_busy(busy);
        }
        search
    }
}

/// Helpers end with their leader, also if it panics.
pub(crate) struct Halts<'h>(pub &'h AtomicBool);

impl Drop for Halts<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Tells how far a helper is.
struct Helper<'n> {
    nodes: &'n AtomicU64,
}

impl<G: Game> Monitor<G> for Helper<'_> {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        self.nodes.store(statistics.nodes, Ordering::Relaxed);
        Control::Continue
    }
}

/// Asks the caller's monitor with the counts of all threads.
struct Leader<'l, G: Game> {
    monitor: &'l mut dyn Monitor<G>,
    nodes: &'l [AtomicU64],
    abort: Option<&'l AtomicBool>,
    halt: &'l AtomicBool,
}

impl<G: Game> Leader<'_, G> {
    fn all(&self, own: &Statistics) -> Statistics {
        let others: u64 = self.nodes[1..].iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum();
        Statistics { nodes: own.nodes + others, ..*own }
    }
}

impl<G: Game> Monitor<G> for Leader<'_, G> {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        if self.abort.is_some_and(|abort| abort.load(Ordering::Relaxed)) {
            self.halt.store(true, Ordering::Relaxed);
            return Control::Stop;
        }
        self.monitor.poll(&self.all(statistics))
    }

    fn iteration(&mut self, iteration: &Iteration<'_, G::Move>) -> std::ops::ControlFlow<()> {
        let statistics = self.all(iteration.statistics);
        self.monitor.iteration(&Iteration { statistics: &statistics, ..*iteration })
    }
}
