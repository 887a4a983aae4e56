//! Lazy SMP for workers that exchange messages: everybody searches the root, nobody gives anything away, and
//! what they tell each other about positions is all they have in common.

use super::{Policy, View};

/// Everybody searches the root; every second worker looks one ply further ahead, so that not all do the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lazy;

impl Policy for Lazy {
    fn may_give(&self, _view: &View) -> bool {
        false
    }

    fn all_search_the_root(&self) -> bool {
        true
    }
}
