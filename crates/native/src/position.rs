//! Positions and moves of generated code.

use crate::words::same;

/// A position of a [`crate::NativeGame`].
#[derive(Clone, Copy, Debug)]
pub struct NativePosition<const WORDS: usize> {
    pub(crate) words: [u64; WORDS],
}

/// Positions are equal if the game goes on from them in the same way.
impl<const WORDS: usize> PartialEq for NativePosition<WORDS> {
    fn eq(&self, other: &Self) -> bool {
        same(&self.words, &other.words)
    }
}

/// A move of a [`crate::NativeGame`]: the position it leads to. Copying it is cheaper than saying what differs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NativeMove<const WORDS: usize> {
    pub(crate) child: NativePosition<WORDS>,
    pub(crate) key: u64,
}
