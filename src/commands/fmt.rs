//! `multigame fmt`: rules in the usual form.

use std::io::{Read, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;

use multigame_loader::Source;

use crate::load;
use crate::output::AlreadyReported;

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
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
            text
        } else {
            std::fs::read_to_string(path).with_context(|| format!("cannot read `{file}`"))?
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
            Ok(formatted) if formatted != text => replace(path, &formatted)?,
            Ok(_) => {}
        }
    }
    if wrong { Err(AlreadyReported.into()) } else { Ok(()) }
}

/// Writes beside the file first, so that nothing is lost if the disk is full.
fn replace(path: &PathBuf, text: &str) -> anyhow::Result<()> {
    let Some(name) = path.file_name() else { bail!("`{}` is no file", path.display()) };
    let beside = path.with_file_name(format!(".{}.formatted", name.to_string_lossy()));
    std::fs::write(&beside, text).with_context(|| format!("cannot write `{}`", beside.display()))?;
    std::fs::rename(&beside, path).with_context(|| format!("cannot replace `{}`", path.display()))
}
