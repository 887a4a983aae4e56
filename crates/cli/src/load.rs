//! The common part of commands that load a game: arguments, and the display of errors in rules.

use std::io::Write;

use anyhow::Context;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use multigame_input::{MOST_TEXT, read_text};
use multigame_ir::Program;
use multigame_loader::{Backend, Beside, Playable, Source, WithGame, compile, source};
use multigame_player::ranks::{self, Together};
use multigame_syntax::Diagnostic;

use crate::databases;
use crate::output::{self, AlreadyReported};

/// Which game, and with which parameters.
#[derive(Debug, Args)]
pub struct GameArguments {
    /// A bundled game or a path to an `.mg` file
    pub game: String,
    /// Set a parameter of the rules
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_parameter)]
    pub parameters: Vec<(String, i64)>,
    /// The back end that runs the rules: machine code where it can be made, machine code or a warning, the
    /// interpreter, or a program built for the game (which takes a while the first time)
    #[arg(long, value_parser = backend_parser(), default_value = "auto")]
    pub backend: Backend,
    /// Weights of evaluations: a file like `weights.toml`, or `rules` for those in the rules; the file beside
    /// the rules if not given
    #[arg(long, value_name = "FILE")]
    pub weights_file: Option<String>,
}

/// Reads `NAME=VALUE`.
pub fn parse_parameter(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("`NAME=VALUE` is expected, such as `columns=9`")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not a whole number"))?;
    Ok((name.trim().to_string(), value))
}

/// Reads the name of a back end.
pub fn backend_parser() -> impl TypedValueParser<Value = Backend> {
    let names = Backend::ALL.into_iter().map(|(name, _)| name).chain(["aot"]);
    PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
        "aot" => Ok(Backend::Aot),
        name => name.parse::<Backend>(),
    })
}

/// A command on one game: which game, and what to do with it.
#[derive(Debug, Args)]
pub struct OnGame<T: Args> {
    #[command(flatten)]
    pub game: GameArguments,
    #[command(flatten)]
    pub task: T,
}

impl<T: Args> OnGame<T> {
    /// Does it.
    pub fn run<'a>(&'a self) -> anyhow::Result<()>
    where
        &'a T: WithGame<Output = anyhow::Result<()>>,
    {
        if self.game.backend == Backend::Aot {
            return crate::commands::build::run_in_place(&self.game);
        }
        with_game(&self.game, &self.task)
    }

    /// Does it where the rules are run rarely, see [`with_game_once`].
    pub fn run_once<'a>(&'a self) -> anyhow::Result<()>
    where
        &'a T: WithGame<Output = anyhow::Result<()>>,
    {
        if self.game.backend == Backend::Aot {
            return crate::commands::build::run_in_place(&self.game);
        }
        with_game_once(&self.game, &self.task)
    }
}

impl OnGame<crate::tasks::play::Arguments> {
    /// Starts the shell; run-time errors of the rules are shown with their place.
    pub fn play(&self) -> anyhow::Result<()> {
        if self.game.backend == Backend::Aot {
            return crate::commands::build::run_in_place(&self.game);
        }
        let (source, program) = program(&self.game)?;
        let report = |error: anyhow::Error| {
            output::report(&shown(&source, error));
        };
        with_program(&source, program, self.game.backend, self.task.task(&report))
    }
}

/// The move program of a game; errors are shown and end the command.
pub fn program(arguments: &GameArguments) -> anyhow::Result<(Source, Program)> {
    let mut source = source(&arguments.game)?;
    databases::rules_are(&arguments.game);
    match arguments.weights_file.as_deref() {
        None => {}
        Some("rules") => (source.weights, source.patterns, source.network) = (None, None, None),
        Some(file) => {
            let text = read_text(file, MOST_TEXT).with_context(|| format!("cannot read `{file}`"))?;
            source.weights = Some(Beside { file: file.to_string(), text });
        }
    }
    let compilation = compile(&source, &arguments.parameters);
    if !compilation.diagnostics.is_empty() {
        show_diagnostics(&source, &compilation.diagnostics)?;
    }
    match compilation.program {
        Some(program) => Ok((source, program)),
        None => Err(AlreadyReported.into()),
    }
}

/// Loads a game and does something with it; errors in the rules are shown and end the command.
pub fn with_game<T>(arguments: &GameArguments, task: T) -> anyhow::Result<()>
where
    T: WithGame<Output = anyhow::Result<()>>,
{
    let (source, program) = program(arguments)?;
    with_program(&source, program, arguments.backend, task)
}

/// Like [`with_game`] where the rules are run so rarely that compiling them to machine code, which takes
/// seconds for the largest, would cost more than it saves.
pub fn with_game_once<T>(arguments: &GameArguments, task: T) -> anyhow::Result<()>
where
    T: WithGame<Output = anyhow::Result<()>>,
{
    let (source, program) = program(arguments)?;
    let backend = if arguments.backend == Backend::Auto { Backend::Interp } else { arguments.backend };
    with_program(&source, program, backend, task)
}

/// Does something with the game of a program.
pub fn with_program<T>(source: &Source, program: Program, backend: Backend, task: T) -> anyhow::Result<()>
where
    T: WithGame<Output = anyhow::Result<()>>,
{
    if backend == Backend::Aot {
        let names = crate::alone::command_names().join(", ");
        anyhow::bail!("`--backend aot` is there for {names}; use `--backend jit` here");
    }
    let loading = ranks::installed().map(|ranks| ranks.load(&program, backend == Backend::Interp));
    let (game, refusal) = Playable::new(program, backend);
    if let (Backend::Jit, Some(reason)) = (backend, refusal) {
        writeln!(std::io::stderr(), "warning: {reason}; the interpreter plays this game")?;
    }
    game.run(Together { loading, task }).map_err(|error| shown(source, error))
}

/// An error after what can be shown of it has been: a run-time error of the rules, with the place in the
/// text.
pub fn shown(source: &Source, error: anyhow::Error) -> anyhow::Error {
    output::shown(&source.file, &source.text, error)
}

/// Renders diagnostics on standard error.
pub fn show_diagnostics(source: &Source, diagnostics: &[Diagnostic]) -> anyhow::Result<()> {
    output::show_diagnostics(&source.file, &source.text, diagnostics)
}
