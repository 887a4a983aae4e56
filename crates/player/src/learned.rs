//! Learned pattern tables and networks in files of the user's choice.

use std::path::Path;

use anyhow::{Context, anyhow};
use multigame_files::unstamp_if_stamped;
use multigame_game::{Description, NetworkFile, PatternsFile};
use multigame_input::MOST_TEXT;
use multigame_search::{Net, Patterns};
use serde::de::DeserializeOwned;

/// The learned tables that the text of a file describes; messages call it `name`.
pub(crate) fn patterns_of_text(
    text: &str,
    name: &str,
    description: &Description,
) -> anyhow::Result<Patterns> {
    let file: PatternsFile = json(text).with_context(|| format!("`{name}` is not a file of patterns"))?;
    let tuples = file.tuples(&description.board);
    let patterns = tuples.and_then(|tuples| Patterns::new(description, tuples));
    patterns.map_err(|message| anyhow!("the patterns of `{name}` cannot be used: {message}"))
}

/// The learned network that the text of a file describes; messages call it `name`.
pub(crate) fn network_of_text(text: &str, name: &str, description: &Description) -> anyhow::Result<Net> {
    let file: NetworkFile = json(text).with_context(|| format!("`{name}` is not a file of a network"))?;
    let network = file.network(description).and_then(|network| Net::new(description, network));
    network.map_err(|message| anyhow!("the network of `{name}` cannot be used: {message}"))
}

fn json<T: DeserializeOwned>(text: &str) -> anyhow::Result<T> {
    Ok(serde_json::from_str(&unstamp_if_stamped(text)?)?)
}

/// The text of a file.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    multigame_input::read_text(path, MOST_TEXT).with_context(|| format!("cannot read `{}`", path.display()))
}
