//! `multigame states`: how many different positions there are at each distance.

use std::collections::HashSet;
use std::io::Write;
use std::ops::ControlFlow;

use anyhow::bail;
use clap::Args;
use multigame_game::{Diagram, Game};
use multigame_loader::WithGame;

use crate::arguments::PositionArguments;
use crate::{load, output};

/// Count the distinct positions at each distance.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: load::GameArguments,
    #[command(flatten)]
    position: PositionArguments,
    /// Greatest distance; all the way if not given
    #[arg(long)]
    depth: Option<u32>,
    /// Go on from positions that are the goal of a puzzle, to count from the goal outward
    #[arg(long)]
    through_goals: bool,
    /// Stop with an error at more positions than this
    #[arg(long, default_value_t = 20_000_000)]
    limit: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints `states DISTANCE COUNT TOTAL` for each distance.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (source, mut program) = load::program(&arguments.game)?;
    if arguments.through_goals {
        program.goal = None;
    }
    load::with_program(&source, program, arguments.game.backend, arguments)
}

impl WithGame for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let arguments = self;
        let start = arguments.position.position(&game)?;
        let mut met: HashSet<Diagram> = HashSet::from([game.diagram(&start)]);
        let mut level = vec![start];
        let mut counts = Vec::new();
        let mut out = std::io::stdout().lock();
        while !level.is_empty() {
            let distance = counts.len() as u32;
            counts.push(level.len());
            if !arguments.json {
                writeln!(out, "states {distance} {} {}", level.len(), counts.iter().sum::<usize>())?;
                out.flush()?;
            }
            if arguments.depth.is_some_and(|depth| distance >= depth) {
                break;
            }
            let mut next = Vec::new();
            for position in &level {
                let visited = game.visit(position, &mut |_, child| {
                    if met.insert(game.diagram(child)) {
                        next.push(child.clone());
                    }
                    ControlFlow::Continue(())
                });
                visited?;
                if met.len() > arguments.limit {
                    bail!("more than {} positions; give a `--depth` or a higher `--limit`", arguments.limit);
                }
            }
            level = next;
        }
        if arguments.json {
            return output::json(&serde_json::json!({"game": game.description().name, "states": counts}));
        }
        Ok(())
    }
}
