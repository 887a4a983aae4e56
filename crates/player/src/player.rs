//! Who plays for the computer.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::bail;
use multigame_game::{Game, Line, Random, Signature, chance};
use multigame_search::{
    Bounds, Engine, Evaluator, Options, Proved, Root, RulesEvaluator, Statistics, TranspositionTable, Value,
    Workspace,
};
use multigame_threads::CrewReport;

use crate::ranks::OtherRanks;
use crate::searching::{Found, Searching, shared};
use crate::{Book, Configuration, Limits, Progress, Watch};

/// Nodes between two looks at the clock, if they do not take longer than that.
const POLL: u32 = 16;
const POLL_TIME: Duration = Duration::from_millis(2);
/// What a search needs to have asked for everything at least once, and what it may take where rules are slow.
const WARM_NODES: u64 = 4000;
const WARM_TIME: Duration = Duration::from_millis(500);
/// Options that do nothing where every move is quiet, or none.
const FOR_QUIET_MOVES: [&str; 5] = ["lmr", "futility", "lmp", "iir", "singular"];

/// Plays one game: keeps what it learns from move to move.
pub struct Player<'l, G: Game> {
    game: &'l G,
    /// Searches end when somebody sets it.
    stop: &'l AtomicBool,
    evaluator: RulesEvaluator,
    configuration: Configuration,
    table: Option<TranspositionTable>,
    /// What the threads of searches learn about moves.
    workspaces: Vec<Workspace<G>>,
    /// Whether a search with these options has been begun, which makes whatever searches make when they first need it.
    ready: bool,
    /// Moves of solutions found, for puzzles.
    solution: HashMap<Signature, G::Move>,
    random: Random,
    /// When to stop.
    pub limits: Limits,
    /// Openings.
    pub book: Book,
    /// The other ranks of the job.
    others: Option<Box<dyn OtherRanks<G> + 'l>>,
}

/// What a search is asked beside the position. The default asks for the best of all moves, now.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'w, M> {
    /// The moves to look at; all if there are none here.
    pub only: &'w [M],
    /// As long as it is set, somebody else's clock runs: time limits begin when it is cleared.
    pub waiting: Option<&'w AtomicBool>,
    /// When the clock began to run, if that was before the search is called.
    pub since: Option<Instant>,
    /// Whether to keep when each thread worked, if there are several: `spans` of [`CrewReport`].
    pub trace: bool,
}

impl<M> Default for Wish<'_, M> {
    fn default() -> Self {
        Wish { only: &[], waiting: None, since: None, trace: false }
    }
}

/// Where a move comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was searched for.
    Search,
    /// It is in the book.
    Book,
    /// There is no other.
    Only,
    /// It continues a solution found before.
    Solution,
    /// It was thrown: nature moves.
    Chance,
}

/// What came of thinking.
#[derive(Clone, Debug)]
pub struct Thought<M> {
    /// The move to play; none only for a puzzle that was not solved.
    pub best: Option<M>,
    /// Where it comes from.
    pub origin: Origin,
    /// What the search says about the position, as the player to move sees it.
    pub bounds: Bounds,
    /// What of that is proved.
    pub proved: Proved,
    /// The best guess in one number.
    pub value: Value,
    /// The best line.
    pub pv: Vec<M>,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// Whether the search came to its end instead of being stopped. That alone proves nothing.
    pub finished: bool,
    /// Whether the last iteration that was reported says all of this.
    pub reported: bool,
    /// The engine that did it.
    pub engine: Engine,
    /// What was counted.
    pub statistics: Statistics,
    /// What the threads did, if there were several.
    pub crew: Option<CrewReport>,
    /// How long it took.
    pub time: Duration,
}

impl<'l, G: Game> Player<'l, G> {
    /// Gets to know a game. Setting `stop` ends a search.
    pub fn new(
        game: &'l G,
        configuration: Configuration,
        limits: Limits,
        stop: &'l AtomicBool,
    ) -> anyhow::Result<Player<'l, G>> {
        let evaluator = RulesEvaluator::new(game, None).map_err(anyhow::Error::msg)?;
        Player::valuing(game, evaluator, configuration, limits, stop)
    }

    /// Gets to know a game, and values positions in a certain way.
    pub(crate) fn valuing(
        game: &'l G,
        evaluator: RulesEvaluator,
        configuration: Configuration,
        limits: Limits,
        stop: &'l AtomicBool,
    ) -> anyhow::Result<Player<'l, G>> {
        let player = Player {
            game,
            stop,
            evaluator,
            configuration,
            table: None,
            workspaces: Vec::new(),
            ready: false,
            solution: HashMap::new(),
            random: Random::new(1),
            limits,
            book: Book::default(),
            others: None,
        };
        // Other ranks may join later.
        player.check_with(&player.configuration, true)?;
        Ok(player)
    }

    /// Judges positions in another way.
    pub fn with_evaluator(mut self, evaluator: RulesEvaluator) -> Player<'l, G> {
        self.evaluator = evaluator;
        self.ready = false;
        self.forget();
        self
    }

    /// Searches together with other ranks, which judge positions in the same way.
    pub fn with_others(mut self, others: Box<dyn OtherRanks<G> + 'l>) -> Player<'l, G> {
        self.others = Some(others);
        self
    }

    /// Whether the other ranks, if there are any, can take part in the next search.
    pub fn uses_others(&self) -> bool {
        self.shared(&self.chosen()).is_some()
    }

    /// What positions are judged by.
    pub fn evaluator(&self) -> &RulesEvaluator {
        &self.evaluator
    }

    /// The options of the next search, with the engine that it will use.
    pub fn options(&self) -> Options {
        self.chosen().search
    }

    /// How the player searches.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// Chooses among moves that are equally good in the book.
    pub fn set_seed(&mut self, seed: u64) {
        self.random = Random::new(seed);
        self.configuration.search.seed = seed;
    }

    /// Changes options by a text like `tt=off`; nothing is changed if it is wrong.
    pub fn change_options(&mut self, text: &str) -> anyhow::Result<()> {
        self.configure(self.configuration.clone().with(text)?)
    }

    /// Searches in another way from now on; nothing is changed if the game cannot be searched like that.
    pub fn configure(&mut self, configuration: Configuration) -> anyhow::Result<()> {
        self.check_with(&configuration, self.others.is_some())?;
        let kind = |options: &Options| (options.table, options.table_mib, options.table_layout);
        if kind(&configuration.search) != kind(&self.configuration.search) {
            self.table = None;
        }
        self.configuration = configuration;
        self.ready = false;
        self.forget();
        Ok(())
    }

    /// Whether the next search uses all options that somebody named.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        self.check_with(&self.configuration, self.others.is_some())
    }

    /// The same for another configuration, see [`Configuration::check`].
    fn check_with(&self, configuration: &Configuration, others: bool) -> anyhow::Result<()> {
        let engine = self.engine_of(configuration);
        configuration.clone().with_engine(engine).check(self.game, others)?;
        if Evaluator::<G>::tells_quiet_moves(&self.evaluator) {
            return Ok(());
        }
        let given = |name: &&&str| {
            configuration.given.names(name) && configuration.values().any(|it| it == (**name, "on".into()))
        };
        match FOR_QUIET_MOVES.iter().find(given) {
            Some(name) => bail!(
                "no move of this game is quieter than others, so `{name}=on` makes no difference; leave it out"
            ),
            None => Ok(()),
        }
    }

    /// The configuration with the engine of the next search.
    fn chosen(&self) -> Configuration {
        self.configuration.clone().with_engine(self.engine())
    }

    /// The other ranks, if they can take part.
    fn shared(&self, configuration: &Configuration) -> Option<&dyn OtherRanks<G>> {
        shared(self.game, self.others.as_deref().map(|others| others as _), configuration)
    }

    /// Forgets everything learned from searches.
    pub fn forget(&mut self) {
        self.solution.clear();
        self.workspaces.clear();
        if let Some(table) = &self.table {
            table.clear();
        }
        if let Some(others) = &self.others {
            others.forget();
        }
    }

    /// Thinks about a position until somebody sets the flag, so that the table knows something about it.
    pub fn ponder(&self, root: &Root<G>, stop: &AtomicBool) {
        let Some(table) = &self.table else { return };
        // Other ranks do not ponder.
        let configuration = Configuration { memory: None, ..self.chosen() };
        let searching = Searching {
            game: self.game,
            evaluator: &self.evaluator,
            root,
            configuration: &configuration,
            depth: u32::MAX,
            stop,
            table: Some(table),
            proofs: None,
            ranks: None,
            trace: false,
        };
        // Whatever goes wrong will go wrong again when it matters.
        let _ = searching.run(&mut Vec::new(), &mut ());
    }

    fn game(&self) -> &'l G {
        self.game
    }

    /// The engine for the next search. Without a limit of time or nodes, Monte-Carlo search would not end.
    fn engine(&self) -> Engine {
        self.engine_of(&self.configuration)
    }

    fn engine_of(&self, configuration: &Configuration) -> Engine {
        match configuration.engine().unwrap_or_else(|| self.evaluator.suits(self.game)) {
            Engine::Mcts if configuration.automatic && self.wants_depth() => Engine::NegaScout,
            engine => engine,
        }
    }

    /// Whether Monte-Carlo search would not end, or not heed a limit.
    fn wants_depth(&self) -> bool {
        self.limits.depth.is_some() || self.limits.only_depth()
    }

    /// Whether the next search heeds all limits.
    pub fn check_limits(&self) -> anyhow::Result<()> {
        self.limits.check(self.engine())
    }

    /// Finds the move to play. The game must not be over.
    pub fn think(
        &mut self,
        line: &Line<'_, G>,
        report: &mut dyn FnMut(&Progress<'_, G::Move>),
    ) -> anyhow::Result<Thought<G::Move>> {
        let mut legal = Vec::new();
        line.legal_moves(&mut legal)?;
        let Some(first) = legal.first() else { bail!("the game is over; `undo` or `new`") };
        if self.game().is_chance(line.position()) {
            let thrown = chance::throw(self.game(), line.position(), &legal, &mut self.random);
            return Ok(self.at_once(legal[thrown].clone(), Origin::Chance));
        }
        let signature = self.game().signature(line.position());
        if let Some(mv) = self.book.choose(self.game(), signature, &legal, &mut self.random) {
            return Ok(self.at_once(mv, Origin::Book));
        }
        if let Some(mv) = self.solution.get(&signature).cloned() {
            return Ok(self.at_once(mv, Origin::Solution));
        }
        if legal.len() == 1 && self.game().description().players == 2 {
            return Ok(self.at_once(first.clone(), Origin::Only));
        }
        let mut thought = self.search(line, report)?;
        if self.game().description().players == 2 {
            let proposed = thought.pv.first().filter(|mv| legal.contains(mv));
            thought.best = Some(proposed.unwrap_or(first).clone());
        } else {
            self.remember_solution(line.position(), &thought.pv);
        }
        Ok(thought)
    }

    /// Searches a position, whatever the book says.
    pub fn search(
        &mut self,
        line: &Line<'_, G>,
        report: &mut dyn FnMut(&Progress<'_, G::Move>),
    ) -> anyhow::Result<Thought<G::Move>> {
        self.search_for(line, Wish::default(), report)
    }

    /// Searches a position with special wishes.
    pub fn search_for(
        &mut self,
        line: &Line<'_, G>,
        wish: Wish<'_, G::Move>,
        report: &mut dyn FnMut(&Progress<'_, G::Move>),
    ) -> anyhow::Result<Thought<G::Move>> {
        // Limits and other ranks may have changed what will search.
        self.check()?;
        self.check_limits()?;
        self.make_room()?;
        self.ready = true;
        let mut configuration = self.chosen();
        let start = wish.since.unwrap_or_else(Instant::now);
        let limits = self.limits.or_usual();
        let (engine, options) = (configuration.search.engine, &mut configuration.search);
        if limits.has_time() {
            options.poll_interval = options.poll_interval.min(poll_interval(line));
        }
        if engine == Engine::Mcts {
            options.poll_interval = 1;
        }
        let side = self.game().side_to_move(line.position());
        let mut watch = Watch::new(&limits, side, start, report);
        if let Some(waiting) = wish.waiting {
            watch = watch.waiting(waiting);
        }
        if let Some(table) = &self.table {
            watch = watch.with_table(table);
        }
        let mut root = Root::of_line(line);
        if !wish.only.is_empty() {
            root = root.only(self.game, wish.only);
        }
        let mut workspaces = std::mem::take(&mut self.workspaces);
        let searching = Searching {
            game: self.game,
            evaluator: &self.evaluator,
            root: &root,
            configuration: &configuration,
            depth: limits.depth.unwrap_or(u32::MAX),
            stop: self.stop,
            table: self.table.as_ref(),
            proofs: None,
            ranks: self.others.as_deref().map(|others| others as _),
            trace: wish.trace,
        };
        let found = searching.run(&mut workspaces, &mut watch);
        self.workspaces = workspaces;
        Ok(Thought::new(found?, engine, start.elapsed()))
    }

    /// Does what takes a while before the first search, so that its clock need not pay for it: tables, threads, and machine
    /// code that is made when a search first asks for it. So it searches for a moment, and forgets what came of it.
    pub fn get_ready(&mut self, line: &Line<'_, G>) -> anyhow::Result<()> {
        self.make_room()?;
        if self.ready || line.status()?.outcome().is_some() {
            return Ok(());
        }
        let moment = Limits { nodes: Some(WARM_NODES), time: Some(WARM_TIME), ..Limits::default() };
        let limits = std::mem::replace(&mut self.limits, moment);
        let searched = self.search(line, &mut |_| ());
        self.limits = limits;
        self.forget();
        // Options that cannot be used now cannot be used later either.
        searched.map(drop)
    }

    /// Makes room for tables, here and where other ranks are.
    fn make_room(&mut self) -> anyhow::Result<()> {
        let configuration = self.chosen();
        self.make_table(&configuration.search)?;
        let shared = self.shared(&configuration);
        shared.map_or(Ok(()), |others| others.prepare(&configuration.search, &self.evaluator))
    }

    /// Makes room for a table once; it takes a while, which is not the search's.
    fn make_table(&mut self, options: &Options) -> anyhow::Result<()> {
        if options.table && options.engine.uses_table() && self.table.is_none() {
            check_memory(options.table_mib)?;
            self.table = Some(TranspositionTable::new(options.table_mib, options.table_layout)?);
        }
        Ok(())
    }

    fn remember_solution(&mut self, position: &G::Position, moves: &[G::Move]) {
        let mut position = position.clone();
        for mv in moves {
            self.solution.insert(self.game().signature(&position), mv.clone());
            let before = position.clone();
            self.game().apply(&before, mv, &mut position);
        }
    }

    fn at_once(&self, mv: G::Move, origin: Origin) -> Thought<G::Move> {
        Thought {
            best: Some(mv.clone()),
            origin,
            bounds: Bounds::UNKNOWN,
            proved: Proved::NOTHING,
            value: Value::DRAW,
            pv: vec![mv],
            depth: 0,
            finished: true,
            reported: true,
            engine: self.engine(),
            statistics: Statistics::default(),
            crew: None,
            time: Duration::ZERO,
        }
    }
}

impl<M: Clone> Thought<M> {
    /// What a search found.
    pub(crate) fn new((result, crew): Found<M>, engine: Engine, time: Duration) -> Thought<M> {
        Thought {
            best: result.pv.first().cloned(),
            origin: Origin::Search,
            bounds: result.bounds,
            proved: result.proved,
            value: result.value,
            pv: result.pv,
            depth: result.depth,
            finished: result.finished,
            reported: result.reported,
            engine,
            statistics: result.statistics,
            crew,
            time,
        }
    }
}

/// Nodes between two looks at the clock: about as many as have their moves made in [`POLL_TIME`].
fn poll_interval<G: Game>(line: &Line<'_, G>) -> u32 {
    let start = Instant::now();
    // Rules that fail here fail in the search as well, which says so.
    let _ = line.game().moves(line.position(), &mut Vec::new());
    let nodes = POLL_TIME.div_duration_f64(start.elapsed().max(Duration::from_nanos(1)));
    (nodes as u32).clamp(1, POLL)
}

impl<M> Thought<M> {
    /// The same as the last report of a search, for those who show iterations.
    pub fn progress(&self) -> Progress<'_, M> {
        Progress {
            depth: self.depth,
            finished: true,
            bounds: self.bounds,
            proved: self.proved,
            pv: &self.pv,
            line: 0,
            fullness: None,
            statistics: &self.statistics,
            time: self.time,
        }
    }
}

/// Linux promises more memory than there is and ends the process later, so the question is asked before.
pub fn check_memory(mib: usize) -> anyhow::Result<()> {
    let available = free_memory_mib().unwrap_or(usize::MAX);
    if mib > available {
        bail!(
            "a table of {mib} MiB does not fit into the {available} MiB of memory that are free; choose a smaller `--table`"
        );
    }
    Ok(())
}

/// Memory that is free, in MiB, where the system tells.
#[expect(clippy::disallowed_methods, reason = "Linux tells by a file")]
pub(crate) fn free_memory_mib() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().trim_end_matches(" kB").parse::<usize>().ok().map(|kib| kib / 1024)
}
