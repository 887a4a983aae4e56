//! The texts that a web page has brought.

use std::collections::BTreeMap;
use std::sync::RwLock;

static SHELF: RwLock<BTreeMap<String, String>> = RwLock::new(BTreeMap::new());

/// Puts the rules of a game there.
pub fn put(name: String, rules: String) {
    SHELF.write().expect("nobody panics here").insert(name, rules);
}

/// The names of all games there, sorted.
pub fn names() -> Vec<String> {
    SHELF.read().expect("nobody panics here").keys().cloned().collect()
}

/// The rules of a game.
pub fn rules(name: &str) -> Option<String> {
    SHELF.read().expect("nobody panics here").get(name).cloned()
}

/// What stands beside rules comes with them.
pub fn beside(_: &str, _: &str) -> Option<String> {
    None
}
