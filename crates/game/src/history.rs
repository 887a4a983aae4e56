//! The positions a game has gone through, for the rules on repetition.

use crate::Signature;

/// A stack of signatures that tells how often a position has occurred since the last irreversible move.
///
/// A small table of counts answers most questions without looking back: a position whose hash has not
/// occurred at all cannot have occurred.
#[derive(Clone, Debug)]
pub struct History {
    entries: Vec<Entry>,
    counts: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    signature: Signature,
    irreversible: bool,
}

const COUNTS: usize = 1024;

impl Default for History {
    fn default() -> Self {
        History { entries: Vec::new(), counts: vec![0; COUNTS] }
    }
}

impl History {
    /// Without any position.
    pub fn new() -> History {
        History::default()
    }

    /// Adds a position; `irreversible` says whether the move that led to it can never be undone.
    #[inline]
    pub fn push(&mut self, signature: Signature, irreversible: bool) {
        let count = &mut self.counts[slot(signature)];
        *count = count.saturating_add(1);
        self.entries.push(Entry { signature, irreversible });
    }

    /// Takes the last position back.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(entry) = self.entries.pop() {
            let count = &mut self.counts[slot(entry.signature)];
            // A saturated count stays: it only costs needless looks.
            if *count != u16::MAX {
                *count -= 1;
            }
        }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The positions in their order: signature, and whether the move that led there can never be undone.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (Signature, bool)> + '_ {
        self.entries.iter().map(|entry| (entry.signature, entry.irreversible))
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of moves since a position occurred for the `count`-th time, counted back from the last entry.
    pub fn cycle(&self, signature: Signature, count: u32) -> Option<u32> {
        let mut left = count;
        for (ago, entry) in self.entries.iter().rev().enumerate() {
            left -= u32::from(entry.signature == signature && left > 0);
            if left == 0 {
                return Some(ago as u32);
            }
            if entry.irreversible {
                break;
            }
        }
        None
    }

    /// Number of times that a position has occurred since the last irreversible move, the last entry
    /// included.
    #[inline]
    pub fn occurrences(&self, signature: Signature) -> u32 {
        if self.counts[slot(signature)] == 0 {
            return 0;
        }
        let mut count = 0;
        for entry in self.entries.iter().rev() {
            count += u32::from(entry.signature == signature);
            if entry.irreversible {
                break;
            }
        }
        count
    }
}

fn slot(signature: Signature) -> usize {
    signature as usize % COUNTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_only_since_the_last_irreversible_move() {
        let mut history = History::new();
        history.push(1, false);
        history.push(2, false);
        history.push(1, false);
        assert_eq!(history.occurrences(1), 2);
        history.push(3, true);
        assert_eq!(history.occurrences(1), 0);
        history.push(1, false);
        assert_eq!(history.occurrences(1), 1);
        history.pop();
        history.pop();
        assert_eq!(history.occurrences(1), 2);
        assert_eq!(history.occurrences(1 + COUNTS as u64), 0);
        assert_eq!(history.cycle(1, 1), Some(0));
        assert_eq!(history.cycle(1, 2), Some(2));
        assert_eq!(history.cycle(1, 3), None);
    }
}
