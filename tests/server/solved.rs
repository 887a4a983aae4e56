//! The values of endgame databases and strong solutions: in the state, in searches, and where they cannot be
//! used.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::client::Server;

/// King and rook against king; White mates in 29 plies.
const MATE: &str = "8/8/8/4k3/8/8/8/KR6 w - - 0 1";

/// A folder with databases, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("solved-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// Makes databases in it.
    fn make(&self, arguments: &str) {
        let output = Command::new(env!("CARGO_BIN_EXE_multigame"))
            .args(arguments.split(' '))
            .current_dir(&self.0)
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn text(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn standings(state: &Value) -> Vec<(&str, &Value)> {
    let moves = state["endgame"]["moves"].as_array().expect("moves with values");
    moves.iter().map(|mv| (mv["move"].as_str().expect("a name"), &mv["standing"])).collect()
}

#[test]
fn a_state_has_the_value_of_each_move() {
    let folder = Folder::new("state");
    folder.make("solve tic-tac-toe --strong");
    folder.make("endgame make chess --slice KRK");
    let server = Server::start(&["--endgames", folder.text()]);

    let (id, opened) = server.open(&json!({"game": "tic-tac-toe"}));
    assert_eq!(opened["endgames"], json!({"source": "tic-tac-toe.solution", "error": null}));
    let first = &opened["state"];
    assert_eq!(first["endgame"]["standing"], json!({"value": "draw"}));
    assert_eq!(standings(first).len(), 9);
    let path = |id: &str, what: &str| format!("/api/sessions/{id}/{what}");
    for name in ["a1", "b1"] {
        server.post(&path(&id, "play"), &json!({"move": name}));
    }
    let state = server.get(&path(&id, "state")).json();
    let (win, draw) = (json!({"value": "win", "plies": 5}), json!({"value": "draw"}));
    assert_eq!(state["endgame"]["standing"], win);
    let mut wins: Vec<&str> =
        standings(&state)[..3].iter().map(|(name, value)| (*name, assert_eq!(**value, win)).0).collect();
    wins.sort_unstable();
    assert_eq!(wins, ["a2", "a3", "b2"]);
    assert!(standings(&state)[3..].iter().all(|(_, value)| **value == draw), "{state}");
    // Answers of all kinds have them, and a finished game has none.
    for (what, body) in [("undo", json!({"count": 1})), ("jump", json!({"ply": 2}))] {
        assert!(server.post(&path(&id, what), &body).json()["endgame"].is_object(), "{what}");
    }
    for name in ["a2", "c1", "a3"] {
        server.post(&path(&id, "play"), &json!({"move": name}));
    }
    let state = server.get(&path(&id, "state")).json();
    assert_eq!((&state["outcome"]["winner"], &state["endgame"]), (&json!("white"), &Value::Null));

    let (id, opened) = server.open(&json!({"game": "chess", "position": MATE}));
    assert_eq!(opened["endgames"]["source"], "chess.endgames");
    assert_eq!(opened["state"]["endgame"]["standing"], json!({"value": "win", "plies": 29}));
    // A search of two plies alone would see nothing.
    let thought = server.post(&path(&id, "think"), &json!({"depth": 2, "wait": true})).json();
    assert_eq!(
        (&thought["value_text"], &thought["proved"]),
        (&json!("won in 29"), &json!(true)),
        "{thought}"
    );
    // Other engines search without them.
    let other = json!({"nodes": 50, "engine": "mcts", "wait": true});
    assert_eq!(server.post(&path(&id, "think"), &other).status, 200);
    // A position that is not stored is not known.
    let (_, opened) = server.open(&json!({"game": "chess"}));
    assert_eq!(opened["state"]["endgame"], Value::Null);
    let (_, opened) = server.open(&json!({"game": "connect-4"}));
    assert_eq!((&opened["endgames"], &opened["state"]["endgame"]), (&Value::Null, &Value::Null));
}

#[test]
fn own_rules_have_values_by_their_name() {
    let folder = Folder::new("own");
    folder.make("solve tic-tac-toe --strong");
    let server = Server::start(&["--endgames", folder.text()]);
    let rules = server.get("/api/games/tic-tac-toe").json()["rules"].clone();
    let (_, opened) = server.open(&json!({"rules": rules, "name": "tic-tac-toe"}));
    assert_eq!(opened["endgames"], json!({"source": "tic-tac-toe.solution", "error": null}));
    assert_eq!(opened["state"]["endgame"]["standing"], json!({"value": "draw"}));
    let (_, opened) = server.open(&json!({"rules": rules, "name": "../own/tic-tac-toe"}));
    assert_eq!(opened["endgames"], Value::Null);
    // The same name for other rules: a line loses.
    let changed = rules.as_str().expect("a text").replace("three_in_a_row, win", "three_in_a_row, lose");
    assert_ne!(rules, json!(changed));
    let (_, opened) = server.open(&json!({"rules": changed, "name": "tic-tac-toe"}));
    let error = opened["endgames"]["error"].as_str().expect("a reason");
    assert!(error.contains("other rules"), "{error}");
    assert_eq!(opened["state"]["endgame"], Value::Null);
}

#[test]
fn databases_that_cannot_be_used_are_told_and_the_game_is_played_without() {
    let folder = Folder::new("damaged");
    folder.make("solve tic-tac-toe --strong");
    let file = folder.0.join("tic-tac-toe.solution");
    let mut bytes = std::fs::read(&file).expect("the solution");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).expect("the solution");
    let server = Server::start(&["--endgames", file.to_str().expect("a plain path")]);
    let (_, opened) = server.open(&json!({"game": "tic-tac-toe"}));
    let error = opened["endgames"]["error"].as_str().expect("a reason");
    assert!(error.contains("tic-tac-toe.solution") && !error.contains(folder.text()), "{error}");
    assert_eq!(opened["state"]["moves"].as_array().map(Vec::len), Some(9));
    assert_eq!(opened["state"]["endgame"], Value::Null);

    let empty = Folder::new("empty");
    let refused = Server::refused("", &["--endgames", empty.text()]);
    assert!(refused.contains("has no endgames") && refused.contains("solve --strong"), "{refused}");
    let server = Server::start(&["--endgames", "none"]);
    assert_eq!(server.open(&json!({"game": "tic-tac-toe"})).1["endgames"], Value::Null);
}
