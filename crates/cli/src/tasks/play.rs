//! `multigame play`: the shell.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use multigame_game::{Portable, WithGame};
use multigame_player::{Book, Clock, Limits, parse_clock};
use multigame_shell::{Manner, Shell, interact};

use crate::arguments::{LimitArguments, PositionArguments, SearchArguments};
use crate::{interrupt, output};

/// Play a game in the shell.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
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

impl Arguments {
    /// The shell on standard input and output; `report` tells what was wrong with a line.
    pub fn task<'a>(&'a self, report: &'a (dyn Fn(anyhow::Error) + Sync)) -> Play<'a> {
        Play { arguments: self, report }
    }
}

/// Play a game in the shell, whatever type the game has.
pub struct Play<'a> {
    arguments: &'a Arguments,
    report: &'a (dyn Fn(anyhow::Error) + Sync),
}

impl WithGame for Play<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Portable>(self, game: G) -> anyhow::Result<()> {
        let arguments = self.arguments;
        let start = arguments.position.position(&game)?;
        let limits = Limits { clock: arguments.clock, ..arguments.limits.limits() }.or_usual();
        let mut player = arguments.search.player(&game, limits)?;
        if let Some(file) = &arguments.book {
            player.book = Book::read(&game, file.clone())?;
        }
        interrupt::catch()?;
        let interrupt = &interrupt::INTERRUPT;
        let manner = Manner { draw: output::draw_style(), interrupt, report: self.report };
        let mut shell = Shell::new(&game, start, player, arguments.seed, manner);
        match arguments.computer {
            None => shell.computer_answers(),
            Some(Computer::White) => shell.set_computer(true, false),
            Some(Computer::Black) => shell.set_computer(false, true),
            Some(Computer::Both) => shell.set_computer(true, true),
            Some(Computer::None) => shell.set_computer(false, false),
        }
        interact(&mut shell)
    }
}
