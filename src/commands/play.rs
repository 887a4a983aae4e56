//! `multigame play`: the shell.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use multigame_game::Game;

use crate::engine::{Book, Clock, LimitArguments, Limits, SearchArguments, interrupt, parse_clock};
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
    #[command(flatten)]
    search: SearchArguments,
    #[command(flatten)]
    limits: LimitArguments,
    /// Time of each player for the whole game and what is added after each move, such as `300+2`
    #[arg(long, value_name = "TIME+INCREMENT", value_parser = parse_clock)]
    clock: Option<Clock>,
    /// A file with opening moves, which `opening` adds to
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
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
        let limits = Limits { clock: arguments.clock, ..arguments.limits.limits() }.or_usual();
        let mut player = arguments.search.player(loaded, limits)?;
        if let Some(file) = &arguments.book {
            player.book = Book::read(&loaded.game, file.clone())?;
        }
        interrupt::catch()?;
        let mut shell = Shell::new(loaded, start, player, arguments.seed);
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
