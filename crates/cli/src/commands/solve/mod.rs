//! `multigame solve`: who wins with best play, or the shortest solution of a puzzle.

mod expectation;
mod perimeter;
mod strong;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use multigame_endgame::{Endgames, load_endgames};
use multigame_game::{Diagram, Game, Line, Portable, notation, position_text};
use multigame_ir::Program;
use multigame_loader::WithGame;
use multigame_parallel::{Memory, PolicyKind};
use multigame_player::ranks::{self, EvaluatorSpec};
use multigame_player::{
    Changes, Checkpoint, Identity, Limits, News, Progress, Solver, Solving, Thought, asks_endgames,
    check_memory, line_names, load_tables, parse_memory, parse_time, partial_text, read_tables, result_text,
    speed,
};
use multigame_progress::Progress as Display;
use multigame_search::Engine;
use multigame_search::patterns::{Perimeter, WIDEST};

use crate::arguments::{
    EngineChoice, PositionArguments, engine_parser, note_threads, policy_parser, threads_parser,
};
use crate::{databases, interrupt, load, output};

/// A position around the goal, and its table.
const BYTES_PER_NEIGHBOUR: usize = 64;

/// Find the winner with best play, or the shortest solution of a puzzle.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: load::GameArguments,
    #[command(flatten)]
    position: PositionArguments,
    /// The way to solve it; what suits the game if not given
    #[arg(long, value_parser = engine_parser())]
    engine: Option<EngineChoice>,
    /// Memory to use
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    table: u32,
    /// Threads to search on
    #[arg(long, value_name = "N", value_parser = threads_parser())]
    threads: Option<u32>,
    /// How threads divide the work, such as `ybwc`, or `stealing` or `tds` for puzzles; docs/parallel.md
    /// lists them
    #[arg(long, value_name = "NAME", value_parser = policy_parser)]
    policy: Option<PolicyKind>,
    /// Where the table of several processes is: `private`, `replicated`, `partitioned` or `hybrid`, with
    /// settings such as `hybrid:depth=3:company=16`; docs/cluster.md lists them
    #[arg(long, value_name = "KIND", value_parser = parse_memory)]
    memory: Option<Memory>,
    /// Give up after this many plies, or moves of a puzzle
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Give up after this time: seconds, or `500ms`, or `1m`
    #[arg(long, value_parser = parse_time)]
    time: Option<Duration>,
    /// Give up after this many nodes
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Keep what is known in FILE, from time to time and when interrupted, and go on from there the next time
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// How often FILE is written
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "1m", requires = "checkpoint")]
    checkpoint_every: Duration,
    /// Only find out who wins, or whether a puzzle can be solved, not how soon: much faster
    #[arg(long, conflicts_with = "engine")]
    verdict: bool,
    /// Switch enhancements, such as `history=off`; `multigame options` lists them
    #[arg(long, value_name = "NAME=VALUE,...", default_value = "", value_parser = Changes::parse)]
    options: Changes,
    /// Pattern databases of a puzzle, made by `multigame tables`
    #[arg(long, value_name = "FILE")]
    tables: Option<PathBuf>,
    /// Endgame databases: a folder of `multigame endgame make`, or a file of `multigame solve --strong`;
    /// `GAME.endgames` beside the rules or here if not given and it has the position, `none` for none
    #[arg(long, value_name = "PATH")]
    endgames: Option<PathBuf>,
    /// First find all positions of a puzzle within this many moves of its goal: a lower bound for the others
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=i64::from(WIDEST)))]
    perimeter: Option<u32>,
    /// Find the values of all positions that can be reached, and keep them in a file
    #[arg(
        long,
        conflicts_with_all = ["engine", "policy", "memory", "depth", "time", "nodes", "checkpoint", "verdict",
            "options", "tables", "perimeter", "endgames"]
    )]
    strong: bool,
    /// The file of a strong solution; `GAME.solution` if not given
    #[arg(long, value_name = "FILE", requires = "strong")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints the result and a line of best play.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.strong {
        return load::with_game(&arguments.game, strong::Solve { arguments });
    }
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

impl WithGame for Solve<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Portable>(self, game: G) -> anyhow::Result<()> {
        let line = Line::new(&game, self.arguments.position.position(&game)?);
        check_memory(self.arguments.table as usize)?;
        interrupt::catch()?;
        if game.description().chance.is_some() {
            return self.arguments.expect(&line);
        }
        let solving = self.solving();
        let position = position_text(game.description(), &game.diagram(line.position()));
        let checkpoint = |engine| self.checkpoint(&position, engine);
        let mut solver = Solver::new(&game, &solving, interrupt::flag());
        note_threads(solver.threads()?);
        if let Some(tables) = &self.arguments.tables {
            solver = solver.with_bound(load_tables(tables, &game)?)?;
        }
        if let Some(endgames) = self.endgames(&game, line.position())? {
            solver = solver.with_endgames(Arc::new(endgames))?;
        }
        let perimeter = self.perimeter(&game, &line)?;
        if let Some(ranks) = ranks::installed() {
            let tables = self.arguments.tables.as_ref().map(|path| read_tables(path)).transpose()?;
            let perimeter = perimeter.as_ref().map(|perimeter| perimeter.entries().collect());
            let evaluator = EvaluatorSpec { tables, perimeter, ..EvaluatorSpec::default() };
            solver = solver.with_others(ranks.others(&game, evaluator));
        }
        if let Some(perimeter) = perimeter {
            solver = solver.with_perimeter(perimeter)?;
        }
        if self.arguments.checkpoint.is_some() {
            solver = solver.with_checkpoint(&checkpoint);
        }
        let mut display = multigame_progress::is_live().then(Display::news);
        let _thinking = interrupt::thinking();
        let solution = solver.run(&line, &mut |news| show_news(&mut display, &news));
        drop(display);
        self.print(&line, &solution?)
    }
}

impl Solve<'_> {
    /// The databases that were named, or those that were found and have the position.
    fn endgames<G: Game>(&self, game: &G, position: &G::Position) -> anyhow::Result<Option<Endgames>> {
        let arguments = self.arguments;
        let several = ranks::installed().is_some_and(|ranks| ranks.size() > 1);
        if let Some(path) = databases::named(arguments.endgames.as_ref()) {
            if several {
                bail!("other ranks have no endgame databases; solve on one rank, or leave `--endgames` out");
            }
            return load_endgames(&path, game).map(Some);
        }
        let asks = arguments.engine.flatten().is_none_or(asks_endgames);
        if several || !asks || arguments.verdict || game.description().players == 1 {
            return Ok(None);
        }
        let Some(folder) = databases::found(arguments.endgames.as_ref(), game.description()) else {
            return Ok(None);
        };
        let endgames = load_endgames(&folder, game)
            .context("endgames were found; make them again, or leave them out by `--endgames none`")?;
        let known = endgames.probe(game, position).is_some();
        if known {
            databases::tell(&folder);
        }
        Ok(known.then_some(endgames))
    }

    fn solving(&self) -> Solving {
        let arguments = self.arguments;
        let limits =
            Limits { depth: arguments.depth, nodes: arguments.nodes, time: arguments.time, clock: None };
        Solving {
            engine: arguments.engine.flatten(),
            verdict: arguments.verdict,
            table_mib: arguments.table,
            options: arguments.options.clone(),
            threads: arguments.threads,
            policy: arguments.policy,
            memory: arguments.memory,
            limits,
            keep_every: arguments.checkpoint_every,
        }
    }

    fn checkpoint(&self, position: &str, engine: Engine) -> anyhow::Result<Checkpoint> {
        let arguments = self.arguments;
        let file = arguments.checkpoint.clone().unwrap_or_default();
        let parameters = &arguments.game.parameters;
        // A table that was filled by pruning or by an unsound policy is not to be believed by searches
        // without.
        let sound = arguments.policy.is_none_or(PolicyKind::is_sound);
        let switches = &format!("{} {sound}", arguments.options);
        let search = Identity { rules: self.rules, parameters, position, switches, engine };
        Checkpoint::new(file, &search, arguments.table)
    }

    /// The positions around the goal, if they are wanted.
    fn perimeter<G: Game>(&self, game: &G, line: &Line<'_, G>) -> anyhow::Result<Option<Perimeter>> {
        let (Some(program), Some(width)) = (&self.around, self.arguments.perimeter) else { return Ok(None) };
        if game.description().players != 1 {
            bail!("`--perimeter` is for puzzles; leave it out");
        }
        let puzzle = game.puzzle();
        let puzzle = puzzle.context("`--perimeter` needs a `goal` that is one `match` of the whole board")?;
        // Properties that moves change are refused, so they are what they are in the first position.
        let goal = Diagram { cells: puzzle.goal, ..game.diagram(line.position()) };
        let most = self.arguments.table as usize * (1 << 20) / BYTES_PER_NEIGHBOUR;
        let backend = self.arguments.game.backend;
        perimeter::around(program.clone(), backend, &goal, width, most).map(Some)
    }

    /// The result is what is proved; where nothing is, what is known goes with the error.
    fn print<G: Game>(&self, line: &Line<'_, G>, solution: &Thought<G::Move>) -> anyhow::Result<()> {
        let (game, description) = (line.game(), line.game().description());
        let side = game.side_to_move(line.position());
        let names = line_names(game, line.position(), &solution.pv, usize::MAX)?;
        let result = result_text(description, side, solution.proved);
        let known = partial_text(description, side, solution.proved).filter(|_| result.is_none());
        let (nodes, seconds) = (solution.statistics.nodes, solution.time.as_secs_f64());
        if self.arguments.json {
            output::json(&serde_json::json!({
                "game": description.name,
                "engine": solution.engine.to_string(),
                "result": result,
                "known": known,
                "moves": names,
                "nodes": nodes,
                "seconds": seconds,
            }))?;
        } else if let Some(result) = &result {
            let mut out = std::io::stdout().lock();
            writeln!(out, "{result}")?;
            if !names.is_empty() {
                writeln!(out, "moves {}", notation::listed(&names))?;
            }
            writeln!(out, "nodes {nodes}  time {seconds:.2}")?;
        }
        if result.is_none() {
            let known = known.map(|known| format!(": {known}")).unwrap_or_default();
            bail!("not solved{known}; give more time, or more memory with `--table`");
        }
        Ok(())
    }
}

/// Shows how it is getting on. News that cannot be shown are not a reason to stop.
fn show_news<M>(display: &mut Option<Display>, news: &News<'_, '_, M>) {
    let _ = match news {
        News::Progress(engine, progress) => show_progress(*engine, display, progress),
        News::OneRank(reason, waiting) => tell(display, &format!("note: {reason}; {waiting} wait")),
        News::GoesOn(file) => tell(display, &format!("going on from `{}`", file.display())),
        News::NotKept(error) => tell(display, &format!("note: {error:#}; it will be tried again")),
        News::Kept(file) => {
            tell(display, &format!("kept in `{}`; the same command goes on from there", file.display()))
        }
    };
}

/// Writes a line that stays, with the line that changes out of the way.
fn tell(display: &Option<Display>, text: &str) -> std::io::Result<()> {
    let write = || writeln!(std::io::stderr(), "{text}");
    match display {
        Some(display) => display.aside(write),
        None => write(),
    }
}

fn show_progress<M>(
    engine: Engine,
    display: &mut Option<Display>,
    progress: &Progress<'_, M>,
) -> std::io::Result<()> {
    let (nodes, time) = (progress.statistics.nodes, progress.time);
    let rate = speed(nodes, time);
    let text =
        format!("{engine}  {:.1} s  depth {}  {nodes} nodes  {rate}", time.as_secs_f64(), progress.depth);
    match display {
        Some(display) => display.say(&text),
        None if progress.finished => writeln!(std::io::stderr(), "{text}")?,
        None => {}
    }
    Ok(())
}
