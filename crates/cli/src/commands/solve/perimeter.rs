//! The positions around the goal of a puzzle, for `multigame solve --perimeter`.

use std::io::Write;
use std::time::Instant;

use anyhow::Context;
use multigame_game::{Diagram, Game};
use multigame_ir::Program;
use multigame_loader::{Backend, Playable, WithGame};
use multigame_progress::Progress;
use multigame_search::patterns::Perimeter;

use crate::interrupt;

/// Positions between two looks at whether to go on.
const REPORT: usize = 1 << 14;

/// Finds the positions at most `width` moves from a goal and says how many there are.
pub fn around(
    mut program: Program,
    backend: Backend,
    goal: &Diagram,
    width: u32,
    most: usize,
) -> anyhow::Result<Perimeter> {
    // The rules have to go on where the puzzle is solved.
    program.goal = None;
    Playable::new(program, backend).0.run(Around { goal, width, most })
}

struct Around<'a> {
    goal: &'a Diagram,
    width: u32,
    most: usize,
}

impl WithGame for Around<'_> {
    type Output = anyhow::Result<Perimeter>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<Perimeter> {
        let mut progress = Progress::open_ended("positions around the goal");
        let (start, mut told) = (Instant::now(), 0);
        let mut report = |count: usize| {
            if count < told + REPORT {
                return true;
            }
            told = count;
            progress.at(count as u64);
            !interrupt::INTERRUPT.take()
        };
        let goal = game.position(self.goal);
        let perimeter = Perimeter::around(&game, &goal, self.width, self.most, &mut report)
            .context("no perimeter around the goal")?;
        drop(progress);
        let (count, seconds) = (perimeter.len(), start.elapsed().as_secs_f64());
        writeln!(std::io::stderr(), "{count} positions around the goal in {seconds:.1} s")?;
        Ok(perimeter)
    }
}
