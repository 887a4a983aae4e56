//! What endgame databases and strong solutions know about a game, for all its sessions.

use std::path::Path;
use std::sync::Arc;

use multigame_endgame::{Endgames, load_endgames_within};
use multigame_ir::{Program, RulesGame};
use serde_json::{Value, json};

/// The values of positions that were found for a game.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The values, if there are any that can be used.
    pub endgames: Option<Arc<Endgames>>,
    /// What clients are told about them.
    pub about: Value,
}

impl Known {
    /// Reads a folder of slices or a strong solution, which may take that many bytes of memory. If they
    /// cannot be used, the game is played without them, and clients are told the reason.
    pub fn read(path: &Path, program: &Program, bytes: u64) -> Known {
        let source = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        match load_endgames_within(path, &RulesGame::new(program.clone()), bytes) {
            Ok(endgames) => {
                Known { endgames: Some(Arc::new(endgames)), about: json!({"source": source, "error": null}) }
            }
            Err(error) => {
                // Where the files of the machine are is nobody else's business.
                let error = format!("{error:#}").replace(&path.display().to_string(), &source);
                Known { endgames: None, about: json!({"source": source, "error": error}) }
            }
        }
    }
}
