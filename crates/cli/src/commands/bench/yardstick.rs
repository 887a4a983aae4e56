//! Machine code beside games written by hand: the first part of `multigame bench generators`.
//!
//! Everybody counts the same trees, one after the other in short turns; the processor's time counts, and of
//! each only the fastest turn: that is robust against whatever else the machine does. Hand-written games run
//! as they are compiled into this program, or, when programs are built for this machine, as such a program
//! too.

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail};
use multigame_aot::{Builder, Request};
use multigame_game::{Game, Line, Random, parse_position, perft, playout};
use multigame_jit::JitGame;
use multigame_loader::{compile, source};
use multigame_reference::{Breakthrough, Checkers, Chess, ConnectFour, Fifteen, Othello};
use serde_json::{Value, json};

use crate::stopwatch::Stopwatch;

/// A game, what is counted of it (position, depth), and how many random games are played.
type Entry = (&'static str, &'static [(Option<&'static str>, u32)], u32);

const ENTRIES: [Entry; 6] = [
    ("connect-4", &[(None, 8)], 2000),
    ("othello", &[(None, 9)], 500),
    ("checkers", &[(None, 9)], 500),
    ("breakthrough", &[(None, 5)], 500),
    ("15-puzzle", &[(None, 17)], 1000),
    (
        "chess",
        &[
            (None, 5),
            (Some("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"), 4),
            (Some("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"), 4),
            (Some("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"), 4),
            (Some("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"), 4),
        ],
        100,
    ),
];

/// Moves after which a random game is given up.
const MAX_PLIES: u32 = 300;

/// Fewest and most turns of everybody.
const TURNS: (u32, u32) = (3, 15);

/// The work done, and its seconds.
type Timed = (u64, f64);

/// Somebody who can be timed.
trait Contestant {
    /// Counts leaves.
    fn count(&self, position: Option<&str>, depth: u32) -> anyhow::Result<Timed>;

    /// Plays random games: the number of moves.
    fn play(&self, games: u32) -> anyhow::Result<Timed>;
}

/// A game in this program.
struct Here<G>(G);

impl<G: Game> Contestant for Here<G> {
    fn count(&self, position: Option<&str>, depth: u32) -> anyhow::Result<Timed> {
        let game = &self.0;
        let position = match position {
            Some(text) => game.position(&parse_position(game.description(), text)?),
            None => game.initial(),
        };
        let watch = Stopwatch::start();
        let leaves = perft(game, &position, depth)?;
        Ok((leaves, watch.processor_seconds()))
    }

    fn play(&self, games: u32) -> anyhow::Result<Timed> {
        let mut random = Random::new(1);
        let watch = Stopwatch::start();
        let mut plies = 0;
        let mut line = Line::new(&self.0, self.0.initial());
        for _ in 0..games {
            line.restart();
            plies += u64::from(playout(&mut line, MAX_PLIES, &mut random)?.plies);
        }
        Ok((plies, watch.processor_seconds()))
    }
}

/// A game in a program of its own.
struct There {
    program: PathBuf,
    /// The first words to it.
    first: Option<&'static str>,
}

impl There {
    fn ask(&self, arguments: &[&str]) -> anyhow::Result<Value> {
        let output = Command::new(&self.program).args(self.first).args(arguments).arg("--json").output();
        let output = output.with_context(|| format!("cannot run `{}`", self.program.display()))?;
        if !output.status.success() {
            bail!("`{}` failed: {}", self.program.display(), String::from_utf8_lossy(&output.stderr));
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

impl Contestant for There {
    fn count(&self, position: Option<&str>, depth: u32) -> anyhow::Result<Timed> {
        let depth = depth.to_string();
        let mut arguments = vec!["perft", depth.as_str()];
        arguments.extend(position.iter().flat_map(|position| ["--position", position]));
        let answer = self.ask(&arguments)?;
        let last =
            answer["perft"].as_array().and_then(|counts| counts.last()).context("no count was printed")?;
        Ok((last["count"].as_u64().unwrap_or(0), last["processor_seconds"].as_f64().unwrap_or(0.0)))
    }

    fn play(&self, games: u32) -> anyhow::Result<Timed> {
        let (games, plies) = (games.to_string(), MAX_PLIES.to_string());
        let answer = self.ask(&["playout", "--games", &games, "--max-plies", &plies])?;
        let moves = answer["moves"].as_u64().unwrap_or(0);
        Ok((moves, answer["processor_seconds"].as_f64().unwrap_or(0.0)))
    }
}

/// The speed of one contestant.
#[derive(Clone, Debug, Default)]
struct Speed {
    /// The fastest turn for each count, and the fastest for random games; in the beginning none.
    counts: Vec<Timed>,
    games: Option<Timed>,
}

impl Speed {
    /// Leaves a second over all counts.
    fn leaves(&self) -> f64 {
        let leaves: u64 = self.counts.iter().map(|count| count.0).sum();
        leaves as f64 / self.counts.iter().map(|count| count.1).sum::<f64>()
    }

    /// Moves of random games a second.
    fn moves(&self) -> f64 {
        self.games.map_or(0.0, |(plies, seconds)| plies as f64 / seconds)
    }
}

/// Measures the six games and prints a line for each; what was measured as JSON.
pub fn run(games: &[String], seconds: f64, aot: bool, json: bool) -> anyhow::Result<Value> {
    let mut out = std::io::stdout().lock();
    if !json {
        writeln!(
            out,
            "leaves of perft and moves of random games, million a second; `x` is time / hand-written"
        )?;
    }
    let mut rows = Vec::new();
    for entry in ENTRIES.iter().filter(|entry| games.is_empty() || games.iter().any(|game| game == entry.0)) {
        let contestants = contestants(entry.0, aot)?;
        let speeds = compare(entry, &contestants, seconds)?;
        let names: Vec<&str> = contestants.iter().map(|(name, _)| *name).collect();
        // The last hand-written one is compiled for this machine where there are two.
        let hand = names.iter().rposition(|name| name.starts_with("hand")).unwrap_or(0);
        if !json {
            writeln!(out, "{:14}{}", entry.0, text(&names, &speeds, hand))?;
            out.flush()?;
        }
        let row = names.iter().zip(&speeds).map(|(name, speed)| {
            let counts: Vec<Value> = speed
                .counts
                .iter()
                .map(|(leaves, seconds)| json!({"leaves": leaves, "seconds": seconds}))
                .collect();
            (
                name.to_string(),
                json!({
                    "leaves_per_second": speed.leaves(), "moves_per_second": speed.moves(), "counts": counts,
                    "perft_time_ratio": speeds[hand].leaves() / speed.leaves(),
                    "playout_time_ratio": speeds[hand].moves() / speed.moves(),
                }),
            )
        });
        rows.push(json!({"game": entry.0, "engines": row.collect::<serde_json::Map<_, _>>()}));
    }
    if !json {
        writeln!(out)?;
    }
    Ok(rows.into())
}

fn text(names: &[&str], speeds: &[Speed], hand: usize) -> String {
    let cell = |(number, (name, speed)): (usize, (&&str, &Speed))| {
        let (leaves, moves) = (speed.leaves(), speed.moves());
        let ratio = |a: f64, b: f64| if number == hand { String::new() } else { format!(" x{:.2}", a / b) };
        let perft = ratio(speeds[hand].leaves(), leaves);
        let play = ratio(speeds[hand].moves(), moves);
        format!("  {name} {:.1}{perft} / {:.2}{play}", leaves / 1e6, moves / 1e6)
    };
    names.iter().zip(speeds).enumerate().map(cell).collect()
}

/// Lets everybody have turns until the time is over.
fn compare(
    (name, counts, games): &Entry,
    contestants: &[(&'static str, Box<dyn Contestant>)],
    seconds: f64,
) -> anyhow::Result<Vec<Speed>> {
    let mut speeds = vec![Speed::default(); contestants.len()];
    let start = Instant::now();
    for turn in 0..TURNS.1 {
        if turn >= TURNS.0 && start.elapsed().as_secs_f64() > seconds * contestants.len() as f64 {
            break;
        }
        for ((_, contestant), speed) in contestants.iter().zip(&mut speeds) {
            for (number, (position, depth)) in counts.iter().enumerate() {
                let timed = contestant.count(*position, *depth)?;
                match speed.counts.get_mut(number) {
                    Some(best) if best.1 > timed.1 => *best = timed,
                    Some(_) => {}
                    None => speed.counts.push(timed),
                }
            }
            let timed = contestant.play(*games)?;
            let rate = |(plies, seconds): Timed| plies as f64 / seconds;
            if speed.games.is_none_or(|best| rate(best) < rate(timed)) {
                speed.games = Some(timed);
            }
        }
    }
    let leaves = |speed: &Speed| speed.counts.iter().map(|count| count.0).collect::<Vec<_>>();
    if speeds.iter().any(|speed| leaves(speed) != leaves(&speeds[0])) {
        bail!("the engines do not agree on the number of leaves of `{name}`");
    }
    Ok(speeds)
}

/// Everybody who plays a game: by hand, machine code, and programs if they are to be built.
fn contestants(name: &'static str, aot: bool) -> anyhow::Result<Vec<(&'static str, Box<dyn Contestant>)>> {
    let source = source(name)?;
    let program = compile(&source, &[]).program.context("bundled rules have no errors")?;
    let mut list: Vec<(&'static str, Box<dyn Contestant>)> = vec![("hand", by_hand(name)?)];
    match JitGame::new(program.clone()) {
        Ok(game) => list.push(("jit", Box::new(Here(game)))),
        Err(reason) => bail!("`{name}` has no machine code: {reason}"),
    }
    if !aot {
        return Ok(list);
    }
    let builder = Builder::for_user();
    let mut begin = || {
        let _ = writeln!(std::io::stderr(), "building {name} with cargo");
    };
    let module = multigame_mir::lower(&program).map_err(|reason| anyhow::anyhow!("{reason}"))?;
    let request = Request {
        name,
        file: &source.file,
        text: &source.text,
        program: &program,
        module: &module,
        portable: false,
    };
    let built = builder.build(&request, &mut begin)?;
    let reference = builder.build_reference(&mut begin)?;
    list.push(("aot", Box::new(There { program: built, first: None })));
    list.push(("hand for this machine", Box::new(There { program: reference, first: Some(name) })));
    Ok(list)
}

fn by_hand(name: &str) -> anyhow::Result<Box<dyn Contestant>> {
    Ok(match name {
        "15-puzzle" => Box::new(Here(Fifteen::new())),
        "breakthrough" => Box::new(Here(Breakthrough::new())),
        "checkers" => Box::new(Here(Checkers::new())),
        "chess" => Box::new(Here(Chess::new())),
        "connect-4" => Box::new(Here(ConnectFour::new())),
        "othello" => Box::new(Here(Othello::new())),
        _ => bail!("nobody has written `{name}` by hand"),
    })
}
