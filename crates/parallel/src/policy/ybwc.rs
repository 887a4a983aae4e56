//! The Young Brothers Wait Concept and ZUGZWANG's variants of it.
//!
//! A child may be searched in parallel once the eldest brother is completely searched: then it is known
//! whether a cutoff was to be had for nothing, and the others have a bound. A minimal tree is searched
//! without any extra work.
//!
//! | | type 1 | type 2 | type 3 |
//! |---|---|---|---|
//! | YBWC | wait | wait | wait |
//! | YBWC-1-2 | wait | wait | do not wait |
//! | YBWC* | wait | wait for all promising moves | wait |
//! | YBWC-1-2* | wait | wait for all promising moves | do not wait |
//! | YBWC-1 | wait | do not wait | do not wait |

use serde::{Deserialize, Serialize};

use super::{NodeKind, Policy, View};

/// Young brothers wait; see the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct YoungBrothersWait {
    /// How many brothers are waited for.
    pub brothers: u32,
    /// How many at the root. Where the eldest is worse than was thought, the second one is often better, and
    /// spares the others tests against a bound that is too low.
    pub at_root: u32,
    /// Whether they are waited for at nodes of types 1, 2 and 3.
    pub waits: [bool; 3],
    /// Whether nodes of type 2 wait for all promising moves.
    pub promising: bool,
}

impl YoungBrothersWait {
    /// YBWC.
    pub const PLAIN: Self =
        YoungBrothersWait { brothers: 1, at_root: 1, waits: [true, true, true], promising: false };
    /// YBWC-1-2.
    pub const ONE_TWO: Self = YoungBrothersWait { waits: [true, true, false], ..Self::PLAIN };
    /// YBWC*.
    pub const STAR: Self = YoungBrothersWait { promising: true, ..Self::PLAIN };
    /// YBWC-1-2*.
    pub const ONE_TWO_STAR: Self = YoungBrothersWait { promising: true, ..Self::ONE_TWO };
    /// YBWC-1.
    pub const ONE: Self = YoungBrothersWait { waits: [true, false, false], ..Self::PLAIN };
    /// Nobody waits.
    pub const FREE: Self = YoungBrothersWait { waits: [false, false, false], ..Self::PLAIN };

    /// The same, waiting for that many brothers.
    pub fn waiting_for(self, brothers: u32, at_root: u32) -> Self {
        YoungBrothersWait { brothers, at_root, ..self }
    }
}

impl Policy for YoungBrothersWait {
    fn may_give(&self, view: &View) -> bool {
        let waits = self.waits[match view.kind {
            NodeKind::Pv => 0,
            NodeKind::Cut => 1,
            NodeKind::All => 2,
        }];
        let brothers = if view.ply == 0 { self.at_root } else { self.brothers };
        if waits && view.finished < brothers as usize {
            return false;
        }
        !(self.promising && view.kind == NodeKind::Cut && view.promising)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_table_of_variants() {
        let view = |kind, finished, promising| View {
            kind,
            ply: 1,
            depth: 5,
            children: 9,
            finished,
            promising,
            uncuttable: false,
        };
        let row = |policy: YoungBrothersWait, finished, promising| {
            [NodeKind::Pv, NodeKind::Cut, NodeKind::All]
                .map(|kind| policy.may_give(&view(kind, finished, promising)))
        };
        use YoungBrothersWait as Y;
        assert_eq!(row(Y::PLAIN, 0, false), [false; 3]);
        assert_eq!(row(Y::PLAIN, 1, true), [true; 3]);
        assert_eq!(row(Y::ONE_TWO, 0, false), [false, false, true]);
        assert_eq!(row(Y::STAR, 1, true), [true, false, true]);
        assert_eq!(row(Y::STAR, 0, false), [false; 3]);
        assert_eq!(row(Y::ONE_TWO_STAR, 0, true), [false, false, true]);
        assert_eq!(row(Y::ONE_TWO_STAR, 1, true), [true, false, true]);
        assert_eq!(row(Y::ONE_TWO_STAR, 1, false), [true; 3]);
        assert_eq!(row(Y::ONE, 0, true), [false, true, true]);
        assert_eq!(row(Y::PLAIN.waiting_for(2, 1), 1, false), [false; 3]);
        assert_eq!(row(Y::PLAIN.waiting_for(1, 2), 1, false), [true; 3]);
        let root = View { ply: 0, ..view(NodeKind::Pv, 1, false) };
        assert!(Y::PLAIN.may_give(&root) && !Y::PLAIN.waiting_for(1, 2).may_give(&root));
    }
}
