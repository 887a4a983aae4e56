//! A search by several threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use multigame_game::Game;
use multigame_parallel::{AlphaBeta, MessagePolicy, PolicyKind, Setup, WorkerId};
use multigame_search::{
    BusyMoves, Control, Engine, Evaluator, Iteration, Monitor, Options, Root, Search, SearchError,
    SearchResult, Statistics, Task, TranspositionTable, Workspace, continued,
};

use crate::driver::{Done, Listener, Watcher, run};
use crate::report::{CrewReport, HandReport};

/// The greatest number of threads.
pub const MOST_THREADS: u32 = 256;

/// A game ready to be searched by several threads. What they learn in one search helps the next.
#[derive(Debug)]
pub struct Crew<'a, G: Game, E> {
    pub(crate) game: &'a G,
    pub(crate) evaluator: &'a E,
    pub(crate) options: Options,
    pub(crate) threads: u32,
    pub(crate) policy: PolicyKind,
    pub(crate) table: Option<&'a TranspositionTable>,
    pub(crate) abort: Option<&'a AtomicBool>,
    pub(crate) trace: bool,
    pub(crate) workspaces: Vec<Workspace<G>>,
}

impl<'a, G: Game, E: Evaluator<G>> Crew<'a, G, E> {
    /// Prepares searches with these options on so many threads.
    pub fn new(
        game: &'a G,
        evaluator: &'a E,
        options: Options,
        threads: u32,
        policy: PolicyKind,
    ) -> Result<Self, SearchError> {
        Search::new(game, evaluator, options.clone())?;
        let refuse = |message: String| Err(SearchError::Unsuitable(message));
        if threads == 0 || threads > MOST_THREADS {
            return refuse(format!("{threads} threads are not possible; use 1 to {MOST_THREADS}"));
        }
        let engine = options.engine;
        let alpha_beta = matches!(engine, Engine::AlphaBeta | Engine::NegaScout | Engine::Mtdf);
        let verdict = engine == Engine::Verdict && game.description().players == 2;
        if !alpha_beta && !verdict && engine != Engine::IdaStar {
            return refuse(format!(
                "`engine={engine}` searches on one thread; use `negascout`, `alphabeta`, `mtdf`, `idastar` or, for two players, `verdict`, or one thread"
            ));
        }
        if verdict && !matches!(policy, PolicyKind::Abdada) && policy != PolicyKind::default() {
            return refuse(format!("`{policy}` needs depths; for `engine=verdict` use `abdada`"));
        }
        if verdict && !options.table {
            return refuse(
                "threads that look for verdicts meet in the transposition table; use `tt=on`".into(),
            );
        }
        if engine == Engine::IdaStar && policy.puzzle().is_none() {
            return refuse(format!(
                "`{policy}` divides games of two players; for puzzles use `stealing`, `tds` or `windows`"
            ));
        }
        if alpha_beta && matches!(policy, PolicyKind::Puzzle(_)) {
            return refuse(format!("`{policy}` divides puzzles, whose results need not go back; use `ybwc`"));
        }
        if options.lines > 1 {
            return refuse(
                "several lines are searched on one thread; use `lines=1` or one thread".to_string(),
            );
        }
        if matches!(policy, PolicyKind::LazySmp | PolicyKind::Abdada) && !options.table {
            return refuse(format!("`{policy}` meets in the transposition table; use `tt=on`"));
        }
        if policy == PolicyKind::Aspiration && options.engine == Engine::Mtdf {
            return refuse(
                "`aspiration` gives each thread a window, `engine=mtdf` none; use `alphabeta`".into(),
            );
        }
        let (trace, workspaces) = (false, Vec::new());
        Ok(Crew { game, evaluator, options, threads, policy, table: None, abort: None, trace, workspaces })
    }

    /// Keeps when each thread worked: [`CrewReport::spans`].
    pub fn with_trace(mut self, trace: bool) -> Self {
        self.trace = trace;
        self
    }

    /// Uses a transposition table, unless the options say `tt=off`.
    pub fn with_table(mut self, table: &'a TranspositionTable) -> Self {
        self.table = Some(table);
        self
    }

    /// Stops when somebody sets a flag.
    pub fn with_abort(mut self, abort: &'a AtomicBool) -> Self {
        self.abort = Some(abort);
        self
    }

    /// Goes on with what was learned in other searches of the same game, judged in the same way.
    pub fn with_workspaces(mut self, workspaces: Vec<Workspace<G>>) -> Self {
        self.workspaces = workspaces;
        self
    }

    /// What the threads learned, for the next search.
    pub fn into_workspaces(self) -> Vec<Workspace<G>> {
        self.workspaces
    }

    /// Searches a root to a depth. The monitor is asked on the thread of the caller.
    pub fn run(
        &mut self,
        root: &Root<G>,
        depth: u32,
        monitor: &mut impl Monitor<G>,
    ) -> Result<(SearchResult<G::Move>, CrewReport), SearchError> {
        let search = Search::new(self.game, self.evaluator, self.options.clone())?;
        if root.is_limited() {
            search.check_limit(root)?;
        }
        if let Some(table) = self.table {
            table.new_search();
        }
        if let Some(policy) = self.policy.puzzle().filter(|_| self.options.engine == Engine::IdaStar) {
            return self.run_puzzle(policy, root, depth, monitor);
        }
        let (result, report) = match self.policy {
            _ if self.options.engine == Engine::Verdict => {
                self.run_lazily(root, depth, monitor, Some(&BusyMoves::default()))?
            }
            PolicyKind::Puzzle(_) => unreachable!("refused when the crew was made"),
            PolicyKind::Messages(policy) => self.run_workers(policy, root, depth, monitor)?,
            PolicyKind::LazySmp => self.run_lazily(root, depth, monitor, None)?,
            PolicyKind::Abdada => self.run_lazily(root, depth, monitor, Some(&BusyMoves::default()))?,
            PolicyKind::Aspiration => self.run_windows(root, depth, monitor)?,
        };
        Ok((search.with_any_move(root, result)?, report))
    }

    fn run_workers(
        &mut self,
        policy: MessagePolicy,
        root: &Root<G>,
        depth: u32,
        monitor: &mut impl Monitor<G>,
    ) -> Result<(SearchResult<G::Move>, CrewReport), SearchError> {
        let start = Instant::now();
        let halt = AtomicBool::new(false);
        let mut options = self.options.clone();
        if self.threads > 1 {
            // Others wait for an answer.
            options.poll_interval = options.poll_interval.min(POLL);
        }
        let task = Task {
            game: self.game,
            evaluator: self.evaluator,
            options: &options,
            table: self.table,
            abort: Some(&halt),
            busy: None,
        };
        self.workspaces.resize_with(self.threads as usize, Workspace::default);
        let depth = depth.min(MOST_DEPTH);
        let setup = Setup { seed: self.options.seed, ..Setup::threads(policy) };
        let workers: Vec<_> = (0..self.threads)
            .zip(self.workspaces.drain(..))
            .map(|(id, work)| AlphaBeta::new((id, self.threads), task, root, depth, setup, Vec::new(), work))
            .collect();
        let nodes: Vec<AtomicU64> = (0..self.threads).map(|_| AtomicU64::new(0)).collect();
        let ears = Ears { nodes: &nodes };
        let mut watch = Watch {
            game: self.game,
            table: self.table.filter(|_| self.options.table),
            root,
            monitor,
            halt: &halt,
            abort: self.abort,
            nodes: &nodes,
            seen: 0,
        };
        let done = run(workers, &mut watch, &ears, self.trace.then_some(start));
        self.finish(done, root, start)
    }

    /// Puts together what the workers found, and keeps what they learned.
    fn finish(
        &mut self,
        done: Vec<Done<AlphaBeta<'_, G, E>>>,
        root: &Root<G>,
        start: Instant,
    ) -> Result<(SearchResult<G::Move>, CrewReport), SearchError> {
        let mut statistics = Statistics::default();
        let mut hands = Vec::new();
        for Done { worker, idle, .. } in &done {
            if let Some(error) = worker.failure() {
                return Err(SearchError::Rules(Box::new(error.clone())));
            }
            statistics += *worker.statistics();
            let (statistics, counters) = (*worker.statistics(), *worker.counters());
            hands.push(HandReport { statistics, counters, idle: *idle });
        }
        let master = done.first().and_then(|first| first.worker.master());
        let master = master.expect("worker 0 conducts the search");
        let report = master.result();
        let pv = match self.table.filter(|_| self.options.table && master.is_complete()) {
            Some(table) => continued(self.game, table, root, report.pv.clone(), report.depth as usize),
            None => report.pv.clone(),
        };
        let result = SearchResult {
            bounds: report.bounds,
            value: master.value(),
            pv,
            depth: report.depth,
            finished: master.is_complete(),
            statistics,
        };
        let work = hands.iter().map(|hand| hand.counters.work).sum();
        let policy = self.policy;
        let critical = Some(report.critical);
        let spans = done.iter().flat_map(|done| &done.spans).copied().collect();
        let report = CrewReport { policy, hands, time: start.elapsed(), work, critical, spans };
        self.workspaces = done.into_iter().map(|done| done.worker.into_workspace()).collect();
        Ok((result, report))
    }
}

/// Nodes between two looks into the inbox.
const POLL: u32 = 32;
/// Deeper than any search gets.
pub(crate) const MOST_DEPTH: u32 = 249;

/// How many nodes the threads have visited, as far as they have told.
struct Ears<'n> {
    nodes: &'n [AtomicU64],
}

impl Listener for Ears<'_> {
    fn visited(&self, worker: WorkerId, nodes: u64) {
        self.nodes[worker as usize].store(nodes, Ordering::Relaxed);
    }
}

/// Asks the monitor, and tells it of iterations.
struct Watch<'w, G: Game, M> {
    game: &'w G,
    table: Option<&'w TranspositionTable>,
    root: &'w Root<G>,
    monitor: &'w mut M,
    halt: &'w AtomicBool,
    abort: Option<&'w AtomicBool>,
    nodes: &'w [AtomicU64],
    /// Iterations reported.
    seen: usize,
}

impl<G: Game, M: Monitor<G>> Watch<'_, G, M> {
    fn statistics(&self) -> Statistics {
        let nodes = self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum();
        Statistics { nodes, ..Statistics::default() }
    }
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Watcher<AlphaBeta<'_, G, E>> for Watch<'_, G, M> {
    fn beat(&mut self, nodes: Option<u64>) {
        if let Some(nodes) = nodes {
            self.nodes[0].store(nodes, Ordering::Relaxed);
        }
        let statistics = self.statistics();
        let told = self.abort.is_some_and(|abort| abort.load(Ordering::Relaxed));
        if told || self.monitor.poll(&statistics) == Control::Stop {
            self.halt.store(true, Ordering::Relaxed);
        }
    }

    fn worked(&mut self, worker: &mut AlphaBeta<'_, G, E>) {
        self.nodes[0].store(worker.statistics().nodes, Ordering::Relaxed);
        let statistics = self.statistics();
        let Some(master) = worker.master_mut() else { return };
        let mut end = false;
        for report in &master.reports()[self.seen..] {
            let pv = match self.table {
                Some(table) => {
                    continued(self.game, table, self.root, report.pv.clone(), report.depth as usize)
                }
                None => report.pv.clone(),
            };
            let (depth, bounds) = (report.depth, report.bounds);
            let iteration = Iteration { depth, bounds, pv: &pv, line: 0, statistics: &statistics };
            end |= self.monitor.iteration(&iteration) == ControlFlow::Break(());
        }
        self.seen = master.reports().len();
        if end {
            master.end_here();
        }
        if self.halt.load(Ordering::Relaxed) {
            worker.stop();
        }
    }
}
