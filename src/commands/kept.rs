//! What `multigame learn` keeps between runs, in a file of JSON lines.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, bail};
use multigame_learning::GameRecord;
use serde::{Deserialize, Serialize};

/// What is kept between runs: a line each.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// What it belongs to.
    Head(String),
    /// A game of a round.
    Game { round: u32, record: GameRecord },
    /// The weights after a round.
    Weights { round: u32, values: Vec<i32> },
}

/// The file that games are kept in.
pub struct State(Option<(File, String)>);

impl State {
    /// Opens the file, if there shall be one, and gives what is in it.
    pub fn open(path: Option<&Path>, head: &str) -> anyhow::Result<(State, Vec<Kept>)> {
        let Some(path) = path else { return Ok((State(None), Vec::new())) };
        let name = path.display().to_string();
        let mut text = String::new();
        match File::open(path).and_then(|mut file| file.read_to_string(&mut text)) {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot read `{name}`")),
        }
        let complete = text.rfind('\n').map_or(0, |end| end + 1);
        let mut kept = Vec::new();
        for (number, line) in text[..complete].lines().enumerate() {
            let line: Kept = serde_json::from_str(line).with_context(|| {
                format!("line {} of `{name}` is damaged; choose another file", number + 1)
            })?;
            kept.push(line);
        }
        match kept.first() {
            None => {}
            Some(Kept::Head(found)) if found == head => {}
            Some(_) => bail!("`{name}` belongs to other rules, weights or options; choose another file"),
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.with_context(|| format!("cannot write `{name}`"))?;
        file.set_len(complete as u64).with_context(|| format!("cannot write `{name}`"))?;
        let mut state = State(Some((file, name)));
        if kept.is_empty() {
            state.add(&Kept::Head(head.to_string()))?;
        }
        Ok((state, kept))
    }

    /// Writes a line.
    pub fn add(&mut self, kept: &Kept) -> anyhow::Result<()> {
        let Some((file, name)) = &mut self.0 else { return Ok(()) };
        let line = serde_json::to_string(kept)? + "\n";
        file.write_all(line.as_bytes()).with_context(|| format!("cannot write `{name}`"))
    }
}
