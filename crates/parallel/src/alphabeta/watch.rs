//! Messages that arrive while the kernel runs.

use multigame_game::{Game, Signature};
use multigame_search::{Computed, Control, Entry, Monitor, Statistics, Window};

use crate::level::{Level, Stage};
use crate::protocol::Message;
use crate::tree::Tree;
use crate::worker::Mail;

/// Handles messages while the kernel runs.
pub(super) struct Watch<'w, 'a, 'm, G: Game, M> {
    pub tree: &'w mut Tree<'a, G>,
    pub mail: &'w mut (dyn Mail<Message<G>> + 'm),
    /// What the tree had been through when the kernel was started.
    pub changes: u64,
    /// The window of the child the kernel searches.
    pub child: Option<Window>,
    pub witness: &'w mut M,
    /// Nodes visited before.
    pub nodes: u64,
}

impl<G: Game, M: Monitor<G>> Monitor<G> for Watch<'_, '_, '_, G, M> {
    fn witnesses(&self) -> bool {
        self.witness.witnesses()
    }

    fn computed(&mut self, computed: &Computed<'_, G>) {
        self.witness.computed(computed);
    }

    fn stored_from(&self) -> u32 {
        self.tree.spread.told_to_all_from()
    }

    fn stored(&mut self, signature: Signature, entry: Entry) {
        self.tree.spread.tell(signature, entry, &mut self.tree.counters, self.mail);
    }

    fn poll(&mut self, statistics: &Statistics) -> Control {
        self.mail.visited(self.nodes + statistics.nodes);
        while let Some((from, message)) = self.mail.receive() {
            self.tree.handle(from, message, self.mail);
        }
        self.tree.invite(self.mail);
        if self.tree.changes != self.changes || self.tree.failed.is_some() {
            return Control::Stop;
        }
        let (Some(asked), Some(level)) = (self.child, self.tree.levels.last()) else {
            return Control::Continue;
        };
        match level.own {
            Some(own) if own.stage == Stage::Value && self.tree.policy().prunes() => {
                let window = Level::<G>::for_child(level.window, own.same_side);
                if self.tree.policy().sends_windows() && asked.and(window) != asked {
                    Control::Narrow(window)
                } else {
                    Control::Continue
                }
            }
            _ => Control::Continue,
        }
    }
}
