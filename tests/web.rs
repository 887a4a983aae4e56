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
    fn start() -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
            .args(["serve", "--port", "0", "--searches", "2"])
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

fn run(script: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(
        root.join("web/node_modules/playwright-core").exists() && Path::new("/usr/bin/chromium").exists(),
        "the tests of the page need Node.js, Chromium and web/node_modules: run `tests/setup` first"
    );
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let server = Server::start();
    let output = Command::new("node")
        .arg(root.join("web/test").join(script))
        .arg(&server.address)
        .env("PICTURES", env!("CARGO_TARGET_TMPDIR"))
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
