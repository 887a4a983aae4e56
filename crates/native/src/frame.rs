//! Memory for one expansion, kept by each thread from one expansion to the next.
//!
//! Visitors of moves expand the positions they are shown, so a thread needs as many frames as expansions are nested.

use std::any::Any;
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

use crate::Children;

/// What one expansion needs.
#[derive(Debug, Default)]
pub(crate) struct Frame<const WORDS: usize> {
    /// What was generated.
    pub children: Children<WORDS>,
    /// Hash table for merging.
    pub slots: Vec<u32>,
}

thread_local! {
    // A static cannot depend on the size of positions. Programs play one game, so the frames are what is asked for.
    static FRAMES: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// A frame that goes back to its thread when it is dropped.
pub(crate) struct Borrowed<const WORDS: usize>(Option<Box<Frame<WORDS>>>);

impl<const WORDS: usize> Frame<WORDS> {
    /// A frame nobody else uses, without children.
    #[inline]
    pub fn borrow() -> Borrowed<WORDS> {
        let frame = FRAMES.with_borrow_mut(Vec::pop).and_then(|frame| frame.downcast::<Frame<WORDS>>().ok());
        let mut frame = frame.unwrap_or_default();
        frame.children.0.clear();
        Borrowed(Some(frame))
    }
}

impl<const WORDS: usize> Deref for Borrowed<WORDS> {
    type Target = Frame<WORDS>;

    fn deref(&self) -> &Frame<WORDS> {
        self.0.as_ref().expect("present until dropped")
    }
}

impl<const WORDS: usize> DerefMut for Borrowed<WORDS> {
    fn deref_mut(&mut self) -> &mut Frame<WORDS> {
        self.0.as_mut().expect("present until dropped")
    }
}

impl<const WORDS: usize> Drop for Borrowed<WORDS> {
    #[inline]
    fn drop(&mut self) {
        if let Some(frame) = self.0.take() {
            // A thread that is just ending keeps nothing.
            let _ = FRAMES.try_with(|frames| frames.borrow_mut().push(frame));
        }
    }
}
