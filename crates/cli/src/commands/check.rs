//! `multigame check`: what is wrong with rules.

use std::io::Write;

use clap::Args;
use multigame_loader::{advice, compile, source};
use multigame_syntax::{Severity, to_json};

use crate::load;
use crate::output::{self, AlreadyReported};

/// Check rules and explain what is wrong with them.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: load::GameArguments,
    /// Print the diagnostics as JSON
    #[arg(long)]
    json: bool,
}

/// Shows all diagnostics; fails if there is an error among them.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let source = source(&arguments.game.game)?;
    let compilation = compile(&source, &arguments.game.parameters);
    let mut diagnostics = compilation.diagnostics;
    diagnostics.extend(compilation.program.iter().flat_map(advice));
    let count = |severity| diagnostics.iter().filter(|found| found.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    if arguments.json {
        output::json(&to_json(&diagnostics, &source.file, &source.text))?;
    } else {
        load::show_diagnostics(&source, &diagnostics)?;
        let summary = match (errors, warnings) {
            (0, 0) => "no errors".to_string(),
            (0, _) => format!("no errors, {}", counted(warnings, "warning")),
            (_, 0) => counted(errors, "error"),
            _ => format!("{}, {}", counted(errors, "error"), counted(warnings, "warning")),
        };
        writeln!(std::io::stderr(), "{}: {summary}", source.file)?;
    }
    if errors > 0 { Err(AlreadyReported.into()) } else { Ok(()) }
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
