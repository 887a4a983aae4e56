//! Where endgame databases and strong solutions are, by the name of their game.

use std::path::{Component, Path, PathBuf};

use anyhow::bail;
use multigame_endgame::has_slices;

/// How a folder of slices and a strong solution are named after their game.
const ENDINGS: [&str; 2] = ["solution", "endgames"];

/// The databases of a game at a path: the path itself if it has the name of the game, or what lies there.
pub fn find(path: &Path, game: &str) -> Option<PathBuf> {
    // Whoever opens own rules chooses their name, which must not lead elsewhere.
    if !Path::new(game).components().eq([Component::Normal(game.as_ref())]) {
        return None;
    }
    let names = ENDINGS.map(|ending| format!("{game}.{ending}"));
    if names.iter().any(|name| path.file_name().is_some_and(|file| file == name.as_str())) {
        return Some(path.to_path_buf()).filter(|path| is_one(path));
    }
    names.iter().map(|name| path.join(name)).find(|path| is_one(path))
}

/// Whether a path has databases of any game; an error says what is expected there.
pub fn check(path: &Path) -> anyhow::Result<()> {
    let named = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| ENDINGS.contains(&ending)) && is_one(path)
    };
    let inside = || std::fs::read_dir(path).into_iter().flatten().flatten();
    if named(path) || inside().any(|entry| named(&entry.path())) {
        return Ok(());
    }
    bail!(
        "`{}` has no endgames: give a folder with folders `GAME.endgames` of `multigame endgame make` or \
         files \
         `GAME.solution` of `multigame solve --strong`, or one of these",
        path.display()
    )
}

fn is_one(path: &Path) -> bool {
    path.is_file() || has_slices(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_have_the_name_of_their_game() {
        let folder = std::env::temp_dir().join(format!("multigame-databases-{}", std::process::id()));
        let slices = folder.join("chess.endgames");
        std::fs::create_dir_all(&slices).unwrap();
        let solution = folder.join("tic-tac-toe.solution");
        assert!(check(&folder).is_err() && check(&solution).is_err() && check(&slices).is_err());
        std::fs::write(&solution, "").unwrap();
        check(&folder).unwrap();
        check(&solution).unwrap();
        assert_eq!(find(&folder, "tic-tac-toe"), Some(solution.clone()));
        assert_eq!(find(&solution, "tic-tac-toe"), Some(solution.clone()));
        assert_eq!(find(&folder, "chess"), None, "no slice is finished");
        std::fs::write(slices.join("KQ-k.endgame"), "").unwrap();
        assert_eq!(find(&folder, "chess"), Some(slices.clone()));
        assert_eq!(find(&slices, "chess"), Some(slices.clone()));
        assert_eq!(find(&slices, "tic-tac-toe"), None);
        for elsewhere in ["", ".", "..", "../tic-tac-toe", "x/../tic-tac-toe", "/tic-tac-toe"] {
            assert_eq!(find(&folder, elsewhere), None, "{elsewhere}");
            assert_eq!(find(&slices, elsewhere), None, "{elsewhere}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
