//! What other ranks of a job do for this program beside searching.

use multigame_analysis::AnalysisTask;
use multigame_arena::MatchTask;
use multigame_game::Portable;
use multigame_learning::SelfPlayTask;
use multigame_player::TablesTask;
use multigame_player::ranks::{self, Farm, Farmhand, read_chore};
use serde::{Deserialize, Serialize};

/// Work that is farmed out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Chore {
    /// Games of a match.
    Match(Box<MatchTask>),
    /// Games to learn from.
    SelfPlay(Box<SelfPlayTask>),
    /// Games of an analysis.
    Analysis(AnalysisTask),
    /// Pattern databases.
    Tables(TablesTask),
}

impl Chore {
    /// The other ranks to do it, with this many threads each; nothing if there are none.
    pub fn farm(self, threads: usize) -> Option<Farm<'static>> {
        let ranks = ranks::installed().filter(|ranks| ranks.size() > 1)?;
        Some(ranks.farm(&self, threads as u32))
    }
}

/// All of them.
pub struct Chores;

impl ranks::Chores for Chores {
    fn work<G: Portable>(&self, game: &G, chore: &[u8], hand: &Farmhand<'_>) -> anyhow::Result<()> {
        match read_chore(chore)? {
            Chore::Match(task) => task.work(game, hand),
            Chore::SelfPlay(task) => task.work(game, hand),
            Chore::Analysis(task) => task.work(game, hand),
            Chore::Tables(task) => task.work(game, hand),
        }
    }
}
