//! The counters of a search.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Counters of one worker; several workers' are added.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Statistics {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl Statistics {
            /// Name and count of each counter.
            pub fn entries(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }
        }

        impl AddAssign for Statistics {
            fn add_assign(&mut self, other: Statistics) {
                $(self.$name += other.$name;)*
            }
        }
    };
}

counters! {
    /// Positions visited, the root, leaves and quiescence included; a re-search visits again.
    nodes,
    /// Positions at the horizon (or below it: see `quiescence_nodes`) and finished games.
    leaves,
    /// Positions below the horizon.
    quiescence_nodes,
    /// Calls of the evaluation.
    evaluations,
    /// Evaluations answered by the evaluation cache.
    evaluation_hits,
    /// Questions to the transposition table.
    table_probes,
    /// Questions that found the position.
    table_hits,
    /// Nodes finished by the transposition table.
    table_cutoffs,
    /// Nodes finished because the table knew a child good enough.
    enhanced_cutoffs,
    /// Entries written.
    table_stores,
    /// Nodes finished by a child at or above beta.
    cutoffs,
    /// Of these, by the child searched first.
    first_move_cutoffs,
    /// Children searched again with a wider window.
    researches,
    /// Root searches repeated because the value fell outside of the aspiration window, and MTD(f) passes.
    root_passes,
    /// Nodes finished by a null move.
    null_cutoffs,
    /// Children searched less deeply first.
    reductions,
    /// Children left out by futility.
    futile,
    /// Captures below the horizon left out because the piece that takes would be taken for less.
    losing_captures,
    /// Children searched more deeply.
    extensions,
    /// Looks for an earlier occurrence of a position.
    repetition_scans,
    /// Nodes finished because a position came back.
    repetitions,
    /// Nodes finished by an endgame database.
    endgame_hits,
}

impl Statistics {
    /// Share of cutoffs that the first child gave, from 0 to 1; nothing without cutoffs.
    pub fn first_move_rate(&self) -> Option<f64> {
        (self.cutoffs > 0).then(|| self.first_move_cutoffs as f64 / self.cutoffs as f64)
    }
}
