//! `multigame uci`: lets graphical programs and tournament managers play with the computer.

use clap::Args;
use multigame_game::{Portable, WithGame};
use multigame_player::Limits;

use crate::arguments::SearchArguments;
use crate::interrupt;

/// Speak the Universal Chess Interface, for chess or any other game.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    search: SearchArguments,
}

impl WithGame for &Arguments {
    type Output = anyhow::Result<()>;

    /// Answers commands on standard input until `quit`.
    fn run<G: Portable>(self, game: G) -> anyhow::Result<()> {
        let player = self.search.player(&game, Limits::usual())?;
        let input = std::io::BufReader::new(std::io::stdin());
        multigame_uci::serve(&game, player, interrupt::flag(), input, std::io::stdout())
    }
}
