//! The searches of Multello, an Othello program of 1988 for a shared-memory machine: what can be had with
//! futures and without killing tasks.

use serde::{Deserialize, Serialize};

use super::{Policy, Probe, View};

/// The whole tree in parallel: no bounds, no cutoffs. Its use is to show what a machine can do at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhaustive;

impl Policy for Exhaustive {
    fn may_give(&self, _view: &View) -> bool {
        true
    }

    fn sends_windows(&self) -> bool {
        false
    }

    fn prunes(&self) -> bool {
        false
    }
}

/// Mandatory work first: where beta is infinite, no cutoff can come and all children are started at once, but
/// of each only the first answer is searched before its elder brothers are done. Elsewhere one child at a
/// time is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MandatoryWork;

impl Policy for MandatoryWork {
    fn may_give(&self, view: &View) -> bool {
        view.uncuttable
    }

    fn probe(&self) -> Probe {
        Probe::FirstAnswer
    }
}

/// Speculative search: all children at once, whatever is expected of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Speculative {
    /// A node learns its father's bounds once, when it starts.
    V1,
    /// Better bounds are sent down at once.
    V2,
    /// As printed: after each of its children a node reports its bound to its father as if it were its value.
    /// It is only an upper bound of it, so brothers can be rejected wrongly.
    Unsound,
}

impl Policy for Speculative {
    fn may_give(&self, _view: &View) -> bool {
        true
    }

    fn sends_windows(&self) -> bool {
        *self != Speculative::V1
    }

    fn reports_early(&self) -> bool {
        *self == Speculative::Unsound
    }
}
