//! `multigame simulate`: a search of a game, or of a random tree, on a simulated parallel machine.

mod runs;

pub use runs::SimulationTask;

use clap::Args;
use multigame_loader::Backend;
use multigame_search::random_tree::{Guess, RandomTree, Shape};

use crate::chores::GamelessChore;
use crate::load::{GameArguments, with_game};

/// The game that has no rules.
const TREE: &str = "random-tree";

/// Search a position on a simulated parallel machine. The game `random-tree` is a uniform tree with random
/// values.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The shape of a `random-tree`: `width`, `height`, `seed`, `ordered` (how often the first move is best,
    /// in percent), `positions` of each level (0 for a tree without transpositions), `spread` of values,
    /// `noise` of evaluations
    #[arg(long, value_name = "NAME=VALUE,...", default_value = "", value_parser = parse_shape)]
    tree: Shape,
    #[command(flatten)]
    simulation: runs::Arguments,
}

/// Reads `width=8,height=10`.
fn parse_shape(text: &str) -> Result<Shape, String> {
    let mut shape = Shape { width: 8, height: 12, ..Shape::default() };
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').ok_or("`NAME=VALUE` is expected, such as `width=8`")?;
        let number: i64 = value.trim().parse().map_err(|_| format!("`{value}` is not a whole number"))?;
        let fits = |most: i64| {
            let wrong = || format!("`{name}` of a tree is a number from 0 to {most}, not {number}");
            (0..=most).contains(&number).then_some(number).ok_or_else(wrong)
        };
        match name.trim() {
            "width" => shape.width = fits(1000)?.max(1) as u16,
            "height" => shape.height = fits(200)? as u16,
            "seed" => shape.seed = fits(i64::MAX)? as u64,
            "ordered" => shape.ordered = fits(100)? as u32,
            "positions" => shape.positions = fits(1 << 30)? as u32,
            "spread" => shape.spread = fits(100_000)?.max(1) as i32,
            "noise" => shape.noise = fits(100_000)? as i32,
            _ => {
                return Err(format!(
                    "a tree has no `{name}`; it has width, height, seed, ordered, positions, spread, noise"
                ));
            }
        }
    }
    Ok(shape)
}

/// Prints a table.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.game.game == TREE {
        let farm = |task| GamelessChore::Simulation(arguments.tree, Box::new(task)).farm();
        return arguments.simulation.run_with(&RandomTree::new(arguments.tree), &Guess, &farm);
    }
    if arguments.tree != parse_shape("").map_err(anyhow::Error::msg)? {
        anyhow::bail!("`--tree` shapes the game `{TREE}`; leave it out or simulate that game");
    }
    if arguments.game.backend == Backend::Aot {
        anyhow::bail!("programs built for a game do not simulate; use `--backend jit`");
    }
    with_game(&arguments.game, &arguments.simulation)
}
