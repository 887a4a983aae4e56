//! Makes files a part of the program: build scripts call [`files`], and their crates include what it writes.
//!
//! Libraries for this choose files by regular expressions. To compile those took a twentieth of the whole
//! build.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "build scripts read files and talk to cargo"
)]
#![forbid(unsafe_code)]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Writes `files.rs` into the folder of the build script's output. It has a table `FILES` of paths and
/// contents, sorted by path: those files in `folders` of `root` that are wanted by their path below `root`.
/// `root` is as seen from the crate. A folder that is missing has no files. Cargo runs the script again when
/// a folder changes.
pub fn files(root: &str, folders: &[&str], wanted: impl Fn(&str) -> bool) -> io::Result<()> {
    let variable = |name| env::var_os(name).map(PathBuf::from).ok_or(io::ErrorKind::NotFound);
    let root = variable("CARGO_MANIFEST_DIR")?.join(root);
    let mut found = Vec::new();
    for folder in folders {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
        walk(&root, folder, &mut found)?;
    }
    found.retain(|path| wanted(path));
    found.sort();
    fs::write(variable("OUT_DIR")?.join("files.rs"), table(&root, &found))
}

/// Adds the paths of all files below a folder of `root`.
fn walk(root: &Path, folder: &str, found: &mut Vec<String>) -> io::Result<()> {
    let entries = match fs::read_dir(root.join(folder)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        // Other names cannot be asked for.
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if entry.file_type()?.is_dir() {
            walk(root, &path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

/// The table as Rust.
fn table(root: &Path, paths: &[String]) -> String {
    let mut text = String::from("static FILES: &[(&str, &[u8])] = &[\n");
    for path in paths {
        // Writing to a string does not fail.
        let _ = writeln!(text, "    ({path:?}, include_bytes!({:?})),", root.join(path));
    }
    text + "];\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_at_any_depth() {
        let mut found = Vec::new();
        walk(Path::new(env!("CARGO_MANIFEST_DIR")), "", &mut found).unwrap();
        assert!(found.contains(&"Cargo.toml".to_string()) && found.contains(&"src/lib.rs".to_string()));
        walk(Path::new(env!("CARGO_MANIFEST_DIR")), "nowhere", &mut found).unwrap();
    }

    #[test]
    fn a_table_is_rust() {
        let text = table(Path::new("/games"), &["go/rules.mg".to_string()]);
        let expected = "static FILES: &[(&str, &[u8])] = &[\n    \
                        (\"go/rules.mg\", include_bytes!(\"/games/go/rules.mg\")),\n];\n";
        assert_eq!(text, expected);
    }
}
