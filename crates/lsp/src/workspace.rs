//! Files of rules around the open ones, and files for the games that come with the program.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use multigame_ide::Rules;
use multigame_input::{MOST_RULES, read_text};
use multigame_loader::game_name;

use crate::documents::Documents;
use crate::uri;

/// Deeper folders are not looked into.
const MOST_DEPTH: usize = 8;
/// More files of rules are not read.
const MOST_FILES: usize = 1000;
/// More entries of folders are not looked at.
const MOST_ENTRIES: usize = 50_000;

/// The folders that the editor has open.
#[derive(Debug, Default)]
pub struct Workspace {
    folders: BTreeSet<PathBuf>,
}

impl Workspace {
    /// Adds the folder of an address.
    pub fn add(&mut self, uri: &str) {
        self.folders.extend(uri::path(uri));
    }

    /// Forgets the folder of an address.
    pub fn remove(&mut self, uri: &str) {
        if let Some(path) = uri::path(uri) {
            self.folders.remove(&path);
        }
    }

    /// The rules of all files in the folders that are not open, with their addresses.
    pub fn closed(&self, documents: &Documents) -> Vec<(String, Rules)> {
        let files = self.files().into_iter();
        files
            .filter(|path| documents.of_path(path).is_none())
            .filter_map(|path| {
                let text = read_text(&path, MOST_RULES).ok()?;
                Some((uri::of_path(&path), Rules::new(&game_name(&path), &text)))
            })
            .collect()
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut entries = 0;
        let mut folders: Vec<(PathBuf, usize)> = self.folders.iter().map(|it| (it.clone(), 0)).collect();
        while let Some((folder, depth)) = folders.pop() {
            let Ok(listed) = std::fs::read_dir(&folder) else { continue };
            for entry in listed.flatten() {
                entries += 1;
                if files.len() == MOST_FILES || entries == MOST_ENTRIES {
                    return files;
                }
                let (path, name) = (entry.path(), entry.file_name());
                let name = name.to_string_lossy();
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if is_folder && depth < MOST_DEPTH && !is_skipped(&name) {
                    folders.push((path, depth + 1));
                } else if !is_folder && name.ends_with(".mg") {
                    files.push(path);
                }
            }
        }
        files.sort();
        files
    }

    /// The address of the rules of a bundled game or library: a file in the folders that says the same, else
    /// a copy of our own, which changes nothing when it is changed.
    pub fn bundled(&self, documents: &Documents, name: &str) -> Result<String, String> {
        let text = match name.strip_prefix("libraries/") {
            Some(library) => multigame_library::library(library),
            None => multigame_library::rules(name),
        };
        let text = text.ok_or_else(|| format!("there is no bundled game `{name}`"))?;
        let open =
            documents.all().find(|document| document.rules().own().name == name && document.text == text);
        if let Some(document) = open {
            return Ok(document.uri.clone());
        }
        for folder in &self.folders {
            for place in [format!("games/{name}/rules.mg"), format!("{name}/rules.mg"), format!("{name}.mg")]
            {
                let path = folder.join(place);
                if read_text(&path, MOST_RULES).is_ok_and(|found| found == text) {
                    return Ok(uri::of_path(&path));
                }
            }
        }
        copy(name, &text)
    }
}

fn is_skipped(name: &str) -> bool {
    name.starts_with('.') || matches!(name, "target" | "node_modules")
}

/// Writes the rules of a bundled game where the user's programs keep what can be made again.
fn copy(name: &str, text: &str) -> Result<String, String> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || std::env::home_dir().map(|home| home.join(".cache"));
    let folder = cache.or_else(home).ok_or("there is no home folder for a copy of the bundled rules")?;
    let path = folder.join("multigame").join("games").join(name).join("rules.mg");
    if read_text(&path, MOST_RULES).is_ok_and(|found| found == text) {
        return Ok(uri::of_path(&path));
    }
    let parent = path.parent().unwrap_or(Path::new("/"));
    let written = std::fs::create_dir_all(parent).map_err(|error| error.to_string());
    let written = written
        .and_then(|()| multigame_files::write(&path, text.as_bytes()).map_err(|error| error.to_string()));
    written.map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    Ok(uri::of_path(&path))
}
