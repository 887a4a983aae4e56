//! The texts that a web page has brought.

use std::collections::BTreeMap;
use std::sync::RwLock;

static SHELF: RwLock<BTreeMap<String, String>> = RwLock::new(BTreeMap::new());

/// Puts a file there, such as `chess/rules.mg`.
pub fn put(path: String, text: String) {
    SHELF.write().expect("nobody panics here").insert(path, text);
}

/// The names of all games there, sorted.
pub fn names() -> Vec<String> {
    let shelf = SHELF.read().expect("nobody panics here");
    shelf.keys().filter_map(|path| path.strip_suffix("/rules.mg").map(str::to_string)).collect()
}

/// The rules of a game.
pub fn rules(name: &str) -> Option<String> {
    beside(name, "rules.mg")
}

/// A file beside the rules of a game, if the page has brought it.
pub fn beside(name: &str, file: &str) -> Option<String> {
    SHELF.read().expect("nobody panics here").get(&format!("{name}/{file}")).cloned()
}

/// The names of all libraries there, sorted.
pub fn libraries() -> Vec<String> {
    let shelf = SHELF.read().expect("nobody panics here");
    let name = |path: &String| Some(path.strip_prefix("libraries/")?.strip_suffix(".mg")?.to_string());
    shelf.keys().filter_map(name).collect()
}

/// The text of a library.
pub fn library(name: &str) -> Option<String> {
    SHELF.read().expect("nobody panics here").get(&format!("libraries/{name}.mg")).cloned()
}
