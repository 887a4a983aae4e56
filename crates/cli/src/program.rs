//! The `multigame` program: everything people do with rules from a command line.

use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};
use multigame_progress::terminal;

use crate::commands::{self, evaluate, uci};
use crate::load::OnGame;
use crate::output;
use crate::ranks::{self, Join};
use crate::tasks::{moves, perft, play, search, show};

/// Turns the rules of a board game into a strong player.
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
    /// Find the winner with best play, or the shortest solution of a puzzle
    Solve(commands::solve::Arguments),
    /// List the bundled games
    Games(commands::games::Arguments),
    /// List the options of a search
    Options(commands::options::Arguments),
    /// Check rules and explain what is wrong with them
    Check(commands::check::Arguments),
    /// Format rules
    Fmt(commands::fmt::Arguments),
    /// Help editors with rules: the language server
    Lsp(commands::lsp::Arguments),
    /// Print the move program that rules are compiled into
    Ir(commands::ir::Arguments),
    /// Build a program that plays one game alone
    Build(commands::build::Arguments),
    /// Draw a position
    Show(OnGame<show::Arguments>),
    /// List the legal moves of a position
    Moves(OnGame<moves::Arguments>),
    /// Inspect the cluster on which `mpirun` started this program
    Cluster(commands::cluster::Arguments),
    /// Search on a simulated machine with up to thousands of processors
    Simulate(Box<commands::simulate::Arguments>),
    /// Run experiments on parallel search, and compare them with what was published
    Experiment(commands::experiment::Arguments),
    /// Find the settings of a parallel search that suit a game and a machine
    Tune(commands::tune::Arguments),
    /// Count the leaves of the game tree
    Perft(OnGame<perft::Arguments>),
    /// Count the distinct positions at each distance
    States(commands::states::Arguments),
    /// Make the pattern databases that a puzzle declares as abstractions
    Tables(commands::tables::Arguments),
    /// Make and use databases of all positions with few pieces
    Endgame(commands::endgame::Arguments),
    /// Explain the value of a position term by term
    Evaluate(OnGame<evaluate::Arguments>),
    /// Play random games and report statistics
    Playout(commands::playout::Arguments),
    /// Speak the Universal Chess Interface, for chess or any other game
    Uci(OnGame<uci::Arguments>),
    /// Tune the weights of an evaluation by self-play
    Learn(Box<commands::learn::Arguments>),
    /// Measure what a game is like: advantage, length, choice, drama, worth of thinking
    Analyze(commands::analyze::Arguments),
    /// Play many games between two players, and find out which one is stronger
    Match(Box<commands::matches::Arguments>),
    /// Search fixed positions of several games and count nodes
    Bench(commands::bench::Arguments),
    /// Publish a game as a web page that works from a file, or all games as a site
    Publish(commands::publish::Arguments),
    /// Serve a page for playing, and an HTTP interface for scripts
    Serve(commands::serve::Arguments),
    /// Run rules that came with a request
    #[command(hide = true)]
    ServeWorker(commands::serve::WorkerArguments),
}

/// Runs the command line of this process; `join` leads to the others if there are several.
pub fn main(join: Option<Join>) -> ExitCode {
    // Rank 0 alone reads the command line: it has the screen, and files that arguments name.
    match ranks::run(join, &|| run(&parse()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => output::report(&error),
    }
}

impl Command {
    /// Whether it uses all ranks of a job.
    fn uses_ranks(&self) -> bool {
        match self {
            Command::Play(with) => with.game.backend != multigame_loader::Backend::Aot,
            Command::Search(with) => with.game.backend != multigame_loader::Backend::Aot,
            Command::Solve(_)
            | Command::Match(_)
            | Command::Learn(_)
            | Command::Analyze(_)
            | Command::Tables(_)
            | Command::Simulate(_)
            | Command::Serve(_) => true,
            Command::Experiment(arguments) => arguments.runs(),
            Command::Perft(with) => with.game.backend != multigame_loader::Backend::Aot,
            Command::Uci(with) => with.game.backend != multigame_loader::Backend::Aot,
            Command::Cluster(_) => true,
            _ => false,
        }
    }
}

/// Reads the command line. Help has colours where a person sees them.
fn parse() -> Result<Arguments, clap::Error> {
    let colour = if terminal::sees_output() { ColorChoice::Auto } else { ColorChoice::Never };
    Arguments::from_arg_matches(&Arguments::command().color(colour).try_get_matches()?)
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let several = multigame_player::ranks::installed().filter(|ranks| ranks.size() > 1);
    if let Some(ranks) = several.filter(|_| !arguments.command.uses_ranks()) {
        eprintln!("note: this command uses one rank; the other {} wait", ranks.size() - 1);
    }
    match &arguments.command {
        Command::Play(arguments) => arguments.play(),
        Command::Search(arguments) => arguments.run(),
        Command::Solve(arguments) => commands::solve::run(arguments),
        Command::Games(arguments) => commands::games::run(arguments),
        Command::Options(arguments) => commands::options::run(arguments),
        Command::Check(arguments) => commands::check::run(arguments),
        Command::Fmt(arguments) => commands::fmt::run(arguments),
        Command::Lsp(arguments) => commands::lsp::run(arguments),
        Command::Ir(arguments) => commands::ir::run(arguments),
        Command::Build(arguments) => commands::build::run(arguments),
        Command::Show(arguments) => arguments.run_once(),
        Command::Moves(arguments) => arguments.run_once(),
        Command::Cluster(arguments) => commands::cluster::run(arguments),
        Command::Simulate(arguments) => commands::simulate::run(arguments),
        Command::Tune(arguments) => commands::tune::run(arguments),
        Command::Experiment(arguments) => commands::experiment::run(arguments),
        Command::Perft(arguments) => arguments.run(),
        Command::States(arguments) => commands::states::run(arguments),
        Command::Tables(arguments) => commands::tables::run(arguments),
        Command::Endgame(arguments) => commands::endgame::run(arguments),
        Command::Evaluate(arguments) => arguments.run_once(),
        Command::Playout(arguments) => commands::playout::run(arguments),
        Command::Uci(arguments) => arguments.run(),
        Command::Learn(arguments) => commands::learn::run(arguments),
        Command::Analyze(arguments) => commands::analyze::run(arguments),
        Command::Match(arguments) => commands::matches::run(arguments),
        Command::Bench(arguments) => commands::bench::run(arguments),
        Command::Publish(arguments) => commands::publish::run(arguments),
        Command::Serve(arguments) => commands::serve::run(arguments),
        Command::ServeWorker(arguments) => commands::serve::run_worker(arguments),
    }
}
