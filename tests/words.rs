//! The prose keeps to plain words and to 110 columns: documentation everywhere, comments in the crates that
//! are listed. Links lead somewhere.
//!
//! This catches only habits that are nearly always wrong. A sentence that is right all the same can be
//! written differently.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Columns of prose and comments.
const COLUMNS: usize = 110;

/// Crates whose comments are checked.
const CRATES: &[&str] = &[
    "analysis",
    "files",
    "game",
    "generator",
    "learning",
    "library",
    "loader",
    "parallel",
    "reference",
    "sema",
    "suite",
    "syntax",
];

/// A phrase to avoid, and the remedy. A capital letter means the beginning of a sentence.
const PHRASES: &[(&str, &str)] = &[
    ("for want of", "write `without` or `because there is no`"),
    ("Whoever", "begin with the one who acts: the player, the caller, the thread"),
    ("so many", "write `this many` or the number"),
    ("so much", "write `this much` or the amount"),
    ("stands in", "write `is in`"),
    ("stand in", "write `are in`"),
];

/// Verbs that `no` and a noun should not follow: `is no move` is `is not a move`.
const VERBS: &[&str] = &["is", "are", "was", "were"];

/// Words before the verb, or after `no`, that make it good English: `there is no table`,
/// `it is no longer true`.
const GOOD: &[&str] =
    &["there", "longer", "more", "less", "better", "worse", "faster", "slower", "greater", "smaller"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The files of the repository; `None` where there is no git or no repository.
fn files() -> Option<Vec<String>> {
    let git = Command::new("git").args(["ls-files"]).current_dir(root()).output().ok()?;
    let list = String::from_utf8(git.stdout).ok()?;
    Some(list.lines().map(str::to_string).filter(|path| root().join(path).is_file()).collect())
}

/// The prose of a file: numbers of lines and their text.
fn prose(path: &str, text: &str) -> Vec<(usize, String)> {
    match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some("md") => markdown(text),
        Some("rs") => comments(text),
        _ => Vec::new(),
    }
}

/// The lines of a page outside code and HTML comments.
fn markdown(text: &str) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    let mut in_code = false;
    for (number, line) in text.lines().enumerate() {
        let is_fence = line.trim_start().starts_with("```");
        if !in_code && !is_fence && !line.starts_with("    ") && !line.starts_with("<!--") {
            lines.push((number + 1, line.to_string()));
        }
        in_code ^= is_fence;
    }
    lines
}

/// The lines of a program that hold a comment and nothing else.
fn comments(text: &str) -> Vec<(usize, String)> {
    let lines = text.lines().enumerate();
    lines.filter_map(|(number, line)| Some((number + 1, comment(line)?.to_string()))).collect()
}

/// The comment of a line of Rust that holds nothing else.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    ["///", "//!", "//"].iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim)
}

/// A line without its quoted code.
fn words(line: &str) -> Vec<String> {
    let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" _ ");
    let word = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_').to_string();
    plain.split_whitespace().map(word).filter(|word| !word.is_empty()).collect()
}

/// What is wrong with a line of prose.
fn faults(line: &str) -> Vec<String> {
    let words = words(line);
    let joined = format!(" {} ", words.join(" "));
    let lower = joined.to_lowercase();
    let has = |phrase: &str| {
        let text = if phrase.starts_with(char::is_uppercase) { &joined } else { &lower };
        text.contains(&format!(" {phrase} "))
    };
    let mut faults: Vec<String> = PHRASES
        .iter()
        .filter(|(phrase, _)| has(phrase))
        .map(|(phrase, remedy)| format!("`{phrase}`: {remedy}"))
        .collect();
    for at in 0..words.len().saturating_sub(2) {
        let before = at.checked_sub(1).map_or(String::new(), |before| words[before].to_lowercase());
        let is_good = GOOD.contains(&before.as_str()) || GOOD.contains(&words[at + 2].as_str());
        if VERBS.contains(&words[at].as_str()) && words[at + 1] == "no" && !is_good {
            faults.push(format!("`{} no {}`: write `not a`", words[at], words[at + 2]));
        }
    }
    faults
}

/// Whether a line may be long: tables, links and pictures cannot be wrapped.
fn may_be_long(path: &str, line: &str) -> bool {
    let longest = line.split_whitespace().map(str::len).max().unwrap_or(0);
    path.ends_with(".md") && (line.starts_with('|') || line.starts_with('!') || line.contains("  "))
        || line.starts_with('|')
        || longest > COLUMNS / 2
        || line.matches('`').count() >= 2 && longest_code(line) > COLUMNS / 2
}

/// The length of the longest quoted code, which is kept on one line.
fn longest_code(line: &str) -> usize {
    line.split('`').skip(1).step_by(2).map(str::len).max().unwrap_or(0)
}

fn is_checked(path: &str) -> bool {
    let in_crates = CRATES.iter().any(|name| path.starts_with(&format!("crates/{name}/")));
    path.ends_with(".md") || (path.ends_with(".rs") && in_crates)
}

#[test]
fn prose_is_plain_and_within_110_columns() {
    let Some(files) = files().filter(|files| !files.is_empty()) else {
        eprintln!("not checked: the files come from `git ls-files`, and this is not a repository");
        return;
    };
    let mut wrong = Vec::new();
    let mut lines = 0;
    for path in files.iter().filter(|path| is_checked(path)) {
        let text = std::fs::read_to_string(root().join(path)).unwrap();
        let whole: Vec<&str> = text.lines().collect();
        for (number, line) in prose(path, &text) {
            lines += 1;
            wrong.extend(faults(&line).iter().map(|fault| format!("{path}:{number}: {fault}")));
            let columns = whole[number - 1].chars().count();
            if columns > COLUMNS && !may_be_long(path, &line) {
                wrong.push(format!("{path}:{number}: {columns} columns: wrap it at {COLUMNS}"));
            }
        }
    }
    assert!(lines > 5000, "only {lines} lines of prose were found");
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// The places that the links of a page name, with the numbers of their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let lines = markdown(text).into_iter().flat_map(|(number, line)| {
        let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join("_");
        let targets = plain.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        targets.map(move |(target, _)| (number, target.to_string())).collect::<Vec<_>>()
    });
    lines.filter(|(_, target)| !target.contains("://")).collect()
}

/// The name by which links reach a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        })
        .collect()
}

/// Whether a page has a heading of that name.
fn has_anchor(page: &str, wanted: &str) -> bool {
    let headings = markdown(page).into_iter().filter(|(_, line)| line.starts_with('#'));
    headings.map(|(_, line)| anchor(line.trim_start_matches('#'))).any(|anchor| anchor == wanted)
}

#[test]
fn links_lead_somewhere() {
    let Some(files) = files().filter(|files| !files.is_empty()) else { return };
    let (mut wrong, mut count) = (Vec::new(), 0);
    for path in files.iter().filter(|path| path.ends_with(".md")) {
        let folder = root().join(path).parent().unwrap().to_path_buf();
        let text = std::fs::read_to_string(root().join(path)).unwrap();
        for (number, link) in links(&text) {
            count += 1;
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { root().join(path) } else { folder.join(file) };
            let is_there = target.exists()
                && (heading.is_empty()
                    || std::fs::read_to_string(&target).is_ok_and(|page| has_anchor(&page, heading)));
            if !is_there {
                wrong.push(format!("{path}:{number}: `{link}` leads nowhere"));
            }
        }
    }
    assert!(count > 200, "only {count} links were found");
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn every_page_and_report_is_in_the_index() {
    let Some(files) = files().filter(|files| !files.is_empty()) else { return };
    let index = std::fs::read_to_string(root().join("docs/README.md")).unwrap();
    let linked: Vec<String> = links(&index).into_iter().map(|(_, link)| format!("docs/{link}")).collect();
    let is_page = |path: &&String| {
        let is_report = path.starts_with("experiments/") && path.matches('/').count() == 2;
        path.ends_with(".md") && (path.starts_with("docs/") || is_report) && *path != "docs/README.md"
    };
    let missing: Vec<&String> = files
        .iter()
        .filter(is_page)
        .filter(|path| !linked.contains(path) && !linked.contains(&format!("docs/../{path}")))
        .collect();
    assert!(missing.is_empty(), "docs/README.md does not list {missing:?}");
}

#[test]
fn faults_are_found_and_good_sentences_pass() {
    for wrong in
        ["This is no move.", "Games are given up after so many moves.", "Whoever asks gets an answer."]
    {
        assert_eq!(faults(wrong).len(), 1, "{wrong}");
    }
    for right in ["There is no table.", "It is no longer true.", "`is no` is quoted.", "It is not a move."] {
        assert!(faults(right).is_empty(), "{right}");
    }
    assert_eq!(links("a [b](c.md#d) `[e](f)`\n[g](https://h)"), [(1, "c.md#d".to_string())]);
    assert!(has_anchor("# One\n## `two` (2), 3.\n", "two-2-3") && !has_anchor("# One", "two"));
    assert_eq!(prose("a.md", "one\n```sh\ntwo\n```\nthree\n").len(), 2);
    assert_eq!(prose("a.rs", "fn main() {} // no\n    /// yes\n"), [(2, "yes".to_string())]);
}
