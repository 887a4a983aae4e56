//! Games of an analysis that other ranks of a job play as well.

use multigame_arena::MatchTask;
use multigame_game::Portable;
use multigame_player::Limits;
use multigame_player::ranks::{Farm, Farmhand};
use serde::{Deserialize, Serialize};

use crate::{Plan, selfplay};

/// Everything that another rank needs to play some of the games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum AnalysisTask {
    /// Games of the computer against itself, searching this far.
    SelfPlay(Plan, Limits),
    /// Games of a match.
    Match(Box<MatchTask>),
}

/// Finds other ranks for a task, if there are any.
pub type Farms<'f> = dyn Fn(AnalysisTask) -> Option<Farm<'f>> + 'f;

impl AnalysisTask {
    /// Plays the games that this rank is given.
    pub fn work<G: Portable>(&self, game: &G, hand: &Farmhand<'_>) -> anyhow::Result<()> {
        match self {
            AnalysisTask::SelfPlay(plan, limits) => {
                let player = || selfplay::player(game, *limits, hand.stop());
                hand.work_off(&player, &|player, number| {
                    selfplay::one_game(game, player, plan, number, hand.stop())
                })
            }
            AnalysisTask::Match(task) => task.work(game, hand),
        }
    }
}
