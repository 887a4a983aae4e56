//! What workers count beyond the nodes they search.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::policy::NodeKind;

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Counters of one worker; several workers' are added.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Counters {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Counters {
            /// Name and count of each counter.
            pub fn entries(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }
        }

        impl AddAssign for Counters {
            fn add_assign(&mut self, other: Counters) {
                $(self.$name += other.$name;)*
            }
        }
    };
}

counters! {
    /// Work in ticks: W is the sum over all workers.
    work,
    /// Jobs given away.
    given,
    /// Jobs taken.
    taken,
    /// Jobs that came back because the thief had become busy.
    returned,
    /// The distances of given jobs from the root, added up.
    given_plies,
    /// Requests sent, those passed on not counted.
    requests,
    /// Requests passed on.
    forwarded,
    /// Jobs ended because nobody wants their results.
    killed,
    /// Work in ticks on nodes that were dropped before they were finished.
    dropped,
    /// Windows narrowed from outside.
    narrowed,
    /// Tests given up and begun anew because their bound had become better.
    renewed,
    /// Nodes that the kernel looked at before their time, which never came.
    unvisited,
    /// Jobs that their masters did themselves, because nothing was heard of them.
    redone,
    /// Questions about positions that were being searched.
    joined,
    /// Results sent.
    reported,
    /// Results that arrived.
    arrived,
    /// Messages about jobs that were over.
    stale,
    /// Questions to other workers' parts of the table.
    lookups,
    /// Of these, those about positions whose turn had not come.
    asked_ahead,
    /// Of the answers, those that knew something.
    hits,
    /// Positions that had to wait for an answer.
    waits,
    /// Ticks of waiting for answers about the table in which nothing else was done, where time is told.
    waited,
    /// Entries told to other workers.
    told,
    /// Nodes expected to have a cutoff (type 2), and those that had none.
    cut_nodes,
    /// Of these, those without.
    cut_nodes_wrong,
    /// Nodes expected to have none (type 3).
    all_nodes,
    /// Of these, those with one.
    all_nodes_wrong,
}

impl Counters {
    /// Counts a node that is done, and whether it was what it was expected to be.
    pub(crate) fn note_node(&mut self, kind: NodeKind, cutoff: bool) {
        match kind {
            NodeKind::Pv => {}
            NodeKind::Cut => {
                self.cut_nodes += 1;
                self.cut_nodes_wrong += u64::from(!cutoff);
            }
            NodeKind::All => {
                self.all_nodes += 1;
                self.all_nodes_wrong += u64::from(cutoff);
            }
        }
    }
}
