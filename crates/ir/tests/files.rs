//! Programs in `files/*.ir` are read, written, read again and run; a line `# perft 1 9, 2 72` says how many
//! move sequences of 1 and 2 moves there must be.
//!
//! The counts are those of published tables or of separate hand-written counters, never of the interpreter
//! itself.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

use std::fs;
use std::path::{Path, PathBuf};

use multigame_game::{Game, perft};
use multigame_ir::{RulesGame, parse, print};

#[test]
fn every_file_counts_as_it_says() {
    let mut failures = Vec::new();
    let files = files();
    assert!(!files.is_empty(), "there are no files");
    for file in files {
        if let Err(message) = check(&file) {
            failures.push(format!("{}: {message}", file.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let entries = fs::read_dir(folder).expect("the folder of the files").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ir"));
    files.sort();
    files
}

fn check(file: &Path) -> Result<(), String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let expected = expected_counts(&text)?;
    let program = parse(&text).map_err(|error| error.to_string())?;
    let again = parse(&print(&program)).map_err(|error| format!("what was printed: {error}"))?;
    if again != program {
        return Err("what was printed is another program".to_string());
    }
    let game = RulesGame::new(program);
    let start = game.position(&game.description().initial);
    for (depth, wanted) in expected {
        let counted = perft(&game, &start, depth).map_err(|error| error.to_string())?;
        if counted != wanted {
            return Err(format!("perft {depth} is {counted}, not {wanted}"));
        }
    }
    Ok(())
}

/// The depths and counts of all lines `# perft 1 9, 2 72`.
fn expected_counts(text: &str) -> Result<Vec<(u32, u64)>, String> {
    let mut counts = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("# perft ")) {
        for pair in line.split(',') {
            let (depth, count) =
                pair.trim().split_once(' ').ok_or_else(|| format!("`{pair}` is not a count"))?;
            let wrong = |_| format!("`{pair}` is not a count");
            counts.push((depth.parse().map_err(wrong)?, count.parse().map_err(wrong)?));
        }
    }
    if counts.is_empty() { Err("there is no line `# perft 1 9, 2 72`".to_string()) } else { Ok(counts) }
}
