//! `multigame solve`: who wins with best play, or the shortest solution of a puzzle.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use multigame_game::{
    Description, Diagram, Ending, Game, Line, Outcome, Random, Repetition, RulesError, Side, playout,
};
use multigame_ir::Program;
use multigame_parallel::PolicyKind;
use multigame_search::patterns::WIDEST;
use multigame_search::{
    Bounds, Engine, Evaluator, Judge, Nothing, Options, Proofs, Root, Search, SearchError, SearchResult,
    TranspositionTable, Value,
};

use crate::commands::perimeter;
use crate::{load, output};
use multigame_loader::Task;
use multigame_player::{
    Checkpoint, Knowledge, Limits, Progress, Watch, check_memory, engine_parser, interrupt, line_names,
    load_tables, note_threads, parse_time, policy_parser, speed, threads_parser,
};
use multigame_threads::Crew;

/// The table of a position and its successors in A*; measured.
const BYTES_PER_POSITION: usize = 512;
/// An entry of the table of df-pn, which for a moment exists twice when it grows.
const BYTES_PER_PROOF: usize = 64;
/// A position around the goal, and the table it stands in.
const BYTES_PER_NEIGHBOUR: usize = 64;
/// A* is for small puzzles; larger ones are left to IDA* before all memory is full.
const SMALL: usize = 1 << 20;
/// Alpha-Beta does not look farther than this.
const FARTHEST: u32 = 249;
/// So many random games tell whether only the margin counts.
const SAMPLES: u64 = 8;

/// Find out who wins with best play, or the shortest solution of a puzzle.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: load::GameArguments,
    #[command(flatten)]
    position: load::PositionArguments,
    /// The way to solve it; what suits the game if not given
    #[arg(long, value_parser = engine_parser())]
    engine: Option<Engine>,
    /// Memory to use
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    table: u32,
    /// Threads to search on
    #[arg(long, value_name = "N", value_parser = threads_parser())]
    threads: Option<u32>,
    /// How threads divide the work, such as `ybwc`, or `stealing` or `tds` for puzzles; docs/parallel.md lists them
    #[arg(long, value_name = "NAME", value_parser = policy_parser)]
    policy: Option<PolicyKind>,
    /// Give up after so many plies, or moves of a puzzle
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Give up after this time: seconds, or `500ms`, or `1m`
    #[arg(long, value_parser = parse_time)]
    time: Option<Duration>,
    /// Give up after so many nodes
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Keep what is known in FILE when interrupted, and go on from there the next time
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Only find out who wins, or whether a puzzle can be solved, not how soon: much faster
    #[arg(long, conflicts_with = "engine")]
    verdict: bool,
    /// Switch enhancements, such as `history=off`; docs/search.md lists them
    #[arg(long, value_name = "NAME=VALUE,...", default_value = "")]
    options: String,
    /// Pattern databases of a puzzle, made by `multigame tables`
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
    /// Find all positions of a puzzle first that are at most so many moves from its goal: a lower bound for others
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=i64::from(WIDEST)))]
    perimeter: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints the result and a line of best play.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (source, program) = load::program(&arguments.game)?;
    let around = arguments.perimeter.map(|_| program.clone());
    let task = Solve { arguments, rules: &source.text, around };
    load::with_program(&source, program, arguments.game.backend, task)
}

struct Solve<'a> {
    arguments: &'a Arguments,
    rules: &'a str,
    /// The program, where positions around the goal are to be found.
    around: Option<Program>,
}

impl Task for Solve<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let description = game.description();
        let line = Line::new(&game, self.arguments.position.position(&game)?);
        let side = game.side_to_move(line.position());
        check_memory(self.arguments.table as usize)?;
        interrupt::catch()?;
        let start = Instant::now();
        let (engine, result) = self.solve(&game, &line, start)?;
        let names = line_names(&game, line.position(), &result.pv, usize::MAX)?;
        let verdict = self.verdict(description, side, engine, &result);
        if self.arguments.json {
            output::json(&serde_json::json!({
                "game": description.name,
                "engine": engine.to_string(),
                "result": verdict,
                "moves": names,
                "nodes": result.statistics.nodes,
                "seconds": start.elapsed().as_secs_f64(),
            }))?;
        } else if let Some(verdict) = &verdict {
            let mut out = std::io::stdout().lock();
            writeln!(out, "{verdict}")?;
            if !names.is_empty() {
                writeln!(out, "moves {}", names.join(" "))?;
            }
            writeln!(out, "nodes {}  time {:.2}", result.statistics.nodes, start.elapsed().as_secs_f64())?;
        }
        if verdict.is_none() {
            let known = known_text(description, side, result.bounds);
            bail!("not solved{known}; give more time, or more memory with `--table`");
        }
        Ok(())
    }
}

impl Solve<'_> {
    fn engine(&self, description: &Description, threads: u32) -> anyhow::Result<Engine> {
        let keeps = |engine: Engine| {
            use Engine::{AlphaBeta, DfPn, IdaStar, Mtdf, NegaScout, Verdict};
            matches!(engine, AlphaBeta | NegaScout | Mtdf | IdaStar | Verdict | DfPn)
        };
        if self.arguments.checkpoint.is_some() && threads > 1 && description.players == 1 {
            bail!(
                "what several threads know about a puzzle is of no use later; leave `--checkpoint` or `--threads` out"
            );
        }
        let chosen = self.arguments.engine.or(self.arguments.verdict.then_some(Engine::Verdict));
        match chosen {
            Some(Engine::Mcts) => {
                bail!("`mcts` guesses and proves nothing; use `--engine dfpn` or `negascout`")
            }
            Some(engine) if self.arguments.checkpoint.is_some() && !keeps(engine) => {
                bail!(
                    "`--checkpoint` keeps what a table knows; use `--engine negascout`, `dfpn` or `idastar`"
                )
            }
            Some(engine) => Ok(engine),
            None if description.players == 1 && self.arguments.checkpoint.is_some() => Ok(Engine::IdaStar),
            None if description.players == 1 && self.arguments.perimeter.is_some() => Ok(Engine::IdaStar),
            // A* is for one thread.
            None if description.players == 1 && threads > 1 => Ok(Engine::IdaStar),
            None if description.players == 1 => Ok(Engine::AStar),
            // Only df-pn comes to an end where positions can come back.
            None if matches!(description.repetition, Repetition::Draw(_)) => Ok(Engine::DfPn),
            None => Ok(Engine::NegaScout),
        }
    }

    /// The switches, whatever the engine. Where only the margin counts, there are no shortest wins to be found by a growing
    /// depth. Then depths do not say which parts are small either, so that nobody is given any.
    fn options(&self, margin: bool) -> anyhow::Result<Options> {
        let mut options = Options { table_mib: self.arguments.table as usize, ..Options::default() };
        options.poll_interval = 64;
        if margin {
            options.set("deepening=0,fewest=on,etc=on,policy=abdada")?;
        }
        options.enhanced_cutoffs |= self.arguments.verdict || self.arguments.engine == Some(Engine::Verdict);
        options.set(&self.arguments.options)?;
        let asks_table = options.table && options.table_cutoffs;
        options.enhanced_cutoffs &= asks_table || self.arguments.options.contains("etc");
        if let Some(threads) = self.arguments.threads {
            options.threads = threads;
        }
        if let Some(policy) = self.arguments.policy {
            options.policy = policy.to_string();
        }
        Ok(options)
    }

    fn solve<G: Game>(
        &self,
        game: &G,
        line: &Line<'_, G>,
        start: Instant,
    ) -> anyhow::Result<(Engine, SearchResult<G::Move>)> {
        let threads = self.options(false)?.threads;
        note_threads(threads);
        let engine = self.engine(game.description(), threads)?;
        let result = self.run_engine(engine, game, line, start)?;
        let gave_up = !result.finished && !interrupt::take() && !self.limits_reached(&result, start);
        if engine == Engine::AStar && self.arguments.engine.is_none() && gave_up {
            return Ok((Engine::IdaStar, self.run_engine(Engine::IdaStar, game, line, start)?));
        }
        Ok((engine, result))
    }

    fn limits_reached<M>(&self, result: &SearchResult<M>, start: Instant) -> bool {
        self.arguments.time.is_some_and(|time| start.elapsed() >= time)
            || self.arguments.nodes.is_some_and(|nodes| result.statistics.nodes >= nodes)
    }

    /// Puzzles are solved with the best lower bound there is: what the rules say, and tables or what is derived.
    fn run_engine<G: Game>(
        &self,
        engine: Engine,
        game: &G,
        line: &Line<'_, G>,
        start: Instant,
    ) -> anyhow::Result<SearchResult<G::Move>> {
        let tables = self.arguments.tables.as_ref().map(|tables| load_tables(tables, game)).transpose()?;
        if game.description().players != 1 {
            if self.around.is_some() {
                bail!("`--perimeter` is for puzzles; leave it out");
            }
            // Verdicts are as right with any evaluation, but sooner there with what the rules know.
            if engine == Engine::Verdict && !game.evaluations().is_empty() {
                let judge = Judge::new(game, None).map_err(anyhow::Error::msg)?;
                return self.run_with(&judge, self.options(false)?, engine, game, line, start);
            }
            let margin = matches!(engine, Engine::AlphaBeta | Engine::NegaScout)
                && only_margin_counts(game, line.position())?;
            let options = self.options(margin)?;
            // Where every line is followed to its end, the evaluation says nothing but what to try first.
            if options.fewest_first && options.deepening == 0 && !game.evaluations().is_empty() {
                let judge = Judge::new(game, None).map_err(anyhow::Error::msg)?;
                return self.run_with(&judge, options, engine, game, line, start);
            }
            return self.run_with(&Nothing, options, engine, game, line, start);
        }
        let mut judge = Judge::new(game, None).map_err(anyhow::Error::msg)?;
        if let Some(tables) = tables {
            judge = judge.with_bound(tables);
        }
        if let (Some(program), Some(width)) = (&self.around, self.arguments.perimeter) {
            let puzzle = game.puzzle();
            let puzzle =
                puzzle.context("`--perimeter` needs a `goal` that is one `match` of the whole board")?;
            // Properties that moves change are refused, so they are what they are in the first position.
            let goal = Diagram { cells: puzzle.goal, ..game.diagram(line.position()) };
            let most = self.arguments.table as usize * (1 << 20) / BYTES_PER_NEIGHBOUR;
            let backend = self.arguments.game.backend;
            judge = judge.with_perimeter(perimeter::around(program.clone(), backend, &goal, width, most)?);
        }
        self.run_with(&judge, self.options(false)?, engine, game, line, start)
    }

    fn run_with<G: Game, E: Evaluator<G>>(
        &self,
        evaluator: &E,
        options: Options,
        engine: Engine,
        game: &G,
        line: &Line<'_, G>,
        start: Instant,
    ) -> anyhow::Result<SearchResult<G::Move>> {
        let bytes = self.arguments.table as usize * (1 << 20);
        let mut options = Options { engine, ..options };
        options.tree_nodes = match engine {
            Engine::DfPn => largest_power(bytes / BYTES_PER_PROOF),
            Engine::AStar if self.arguments.engine.is_none() => SMALL.min(bytes / BYTES_PER_POSITION),
            _ => bytes / BYTES_PER_POSITION,
        };
        let uses_table = !matches!(engine, Engine::DfPn | Engine::ProofNumber | Engine::AStar | Engine::Bfs);
        let table = match uses_table {
            true => Some(TranspositionTable::new(options.table_mib, options.table_layout)?),
            false => None,
        };
        let checkpoint = self.arguments.checkpoint.as_ref().map(|file| {
            Checkpoint::new(
                file.clone(),
                self.rules,
                &self.arguments.game.parameters,
                engine,
                self.arguments.table,
            )
        });
        let mut proofs = (engine == Engine::DfPn).then(|| Proofs::new(options.tree_nodes));
        if let (Some(mut knowledge), Some(checkpoint)) = (knowledge(&table, &mut proofs), &checkpoint)
            && checkpoint.load(&mut knowledge)?
        {
            writeln!(std::io::stderr(), "going on from `{}`", checkpoint.file().display())?;
        }
        let live = std::io::stderr().is_terminal();
        let mut report = |progress: &Progress<'_, G::Move>| show_progress(engine, live, progress);
        let limits =
            Limits { depth: None, nodes: self.arguments.nodes, time: self.arguments.time, clock: None };
        let side = game.side_to_move(line.position());
        let mut watch = Watch::new(&limits, side, start, &mut report);
        let _thinking = interrupt::Thinking::begin();
        let depth = self.arguments.depth.unwrap_or(u32::MAX);
        let root = Root::of_line(line);
        let result = if options.threads > 1 {
            let (threads, policy) = (options.threads, options.policy.parse()?);
            let mut crew =
                Crew::new(game, evaluator, options, threads, policy)?.with_abort(interrupt::flag());
            if let Some(table) = &table {
                crew = crew.with_table(table);
            }
            crew.run(&root, depth, &mut watch).map(|(result, _)| result)
        } else {
            let mut search = Search::new(game, evaluator, options)?.with_abort(interrupt::flag());
            if let Some(table) = &table {
                search = search.with_table(table);
            }
            if let Some(proofs) = &mut proofs {
                search = search.with_proofs(proofs);
            }
            search.run(&root, depth, &mut watch)
        };
        if live {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
        let result = result.map_err(|error| match error {
            SearchError::Rules(error) => anyhow::Error::from(*error),
            error => error.into(),
        })?;
        let known = knowledge(&table, &mut proofs);
        if let (Some(knowledge), Some(checkpoint), false) = (known, &checkpoint, result.finished) {
            checkpoint.save(&knowledge)?;
            let file = checkpoint.file().display();
            writeln!(std::io::stderr(), "kept in `{file}`; the same command goes on from there")?;
        }
        Ok(result)
    }

    /// The result in words if it is proved.
    fn verdict<M>(
        &self,
        description: &Description,
        side: Side,
        engine: Engine,
        result: &SearchResult<M>,
    ) -> Option<String> {
        let bounds = result.bounds;
        if description.players == 1 {
            if bounds.is_exact() && bounds.lower.is_loss() {
                return Some("no solution".to_string());
            }
            let length = result.pv.len();
            return bounds.lower.is_win().then(|| match bounds.is_exact() {
                true => format!("solved in {length} moves"),
                false => format!("solved in {length} moves, perhaps not the fewest"),
            });
        }
        // Alpha-Beta ends before its last depth only where searching more deeply cannot change anything.
        let limit = self.arguments.depth.unwrap_or(u32::MAX).min(FARTHEST);
        // Nor did it judge anything by its evaluation or by a position that came back.
        let counts = &result.statistics;
        let to_the_end = counts.evaluations + counts.evaluation_hits + counts.repetitions == 0;
        let complete = result.finished && (engine.proves() || result.depth < limit || to_the_end);
        let words = |who: Side, value: Value| {
            let exact = bounds.is_exact();
            match (value.plies(), value.margin()) {
                (Some(1), _) if exact => format!("{who} wins in 1 ply"),
                (Some(plies), _) if exact => format!("{who} wins in {plies} plies"),
                (None, Some(margin)) if exact => format!("{who} wins by {}", margin.abs()),
                _ => format!("{who} wins"),
            }
        };
        if bounds.lower >= Value::LEAST_SCORE && (complete || bounds.lower.is_win()) {
            return Some(words(side, bounds.lower));
        }
        if bounds.upper <= -Value::LEAST_SCORE && (complete || bounds.upper.is_loss()) {
            return Some(words(side.opponent(), bounds.upper));
        }
        (complete && bounds == Bounds::exact(Value::DRAW)).then(|| "draw".to_string())
    }
}

/// Whether games from a position end with a margin and nothing else, and no position can come back, as far as random games
/// tell.
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

/// What is known where it is not solved.
fn known_text(description: &Description, side: Side, bounds: Bounds) -> String {
    if description.players == 1 {
        return match bounds.upper.plies() {
            Some(moves) if moves > 0 => format!(": it takes at least {moves} moves"),
            _ => String::new(),
        };
    }
    if bounds == Bounds::at_most(Value::DRAW) { format!(": {side} does not win") } else { String::new() }
}

fn show_progress<M>(engine: Engine, live: bool, progress: &Progress<'_, M>) {
    let (nodes, time) = (progress.statistics.nodes, progress.time);
    let rate = speed(nodes, time);
    let text =
        format!("{engine}  {:.1} s  depth {}  {nodes} nodes  {rate}", time.as_secs_f64(), progress.depth);
    // Progress that cannot be shown is no reason to stop.
    let _ = match live {
        true => write!(std::io::stderr(), "\r\x1b[K{text}"),
        false if progress.finished => writeln!(std::io::stderr(), "{text}"),
        false => Ok(()),
    };
}

/// What a checkpoint keeps.
fn knowledge<'a>(
    table: &'a Option<TranspositionTable>,
    proofs: &'a mut Option<Proofs>,
) -> Option<Knowledge<'a>> {
    let table = table.as_ref().map(Knowledge::Table);
    table.or_else(|| proofs.as_mut().map(Knowledge::Proofs))
}

fn largest_power(number: usize) -> usize {
    1 << number.max(64).ilog2()
}
