//! `multigame ir`: the move program behind rules.

use std::io::Write;

use clap::Args;

use crate::load;

/// Print the move program that rules are compiled into.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: load::GameArguments,
}

/// Prints the textual form.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (_, program) = load::program(&arguments.game)?;
    write!(std::io::stdout(), "{}", multigame_ir::print(&program))?;
    Ok(())
}
