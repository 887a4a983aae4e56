//! The experiments and positions that come with the program.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::form::{Experiment, FormError};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// A set of positions of a game.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Positions {
    /// The game.
    pub game: String,
    /// Where they come from.
    pub source: String,
    /// What else is to be known about them.
    pub note: Option<String>,
    /// The positions, as the game writes them.
    #[serde(rename = "positions")]
    pub texts: Vec<String>,
    /// How many players the game has.
    #[serde(default = "two")]
    pub players: u32,
}

fn two() -> u32 {
    2
}

impl Positions {
    /// Whether the game has one player.
    pub fn is_puzzle(&self) -> bool {
        self.players == 1
    }
}

static POSITIONS: LazyLock<BTreeMap<String, Positions>> = LazyLock::new(|| {
    let set = |name: &str| {
        let text = text(&format!("positions/{name}.toml"))?;
        Some((name.to_string(), toml::from_str(&text).expect("a test reads all sets of positions")))
    };
    names_of("positions/").iter().filter_map(|name| set(name)).collect()
});

fn text(path: &str) -> Option<String> {
    let (_, content) = FILES.iter().find(|(known, _)| *known == path)?;
    String::from_utf8(content.to_vec()).ok()
}

fn names_of(folder: &str) -> Vec<String> {
    let name = |path: &str| Some(path.strip_prefix(folder)?.strip_suffix(".toml")?.to_string());
    let mut names: Vec<String> = FILES.iter().filter_map(|(path, _)| name(path)).collect();
    names.sort();
    names
}

/// The names of all experiments, sorted.
pub fn names() -> Vec<String> {
    names_of("catalogue/")
}

/// An experiment by name.
pub fn experiment(name: &str) -> Option<Result<Experiment, FormError>> {
    Some(Experiment::parse(name, &text(&format!("catalogue/{name}.toml"))?))
}

/// A set of positions by name.
pub fn positions(name: &str) -> Result<&'static Positions, String> {
    POSITIONS.get(name).ok_or_else(|| {
        let names: Vec<&str> = POSITIONS.keys().map(String::as_str).collect();
        format!("there is no set of positions `{name}`; there are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use multigame_game::{Game, parse_position};
    use multigame_loader::{Backend, Playable, WithGame};

    use super::*;

    struct Reads<'p>(&'p Positions);

    impl WithGame for Reads<'_> {
        type Output = ();

        fn run<G: Game>(self, game: G) {
            assert_eq!(u32::from(game.description().players), self.0.players, "{}", self.0.game);
            for text in &self.0.texts {
                parse_position(game.description(), text).unwrap_or_else(|error| panic!("{text}: {error}"));
            }
        }
    }

    #[test]
    fn all_positions_are_positions_of_their_games() {
        assert!(POSITIONS.len() >= 5);
        for (name, set) in POSITIONS.iter() {
            assert!(!set.source.is_empty() && !set.texts.is_empty(), "{name}");
            let source = multigame_loader::source(&set.game).unwrap();
            let program = multigame_loader::compile(&source, &[]).program.unwrap();
            Playable::new(program, Backend::Interp).0.run(Reads(set));
        }
    }
}
