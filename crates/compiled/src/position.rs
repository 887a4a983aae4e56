//! Positions and moves as words.

use std::fmt::Debug;

use crate::words::{Words, same};

/// The words of one position that somebody keeps: an array where their number is known when Rust is compiled.
pub trait Kept: Clone + Debug + Send + Sync + 'static {
    /// The words as code sees them.
    type Words: AsRef<[u64]> + AsMut<[u64]> + ?Sized;

    /// A copy of words.
    fn of(words: &Self::Words) -> Self;

    /// This many words that are 0.
    fn zeroed(words: usize) -> Self;

    /// The words.
    fn words(&self) -> &Self::Words;

    /// The words of a position that is written over; it has this many afterwards.
    fn room(&mut self, words: usize) -> &mut Self::Words;

    /// Becomes a copy of words; no memory is taken if there were as many before.
    fn assign(&mut self, words: &Self::Words);
}

impl<const WORDS: usize> Kept for [u64; WORDS] {
    type Words = [u64; WORDS];

    #[inline]
    fn of(words: &[u64; WORDS]) -> Self {
        *words
    }

    #[inline]
    fn zeroed(_: usize) -> Self {
        [0; WORDS]
    }

    #[inline]
    fn words(&self) -> &[u64; WORDS] {
        self
    }

    #[inline]
    fn room(&mut self, _: usize) -> &mut [u64; WORDS] {
        self
    }

    #[inline]
    fn assign(&mut self, words: &[u64; WORDS]) {
        *self = *words;
    }
}

/// A position of a [`crate::CompiledGame`].
#[derive(Debug)]
pub struct Position<K> {
    pub(crate) kept: K,
}

impl<K: Kept> Position<K> {
    /// A position of these words.
    #[inline]
    pub fn new(kept: K) -> Self {
        Position { kept }
    }

    /// Becomes the position of other words.
    #[inline]
    pub fn assign(&mut self, words: &K::Words) {
        self.kept.assign(words);
    }

    /// Its words.
    #[inline]
    pub fn words(&self) -> &[u64] {
        self.kept.words().as_ref()
    }
}

impl<K: Kept> Clone for Position<K> {
    #[inline]
    fn clone(&self) -> Self {
        Position { kept: self.kept.clone() }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.kept.assign(source.kept.words());
    }
}

/// Positions are equal if the game goes on from them in the same way.
impl<K: Kept> PartialEq for Position<K> {
    fn eq(&self, other: &Self) -> bool {
        same(self.words(), other.words())
    }
}

/// A move of a [`crate::CompiledGame`]: the position it leads to.
///
/// PERF: code writes whole children. Keeping them costs a copy; a list of the words that change was a third
/// smaller for chess, and finding them took a quarter of the time of a search.
#[derive(Debug)]
pub struct Move<K> {
    pub(crate) child: Position<K>,
    pub(crate) key: u64,
}

impl<K: Kept> Move<K> {
    /// The move from one position to another.
    #[inline]
    pub(crate) fn new(words: &Words, before: &K::Words, after: &K::Words) -> Self {
        Move { child: Position::new(K::of(after)), key: words.key(before.as_ref(), after.as_ref()) }
    }

    /// Becomes the move from one position to another.
    #[inline]
    pub(crate) fn describe(&mut self, words: &Words, before: &K::Words, after: &K::Words) {
        self.child.kept.assign(after);
        self.key = words.key(before.as_ref(), after.as_ref());
    }

    /// Writes the move from one position to another into a list: over the one that is there, whose memory is
    /// used again, or behind the last.
    #[inline]
    pub(crate) fn put(
        list: &mut Vec<Self>,
        place: usize,
        words: &Words,
        before: &K::Words,
        after: &K::Words,
    ) {
        match list.get_mut(place) {
            Some(mv) => mv.describe(words, before, after),
            None => list.push(Move::new(words, before, after)),
        }
    }
}

impl<K: Kept> Clone for Move<K> {
    #[inline]
    fn clone(&self) -> Self {
        Move { child: self.child.clone(), key: self.key }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.child.clone_from(&source.child);
        self.key = source.key;
    }
}

/// Moves of one position are compared, so it is enough to look at where they lead.
impl<K: Kept> PartialEq for Move<K> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.child == other.child
    }
}
