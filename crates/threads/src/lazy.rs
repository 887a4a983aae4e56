//! Threads that meet in what they share. *Lazy SMP*: every thread searches the whole tree with one table;
//! every second helper looks one ply further ahead, so that they do not all do the same at the same time.
//! *ABDADA*: the same, but a thread leaves for later the moves that others are searching just now; so do
//! threads that look for a verdict. Threads of proof-number search avoid each other by virtual proof
//! numbers, those of Monte-Carlo search by virtual losses.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use multigame_game::Game;
use multigame_search::{
    BusyMoves, Control, Evaluator, Iteration, Monitor, Options, Paths, Proofs, Root, Search, SearchError,
    SearchResult, Statistics, Tree,
};

use crate::crew::Crew;
use crate::report::CrewReport;
use crate::stage;

/// Shared by the threads, beside the transposition table.
pub(crate) enum Common<'c, G: Game> {
    Nothing,
    Busy(BusyMoves),
    Proofs(&'c Proofs, Paths),
    Tree(Tree<G>),
}

impl<G: Game, E: Evaluator<G>> Crew<'_, G, E> {
    pub(crate) fn run_lazily(
        &mut self,
        root: &Root<G>,
        depth: u32,
        monitor: &mut dyn Monitor<G>,
        common: &Common<'_, G>,
    ) -> Result<(SearchResult<G::Move>, CrewReport), SearchError> {
        let start = Instant::now();
        let halt = AtomicBool::new(false);
        let nodes: Vec<AtomicU64> = (0..self.threads).map(|_| AtomicU64::new(0)).collect();
        let crew = &*self;
        let (mut result, statistics) = stage::scope(|scope| {
            let works: Vec<_> = (1..crew.threads)
                .map(|id| {
                    let (halt, nodes) = (&halt, &nodes[id as usize]);
                    move || crew.help(id, root, depth, halt, nodes, common)
                })
                .collect();
            let helpers = stage::spawn_all(scope, works.into_iter())?;
            let _end = Halts(&halt);
            let mut leader = Leader { monitor, nodes: &nodes, abort: crew.abort, halt: &halt };
            let search = Search::new(crew.game, crew.evaluator, crew.options.clone());
            let result = search.and_then(|search| {
                let mut search = crew.equipped(search, 0, &halt, common);
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
        Ok((result, CrewReport::of_busy(self.named_policy(), all, start.elapsed(), self.trace)))
    }

    /// What a helper does until the leader has finished; whatever goes wrong goes wrong for the leader, too.
    fn help(
        &self,
        id: u32,
        root: &Root<G>,
        depth: u32,
        halt: &AtomicBool,
        nodes: &AtomicU64,
        common: &Common<'_, G>,
    ) -> Statistics {
        let ahead = if matches!(common, Common::Nothing) { id % 2 } else { 0 };
        let step = if ahead == 1 && self.options.deepening > 0 { 2 } else { self.options.deepening };
        let options = Options { deepening: step, ..self.options.clone() };
        let Ok(search) = Search::new(self.game, self.evaluator, options) else {
            return Statistics::default();
        };
        let mut search = self.equipped(search, id as usize, halt, common);
        let mut helper = Helper { nodes };
        let found = search.join(root, depth.saturating_add(ahead), &mut helper);
        found.map_or(Statistics::default(), |result| result.statistics)
    }
}

impl<'a, G: Game, E: Evaluator<G>> Crew<'a, G, E> {
    fn equipped<'s>(
        &self,
        search: Search<'s, G, E>,
        thread: usize,
        halt: &'s AtomicBool,
        common: &'s Common<'_, G>,
    ) -> Search<'s, G, E>
    where
        'a: 's,
    {
        let mut search = search.with_abort(halt);
        if let Some(table) = self.table {
            search = search.with_table(table);
        }
        match common {
            Common::Nothing => search,
            Common::Busy(busy) => search.with_busy(busy),
            Common::Proofs(proofs, paths) => search.with_proofs(proofs).with_company(paths, thread),
            Common::Tree(tree) => search.with_tree(tree, thread),
        }
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
pub(crate) struct Helper<'n> {
    pub nodes: &'n AtomicU64,
}

impl<G: Game> Monitor<G> for Helper<'_> {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        self.nodes.store(statistics.nodes, Ordering::Relaxed);
        Control::Continue
    }
}

/// Asks the caller's monitor with the counts of all threads.
pub(crate) struct Leader<'l, G: Game> {
    pub monitor: &'l mut dyn Monitor<G>,
    pub nodes: &'l [AtomicU64],
    pub abort: Option<&'l AtomicBool>,
    pub halt: &'l AtomicBool,
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

    fn known(&mut self, proofs: &Proofs) {
        self.monitor.known(proofs);
    }

    fn iteration(&mut self, iteration: &Iteration<'_, G::Move>) -> std::ops::ControlFlow<()> {
        let statistics = self.all(iteration.statistics);
        self.monitor.iteration(&Iteration { statistics: &statistics, ..*iteration })
    }
}
