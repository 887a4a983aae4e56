//! `multigame bench ablation`: what each enhancement of the search is worth, game by game.
//!
//! Each row is a search to the same depth with one switch changed; nodes and time are compared with the
//! search as it usually is. The last two figures of a game say how good the order of moves is: how often a
//! cutoff comes from the first move, and how many nodes the last iteration visits compared with a search that
//! knows the value and the best moves beforehand. For the latter the table remembers moves but finishes no
//! node, so that both are trees.

use std::cell::RefCell;
use std::io::Write;
use std::ops::ControlFlow;

use multigame_game::{Game, parse_position};
use multigame_loader::{Backend, WithGame};
use multigame_search::{
    Control, Iteration, Monitor, Options, Root, RulesEvaluator, Search, SearchError, SearchResult,
    Statistics, TranspositionTable, Value, Window,
};

use crate::stopwatch::Stopwatch;
use crate::{load, output};

/// The changes, one at a time.
const CHANGES: [&str; 16] = [
    "tt=off",
    "tt-layout=two-way",
    "table-move=off",
    "history=off",
    "history-form=fields",
    "history-malus=on",
    "killers=off",
    "refutation=off",
    "aspiration=off",
    "deepening=2",
    "evaluation-cache=0",
    "etc=on",
    "iid=on",
    "lmr=on",
    "engine=alphabeta",
    "engine=mtdf",
];

/// The searches: game, position, depth.
const POSITIONS: [(&str, Option<&str>, u32); 7] = [
    ("chess", None, 8),
    ("chess", Some("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"), 5),
    ("checkers", None, 13),
    ("connect-4", None, 13),
    ("othello", None, 10),
    ("breakthrough", None, 7),
    ("nine-mens-morris", None, 5),
];

/// One game with all its figures.
struct Row {
    game: &'static str,
    depth: u32,
    nodes: u64,
    seconds: f64,
    /// Nodes and time of each change as parts of the usual search.
    changes: Vec<(f64, f64)>,
    first_move: Option<f64>,
    /// Tree to the horizon, and below it, compared with the least possible.
    minimal: [Option<f64>; 2],
}

struct Ablation<'a> {
    game: &'static str,
    position: Option<&'static str>,
    depth: u32,
    row: &'a RefCell<Option<Row>>,
}

/// Prints a table in Markdown, one column for each game.
pub fn run(shallower: u32, backend: Backend, json: bool) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    for (game, position, depth) in POSITIONS {
        let arguments = load::GameArguments {
            game: game.to_string(),
            parameters: Vec::new(),
            backend,
            weights_file: None,
        };
        let row = RefCell::new(None);
        let depth = depth.saturating_sub(shallower).max(1);
        load::with_game(&arguments, Ablation { game, position, depth, row: &row })?;
        rows.extend(row.into_inner());
    }
    if json {
        let games = rows.iter().map(|row| {
            let changes = CHANGES.iter().zip(&row.changes);
            let changes = changes.map(|(name, (nodes, time))| {
                (name.to_string(), serde_json::json!({ "nodes": nodes, "time": time }))
            });
            serde_json::json!({
                "game": row.game, "depth": row.depth, "nodes": row.nodes, "seconds": row.seconds,
                "changes": changes.collect::<serde_json::Map<_, _>>(),
                "first_move_rate": row.first_move, "minimal_tree": row.minimal,
            })
        });
        return output::json(&serde_json::json!(games.collect::<Vec<_>>()));
    }
    let mut out = std::io::stdout().lock();
    let mut line = |name: &str, cell: &dyn Fn(&Row) -> String| {
        let cells: Vec<String> = rows.iter().map(cell).collect();
        writeln!(out, "| {name} | {} |", cells.join(" | "))
    };
    line("", &|row| format!("{} {}", row.game, row.depth))?;
    line("---", &|_| "---".to_string())?;
    line("nodes", &|row| row.nodes.to_string())?;
    line("seconds", &|row| format!("{:.2}", row.seconds))?;
    for (number, change) in CHANGES.iter().enumerate() {
        line(&format!("`{change}`"), &|row| {
            let (nodes, time) = row.changes[number];
            format!("{nodes:.2} / {time:.2}")
        })?;
    }
    line("first move cuts off", &|row| {
        row.first_move.map_or("-".into(), |rate| format!("{:.1} %", rate * 100.0))
    })?;
    let part = |part: Option<f64>| part.map_or("-".to_string(), |part| format!("{part:.2}"));
    line("minimal tree", &|row| part(row.minimal[0]))?;
    line("below the horizon", &|row| part(row.minimal[1]))?;
    Ok(())
}

impl WithGame for Ablation<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let position = match self.position {
            Some(text) => game.position(&parse_position(game.description(), text)?),
            None => game.initial(),
        };
        let bench = Bench {
            evaluator: RulesEvaluator::new(&game, None).map_err(anyhow::Error::msg)?,
            root: Root::new(&game, position),
            game: &game,
            depth: self.depth,
        };
        let usual = Options { table_mib: 32, ..Options::default() };
        let (base, seconds) = bench.fresh(usual.clone())?;
        let mut changes = Vec::new();
        for change in CHANGES {
            let (result, time) = bench.fresh(usual.with_change(change)?)?;
            let part = result.statistics.nodes as f64 / base.statistics.nodes as f64;
            changes.push((part, time / seconds));
        }
        *self.row.borrow_mut() = Some(Row {
            game: self.game,
            depth: self.depth,
            nodes: base.statistics.nodes,
            seconds,
            changes,
            first_move: base.statistics.first_move_rate(),
            minimal: bench.minimal(usual.with_change("tt-cutoffs=off")?)?,
        });
        Ok(())
    }
}

trait WithChange: Sized {
    fn with_change(&self, change: &str) -> anyhow::Result<Self>;
}

impl WithChange for Options {
    /// Without a table nothing that lives in it is left.
    fn with_change(&self, change: &str) -> anyhow::Result<Options> {
        let text = if change == "tt=off" { "tt=off,table-move=off" } else { change };
        Ok(self.clone().with(text)?)
    }
}

struct Bench<'g, G: Game> {
    game: &'g G,
    evaluator: RulesEvaluator,
    root: Root<G>,
    depth: u32,
}

impl<G: Game> Bench<'_, G> {
    /// A search that knows nothing from others, and its seconds.
    fn fresh(&self, options: Options) -> anyhow::Result<(SearchResult<G::Move>, f64)> {
        let table = TranspositionTable::new(options.table_mib, options.table_layout)?;
        let clock = Stopwatch::start();
        let result = self.search(options, &table, &mut ())?;
        Ok((result, clock.processor_seconds()))
    }

    fn search(
        &self,
        options: Options,
        table: &TranspositionTable,
        monitor: &mut impl Monitor<G>,
    ) -> anyhow::Result<SearchResult<G::Move>> {
        let result = Search::new(self.game, &self.evaluator, options)?
            .with_table(table)
            .run(&self.root, self.depth, monitor);
        result.map_err(|error| match error {
            SearchError::Rules(error) => (*error).into(),
            error => error.into(),
        })
    }

    /// The last iteration compared with a search that knows the value and the best moves.
    fn minimal(&self, options: Options) -> anyhow::Result<[Option<f64>; 2]> {
        let table = TranspositionTable::new(options.table_mib, options.table_layout)?;
        let mut iterations = Iterations::default();
        let result = self.search(options.clone(), &table, &mut iterations)?;
        let value = result.value;
        let known = options.with("deepening=0,poll=1")?;
        let least = self.search(known, &table, &mut Around(value))?.statistics;
        let last = iterations.last();
        let part = |all: u64, least: u64| (least > 0).then(|| all as f64 / least as f64);
        let brute = |statistics: &Statistics| statistics.nodes - statistics.quiescence_nodes;
        Ok([part(brute(&last), brute(&least)), part(last.quiescence_nodes, least.quiescence_nodes)])
    }
}

/// Remembers what had been counted after each iteration.
#[derive(Default)]
struct Iterations(Vec<Statistics>);

impl Iterations {
    /// The counters of the last iteration.
    fn last(&self) -> Statistics {
        let count = self.0.len();
        let end = self.0.last().copied().unwrap_or_default();
        let before = if count > 1 { self.0[count - 2] } else { Statistics::default() };
        Statistics {
            nodes: end.nodes - before.nodes,
            quiescence_nodes: end.quiescence_nodes - before.quiescence_nodes,
            ..Statistics::default()
        }
    }
}

impl<G: Game> Monitor<G> for Iterations {
    fn iteration(&mut self, iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        self.0.push(*iteration.statistics);
        ControlFlow::Continue(())
    }
}

/// Knows the value.
struct Around(Value);

impl<G: Game> Monitor<G> for Around {
    fn poll(&mut self, _: &Statistics) -> Control {
        Control::Narrow(Window { alpha: self.0 - 1, beta: self.0 + 1 })
    }
}
