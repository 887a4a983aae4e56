//! The changes that moves make to a lower bound that is a sum of parts, by the difference of signatures that
//! they make: a move and the one that takes it back have the same, and change the same parts.
//!
//! Where a part depends on one piece alone, such a difference takes that piece from one of two fields to the
//! other. So the part has one of two values, before the move and after it, and their sum tells the new one
//! from the old: the position need not be looked at.

use multigame_game::{Game, Signature};

use crate::Evaluator;

/// Bounds of more parts are computed anew for each position.
pub(super) const MOST_PARTS: usize = 32;

/// The parts of a bound.
pub(super) type Parts = [u8; MOST_PARTS];

/// The change that a move makes to the parts of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Nothing,
    /// A part that depends on one piece: what it is before the move and after it together.
    Swaps(u8, u16),
    /// A part that has to be computed anew.
    One(u8),
    Several,
}

/// The known changes.
#[derive(Debug)]
pub(super) struct Changes {
    /// A hash table that is at most half full, so that a search of the same few moves touches little memory.
    entries: Vec<(Signature, Change)>,
    used: usize,
}

const FEWEST: usize = 64;
/// Moves beyond are not remembered.
const MOST: usize = 1 << 16;

impl Changes {
    /// Nothing where the bound is not a sum of parts.
    pub fn of<G: Game, E: Evaluator<G>>(evaluator: &E) -> Option<Changes> {
        let parts = 1..=MOST_PARTS;
        let empty = || Changes { entries: vec![(0, Change::Nothing); FEWEST], used: 0 };
        parts.contains(&evaluator.bound_parts()).then(empty)
    }

    /// The change that a move with this difference of signatures makes to the bound.
    #[inline]
    pub fn get(&self, difference: Signature) -> Option<Change> {
        let mask = self.entries.len() - 1;
        let mut slot = difference as usize & mask;
        loop {
            let (known, change) = self.entries[slot & mask];
            if known == difference {
                return Some(change);
            }
            // Moves that leave the signature as it is, which is 0 here, were found above.
            if known == 0 {
                return None;
            }
            slot += 1;
        }
    }

    /// Finds out how a move changes the bound.
    #[cold]
    pub fn learn<G: Game, E: Evaluator<G>>(
        &mut self,
        (game, evaluator): (&G, &E),
        before: &G::Position,
        after: &G::Position,
    ) -> Change {
        let moves = |&part: &usize| evaluator.bound_part_moves(game, before, after, part);
        let mut parts = (0..evaluator.bound_parts()).filter(moves);
        let change = match (parts.next(), parts.next()) {
            (None, _) => Change::Nothing,
            (Some(part), None) if evaluator.bound_parts_are_single() => {
                let values = [before, after].map(|position| evaluator.bound_part(game, position, part));
                Change::Swaps(part as u8, (values[0] + values[1]) as u16)
            }
            (Some(part), None) => Change::One(part as u8),
            _ => Change::Several,
        };
        self.set(game.signature(before) ^ game.signature(after), change);
        change
    }

    fn set(&mut self, difference: Signature, change: Change) {
        if difference == 0 || self.used >= MOST {
            return;
        }
        self.used += 1;
        if self.used * 2 > self.entries.len() {
            let larger = vec![(0, Change::Nothing); self.entries.len() * 2];
            let known = std::mem::replace(&mut self.entries, larger);
            known
                .into_iter()
                .filter(|entry| entry.0 != 0)
                .for_each(|(known, change)| self.put(known, change));
        }
        self.put(difference, change);
    }

    fn put(&mut self, difference: Signature, change: Change) {
        let mask = self.entries.len() - 1;
        let mut slot = difference as usize & mask;
        while self.entries[slot].0 != 0 {
            slot = (slot + 1) & mask;
        }
        self.entries[slot] = (difference, change);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_as_many_moves_as_there_are() {
        let mut changes = Changes { entries: vec![(0, Change::Nothing); FEWEST], used: 0 };
        // Differences that fall into the same place, and those that do not.
        let differences: Vec<u64> =
            (1..1000u64).map(|number| if number % 2 == 0 { number << 20 } else { number }).collect();
        for (number, &difference) in differences.iter().enumerate() {
            assert_eq!(changes.get(difference), None);
            changes.set(difference, Change::Swaps(3, number as u16));
        }
        for (number, &difference) in differences.iter().enumerate() {
            assert_eq!(changes.get(difference), Some(Change::Swaps(3, number as u16)));
        }
        assert_eq!(changes.get(0), Some(Change::Nothing), "no piece moves");
        assert_eq!(size_of::<(Signature, Change)>(), 16);
    }
}
