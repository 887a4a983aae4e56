//! Generated Rust against the interpreter: perft, positions of the suite, known endings, and everything along
//! random games.
//!
//! The compiler translates the generated source of several games together with `driver/games.rs` and the
//! comparison that machine code has to pass too (`crates/jit/tests/differential/agree.rs`). `GAMES=all cargo
//! test -p multigame-aot --release --test differential -- --nocapture` takes all bundled games,
//! `GAMES=chess,shogi` some; `PLAYED=100` plays this many random games of each.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use multigame_compiler::{Options, compile};
use serde::Deserialize;

use crate::folder::Folder;

/// Games that are small to compile and differ in what they need: lines, passes and scores, compulsion and
/// long moves, a goal, properties, pieces with names that Rust has kept for itself.
const USUAL: &str =
    "tic-tac-toe,connect-4,breakthrough,othello,checkers,15-puzzle,hanoi,three-mens-morris,sokoban";

/// Rules of these tests: some that come back to themselves, some that judge repetition.
const OWN: [&str; 2] = ["wander", "judge"];

/// The part of `known.toml` that is of use here.
#[derive(Default, Deserialize)]
struct Known {
    #[serde(default)]
    over: Vec<Over>,
}

/// How a game ends after some moves.
#[derive(Deserialize)]
struct Over {
    position: Option<String>,
    #[serde(default)]
    set: toml::Table,
    #[serde(default)]
    moves: Vec<String>,
    outcome: String,
}

/// The positions that every way to search has to agree on.
#[derive(Deserialize)]
struct Suite {
    position: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    game: String,
    #[serde(default)]
    set: toml::Table,
    position: String,
}

/// Rules to compare.
struct Rules {
    name: String,
    text: String,
    known: Known,
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The rules to compare.
fn rules() -> Vec<Rules> {
    let games = crates().join("../games");
    let chosen = std::env::var("GAMES").ok();
    let mut names: Vec<String> = match chosen.as_deref().unwrap_or(USUAL) {
        "all" => {
            let entries = std::fs::read_dir(&games).unwrap().map(|entry| entry.unwrap());
            let games = entries.filter(|entry| entry.path().join("rules.mg").is_file());
            games.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
        }
        some => some.split(',').map(str::to_string).collect(),
    };
    names.sort();
    let bundled = names.into_iter().map(|name| {
        let folder = games.join(&name);
        read(name, &folder.join("rules.mg"), &folder.join("known.toml"))
    });
    let folder = crates().join("aot/tests/rules");
    let own = OWN.into_iter().map(|name| {
        let file = |ending| folder.join(name).with_extension(ending);
        read(name.to_string(), &file("mg"), &file("toml"))
    });
    // The interpreter is very slow at one of them.
    bundled.chain(own.filter(|_| chosen.is_none())).collect()
}

fn read(name: String, rules: &Path, known: &Path) -> Rules {
    let text = std::fs::read_to_string(rules).unwrap();
    let known = std::fs::read_to_string(known).unwrap_or_default();
    let mut known: Known = toml::from_str(&known).unwrap_or_else(|error| panic!("{name}: {error}"));
    known.over.retain(|over| over.set.is_empty());
    Rules { name, text, known }
}

/// The positions of the suite that belong to a game.
fn suite(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(crates().join("suite/positions.toml")).unwrap();
    let suite: Suite = toml::from_str(&text).unwrap();
    let cases = suite.position.into_iter().filter(|case| case.game == name && case.set.is_empty());
    cases.map(|case| case.position).collect()
}

/// What the driver has to know about a game, as Rust.
fn facts(rules: &Rules, identifier: &str) -> String {
    let mut over = String::new();
    for Over { position, moves, outcome, .. } in &rules.known.over {
        let _ = write!(over, "Over {{ position: {position:?}, moves: &{moves:?}, outcome: {outcome:?} }}, ");
    }
    let (name, suite) = (&rules.name, suite(&rules.name));
    format!(
        "Known {{ name: {name:?}, program: include_str!(\"{identifier}.ir\"), suite: &{suite:?}, over: \
         &[{over}] }}"
    )
}

/// Writes the driver with the generated source of all games into a folder.
fn write_driver(folder: &Path) {
    let mut driver = String::from(include_str!("driver/games.rs"));
    let mut calls = String::new();
    for rules in rules() {
        let name = &rules.name;
        let options = Options { name: name.clone(), ..Options::default() };
        let program = compile(&rules.text, &options).program;
        let program = program.unwrap_or_else(|| panic!("{name} does not compile"));
        let module = multigame_mir::lower(&program).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        let identifier = format!("game_{}", name.replace('-', "_"));
        let source = multigame_aot::emit(&module, &program.description);
        std::fs::write(folder.join(format!("{identifier}.ir")), multigame_ir::print(&program)).unwrap();
        std::fs::write(folder.join(format!("{identifier}.rs")), source).unwrap();
        let facts = facts(&rules, &identifier);
        let _ = writeln!(driver, "mod {identifier};");
        let _ = writeln!(calls, "    check::<{identifier}::Rules>(&{facts});");
    }
    let _ = write!(driver, "\nfn main() {{\n{calls}}}\n");
    std::fs::write(folder.join("main.rs"), driver).unwrap();
    std::fs::copy(crates().join("jit/tests/differential/agree.rs"), folder.join("agree.rs")).unwrap();
}

#[test]
fn generated_rust_and_interpreter_agree() {
    let folder = Folder::new("games");
    write_driver(folder.path());
    let program = folder.compile("1", &["multigame_game", "multigame_ir", "multigame_compiled"]);
    let run = Command::new(&program).output().unwrap();
    print!("{}", String::from_utf8_lossy(&run.stdout));
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    folder.remove();
}
