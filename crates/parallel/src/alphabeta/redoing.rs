//! What a worker does that has waited for others in vain: it does their work, or does without.

use multigame_game::Game;
use multigame_search::{Evaluator, Monitor};

use super::AlphaBeta;
use crate::tree::Post;
use crate::worker::Status;

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> AlphaBeta<'_, G, E, M> {
    /// How the node on top waits for others; nothing if it has found something to do instead.
    pub(super) fn wait(&mut self, spent: u64, mail: Post<'_, G>) -> Option<Status> {
        // What was spent takes its time first.
        if self.tree.setup.patience == 0 || spent > 0 {
            return Some(Status::Waiting);
        }
        let since = *self.tree.waiting_since.get_or_insert(mail.now());
        match self.tree.patience_left(since, mail) {
            None => Some(Status::Waiting),
            Some(0) => {
                self.tree.waiting_since = None;
                self.lose_patience(mail);
                None
            }
            Some(left) => Some(Status::Idle(Some(left))),
        }
    }

    /// Goes on without the answer about the node on top, or searches the child of the slave that was given
    /// the eldest one.
    fn lose_patience(&mut self, mail: Post<'_, G>) {
        let top = self.tree.levels.len() - 1;
        let level = &mut self.tree.levels[top];
        if level.looking {
            level.looking = false;
            let signature = level.entry.signature;
            self.tree.spread.distrust(signature);
            return;
        }
        let Some(slave) = level.slaves.iter().min_by_key(|slave| slave.number).copied() else { return };
        let start = level.clock;
        self.tree.counters.redone += 1;
        self.start(top, slave.number, slave.choice, None, start, false, mail);
    }
}
