//! The words of positions whose size is known only while the program runs.

use crate::Kept;
use smallvec::SmallVec;

/// Positions of more words have memory of their own; only Chinese and Japanese chess and crazyhouse do.
const INLINE: usize = 20;

/// The words of one position.
#[derive(Debug)]
pub struct Flexible(SmallVec<[u64; INLINE]>);

impl Kept for Flexible {
    type Words = [u64];

    #[inline]
    fn of(words: &[u64]) -> Self {
        Flexible(SmallVec::from_slice(words))
    }

    fn zeroed(words: usize) -> Self {
        Flexible(SmallVec::from_elem(0, words))
    }

    #[inline]
    fn words(&self) -> &[u64] {
        &self.0
    }

    #[inline]
    fn room(&mut self, words: usize) -> &mut [u64] {
        if self.0.len() != words {
            self.0.resize(words, 0);
        }
        &mut self.0
    }

    #[inline]
    fn assign(&mut self, words: &[u64]) {
        if self.0.len() == words.len() {
            self.0.copy_from_slice(words);
        } else {
            self.0.clear();
            self.0.extend_from_slice(words);
        }
    }
}

impl Clone for Flexible {
    #[inline]
    fn clone(&self) -> Self {
        Flexible::of(self.words())
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.assign(source.words());
    }
}
