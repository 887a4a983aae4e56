//! Positions one after the other, of a size that is known only while the program runs.

use std::ops::ControlFlow;

use crate::{Flexible, Kept, Position, Positions};

/// Positions one after the other in one piece of memory, which is kept for the next time.
#[derive(Debug, Default)]
pub struct WordList {
    /// Words for a whole number of positions, more than are used; all are initialised.
    buffer: Vec<u64>,
    used: usize,
    stride: usize,
}

impl WordList {
    /// Forgets all positions and gives the memory for the next ones: a whole number of them, perhaps none. It
    /// may only grow, by whole positions.
    #[inline]
    pub fn room(&mut self, words: usize) -> &mut Vec<u64> {
        self.clear(words);
        &mut self.buffer
    }

    /// From now on there are the positions in the first words of the memory.
    #[inline]
    pub fn fill(&mut self, used: usize) {
        assert!(used <= self.buffer.len(), "positions are written into their memory");
        self.used = used;
    }
}

impl Positions for WordList {
    type Kept = Flexible;

    #[inline]
    fn clear(&mut self, words: usize) {
        if self.stride != words {
            self.buffer.clear();
            self.stride = words;
        }
        self.used = 0;
    }

    #[inline]
    fn len(&self) -> usize {
        if self.used == 0 { 0 } else { self.used / self.stride }
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.used == 0
    }

    #[inline]
    fn get(&self, number: usize) -> &[u64] {
        &self.buffer[..self.used][number * self.stride..][..self.stride]
    }

    #[inline]
    fn get_mut(&mut self, number: usize) -> &mut [u64] {
        &mut self.buffer[..self.used][number * self.stride..][..self.stride]
    }

    /// PERF: a slice's own chunks divide to know their number, which takes as long as small positions to
    /// expand.
    #[inline]
    fn iter(&self) -> impl Iterator<Item = &[u64]> {
        let (mut rest, stride) = (&self.buffer[..self.used], self.stride);
        std::iter::from_fn(move || {
            let (first, others) = rest.split_at_checked(stride).filter(|(first, _)| !first.is_empty())?;
            rest = others;
            Some(first)
        })
    }

    #[inline]
    fn show(
        &self,
        room: &mut Option<Position<Flexible>>,
        visitor: &mut dyn FnMut(&Position<Flexible>) -> ControlFlow<()>,
    ) {
        let mut words = self.iter();
        let Some(first) = words.next() else { return };
        let room = room.get_or_insert_with(|| Position::new(Flexible::of(first)));
        let _ = std::iter::once(first).chain(words).try_for_each(|words| {
            room.assign(words);
            visitor(room)
        });
    }

    fn add(&mut self, position: &[u64]) -> &mut [u64] {
        assert_eq!(position.len(), self.stride, "`clear` says how many words a position has");
        let begin = self.used;
        self.used += self.stride;
        if self.buffer.len() < self.used {
            self.buffer.resize(self.used, 0);
        }
        let added = &mut self.buffer[begin..self.used];
        added.copy_from_slice(position);
        added
    }

    #[inline]
    fn copy(&mut self, from: usize, to: usize) {
        self.buffer.copy_within(from * self.stride..(from + 1) * self.stride, to * self.stride);
    }

    #[inline]
    fn truncate(&mut self, count: usize) {
        self.used = self.used.min(count * self.stride);
    }
}
