//! What other ranks of a job do for this program beside searching.

use multigame_analysis::AnalysisTask;
use multigame_arena::MatchTask;
use multigame_game::Portable;
use multigame_learning::SelfPlayTask;
use multigame_player::TablesTask;
use multigame_player::ranks::{self, Farm, Farmhand, Ranks, read_chore};
use multigame_search::random_tree::{Guess, RandomTree, Shape};
use serde::{Deserialize, Serialize};

use crate::commands::experiment::ExperimentTask;
use crate::commands::simulate::SimulationTask;

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
    /// Simulations of a search.
    Simulation(Box<SimulationTask>),
}

/// Work that is farmed out and needs no game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum GamelessChore {
    /// Simulations of a search of a random tree.
    Simulation(Shape, Box<SimulationTask>),
    /// Runs of an experiment, which brings its games.
    Experiment(ExperimentTask),
}

impl Chore {
    /// The other ranks to do it, with this many threads each; nothing if there are none.
    pub fn farm(self, threads: usize) -> Option<Farm<'static>> {
        Some(others()?.farm(&self, threads as u32))
    }
}

impl GamelessChore {
    /// The other ranks to do it, with a thread each; nothing if there are none.
    pub fn farm(self) -> Option<Farm<'static>> {
        Some(others()?.farm_gameless(&self, 1))
    }
}

fn others() -> Option<&'static Ranks> {
    ranks::installed().filter(|ranks| ranks.size() > 1)
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
            Chore::Simulation(task) => task.work(game, hand),
        }
    }

    fn work_gameless(&self, chore: &[u8], hand: &Farmhand<'_>) -> anyhow::Result<()> {
        match read_chore(chore)? {
            GamelessChore::Simulation(shape, task) => task.work_with(&RandomTree::new(shape), &Guess, hand),
            GamelessChore::Experiment(task) => task.work(hand),
        }
    }
}
