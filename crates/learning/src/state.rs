//! The state that `multigame learn` keeps between runs: games, and the weights after each round.

use std::collections::HashSet;
use std::path::Path;

use anyhow::bail;
use multigame_files::{Kind, Log, Opened};
use serde::{Deserialize, Serialize};

use crate::GameRecord;

const KIND: Kind =
    Kind { name: "state of learning", version: 1, remedy: "remove the line, or choose another file" };

/// The kept state, a line each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// A game of a round.
    Game {
        /// The round.
        round: u32,
        /// The game.
        record: GameRecord,
    },
    /// The weights after a round.
    Weights {
        /// The round.
        round: u32,
        /// The weights.
        values: Vec<i32>,
    },
}

impl Kept {
    /// What there is once: games by their numbers, weights by their rounds. Nothing if it makes no sense.
    fn key(&self, weights: usize) -> Option<(u32, Option<u32>)> {
        match self {
            Kept::Game { round, record } => record.is_possible().then_some((*round, Some(record.number))),
            Kept::Weights { round, values } => (values.len() == weights).then_some((*round, None)),
        }
    }
}

/// The file that games are kept in. One run at a time uses it.
#[derive(Debug)]
pub struct State(Option<Log<String, Kept>>);

impl State {
    /// Opens the file, if there shall be one, and gives what is in it: games, and that many weights after a
    /// round.
    pub fn open(path: Option<&Path>, head: &str, weights: usize) -> anyhow::Result<(State, Vec<Kept>)> {
        let Some(path) = path else { return Ok((State(None), Vec::new())) };
        let Opened { mut log, head: found, entries } = Log::<String, Kept>::open(path, KIND)?;
        match found {
            None => log.begin(&head.to_string())?,
            Some(found) if found == head => {}
            Some(_) => {
                bail!("`{}` belongs to other rules, weights or options; choose another file", path.display())
            }
        }
        let mut keys = HashSet::new();
        for (line, entry) in &entries {
            if !entry.key(weights).is_some_and(|key| keys.insert(key)) {
                return Err(log.damaged(*line).into());
            }
        }
        Ok((State(Some(log)), entries.into_iter().map(|(_, entry)| entry).collect()))
    }

    /// Writes a line.
    pub fn add(&mut self, kept: &Kept) -> anyhow::Result<()> {
        self.0.as_mut().map_or(Ok(()), |log| Ok(log.add(kept)?))
    }
}
