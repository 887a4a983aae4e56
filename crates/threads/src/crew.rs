//! A search by several threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use multigame_game::{Game, RulesError};
use multigame_parallel::{
    AlphaBeta, IterationReport, Master, MessagePolicy, PolicyKind, Setup, Span, WorkerId,
    check_verdict_memory,
};
use multigame_search::{
    BusyMoves, Control, Engine, Evaluator, Found, Grounds, Iteration, KernelInput, Monitor, Options, Paths,
    Proofs, Proved, Root, Search, SearchError, SearchResult, Statistics, TranspositionTable, Tree, Workspace,
    continued,
};

use crate::driver::{Done, Listener, Watcher, run_team};
use crate::lazy::Common;
use crate::port::{Alone, Beyond, Port, Team};
use crate::report::{CrewReport, HandReport, ProcessReport, Traffic};

/// The greatest number of threads.
pub const MOST_THREADS: u32 = 256;

/// Whether a game can be searched with these options on this many threads.
pub fn check<G: Game>(
    game: &G,
    options: &Options,
    threads: u32,
    policy: PolicyKind,
) -> Result<(), SearchError> {
    multigame_search::check(game, options)?;
    let refuse = |message: String| Err(SearchError::Unsuitable(message));
    if threads == 0 || threads > MOST_THREADS {
        return refuse(format!("{threads} threads are not possible; use 1 to {MOST_THREADS}"));
    }
    let engine = options.engine;
    let alpha_beta = matches!(engine, Engine::AlphaBeta | Engine::NegaScout | Engine::Mtdf);
    let verdict = engine == Engine::Verdict && game.description().players == 2;
    let sharing = matches!(engine, Engine::DfPn | Engine::Mcts | Engine::AStar);
    if !alpha_beta && !verdict && !sharing && engine != Engine::IdaStar {
        return refuse(format!(
            "`engine={engine}` searches on one thread; use one thread, or `negascout`, `alphabeta`, `mtdf`, `dfpn`, \
             `mcts`, for puzzles `idastar` or `astar`, for two players `verdict`"
        ));
    }
    if sharing {
        return Ok(());
    }
    if verdict && !matches!(policy, PolicyKind::Abdada) && policy != PolicyKind::default() {
        return refuse(format!("`{policy}` needs depths; for `engine=verdict` use `abdada`"));
    }
    if verdict && !options.table {
        return refuse("threads that look for verdicts meet in the transposition table; use `tt=on`".into());
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
        return refuse("several lines are searched on one thread; use `lines=1` or one thread".to_string());
    }
    if matches!(policy, PolicyKind::LazySmp | PolicyKind::Abdada) && !options.table {
        return refuse(format!("`{policy}` meets in the transposition table; use `tt=on`"));
    }
    if policy == PolicyKind::Aspiration && options.engine == Engine::Mtdf {
        return refuse("`aspiration` gives each thread a window, `engine=mtdf` none; use `alphabeta`".into());
    }
    Ok(())
}

/// A game ready to be searched by several threads. What they learn in one search helps the next.
#[derive(Debug)]
pub struct Crew<'a, G: Game, E> {
    pub(crate) game: &'a G,
    pub(crate) evaluator: &'a E,
    pub(crate) options: Options,
    pub(crate) threads: u32,
    pub(crate) policy: PolicyKind,
    pub(crate) table: Option<&'a TranspositionTable>,
    proofs: Option<&'a Proofs>,
    pub(crate) abort: Option<&'a AtomicBool>,
    pub(crate) trace: bool,
    pub(crate) workspaces: Vec<Workspace<G>>,
    /// Where the other processes of the search are.
    pub(crate) beyond: Option<&'a dyn Beyond<G>>,
}

impl<'a, G: Game, E: Evaluator<G>> Crew<'a, G, E> {
    /// Prepares searches with these options on this many threads.
    pub fn new(
        game: &'a G,
        evaluator: &'a E,
        options: Options,
        threads: u32,
        policy: PolicyKind,
    ) -> Result<Self, SearchError> {
        check(game, &options, threads, policy)?;
        let (trace, workspaces) = (false, Vec::new());
        let (table, proofs, abort, beyond) = (None, None, None, None);
        Ok(Crew {
            game,
            evaluator,
            options,
            threads,
            policy,
            table,
            proofs,
            abort,
            trace,
            workspaces,
            beyond,
        })
    }

    /// Searches together with other processes, each of which has a crew with the same options.
    pub fn with_others(mut self, beyond: &'a dyn Beyond<G>) -> Result<Self, SearchError> {
        let verdict = self.options.engine == Engine::Verdict;
        if !verdict && self.policy.messages().is_none() && self.policy.puzzle().is_none() {
            return Err(SearchError::Unsuitable(format!(
                "`{}` needs one table in common memory; for several processes use `ybwc` or `lazy-smp`, or `stealing` or `tds` for puzzles",
                self.policy
            )));
        }
        if self.options.engine == Engine::IdaStar {
            self.policy.check_memory(beyond.memory()).map_err(SearchError::Unsuitable)?;
        }
        if verdict {
            check_verdict_memory(beyond.memory()).map_err(SearchError::Unsuitable)?;
        }
        self.beyond = Some(beyond);
        Ok(self)
    }

    /// The workers of this process.
    pub(crate) fn team(&self) -> Team {
        self.beyond.map_or(Team::alone(self.threads), |beyond| beyond.team(self.threads))
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

    /// Lets df-pn go on from what it knew about the same root, and keep what it finds out.
    pub fn with_proofs(mut self, proofs: &'a Proofs) -> Self {
        self.proofs = Some(proofs);
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
        monitor: &mut dyn Monitor<G>,
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
        let own;
        let common = match self.options.engine {
            Engine::AStar => return self.run_owners(root, depth, monitor),
            Engine::DfPn => {
                let proofs = match self.proofs {
                    Some(proofs) => proofs,
                    None => {
                        own = Proofs::new(self.options.tree_nodes);
                        &own
                    }
                };
                Some(Common::Proofs(proofs, Paths::new(self.threads as usize)))
            }
            Engine::Mcts => Some(Common::Tree(Tree::new(self.game, root, &self.options))),
            Engine::Verdict => match self.beyond {
                Some(beyond) => return self.run_verdict(beyond, root, monitor),
                None => Some(Common::Busy(BusyMoves::default())),
            },
            _ => None,
        };
        let (result, report) = match (self.policy, self.beyond) {
            _ if let Some(common) = &common => self.run_lazily(root, depth, monitor, common)?,
            (PolicyKind::Puzzle(_), _) => unreachable!("refused when the crew was made"),
            (PolicyKind::Messages(policy), _) => self.run_workers(policy, root, depth, monitor)?,
            // Threads meet in their table without a message.
            (PolicyKind::LazySmp, None) => self.run_lazily(root, depth, monitor, &Common::Nothing)?,
            (PolicyKind::LazySmp, Some(_)) => self.run_workers(MessagePolicy::Lazy, root, depth, monitor)?,
            (PolicyKind::Abdada, _) => {
                self.run_lazily(root, depth, monitor, &Common::Busy(BusyMoves::default()))?
            }
            (PolicyKind::Aspiration, _) => self.run_windows(root, depth, monitor)?,
        };
        Ok((search.with_any_move(root, result)?, report))
    }

    /// Works for a search that worker 0 of another process conducts, until that ends it.
    pub fn assist(&mut self, root: &Root<G>, depth: u32) -> Result<ProcessReport, SearchError> {
        if let Some(table) = self.table {
            table.new_search();
        }
        let start = Instant::now();
        let beyond = self.beyond.expect("there is a process to assist");
        let (hands, spans) = match (self.policy, self.policy.puzzle()) {
            _ if self.options.engine == Engine::Verdict => {
                let worked = self.find_verdict(beyond, root, &mut (), start)?;
                (worked.hands, worked.spans)
            }
            (_, Some(policy)) if self.options.engine == Engine::IdaStar => {
                let worked = self.pursue(policy, root, depth, &mut (), start)?;
                (worked.hands, worked.spans)
            }
            (policy, _) => {
                let policy = policy.messages().expect("others were refused when processes joined");
                let worked = self.work(policy, root, depth, &mut (), start)?;
                (worked.hands, worked.spans)
            }
        };
        Ok(ProcessReport { name: beyond.name(), hands, traffic: beyond.traffic(), spans })
    }

    fn run_workers(
        &mut self,
        policy: MessagePolicy,
        root: &Root<G>,
        depth: u32,
        monitor: &mut dyn Monitor<G>,
    ) -> Result<(SearchResult<G::Move>, CrewReport), SearchError> {
        let start = Instant::now();
        let worked = self.work(policy, root, depth, monitor, start)?;
        self.finish(worked, root, start)
    }

    /// Runs the workers of this process to their end, and keeps what they learned.
    fn work(
        &mut self,
        policy: MessagePolicy,
        root: &Root<G>,
        depth: u32,
        monitor: &mut dyn Monitor<G>,
        start: Instant,
    ) -> Result<Worked<Conducted<G>>, SearchError> {
        let team = self.team();
        let halt = AtomicBool::new(false);
        let mut options = self.options.clone();
        if team.all > 1 {
            // Others wait for an answer.
            options.poll_interval = options.poll_interval.min(POLL);
        }
        let task = KernelInput {
            game: self.game,
            evaluator: self.evaluator,
            options: &options,
            table: self.table,
            abort: Some(&halt),
            busy: None,
        };
        self.workspaces.resize_with(self.threads as usize, Workspace::default);
        let depth = depth.min(MOST_DEPTH);
        let setup = match self.beyond {
            None => Setup::threads(policy),
            Some(beyond) => Setup::ranks(policy, self.threads, beyond.memory()),
        };
        let setup = Setup { seed: self.options.seed, ..setup };
        let workers: Vec<_> = team
            .workers()
            .zip(self.workspaces.drain(..))
            .map(|(id, work)| AlphaBeta::new((id, team.all), task, root, depth, setup, Vec::new(), work))
            .collect();
        let counts = Counts::new(team, self.beyond);
        let mut watch = Watch {
            game: self.game,
            table: self.table.filter(|_| self.options.table),
            root,
            monitor,
            halt: &halt,
            abort: self.abort,
            counts: &counts,
            seen: 0,
            grounds: self.grounds(),
            proved: Proved::NOTHING,
            ended: false,
        };
        let port: Box<dyn Port<_> + '_> = match self.beyond {
            None => Box::new(Alone),
            Some(beyond) => beyond.games(),
        };
        let done = run_team(team, workers, port, &mut watch, &counts, self.trace.then_some(start))?;
        let mut worked = Worked::default();
        for Done { worker, idle, spans } in done {
            worked.failure = worked.failure.or(worker.failure().cloned());
            let (statistics, counters) = (*worker.statistics(), *worker.counters());
            worked.hands.push(HandReport { statistics, counters, idle });
            worked.spans.extend(spans);
            let (master, workspace) = worker.into_parts();
            worked.result = worked.result.or(master.map(|master| (master, watch.ended)));
            self.workspaces.push(workspace);
        }
        Ok(worked)
    }

    /// The policy, for engines that have several.
    pub(crate) fn named_policy(&self) -> Option<PolicyKind> {
        let one_way = matches!(self.options.engine, Engine::DfPn | Engine::Mcts | Engine::AStar);
        (!one_way).then_some(self.policy)
    }

    /// What the answers of the threads prove.
    pub(crate) fn grounds(&self) -> Grounds {
        match self.policy.is_sound() {
            true => Grounds::new(self.game, &self.options, self.table.is_some()),
            false => Grounds::NONE,
        }
    }

    /// Puts together what the workers found.
    fn finish(
        &mut self,
        mut worked: Worked<Conducted<G>>,
        root: &Root<G>,
        start: Instant,
    ) -> Result<(SearchResult<G::Move>, CrewReport), SearchError> {
        worked.join_others(self.beyond)?;
        let (master, ended) = worked.result.expect("worker 0 conducts the search");
        let report = master.result();
        let pv = match self.table.filter(|_| self.options.table && master.is_complete()) {
            Some(table) => continued(self.game, table, root, report.pv.clone(), report.depth as usize),
            None => report.pv.clone(),
        };
        let mut statistics = Statistics::default();
        worked.hands.iter().for_each(|hand| statistics += hand.statistics);
        let grounds = self.grounds();
        let reports = master.reports().iter().chain([report]);
        let proved = reports.fold(Proved::NOTHING, |proved, report| proved.and(proved_by(report, grounds)));
        let result = SearchResult {
            bounds: report.bounds,
            proved,
            value: master.value(),
            pv,
            depth: report.depth,
            finished: master.is_complete() && !ended,
            reported: master.is_complete(),
            statistics,
        };
        let Worked { hands, spans, processes, .. } = worked;
        let work = hands.iter().map(|hand| hand.counters.work).sum();
        let (policy, critical) = (self.named_policy(), Some(report.critical));
        let report = CrewReport { policy, hands, time: start.elapsed(), work, critical, spans, processes };
        Ok((result, report))
    }
}

/// What the workers of a process did, and what became of the search if it was conducted here.
pub(crate) struct Worked<R> {
    pub hands: Vec<HandReport>,
    pub spans: Vec<Span>,
    pub failure: Option<RulesError>,
    pub result: Option<R>,
    pub processes: Vec<(String, Traffic)>,
}

impl<R> Default for Worked<R> {
    fn default() -> Self {
        let (hands, spans, processes) = (Vec::new(), Vec::new(), Vec::new());
        Worked { hands, spans, failure: None, result: None, processes }
    }
}

impl<R> Worked<R> {
    /// Adds what the workers of other processes did; fails if the rules did, or another process.
    pub fn join_others<G: Game>(&mut self, beyond: Option<&dyn Beyond<G>>) -> Result<(), SearchError> {
        if let Some(beyond) = beyond {
            self.processes.push((beyond.name(), beyond.traffic()));
            for report in beyond.reports().map_err(SearchError::Unsuitable)? {
                self.hands.extend(report.hands);
                self.spans.extend(report.spans);
                self.processes.push((report.name, report.traffic));
            }
        }
        match self.failure.take() {
            Some(error) => Err(SearchError::Rules(Box::new(error))),
            None => Ok(()),
        }
    }
}

/// The search of the root, and whether the monitor ended it before its time.
type Conducted<G> = (Master<G>, bool);

/// What an iteration proves.
fn proved_by<M>(report: &IterationReport<M>, grounds: Grounds) -> Proved {
    Proved::of_search(Found { bounds: report.bounds, complete: report.complete }, report.depth, grounds)
}

/// Nodes between two looks into the inbox.
const POLL: u32 = 32;
/// Deeper than any search gets.
pub(crate) const MOST_DEPTH: u32 = 249;

/// How many nodes the workers have visited, as far as they have told.
pub(crate) struct Counts<'n, G: Game> {
    team: Team,
    nodes: Vec<AtomicU64>,
    beyond: Option<&'n dyn Beyond<G>>,
}

impl<'n, G: Game> Counts<'n, G> {
    pub fn new(team: Team, beyond: Option<&'n dyn Beyond<G>>) -> Self {
        Counts { team, nodes: (0..team.here).map(|_| AtomicU64::new(0)).collect(), beyond }
    }

    /// Hears of the first worker.
    pub fn first(&self, nodes: u64) {
        self.nodes[0].store(nodes, Ordering::Relaxed);
    }

    /// All together.
    pub fn statistics(&self) -> Statistics {
        let here = self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum();
        let nodes = here + self.beyond.map_or(0, |beyond| beyond.exchange(here));
        Statistics { nodes, ..Statistics::default() }
    }
}

impl<G: Game> Listener for Counts<'_, G> {
    fn visited(&self, worker: WorkerId, nodes: u64) {
        if let Some(place) = self.team.place(worker) {
            self.nodes[place].store(nodes, Ordering::Relaxed);
        }
    }
}

/// Asks the monitor and the flag of the caller whether the search is to end. `nodes` is what the first worker
/// has counted.
pub(crate) fn beat<G: Game>(
    counts: &Counts<'_, G>,
    monitor: &mut dyn Monitor<G>,
    (halt, abort): (&AtomicBool, Option<&AtomicBool>),
    nodes: Option<u64>,
) {
    if let Some(nodes) = nodes {
        counts.first(nodes);
    }
    let statistics = counts.statistics();
    let told = abort.is_some_and(|abort| abort.load(Ordering::Relaxed));
    if told || monitor.poll(&statistics) == Control::Stop {
        halt.store(true, Ordering::Relaxed);
    }
}

/// Asks the monitor, and tells it of iterations.
struct Watch<'w, G: Game> {
    game: &'w G,
    table: Option<&'w TranspositionTable>,
    root: &'w Root<G>,
    monitor: &'w mut dyn Monitor<G>,
    halt: &'w AtomicBool,
    abort: Option<&'w AtomicBool>,
    counts: &'w Counts<'w, G>,
    /// Iterations reported.
    seen: usize,
    grounds: Grounds,
    /// What they have proved.
    proved: Proved,
    /// Whether the monitor ended a search that would have gone on.
    ended: bool,
}

impl<G: Game, E: Evaluator<G>> Watcher<AlphaBeta<'_, G, E>> for Watch<'_, G> {
    fn beat(&mut self, nodes: Option<u64>) {
        beat(self.counts, self.monitor, (self.halt, self.abort), nodes);
    }

    fn worked(&mut self, worker: &mut AlphaBeta<'_, G, E>) {
        self.counts.first(worker.statistics().nodes);
        let statistics = self.counts.statistics();
        let Some(master) = worker.master_mut() else { return };
        let mut end = false;
        for report in &master.reports()[self.seen..] {
            let pv = match self.table {
                Some(table) => {
                    continued(self.game, table, self.root, report.pv.clone(), report.depth as usize)
                }
                None => report.pv.clone(),
            };
            self.proved = self.proved.and(proved_by(report, self.grounds));
            let (depth, bounds, proved) = (report.depth, report.bounds, self.proved);
            let iteration = Iteration { depth, bounds, proved, pv: &pv, line: 0, statistics: &statistics };
            end |= self.monitor.iteration(&iteration) == ControlFlow::Break(());
        }
        self.seen = master.reports().len();
        if end {
            self.ended |= !master.is_complete();
            master.end_here();
        }
        if self.halt.load(Ordering::Relaxed) {
            worker.stop();
        }
    }
}
