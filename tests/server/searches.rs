//! The computer thinks while others listen.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Listener, Server};

#[test]
fn a_search_is_told_as_it_goes_on() {
    let server = Server::start(&[]);
    let (id, _) = server.open(&json!({"game": "connect-4"}));
    let mut listener = Listener::new(&server, &id);
    assert_eq!(listener.next().0, "state");
    let answer = server.post(&format!("/api/sessions/{id}/think"), &json!({"time": 700, "play": true}));
    assert_eq!((answer.status, answer.json()), (202, json!({"search": 1})));
    let progress = listener.until("progress");
    for member in ["search", "depth", "nodes", "speed", "time", "pv", "iteration", "value", "white_value"] {
        assert!(progress.get(member).is_some(), "{member}: {progress}");
    }
    let state = server.get(&format!("/api/sessions/{id}/state")).json();
    assert_eq!(state["thinking"]["search"], 1);
    let state = listener.until("state");
    assert_eq!((&state["ply"], &state["thinking"]), (&json!(1), &Value::Null));
    let thought = listener.until("thought");
    assert_eq!((&thought["played"], &thought["best"]["name"]), (&json!(true), &state["last"]["name"]));
    assert_eq!(state["last"]["value"], thought["white_value"]);
    assert!(thought["pv"].as_array().is_some_and(|pv| !pv.is_empty()));
}

#[test]
fn a_search_ends_when_it_is_told_to_or_the_game_goes_on() {
    let server = Server::start(&[]);
    let (id, _) = server.open(&json!({"game": "othello"}));
    let path = |what: &str| format!("/api/sessions/{id}/{what}");
    let mut listener = Listener::new(&server, &id);
    let start = Instant::now();
    server.post(&path("think"), &json!({"time": 50_000, "play": true}));
    listener.until("progress");
    server.post(&path("stop"), &json!({}));
    let thought = listener.until("thought");
    assert_eq!((&thought["played"], &thought["finished"]), (&json!(true), &json!(false)));
    // A move of somebody ends the search, whose own move is not made.
    server.post(&path("think"), &json!({"time": 50_000, "play": true}));
    listener.until("progress");
    let state = server.get(&path("state")).json();
    let state = server.post(&path("play"), &json!({"move": state["moves"][0]["name"]})).json();
    assert_eq!(state["ply"], 2);
    assert_eq!(listener.until("thought")["played"], false);
    assert_eq!(server.get(&path("state")).json()["ply"], 2);
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn searches_wait_for_their_turn_and_can_be_stopped_before() {
    let server = Server::start(&["--searches", "1"]);
    let (first, _) = server.open(&json!({"game": "othello"}));
    let (second, _) = server.open(&json!({"game": "othello"}));
    let mut listener = Listener::new(&server, &first);
    server.post(&format!("/api/sessions/{first}/think"), &json!({"time": 50_000}));
    listener.until("progress");
    server.post(&format!("/api/sessions/{second}/think"), &json!({"time": 50_000}));
    let state = server.get(&format!("/api/sessions/{second}/state")).json();
    assert_eq!(state["thinking"], json!({"waiting": true}));
    let mut other = Listener::new(&server, &second);
    server.post(&format!("/api/sessions/{second}/stop"), &json!({}));
    assert_eq!(other.until("failed")["error"]["code"], "stopped");
    server.post(&format!("/api/sessions/{first}/stop"), &json!({}));
    listener.until("thought");
    let answer = server.post(&format!("/api/sessions/{second}/think"), &json!({"depth": 1, "wait": true}));
    assert_eq!(answer.json()["depth"], 1);
}

#[test]
fn puzzles_are_solved_and_played_back() {
    let server = Server::start(&[]);
    let (id, _) = server.open(&json!({"game": "hanoi"}));
    let thought = server.post(&format!("/api/sessions/{id}/solve"), &json!({"wait": true})).json();
    let solution = thought["pv"].as_array().expect("a solution");
    assert_eq!(solution.len(), 15, "{thought}");
    for mv in solution {
        let answer = server.post(&format!("/api/sessions/{id}/play"), &json!({"move": mv["name"]}));
        assert_eq!(answer.status, 200, "{mv}");
    }
    let state = server.get(&format!("/api/sessions/{id}/state")).json();
    assert_eq!(state["outcome"]["text"], "solved");
    let (other, _) = server.open(&json!({"game": "tic-tac-toe"}));
    let answer = server.post(&format!("/api/sessions/{other}/solve"), &json!({"wait": true}));
    assert_eq!(answer.code(), "not-a-puzzle");
}

#[test]
fn the_whole_game_is_evaluated() {
    let server = Server::start(&[]);
    let (id, _) = server.open(&json!({"game": "tic-tac-toe", "moves": ["b2", "b1", "a1"]}));
    let mut listener = Listener::new(&server, &id);
    let answer =
        server.post(&format!("/api/sessions/{id}/evaluate"), &json!({"depth": 9, "wait": true})).json();
    let values: Vec<i64> =
        answer["values"].as_array().expect("values").iter().filter_map(Value::as_i64).collect();
    // A draw at first; after Black's move on the edge White wins.
    assert_eq!(values.len(), 4);
    assert!(values[0] == 0 && values[1] == 0 && values[2] > 7_000_000 && values[3] > 7_000_000, "{values:?}");
    assert_eq!(listener.until("evaluation")["ply"], 0);
    let state = server.get(&format!("/api/sessions/{id}/state")).json();
    assert_eq!(state["history"][1]["value"], values[2]);
}

#[test]
fn a_tree_can_be_walked() {
    let server = Server::start(&[]);
    let (id, _) = server.open(&json!({"game": "tic-tac-toe", "moves": ["b2"]}));
    let tree = server.post(&format!("/api/sessions/{id}/tree"), &json!({"depth": 3})).json();
    assert_eq!((&tree["node"]["depth"], &tree["complete"]), (&json!(3), &json!(true)));
    let children = tree["children"].as_array().expect("children");
    assert!(children.len() + tree["unsearched"].as_u64().unwrap() as usize >= 8, "{tree}");
    // Down to a leaf; each child's window lies inside of what its parent still asks.
    let mut node = children[0].clone();
    let mut ply = 1;
    loop {
        assert_eq!(node["ply"], ply);
        let answer = server.get(&format!("/api/sessions/{id}/tree/{}", node["id"])).json();
        assert_eq!(answer["node"]["low"], node["low"]);
        assert_eq!(answer["line"].as_array().map(Vec::len), Some(ply));
        let Some(next) = answer["children"].as_array().and_then(|children| children.first()) else { break };
        assert!(next["move"].is_string(), "{next}");
        node = next.clone();
        ply += 1;
    }
    assert!(ply >= 2, "{ply}");
    let cutoffs = children.iter().filter(|child| child["kind"] != "exact").count();
    assert!(cutoffs > 0, "{tree}");
    assert_eq!(server.get(&format!("/api/sessions/{id}/tree/99999")).code(), "no-such-node");
    server.post(&format!("/api/sessions/{id}/play"), &json!({"move": "a1"}));
    assert_eq!(server.get(&format!("/api/sessions/{id}/tree/0")).code(), "no-such-node");
    assert_eq!(server.post(&format!("/api/sessions/{id}/tree"), &json!({"depth": 99})).status, 400);
}

/// Rules of strangers play in a process of their own, and nobody notices.
#[test]
fn own_rules_are_played_like_bundled_ones() {
    let server = Server::start(&[]);
    let rules = "dimensions (3, 3)\nsides = 1\nno moves = draw\npieces { mark 'X' 'O' }\n\
                 main = find empty field, replace by mark, try [ row_of_three, win ].\n\
                 row_of_three = find own mark, any direction, repeat 2 times [ step, points at own mark ].\n";
    let (id, opened) = server.open(&json!({"rules": rules, "name": "mine"}));
    assert_eq!(opened["game"]["name"], "mine");
    let mut listener = Listener::new(&server, &id);
    let path = |what: &str| format!("/api/sessions/{id}/{what}");
    let mut moves = 0;
    while server.get(&path("state")).json()["outcome"].is_null() {
        let thought = server.post(&path("think"), &json!({"depth": 9, "play": true, "wait": true})).json();
        assert_eq!(thought["played"], true, "{thought}");
        moves += 1;
    }
    assert_eq!(moves, 9, "two good players draw");
    assert_eq!(listener.until("thought")["search"], 1);
    let parameters = json!({"game": "connect-4", "parameters": {"columns": 5, "rows": 4}});
    let (_, opened) = server.open(&parameters);
    assert_eq!(opened["game"]["board"]["columns"], 5);
    let named = |name: &str| {
        let all = opened["game"]["parameters"].as_array().expect("parameters");
        all.iter().find(|parameter| parameter["name"] == name).expect("it is there").clone()
    };
    assert_eq!((&named("columns")["value"], &named("rows")["high"]), (&json!(5), &json!(26)));
    let answer = server.post("/api/sessions", &json!({"game": "connect-4", "parameters": {"columns": 99}}));
    assert_eq!(answer.code(), "rules");
}

/// Large rules are played by the interpreter until machine code is ready; the game goes on as if nothing had
/// happened.
#[test]
fn a_game_moves_on_to_machine_code() {
    let server = Server::start(&[]);
    let (id, opened) =
        server.open(&json!({"game": "chess", "clock": {"time": 600_000}, "moves": ["e2e4", "e7e5", "g1f3"]}));
    let path = |what: &str| format!("/api/sessions/{id}/{what}");
    assert_eq!(opened["state"]["clock"]["running"], "black");
    let before = server.post(&path("undo"), &json!({"count": 1})).json();
    // Until it is ready, and once more.
    for _ in 0..8 {
        let thought = server.post(&path("think"), &json!({"depth": 1, "wait": true})).json();
        assert!(thought["best"]["name"].is_string(), "{thought}");
        std::thread::sleep(Duration::from_millis(300));
    }
    let after = server.get(&path("state")).json();
    for member in
        ["ply", "length", "side", "cells", "values", "position", "start", "moves", "last", "history"]
    {
        assert_eq!(before[member], after[member], "{member}");
    }
    assert!(after["version"].as_u64() >= before["version"].as_u64());
    let state = server.post(&path("redo"), &json!({})).json();
    assert_eq!((&state["ply"], &state["last"]["name"]), (&json!(3), &json!("g1f3")));
}
