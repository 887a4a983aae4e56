//! The texts as a part of the program.

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The names of all bundled games, sorted.
pub fn names() -> Vec<String> {
    let name = |path: &str| Some(path.strip_prefix("games/")?.strip_suffix("/rules.mg")?.to_string());
    let mut names: Vec<String> = FILES.iter().filter_map(|(path, _)| name(path)).collect();
    names.sort();
    names
}

/// The rules of a bundled game.
pub fn rules(name: &str) -> Option<String> {
    beside(name, "rules.mg")
}

/// A file beside the rules of a bundled game, `weights.toml`, `patterns.json`, `network.json` or
/// `known.toml`, if it has one.
pub fn beside(name: &str, file: &str) -> Option<String> {
    text(&format!("games/{name}/{file}"))
}

/// The names of all bundled libraries, sorted.
pub fn libraries() -> Vec<String> {
    let name = |path: &str| Some(path.strip_prefix("libraries/")?.strip_suffix(".mg")?.to_string());
    FILES.iter().filter_map(|(path, _)| name(path)).collect()
}

/// The text of a bundled library.
pub fn library(name: &str) -> Option<String> {
    text(&format!("libraries/{name}.mg"))
}

fn text(path: &str) -> Option<String> {
    let (_, content) = FILES.iter().find(|(known, _)| *known == path)?;
    String::from_utf8(content.to_vec()).ok()
}
