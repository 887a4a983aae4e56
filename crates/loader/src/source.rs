//! Where the rules of a game are found, and under which name.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use multigame_compiler::{Libraries, is_library_name, libraries_used};
use multigame_input::{MOST_RULES, MOST_TEXT, read_text};

use crate::bundled;

/// The file of learned weights beside rules.
pub const WEIGHTS: &str = "weights.toml";
/// The file of learned patterns beside rules.
pub const PATTERNS: &str = "patterns.json";
/// The file of a learned network beside rules.
pub const NETWORK: &str = "network.json";

/// Rules as text with the name to show for them.
#[derive(Clone, Debug)]
pub struct Source {
    /// What diagnostics call the file.
    pub file: String,
    /// What the game is called.
    pub name: String,
    /// Where libraries of its own are: the folder of the rules, if they are in a file.
    pub folder: Option<PathBuf>,
    /// The rules.
    pub text: String,
    /// The weights file beside the rules.
    pub weights: Option<Beside>,
    /// The learned patterns beside the rules.
    pub patterns: Option<Beside>,
    /// The learned network beside the rules.
    pub network: Option<Beside>,
}

/// A file beside the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// What messages call it.
    pub file: String,
    /// What is in it.
    pub text: String,
}

impl Source {
    /// Rules without anything beside them.
    pub fn of_text(file: String, name: String, text: String) -> Source {
        Source { file, name, folder: None, text, weights: None, patterns: None, network: None }
    }

    /// Rules that are or will be in a file, with what is beside it.
    pub fn at(path: &Path, text: String) -> anyhow::Result<Source> {
        let (weights, patterns) = (beside(path, WEIGHTS)?, beside(path, PATTERNS)?);
        let network = beside(path, NETWORK)?;
        let (file, name) = (path.display().to_string(), game_name(path));
        let folder = path.parent().map(Path::to_path_buf);
        Ok(Source { file, name, folder, text, weights, patterns, network })
    }

    /// The libraries beside the rules that they use, and that those use. What cannot be read is missing; the
    /// compiler says so.
    pub fn libraries(&self) -> Libraries {
        let mut found = Libraries::new();
        let Some(folder) = &self.folder else { return found };
        let mut wanted = libraries_used(&self.text);
        while let Some(name) = wanted.pop() {
            if found.contains_key(&name) || !is_library_name(&name) {
                continue;
            }
            if let Ok(text) = read_text(folder.join(format!("{name}.mg")), MOST_RULES) {
                wanted.extend(libraries_used(&text));
                found.insert(name, text);
            }
        }
        found
    }
}

/// Finds the rules of a game.
pub fn source(game: &str) -> anyhow::Result<Source> {
    let looks_like_path = game.ends_with(".mg") || game.contains(['/', '\\']);
    if !looks_like_path && let Some(text) = bundled::rules(game) {
        let beside = |file: &str| {
            bundled::beside(game, file).map(|text| Beside { file: format!("{game}/{file}"), text })
        };
        let (weights, patterns, network) = (beside(WEIGHTS), beside(PATTERNS), beside(NETWORK));
        return Ok(Source {
            file: format!("{game}/rules.mg"),
            name: game.to_string(),
            folder: None,
            text,
            weights,
            patterns,
            network,
        });
    }
    let path = PathBuf::from(game);
    if !looks_like_path && !path.is_file() {
        let names = bundled::names();
        let hint = near_name(game, &names).map_or(String::new(), |name| format!("; did you mean `{name}`?"));
        bail!("there is no game `{game}`{hint} (`multigame games` lists them; a file ends in `.mg`)");
    }
    let text = read_text(&path, MOST_RULES).with_context(|| format!("cannot read `{game}`"))?;
    Source::at(&path, text)
}

/// A file beside `rules.mg`, if it is there; other names share their folder with others.
fn beside(rules: &Path, file: &str) -> anyhow::Result<Option<Beside>> {
    let beside = rules.with_file_name(file);
    let named_rules = rules.file_stem().is_some_and(|stem| stem == "rules");
    match read_text(&beside, MOST_TEXT) {
        Ok(text) if named_rules => Ok(Some(Beside { file: beside.display().to_string(), text })),
        Err(error) if named_rules && error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot read `{}`", beside.display()))
        }
        _ => Ok(None),
    }
}

/// The game that was meant: the least different name, else one that contains or begins like what was written.
fn near_name<'n>(written: &str, names: &'n [String]) -> Option<&'n str> {
    let names = || names.iter().map(String::as_str);
    let alike = || names().find(|name| name.contains(written) || written.contains(name));
    let begins_alike = || {
        let start = written.get(..3)?;
        names().filter(|name| name.starts_with(start)).min_by_key(|name| name.len().abs_diff(written.len()))
    };
    multigame_syntax::closest(written, names()).or_else(alike).or_else(begins_alike)
}

/// `games/chess/rules.mg` is chess, `my-game.mg` is my-game.
pub fn game_name(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    match folder {
        Some(folder) if stem == "rules" => folder,
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::near_name;

    #[test]
    fn a_misspelled_game_is_found() {
        let names =
            ["checkers", "chess", "chess960", "connect-4", "othello", "tic-tac-toe"].map(String::from);
        let near = |written| near_name(written, &names);
        assert_eq!(near("chez"), Some("chess"));
        assert_eq!(near("chses"), Some("chess"));
        assert_eq!(near("Othelo"), Some("othello"));
        assert_eq!(near("tictactoe"), Some("tic-tac-toe"));
        assert_eq!(near("connect"), Some("connect-4"));
        assert_eq!(near("go"), None);
        assert_eq!(near("schach"), None);
        assert_eq!(near("ß"), None);
    }
}
