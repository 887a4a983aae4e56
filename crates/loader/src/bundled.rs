//! The games that come with the program.

pub use multigame_library::{beside, libraries, library, names, rules};
use serde::Deserialize;

/// The families that games belong to, in the order in which lists show them.
pub const FAMILIES: &[&str] = &[
    "chess",
    "shogi",
    "draughts",
    "rows",
    "connection",
    "territory",
    "mancala",
    "morris",
    "tafl",
    "hunt",
    "race",
    "blocking",
    "combinatorial",
    "modern",
    "puzzle",
];

/// What lists say about a game; the tests read the rest of the file.
#[derive(Deserialize)]
struct Known {
    family: String,
}

/// The family of a bundled game, as its `known.toml` says.
pub fn family(name: &str) -> Option<String> {
    let known = toml::from_str::<Known>(&beside(name, "known.toml")?);
    known.ok().map(|known| known.family)
}

#[cfg(test)]
mod tests {
    use super::{FAMILIES, family, names};

    #[test]
    fn every_game_belongs_to_a_family() {
        for name in names() {
            let family = family(&name).unwrap_or_else(|| panic!("{name}: `family` is missing in known.toml"));
            assert!(FAMILIES.contains(&family.as_str()), "{name}: {family}");
        }
        assert_eq!(family("chess").as_deref(), Some("chess"));
        assert_eq!(family("no such game"), None);
    }

    #[test]
    fn every_family_has_a_game() {
        let found: Vec<String> = names().iter().filter_map(|name| family(name)).collect();
        for family in FAMILIES {
            assert!(found.iter().any(|found| found == family), "{family}");
        }
    }
}
