//! Memory for one expansion, kept by each thread from one expansion to the next.
//!
//! Visitors of moves expand the positions they are shown, so a thread needs as many frames as expansions are
//! nested. A frame is taken when an expansion begins and given back when it ends: after a while nothing is
//! allocated.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

use crate::{Code, Move, Position};

/// What one expansion needs.
#[derive(Debug)]
pub(crate) struct Frame<C: Code> {
    /// What was generated.
    pub children: C::Children,
    /// The child that is shown to the visitor.
    pub child: Option<Position<C::Kept>>,
    /// The move that is shown to the visitor.
    pub mv: Option<Move<C::Kept>>,
    /// Hash table for merging.
    pub slots: Vec<u32>,
}

/// The frames of a thread that are not in use.
#[derive(Debug)]
// Boxes, because a frame is moved in and out each time.
pub struct Frames<C: Code>(RefCell<Vec<Box<Frame<C>>>>);

impl<C: Code> Frames<C> {
    /// None yet.
    #[expect(clippy::new_without_default)]
    pub const fn new() -> Self {
        Frames(RefCell::new(Vec::new()))
    }
}

/// A frame that goes back to its thread when it is dropped.
pub(crate) struct Borrowed<C: Code>(Option<Box<Frame<C>>>);

impl<C: Code> Frame<C> {
    /// A frame that is not in use; its content has no meaning.
    #[inline]
    pub fn borrow() -> Borrowed<C> {
        let frame = C::frames().with(|frames| frames.0.borrow_mut().pop());
        Borrowed(Some(frame.unwrap_or_else(|| {
            Box::new(Frame { children: C::Children::default(), child: None, mv: None, slots: Vec::new() })
        })))
    }
}

impl<C: Code> Deref for Borrowed<C> {
    type Target = Frame<C>;

    #[inline]
    fn deref(&self) -> &Frame<C> {
        self.0.as_ref().expect("present until dropped")
    }
}

impl<C: Code> DerefMut for Borrowed<C> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Frame<C> {
        self.0.as_mut().expect("present until dropped")
    }
}

impl<C: Code> Drop for Borrowed<C> {
    #[inline]
    fn drop(&mut self) {
        if let Some(frame) = self.0.take() {
            // A thread that is just ending keeps nothing.
            let _ = C::frames().try_with(|frames| frames.0.borrow_mut().push(frame));
        }
    }
}
