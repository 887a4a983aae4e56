//! The log of a match: a line of JSON for each game, written as soon as it is over, so that a match can go on after an
//! interruption.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use anyhow::{Context, bail};
use multigame_game::Side;
use serde::{Deserialize, Serialize};

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

    /// Half points of the first player.
    pub fn half_points(&self) -> usize {
        match (self.result.as_str(), self.white) {
            ("1-0", 0) | ("0-1", 1) => 2,
            ("1-0", _) | ("0-1", _) => 0,
            _ => 1,
        }
    }
}

/// A log that games are added to.
#[derive(Debug)]
pub struct Log {
    file: File,
    name: String,
}

impl Log {
    /// Opens a log and gives the games that are in it. A game that was not written down completely is played again.
    pub fn open(path: &Path, header: &Header) -> anyhow::Result<(Log, Vec<Entry>)> {
        let name = path.display().to_string();
        let mut text = String::new();
        match File::open(path).and_then(|mut file| file.read_to_string(&mut text)) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot read the log `{name}`")),
        }
        let mut complete = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..complete].lines();
        let mut entries = Vec::new();
        let mut first = lines.next();
        if let Some(header_line) = first {
            let found: Header = serde_json::from_str(header_line)
                .with_context(|| format!("`{name}` is no log of a match; choose another file"))?;
            if found != *header && lines.clone().next().is_none() {
                // Nothing was played, perhaps because a program could not be started.
                (first, complete) = (None, 0);
            } else if found != *header {
                bail!(
                    "`{name}` is the log of another match ({}); choose another file",
                    difference(&found, header)
                );
            }
        }
        for (number, line) in lines.enumerate() {
            let entry = serde_json::from_str(line);
            entries.push(entry.with_context(|| {
                format!(
                    "line {} of the log `{name}` is damaged; remove it, and the game is played again",
                    number + 2
                )
            })?);
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.with_context(|| format!("cannot write the log `{name}`"))?;
        file.set_len(complete as u64).with_context(|| format!("cannot write the log `{name}`"))?;
        let mut log = Log { file, name };
        if first.is_none() {
            log.write(header)?;
        }
        Ok((log, entries))
    }

    /// Adds a game.
    pub fn add(&mut self, entry: &Entry) -> anyhow::Result<()> {
        self.write(entry)
    }

    fn write(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let line = serde_json::to_string(value)? + "\n";
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        written.with_context(|| format!("cannot write the log `{}`", self.name))
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
