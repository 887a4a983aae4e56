//! The page in a real browser: starts the server and lets the scripts in `web/test` play.
//!
//! What the scripts need besides the binary is installed by `tests/setup`.

#![allow(clippy::print_stdout, reason = "the browser says what failed")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Browsers side by side make each other late for what does not wait, and are no faster together.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A server on a free port, ended with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
            .args(["serve", "--port", "0", "--searches", "2"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stdin(Stdio::null())
            .spawn()
            .expect("the server starts");
        let output = BufReader::new(child.stdout.take().expect("its output is read"));
        let mut lines = output.lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.find("http://").map(|at| line[at..].trim().to_string()))
            .expect("the server prints its address");
        // Whatever it prints later must not block it.
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, address: format!("{}/", address.trim_end_matches('/')) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A script with the pages of a server.
fn run(script: &str) {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let server = Server::start(&[]);
    play(script, &server.address);
}

/// A script with what is at that address.
fn play(script: &str, address: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(
        root.join("web/node_modules/playwright-core").exists() && Path::new("/usr/bin/chromium").exists(),
        "the tests of the page need Node.js, Chromium and web/node_modules: run `tests/setup` first"
    );
    let output = Command::new("node")
        .arg(root.join("web/test").join(script))
        .arg(address)
        .env("PICTURES", env!("CARGO_TARGET_TMPDIR"))
        .env("MULTIGAME", env!("CARGO_BIN_EXE_multigame"))
        .output()
        .expect("Node.js runs; `tests/setup` installs it");
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script} failed:\n{text}\n{errors}");
}

#[test]
fn complete_games_are_played_in_the_page() {
    run("play.mjs");
}

#[test]
fn rules_are_written_in_the_page() {
    run("write.mjs");
}

#[test]
fn the_page_is_for_everybody() {
    run("look.mjs");
}

/// A folder that is removed at the end.
struct Folder(std::path::PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn values_of_databases_are_shown() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("databases-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let folder = Folder(folder);
    for arguments in ["solve tic-tac-toe --strong", "endgame make chess --slice KRK"] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_multigame"));
        let output = program.args(arguments.split(' ')).current_dir(&folder.0).output();
        let output = output.expect("the program runs");
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let server = Server::start(&["--endgames", folder.0.to_str().expect("a plain path")]);
    play("solved.mjs", &server.address);
}

#[test]
fn published_games_are_played_from_files() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("published-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let folder = Folder(folder);
    let own = folder.0.join("my-game.mg");
    std::fs::write(&own, MY_GAME).expect("the rules are written");
    let own = own.to_str().expect("a plain path");
    for game in ["tic-tac-toe", "connect-4", "checkers", "chess", own] {
        let name = Path::new(game).file_stem().expect("a name").to_str().expect("a plain name");
        let page = folder.0.join(format!("{name}.html"));
        let output = Command::new(env!("CARGO_BIN_EXE_multigame"))
            .args(["publish", game, "--output"])
            .arg(&page)
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{game}: {}", String::from_utf8_lossy(&output.stderr));
        let size = std::fs::metadata(&page).expect("the page").len();
        assert!(size < 1_500_000, "{game} has {size} bytes");
    }
    std::fs::write(folder.0.join("empty.html"), "").expect("an empty page");
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let address = format!("file://{}/", folder.0.display());
    play("offline.mjs", &address);
    play("speed.mjs", &address);
}

/// White wins by going to the last row.
const MY_GAME: &str = "# My game: get to the other side.

dimensions (2, 2)
no moves = loss

pieces { man 'M' 'm' }

setup { \"..\" \"M.\" }

main = find own man, pick up, north, step, put down, try [ assert (row == 2), win ].
";
