//! Switches of the command line that all commands with a search have.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use multigame_game::Game;
use multigame_parallel::PolicyKind;
use multigame_search::{Engine, Judge, Options};

use multigame_threads::MOST_THREADS;

use crate::{Limits, Player, interrupt, load_tables, parse_time, read_network, read_patterns};

/// Which search.
#[derive(Debug, Args)]
pub struct SearchArguments {
    /// The way to search; what suits the game if not given
    #[arg(long, value_parser = engine_parser())]
    pub engine: Option<Engine>,
    /// Switch enhancements, such as `tt=off,lmr=on`; docs/search.md lists them
    #[arg(long, value_name = "NAME=VALUE,...", default_value = "")]
    pub options: String,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    pub table: Option<u32>,
    /// Threads to search on
    #[arg(long, value_name = "N", value_parser = threads_parser())]
    pub threads: Option<u32>,
    /// How threads divide the work, such as `ybwc`, `jamboree` or `lazy-smp`; docs/parallel.md lists them
    #[arg(long, value_name = "NAME", value_parser = policy_parser)]
    pub policy: Option<PolicyKind>,
    /// Do not count moves in the evaluation: faster, and blinder
    #[arg(long)]
    pub no_mobility: bool,
    /// Pattern databases of a puzzle, made by `multigame tables`
    #[arg(long, value_name = "FILE")]
    pub tables: Option<PathBuf>,
    /// What positions are judged by: an evaluation of the rules, or `measured`, `material`, `random`
    #[arg(long, value_name = "NAME")]
    pub evaluation: Option<String>,
    /// Add learned patterns to what positions are judged by: a file of `multigame learn --patterns`
    #[arg(long, value_name = "FILE", conflicts_with = "network")]
    pub patterns: Option<PathBuf>,
    /// Add what a learned network says to what positions are judged by: a file of `multigame learn --network`
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
}

/// When to stop; the first limit reached counts.
#[derive(Debug, Args)]
pub struct LimitArguments {
    /// Plies to search; for puzzles the longest solution
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Time for a move: seconds, or `500ms`, or `1m`
    #[arg(long, value_parser = parse_time)]
    pub time: Option<Duration>,
    /// Nodes to search
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
}

/// Reads the name of an engine.
pub fn engine_parser() -> impl TypedValueParser<Value = Engine> {
    let names = Engine::ALL.map(|(name, _)| name);
    PossibleValuesParser::new(names).map(|name| {
        let engine = Engine::ALL.iter().find(|(known, _)| *known == name);
        engine.expect("only known names pass").1
    })
}

/// Reads the name of a policy.
pub fn policy_parser(text: &str) -> Result<PolicyKind, String> {
    text.parse().map_err(|error: multigame_parallel::PolicyError| error.to_string())
}

/// Reads a number of threads.
pub fn threads_parser() -> impl TypedValueParser<Value = u32> {
    clap::value_parser!(u32).range(1..=i64::from(MOST_THREADS))
}

/// Tells on standard error that there are more threads than cores.
pub fn note_threads(threads: u32) {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    if threads as usize > cores {
        eprintln!("note: {threads} threads share {cores} cores; they will wait for each other");
    }
}

impl SearchArguments {
    /// The options they ask for, and the engine if one was chosen.
    pub fn options(&self) -> anyhow::Result<(Option<Engine>, Options)> {
        let mut options = Options::playing().with(&self.options)?;
        let named = self.options.split(',').any(|part| part.trim().starts_with("engine"));
        if let Some(table) = self.table {
            options.table_mib = table as usize;
        }
        if let Some(threads) = self.threads {
            options.threads = threads;
        }
        if let Some(policy) = self.policy {
            options.policy = policy.to_string();
        }
        note_threads(options.threads);
        Ok((self.engine.or(named.then_some(options.engine)), options))
    }

    /// A player as they ask for, whom Ctrl-C stops.
    pub fn player<'l, G: Game>(&self, game: &'l G, limits: Limits) -> anyhow::Result<Player<'l, G>> {
        let (engine, options) = self.options()?;
        let mut player = Player::new(game, engine, options, limits, interrupt::flag())?;
        if let Some(tables) = &self.tables {
            player = player.with_bound(load_tables(tables, game)?);
        }
        if let Some(name) = &self.evaluation {
            player = player.with_judge(Judge::new(game, Some(name)).map_err(anyhow::Error::msg)?);
        }
        if let Some(path) = &self.patterns {
            let patterns = read_patterns(path, game.description())?;
            let judge = player.judge().clone().with_learned(patterns);
            player = player.with_judge(judge);
        }
        if let Some(path) = &self.network {
            let network = read_network(path, game.description())?;
            let judge = player.judge().clone().with_learned(network);
            player = player.with_judge(judge);
        }
        Ok(if self.no_mobility { player.without_mobility() } else { player })
    }
}

impl LimitArguments {
    /// As limits.
    pub fn limits(&self) -> Limits {
        Limits { depth: self.depth, nodes: self.nodes, time: self.time, clock: None }
    }
}
