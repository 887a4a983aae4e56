//! Jamboree, the search of *Socrates: tests in parallel, values in order.
//!
//! The first child is valued. Then all others are tested with zero windows in parallel: a wrong guess costs
//! little there. A child that fails its test is searched with the whole window when all brothers before it
//! are done, one at a time: a wrong guess there could cost a whole tree.

use serde::{Deserialize, Serialize};

use super::{Policy, Probe, View};

/// Jamboree; see the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Jamboree {
    /// How many children are valued before the tests begin: 1, or 2 for less work and a longer critical path.
    pub brothers: u32,
}

impl Policy for Jamboree {
    fn may_give(&self, view: &View) -> bool {
        view.finished >= self.brothers as usize
    }

    fn probe(&self) -> Probe {
        Probe::Test
    }
}
