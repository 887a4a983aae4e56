//! `multigame playout`: random games, and with `--coverage` which parts of the rules they use.

use std::io::Write;

use clap::Args;
use multigame_ir::{Coverage, RulesGame};
use serde_json::{Value, json};

use crate::coverage::snippet;
use crate::load::{self, GameArguments};
use crate::output;
use crate::tasks::playout;

/// Play random games and report statistics.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    task: playout::Arguments,
    /// Count which parts of the rules are used, and list those that never have a result (the interpreter
    /// plays)
    #[arg(long)]
    coverage: bool,
}

/// Plays the games.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if !arguments.coverage {
        return load::with_game(&arguments.game, &arguments.task);
    }
    let (source, program) = load::program(&arguments.game)?;
    let game = RulesGame::counting(program);
    let totals = arguments.task.play(&game).map_err(|error| load::shown(&source, error))?;
    let Some(coverage) = game.coverage() else { return Ok(()) };
    if arguments.task.json {
        let mut report = arguments.task.to_json(&game, &totals);
        report["coverage"] = to_json(&coverage, &source.text);
        return output::json(&report);
    }
    arguments.task.print(&game, &totals)?;
    print(&coverage, &source.text)
}

fn to_json(coverage: &Coverage, text: &str) -> Value {
    let rules = coverage
        .rules
        .iter()
        .map(|rule| json!({"rule": rule.rule, "line": rule.line, "run": rule.run, "results": rule.results}));
    let unused = coverage.unused.iter().map(|part| {
        json!({
            "rule": part.rule, "line": part.line, "tried": part.tried,
            "text": snippet(text, part), "span": [part.span.0, part.span.1],
        })
    });
    json!({"rules": rules.collect::<Vec<_>>(), "unused": unused.collect::<Vec<_>>()})
}

fn print(coverage: &Coverage, text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let used = coverage.rules.iter().filter(|rule| rule.results > 0).count();
    writeln!(out, "rules       {used} of {} had a result", coverage.rules.len())?;
    for part in &coverage.unused {
        let why = match part.tried {
            0 => "never reached".to_string(),
            tried => format!("no result in {tried} tries"),
        };
        writeln!(out, "line {:<6} {}: {why}: {}", part.line, part.rule, snippet(text, part))?;
    }
    Ok(())
}
