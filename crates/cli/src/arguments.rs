//! Arguments that several commands have: positions, searches, limits.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use multigame_game::{Game, Portable, parse_position};
use multigame_parallel::{Memory, PolicyKind};
use multigame_player::ranks;
use multigame_player::{
    Configuration, Limits, MOST_THREADS, Player, PlayerSpec, asks_endgames, parse_memory, parse_time,
};
use multigame_search::Engine;
use serde::{Deserialize, Serialize};

use crate::{databases, interrupt};

/// Where to start.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
pub struct PositionArguments {
    /// A position as text; the initial position if not given
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
}

impl PositionArguments {
    /// The position asked for.
    pub fn position<G: Game>(&self, game: &G) -> anyhow::Result<G::Position> {
        self.position.as_ref().map_or_else(|| Ok(game.initial()), |text| position(game, text))
    }
}

/// The position that a text describes.
pub fn position<G: Game>(game: &G, text: &str) -> anyhow::Result<G::Position> {
    let diagram = parse_position(game.description(), text).context("the position is wrong")?;
    Ok(game.position(&diagram))
}

/// Which search.
#[derive(Debug, Args)]
pub struct SearchArguments {
    /// The way to search; what suits the game if not given
    #[arg(long, value_parser = engine_parser())]
    pub engine: Option<EngineChoice>,
    /// Switch enhancements, such as `tt=off,lmr=on`; `multigame options` lists them
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
    /// Where the table of several processes is: `private`, `replicated`, `partitioned` or `hybrid`, with
    /// settings such as `hybrid:depth=3:company=16`; docs/cluster.md lists them
    #[arg(long, value_name = "KIND", value_parser = parse_memory)]
    pub memory: Option<Memory>,
    /// Do not count moves in the evaluation: faster, and blinder
    #[arg(long)]
    pub no_mobility: bool,
    /// Pattern databases of a puzzle, made by `multigame tables`
    #[arg(long, value_name = "FILE")]
    pub tables: Option<PathBuf>,
    /// Endgame databases: a folder of `multigame endgame make`, or a file of `multigame solve --strong`;
    /// `GAME.endgames` beside the rules or here if not given, `none` for none
    #[arg(long, value_name = "PATH")]
    pub endgames: Option<PathBuf>,
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

/// An engine, or none if the game decides. Under this name, because clap's derive gives `Option<Option<_>>`
/// another meaning.
pub type EngineChoice = Option<Engine>;

/// Reads the name of an engine, or `automatic` for the one that suits the game.
pub fn engine_parser() -> impl TypedValueParser<Value = EngineChoice> {
    let names = std::iter::once("automatic").chain(Engine::ALL.map(|(name, _)| name));
    PossibleValuesParser::new(names).map(|name| {
        let engine = Engine::ALL.iter().find(|(known, _)| *known == name);
        engine.map(|&(_, engine)| engine)
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
    /// How they want to search.
    fn configuration(&self) -> anyhow::Result<Configuration> {
        let mut configuration = Configuration::playing().with(&self.options)?;
        let engine = |engine: EngineChoice| engine.map_or("automatic".to_string(), |it| it.to_string());
        let given = [
            ("engine", self.engine.map(engine)),
            ("tt-size", self.table.map(|table| table.to_string())),
            ("threads", self.threads.map(|threads| threads.to_string())),
            ("policy", self.policy.map(|policy| policy.to_string())),
            ("memory", self.memory.map(|memory| memory.to_string())),
        ];
        for (name, value) in given {
            value.map_or(Ok(()), |value| configuration.set_one(name, &value))?;
        }
        note_threads(configuration.threads);
        Ok(configuration)
    }

    /// The player that they ask for.
    pub fn spec(&self, limits: Limits) -> anyhow::Result<PlayerSpec> {
        let mut spec = PlayerSpec { limits, ..PlayerSpec::of(self.configuration()?) };
        spec.evaluator.evaluation = self.evaluation.clone();
        spec.evaluator.without_mobility = self.no_mobility;
        spec.tables = self.tables.clone();
        spec.endgames = databases::named(self.endgames.as_ref());
        if let Some(file) = &self.patterns {
            spec.set_patterns(file)?;
        }
        if let Some(file) = &self.network {
            spec.set_network(file)?;
        }
        Ok(spec)
    }

    /// That player, whom Ctrl-C stops; all ranks of the job search for it.
    pub fn player<'l, G: Portable>(&self, game: &'l G, limits: Limits) -> anyhow::Result<Player<'l, G>> {
        let mut spec = self.spec(limits)?;
        let alone = ranks::installed().is_none_or(|ranks| ranks.size() == 1);
        if alone && let Some(folder) = databases::found(self.endgames.as_ref(), game.description()) {
            let engine = spec.player(game, None, interrupt::flag())?.options().engine;
            if asks_endgames(engine) {
                databases::tell(&folder);
                spec.endgames = Some(folder);
            }
        }
        let Some(ranks) = ranks::installed() else { return spec.player(game, None, interrupt::flag()) };
        let others = ranks.others(game, spec.evaluator_for_ranks()?);
        let player = spec.player(game, Some(others), interrupt::flag())?;
        if !player.uses_others() && ranks.size() > 1 {
            let options = player.options();
            eprintln!(
                "note: `engine={}` with `policy={}` searches on one rank; {} wait",
                options.engine,
                player.configuration().policy,
                ranks.size() - 1
            );
        }
        Ok(player)
    }
}

impl LimitArguments {
    /// As limits.
    pub fn limits(&self) -> Limits {
        Limits { depth: self.depth, nodes: self.nodes, time: self.time, clock: None }
    }
}
