//! The ranks of a job: rank 0 talks to people and conducts, the others do as they are told.
//!
//! Rank 0 tells everybody which rules to play, how to judge positions and what to search; the others answer
//! when they are ready and when they are done. In between, workers exchange letters, of which nothing is
//! known here. Everything that a rank needs is told: it reads no files.
//!
//! | | |
//! |---|---|
//! | [`Ranks`] | rank 0's end |
//! | [`Member`] | what the other ranks do with one game |
//! | `orders` | what is said between them |
//! | [`work_off`], [`Farmhand`] | work in parts that do not depend on each other, such as games |
//! | [`Turn`], [`Rulebook`] | players of several games, one after the other |
//! | `fingerprint` | whether all play the same |
//! | [`Machine`], [`Journey`], [`Clock`] | where they run, how far they are from each other, what time it is there |

mod conductor;
mod farm;
mod fingerprint;
mod journey;
mod leaves;
mod machine;
mod member;
mod orders;
mod states;
mod turns;
mod warm;

pub use multigame_cluster::{is_of_launcher, launched};

pub use conductor::{Loading, OtherRanks, Ranks, Together};
pub use farm::{Chores, Errand, Farm, Farmhand, Task, read_chore, work_off};
pub use journey::{Clock, Journey, Overhead};
pub use machine::Machine;
pub use member::{Member, Next, no_game};
pub use orders::{EvaluatorSpec, FileNames, inspect};
pub use turns::{Rulebook, Turn};

use std::sync::OnceLock;

use multigame_cluster::{Cluster, Post};
use multigame_game::Portable;
use multigame_parallel::{Memory, Message, PuzzleMessage};
use multigame_threads::{Beyond, Port, ProcessReport, Team, Traffic};

/// The job is the process's: there is one or none.
static RANKS: OnceLock<Ranks> = OnceLock::new();

/// Says that this process is rank 0 of a job.
pub fn install(ranks: Ranks) {
    let _ = RANKS.set(ranks);
}

/// The job, if this process is rank 0 of one.
pub fn installed() -> Option<&'static Ranks> {
    RANKS.get()
}

/// One search as a rank sees the others.
pub(crate) struct Elsewhere<'c, G> {
    cluster: &'c Cluster,
    game: &'c G,
    /// Number of the search.
    search: u64,
    threads: u32,
    memory: Memory,
    /// What was sent before the search.
    before: Traffic,
}

impl<G> std::fmt::Debug for Elsewhere<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Elsewhere").field("search", &self.search).finish_non_exhaustive()
    }
}

impl<'c, G> Elsewhere<'c, G> {
    pub fn new(cluster: &'c Cluster, game: &'c G, search: u64, threads: u32, memory: Memory) -> Self {
        Elsewhere { cluster, game, search, threads, memory, before: cluster.traffic() }
    }
}

impl<G: Portable> Beyond<G> for Elsewhere<'_, G> {
    fn team(&self, threads: u32) -> Team {
        Team { first: self.cluster.rank() * threads, here: threads, all: self.cluster.size() * threads }
    }

    fn memory(&self) -> Memory {
        self.memory
    }

    fn games(&self) -> Box<dyn Port<Message<G>> + '_> {
        Box::new(Post::new(self.cluster, self.game, self.search, self.threads))
    }

    fn puzzles(&self) -> Box<dyn Port<PuzzleMessage<G>> + '_> {
        Box::new(Post::new(self.cluster, self.game, self.search, self.threads))
    }

    fn exchange(&self, nodes: u64) -> u64 {
        self.cluster.exchange_nodes(nodes)
    }

    fn traffic(&self) -> Traffic {
        self.cluster.traffic().since(&self.before)
    }

    fn reports(&self) -> Result<Vec<ProcessReport>, String> {
        conductor::reports(self.cluster, self.search).map_err(|error| error.to_string())
    }

    fn name(&self) -> String {
        self.cluster.name_of(self.cluster.rank())
    }
}
