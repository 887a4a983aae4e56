//! The games that come with the program, as texts: what `based on` and the names on the command line refer
//! to.

use rust_embed::Embed;

#[derive(Embed)]
#[folder = "../../games/"]
#[include = "*/rules.mg"]
#[include = "*/weights.toml"]
#[include = "*/patterns.json"]
#[include = "*/network.json"]
#[include = "*/known.toml"]
struct Files;

/// The names of all bundled games, sorted.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> =
        Files::iter().filter_map(|path| path.strip_suffix("/rules.mg").map(str::to_string)).collect();
    names.sort();
    names
}

/// The rules of a bundled game.
pub fn rules(name: &str) -> Option<String> {
    let file = Files::get(&format!("{name}/rules.mg"))?;
    String::from_utf8(file.data.into_owned()).ok()
}

/// A file beside the rules of a bundled game, `weights.toml`, `patterns.json`, `network.json` or
/// `known.toml`, if it has one.
pub fn beside(name: &str, file: &str) -> Option<String> {
    let file = Files::get(&format!("{name}/{file}"))?;
    String::from_utf8(file.data.into_owned()).ok()
}
