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
    /// Report the coverage of this rule only
    #[arg(long, value_name = "NAME", requires = "coverage")]
    rule: Option<String>,
}

/// Plays the games.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if !arguments.coverage {
        return load::with_game(&arguments.game, &arguments.task);
    }
    let (source, program) = load::program(&arguments.game)?;
    let game = RulesGame::counting(program);
    let totals = arguments.task.play(&game).map_err(|error| load::shown(&source, error))?;
    let Some(mut coverage) = game.coverage() else { return Ok(()) };
    if let Some(rule) = &arguments.rule {
        only(&mut coverage, rule)?;
    }
    if arguments.task.json {
        let mut report = arguments.task.to_json(&game, &totals);
        report["coverage"] = to_json(&coverage, &source.text);
        return output::json(&report);
    }
    arguments.task.print(&game, &totals)?;
    print(&coverage, &source.text)?;
    if arguments.rule.is_some() {
        let mut out = std::io::stdout().lock();
        for rule in &coverage.rules {
            writeln!(out, "{:<11} run {} times, {} results", rule.rule, rule.run, rule.results)?;
        }
    }
    Ok(())
}

/// Leaves only what is about one rule.
fn only(coverage: &mut Coverage, rule: &str) -> anyhow::Result<()> {
    if !coverage.rules.iter().any(|it| it.rule == rule) {
        let names = coverage.rules.iter().map(|it| it.rule.as_str());
        let hint = multigame_syntax::closest(rule, names)
            .map_or("`--coverage` alone lists what is used".to_string(), |near| {
                format!("did you mean `{near}`?")
            });
        anyhow::bail!("these rules do not use a rule `{rule}`; {hint}");
    }
    coverage.rules.retain(|it| it.rule == rule);
    coverage.unused.retain(|it| it.rule == rule);
    Ok(())
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
