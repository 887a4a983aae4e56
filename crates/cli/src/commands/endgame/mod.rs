//! `multigame endgame`: databases of all positions with few pieces, from rules alone.

pub(super) mod look;
mod make;
mod plan;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use multigame_endgame::{Anatomy, Material, Standing};
use multigame_game::{Description, Game};
use multigame_progress::Progress;

use crate::{databases, load};

/// Make and use databases of all positions with few pieces.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show the slices, their order and sizes before anything is made
    Plan(plan::Arguments),
    /// Make slices, and those that they need; slices that are there stay
    Make(make::Arguments),
    /// Prove all values: each has to follow from those of its moves
    Verify(look::VerifyArguments),
    /// Count wins, draws and losses, and show the longest wins
    Statistics(look::StatisticsArguments),
    /// Show the value of a position and of each of its moves
    Probe(look::ProbeArguments),
}

/// Does what was asked for.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::Plan(arguments) => load::with_game(&arguments.game, arguments),
        Command::Make(arguments) => load::with_game(&arguments.game, arguments),
        Command::Verify(arguments) => load::with_game(&arguments.game, arguments),
        Command::Statistics(arguments) => load::with_game(&arguments.game, arguments),
        Command::Probe(arguments) => load::with_game(&arguments.game, arguments),
    }
}

/// Which slices.
#[derive(Debug, Args)]
struct SliceArguments {
    /// All slices with at most this many pieces
    #[arg(long, value_name = "PIECES", required_unless_present = "slices", value_parser = clap::value_parser!(u8).range(1..=32))]
    up_to: Option<u8>,
    /// These slices, by the signs of their pieces, such as `KQ-kr` or `KQKR`
    #[arg(long = "slice", value_name = "NAME", value_delimiter = ',')]
    slices: Vec<String>,
}

impl SliceArguments {
    fn wanted<G: Game>(
        &self,
        anatomy: &Anatomy<'_, G>,
        description: &Description,
    ) -> anyhow::Result<Vec<Material>> {
        let mut wanted = match self.up_to {
            Some(most) => anatomy.up_to(most.into())?,
            None => Vec::new(),
        };
        for name in &self.slices {
            wanted.push(Material::parse(description, name)?);
        }
        Ok(wanted)
    }
}

/// Where the databases are.
#[derive(Debug, Args)]
struct FolderArguments {
    /// The folder of the databases; `GAME.endgames` if not given
    #[arg(long, value_name = "DIR")]
    endgames: Option<PathBuf>,
}

impl FolderArguments {
    fn folder(&self, description: &Description) -> PathBuf {
        self.endgames.clone().unwrap_or_else(|| databases::folder_name(description))
    }
}

/// A value as people read it.
pub(super) fn standing_text(standing: Standing) -> String {
    let plies = |plies: u16| if plies == 1 { "1 ply".to_string() } else { format!("{plies} plies") };
    match standing {
        Standing::Win(0) => "won".to_string(),
        Standing::Loss(0) => "lost".to_string(),
        Standing::Win(count) => format!("wins in {}", plies(count)),
        Standing::Loss(count) => format!("loses in {}", plies(count)),
        Standing::Ahead(margin) => format!("wins by {margin}"),
        Standing::Behind(margin) => format!("loses by {margin}"),
        Standing::Draw => "draws".to_string(),
    }
}

/// Shows how far the work on slices has come: a bar for each stage of each of them.
#[derive(Default)]
pub(super) struct Stages {
    stage: &'static str,
    progress: Option<Progress>,
}

impl Stages {
    /// This much of a stage is done.
    pub fn at(&mut self, stage: &'static str, done: u64, of: Option<u64>) {
        if stage != self.stage || self.progress.is_none() {
            self.stage = stage;
            self.progress = Some(match of {
                Some(of) => Progress::counting(stage, of),
                None => Progress::open_ended(stage),
            });
        }
        if let Some(progress) = &mut self.progress {
            progress.at(done);
        }
    }

    /// The line is cleared.
    pub fn end(&mut self) {
        self.progress = None;
    }
}
