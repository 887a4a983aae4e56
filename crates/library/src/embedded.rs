//! The texts as a part of the program.

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The names of all bundled games, sorted.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> =
        FILES.iter().filter_map(|(path, _)| path.strip_suffix("/rules.mg").map(str::to_string)).collect();
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
    let path = format!("{name}/{file}");
    let (_, content) = FILES.iter().find(|(known, _)| *known == path)?;
    String::from_utf8(content.to_vec()).ok()
}
