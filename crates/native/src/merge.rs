//! Equal results become one.

use multigame_mir::{HEADER, Header, SIGNATURE};

use crate::words::same;
use crate::{Children, NativePosition};

/// Positions one after the other, however they are kept.
pub trait Positions {
    /// How many.
    fn count(&self) -> usize;

    /// The words of one.
    fn words(&self, number: usize) -> &[u64];

    /// The words of one.
    fn words_mut(&mut self, number: usize) -> &mut [u64];

    /// Copies one over an earlier one.
    fn copy(&mut self, from: usize, to: usize);

    /// Keeps the first ones.
    fn keep(&mut self, count: usize);
}

const FREE: u32 = u32::MAX;

/// Keeps the first of equal positions; it is irreversible only if all of them are. `slots` is memory to work in.
pub fn merge(positions: &mut impl Positions, slots: &mut Vec<u32>) {
    let count = positions.count();
    if count < 2 {
        return;
    }
    let size = (count * 2).next_power_of_two();
    slots.clear();
    slots.resize(size, FREE);
    let mut kept = 0;
    for number in 0..count {
        let mut slot = positions.words(number)[SIGNATURE] as usize & (size - 1);
        let equal = loop {
            match slots[slot] {
                FREE => break None,
                it if same(positions.words(it as usize), positions.words(number)) => break Some(it as usize),
                _ => slot = (slot + 1) & (size - 1),
            }
        };
        if let Some(equal) = equal {
            let header = positions.words(number)[HEADER];
            positions.words_mut(equal)[HEADER] &= header | !Header::IRREVERSIBLE;
            continue;
        }
        slots[slot] = kept as u32;
        if kept != number {
            positions.copy(number, kept);
        }
        kept += 1;
    }
    positions.keep(kept);
}

impl<const WORDS: usize> Positions for Children<WORDS> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn words(&self, number: usize) -> &[u64] {
        &self.0[number].words
    }

    fn words_mut(&mut self, number: usize) -> &mut [u64] {
        &mut self.0[number].words
    }

    fn copy(&mut self, from: usize, to: usize) {
        let NativePosition { words } = self.0[from];
        self.0[to].words = words;
    }

    fn keep(&mut self, count: usize) {
        self.0.truncate(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_of_equals_stays_and_is_irreversible_if_all_are() {
        let children = [[5, 3, 7], [5, 3, 8], [5, 1, 7], [9, 3, 1], [5, 3, 8], [5, 1 | 4, 7]];
        let mut children = Children(children.map(|words| NativePosition { words }).to_vec());
        merge(&mut children, &mut Vec::new());
        let found: Vec<[u64; 3]> = children.0.iter().map(|child| child.words).collect();
        assert_eq!(found, [[5, 1, 7], [5, 3, 8], [9, 3, 1], [5, 1 | 4, 7]]);
    }
}
