//! Memory for one expansion, kept by each thread from one expansion to the next.
//!
//! Visitors of moves expand the positions they are shown, so a thread needs as many frames as expansions are nested.
//! A frame is taken when an expansion begins and given back when it ends: after a while nothing is allocated.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

use smallvec::SmallVec;

use crate::native::Children;
use crate::position::{JitMove, JitPosition};

/// What one expansion needs.
#[derive(Debug)]
pub(crate) struct Frame {
    /// What was generated.
    pub children: Children,
    /// The child that is shown to the visitor.
    pub child: JitPosition,
    /// The move that is shown to the visitor.
    pub mv: JitMove,
    /// Hash table for [`multigame_native::merge`].
    pub slots: Vec<u32>,
}

thread_local! {
    // Boxes, because a frame is moved in and out each time.
    #[expect(clippy::vec_box)]
    static FRAMES: RefCell<Vec<Box<Frame>>> = const { RefCell::new(Vec::new()) };
}

/// A frame that goes back to its thread when it is dropped.
pub(crate) struct Borrowed(Option<Box<Frame>>);

impl Frame {
    /// A frame nobody else uses.
    pub fn borrow() -> Borrowed {
        let frame = FRAMES.with_borrow_mut(Vec::pop);
        Borrowed(Some(frame.unwrap_or_else(|| {
            Box::new(Frame {
                children: Children::default(),
                child: JitPosition { words: SmallVec::new() },
                mv: JitMove::default(),
                slots: Vec::new(),
            })
        })))
    }
}

impl Deref for Borrowed {
    type Target = Frame;

    fn deref(&self) -> &Frame {
        self.0.as_ref().expect("present until dropped")
    }
}

impl DerefMut for Borrowed {
    fn deref_mut(&mut self) -> &mut Frame {
        self.0.as_mut().expect("present until dropped")
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        if let Some(frame) = self.0.take() {
            // A thread that is just ending keeps nothing.
            let _ = FRAMES.try_with(|frames| frames.borrow_mut().push(frame));
        }
    }
}
