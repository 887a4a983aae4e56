//! `multigame fmt`: rules in the usual form.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use multigame_input::{MOST_RULES, read_all, read_text};
use multigame_loader::Source;

use crate::load;
use crate::output::{self, AlreadyReported};

/// Format rules.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Files to format in place; `-` reads standard input and writes standard output
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Change nothing; fail if a file is not in the usual form
    #[arg(long)]
    check: bool,
}

/// Formats each file; a file with syntax errors stays as it is.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut wrong = false;
    for path in &arguments.files {
        let file = path.display().to_string();
        let from_input = file == "-";
        let text = if from_input {
            read_all(std::io::stdin(), MOST_RULES).context("cannot read standard input")?
        } else {
            read_text(path, MOST_RULES).with_context(|| format!("cannot read `{file}`"))?
        };
        match multigame_syntax::format(&text) {
            Err(diagnostics) => {
                load::show_diagnostics(&Source::of_text(file, String::new(), text), &diagnostics)?;
                wrong = true;
            }
            Ok(formatted) if arguments.check => {
                if formatted != text {
                    writeln!(std::io::stderr(), "{file}: not formatted; `multigame fmt {file}` does it")?;
                    wrong = true;
                }
            }
            Ok(formatted) if from_input => write!(std::io::stdout(), "{formatted}")?,
            Ok(formatted) if formatted != text => output::write(path, &formatted)?,
            Ok(_) => {}
        }
    }
    if wrong { Err(AlreadyReported.into()) } else { Ok(()) }
}
