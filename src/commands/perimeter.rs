//! The positions around the goal of a puzzle, for `multigame solve --perimeter`.

use std::io::{IsTerminal, Write};
use std::time::Instant;

use anyhow::Context;
use multigame_game::{Diagram, Game};
use multigame_ir::Program;
use multigame_loader::{Backend, Playable, Task};
use multigame_player::interrupt;
use multigame_search::patterns::Perimeter;

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

impl Task for Around<'_> {
    type Output = anyhow::Result<Perimeter>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<Perimeter> {
        let live = std::io::stderr().is_terminal();
        let (start, mut told) = (Instant::now(), 0);
        let mut report = |count: usize| {
            if count < told + REPORT {
                return true;
            }
            told = count;
            if live {
                let _ = write!(std::io::stderr(), "\r\x1b[K{count} positions around the goal");
            }
            !interrupt::take()
        };
        let goal = game.position(self.goal);
        let perimeter = Perimeter::around(&game, &goal, self.width, self.most, &mut report)
            .context("no perimeter around the goal")?;
        let end = if live { "\r\x1b[K" } else { "" };
        let (count, seconds) = (perimeter.len(), start.elapsed().as_secs_f64());
        writeln!(std::io::stderr(), "{end}{count} positions around the goal in {seconds:.1} s")?;
        Ok(perimeter)
    }
}
