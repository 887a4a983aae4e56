//! `multigame bench generators`: how fast rules become moves.
//!
//! First machine code beside games written by hand (see `yardstick`), then machine code beside the
//! interpreter for every bundled game. All contestants count the same trees in the same run, so that the
//! ratio means something on a machine that does other things too.

use std::io::Write;
use std::time::{Duration, Instant};

use multigame_game::{Game, perft};
use multigame_ir::RulesGame;
use multigame_jit::JitGame;
use multigame_loader::{bundled, compile, source};
use multigame_mir::Layout;

use super::yardstick;
use crate::{load, output};

/// The measurements of one game.
struct Row {
    name: String,
    /// Milliseconds from text to callable code.
    compile: f64,
    /// Bytes of a position.
    bytes: usize,
    /// Leaves a second of machine code and of the interpreter, or why there is no machine code.
    speed: Result<(f64, f64), String>,
}

/// Measures each bundled game, or only those named, for about `seconds` with either engine.
pub fn run(only: &[String], seconds: f64, aot: bool, json: bool) -> anyhow::Result<()> {
    if let Some(name) = only.iter().find(|name| !bundled::names().contains(name)) {
        anyhow::bail!("there is no bundled game `{name}`; `multigame games` lists them");
    }
    let yardstick = yardstick::run(only, seconds, aot, json)?;
    let mut rows = Vec::new();
    let mut out = std::io::stdout().lock();
    if !json {
        writeln!(
            out,
            "{:24} {:>12} {:>12} {:>7} {:>9} {:>6}",
            "game", "jit/s", "interp/s", "ratio", "compile", "bytes"
        )?;
    }
    for name in bundled::names() {
        if !only.is_empty() && !only.contains(&name) {
            continue;
        }
        let row = measure(&name, seconds)?;
        if !json {
            print(&row, &mut out)?;
        }
        rows.push(row);
    }
    let ratios: Vec<f64> =
        rows.iter().filter_map(|row| row.speed.as_ref().ok()).map(|(a, b)| a / b).collect();
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
    if json {
        let games: Vec<serde_json::Value> = rows
            .iter()
            .map(|row| {
                serde_json::json!({
                    "game": row.name, "compile_ms": row.compile, "bytes": row.bytes,
                    "jit": row.speed.as_ref().ok().map(|speed| speed.0),
                    "interp": row.speed.as_ref().ok().map(|speed| speed.1),
                    "refused": row.speed.as_ref().err(),
                })
            })
            .collect();
        return output::json(
            &serde_json::json!({"yardstick": yardstick, "games": games, "ratio": mean, "compiled": ratios.len()}),
        );
    }
    writeln!(out, "{} of {} games compiled; ratio, geometric mean: {mean:.0}", ratios.len(), rows.len())?;
    Ok(())
}

fn measure(name: &str, seconds: f64) -> anyhow::Result<Row> {
    let source = source(name)?;
    let start = Instant::now();
    let Some(program) = compile(&source, &[]).program else {
        anyhow::bail!("the rules of `{name}` have errors; `multigame check {name}` shows them");
    };
    let bytes = Layout::new(&program).words() * 8;
    let jit = JitGame::new(program.clone());
    let compile = start.elapsed().as_secs_f64() * 1e3;
    let interpreter = RulesGame::new(program);
    let speed = match jit {
        Ok(jit) => {
            let fast =
                leaves_per_second(&jit, seconds).map_err(|error| load::shown(&source, error.into()))?;
            let slow = leaves_per_second(&interpreter, seconds)
                .map_err(|error| load::shown(&source, error.into()))?;
            Ok((fast, slow))
        }
        Err(reason) => Err(reason.to_string()),
    };
    Ok(Row { name: name.to_string(), compile, bytes, speed })
}

/// The rate of the deepest count that fits into the time.
fn leaves_per_second<G: Game>(game: &G, seconds: f64) -> Result<f64, multigame_game::RulesError> {
    let position = game.initial();
    // Code for counting is compiled at its first use.
    game.count(&position)?;
    let begin = Instant::now();
    let mut rate = 0.0;
    for depth in 1..=40 {
        let start = Instant::now();
        let leaves = perft(game, &position, depth)?;
        let time = start.elapsed();
        if leaves == 0 {
            break;
        }
        rate = leaves as f64 / time.as_secs_f64();
        // The next depth takes longer by about the branching factor.
        if begin.elapsed() + time * 4 > Duration::from_secs_f64(seconds) {
            break;
        }
    }
    Ok(rate)
}

fn print(row: &Row, out: &mut dyn Write) -> anyhow::Result<()> {
    match &row.speed {
        Ok((fast, slow)) => writeln!(
            out,
            "{:24} {fast:>12.0} {slow:>12.0} {:>7.0} {:>6.0} ms {:>6}",
            row.name,
            fast / slow,
            row.compile,
            row.bytes
        )?,
        Err(reason) => writeln!(out, "{:24} {reason}", row.name)?,
    }
    Ok(())
}
