//! Any bytes as requests to the server, a line each, `METHOD PATH BODY`: every answer is one that docs/api.md
//! knows, and none is a failure of the server itself. `{}` in a path is the session that was opened last.
//!
//! Rules of strangers are refused here, because no process runs them; the target `rules` has those.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use multigame_server::{Answer, Config, Limits, Local};
use serde_json::Value;

/// Requests of one input; all of them together take less than a second.
const MOST: usize = 12;
const SEARCH: Duration = Duration::from_millis(10);
/// An answer that takes longer is a failure, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

const DOCUMENTATION: &str = include_str!("../../../docs/api.md");

static SERVER: LazyLock<Local> = LazyLock::new(|| {
    let limits = Limits { search_time: SEARCH, rules_time: PATIENCE, table_mib: 1, ..Limits::default() };
    let worker = PathBuf::from("/nowhere/multigame");
    Local::new(Config { limits, ..Config::new(worker, multigame_cli::make_game) })
        .expect("a server without a socket")
});

pub fn check(input: &[u8]) {
    let mut opened = Vec::new();
    for line in input.split(|&byte| byte == b'\n').take(MOST) {
        let mut parts = line.splitn(3, |&byte| byte == b' ');
        let [method, path] = [parts.next(), parts.next()].map(Option::unwrap_or_default);
        let body = parts.next().unwrap_or_default();
        let last = opened.last().map_or("none", String::as_str);
        let path = String::from_utf8_lossy(path).replace("{}", last);
        let Some(answer) = SERVER.ask(&String::from_utf8_lossy(method), &path, body) else { continue };
        inspect(&answer, &path);
        if answer.status == 201 {
            let id = json(&answer)["id"].as_str().expect("a session has a name").to_string();
            opened.push(id);
        }
    }
    for id in opened {
        let closed = SERVER.ask("DELETE", &format!("/api/sessions/{id}"), b"").expect("a request");
        // The input may have closed it.
        assert!(matches!(closed.status, 204 | 404), "{closed:?}");
    }
}

fn json(answer: &Answer) -> Value {
    let text = String::from_utf8_lossy(&answer.body);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn inspect(answer: &Answer, path: &str) {
    let told = || format!("{path}: {} {}", answer.status, String::from_utf8_lossy(&answer.body));
    assert!(answer.status < 500, "{}", told());
    if answer.kind != "application/json" {
        let others = matches!(answer.status, 200 | 204 | 304);
        assert!(others, "failures are JSON: {}", told());
        return;
    }
    let body = json(answer);
    if answer.status >= 400 {
        let [code, message] = ["code", "message"].map(|part| body["error"][part].as_str());
        let known = code.is_some_and(|code| DOCUMENTATION.contains(&format!("`{code}`")));
        assert!(known && message.is_some_and(|message| !message.is_empty()), "{}", told());
    }
}

/// Conversations that use every path, in games of several kinds.
pub fn seeds() -> Vec<Vec<u8>> {
    let talks = [
        r#"GET /api/games
GET /api/games/chess
GET /api/language
POST /api/rules/check {"rules": "dimensions (3, 3)", "parameters": {"size": 3}}
POST /api/rules/format {"rules": "dimensions (3, 3)"}
GET /
GET /api/nothing"#,
        r#"POST /api/sessions {"game": "GAME", "moves": [], "clock": {"time": 1000, "increment": 10}}
POST /api/sessions/{}/think {"time": 5, "play": true, "wait": true}
POST /api/sessions/{}/think {"nodes": 200, "threads": 1, "engine": "negascout", "options": "lmr=off,tt-size=1"}
GET /api/sessions/{}/state
POST /api/sessions/{}/stop {}
POST /api/sessions/{}/undo {"count": 1}
POST /api/sessions/{}/redo {"count": 1}
POST /api/sessions/{}/jump {"ply": 0}
POST /api/sessions/{}/reset {"position": null}
GET /api/sessions/{}/events"#,
        r#"POST /api/sessions {"game": "GAME"}
POST /api/sessions/{}/solve {"time": 5, "wait": true}
POST /api/sessions/{}/evaluate {"time": 5, "depth": 1, "wait": true}
POST /api/sessions/{}/simulate {"processors": 2, "policy": "ybwc-1-2*", "network": "cm5-ring", "depth": 2, "time": 5, "wait": true}
POST /api/sessions/{}/tree {"depth": 2, "options": "engine=alphabeta"}
GET /api/sessions/{}/tree/0
POST /api/sessions/{}/tree {"depth": 2, "processors": 3}
GET /api/sessions/{}/tree/1
DELETE /api/sessions/{}"#,
        r#"POST /api/sessions {"rules": "dimensions (3, 3)", "name": "own", "parameters": {}}
POST /api/sessions {"game": "GAME", "position": "3/3/3 w", "moves": ["b2", "a1"]}
POST /api/sessions/{}/play {"move": "b2"}
GET /api/sessions/{}"#,
    ];
    let games = ["tic-tac-toe", "connect-4", "othello", "kalah", "15-puzzle"];
    let talks = games.iter().flat_map(|game| talks.map(|talk| talk.replace("GAME", game).into_bytes()));
    talks.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seeds that are refused would say nothing about what comes behind.
    #[test]
    fn seeds_are_understood() {
        let opening = br#"{"game": "tic-tac-toe"}"#;
        let opened = SERVER.ask("POST", "/api/sessions", opening).expect("a request");
        let id = json(&opened)["id"].as_str().expect("a session").to_string();
        let lines = seeds()[1..3].concat();
        let lines = String::from_utf8(lines).expect("text");
        for line in
            lines.lines().filter(|line| !line.contains(" /api/sessions {") && !line.starts_with("DELETE"))
        {
            let mut parts = line.splitn(3, ' ');
            let [method, path, body] = [(); 3].map(|()| parts.next().unwrap_or_default());
            let answer = SERVER.ask(method, &path.replace("{}", &id), body.as_bytes()).expect("a request");
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            let puzzle_only = answer.status == 409 && text.contains("not-a-puzzle");
            assert!(matches!(answer.status, 200 | 202) || puzzle_only, "{line}: {text}");
        }
        let again = SERVER.ask("GET", "/api/sessions/none", b"").expect("a request");
        assert_eq!(again.status, 404);
        assert!(SERVER.ask("GET", "no path", b"").is_none());
    }
}
