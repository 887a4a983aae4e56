//! The language server in editors: the extension for VS Code, Neovim, Emacs, Helix.
//!
//! `tests/setup` installs what these tests need.

#![allow(clippy::print_stdout, reason = "the editor says what failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

const PROGRAM: &str = env!("CARGO_BIN_EXE_multigame");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Rules with a mistake, in a folder of their own.
fn rules(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    let text = fs::read_to_string(root().join("games/tic-tac-toe/rules.mg")).unwrap();
    let wrong = text.replacen("find empty field", "find emty field", 1);
    assert_ne!(text, wrong);
    let file = folder.join("my-game.mg");
    fs::write(&file, wrong).unwrap();
    file
}

/// Runs a command that says at its end that something works.
fn run(command: &mut Command, works: &str) {
    let output =
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}: run `tests/setup` first"));
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    println!("{text}");
    assert!(output.status.success() && text.contains(works), "{command:?} failed:\n{text}");
}

fn node(script: &str) -> Command {
    let extension = root().join("editors/vscode");
    assert!(extension.join("node_modules/.installed").exists(), "run `tests/setup` first");
    let mut command = Command::new("node");
    command.arg(extension.join("test").join(script)).arg(PROGRAM).current_dir(extension);
    command
}

#[test]
fn colours_of_the_extension_are_those_of_the_server() {
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("games"))
        .unwrap()
        .map(|folder| folder.unwrap().path().join("rules.mg"))
        .filter(|file| file.exists())
        .collect();
    files.sort();
    assert!(files.len() >= 50);
    run(node("colours.mjs").args(files), "with the colour that the language server gives");
}

#[test]
fn the_extension_is_packaged_and_works() {
    let _alone = PACKAGE.lock().unwrap_or_else(PoisonError::into_inner);
    let extension = root().join("editors/vscode");
    run(Command::new("node").arg("package.mjs").current_dir(&extension), "vsix");
    let package = extension.join("multigame-0.1.0.vsix");
    run(Command::new("python3").args(["-m", "zipfile", "-t"]).arg(&package), "Done testing");
    let file = root().join("games/tic-tac-toe/rules.mg");
    run(node("extension.mjs").arg(file), "the extension works");
}

/// The two tests of the packaged extension make the same file.
static PACKAGE: Mutex<()> = Mutex::new(());

#[test]
fn the_board_is_shown_beside_the_rules() {
    let _alone = PACKAGE.lock().unwrap_or_else(PoisonError::into_inner);
    let extension = root().join("editors/vscode");
    run(Command::new("node").arg("build.mjs").current_dir(&extension), "");
    let file = root().join("games/tic-tac-toe/rules.mg");
    run(node("preview.mjs").arg(file), "the board is shown");
}

/// The packaged extension in VS Code itself, which takes the time and the place of a browser and an editor.
#[test]
#[ignore = "`tests/setup code` installs VS Code, 280 MB; then run this with `--ignored`"]
fn the_extension_works_in_vs_code() {
    let _alone = PACKAGE.lock().unwrap_or_else(PoisonError::into_inner);
    let code = root().join("target/code");
    assert!(code.join(".installed").exists(), "run `tests/setup code` first");
    run(Command::new("node").arg("package.mjs").current_dir(root().join("editors/vscode")), "vsix");
    let mut command = node("code.mjs");
    command.arg(code).arg(root().join("games/tic-tac-toe/rules.mg"));
    run(command.env("PICTURES", env!("CARGO_TARGET_TMPDIR")), "the extension works in VS Code");
}

/// The extension puts a game that can be played into an empty file.
#[test]
fn snippets_of_the_extension_are_games() {
    let text = fs::read_to_string(root().join("editors/vscode/snippets/multigame.json")).unwrap();
    let snippets: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (name, snippet) in snippets.as_object().unwrap() {
        let lines = snippet["body"].as_array().unwrap().iter().map(|line| line.as_str().unwrap());
        let body = lines.collect::<Vec<_>>().join("\n");
        let rules = filled_in(&body);
        let file = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("{}.mg", snippet["prefix"].as_str().unwrap()));
        fs::write(&file, rules + "\n").unwrap();
        run(Command::new(PROGRAM).arg("check").arg(&file), "no errors");
        run(Command::new(PROGRAM).args(["playout", "--games", "3"]).arg(&file), "games");
        println!("{name}");
    }
}

/// `${1:text}` as `text`.
fn filled_in(body: &str) -> String {
    let (mut text, mut rest) = (String::new(), body);
    while let Some((before, behind)) = rest.split_once("${") {
        let (place, behind) = behind.split_once('}').unwrap();
        text += before;
        text += place.split_once(':').unwrap().1;
        rest = behind;
    }
    text + rest
}

#[test]
fn neovim_works() {
    let mut command = Command::new("nvim");
    command.args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-S"]);
    command.arg(root().join("editors/test/neovim.lua"));
    command.env("MULTIGAME", PROGRAM).env("RULES", rules("neovim"));
    command.env("PLUGIN", root().join("editors/neovim/multigame.lua"));
    run(&mut command, "Neovim works");
}

#[test]
fn emacs_works() {
    let mut command = Command::new("emacs");
    command.args(["--batch", "-L"]).arg(root().join("editors/emacs")).arg("-l");
    command.arg(root().join("editors/test/emacs.el"));
    command.env("MULTIGAME", PROGRAM).env("RULES", rules("emacs"));
    run(&mut command, "Emacs works");
}

#[test]
fn helix_works() {
    if Command::new("hx").arg("--version").output().is_err() {
        // Debian has it from version 13 on, and nothing else that `tests/setup` may use.
        println!("skipped: there is no `hx` here");
        return;
    }
    let mut command = Command::new("python3");
    command.arg(root().join("editors/test/helix.py"));
    command.env("MULTIGAME", PROGRAM).env("RULES", rules("helix"));
    command.env("CONFIGURATION", root().join("editors/helix/languages.toml"));
    run(&mut command, "Helix works");
}
