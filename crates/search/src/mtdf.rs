//! MTD(f): the value is closed in on by zero windows alone, each starting from what the last one said.

use multigame_game::Game;

use crate::kernel::{Answer, Found, Kernel};
use crate::{Bounds, Evaluator, Monitor, Value, Window};

/// More passes than any sound search needs.
const MAX_PASSES: u32 = 1000;

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Kernel<'_, G, E, M> {
    /// Searches the root to a depth beginning with a guess. The best line is left in the first frame.
    pub(crate) fn mtdf(&mut self, depth: u32, guess: Value) -> Answer {
        let (mut bounds, mut guess) = (Bounds::UNKNOWN, guess);
        let (mut lower_complete, mut upper_complete) = (false, false);
        // A pass that fails low knows no best move; the line of the last one that failed high stays.
        let mut pv = Vec::new();
        // Entries deeper than needed can contradict each other; then the last pass is a full search.
        for pass in 0..=MAX_PASSES {
            let matters = self.pulse.narrowed(Window::FULL);
            if bounds.decides(matters) {
                break;
            }
            let beta = guess.max(bounds.lower + 1);
            self.pulse.statistics.root_passes += 1;
            let window = if pass < MAX_PASSES { Window::above(beta - 1) } else { Window::FULL };
            let found = self.search(depth, window)?;
            if found.bounds.lower > bounds.lower {
                lower_complete = found.complete;
            }
            if found.bounds.upper < bounds.upper {
                upper_complete = found.complete;
            }
            bounds = bounds.and(found.bounds);
            if found.bounds.lower >= beta || (bounds.is_exact() && !self.work.frames[0].pv.is_empty()) {
                pv.clone_from(&self.work.frames[0].pv);
            }
            guess = if found.bounds.lower >= beta { bounds.lower } else { bounds.upper };
        }
        self.work.frames[0].pv = pv;
        Ok(Found { bounds, complete: lower_complete && upper_complete })
    }
}
