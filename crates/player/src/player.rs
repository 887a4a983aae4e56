//! Who plays for the computer.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use multigame_game::{Game, Line, Random, Signature};
use multigame_search::patterns::LowerBound;
use multigame_search::{
    Bounds, Engine, Judge, Options, Root, Search, SearchError, SearchResult, Statistics, TranspositionTable,
    Value, Workspace,
};

use multigame_threads::{Crew, CrewReport};

use crate::{Book, Limits, Progress, Watch};

/// Nodes between two looks at the clock: the slowest rules need some milliseconds for so many.
const POLL: u32 = 16;

/// Plays one game: keeps what it learns from move to move.
pub struct Player<'l, G: Game> {
    game: &'l G,
    /// Searches end when somebody sets it.
    stop: &'l AtomicBool,
    judge: Judge,
    /// Whether the engine is the one that suits the game, not one that was asked for.
    suitable_engine: bool,
    options: Options,
    table: Option<TranspositionTable>,
    /// What the threads of searches learn about moves.
    workspaces: Vec<Workspace<G>>,
    /// Moves of solutions found, for puzzles.
    solution: HashMap<Signature, G::Move>,
    random: Random,
    /// When to stop.
    pub limits: Limits,
    /// Openings.
    pub book: Book,
}

/// What a search is asked beside the position. The default asks for the best of all moves, now.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'w, M> {
    /// The moves to look at; all if there are none here.
    pub only: &'w [M],
    /// As long as it is set, somebody else's clock runs: time limits begin when it is cleared.
    pub waiting: Option<&'w AtomicBool>,
    /// Whether to keep when each thread worked, if there are several: `spans` of [`CrewReport`].
    pub trace: bool,
}

impl<M> Default for Wish<'_, M> {
    fn default() -> Self {
        Wish { only: &[], waiting: None, trace: false }
    }
}

/// Where a move comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was searched for.
    Search,
    /// It stands in the book.
    Book,
    /// There is no other.
    Only,
    /// It continues a solution found before.
    Solution,
}

/// What came of thinking.
#[derive(Clone, Debug)]
pub struct Thought<M> {
    /// The move to play; none only for a puzzle that was not solved.
    pub best: Option<M>,
    /// Where it comes from.
    pub origin: Origin,
    /// What is known about the position, as the player to move sees it.
    pub bounds: Bounds,
    /// The best guess in one number.
    pub value: Value,
    /// The best line.
    pub pv: Vec<M>,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// Whether the search came to its end instead of being stopped.
    pub finished: bool,
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
    /// Gets to know a game. `engine` is chosen to suit the game if none is given; setting `stop` ends a search.
    pub fn new(
        game: &'l G,
        engine: Option<Engine>,
        options: Options,
        limits: Limits,
        stop: &'l AtomicBool,
    ) -> anyhow::Result<Player<'l, G>> {
        let judge = Judge::new(game, None).map_err(anyhow::Error::msg)?;
        let mut player = Player {
            game,
            stop,
            judge,
            suitable_engine: engine.is_none(),
            options,
            table: None,
            workspaces: Vec::new(),
            solution: HashMap::new(),
            random: Random::new(1),
            limits,
            book: Book::default(),
        };
        player.options.engine = engine.unwrap_or(player.options.engine);
        player.set_options(player.options.clone())?;
        Ok(player)
    }

    /// Judges positions without counting moves: faster, and blinder.
    pub fn without_mobility(mut self) -> Player<'l, G> {
        self.judge = self.judge.without_mobility();
        self
    }

    /// Judges positions in another way.
    pub fn with_judge(mut self, judge: Judge) -> Player<'l, G> {
        self.judge = judge;
        self.forget();
        self
    }

    /// Lets tables say how many moves a puzzle needs at least.
    pub fn with_bound(mut self, bound: LowerBound) -> Player<'l, G> {
        self.judge = self.judge.with_bound(bound);
        self
    }

    /// What positions are judged by.
    pub fn judge(&self) -> &Judge {
        &self.judge
    }

    /// The switches in use.
    pub fn options(&self) -> Options {
        Options { engine: self.engine(), ..self.options.clone() }
    }

    /// Chooses among moves that are equally good in the book.
    pub fn set_seed(&mut self, seed: u64) {
        self.random = Random::new(seed);
        self.options.seed = seed;
    }

    /// Changes switches by a text like `tt=off`; nothing is changed if it is wrong.
    pub fn change_options(&mut self, text: &str) -> anyhow::Result<()> {
        let options = self.options().with(text)?;
        let chosen = text.split(',').any(|part| part.trim().starts_with("engine"));
        let before = self.suitable_engine;
        self.suitable_engine &= !chosen;
        self.set_options(options).inspect_err(|_| self.suitable_engine = before)
    }

    fn set_options(&mut self, options: Options) -> anyhow::Result<()> {
        let engine = if self.suitable_engine { self.judge.suits(self.game()) } else { options.engine };
        let engaged = Options { engine, ..options.clone() };
        if options.threads > 1 {
            self.crew(engaged)?;
        } else {
            Search::new(self.game(), &self.judge, engaged)?;
        }
        let same_table = (options.table, options.table_mib, options.table_layout)
            == (self.options.table, self.options.table_mib, self.options.table_layout);
        if !same_table {
            self.table = None;
        }
        self.options = options;
        self.forget();
        Ok(())
    }

    /// Several threads for a search.
    fn crew(&self, options: Options) -> anyhow::Result<Crew<'_, G, Judge>> {
        let (threads, policy) = (options.threads, options.policy.parse()?);
        Ok(Crew::new(self.game(), &self.judge, options, threads, policy)?)
    }

    /// Forgets everything learned from searches.
    pub fn forget(&mut self) {
        self.solution.clear();
        self.workspaces.clear();
        if let Some(table) = &self.table {
            table.clear();
        }
    }

    /// Thinks about a position until somebody sets the flag, so that the table knows something about it.
    pub fn ponder(&self, root: &Root<G>, stop: &AtomicBool) {
        let (options, Some(table)) = (self.options(), &self.table) else { return };
        if options.threads > 1 {
            if let Ok(crew) = self.crew(options) {
                let _ = crew.with_table(table).with_abort(stop).run(root, u32::MAX, &mut ());
            }
            return;
        }
        if let Ok(search) = Search::new(self.game(), &self.judge, options) {
            // Whatever goes wrong will go wrong again when it matters.
            let _ = search.with_table(table).with_abort(stop).run(root, u32::MAX, &mut ());
        }
    }

    fn game(&self) -> &'l G {
        self.game
    }

    /// The engine for the next search. Without a limit of time or nodes, Monte-Carlo search would not end.
    fn engine(&self) -> Engine {
        if !self.suitable_engine {
            return self.options.engine;
        }
        match self.judge.suits(self.game()) {
            Engine::Mcts if self.limits.only_depth() => Engine::NegaScout,
            engine => engine,
        }
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
        let mut options = self.options();
        self.make_table(&options)?;
        let start = Instant::now();
        let mut limits = self.limits;
        limits.never_endless(options.engine);
        if limits.has_time() {
            options.poll_interval = options.poll_interval.min(POLL);
        }
        if options.engine == Engine::Mcts {
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
        let (game, engine) = (self.game(), options.engine);
        let depth = limits.depth.unwrap_or(u32::MAX);
        let mut root = Root::of_line(line);
        if !wish.only.is_empty() {
            root = root.only(game, wish.only);
        }
        let result = if options.threads > 1 {
            let workspaces = std::mem::take(&mut self.workspaces);
            let mut crew = self.crew(options)?.with_abort(self.stop).with_trace(wish.trace);
            crew = crew.with_workspaces(workspaces);
            if let Some(table) = &self.table {
                crew = crew.with_table(table);
            }
            let result = crew.run(&root, depth, &mut watch);
            self.workspaces = crew.into_workspaces();
            result.map(|(result, report)| (result, Some(report)))
        } else {
            let workspace = self.workspaces.pop().unwrap_or_default();
            let search = Search::new(game, &self.judge, options)?.with_abort(self.stop);
            let mut search = search.with_workspace(workspace);
            if let Some(table) = &self.table {
                search = search.with_table(table);
            }
            let result = search.run(&root, depth, &mut watch);
            self.workspaces.push(search.into_workspace());
            result.map(|result| (result, None))
        };
        let (result, crew) = result.map_err(|error| match error {
            SearchError::Rules(error) => anyhow::Error::from(*error),
            error => error.into(),
        })?;
        Ok(Thought { crew, ..thought_of(result, engine, start.elapsed()) })
    }

    /// Does what takes a while before the first search, so that its clock need not pay for it.
    pub fn get_ready(&mut self) -> anyhow::Result<()> {
        self.make_table(&self.options())
    }

    /// Makes room for a table once; it takes a while, which is not the search's.
    fn make_table(&mut self, options: &Options) -> anyhow::Result<()> {
        let uses =
            !matches!(options.engine, Engine::NegaMax | Engine::Mcts | Engine::DfPn | Engine::ProofNumber);
        if options.table && uses && self.table.is_none() {
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
            value: Value::DRAW,
            pv: vec![mv],
            depth: 0,
            finished: true,
            engine: self.engine(),
            statistics: Statistics::default(),
            crew: None,
            time: Duration::ZERO,
        }
    }
}

fn thought_of<M: Clone>(result: SearchResult<M>, engine: Engine, time: Duration) -> Thought<M> {
    Thought {
        best: result.pv.first().cloned(),
        origin: Origin::Search,
        bounds: result.bounds,
        value: result.value,
        pv: result.pv,
        depth: result.depth,
        finished: result.finished,
        engine,
        statistics: result.statistics,
        crew: None,
        time,
    }
}

/// Linux promises more memory than there is and ends the process later, so the question is asked before.
pub fn check_memory(mib: usize) -> anyhow::Result<()> {
    let Ok(text) = std::fs::read_to_string("/proc/meminfo") else { return Ok(()) };
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let available = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<usize>().ok());
    let available = available.context("`/proc/meminfo` cannot be understood").unwrap_or(usize::MAX) / 1024;
    if mib > available {
        bail!(
            "a table of {mib} MiB does not fit into the {available} MiB of memory that are free; choose a smaller `--table`"
        );
    }
    Ok(())
}
