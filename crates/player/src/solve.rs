//! Who wins with best play, or the shortest solution of a puzzle: from a wish to what is proved, without any
//! printing.
//!
//! **Invariant:** nothing is said about the result but its [`Proved`](multigame_search::Proved), which only
//! engines make. Limits, threads and interruptions make it say less, never something else.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::bail;
use multigame_game::{Description, Ending, Game, Line, Outcome, Random, Repetition, RulesError, playout};
use multigame_parallel::{Memory as Form, PolicyKind};
use multigame_search::patterns::{LowerBound, Perimeter};
use multigame_search::{Endgames, Engine, Proofs, Root, RulesEvaluator, Statistics, TranspositionTable};

use crate::keeping::Keeping;
use crate::ranks::OtherRanks;
use crate::searching::{Searching, shared};
use crate::spec::check_endgames;
use crate::{Changes, Checkpoint, Configuration, Knowledge, Limits, Progress, Thought, Watch};

/// The table of a position and its successors in A*; measured.
const BYTES_PER_POSITION: usize = 512;
/// An entry of the table of df-pn.
const BYTES_PER_PROOF: usize = 16;
/// A* is for small puzzles; larger ones are left to IDA* before all memory is full.
const SMALL: usize = 1 << 20;
/// Random games are followed so far.
const FARTHEST: u32 = 249;
/// This many random games tell whether only the margin counts.
const SAMPLES: u64 = 8;

/// How something is to be solved. The default chooses what suits the game and has no limits.
#[derive(Clone, Debug)]
pub struct Solving {
    /// The way to solve it; what suits the game if not given.
    pub engine: Option<Engine>,
    /// Whether it is enough to know who wins, or that there is a solution.
    pub verdict: bool,
    /// Memory to use.
    pub table_mib: u32,
    /// Options that are not as usual, such as `history=off`.
    pub options: Changes,
    /// Threads to search on, if the options do not say it.
    pub threads: Option<u32>,
    /// How threads divide the work.
    pub policy: Option<PolicyKind>,
    /// Where the table of several ranks is.
    pub memory: Option<Form>,
    /// When to give up.
    pub limits: Limits,
    /// How often a checkpoint is written, if there is one.
    pub keep_every: Duration,
}

impl Default for Solving {
    fn default() -> Self {
        Solving {
            engine: None,
            verdict: false,
            table_mib: 256,
            options: Changes::default(),
            threads: None,
            policy: None,
            memory: None,
            limits: Limits::default(),
            keep_every: Duration::from_secs(60),
        }
    }
}

/// What is told while something is being solved.
#[derive(Debug)]
pub enum News<'n, 'p, M> {
    /// How the search is getting on.
    Progress(Engine, &'n Progress<'p, M>),
    /// The other ranks of the job cannot take part: why, and how many wait.
    OneRank(String, u32),
    /// Uses the results of a checkpoint.
    GoesOn(&'n Path),
    /// Known results were kept in a checkpoint.
    Kept(&'n Path),
    /// It could not be kept just now, and will be tried again.
    NotKept(anyhow::Error),
}

/// Solves positions of a game.
pub struct Solver<'s, G: Game> {
    game: &'s G,
    solving: &'s Solving,
    stop: &'s AtomicBool,
    /// What a puzzle is judged by, where that is more than what the rules say.
    evaluator: Option<RulesEvaluator>,
    /// Whether it knows positions around the goal, which is of use to IDA* only.
    perimeter: bool,
    checkpoint: Option<&'s dyn Fn(Engine) -> anyhow::Result<Checkpoint>>,
    /// The other ranks of the job.
    others: Option<Box<dyn OtherRanks<G> + 's>>,
}

impl<'s, G: Game> Solver<'s, G> {
    /// A search ends when somebody sets `stop`.
    pub fn new(game: &'s G, solving: &'s Solving, stop: &'s AtomicBool) -> Solver<'s, G> {
        let (evaluator, perimeter, checkpoint, others) = (None, false, None, None);
        Solver { game, solving, stop, evaluator, perimeter, checkpoint, others }
    }

    /// Lets tables say how many moves a puzzle needs at least.
    pub fn with_bound(mut self, bound: LowerBound) -> anyhow::Result<Self> {
        self.evaluator = Some(self.evaluator()?.with_bound(bound));
        Ok(self)
    }

    /// Lets endgame databases say what they know.
    pub fn with_endgames(mut self, endgames: Arc<dyn Endgames>) -> anyhow::Result<Self> {
        self.evaluator = Some(self.evaluator()?.with_endgames(endgames));
        Ok(self)
    }

    /// Lets positions around the goal of a puzzle say how many moves others need at least.
    pub fn with_perimeter(mut self, perimeter: Perimeter) -> anyhow::Result<Self> {
        self.evaluator = Some(self.evaluator()?.with_perimeter(perimeter));
        self.perimeter = true;
        Ok(self)
    }

    fn has_endgames(&self) -> bool {
        self.evaluator.as_ref().is_some_and(RulesEvaluator::has_endgames)
    }

    fn evaluator(&self) -> anyhow::Result<RulesEvaluator> {
        match &self.evaluator {
            Some(evaluator) => Ok(evaluator.clone()),
            None => RulesEvaluator::new(self.game, None).map_err(anyhow::Error::msg),
        }
    }

    /// Keeps what is known from time to time and when the search is stopped, and goes on from there.
    pub fn with_checkpoint(mut self, checkpoint: &'s dyn Fn(Engine) -> anyhow::Result<Checkpoint>) -> Self {
        self.checkpoint = Some(checkpoint);
        self
    }

    /// Searches together with other ranks, which judge positions in the same way.
    pub fn with_others(mut self, others: Box<dyn OtherRanks<G> + 's>) -> Self {
        self.others = Some(others);
        self
    }

    /// The number of ranks.
    fn ranks(&self) -> u32 {
        self.others.as_ref().map_or(1, |others| others.size())
    }

    /// Solves the last position of a line.
    pub fn run(
        &self,
        line: &Line<'_, G>,
        tell: &mut dyn FnMut(News<'_, '_, G::Move>),
    ) -> anyhow::Result<Thought<G::Move>> {
        let engine = self.engine()?;
        self.configuration(false)?.with_engine(engine).check(self.game, self.ranks() > 1)?;
        let limits = self.solving.limits;
        limits.check(engine)?;
        let thought = self.run_engine(engine, limits, line, tell)?;
        let gave_up = !thought.finished && !self.stop.load(Ordering::Relaxed);
        match less(limits, &thought.statistics, thought.time) {
            Some(rest) if engine == Engine::AStar && self.named()?.is_none() && gave_up => {
                let more = self.run_engine(Engine::IdaStar, rest, line, tell)?;
                Ok(Thought { time: thought.time + more.time, ..more })
            }
            _ => Ok(thought),
        }
    }

    /// The threads that will be used.
    pub fn threads(&self) -> anyhow::Result<u32> {
        Ok(self.configuration(false)?.threads)
    }

    /// The engine that was asked for, or the one that suits the game.
    pub fn engine(&self) -> anyhow::Result<Engine> {
        let (threads, kept) = (self.threads()?, self.checkpoint.is_some());
        let description = self.game.description();
        if kept && threads > 1 && description.players == 1 {
            bail!(
                "what several threads know about a puzzle is of no use later; leave `--checkpoint` or `--threads` out"
            );
        }
        match self.named()? {
            Some(Engine::Mcts) => {
                bail!("`mcts` guesses and proves nothing; use `--engine dfpn` or `negascout`")
            }
            Some(engine) if kept && !keeps(engine) => {
                bail!(
                    "`--checkpoint` keeps what a table knows; use `--engine negascout`, `dfpn` or `idastar`"
                )
            }
            Some(Engine::Bfs) if self.evaluator.is_some() => bail!(
                "`bfs` needs no lower bounds; leave `--tables` and `--perimeter` out, or use `--engine idastar`"
            ),
            Some(engine) => Ok(engine),
            None => self.suitable(description, threads),
        }
    }

    /// The engine that was asked for.
    fn named(&self) -> anyhow::Result<Option<Engine>> {
        let named = self.solving.engine.or(self.configuration(false)?.engine());
        match named {
            Some(engine) if self.solving.verdict && engine != Engine::Verdict => {
                bail!("`engine={engine}` and `--verdict` are two wishes; leave one of them out")
            }
            named => Ok(named.or(self.solving.verdict.then_some(Engine::Verdict))),
        }
    }

    fn suitable(&self, description: &Description, threads: u32) -> anyhow::Result<Engine> {
        if description.players == 1 {
            // A* keeps nothing for later, and does not use the options of IDA*'s table.
            let usable =
                self.configuration(false)?.with_engine(Engine::AStar).check(self.game, false).is_ok();
            let alone = threads == 1 && self.ranks() == 1;
            let simple = alone && self.checkpoint.is_none() && !self.perimeter && usable;
            return Ok(if simple { Engine::AStar } else { Engine::IdaStar });
        }
        if self.has_endgames() {
            return Ok(Engine::NegaScout);
        }
        Ok(match description.repetition {
            // Only df-pn comes to an end where positions can come back, unless there is a limit to depth.
            Repetition::Draw(_) if self.solving.limits.depth.is_none() => Engine::DfPn,
            _ => Engine::NegaScout,
        })
    }

    /// The options, whatever the engine. Where only the margin counts, no win is shortest to be found by a
    /// growing depth. Then depths do not say which parts are small either, so that nobody is given any.
    fn configuration(&self, margin: bool) -> anyhow::Result<Configuration> {
        let solving = self.solving;
        let mut configuration = Configuration::default();
        let search = &mut configuration.search;
        (search.table_mib, search.poll_interval) = (solving.table_mib as usize, 64);
        if margin {
            (search.deepening, search.fewest_first, search.enhanced_cutoffs) = (0, true, true);
            // Other ranks share no table with this one.
            if self.ranks() == 1 {
                configuration.policy = PolicyKind::Abdada;
            }
        }
        configuration.search.enhanced_cutoffs |= solving.verdict || solving.engine == Some(Engine::Verdict);
        solving.options.apply(&mut configuration)?;
        let search = &mut configuration.search;
        let asks_table = search.table && search.table_cutoffs;
        search.enhanced_cutoffs &= asks_table || solving.options.names("etc");
        configuration.threads = solving.threads.unwrap_or(configuration.threads);
        if let Some(policy) = solving.policy {
            configuration.set_one("policy", &policy.to_string())?;
        }
        if let Some(memory) = solving.memory {
            configuration.set_one("memory", &memory.to_string())?;
        }
        Ok(configuration)
    }

    /// Puzzles are solved with the best lower bound there is: what the rules say, and tables or what is
    /// derived.
    fn run_engine(
        &self,
        engine: Engine,
        limits: Limits,
        line: &Line<'_, G>,
        tell: &mut dyn FnMut(News<'_, '_, G::Move>),
    ) -> anyhow::Result<Thought<G::Move>> {
        let game = self.game;
        let judged = !game.evaluations().is_empty();
        if self.has_endgames() {
            check_endgames(true, engine)?;
            let configuration = self.configuration(false)?.with_engine(engine);
            return self.run_judged(configuration, limits, line, tell);
        }
        // Verdicts are as right with any evaluation, but sooner there with what the rules know.
        if game.description().players == 1 || engine == Engine::Verdict && judged {
            let configuration = self.configuration(false)?.with_engine(engine);
            return self.run_judged(configuration, limits, line, tell);
        }
        let margin = matches!(engine, Engine::AlphaBeta | Engine::NegaScout)
            && only_margin_counts(game, line.position())?;
        let configuration = self.configuration(margin)?.with_engine(engine);
        let options = &configuration.search;
        // Where every line is followed to its end, the evaluation says nothing but what to try first.
        if options.fewest_first && options.deepening == 0 && judged {
            return self.run_judged(configuration, limits, line, tell);
        }
        self.run_with(&RulesEvaluator::nothing(game), configuration, limits, line, tell)
    }

    fn run_judged(
        &self,
        configuration: Configuration,
        limits: Limits,
        line: &Line<'_, G>,
        tell: &mut dyn FnMut(News<'_, '_, G::Move>),
    ) -> anyhow::Result<Thought<G::Move>> {
        self.run_with(&self.evaluator()?, configuration, limits, line, tell)
    }

    fn run_with(
        &self,
        evaluator: &RulesEvaluator,
        mut configuration: Configuration,
        limits: Limits,
        line: &Line<'_, G>,
        tell: &mut dyn FnMut(News<'_, '_, G::Move>),
    ) -> anyhow::Result<Thought<G::Move>> {
        let engine = configuration.search.engine;
        configuration.search.tree_nodes = self.tree_nodes(engine)?;
        let options = &configuration.search;
        let table = match engine.uses_table() {
            true => Some(TranspositionTable::new(options.table_mib, options.table_layout)?),
            false => None,
        };
        let proofs = (engine == Engine::DfPn).then(|| Proofs::new(options.tree_nodes));
        let checkpoint = self.checkpoint.map(|checkpoint| checkpoint(engine)).transpose()?;
        if let (Some(memory), Some(checkpoint)) = (memory(&table, &proofs), &checkpoint)
            && checkpoint.load(&memory)?
        {
            tell(News::GoesOn(checkpoint.file()));
        }
        let others = self.shared(&configuration, tell)?;
        others.map_or(Ok(()), |others| others.prepare(&configuration.search, evaluator))?;
        // Whatever came before is not the search's: limits of time begin here.
        let start = Instant::now();
        let told = RefCell::new(&mut *tell);
        let mut report =
            |progress: &Progress<'_, G::Move>| told.borrow_mut()(News::Progress(engine, progress));
        let mut not_kept = |error| told.borrow_mut()(News::NotKept(error));
        let depth = limits.depth.unwrap_or(u32::MAX);
        let watch = Watch::new(&limits, self.game.side_to_move(line.position()), start, &mut report);
        let kept = (checkpoint.as_ref(), self.solving.keep_every);
        let mut watch = Keeping::new(watch, kept, table.as_ref(), &mut not_kept);
        let searching = Searching {
            game: self.game,
            evaluator,
            root: &Root::of_line(line),
            configuration: &configuration,
            depth,
            stop: self.stop,
            table: table.as_ref(),
            proofs: proofs.as_ref(),
            ranks: others,
            trace: false,
        };
        let thought = Thought::new(searching.run(&mut Vec::new(), &mut watch)?, engine, start.elapsed());
        if let (Some(known), Some(checkpoint), false) =
            (memory(&table, &proofs), &checkpoint, thought.finished)
        {
            checkpoint.save(&known)?;
            tell(News::Kept(checkpoint.file()));
        }
        Ok(thought)
    }

    /// The other ranks, if they can take part; tells why if they cannot.
    fn shared(
        &self,
        configuration: &Configuration,
        tell: &mut dyn FnMut(News<'_, '_, G::Move>),
    ) -> anyhow::Result<Option<&dyn OtherRanks<G>>> {
        let Some(others) = self.others.as_deref() else { return Ok(None) };
        let Configuration { search, policy, memory, .. } = configuration;
        let kept = self.checkpoint.is_some() && self.game.description().players == 1;
        // The table of one rank does not know which parts of a puzzle others have searched.
        let found = shared(self.game, Some(others as _), configuration).filter(|_| !kept);
        if found.is_none() {
            let reason = match kept {
                true => "`--checkpoint` keeps what one rank knows about a puzzle".to_string(),
                false => format!("`engine={}` with `policy={policy}` searches on one rank", search.engine),
            };
            if memory.is_some() {
                bail!("{reason}, so that there is no table of several; leave `memory` out");
            }
            if others.size() > 1 {
                tell(News::OneRank(reason, others.size() - 1));
            }
        }
        Ok(found)
    }

    /// Most nodes that engines keep.
    fn tree_nodes(&self, engine: Engine) -> anyhow::Result<usize> {
        let bytes = self.solving.table_mib as usize * (1 << 20);
        Ok(match engine {
            Engine::DfPn => largest_power(bytes / BYTES_PER_PROOF),
            Engine::AStar if self.named()?.is_none() => SMALL.min(bytes / BYTES_PER_POSITION),
            _ => bytes / BYTES_PER_POSITION,
        })
    }
}

/// Whether what an engine knows can be kept.
fn keeps(engine: Engine) -> bool {
    use Engine::{AlphaBeta, DfPn, IdaStar, Mtdf, NegaScout, Verdict};
    matches!(engine, AlphaBeta | NegaScout | Mtdf | IdaStar | Verdict | DfPn)
}

/// What a first search has left of the limits; nothing if one is reached.
fn less(limits: Limits, statistics: &Statistics, used: Duration) -> Option<Limits> {
    let time = limits.time.map(|time| time.saturating_sub(used));
    let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(statistics.nodes));
    let left = time != Some(Duration::ZERO) && nodes != Some(0);
    left.then_some(Limits { time, nodes, ..limits })
}

/// Whether games from a position end with a margin and nothing else, and no position can come back, as far as
/// random games tell. It decides how to search; what the search proves does not depend on it.
fn only_margin_counts<G: Game>(game: &G, position: &G::Position) -> Result<bool, RulesError> {
    let mut passed = position.clone();
    for seed in 0..SAMPLES {
        let mut line = Line::new(game, position.clone());
        let end = playout(&mut line, FARTHEST, &mut Random::new(seed))?.ending;
        let goes_on = line.positions().windows(2).all(|pair| {
            game.hand_over(&pair[0], &mut passed);
            game.is_irreversible(&pair[1]) || pair[1] == passed
        });
        if !goes_on || !matches!(end, Ending::Over(Outcome::Score(_))) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The knowledge that a checkpoint keeps.
fn memory<'a>(table: &'a Option<TranspositionTable>, proofs: &'a Option<Proofs>) -> Option<Knowledge<'a>> {
    let table = table.as_ref().map(Knowledge::Table);
    table.or_else(|| proofs.as_ref().map(Knowledge::Proofs))
}

fn largest_power(number: usize) -> usize {
    1 << number.max(64).ilog2()
}
