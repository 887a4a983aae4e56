//! Positions and moves as words.

use multigame_native::words::{Words, same};
use smallvec::SmallVec;

/// Positions of more words have memory of their own; only Chinese and Japanese chess and crazyhouse do.
const INLINE: usize = 20;

/// A position of a [`crate::JitGame`].
#[derive(Debug)]
pub struct JitPosition {
    pub(crate) words: SmallVec<[u64; INLINE]>,
}

impl JitPosition {
    /// Takes over the words of another position; no memory is taken if there was one of the same game before.
    #[inline]
    pub(crate) fn assign(&mut self, words: &[u64]) {
        assign(&mut self.words, words);
    }
}

impl Clone for JitPosition {
    fn clone(&self) -> Self {
        JitPosition { words: SmallVec::from_slice(&self.words) }
    }

    fn clone_from(&mut self, source: &Self) {
        self.assign(&source.words);
    }
}

/// Positions are equal if the game goes on from them in the same way.
impl PartialEq for JitPosition {
    fn eq(&self, other: &Self) -> bool {
        same(&self.words, &other.words)
    }
}

/// A move of a [`crate::JitGame`]: the position it leads to.
///
/// PERF: generated code writes whole children. Keeping them costs a copy; a list of the words that change was a third
/// smaller for chess, and finding them took a quarter of the time of a search.
#[derive(Debug, Default)]
pub struct JitMove {
    words: SmallVec<[u64; INLINE]>,
    pub(crate) key: u64,
}

impl JitMove {
    /// The words of the position after the move.
    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Room for the words of the position after the move.
    #[inline]
    pub(crate) fn room(&mut self, length: usize) -> &mut [u64] {
        if self.words.len() != length {
            self.words.resize(length, 0);
        }
        &mut self.words
    }

    /// Becomes the move from a position to the words that have been written into its room.
    #[inline]
    pub(crate) fn written(&mut self, words: &Words, before: &[u64]) {
        self.key = words.key(before, &self.words);
    }

    /// Becomes the move from one position to another.
    #[inline]
    pub(crate) fn describe(&mut self, words: &Words, before: &[u64], after: &[u64]) {
        assign(&mut self.words, after);
        self.key = words.key(before, after);
    }
}

impl Clone for JitMove {
    fn clone(&self) -> Self {
        JitMove { words: SmallVec::from_slice(&self.words), key: self.key }
    }

    fn clone_from(&mut self, source: &Self) {
        assign(&mut self.words, &source.words);
        self.key = source.key;
    }
}

/// Moves of one position are compared, so it is enough to look at where they lead.
impl PartialEq for JitMove {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.words == other.words
    }
}

/// Takes over words; no memory is taken if there were as many before.
#[inline]
fn assign<A: smallvec::Array<Item = u64>>(target: &mut SmallVec<A>, words: &[u64]) {
    if target.len() == words.len() {
        target.copy_from_slice(words);
    } else {
        target.clear();
        target.extend_from_slice(words);
    }
}
