//! The `multigame` program: everything people do with rules from a command line.

mod commands;
mod coverage;
mod load;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use load::OnGame;
use multigame_commands::{evaluate, moves, output, perft, play, search, show, uci};

/// Rules of a board game in, a player out.
#[derive(Debug, Parser)]
#[command(name = "multigame", version, propagate_version = true)]
#[command(after_help = "GAME is a bundled name (see `multigame games`) or a path to an `.mg` file.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a game in the shell
    Play(OnGame<play::Arguments>),
    /// Search a position for the best move
    Search(OnGame<search::Arguments>),
    /// Find out who wins with best play, or the shortest solution of a puzzle
    Solve(commands::solve::Arguments),
    /// List the bundled games
    Games(commands::games::Arguments),
    /// Check rules and explain what is wrong with them
    Check(commands::check::Arguments),
    /// Format rules
    Fmt(commands::fmt::Arguments),
    /// Print the move program that rules are compiled into
    Ir(commands::ir::Arguments),
    /// Build a program that plays one game alone
    Build(commands::build::Arguments),
    /// Draw a position
    Show(OnGame<show::Arguments>),
    /// List the legal moves of a position
    Moves(OnGame<moves::Arguments>),
    /// Search on a simulated machine with up to thousands of processors
    Simulate(Box<commands::simulate::Arguments>),
    /// Count the leaves of the game tree
    Perft(OnGame<perft::Arguments>),
    /// Count the distinct positions at each distance
    States(commands::states::Arguments),
    /// Make pattern databases of the abstractions that a puzzle declares
    Tables(commands::tables::Arguments),
    /// Say term by term what a position is worth
    Evaluate(OnGame<evaluate::Arguments>),
    /// Play random games and report statistics
    Playout(commands::playout::Arguments),
    /// Speak the Universal Chess Interface, for chess or any other game
    Uci(OnGame<uci::Arguments>),
    /// Tune the weights of an evaluation by self-play
    Learn(Box<commands::learn::Arguments>),
    /// Say what a game is like: advantage, length, choice, drama, worth of thinking
    Analyze(commands::analyze::Arguments),
    /// Let two players play many games, and say who is stronger
    Match(Box<commands::matches::Arguments>),
    /// Search fixed positions of several games and count nodes
    Bench(commands::bench::Arguments),
    /// Serve a page to play on, and the same things to scripts
    Serve(commands::serve::Arguments),
    /// Run rules that came with a request
    #[command(hide = true)]
    ServeWorker(commands::serve::WorkerArguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.command {
        Command::Play(arguments) => arguments.play(),
        Command::Search(arguments) => arguments.run(),
        Command::Solve(arguments) => commands::solve::run(arguments),
        Command::Games(arguments) => commands::games::run(arguments),
        Command::Check(arguments) => commands::check::run(arguments),
        Command::Fmt(arguments) => commands::fmt::run(arguments),
        Command::Ir(arguments) => commands::ir::run(arguments),
        Command::Build(arguments) => commands::build::run(arguments),
        Command::Show(arguments) => arguments.run_once(),
        Command::Moves(arguments) => arguments.run_once(),
        Command::Simulate(arguments) => commands::simulate::run(arguments),
        Command::Perft(arguments) => arguments.run(),
        Command::States(arguments) => commands::states::run(arguments),
        Command::Tables(arguments) => commands::tables::run(arguments),
        Command::Evaluate(arguments) => arguments.run_once(),
        Command::Playout(arguments) => commands::playout::run(arguments),
        Command::Uci(arguments) => arguments.run(),
        Command::Learn(arguments) => commands::learn::run(arguments),
        Command::Analyze(arguments) => commands::analyze::run(arguments),
        Command::Match(arguments) => commands::matches::run(arguments),
        Command::Bench(arguments) => commands::bench::run(arguments),
        Command::Serve(arguments) => commands::serve::run(arguments),
        Command::ServeWorker(arguments) => commands::serve::run_worker(arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => output::report(&error),
    }
}
