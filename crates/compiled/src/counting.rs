//! Counting leaves, without making positions where that is possible.

use multigame_game::RulesError;
use multigame_mir::{HEADER, Header};

use crate::code::Words;
use crate::counting_guard::CountingGuard;
use crate::frame::{Borrowed, Frame};
use crate::game::side_of;
use crate::{Code, CompiledGame, Failed, Positions};

/// What counts without making positions.
pub(crate) struct Counting<'c, C: Code> {
    code: &'c C,
    scratch: C::Scratch,
    /// How many plies are counted at once at most.
    most: usize,
    /// Whether it has been worth counting several plies at once.
    plies: CountingGuard,
    /// Whether it has been worth counting the moves of a position.
    single: CountingGuard,
}

impl<'c, C: Code> Counting<'c, C> {
    /// Nothing has been counted yet.
    #[inline]
    pub fn new(code: &'c C) -> Self {
        Counting {
            code,
            scratch: code.scratch(),
            most: code.plies(),
            plies: CountingGuard::new(),
            single: CountingGuard::new(),
        }
    }

    /// Number of moves, where counting them is enough. Code that counts also looks for the goal.
    #[inline(always)]
    pub fn moves(&mut self, words: &Words<C>) -> Option<u64> {
        let header = words.as_ref()[HEADER];
        if header & Header::OUTCOME_MASK != 0 {
            return Some(0);
        }
        self.single.attempt(|| match self.code.count(&mut self.scratch, side_of(header), words) {
            Ok([0, 0]) | Err(Failed) => None,
            Ok([0, _]) => Some(0),
            Ok([moves, endings]) => Some(moves + endings),
        })
    }

    /// Number of sequences of this many moves, where counting them at once is enough.
    #[inline(always)]
    fn leaves(&mut self, words: &Words<C>, plies: usize) -> Option<u64> {
        let header = words.as_ref()[HEADER];
        if plies > self.most || header & Header::OUTCOME_MASK != 0 {
            return None;
        }
        self.plies.attempt(|| match self.code.leaves(&mut self.scratch, plies, side_of(header), words) {
            Ok(leaves @ 1..) => Some(leaves),
            Ok(0) | Err(Failed) => None,
        })
    }
}

impl<C: Code> CompiledGame<C> {
    /// Number of moves, which are made.
    #[cold]
    pub(crate) fn made_moves(&self, words: &Words<C>) -> Result<u64, RulesError> {
        let mut frame = Frame::borrow();
        let frame = &mut *frame;
        Ok(self.expand(words, frame)?.map_or(frame.children.len() as u64, |_| 0))
    }

    /// Number of sequences of moves, one more than there are frames, of which there is one at least. Children
    /// are expanded where they were generated.
    pub(crate) fn count_leaves(
        &self,
        words: &Words<C>,
        frames: &mut [Borrowed<C>],
        counting: &mut Counting<'_, C>,
    ) -> Result<u64, RulesError> {
        let [frame, frames @ ..] = frames else { return Ok(1) };
        if let Some(leaves) = counting.leaves(words, frames.len() + 2) {
            return Ok(leaves);
        }
        let frame = &mut **frame;
        if self.expand(words, frame)?.is_some() {
            return Ok(0);
        }
        let mut leaves = 0;
        for child in frame.children.iter() {
            leaves += if !frames.is_empty() {
                self.count_leaves(child, frames, counting)?
            } else if let Some(moves) = counting.moves(child) {
                moves
            } else {
                self.made_moves(child)?
            };
        }
        Ok(leaves)
    }
}
