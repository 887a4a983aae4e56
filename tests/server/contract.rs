//! docs/api.md is true: every request in it is sent, and every answer is as it says.

use serde_json::{Value, json};

use crate::client::Server;

/// A request of the documentation with its answer.
struct Example {
    line: usize,
    status: Option<u16>,
    request: String,
    answer: String,
}

fn examples() -> Vec<Example> {
    let text = include_str!("../../docs/api.md");
    let mut examples: Vec<Example> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(fence) = line.strip_prefix("```") else { continue };
        let inside = lines.by_ref().map(|(_, line)| line).take_while(|line| !line.starts_with("```"));
        let inside = inside.collect::<Vec<_>>().join("\n");
        match fence.split_once(' ').unwrap_or((fence, "")) {
            ("http", status) => examples.push(Example {
                line: number + 1,
                status: status.parse().ok(),
                request: inside,
                answer: String::new(),
            }),
            ("json", _) => examples.last_mut().expect("a request before").answer = inside,
            _ => {}
        }
    }
    examples
}

/// `"..."` is anything, at the end of a string, an array or an object the rest of it.
fn matches(wanted: &Value, found: &Value) -> Result<(), String> {
    let wrong = || Err(format!("wanted {wanted}, found {found}"));
    match (wanted, found) {
        (Value::String(wanted), _) if wanted == "..." => Ok(()),
        (Value::String(wanted), Value::String(found)) => match wanted.strip_suffix("...") {
            Some(start) if found.starts_with(start) => Ok(()),
            None if wanted == found => Ok(()),
            _ => wrong(),
        },
        (Value::Array(wanted), Value::Array(found)) => {
            let open = wanted.last().is_some_and(|last| last == "...");
            let listed = wanted.len() - usize::from(open);
            if found.len() < listed || (!open && found.len() != listed) {
                return wrong();
            }
            wanted.iter().take(listed).zip(found).try_for_each(|(wanted, found)| matches(wanted, found))
        }
        (Value::Object(wanted), Value::Object(found)) => {
            for (name, value) in wanted.iter().filter(|(name, _)| *name != "...") {
                let Some(found) = found.get(name) else { return Err(format!("`{name}` is missing")) };
                matches(value, found).map_err(|error| format!("{name}: {error}"))?;
            }
            let more = found.keys().find(|name| !wanted.contains_key(*name));
            match more.filter(|_| !wanted.contains_key("...")) {
                Some(more) => Err(format!("`{more}` is not mentioned")),
                None => Ok(()),
            }
        }
        _ if wanted == found => Ok(()),
        _ => wrong(),
    }
}

#[test]
fn every_example_of_the_documentation_is_true() {
    let server = Server::start(&[]);
    let mut id = String::new();
    let examples = examples();
    assert!(examples.len() >= 9, "{}", examples.len());
    for example in examples {
        let (line, rest) = example.request.split_once('\n').unwrap_or((&example.request, ""));
        let (method, path) = line.split_once(' ').expect("a method and a path");
        let path = path.replace("{id}", &id);
        let headers = if rest.is_empty() { "" } else { "content-type: application/json\r\n" };
        let answer = server.send(method, &path, headers, rest);
        let place = format!("docs/api.md:{}", example.line);
        match example.status {
            Some(status) => assert_eq!(answer.status, status, "{place}"),
            None => assert!((200..300).contains(&answer.status), "{place}: {}", answer.code()),
        }
        let found = answer.json();
        let wanted: Value = serde_json::from_str(&example.answer).unwrap_or_else(|e| panic!("{place}: {e}"));
        if let Err(error) = matches(&wanted, &found) {
            panic!("{place}: {error}");
        }
        if let Some(new) = found["id"].as_str() {
            id = new.to_string();
        }
    }
}

#[test]
fn every_bundled_game_can_be_opened_and_played() {
    let server = Server::start(&[]);
    let list = server.get("/api/games").json();
    let games = list["games"].as_array().expect("a list");
    assert!(games.len() >= 100, "{}", games.len());
    for game in games {
        let name = game["name"].as_str().expect("a name");
        assert!(
            multigame_loader::bundled::FAMILIES.contains(&game["family"].as_str().expect("a family")),
            "{name}"
        );
        assert!(!game["about"].as_str().expect("a text").is_empty(), "{name}");
        let about = server.get(&format!("/api/games/{name}")).json();
        assert!(about["rules"].as_str().expect("rules").starts_with('#'), "{name}");
        // The interpreter is enough here, and compiling everything would take too long: the preview has all
        // moves.
        let check = server.post("/api/rules/check", &json!({"rules": about["rules"]})).json();
        assert_eq!(check["ok"], true, "{name}: {check}");
        let state = &check["preview"]["state"];
        assert_eq!(state["cells"], about["start"]["cells"], "{name}");
        let moves = state["moves"].as_array().expect("moves");
        assert!(!moves.is_empty(), "{name}");
        for mv in moves {
            let (clicks, path) = (mv["clicks"].as_array().unwrap(), mv["path"].as_array().unwrap());
            assert_eq!(clicks.is_empty(), path.is_empty(), "{name} {mv}");
            let same = |other: &&Value| other["clicks"] == mv["clicks"] && other["label"] == mv["label"];
            let shared = moves.iter().filter(same).count();
            assert!(clicks.is_empty() || shared == 1, "{name}: {shared} moves look like {mv}");
        }
    }
}

#[test]
fn games_go_back_and_forth() {
    let server = Server::start(&[]);
    let (id, _) = server.open(&json!({"game": "tic-tac-toe"}));
    let path = |what: &str| format!("/api/sessions/{id}/{what}");
    for name in ["b2", "a1", "c3", "c1", "a3", "b1"] {
        assert_eq!(server.post(&path("play"), &json!({"move": name})).status, 200, "{name}");
    }
    let state = server.get(&path("state")).json();
    assert_eq!(state["outcome"], json!({"winner": "black", "text": "black wins", "reason": "rules"}));
    assert_eq!(state["moves"], json!([]));
    assert_eq!(server.post(&path("play"), &json!({"move": "c2"})).code(), "game-over");
    let state = server.post(&path("jump"), &json!({"ply": 1})).json();
    assert_eq!((&state["ply"], &state["length"], &state["side"]), (&json!(1), &json!(6), &json!("black")));
    let state = server.post(&path("redo"), &json!({"count": 2})).json();
    assert_eq!((&state["ply"], &state["length"]), (&json!(3), &json!(6)));
    // The next move of the history keeps the rest, another one forgets it.
    assert_eq!(server.post(&path("play"), &json!({"move": "c1"})).json()["length"], 6);
    assert_eq!(server.post(&path("undo"), &json!({})).json()["ply"], 3);
    assert_eq!(server.post(&path("play"), &json!({"move": "a3"})).json()["length"], 4);
    assert_eq!(server.post(&path("redo"), &json!({})).code(), "nothing-to-redo");
    assert_eq!(server.post(&path("undo"), &json!({"count": 9})).code(), "nothing-to-undo");
    assert_eq!(server.post(&path("jump"), &json!({"ply": 9})).status, 400);
    let state = server.post(&path("reset"), &json!({"position": "XX1/OO1/3 w"})).json();
    assert_eq!((&state["ply"], &state["start"]), (&json!(0), &json!("XX1/OO1/3 w")));
    assert_eq!(server.post(&path("reset"), &json!({"position": "what"})).code(), "position");
    assert_eq!(server.get(&path("state")).json()["position"], "XX1/OO1/3 w");
    assert_eq!(server.send("DELETE", &format!("/api/sessions/{id}"), "", "").status, 204);
    assert_eq!(server.get(&path("state")).code(), "no-such-session");
}

#[test]
fn clocks_run_out() {
    let server = Server::start(&[]);
    let (id, opened) = server.open(&json!({"game": "tic-tac-toe", "clock": {"time": 300, "increment": 50}}));
    assert_eq!(opened["state"]["clock"], json!({"left": [300, 300], "increment": 50, "running": null}));
    let path = |what: &str| format!("/api/sessions/{id}/{what}");
    let state = server.post(&path("play"), &json!({"move": "b2"})).json();
    assert_eq!((&state["clock"]["running"], &state["clock"]["left"][0]), (&json!("black"), &json!(350)));
    std::thread::sleep(std::time::Duration::from_millis(400));
    let state = server.get(&path("state")).json();
    assert_eq!(state["outcome"], json!({"winner": "white", "text": "white wins", "reason": "time"}));
    assert_eq!(server.post(&path("play"), &json!({"move": "a1"})).code(), "game-over");
    let state = server.post(&path("undo"), &json!({})).json();
    assert_eq!((&state["outcome"], &state["clock"]), (&Value::Null, &Value::Null));
}
