//! Positions that were generated.

use std::fmt::Debug;
use std::ops::ControlFlow;

use crate::{Kept, Position};

/// Positions one after the other, however they are kept.
pub trait Positions: Debug + Default + 'static {
    /// How a single one is kept.
    type Kept: Kept;

    /// Forgets all of them; the next ones have this many words.
    fn clear(&mut self, words: usize);

    /// How many.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool;

    /// The words of one.
    fn get(&self, number: usize) -> &<Self::Kept as Kept>::Words;

    /// The words of one.
    fn get_mut(&mut self, number: usize) -> &mut <Self::Kept as Kept>::Words;

    /// The words of all.
    fn iter(&self) -> impl Iterator<Item = &<Self::Kept as Kept>::Words>;

    /// Shows each of them until the visitor breaks; `room` is for those that are not kept one by one.
    fn show(
        &self,
        room: &mut Option<Position<Self::Kept>>,
        visitor: &mut dyn FnMut(&Position<Self::Kept>) -> ControlFlow<()>,
    );

    /// A copy of a position as one more.
    fn add(&mut self, position: &<Self::Kept as Kept>::Words) -> &mut <Self::Kept as Kept>::Words;

    /// Copies one over an earlier one.
    fn copy(&mut self, from: usize, to: usize);

    /// Keeps the first ones.
    fn truncate(&mut self, count: usize);
}

/// Positions of known size.
#[derive(Clone, Debug)]
pub struct Children<const WORDS: usize>(Vec<Position<[u64; WORDS]>>);

impl<const WORDS: usize> Children<WORDS> {
    /// A copy of the position, to be changed into a child.
    #[inline]
    pub fn add(&mut self, position: &[u64; WORDS]) -> &mut [u64; WORDS] {
        let place = self.0.len();
        self.0.push(Position { kept: *position });
        &mut self.0[place].kept
    }
}

impl<const WORDS: usize> Default for Children<WORDS> {
    fn default() -> Self {
        Children(Vec::new())
    }
}

impl<const WORDS: usize> Positions for Children<WORDS> {
    type Kept = [u64; WORDS];

    #[inline]
    fn clear(&mut self, _: usize) {
        self.0.clear();
    }

    #[inline]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    fn get(&self, number: usize) -> &[u64; WORDS] {
        &self.0[number].kept
    }

    #[inline]
    fn get_mut(&mut self, number: usize) -> &mut [u64; WORDS] {
        &mut self.0[number].kept
    }

    #[inline]
    fn iter(&self) -> impl Iterator<Item = &[u64; WORDS]> {
        self.0.iter().map(|position| &position.kept)
    }

    #[inline]
    fn show(
        &self,
        _: &mut Option<Position<[u64; WORDS]>>,
        visitor: &mut dyn FnMut(&Position<[u64; WORDS]>) -> ControlFlow<()>,
    ) {
        let _ = self.0.iter().try_for_each(visitor);
    }

    #[inline]
    fn add(&mut self, position: &[u64; WORDS]) -> &mut [u64; WORDS] {
        self.add(position)
    }

    #[inline]
    fn copy(&mut self, from: usize, to: usize) {
        self.0[to].kept = self.0[from].kept;
    }

    #[inline]
    fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }
}

/// Room for one position that is generated: a single move needs no memory of a thread.
#[derive(Debug)]
pub struct Single<'a, const WORDS: usize> {
    place: &'a mut [u64; WORDS],
    made: bool,
}

impl<'a, const WORDS: usize> Single<'a, WORDS> {
    /// The generated position is written there.
    #[inline]
    pub fn at(place: &'a mut [u64; WORDS]) -> Self {
        Single { place, made: false }
    }

    /// Whether something was generated.
    #[inline]
    pub fn is_made(&self) -> bool {
        self.made
    }

    /// A copy of the position, to be changed into a child.
    #[inline]
    pub fn add(&mut self, position: &[u64; WORDS]) -> &mut [u64; WORDS] {
        self.made = true;
        *self.place = *position;
        self.place
    }
}
