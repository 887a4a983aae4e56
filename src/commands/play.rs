//! `multigame play`: the shell.

use clap::{Args, ValueEnum};
use multigame_game::Game;

use crate::load;
use crate::shell::{self, Shell};

/// Play a game in the shell.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: load::GameArguments,
    #[command(flatten)]
    position: load::PositionArguments,
    /// Which side the computer plays; the second player's if not given, nobody's in a puzzle
    #[arg(long, value_enum)]
    computer: Option<Computer>,
    /// The same seed gives the same random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Which side the computer plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Computer {
    White,
    Black,
    Both,
    None,
}

/// Starts the shell on standard input and output.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    load::with_game(&arguments.game, arguments)
}

impl load::Task for Arguments {
    fn run<G: Game>(&self, loaded: &load::Loaded<G>) -> anyhow::Result<()> {
        let arguments = self;
        let start = loaded.position(&arguments.position)?;
        let mut shell = Shell::new(loaded, start, arguments.seed);
        match arguments.computer {
            None => shell.computer_answers(),
            Some(Computer::White) => shell.set_computer(true, false),
            Some(Computer::Black) => shell.set_computer(false, true),
            Some(Computer::Both) => shell.set_computer(true, true),
            Some(Computer::None) => shell.set_computer(false, false),
        }
        shell::interact(&mut shell)
    }
}
