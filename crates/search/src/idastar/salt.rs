//! The entries of one search of a puzzle, apart from those of all others in the same table: each search has a
//! salt, which is mixed into the signatures of its positions. The [invariant](super) says why.

use multigame_game::{Random, Signature};

use crate::puzzle::NEVER;
use crate::transposition::{Entry, TranspositionTable};
use crate::{Bound, Value};

/// The mark that tells the entries of one search from those of others; see the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Salt(Signature);

impl Salt {
    /// The salt of a table's present search of a root.
    pub fn new(table: Option<&TranspositionTable>, root: Signature) -> Salt {
        let number = table.map_or(0, TranspositionTable::search_number);
        Salt(root).with(number)
    }

    /// A salt of its own for each number.
    pub fn with(self, number: u64) -> Salt {
        Salt(Random::new(self.0 ^ Random::new(number).next_u64()).next_u64())
    }

    /// What the table calls a position.
    #[inline]
    pub fn key(self, signature: Signature) -> Signature {
        signature ^ self.0
    }

    #[inline]
    pub(super) fn known(self, table: &TranspositionTable, signature: Signature) -> Option<u32> {
        let value = table.probe(self.key(signature))?.value;
        Some(if value == Value::MAX_EVALUATION { NEVER } else { value.number().max(0) as u32 })
    }

    #[inline]
    pub(super) fn learn(
        self,
        table: &TranspositionTable,
        signature: Signature,
        left: u32,
        least: u32,
    ) -> Entry {
        let value = Value::new(least as i32);
        let entry = Entry { value, bound: Bound::Lower, depth: left.min(255), complete: false, mark: 0 };
        table.store(self.key(signature), entry);
        entry
    }
}
