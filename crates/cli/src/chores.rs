//! What other ranks of a job do for this program beside searching.

use multigame_arena::MatchTask;
use multigame_game::Portable;
use multigame_player::ranks::{self, Farmhand, read_chore};
use serde::{Deserialize, Serialize};

/// Work that is farmed out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Chore {
    /// Games of a match.
    Match(MatchTask),
}

/// All of them.
pub struct Chores;

impl ranks::Chores for Chores {
    fn work<G: Portable>(&self, game: &G, chore: &[u8], hand: &Farmhand<'_>) -> anyhow::Result<()> {
        match read_chore(chore)? {
            Chore::Match(task) => task.work(game, hand),
        }
    }
}
