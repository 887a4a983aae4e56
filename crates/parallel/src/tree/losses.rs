//! Workers that may be lost, as in DIB (Finkel and Manber, 1987): nobody finds out who is lost. A worker that
//! has waited in vain for its patience does what it waits for itself, and goes on listening. So work is done
//! twice at worst, and the first result counts.

use multigame_game::Game;

use super::{Post, Tree};
use crate::protocol::Message;

impl<G: Game> Tree<'_, G> {
    /// How long to wait for what was asked for at that time; nothing where nobody is ever lost.
    pub fn patience_left(&self, since: u64, mail: Post<'_, G>) -> Option<u64> {
        let patience = self.setup.patience;
        (patience > 0).then(|| (since + patience).saturating_sub(mail.now()))
    }

    /// A slave's result is there before its master has done the same.
    pub(super) fn give_up_redoing(&mut self, index: usize, number: usize, mail: Post<'_, G>) {
        if self.levels[index].redoes(number) {
            self.truncate(index + 1, mail);
            self.levels[index].own = None;
        }
    }

    /// The master knows about a child: its slave need not go on, if it still does.
    pub(super) fn recall(&mut self, index: usize, number: usize, mail: Post<'_, G>) {
        let slaves = &mut self.levels[index].slaves;
        if let Some(place) = slaves.iter().position(|slave| slave.number == number) {
            let slave = slaves.swap_remove(place);
            mail.send(slave.worker, Message::Kill(slave.id));
        }
    }
}
