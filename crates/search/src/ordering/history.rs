//! The history heuristic in the form of the Multigame thesis: keyed by the signature difference of a move, so
//! that it needs to know nothing about the game.

const SIZE: usize = 1 << 14;
/// Counts stay below this, so that they fit below the other stages of move ordering.
const LIMIT: u32 = 1 << 30;

/// Counts of best moves, weighted by the size of their trees.
#[derive(Clone, Debug)]
pub(crate) struct HistoryTable {
    counts: Vec<u32>,
}

impl Default for HistoryTable {
    fn default() -> Self {
        HistoryTable { counts: vec![0; SIZE] }
    }
}

impl HistoryTable {
    /// The count of a move.
    #[inline]
    pub fn get(&self, key: u64) -> u32 {
        self.counts[slot(key)]
    }

    /// A move was best at a node of that depth: adds `2^depth`. Where that overflows, all counts are halved.
    pub fn add(&mut self, key: u64, depth: u32) {
        let bonus = 1 << depth.min(24);
        if self.counts[slot(key)] + bonus >= LIMIT {
            for count in &mut self.counts {
                *count /= 2;
            }
        }
        self.counts[slot(key)] += bonus;
    }

    /// A move was tried in vain at a node of that depth: takes `2^depth` away, as far as there is something.
    pub fn subtract(&mut self, key: u64, depth: u32) {
        let count = &mut self.counts[slot(key)];
        *count = count.saturating_sub(1 << depth.min(24));
    }

    /// All counts.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Takes counts of the same length over.
    pub fn set(&mut self, counts: &[u32]) {
        self.counts.copy_from_slice(counts);
    }

    /// Adds counts of the same length.
    pub fn merge(&mut self, counts: &[u32]) {
        for (own, other) in self.counts.iter_mut().zip(counts) {
            *own = own.saturating_add(*other);
        }
        while self.counts.iter().any(|&count| count >= LIMIT) {
            self.age();
        }
    }

    /// Adds some counts, each to its place.
    pub fn add_some(&mut self, counts: &[(u16, u32)]) {
        for &(place, count) in counts {
            let own = &mut self.counts[usize::from(place) % SIZE];
            *own = own.saturating_add(count);
            if *own >= LIMIT {
                self.age();
            }
        }
    }

    /// Halves all counts: what was learned for an earlier position counts less.
    pub fn age(&mut self) {
        for count in &mut self.counts {
            *count /= 2;
        }
    }
}

fn slot(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_tried_in_vain_count_less_but_never_less_than_nothing() {
        let mut history = HistoryTable::default();
        history.add(1, 3);
        history.subtract(1, 2);
        assert_eq!(history.get(1), 4);
        history.subtract(1, 9);
        assert_eq!(history.get(1), 0);
    }

    #[test]
    fn some_counts_are_added_where_they_belong() {
        let mut history = HistoryTable::default();
        history.add_some(&[(3, 5), (SIZE as u16 - 1, 7), (3, 1)]);
        assert_eq!((history.counts()[3], history.counts()[SIZE - 1]), (6, 7));
        history.add_some(&[(4, LIMIT)]);
        assert_eq!((history.counts()[3], history.counts()[4]), (3, LIMIT / 2));
    }

    #[test]
    fn overflow_halves_everything() {
        let mut history = HistoryTable::default();
        history.add(1, 3);
        assert_eq!(history.get(1), 8);
        for _ in 0..64 {
            history.add(2, 24);
        }
        assert_eq!(history.get(1), 4);
        assert!(history.get(2) < LIMIT && history.get(2) > LIMIT / 4);
    }
}
