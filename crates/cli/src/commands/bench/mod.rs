//! `multigame bench`: how fast searches are, and whether they still search the same trees.

mod ablation;
mod cost;
mod generators;
mod loops;
mod passes;
mod yardstick;

use std::cell::RefCell;
use std::io::Write;
use std::time::Duration;

use clap::{Args, ValueEnum};
use multigame_game::{Game, Line};
use multigame_loader::{Backend, WithGame};
use multigame_player::{Configuration, Limits, Player, speed};
use multigame_search::{Engine, Options};

use crate::arguments::PositionArguments;
use crate::{interrupt, load, output};

/// Search fixed positions of several games and count nodes.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The kind of measurement
    #[arg(value_enum, default_value_t = What::Search)]
    what: What,
    /// Seconds for each game and engine, when generators are measured [default: 1]
    #[arg(long)]
    seconds: Option<f64>,
    /// Measure only this game, when generators, loops or passes are measured; may be given several times
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<String>,
    /// Also build programs with cargo and measure them, when generators are measured
    #[arg(long)]
    aot: bool,
    /// Search this many plies less, which is faster
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    shallower: u32,
    /// The back end that runs the rules, when searches are measured
    #[arg(long, value_parser = load::backend_parser(), default_value = "auto")]
    backend: Backend,
    /// Only run this loop, for valgrind
    #[arg(long, value_enum, hide = true, requires = "rounds")]
    one: Option<loops::Loop>,
    /// This many times
    #[arg(long, hide = true, requires = "one")]
    rounds: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The kind of measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Searches of fixed positions
    Search,
    /// Counting moves, with machine code and with the interpreter
    Generators,
    /// The search with one enhancement changed at a time
    Ablation,
    /// Counting moves with one pass of the compiler left out at a time
    Passes,
    /// Searching chess beside making all positions
    Cost,
    /// Instructions of the six hot loops, of chess if no game is named; needs valgrind
    Loops,
}

impl Arguments {
    /// Refuses options that mean nothing for what is measured.
    fn check(&self) -> anyhow::Result<()> {
        let generators = self.what == What::Generators;
        let searches = matches!(self.what, What::Search | What::Ablation | What::Cost);
        let options = [
            ("--seconds", self.seconds.is_some(), generators, "`bench generators`"),
            ("--aot", self.aot, generators, "`bench generators`"),
            (
                "--game",
                !self.games.is_empty(),
                !searches,
                "`bench generators`, `bench loops` and `bench passes`",
            ),
            ("--one", self.one.is_some(), self.what == What::Loops, "`bench loops`"),
            (
                "--shallower",
                self.shallower > 0,
                searches,
                "`bench search`, `bench ablation` and `bench cost`",
            ),
            (
                "--backend",
                self.backend != Backend::Auto,
                searches,
                "`bench search`, `bench ablation` and `bench cost`",
            ),
        ];
        for (option, given, useful, what) in options {
            anyhow::ensure!(!given || useful, "`{option}` is for {what}; leave it out");
        }
        Ok(())
    }
}

/// The searches: game, position, depth.
const POSITIONS: [(&str, Option<&str>, u32); 9] = [
    ("chess", Some("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"), 4),
    ("chess", None, 6),
    ("checkers", None, 12),
    ("connect-4", None, 13),
    ("othello", None, 9),
    ("breakthrough", None, 7),
    ("nine-mens-morris", None, 6),
    ("kalah", None, 9),
    ("hanoi", None, 40),
];

#[derive(Debug)]
struct Count {
    game: String,
    depth: u32,
    nodes: u64,
    time: Duration,
}

struct Bench<'a> {
    position: Option<&'a str>,
    depth: u32,
    counts: &'a RefCell<Vec<Count>>,
}

/// Prints nodes and nodes a second for each position, and the sum of all nodes as a signature.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    arguments.check()?;
    if arguments.what == What::Generators {
        let seconds = arguments.seconds.unwrap_or(1.0);
        return generators::run(&arguments.games, seconds, arguments.aot, arguments.json);
    }
    if let (Some(one), Some(rounds)) = (arguments.one, arguments.rounds) {
        let [game] = &arguments.games[..] else { anyhow::bail!("`--one` runs one `--game`; name it") };
        return loops::once(game, one, rounds).map(drop);
    }
    if arguments.what == What::Loops {
        return loops::run(&arguments.games, arguments.json);
    }
    if arguments.what == What::Passes {
        return passes::run(&arguments.games, arguments.json);
    }
    if arguments.what == What::Cost {
        return cost::run(arguments.shallower, arguments.backend, arguments.json);
    }
    if arguments.what == What::Ablation {
        return ablation::run(arguments.shallower, arguments.backend, arguments.json);
    }
    let counts = RefCell::new(Vec::new());
    for (game, position, depth) in POSITIONS {
        let game = load::GameArguments {
            game: game.to_string(),
            parameters: Vec::new(),
            backend: arguments.backend,
            weights_file: None,
        };
        // A puzzle has a solution of one length.
        let depth = if depth > 20 { depth } else { depth.saturating_sub(arguments.shallower).max(1) };
        load::with_game(&game, Bench { position, depth, counts: &counts })?;
        if !arguments.json
            && let Some(count) = counts.borrow().last()
        {
            writeln!(
                std::io::stdout(),
                "{:<18} depth {:>2}  nodes {:>10}  time {:>6.2}  {:>9}",
                count.game,
                count.depth,
                count.nodes,
                count.time.as_secs_f64(),
                speed(count.nodes, count.time)
            )?;
        }
    }
    let counts = counts.into_inner();
    let nodes: u64 = counts.iter().map(|count| count.nodes).sum();
    let time: Duration = counts.iter().map(|count| count.time).sum();
    if arguments.json {
        let games = counts.iter().map(|count| {
            let (seconds, nodes) = (count.time.as_secs_f64(), count.nodes);
            serde_json::json!({
                "game": count.game, "depth": count.depth, "nodes": nodes, "seconds": seconds,
                "nodes_per_second": nodes as f64 / seconds,
            })
        });
        return output::json(&serde_json::json!({
            "games": games.collect::<Vec<_>>(), "signature": nodes, "seconds": time.as_secs_f64(),
        }));
    }
    writeln!(std::io::stdout(), "total time {:.2}  {}", time.as_secs_f64(), speed(nodes, time))?;
    writeln!(std::io::stdout(), "signature {nodes}")?;
    Ok(())
}

impl WithGame for Bench<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let position = PositionArguments { position: self.position.map(str::to_string) };
        let line = Line::new(&game, position.position(&game)?);
        let engine = if game.description().players == 1 { Engine::IdaStar } else { Engine::NegaScout };
        let limits = Limits { depth: Some(self.depth), ..Limits::default() };
        let options = Options { table_mib: 32, ..Options::default() };
        let configuration = Configuration::from(options).with_engine(engine);
        let thought =
            Player::new(&game, configuration, limits, interrupt::flag())?.search(&line, &mut |_| {})?;
        self.counts.borrow_mut().push(Count {
            game: game.description().name.clone(),
            depth: self.depth,
            nodes: thought.statistics.nodes,
            time: thought.time,
        });
        Ok(())
    }
}
