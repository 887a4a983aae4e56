//! The log of a match: a line for each game, written as soon as it is over, so that a match can go on after
//! an interruption.

use std::collections::HashSet;
use std::path::Path;

use anyhow::bail;
use multigame_files::{FileError, Kind, Opened};
use multigame_game::Side;
use serde::{Deserialize, Serialize};

const KIND: Kind = Kind {
    name: "log of a match",
    version: 1,
    remedy: "remove the line, and the game is played again; if it is the first one, choose another file",
};

/// Which match it is: games may be added only to the same one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The game, with its parameters.
    pub game: String,
    /// The players as they were described.
    pub players: [String; 2],
    /// The limits of both.
    pub controls: [String; 2],
    /// Where games begin.
    pub openings: String,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number from 0 on; games 2n and 2n + 1 are a pair.
    pub number: usize,
    /// Which player was White: 0 or 1.
    pub white: usize,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// Why it ended.
    pub reason: String,
    /// Which player failed, if one did.
    pub failed: Option<usize>,
    /// The position it began with, if not the usual one.
    pub start: Option<String>,
    /// The moves, those of the opening included.
    pub moves: Vec<String>,
    /// Seconds that White and Black needed.
    pub seconds: [f64; 2],
}

impl Entry {
    /// How a result is written.
    pub fn result_text(winner: Option<Side>) -> &'static str {
        match winner {
            Some(Side::White) => "1-0",
            Some(Side::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// Whether there can be such a game.
    fn is_possible(&self) -> bool {
        let results = [Some(Side::White), Some(Side::Black), None].map(Entry::result_text);
        self.white == self.number % 2 && results.contains(&self.result.as_str())
    }

    /// Half points of the first player.
    pub fn half_points(&self) -> usize {
        match (self.result.as_str(), self.white) {
            ("1-0", 0) | ("0-1", 1) => 2,
            ("1-0", _) | ("0-1", _) => 0,
            _ => 1,
        }
    }
}

/// A log that games are added to. One match at a time uses it.
#[derive(Debug)]
pub struct Log(Lines);

type Lines = multigame_files::Log<Header, Entry>;

impl Log {
    /// Opens a log and gives the games that are in it. A game that was not written down completely is played
    /// again.
    pub fn open(path: &Path, header: &Header) -> anyhow::Result<(Log, Vec<Entry>)> {
        let Opened { mut log, head, entries } = Lines::open(path, KIND)?;
        match head {
            Some(found) if found == *header => {}
            Some(found) if !entries.is_empty() => bail!(
                "`{}` is the log of another match ({}); choose another file",
                path.display(),
                difference(&found, header)
            ),
            // Nothing was played, perhaps because a program could not be started.
            _ => log.begin(header)?,
        }
        let mut numbers = HashSet::new();
        for (line, entry) in &entries {
            if !numbers.insert(entry.number) || !entry.is_possible() {
                return Err(log.damaged(*line).into());
            }
        }
        Ok((Log(log), entries.into_iter().map(|(_, entry)| entry).collect()))
    }

    /// Adds a game.
    pub fn add(&mut self, entry: &Entry) -> Result<(), FileError> {
        self.0.add(entry)
    }
}

/// What two matches differ in.
fn difference(found: &Header, wanted: &Header) -> String {
    if found.game != wanted.game {
        format!("of {}", found.game)
    } else if found.players != wanted.players {
        format!("between `{}` and `{}`", found.players[0], found.players[1])
    } else if found.controls != wanted.controls {
        format!("with {} against {}", found.controls[0], found.controls[1])
    } else {
        format!("from {}", found.openings)
    }
}
