//! NegaScout: the first child is searched with the whole window, its brothers are first asked whether they
//! are better.
//!
//! A brother that is better and not good enough for a cutoff is searched again, unless its value is exact
//! already: that is so whenever all its children are leaves (Reinefeld), and sometimes more often, see
//! [`crate::Bounds`].

use multigame_game::Game;

use crate::kernel::{Answer, Kernel};
use crate::{Evaluator, Monitor, Window};

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Kernel<'_, G, E, M> {
    /// Searches the child with a zero window, and again if that does not decide.
    #[inline]
    pub(crate) fn scout(&mut self, ply: usize, depth: u32, number: usize) -> Answer {
        let window = self.work.frames[ply].window;
        if number == 0 || window.is_zero() {
            return self.full(ply, depth);
        }
        let found = self.descend(ply, depth, Window::above(window.alpha), true)?;
        // The window may have been narrowed from outside in the meantime.
        if found.bounds.decides(self.work.frames[ply].window) {
            return Ok(found);
        }
        self.pulse.statistics.researches += 1;
        self.full(ply, depth)
    }
}
