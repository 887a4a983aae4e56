//! The documentation is true: every program in it compiles, every move, count, message and table in it is as
//! stated.
//!
//! Fenced blocks are told apart by the word after the fence:
//!
//! | fence | meaning |
//! |---|---|
//! | `multigame` | a complete program that compiles without diagnostics |
//! | `multigame-rules` | rules that compile together with the declarations in an HTML comment `declarations` before them, or with the block marked by the comment `default declarations` |
//! | `multigame-error CODE` | a complete program whose only diagnostic is CODE, an error or a warning |
//! | `multigame-rules-error CODE` | the same for rules without declarations |
//! | `multigame-step` | declarations and rules, separated by blank lines, that replace those of the same name in the file of a tutorial |
//! | `text` | after a program: facts about it, see [`Facts`] |
//! | `console` | after the file of a tutorial: commands after `$ ` and what they print, see [`transcript`] |
//!
//! `UPDATE_DOCS=1 cargo test --test docs -- --test-threads 1` formats the programs and writes the generated
//! tables anew.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use multigame_compiler::{Options, compile};
use multigame_game::{Appraiser, Game, Line, notation, parse_position, perft, position_text};
use multigame_ir::RulesGame;
use multigame_loader::{Length, without_comments};
use multigame_syntax::Severity;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A fenced block with the HTML comments directly before it.
struct Block {
    place: String,
    kind: String,
    argument: String,
    text: String,
    notes: Vec<String>,
}

impl Block {
    /// What a note says after its first words, if there is such a note.
    fn note(&self, words: &str) -> Option<&str> {
        self.notes.iter().find_map(|note| note.strip_prefix(words)).map(str::trim)
    }
}

fn blocks(path: &str) -> Vec<Block> {
    let text = read(path);
    let mut lines = text.lines().enumerate();
    let (mut blocks, mut notes) = (Vec::new(), Vec::new());
    while let Some((number, line)) = lines.next() {
        if let Some(fence) = line.strip_prefix("```") {
            let inside = lines.by_ref().map(|(_, line)| line).take_while(|line| !line.starts_with("```"));
            let text = inside.map(|line| format!("{line}\n")).collect();
            let (kind, argument) = fence.split_once(' ').unwrap_or((fence, ""));
            blocks.push(Block {
                place: format!("{path}:{}", number + 1),
                kind: kind.to_string(),
                argument: argument.trim().to_string(),
                text,
                notes: std::mem::take(&mut notes),
            });
        } else if let Some(opened) = line.strip_prefix("<!--") {
            let mut note = opened.to_string();
            while !note.contains("-->") {
                let (_, line) = lines.next().unwrap_or_else(|| panic!("{path}: a comment does not end"));
                note = format!("{note}\n{line}");
            }
            notes.push(note.split("-->").next().unwrap_or_default().trim().to_string());
        } else if !line.trim().is_empty() {
            notes.clear();
        }
    }
    blocks
}

/// Everything that is wrong, so that one run tells all.
#[derive(Default)]
struct Report {
    wrong: Vec<String>,
    counts: BTreeMap<String, usize>,
}

impl Report {
    fn wrong(&mut self, place: &str, what: impl std::fmt::Display) {
        self.wrong.push(format!("{place}: {what}"));
    }

    fn count(&mut self, what: &str) {
        *self.counts.entry(what.to_string()).or_default() += 1;
    }

    /// Panics if anything is wrong or if fewer than these were found.
    fn finish(self, at_least: &[(&str, usize)]) {
        assert!(self.wrong.is_empty(), "\n{}\n", self.wrong.join("\n\n"));
        for (what, least) in at_least {
            let found = self.counts.get(*what).copied().unwrap_or(0);
            assert!(found >= *least, "only {found} of {what} were found, at least {least} are expected");
        }
    }
}

/// The codes of a program's diagnostics, and the game if there are no errors among them.
fn compiled(text: &str, parameters: &[(String, i64)]) -> (Vec<String>, Option<RulesGame>) {
    let options = Options { name: "example".to_string(), parameters: parameters.to_vec() };
    let compilation = compile(text, &options);
    let codes = compilation.diagnostics.iter().map(|found| found.code.to_string()).collect();
    (codes, compilation.program.map(RulesGame::new))
}

/// A diagnostic for each code that the program has and should not have, or the other way round.
fn check_codes(text: &str, ignored: &[&str], expected: &[&str]) -> Result<(), String> {
    let diagnostics = compile(text, &Options::default()).diagnostics;
    let found: Vec<_> = diagnostics.iter().filter(|found| !ignored.contains(&found.code)).collect();
    if found.iter().map(|found| found.code).eq(expected.iter().copied()) {
        return Ok(());
    }
    let shown: Vec<String> =
        found.iter().map(|found| format!("  {}: {}", found.code, found.message)).collect();
    Err(format!("the diagnostics should be {expected:?}, they are\n{}\nin\n{text}", shown.join("\n")))
}

/// Facts about a game, one a line. `position: TEXT` and `play: MOVE, MOVE` say about which position the
/// following ones are, `set: NAME=VALUE` begins again with another parameter; `moves:` gives all legal moves,
/// `perft:` counts from depth 1, `text:` the position, `status:` the outcome or `playing`, `value:` what the
/// position is worth to the player to move by the rules' evaluation, `terms:` what its terms contribute,
/// `error:` a part of the run-time error.
struct Facts<'a> {
    program: &'a str,
    parameters: Vec<(String, i64)>,
    start: Option<String>,
    played: Vec<String>,
}

impl Facts<'_> {
    fn check(program: &str, text: &str, report: &mut Report, place: &str) {
        let mut facts = Facts { program, parameters: Vec::new(), start: None, played: Vec::new() };
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let Some((fact, value)) = line.split_once(':') else {
                report.wrong(place, format!("`{line}` is no fact: `name: value` is expected"));
                continue;
            };
            report.count("facts");
            if let Err(wrong) = facts.fact(fact.trim(), value.trim()) {
                report.wrong(place, format!("`{line}` is not so: {wrong}\nin\n{program}"));
            }
        }
    }

    fn fact(&mut self, fact: &str, value: &str) -> Result<(), String> {
        let list = || value.split(", ").map(str::to_string).collect::<Vec<_>>();
        match fact {
            "position" => {
                (self.start, self.played) = (Some(value.to_string()), Vec::new());
                return Ok(());
            }
            "play" => {
                self.played.extend(list());
                return self.with_line(|_| Ok(()));
            }
            "set" => {
                let (name, value) = value.split_once('=').ok_or("`name=value` is expected")?;
                let value = value.parse().map_err(|_| "a number is expected")?;
                (self.start, self.played) = (None, Vec::new());
                self.parameters.push((name.to_string(), value));
                return Ok(());
            }
            _ => {}
        }
        self.with_line(|line| {
            let game = line.game();
            let found = match fact {
                "moves" => {
                    let named = notation::names(game, line.position()).map_err(|error| error.to_string())?;
                    let names: BTreeSet<String> = named.into_iter().map(|named| named.name).collect();
                    if names == list().into_iter().collect() {
                        return Ok(());
                    }
                    names.into_iter().collect::<Vec<_>>().join(", ")
                }
                "perft" => {
                    let depths = 1..=value.split_whitespace().count() as u32;
                    let counts = depths.map(|depth| perft(game, line.position(), depth));
                    let counts: Result<Vec<u64>, _> = counts.collect();
                    let counts = counts.map_err(|error| error.to_string())?;
                    counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
                }
                "text" => position_text(game.description(), &game.diagram(line.position())),
                "status" => {
                    let outcome = line.status().map_err(|error| error.to_string())?.outcome();
                    outcome.map_or("playing".to_string(), |outcome| outcome.to_string())
                }
                "value" | "terms" => {
                    let judged = Appraiser::new(game, 0).explain(game, line.position());
                    let judged = judged.map_err(|error| error.to_string())?;
                    let number = |value: f64| (value * 1e4).round() / 1e4 + 0.0;
                    let shares = judged.shares.iter();
                    match fact {
                        "value" => judged.value.to_string(),
                        _ => shares
                            .map(|share| format!("{} {}", share.name, number(share.value)))
                            .collect::<Vec<_>>()
                            .join(", "),
                    }
                }
                "error" => match line.status() {
                    Err(error) if error.to_string().contains(value) => return Ok(()),
                    other => format!("{other:?}"),
                },
                _ => return Err("there is no such fact".to_string()),
            };
            if found == value { Ok(()) } else { Err(format!("it is `{found}`")) }
        })
    }

    /// Calls a function with the game as far as it is played.
    fn with_line(
        &self,
        check: impl FnOnce(&Line<'_, RulesGame>) -> Result<(), String>,
    ) -> Result<(), String> {
        let (codes, game) = compiled(self.program, &self.parameters);
        let game = game.ok_or_else(|| format!("the program does not compile: {codes:?}"))?;
        let mut start = game.initial();
        if let Some(text) = &self.start {
            let diagram = parse_position(game.description(), text).map_err(|error| error.to_string())?;
            start = game.position(&diagram);
        }
        let mut line = Line::new(&game, start);
        for text in &self.played {
            let mv = notation::find(&game, line.position(), text).map_err(|error| error.to_string())?;
            line.play(&mv);
        }
        check(&line)
    }
}

/// Checks the programs of a reference and the facts about them.
fn check_examples(path: &str, report: &mut Report) {
    let blocks = blocks(path);
    let marked = blocks.iter().find(|block| block.note("default declarations").is_some());
    let default = marked.map_or("", |block| block.text.as_str()).to_string();
    // Rules need not use all declarations that they are given.
    let given = ["unused-property", "unused-rule"];
    let mut program: Option<String> = None;
    for block in &blocks {
        let declarations = block.note("declarations").unwrap_or(&default);
        let whole = match block.kind.as_str() {
            "multigame-rules" | "multigame-rules-error" => format!("{declarations}\n\n{}", block.text),
            _ => block.text.clone(),
        };
        let mut ignored: Vec<&str> = given.to_vec();
        ignored.retain(|code| block.kind.starts_with("multigame-rules") && *code != block.argument);
        let checked = match block.kind.as_str() {
            _ if block.note("default declarations").is_some() => Ok(()),
            "multigame" | "multigame-rules" => check_codes(&whole, &ignored, &[]),
            "multigame-error" | "multigame-rules-error" => check_codes(&whole, &ignored, &[&block.argument]),
            "text" => match &program {
                Some(program) => {
                    Facts::check(program, &block.text, report, &block.place);
                    Ok(())
                }
                None => Err("facts must follow a program".to_string()),
            },
            "ebnf" | "sh" => Ok(()),
            other => Err(format!("blocks of kind `{other}` are not known here")),
        };
        if let Err(wrong) = checked {
            report.wrong(&block.place, wrong);
        }
        report.count(&block.kind);
        program = Some(whole).filter(|_| matches!(block.kind.as_str(), "multigame" | "multigame-rules"));
    }
}

/// The reference of the options is what the program says about them.
#[test]
fn options_are_documented_as_they_are_declared() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/options.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (begin, end) = ("--markdown` -->\n", "<!-- options: to here");
    let start = text.find(begin).unwrap() + begin.len();
    let table = &text[start..start + text[start..].find(end).unwrap()];
    let output =
        Command::new(env!("CARGO_BIN_EXE_multigame")).args(["options", "--markdown"]).output().unwrap();
    let declared = String::from_utf8(output.stdout).unwrap();
    assert_eq!(table, declared, "put what `multigame options --markdown` prints into docs/options.md");
    assert!(declared.contains("| `deepening` | 0, 1 or 2 | 1 |"), "{declared}");
}

#[test]
fn the_examples_of_the_reference_are_true() {
    let mut report = Report::default();
    check_examples("docs/language.md", &mut report);
    let least = [
        ("multigame", 15),
        ("multigame-rules", 35),
        ("facts", 80),
        ("multigame-error", 6),
        ("multigame-rules-error", 15),
    ];
    report.finish(&least);
}

#[test]
fn programs_are_in_the_usual_form() {
    let mut report = Report::default();
    for path in ["docs/language.md", "docs/guide.md"] {
        let mut text = read(path);
        for block in blocks(path) {
            let is_sound = matches!(block.kind.as_str(), "multigame" | "multigame-rules" | "multigame-step");
            let Ok(formatted) = multigame_syntax::format(&block.text) else { continue };
            if is_sound && formatted != block.text {
                text = text.replace(&format!("\n{}```", block.text), &format!("\n{formatted}```"));
                report.wrong(&block.place, format!("`multigame fmt` would write\n{formatted}"));
            }
        }
        if std::env::var_os("UPDATE_DOCS").is_some() {
            replace(path, &text);
            report.wrong.clear();
        }
    }
    report.finish(&[]);
}

/// Writes a file as a whole: other tests read it at the same time.
fn replace(path: &str, text: &str) {
    let beside = root().join(format!("{path}.new"));
    std::fs::write(&beside, text).unwrap();
    std::fs::rename(&beside, root().join(path)).unwrap();
}

/// The items of a program, which blank lines separate, by their first words.
fn items(text: &str) -> Vec<(String, String)> {
    let mut items: Vec<(String, String)> = Vec::new();
    let is_code = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    for part in text.split("\n\n") {
        let first = part.lines().find(is_code).unwrap_or(part);
        let name = first.split(['=', '{', '(']).next().unwrap_or_default().trim().to_string();
        if !name.is_empty() {
            items.push((name, part.trim_matches('\n').to_string()));
        }
    }
    items
}

/// Replaces the items of the same names and adds the others at the end.
fn with_step(program: &str, step: &str) -> String {
    let mut all = items(program);
    for (name, text) in items(step) {
        match all.iter_mut().find(|(other, _)| *other == name) {
            Some(place) => place.1 = text,
            None => all.push((name, text)),
        }
    }
    all.into_iter().map(|(_, text)| format!("{text}\n\n")).collect()
}

/// Runs the commands of a transcript in a folder and compares what they print. A line `...` stands for any
/// lines; where a note says `numbers vary`, only the words are compared; after `$ multigame play` a line
/// `NAME> TEXT` is what the user types.
fn transcript(block: &Block, folder: &Path, report: &mut Report) {
    let mut commands: Vec<(&str, Vec<&str>, String)> = Vec::new();
    for line in block.text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            commands.push((command, Vec::new(), String::new()));
        } else if let Some((command, printed, typed)) = commands.last_mut() {
            match line.split_once("> ").filter(|(name, _)| command.contains(" play ") && !name.contains(' '))
            {
                Some((_, text)) => *typed = format!("{typed}{text}\n"),
                None => printed.push(line),
            }
        }
    }
    for (command, printed, typed) in commands {
        report.count("commands");
        let found = run(command, &typed, folder);
        let varies = block.note("numbers vary").is_some();
        let plain =
            |text: &str| text.trim_end().replace(|c: char| varies && (c.is_ascii_digit() || c == ' '), "");
        let wanted: Vec<String> = printed.iter().map(|line| plain(line)).collect();
        let lines: Vec<String> = found.lines().map(plain).collect();
        if !matches(&wanted, &lines) {
            report
                .wrong(&block.place, format!("`{command}` prints\n{found}\nand not\n{}", printed.join("\n")));
        }
    }
}

fn run(command: &str, typed: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_multigame"));
    let beside = program.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    let path = format!("{beside}:{}", std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {command}\n}} 2>&1")]).env("PATH", path).env("NO_COLOR", "1");
    shell.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = shell.spawn().unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout).trim_matches('\n').to_string()
}

/// Whether lines are as wanted, `...` standing for any.
fn matches(wanted: &[String], lines: &[String]) -> bool {
    match wanted {
        [] => lines.is_empty(),
        [dots, rest @ ..] if dots == "..." => {
            (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..]))
        }
        [first, rest @ ..] => {
            lines.split_first().is_some_and(|(line, more)| line == first && matches(rest, more))
        }
    }
}

#[test]
fn the_tutorial_works_step_by_step() {
    let mut report = Report::default();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs");
    std::fs::create_dir_all(&folder).unwrap();
    let (mut name, mut program) = (String::new(), String::new());
    for block in &blocks("docs/guide.md") {
        report.count(&block.kind);
        let expected: Vec<&str> =
            block.note("says").map(|codes| codes.split(' ').collect()).unwrap_or_default();
        match block.kind.as_str() {
            "multigame" => {
                let complete = block.note("complete").is_some();
                let (old, new) =
                    (BTreeSet::from_iter(items(&program)), BTreeSet::from_iter(items(&block.text)));
                if complete && old != new {
                    let missing: Vec<_> = old.symmetric_difference(&new).map(|(_, text)| text).collect();
                    report.wrong(&block.place, format!("this is not the program of the steps: {missing:#?}"));
                }
                name = block.note("file").map_or(name, str::to_string);
                program = block.text.clone();
            }
            "multigame-step" => program = with_step(&program, &block.text),
            "console" => {
                std::fs::write(folder.join(&name), &program).unwrap();
                transcript(block, &folder, &mut report);
                continue;
            }
            "text" => {
                Facts::check(&program, &block.text, &mut report, &block.place);
                continue;
            }
            "sh" => continue,
            other => report.wrong(&block.place, format!("blocks of kind `{other}` are not known here")),
        }
        if let Err(wrong) = check_codes(&program, &[], &expected) {
            report.wrong(&block.place, wrong);
        }
    }
    report.finish(&[("multigame", 2), ("multigame-step", 5), ("commands", 8)]);
}

/// Compares a generated part of a file with what it should be, or writes it.
fn check_generated(path: &str, mark: &str, wanted: &str) {
    let text = read(path);
    let (begin, end) = (format!("<!-- {mark} -->\n"), format!("<!-- end of {mark} -->"));
    let parts = text.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?)));
    let (before, (found, after)) = parts.unwrap_or_else(|| panic!("{path} has no part `{mark}`"));
    if found == wanted {
        return;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        return replace(path, &format!("{before}{begin}{wanted}{end}{after}"));
    }
    let is_new = |line: &&str| !found.contains(*line);
    let new: Vec<&str> = wanted.lines().filter(is_new).collect();
    let old: Vec<&str> = found.lines().filter(|line| !wanted.contains(*line)).collect();
    panic!(
        "{path}: the part `{mark}` is out of date; `UPDATE_DOCS=1 cargo test --test docs -- --test-threads 1` writes it anew\n\
         to add: {new:#?}\nto remove: {old:#?}"
    );
}

#[test]
fn every_diagnostic_is_in_the_reference() {
    let crates = [
        ("reading the text", multigame_syntax::CODES),
        ("meaning", multigame_sema::CODES),
        ("setup", multigame_compiler::CODES),
        ("weights", multigame_loader::CODES),
        ("running", multigame_loader::ADVICE_CODES),
    ];
    let mut table = "| code | kind | found while | meaning |\n|---|---|---|---|\n".to_string();
    let mut rows = BTreeMap::new();
    for (found_while, codes) in crates {
        for (code, explanation) in codes {
            let (kind, meaning) = explanation.split_once(": ").unwrap_or(("error", explanation));
            rows.entry((kind, *code)).or_insert((found_while, meaning));
        }
    }
    let meaning =
        "the rules did something without a meaning while a move was built; the message names rule and line";
    rows.insert(("error", "run-time"), ("playing", meaning));
    for ((kind, code), (found_while, meaning)) in rows {
        table.push_str(&format!("| `{code}` | {kind} | {found_while} | {meaning} |\n"));
    }
    check_generated("docs/language.md", "table of diagnostics", &table);
}

#[test]
fn every_refusal_is_in_the_reference() {
    let mut table = "| the compiler does not do | write instead |\n|---|---|\n".to_string();
    for (reason, remedy) in multigame_loader::REMEDIES {
        table.push_str(&format!("| {} | {} |\n", reason.replace('|', "\\|"), remedy.replace('|', "\\|")));
    }
    check_generated("docs/language.md", "table of refusals", &table);
}

#[test]
fn every_limit_is_in_the_reference() {
    let limits = [
        ("bytes in a rules file", multigame_syntax::MAX_LENGTH as u64),
        ("fields on a board, holes included", multigame_game::MAX_FIELDS as u64),
        ("nested calls of recursive rules", multigame_ir::MAX_DEPTH.into()),
        ("statements run for one move", multigame_ir::MAX_STEPS),
        ("states in one set", multigame_ir::MAX_STATES as u64),
        ("terms of an evaluation that count something", multigame_game::MAX_TERMS as u64),
    ];
    let text = read("docs/language.md");
    for (what, limit) in limits {
        let row = format!("| {what} | {limit} |");
        assert!(text.contains(&row), "docs/language.md: the table of limits needs the row `{row}`");
    }
}

#[test]
fn reserved_words_are_reserved_and_others_are_not() {
    let text = read("docs/language.md");
    let words = |mark: &str| -> Vec<String> {
        let part =
            text.split(&format!("<!-- {mark} -->")).nth(1).and_then(|rest| rest.split("<!-- end -->").next());
        let part = part.unwrap_or_else(|| panic!("docs/language.md has no part `{mark}`"));
        part.split('`').skip(1).step_by(2).map(str::to_string).collect()
    };
    let codes = |word: &str| {
        let program = format!("dimensions (1, 1) pieces {{ {word} 'x' }} main = draw.");
        compiled(&program, &[]).0
    };
    let (reserved, free) = (words("reserved words"), words("words that are free"));
    assert!(reserved.len() > 50 && free.len() > 20);
    for word in reserved {
        assert_eq!(codes(&word), ["reserved-word"], "`{word}` is said to be reserved");
    }
    for word in free {
        assert_eq!(codes(&word), [""; 0], "`{word}` is said to be free");
    }
}

/// Sizes elsewhere: lines of the first Multigame (thesis, table 3.2), then lines/bytes of Ludii and of
/// Regular Boardgames (own measurements, comments removed; Ludii without metadata and without its shared
/// definitions).
const ELSEWHERE: &[(&str, &str, &str, &str)] = &[
    ("15-puzzle", "39", "2381 bytes (all sizes)", "31/708"),
    ("24-puzzle", "50", "-", "-"),
    ("awari", "not possible", "-", "-"),
    ("breakthrough", "-", "48/984", "24/478"),
    ("checkers", "71", "44/823", "89/2450"),
    ("chess", "208", "155/2585", "147/4812"),
    ("connect-4", "22", "49/726", "31/665"),
    ("domineering", "15", "-", "-"),
    ("double-blank", "40", "-", "-"),
    ("double-blank-puzzle", "40", "-", "-"),
    ("eclipse", "61", "-", "-"),
    ("go-moku", "21", "-", "-"),
    ("halma", "34", "-", "-"),
    ("hanoi", "51", "-", "-"),
    ("hex", "26", "-", "-"),
    ("hexxagon", "69", "-", "-"),
    ("international-draughts", "not possible", "-", "-"),
    ("life", "41", "-", "-"),
    ("lines-of-action", "50", "-", "-"),
    ("nine-mens-morris", "66", "49/722", "106/3067"),
    ("othello", "45", "104/1580", "67/1753"),
    ("pegged", "35", "-", "-"),
    ("quarto", "89", "-", "-"),
    ("qubic", "59", "-", "-"),
    ("rubik", "462", "-", "-"),
    ("sokoban", "53", "-", "-"),
    ("tic-tac-toe", "21", "12/144", "25/528"),
];

/// The names of the games that have rules.
fn games() -> Vec<String> {
    let folders = std::fs::read_dir(root().join("games")).unwrap().map(|entry| entry.unwrap().path());
    let with_rules = folders.filter(|folder| folder.join("rules.mg").is_file());
    let mut names: Vec<String> =
        with_rules.map(|folder| folder.file_name().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn the_table_of_games_is_right() {
    let mut table =
        "| game | here | first Multigame | Ludii | Regular Boardgames |\n|---|---|---|---|---|\n".to_string();
    // A game that is not told about is not finished; another test says so.
    let is_told = |name: &String| root().join(format!("games/{name}/README.md")).is_file();
    for name in games().into_iter().filter(is_told) {
        let Length { lines, bytes } = Length::of(&read(&format!("games/{name}/rules.mg")));
        let elsewhere = ELSEWHERE.iter().find(|row| row.0 == name);
        let (_, first, ludii, rbg) = elsewhere.copied().unwrap_or(("", "-", "-", "-"));
        table.push_str(&format!(
            "| [{name}]({name}/README.md) | {lines}/{bytes} | {first} | {ludii} | {rbg} |\n"
        ));
    }
    check_generated("games/README.md", "table of games", &table);
}

#[test]
fn what_games_are_told_about_is_in_their_rules() {
    let mut report = Report::default();
    for name in games() {
        let path = format!("games/{name}/README.md");
        if !root().join(&path).is_file() {
            report.wrong(&path, "is missing; games/chess/README.md shows what it should say");
            continue;
        }
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let rules = words(&without_comments(&read(&format!("games/{name}/rules.mg"))));
        for block in blocks(&path).iter().filter(|block| block.kind == "multigame") {
            report.count("quotations");
            if !rules.contains(&words(&without_comments(&block.text))) {
                report.wrong(&block.place, format!("this is not in the rules:\n{}", block.text));
            }
        }
    }
    report.finish(&[("quotations", 10)]);
}

#[test]
fn a_wrong_example_is_found() {
    let program =
        "dimensions (2, 1) no moves = loss pieces { man 'M' 'm' } main = find empty field, replace by man.";
    let mut report = Report::default();
    Facts::check(
        program,
        "perft: 2 2\nmoves: white man -> a1, white man -> b1\nstatus: playing",
        &mut report,
        "",
    );
    assert_eq!(report.wrong, [""; 0]);
    for wrong in ["perft: 2 3", "moves: a1", "status: draw", "text: 2", "play: c1", "nonsense", "fact: 1"] {
        let mut report = Report::default();
        Facts::check(program, wrong, &mut report, "");
        assert_eq!(report.wrong.len(), 1, "{wrong}");
    }
    assert!(check_codes(program, &[], &[]).is_ok());
    assert!(check_codes("main = north", &[], &[]).is_err());
    assert!(compile(program, &Options::default()).diagnostics.iter().all(|d| d.severity != Severity::Error));
}
