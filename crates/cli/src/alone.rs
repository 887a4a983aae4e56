//! A program for one game alone: the commands of `multigame` without naming the game.
//!
//! `multigame build` generates a `main` of three lines that calls [`run`] with generated code, so that shell,
//! search and everything else are compiled for that game.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use multigame_compiled::{Code, CompiledGame, Mismatch};
use multigame_game::{Game, Portable, WithGame};

use crate::tasks::{moves, perft, play, playout, search, show};
use crate::{launcher, output};

/// The first argument of a program that is run in place of `multigame`: the others are then those of
/// `multigame`, the name of the game included.
pub const IN_PLACE: &str = "--in-place-of-multigame";

/// The rules that the code was generated from.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The name of the game.
    pub name: &'static str,
    /// The file name in diagnostics.
    pub file: &'static str,
    /// The text, to show where errors are.
    pub text: &'static str,
    /// The textual form of the move program.
    pub program: &'static str,
}

/// A game compiled for this machine; play it, search it, count its moves.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true)]
struct Alone {
    #[command(subcommand)]
    command: Command<Nothing>,
}

/// The same, called as `multigame` is.
#[derive(Debug, Parser)]
struct InPlace {
    #[command(subcommand)]
    command: Command<Named>,
}

/// No arguments.
#[derive(Debug, Args)]
struct Nothing {}

/// The arguments of `multigame` that say which game: this program knows.
#[derive(Debug, Args)]
struct Named {
    #[arg(hide = true)]
    _game: String,
    #[arg(long = "set", hide = true)]
    _parameters: Vec<String>,
    #[arg(long = "backend", hide = true)]
    _backend: Option<String>,
    #[arg(long = "weights-file", hide = true)]
    _weights_file: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Command<N: Args> {
    /// Play the game in the shell
    Play(With<N, play::Arguments>),
    /// Search a position for the best move
    Search(With<N, search::Arguments>),
    /// Draw a position
    Show(With<N, show::Arguments>),
    /// List the legal moves of a position
    Moves(With<N, moves::Arguments>),
    /// Count the leaves of the game tree
    Perft(With<N, perft::Arguments>),
    /// Play random games and report statistics
    Playout(With<N, playout::Arguments>),
}

#[derive(Debug, Parser)]
struct Measuring {
    #[command(subcommand)]
    command: Measured,
}

#[derive(Debug, Subcommand)]
enum Measured {
    Perft(perft::Arguments),
    Playout(playout::Arguments),
}

#[derive(Debug, Args)]
struct With<N: Args, T: Args> {
    #[command(flatten)]
    _game: N,
    #[command(flatten)]
    task: T,
}

/// The names of the commands such programs have.
#[cfg(any(test, feature = "full"))]
pub fn command_names() -> Vec<String> {
    Alone::command().get_subcommands().map(|command| command.get_name().to_string()).collect()
}

/// Runs the command line of a program for one game.
pub fn run<C: Code<Error = Mismatch>>(rules: &Rules) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let one = launcher::alone(
        "a program for one game is one process; start it without `mpirun`, or `multigame` with it",
    );
    let result = one.and_then(|()| game::<C>(rules)).and_then(|game| match arguments.get(1) {
        Some(first) if first == IN_PLACE => {
            let rest = arguments.iter().take(1).chain(&arguments[2..]);
            let matches = InPlace::command().name("multigame").get_matches_from(rest);
            execute(rules, game, InPlace::from_arg_matches(&matches)?.command)
        }
        _ => {
            let command = Alone::command().name(rules.name).bin_name(rules.name);
            let matches = command.get_matches_from(&arguments);
            execute(rules, game, Alone::from_arg_matches(&matches)?.command)
        }
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => output::report(&output::shown(rules.file, rules.text, error)),
    }
}

/// Reads the move program, for what generated code leaves to the interpreter: names, texts, errors.
fn game<C: Code<Error = Mismatch>>(rules: &Rules) -> anyhow::Result<CompiledGame<C>> {
    let program = multigame_ir::parse(rules.program).context("this program is damaged: build it again")?;
    CompiledGame::new(program)
        .context("the code inside of this program is not that of its rules: build it again")
}

/// Runs the command line of a program for measuring: the name of the game, then `perft` or `playout`.
pub fn measure<G: Game + 'static>(game: G) -> ExitCode {
    let matches = Measuring::command().get_matches_from(std::env::args_os().skip(1));
    let result = Measuring::from_arg_matches(&matches).map_err(anyhow::Error::from);
    let result = result.and_then(|arguments| match &arguments.command {
        Measured::Perft(task) => task.count_alone(&game),
        Measured::Playout(task) => task.report(&game),
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => output::report(&error),
    }
}

fn execute<G: Portable + 'static, N: Args>(
    rules: &Rules,
    game: G,
    command: Command<N>,
) -> anyhow::Result<()> {
    let report = |error: anyhow::Error| {
        output::report(&output::shown(rules.file, rules.text, error));
    };
    match &command {
        Command::Play(with) => with.task.task(&report).run(game),
        Command::Search(with) => (&with.task).run(game),
        Command::Show(with) => (&with.task).run(game),
        Command::Moves(with) => (&with.task).run(game),
        Command::Perft(with) => (&with.task).run(game),
        Command::Playout(with) => (&with.task).run(game),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_multigame_are_understood() {
        let line = ["multigame", "perft", "chess", "3", "--backend", "aot", "--set", "a=1", "--json"];
        let parsed = InPlace::try_parse_from(line).unwrap();
        assert!(matches!(parsed.command, Command::Perft(_)));
        let parsed = Alone::try_parse_from(["chess", "perft", "3", "--json"]).unwrap();
        assert!(matches!(parsed.command, Command::Perft(_)));
        assert!(command_names().contains(&"playout".to_string()));
    }
}
