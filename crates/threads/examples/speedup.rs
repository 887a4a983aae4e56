//! How much sooner a depth is reached with several threads.
//!
//!     cargo run --release -p multigame-threads --example speedup -- --game chess --seconds 0.5
//!
//! For each position the sequential search says how deep to go: to the first depth whose iterations take long
//! enough together. Then every policy searches to the same depth, beginning with an empty table. Everything
//! is measured several times in turn, and the least time counts: what else the machine does can only make it
//! longer. Puzzles are searched up to a length for which there is no solution, so that everybody has to
//! search everything and nobody is lucky.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "an example is a program")]

use std::cell::RefCell;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Parser;
use multigame_game::{Game, Line, Random};
use multigame_loader::{Backend, Playable, WithGame, compile, source};
use multigame_parallel::PolicyKind;
use multigame_search::{
    Control, Engine, Iteration, Monitor, Options, Root, RulesEvaluator, Search, SearchError, Statistics,
    TranspositionTable,
};
use multigame_threads::Crew;

/// What is measured if nothing else is asked for.
const GAMES: [&str; 5] = ["chess", "othello", "checkers", "connect-4", "15-puzzle"];
/// The table of each search, in MiB.
const TABLE: usize = 64;
/// Searches that take this many times as long as the sequential one are not waited for.
const PATIENCE: f64 = 2.0;
/// Plies played before a position is searched: at random, and then by shallow searches.
const OPENING: (u32, u32) = (4, 12);

/// Compares policies on positions of several games.
#[derive(Debug, Parser)]
struct Wishes {
    /// A game; may be given several times
    #[arg(long = "game", default_values_t = GAMES.map(str::to_string))]
    games: Vec<String>,
    /// The least time of a sequential search
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
    /// Search to this depth, however long it takes
    #[arg(long)]
    depth: Option<u32>,
    /// Positions of each game
    #[arg(long, default_value_t = 12)]
    positions: usize,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: u32,
    /// How often each search is measured; the least time counts
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    repeats: u32,
    /// Only this policy; may be given several times
    #[arg(long = "policy")]
    policies: Vec<PolicyKind>,
    /// Switches of the search
    #[arg(long, default_value = "")]
    options: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What one policy reached at one position.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// Sequential time divided by its time.
    speedup: f64,
    /// Its nodes divided by sequential nodes.
    nodes: f64,
    load: f64,
    /// Parts of the work that were given away.
    given: u64,
    /// Whether it was not waited for.
    stopped: bool,
}

/// A search with a policy.
#[derive(Clone, Copy, Debug)]
struct Searched {
    seconds: f64,
    nodes: u64,
    load: f64,
    given: u64,
    /// Whether it was not waited for.
    stopped: bool,
}

/// One policy on one game.
#[derive(Debug)]
struct Row {
    name: String,
    threads: u32,
    runs: Vec<Run>,
}

#[derive(Debug)]
struct Table {
    game: String,
    depths: Vec<u32>,
    seconds: f64,
    nodes: u64,
    rows: Vec<Row>,
}

fn main() -> anyhow::Result<()> {
    let wishes = Wishes::parse();
    let tables = RefCell::new(Vec::new());
    for name in &wishes.games {
        let program = compile(&source(name)?, &[]).program;
        let program = program.with_context(|| format!("`{name}` has errors; see `multigame check`"))?;
        let (game, _) = Playable::new(program, Backend::Auto);
        game.run(Measure { wishes: &wishes, tables: &tables })?;
        if let (false, Some(table)) = (wishes.json, tables.borrow().last()) {
            print(table)?;
        }
    }
    if wishes.json {
        println!("{:#}", serde_json::Value::from_iter(tables.borrow().iter().map(json)));
    }
    Ok(())
}

struct Measure<'a> {
    wishes: &'a Wishes,
    tables: &'a RefCell<Vec<Table>>,
}

impl WithGame for Measure<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let evaluator = RulesEvaluator::new(&game, None).map_err(anyhow::Error::msg)?;
        let engine = if game.description().players == 1 { Engine::IdaStar } else { Engine::NegaScout };
        let options =
            Options { engine, table_mib: TABLE, ..Options::default() }.with(&self.wishes.options)?;
        let table = TranspositionTable::new(TABLE, options.table_layout)?;
        let bench = Bench { game: &game, evaluator: &evaluator, options, table: &table, wishes: self.wishes };
        let measured = bench.measure()?;
        self.tables.borrow_mut().push(measured);
        Ok(())
    }
}

struct Bench<'a, G> {
    game: &'a G,
    evaluator: &'a RulesEvaluator,
    options: Options,
    table: &'a TranspositionTable,
    wishes: &'a Wishes,
}

impl<G: Game> Bench<'_, G> {
    fn measure(&self) -> anyhow::Result<Table> {
        let mut rows = self.rows();
        let (mut depths, mut seconds, mut all) = (Vec::new(), 0.0, 0);
        for seed in 1..=20 * self.wishes.positions as u64 {
            if depths.len() == self.wishes.positions {
                break;
            }
            let Some(root) = self.position(seed)? else { continue };
            let Some(depth) = self.depth(&root)? else { continue };
            let (mut time, mut nodes) = (f64::MAX, 1);
            let mut least = vec![None::<Searched>; rows.len()];
            for _ in 0..self.wishes.repeats {
                let alone = self.alone(&root, depth)?;
                (time, nodes) = (time.min(alone.0), alone.1.max(1));
                for (row, least) in rows.iter().zip(&mut least) {
                    let own = self.together(row, &root, depth, alone.0)?;
                    if least.is_none_or(|least| own.seconds < least.seconds) {
                        *least = Some(own);
                    }
                }
            }
            for (row, own) in rows.iter_mut().zip(least.into_iter().flatten()) {
                let (speedup, nodes) = (time / own.seconds, own.nodes as f64 / nodes as f64);
                let Searched { load, given, stopped, .. } = own;
                row.runs.push(Run { speedup, nodes, load, given, stopped });
            }
            depths.push(depth);
            seconds += time;
            all += nodes;
        }
        if depths.len() < self.wishes.positions {
            bail!(
                "{} has too few positions that take {} s to search; use fewer `--seconds` or `--positions`",
                self.game.description().name,
                self.wishes.seconds
            );
        }
        rows.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
        let game = self.game.description().name.clone();
        let (seconds, nodes) = (seconds / depths.len() as f64, all / depths.len() as u64);
        Ok(Table { game, depths, seconds, nodes, rows })
    }

    /// The policies that suit the game, and the default one on one thread.
    fn rows(&self) -> Vec<Row> {
        let suits = |policy: PolicyKind| {
            Crew::new(self.game, self.evaluator, self.options.clone(), self.wishes.threads, policy).is_ok()
        };
        let puzzle = self.options.engine == Engine::IdaStar;
        let all = PolicyKind::ALL.map(|(_, policy, _)| policy);
        let wanted = if self.wishes.policies.is_empty() { &all[..] } else { &self.wishes.policies };
        let listed = wanted.iter().copied().filter(|&policy| {
            // The default policy is replaced by another one where it does not suit.
            suits(policy) && puzzle == matches!(policy, PolicyKind::Puzzle(_))
        });
        let mut rows: Vec<Row> = listed
            .map(|policy| Row { name: policy.to_string(), threads: self.wishes.threads, runs: Vec::new() })
            .collect();
        if let Some(first) = rows.first() {
            let name = if puzzle { first.name.clone() } else { PolicyKind::default().to_string() };
            rows.push(Row { name, threads: 1, runs: Vec::new() });
        }
        rows
    }

    /// A position that might come up; nothing if the game ends before.
    fn position(&self, seed: u64) -> anyhow::Result<Option<Root<G>>> {
        let mut random = Random::new(seed);
        let mut line = Line::new(self.game, self.game.initial());
        let mut moves = Vec::new();
        if self.game.description().players == 1 {
            // The harder positions of a puzzle are far from the solved one.
            for _ in 0..200 {
                self.game.moves(line.position(), &mut moves)?;
                if moves.is_empty() {
                    return Ok(None);
                }
                let mv = moves[random.below(moves.len())].clone();
                line.play(&mv);
            }
            return Ok(Some(Root::new(self.game, line.position().clone())));
        }
        let options = Options { engine: Engine::NegaScout, table: false, ..self.options.clone() };
        let mut search = Search::new(self.game, self.evaluator, options)?;
        for ply in 0..OPENING.1 {
            if line.legal_moves(&mut moves)?.is_some() || moves.is_empty() {
                return Ok(None);
            }
            let mv = if ply < OPENING.0 {
                moves[random.below(moves.len())].clone()
            } else {
                let result = search.run(&Root::of_line(&line), 2, &mut ())?;
                result.pv.into_iter().next().context("there is a move")?
            };
            line.play(&mv);
        }
        Ok(line.legal_moves(&mut moves)?.is_none().then(|| Root::of_line(&line)))
    }

    /// The first depth that takes long enough; nothing if the game is decided before.
    fn depth(&self, root: &Root<G>) -> anyhow::Result<Option<u32>> {
        self.table.clear();
        let (start, enough, wanted) = (Instant::now(), self.wishes.seconds, self.wishes.depth);
        let mut clock = Clock { start, enough, wanted, depth: None };
        self.search()?.run(root, u32::MAX, &mut clock)?;
        Ok(clock.depth)
    }

    fn search(&self) -> Result<Search<'_, G, RulesEvaluator>, SearchError> {
        let search = Search::new(self.game, self.evaluator, self.options.clone())?;
        Ok(search.with_table(self.table))
    }

    /// Seconds and nodes of the sequential search.
    fn alone(&self, root: &Root<G>, depth: u32) -> anyhow::Result<(f64, u64)> {
        self.table.clear();
        let start = Instant::now();
        // It looks at the clock as often as the others do.
        let mut patience = Patience { start, seconds: f64::INFINITY, over: false };
        let result = self.search()?.run(root, depth, &mut patience)?;
        Ok((start.elapsed().as_secs_f64(), result.statistics.nodes))
    }

    /// Searches with a policy.
    fn together(&self, row: &Row, root: &Root<G>, depth: u32, alone: f64) -> anyhow::Result<Searched> {
        self.table.clear();
        let policy = row.name.parse()?;
        let crew = Crew::new(self.game, self.evaluator, self.options.clone(), row.threads, policy)?;
        let mut crew = crew.with_table(self.table);
        let start = Instant::now();
        let mut patience = Patience { start, seconds: alone * PATIENCE, over: false };
        let (result, report) = crew.run(root, depth, &mut patience)?;
        let seconds = start.elapsed().as_secs_f64();
        let (nodes, load, stopped) = (result.statistics.nodes, report.load(), patience.over);
        Ok(Searched { seconds, nodes, load, given: report.counters().given, stopped })
    }
}

/// Stops after the first iteration that ends late enough.
struct Clock {
    start: Instant,
    enough: f64,
    wanted: Option<u32>,
    depth: Option<u32>,
}

impl<G: Game> Monitor<G> for Clock {
    fn poll(&mut self, _statistics: &Statistics) -> Control {
        // An iteration may take very much longer than the one before.
        let late = self.start.elapsed().as_secs_f64() > self.enough * 20.0;
        if late && self.wanted.is_none() { Control::Stop } else { Control::Continue }
    }

    fn iteration(&mut self, iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        if iteration.bounds.is_exact() && iteration.bounds.lower.plies().is_some() {
            return ControlFlow::Break(());
        }
        let enough = match self.wanted {
            Some(wanted) => iteration.depth >= wanted,
            None => self.start.elapsed().as_secs_f64() >= self.enough,
        };
        if !enough {
            return ControlFlow::Continue(());
        }
        self.depth = Some(iteration.depth);
        ControlFlow::Break(())
    }
}

/// Stops a search that takes too long.
struct Patience {
    start: Instant,
    seconds: f64,
    over: bool,
}

impl<G: Game> Monitor<G> for Patience {
    fn poll(&mut self, _statistics: &Statistics) -> Control {
        self.over |= self.start.elapsed().as_secs_f64() > self.seconds;
        if self.over { Control::Stop } else { Control::Continue }
    }
}

impl Row {
    /// The geometric mean of the speedups.
    fn mean(&self) -> f64 {
        geometric(self.runs.iter().map(|run| run.speedup))
    }

    fn stopped(&self) -> usize {
        self.runs.iter().filter(|run| run.stopped).count()
    }
}

fn geometric(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value: f64| (sum + value.ln(), count + 1));
    (sum / f64::from(count.max(1))).exp()
}

fn print(table: &Table) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let (least, most) = (table.depths.iter().min().unwrap_or(&0), table.depths.iter().max().unwrap_or(&0));
    writeln!(
        out,
        "{}: {} positions, depth {least} to {most}, {} nodes and {:.2} s each on one thread without a crew",
        table.game,
        table.depths.len(),
        table.nodes,
        table.seconds
    )?;
    writeln!(
        out,
        "  {:<24} {:>7} {:>7} {:>6} {:>6} {:>6} {:>6} {:>7}",
        "policy", "threads", "speedup", "least", "most", "nodes", "load", "given"
    )?;
    for row in &table.rows {
        let each = || row.runs.iter().map(|run| run.speedup);
        let (least, most) = (each().fold(f64::MAX, f64::min), each().fold(0.0, f64::max));
        let load = row.runs.iter().map(|run| run.load).sum::<f64>() / row.runs.len().max(1) as f64;
        let nodes = geometric(row.runs.iter().map(|run| run.nodes));
        let given = row.runs.iter().map(|run| run.given).sum::<u64>() / row.runs.len().max(1) as u64;
        let stopped = row.stopped();
        let (below, note) = match stopped {
            0 => (" ", String::new()),
            stopped => ("<", format!("  {stopped} not waited for")),
        };
        writeln!(
            out,
            "  {:<24} {:>7} {below}{:>6.2} {least:>6.2} {most:>6.2} {nodes:>6.2} {:>5.1}% {given:>7}{note}",
            row.name,
            row.threads,
            row.mean(),
            load * 100.0
        )?;
    }
    Ok(())
}

fn json(table: &Table) -> serde_json::Value {
    let rows = table.rows.iter().map(|row| {
        serde_json::json!({
            "policy": row.name,
            "threads": row.threads,
            "speedup": row.mean(),
            "speedups": row.runs.iter().map(|run| run.speedup).collect::<Vec<_>>(),
            "nodes": geometric(row.runs.iter().map(|run| run.nodes)),
            "load": row.runs.iter().map(|run| run.load).collect::<Vec<_>>(),
            "given": row.runs.iter().map(|run| run.given).collect::<Vec<_>>(),
            "not_waited_for": row.stopped(),
        })
    });
    serde_json::json!({
        "game": table.game,
        "depths": table.depths,
        "seconds": table.seconds,
        "sequential_nodes": table.nodes,
        "policies": rows.collect::<Vec<_>>(),
    })
}
