//! Splitting in a few places only: at the root, or along the principal variation. Everything below is
//! searched by one worker.

use super::{NodeKind, Policy, View};

/// Shares out the moves of the root, after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootSplitting;

impl Policy for RootSplitting {
    fn may_give(&self, view: &View) -> bool {
        view.ply == 0 && view.finished > 0
    }
}

/// Shares out the moves of each node of the principal variation, after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PvSplitting;

impl Policy for PvSplitting {
    fn may_give(&self, view: &View) -> bool {
        view.kind == NodeKind::Pv && view.finished > 0
    }
}
