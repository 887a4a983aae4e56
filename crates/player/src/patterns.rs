//! Learned pattern tables in a file of the user's choice.

use std::path::Path;

use anyhow::{Context, anyhow};
use multigame_game::{Description, PatternsFile};
use multigame_search::Patterns;

/// Reads a file of learned tables and checks that it fits a game.
pub fn read_patterns(path: &Path, description: &Description) -> anyhow::Result<Patterns> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{name}`"))?;
    let file: PatternsFile =
        serde_json::from_str(&text).with_context(|| format!("`{name}` is no file of patterns"))?;
    let tuples = file.tuples(&description.board);
    tuples
        .and_then(|tuples| Patterns::new(description, tuples))
        .map_err(|message| anyhow!("the patterns of `{name}` cannot be used: {message}"))
}
