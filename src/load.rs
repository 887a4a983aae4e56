//! From the name of a game to the game.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use multigame_compiler::{Compilation, Options};
use multigame_game::{Game, RulesError, parse_position};
use multigame_ir::{Program, RulesGame};
use multigame_jit::JitGame;
use multigame_syntax::{Diagnostic, Span, render};

use crate::bundled;
use crate::output::{AlreadyReported, diagnostic_style};

/// Which game, and with which parameters.
#[derive(Debug, Args)]
pub struct GameArguments {
    /// A bundled game or a path to an `.mg` file
    pub game: String,
    /// Set a parameter of the rules
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_parameter)]
    pub parameters: Vec<(String, i64)>,
    /// How the rules are run
    #[arg(long, value_enum, default_value_t = Backend::Auto)]
    pub backend: Backend,
}

/// How rules are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backend {
    /// Machine code where the compiler can make it, else the interpreter
    Auto,
    /// Machine code; says so if the interpreter has to step in
    Jit,
    /// The interpreter, which defines what rules mean
    Interp,
}

/// Where to start.
#[derive(Debug, Args)]
pub struct PositionArguments {
    /// A position as text; the initial position if not given
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
}

/// Rules as text with the name to show for them.
#[derive(Debug)]
pub struct Source {
    /// What diagnostics call the file.
    pub file: String,
    /// What the game is called.
    pub name: String,
    /// The rules.
    pub text: String,
}

/// A game with the text it came from.
#[derive(Debug)]
pub struct Loaded<G> {
    /// The rules' text.
    pub source: Source,
    /// The game.
    pub game: G,
}

/// What to do with a game, however its rules are run.
pub trait Task {
    /// Whether it runs the rules often enough to be worth compiling them, which takes seconds for the largest.
    const WORTH_COMPILING: bool = true;

    /// Does it.
    fn run<G: Game>(&self, loaded: &Loaded<G>) -> anyhow::Result<()>;
}

fn parse_parameter(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("`NAME=VALUE` is expected, such as `columns=9`")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is no whole number"))?;
    Ok((name.trim().to_string(), value))
}

/// Finds the rules of a game.
pub fn source(game: &str) -> anyhow::Result<Source> {
    let looks_like_path = game.ends_with(".mg") || game.contains(['/', '\\']);
    if !looks_like_path && let Some(text) = bundled::rules(game) {
        return Ok(Source { file: format!("{game}/rules.mg"), name: game.to_string(), text });
    }
    let path = PathBuf::from(game);
    if !looks_like_path && !path.is_file() {
        let names = bundled::names();
        let hint = near_name(game, &names).map_or(String::new(), |name| format!("; did you mean `{name}`?"));
        bail!("there is no game `{game}`{hint} (`multigame games` lists them; a file ends in `.mg`)");
    }
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read `{game}`"))?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => bail!("`{game}` is no UTF-8 text (byte {})", error.utf8_error().valid_up_to()),
    };
    Ok(Source { file: game.to_string(), name: game_name(&path), text })
}

/// The game that was meant: the least different name, else one that contains or begins like what was written.
fn near_name<'n>(written: &str, names: &'n [String]) -> Option<&'n str> {
    let names = || names.iter().map(String::as_str);
    let alike = || names().find(|name| name.contains(written) || written.contains(name));
    let begins_alike = || {
        let start = written.get(..3)?;
        names().filter(|name| name.starts_with(start)).min_by_key(|name| name.len().abs_diff(written.len()))
    };
    multigame_syntax::closest(written, names()).or_else(alike).or_else(begins_alike)
}

/// `games/chess/rules.mg` is chess, `my-game.mg` is my-game.
fn game_name(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    match folder {
        Some(folder) if stem == "rules" => folder,
        _ => stem,
    }
}

/// Compiles rules; diagnostics are for the caller to show.
pub fn compile(source: &Source, parameters: &[(String, i64)]) -> Compilation {
    let options = Options { name: source.name.clone(), parameters: parameters.to_vec() };
    multigame_compiler::compile(&source.text, &options)
}

/// The move program of a game; errors are shown and end the command.
pub fn program(arguments: &GameArguments) -> anyhow::Result<(Source, Program)> {
    let source = source(&arguments.game)?;
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
pub fn with_game(arguments: &GameArguments, task: &impl Task) -> anyhow::Result<()> {
    let (source, program) = program(arguments)?;
    with_program(source, program, arguments.backend, task)
}

fn is_worth_it<T: Task>(_: &T) -> bool {
    T::WORTH_COMPILING
}

/// Does something with the game of a program.
pub fn with_program(
    source: Source,
    program: Program,
    backend: Backend,
    task: &impl Task,
) -> anyhow::Result<()> {
    if backend == Backend::Jit || (backend == Backend::Auto && is_worth_it(task)) {
        match JitGame::new(program.clone()) {
            Ok(game) => return task.run(&Loaded { source, game }),
            Err(reason) if backend == Backend::Jit => {
                writeln!(std::io::stderr(), "warning: {reason}; the interpreter plays this game")?;
            }
            Err(_) => {}
        }
    }
    task.run(&Loaded { source, game: RulesGame::new(program) })
}

/// Renders diagnostics on standard error.
pub fn show_diagnostics(source: &Source, diagnostics: &[Diagnostic]) -> anyhow::Result<()> {
    let text = render(diagnostics, &source.file, &source.text, diagnostic_style());
    write!(std::io::stderr(), "{text}")?;
    Ok(())
}

impl<G: Game> Loaded<G> {
    /// The position asked for.
    pub fn position(&self, arguments: &PositionArguments) -> anyhow::Result<G::Position> {
        let Some(text) = &arguments.position else { return Ok(self.game.initial()) };
        let description = self.game.description();
        let diagram = parse_position(description, text).context("the position is wrong")?;
        Ok(self.game.position(&diagram))
    }

    /// A run-time error of the rules shown with the place in the text.
    pub fn rules_error(&self, error: RulesError) -> anyhow::Error {
        rules_error(&self.source, &error)
    }
}

/// A run-time error of the rules shown with the place in the text.
pub fn rules_error(source: &Source, error: &RulesError) -> anyhow::Error {
    let span = Span::new(error.span.0, error.span.1);
    let message = format!("{} (in rule `{}`, line {})", error.message, error.rule, error.line);
    let diagnostic = Diagnostic::error("run-time", span, message).label("while this was running");
    match show_diagnostics(source, &[diagnostic]) {
        Ok(()) => AlreadyReported.into(),
        Err(failure) => failure,
    }
}

/// An outcome as people say it: a puzzle is solved or lost, not won by White.
pub fn outcome_text(description: &multigame_game::Description, outcome: multigame_game::Outcome) -> String {
    match (description.players, outcome.winner()) {
        (1, Some(multigame_game::Side::White)) => "solved".to_string(),
        (1, Some(multigame_game::Side::Black)) => "lost".to_string(),
        _ => outcome.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::near_name;

    #[test]
    fn a_misspelled_game_is_found() {
        let names =
            ["checkers", "chess", "chess960", "connect-4", "othello", "tic-tac-toe"].map(String::from);
        let near = |written| near_name(written, &names);
        assert_eq!(near("chez"), Some("chess"));
        assert_eq!(near("chses"), Some("chess"));
        assert_eq!(near("Othelo"), Some("othello"));
        assert_eq!(near("tictactoe"), Some("tic-tac-toe"));
        assert_eq!(near("connect"), Some("connect-4"));
        assert_eq!(near("go"), None);
        assert_eq!(near("schach"), None);
        assert_eq!(near("ß"), None);
    }
}
