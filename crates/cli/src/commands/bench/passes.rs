//! `multigame bench passes`: what each pass of the compiler brings, game by game.
//!
//! Every game is compiled with all passes and with each of them left out; all count the same leaves in turns,
//! by the processor's clock, and of each the fastest turn counts.

use std::io::Write;

use multigame_game::{Game, RulesError, perft};
use multigame_jit::{JitCode, JitError, JitGame};
use multigame_loader::{bundled, compile, source};
use multigame_mir::{Options, Pass};
use serde_json::json;

use crate::stopwatch::Stopwatch;
use crate::{load, output};

/// Seconds that a count takes at least, so that the clock can tell.
const LEAST: f64 = 0.02;

/// Turns of everybody.
const TURNS: u32 = 9;

/// Measures each bundled game, or only those named.
pub fn run(only: &[String], json: bool) -> anyhow::Result<()> {
    if let Some(name) = only.iter().find(|name| !bundled::names().contains(name)) {
        anyhow::bail!("there is no bundled game `{name}`; `multigame games` lists them");
    }
    let mut out = std::io::stdout().lock();
    if !json {
        writeln!(out, "time without a pass / time with all of them\n")?;
        let names = Pass::ALL.map(|pass| format!("{:>10}", pass.name()));
        writeln!(out, "{:24}{}", "game", names.concat())?;
    }
    let mut rows = Vec::new();
    for name in bundled::names().iter().filter(|name| only.is_empty() || only.contains(name)) {
        let Some(ratios) = measure(name)? else { continue };
        if !json {
            let cells: String = ratios.iter().map(|ratio| format!("{ratio:>10.2}")).collect();
            writeln!(out, "{name:24}{cells}")?;
            out.flush()?;
        }
        let passes = Pass::ALL.iter().zip(&ratios);
        let passes: serde_json::Map<_, _> =
            passes.map(|(pass, ratio)| (pass.name().to_string(), json!(ratio))).collect();
        rows.push(json!({"game": name, "time_without": passes}));
    }
    if json { output::json(&json!(rows)) } else { Ok(()) }
}

/// For each pass how many times as long it takes without it; nothing for a game that is not compiled.
fn measure(name: &str) -> anyhow::Result<Option<Vec<f64>>> {
    let source = source(name)?;
    let Some(program) = compile(&source, &[]).program else {
        anyhow::bail!("the rules of `{name}` have errors; `multigame check {name}` shows them");
    };
    let options = Pass::ALL.map(Options::without);
    let games: Result<Vec<JitGame>, JitError> = std::iter::once(&Options::default())
        .chain(&options)
        .map(|options| {
            let code = JitCode::with_options(&program, options)?;
            Ok(JitGame::with_code(program.clone(), code))
        })
        .collect();
    let Ok(games) = games else { return Ok(None) };
    let shown = |error: RulesError| load::shown(&source, error.into());
    let mut depth = 1;
    while depth < 40 {
        let (leaves, seconds) = timed(&games[0], depth).map_err(shown)?;
        if leaves == 0 || seconds > LEAST {
            break;
        }
        depth += 1;
    }
    let mut best = vec![f64::MAX; games.len()];
    for _ in 0..TURNS {
        for (game, best) in games.iter().zip(&mut best) {
            *best = best.min(timed(game, depth).map_err(shown)?.1);
        }
    }
    Ok(Some(best[1..].iter().map(|seconds| seconds / best[0]).collect()))
}

fn timed(game: &JitGame, depth: u32) -> Result<(u64, f64), RulesError> {
    let watch = Stopwatch::start();
    let leaves = perft(game, &game.initial(), depth)?;
    Ok((leaves, watch.processor_seconds()))
}
