//! `multigame cluster`: what one wants to know about a cluster before a long run.

mod check;
mod measure;
mod predict;

use anyhow::Context;
use clap::{Args, Subcommand};
use multigame_player::ranks::{self, Ranks};

/// Inspect the cluster on which `mpirun` started this program.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Tell where the ranks run, how fast messages are, and what looks wrong
    Check(check::Arguments),
    /// Write what work and messages cost here, for `simulate --network`
    Measure(measure::Arguments),
    /// Say from a run on few processes how long a search would take on many
    Predict(Box<predict::Arguments>),
}

/// Does what is asked for.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Check(arguments) => check::run(ranks_for("check")?, arguments),
        Command::Measure(arguments) => measure::run(ranks_for("measure")?, arguments),
        Command::Predict(arguments) => predict::run(arguments),
    }
}

/// The ranks, for a command that needs some.
fn ranks_for(command: &str) -> anyhow::Result<&'static Ranks> {
    let several = ranks::installed().filter(|ranks| ranks.size() > 1);
    several.with_context(|| {
        format!("there is one process only; start several, such as `mpirun -n 4 multigame cluster {command}`")
    })
}
