//! Alpha-Beta, fail-soft: every child is searched with the whole window that is left.

use multigame_game::Game;

use crate::kernel::{Answer, Kernel};
use crate::{Evaluator, Monitor};

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Kernel<'_, G, E, M> {
    /// Searches the child with the node's window.
    #[inline]
    pub(crate) fn full(&mut self, ply: usize, depth: u32) -> Answer {
        let window = self.work.frames[ply].window;
        self.descend(ply, depth, window, false)
    }
}
