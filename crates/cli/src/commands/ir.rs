//! `multigame ir`: the move program behind rules.

use std::io::Write;

use clap::Args;

use crate::load;

/// Print the move program that rules are compiled into.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: load::GameArguments,
    /// Say which statements run on sets of fields, and what keeps others or the whole from it
    #[arg(long)]
    explain: bool,
}

/// Prints the textual form.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (_, program) = load::program(&arguments.game)?;
    let text =
        if arguments.explain { multigame_mir::explain(&program) } else { multigame_ir::print(&program) };
    write!(std::io::stdout(), "{text}")?;
    Ok(())
}
