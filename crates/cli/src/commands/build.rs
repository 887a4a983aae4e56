//! `multigame build`: a program for one game alone.

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use multigame_aot::{Builder, Request, copy, emit};
use multigame_ir::Program;
use multigame_loader::{Backend, Source};
use multigame_mir::Module;

use crate::{launcher, load, output};

/// Build a program that plays one game alone.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A bundled game or a path to an `.mg` file
    game: String,
    /// Set a parameter of the rules
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = load::parse_parameter)]
    parameters: Vec<(String, i64)>,
    /// Weights of evaluations: a file like `weights.toml`, or `rules` for those in the rules; the file beside
    /// the rules if not given
    #[arg(long, value_name = "FILE")]
    weights_file: Option<String>,
    /// Where to put it; the game's name in this folder if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write what was generated instead of compiling it: on standard output, or where `--output` says
    #[arg(long, value_enum)]
    emit: Option<What>,
    /// Make a program that also runs on other machines of this kind, and is slower
    #[arg(long)]
    portable: bool,
}

/// The forms of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// The Rust source of the game
    Rust,
}

/// Builds the program, or prints its source.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let game = load::GameArguments {
        game: arguments.game.clone(),
        parameters: arguments.parameters.clone(),
        backend: Backend::Aot,
        weights_file: arguments.weights_file.clone(),
    };
    let (source, program) = load::program(&game)?;
    let module = lower(&source, &program)?;
    if arguments.emit == Some(What::Rust) {
        let text = emit(&module, &program.description);
        return match &arguments.output {
            Some(file) => output::write(file, &text),
            None => Ok(write!(std::io::stdout(), "{text}")?),
        };
    }
    let built = build(&source, &program, &module, arguments.portable)?;
    let output = arguments.output.clone().unwrap_or_else(|| PathBuf::from(&source.name));
    if output.is_dir() {
        bail!("`{}` is a folder; name the program with `--output`", output.display());
    }
    copy(&built, &output)?;
    writeln!(std::io::stderr(), "built `{}`; its commands: `{} --help`", output.display(), output.display())?;
    Ok(())
}

/// Runs this command line with the program of the game in place of this one.
pub fn run_in_place(game: &load::GameArguments) -> anyhow::Result<()> {
    launcher::alone("`--backend aot` runs one process; start it without `mpirun`, or use `--backend jit`")?;
    let (source, program) = load::program(game)?;
    let module = lower(&source, &program)?;
    let built = build(&source, &program, &module, false)?;
    let mut command = Command::new(&built);
    command.arg(crate::alone::IN_PLACE).args(std::env::args_os().skip(1));
    replace(command).with_context(|| format!("cannot run `{}`", built.display()))
}

#[cfg(unix)]
fn replace(mut command: Command) -> anyhow::Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec().into())
}

#[cfg(not(unix))]
fn replace(mut command: Command) -> anyhow::Result<()> {
    let status = command.status()?;
    std::process::exit(status.code().unwrap_or(1))
}

fn lower(source: &Source, program: &Program) -> anyhow::Result<Module> {
    multigame_mir::lower(program).map_err(|reason| {
        let name = &source.name;
        anyhow::anyhow!(
            "these rules cannot be compiled: {reason}; the interpreter plays them: `multigame play {name}`"
        )
    })
}

fn build(source: &Source, program: &Program, module: &Module, portable: bool) -> anyhow::Result<PathBuf> {
    let request =
        Request { name: &source.name, file: &source.file, text: &source.text, program, module, portable };
    let mut begin = || {
        // Nobody minds if this cannot be said.
        let _ =
            writeln!(std::io::stderr(), "building {} with cargo; the first time takes minutes", source.name);
    };
    Ok(Builder::for_user().build(&request, &mut begin)?)
}
