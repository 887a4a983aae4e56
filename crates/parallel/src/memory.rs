//! The transposition table that is spread over workers which share no memory.
//!
//! Every worker has a table of its own, and its kernel uses nothing else. *Partitioned*: each position has a home. Before
//! a node in the worker's hands is opened, its home is asked; the answer is put into the worker's own table, where the
//! kernel finds it. What is found out is told to the home. *Replicated*: nobody is asked, everybody is told. *Private*:
//! neither. *Shared*: the tables are one and the same.

use std::collections::BTreeMap;

use multigame_game::{Game, Signature};
use multigame_search::Entry;

use crate::level::Level;
use crate::policy::NodeKind;
use crate::protocol::Message;
use crate::setup::Memory;
use crate::tree::{Post, Tree};
use crate::worker::WorkerId;

/// Entries that wait for company on their way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Letters {
    to_home: BTreeMap<WorkerId, Vec<(Signature, Entry)>>,
    to_all: Vec<(Signature, Entry)>,
}

/// The worker that knows about a position.
pub fn home(signature: Signature, workers: u32) -> WorkerId {
    // Other bits than those that choose a place in the table.
    let mixed = signature.rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(mixed) * u128::from(workers)) >> 64) as WorkerId
}

impl<G: Game> Tree<'_, G> {
    /// Asks the home of a node about it, where that pays. False if nobody else is expected to know better; with `exact` only
    /// entries of the same depth count.
    pub fn look_up(&mut self, level: &Level<G>, exact: bool, mail: Post<'_, G>) -> bool {
        let Memory::Partitioned { least_depth, .. } = self.setup.memory else { return false };
        let (signature, depth) = (level.entry.signature, level.depth);
        let (Some(table), home) = (self.table, home(signature, self.workers)) else { return false };
        // Fathers of leaves that are expected to have no cutoff have rarely been searched before: 6 of 100 in chess, where a
        // cutoff is expected 24.
        let is_rare = depth == 1 && level.kind == NodeKind::All;
        if depth < least_depth.max(1) || is_rare || home == self.me {
            return false;
        }
        let decides =
            |entry: Entry| entry.answers(depth, exact) && entry.bounds(level.ply).decides(level.window);
        if table.probe(signature).is_some_and(decides) {
            return false;
        }
        self.counters.lookups += 1;
        self.asked = true;
        mail.send(home, Message::Lookup { signature });
        true
    }

    pub(crate) fn answer(&mut self, from: WorkerId, signature: Signature, mail: Post<'_, G>) {
        let entry = self.table.and_then(|table| table.probe(signature));
        mail.send(from, Message::Answer { signature, entry });
    }

    pub(crate) fn answered(&mut self, signature: Signature, entry: Option<Entry>) {
        if let (Some(table), Some(entry)) = (self.table, entry) {
            table.store(signature, entry);
        }
        for level in &mut self.levels {
            if level.looking && level.entry.signature == signature {
                level.looking = false;
            }
        }
    }

    pub(crate) fn store(&mut self, entries: Vec<(Signature, Entry)>) {
        if let Some(table) = self.table {
            for (signature, entry) in entries {
                table.store(signature, entry);
            }
        }
    }

    /// Tells those who should know what was found out about a position.
    pub fn tell(&mut self, signature: Signature, entry: Entry, mail: Post<'_, G>) {
        match self.setup.memory {
            Memory::Shared | Memory::Private => {}
            Memory::Partitioned { least_depth, combine } => {
                let home = home(signature, self.workers);
                if entry.depth < least_depth || home == self.me {
                    return;
                }
                self.counters.told += 1;
                let letter = self.letters.to_home.entry(home).or_default();
                letter.push((signature, entry));
                if letter.len() >= combine {
                    mail.send(home, Message::Store(std::mem::take(letter)));
                }
            }
            Memory::Replicated { least_depth, combine } => {
                if entry.depth < least_depth {
                    return;
                }
                self.counters.told += 1;
                self.letters.to_all.push((signature, entry));
                if self.letters.to_all.len() >= combine {
                    self.broadcast(mail);
                }
            }
        }
    }

    /// Sends what waits for company: a worker without work has time for it.
    pub fn flush(&mut self, mail: Post<'_, G>) {
        for (home, letter) in std::mem::take(&mut self.letters.to_home) {
            if !letter.is_empty() {
                mail.send(home, Message::Store(letter));
            }
        }
        self.broadcast(mail);
    }

    fn broadcast(&mut self, mail: Post<'_, G>) {
        let entries = std::mem::take(&mut self.letters.to_all);
        if !entries.is_empty() {
            for other in (0..self.workers).filter(|&other| other != self.me) {
                mail.send(other, Message::Store(entries.clone()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use multigame_game::Random;

    use super::*;

    #[test]
    fn homes_are_spread_evenly() {
        let mut random = Random::new(3);
        let mut counts = [0; 7];
        for _ in 0..70_000 {
            counts[home(random.next_u64(), 7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_000..11_000).contains(count)), "{counts:?}");
        assert_eq!(home(12345, 1), 0);
    }
}
