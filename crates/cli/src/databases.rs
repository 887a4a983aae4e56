//! Endgame databases that nobody named: the folder `GAME.endgames` beside the rules, or in the current
//! folder, where `multigame endgame make` writes it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use multigame_endgame::has_slices;
use multigame_game::Description;

/// What `--endgames` says to use none.
const NONE: &str = "none";

static RULES: OnceLock<PathBuf> = OnceLock::new();

/// Remembers where the rules of this command are, if they are in a file.
#[cfg(feature = "full")]
pub fn rules_are(file: &str) {
    let path = Path::new(file);
    if path.is_file()
        && let Some(folder) = path.parent()
    {
        // A command has one game; if it had more, those of the first would be found.
        let _ = RULES.set(folder.to_path_buf());
    }
}

/// The folder of a game's databases if nothing else is said.
pub fn folder_name(description: &Description) -> PathBuf {
    format!("{}.endgames", description.name).into()
}

/// The path that `--endgames` names; nothing for `none`.
pub fn named(given: Option<&PathBuf>) -> Option<PathBuf> {
    given.filter(|path| path.as_os_str() != NONE).cloned()
}

/// Databases that are there though nobody named them; nothing where somebody named others, or none.
pub fn found(given: Option<&PathBuf>, description: &Description) -> Option<PathBuf> {
    if given.is_some() {
        return None;
    }
    let name = folder_name(description);
    let beside = RULES.get().map(|folder| folder.join(&name));
    beside.into_iter().chain([name]).find(|folder| has_slices(folder))
}

/// Tells on standard error that they are used.
pub fn tell(folder: &Path) {
    eprintln!("note: uses the endgames of `{}`; `--endgames none` leaves them out", folder.display());
}
