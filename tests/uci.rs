//! Real clients of `multigame uci`.

use std::path::Path;
use std::process::Command;

/// A Python that knows python-chess: the one `tests/setup` makes, or the system's.
fn python() -> Option<String> {
    let made = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/python/bin/python");
    let candidates = [made.display().to_string(), "python3".to_string(), "/usr/bin/python3".to_string()];
    candidates.into_iter().find(|python| {
        let knows = Command::new(python).args(["-c", "import chess.engine"]).output();
        knows.is_ok_and(|output| output.status.success())
    })
}

#[test]
fn python_chess_plays_a_full_game() {
    let Some(python) = python() else {
        panic!("python-chess is needed to test the protocol; run `tests/setup` first");
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/uci_game.py");
    let output = Command::new(python).arg(script).arg(env!("CARGO_BIN_EXE_multigame")).output().unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
