//! Learned pattern tables and networks in files of the user's choice.

use std::path::Path;

use anyhow::{Context, anyhow};
use multigame_game::{Description, NetworkFile, PatternsFile};
use multigame_search::{Net, Patterns};
use serde::de::DeserializeOwned;

/// Reads a file of learned tables and checks that it fits a game.
pub fn read_patterns(path: &Path, description: &Description) -> anyhow::Result<Patterns> {
    let file: PatternsFile = read(path, "patterns")?;
    let tuples = file.tuples(&description.board);
    let patterns = tuples.and_then(|tuples| Patterns::new(description, tuples));
    patterns.map_err(|message| anyhow!("the patterns of `{}` cannot be used: {message}", path.display()))
}

/// Reads a file with a learned network and checks that it fits a game.
pub fn read_network(path: &Path, description: &Description) -> anyhow::Result<Net> {
    let file: NetworkFile = read(path, "a network")?;
    let network = file.network(description).and_then(|network| Net::new(description, network));
    network.map_err(|message| anyhow!("the network of `{}` cannot be used: {message}", path.display()))
}

fn read<T: DeserializeOwned>(path: &Path, what: &str) -> anyhow::Result<T> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{name}`"))?;
    serde_json::from_str(&text).with_context(|| format!("`{name}` is no file of {what}"))
}
