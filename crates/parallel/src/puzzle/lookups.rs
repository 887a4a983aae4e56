//! What a worker that has positions in hand asks and tells others about them: partitioned, hybrid and
//! replicated tables for IDA*.
//!
//! Entries travel without the salt of the search, which is another one in each process. Letters of other
//! searches do not arrive.

use multigame_game::{Game, Signature};
use multigame_search::{Entry, Evaluator};

use super::PuzzleWorker;
use super::protocol::PuzzleMessage;
use crate::memory::Question;
use crate::worker::Mail;

impl<G: Game, E: Evaluator<G>> PuzzleWorker<'_, G, E> {
    /// Whether others may know that more moves are needed from a position than are left.
    fn is_worth_asking(&self, signature: Signature, left: u32) -> bool {
        let Some(table) = self.table.filter(|_| self.spread.asks(left)) else { return false };
        if self.spread.asks_for_families() && !self.levels.iter().rev().take(2).any(|level| level.known) {
            return false;
        }
        let decides = || self.pursuit.known(table, signature).is_some_and(|known| known > left);
        !(self.spread.asks_itself_first() && decides())
    }

    /// Asks the home of a position about it, where that pays. True if there is an answer to wait for.
    pub(super) fn look_up(
        &mut self,
        signature: Signature,
        left: u32,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) -> bool {
        self.is_worth_asking(signature, left)
            && self.spread.ask(signature, &mut self.counters, mail) != Question::None
    }

    /// Asks the home of a position that will be searched soon.
    pub(super) fn look_ahead(
        &mut self,
        signature: Signature,
        left: u32,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) {
        if self.is_worth_asking(signature, left) {
            self.spread.ask_ahead(signature, &mut self.counters, mail);
        }
    }

    pub(super) fn answered(&mut self, signature: Signature, entry: Option<Entry>) {
        if let Some(entry) = entry {
            self.store(&[(signature, entry)]);
        }
        self.spread.answered(signature, entry.is_some(), &mut self.counters);
        if let Some(sought) = self.sought.as_mut().filter(|sought| sought.signature == signature) {
            sought.waits = false;
        }
    }

    pub(super) fn store(&mut self, entries: &[(Signature, Entry)]) {
        if let Some(table) = self.table {
            entries.iter().for_each(|&(signature, entry)| self.pursuit.store(table, signature, entry));
        }
    }

    /// Writes what was found out about a position into the table, and tells those who should know.
    pub(super) fn learn(
        &mut self,
        signature: Signature,
        (left, least): (u32, u32),
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) {
        let Some(table) = self.table else { return };
        self.statistics.table_stores += 1;
        let entry = self.pursuit.learn(table, signature, left, least);
        self.spread.tell(signature, entry, &mut self.counters, mail);
    }
}
