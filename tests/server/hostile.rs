//! Input that means no good: it is refused cleanly, and the server lives.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Server;

const JSON: &str = "content-type: application/json\r\n";

#[test]
fn bodies_that_are_wrong() {
    let mut server = Server::start(&["--body", "64"]);
    let post = |body: &str| server.send("POST", "/api/sessions", JSON, body);
    assert_eq!(post(&"x".repeat(100_000)).code(), "too-large");
    assert_eq!(post("{").code(), "bad-json");
    assert_eq!(post(&"[".repeat(50_000)).status, 400);
    assert_eq!(post("\u{0}\u{1}").code(), "bad-json");
    assert_eq!(post("[]").status, 400);
    assert_eq!(post("{\"game\": 5}").code(), "bad-request");
    assert_eq!(post("{\"gane\": \"chess\"}").code(), "bad-request");
    assert_eq!(post("{}").code(), "bad-request");
    assert_eq!(post("{\"game\": \"chess\", \"rules\": \"\"}").code(), "bad-request");
    assert_eq!(post("{\"game\": \"chess\", \"clock\": {\"time\": 0}}").code(), "bad-request");
    assert_eq!(post("{\"game\": \"chess\", \"clock\": {\"time\": -5}}").code(), "bad-request");
    assert_eq!(post("{\"game\": \"chess\", \"position\": \"x\"}").code(), "position");
    assert_eq!(post("{\"game\": \"chess\", \"moves\": [\"e5\"]}").code(), "illegal-move");
    assert_eq!(post("{\"game\": \"chez\"}").code(), "no-such-game");
    assert_eq!(post("{\"game\": \"../chess\"}").code(), "no-such-game");
    assert_eq!(
        server.send("POST", "/api/sessions", "content-type: text/plain\r\n", "{}").code(),
        "content-type"
    );
    assert_eq!(server.send("POST", "/api/sessions", "", "{\"game\": \"chess\"}").code(), "content-type");
    assert_eq!(server.send("PUT", "/api/sessions", "", "").code(), "method");
    assert_eq!(server.get("/api/nothing").code(), "no-such-path");
    assert!(server.lives());
}

#[test]
fn bytes_that_are_no_request() {
    let mut server = Server::start(&[]);
    for bytes in [&b"\x16\x03\x01\x02\x00"[..], b"GET / HTTP/9.9\r\n\r\n", b"GET\r\n\r\n", &[0xff; 5000]] {
        assert!(matches!(server.raw(bytes).status, 0 | 400 | 505), "{bytes:?}");
    }
    // A header without end, and a body shorter than it says.
    let mut stream = server.connect();
    stream.write_all(b"GET /api HTTP/1.1\r\nx: ").expect("a connection");
    let _ = stream.write_all(&vec![b'a'; 1 << 20]);
    stream.set_read_timeout(Some(Duration::from_secs(5))).expect("a limit");
    let mut answer = [0; 64];
    let read = stream.read(&mut answer).unwrap_or(0);
    assert!(read == 0 || answer.starts_with(b"HTTP/1.1 4"), "{}", String::from_utf8_lossy(&answer[..read]));
    assert!(server.lives());
}

#[test]
fn no_file_of_the_machine_can_be_read() {
    let server = Server::start(&[]);
    for path in [
        "/../../etc/passwd",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/index.html/../../Cargo.toml",
        "/.git/config",
        "/api/games/..%2f..%2fetc%2fpasswd",
        "/api/games/%00",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}: {}", String::from_utf8_lossy(&answer.body));
        assert!(!String::from_utf8_lossy(&answer.body).contains("root:"), "{path}");
    }
}

#[test]
fn the_page_is_safe_and_small() {
    let server = Server::start(&[]);
    let page = server.send("GET", "/", "accept-encoding: gzip\r\n", "");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-encoding"), Some("gzip"));
    assert!(page.header("content-security-policy").is_some_and(|policy| {
        policy.starts_with("default-src 'self'") && policy.contains("frame-ancestors 'none'")
    }));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    let tag = page.header("etag").expect("a tag").to_string();
    assert_eq!(server.send("GET", "/", &format!("if-none-match: {tag}\r\n"), "").status, 304);
    // Everything that the page asks for at first.
    let html = String::from_utf8(server.get("/").body).expect("text");
    let mut size = page.body.len();
    for part in html.split(['"', '\'']).filter(|part| part.ends_with(".js") || part.ends_with(".css")) {
        let path = format!("/{}", part.trim_start_matches(['.', '/']));
        let file = server.send("GET", &path, "accept-encoding: gzip\r\n", "");
        assert_eq!(file.status, 200, "{path}");
        size += file.body.len();
    }
    assert!(size < 250_000, "{size}");
    assert!(!html.contains("http://") && !html.contains("https://"), "a foreign address in the page");
}

#[test]
fn other_sites_are_refused() {
    let server = Server::start(&[]);
    let post = |headers: &str| {
        let headers = format!("{JSON}{headers}");
        server.send("POST", "/api/sessions", &headers, "{\"game\": \"tic-tac-toe\"}")
    };
    assert_eq!(post(&format!("origin: http://{}\r\n", server.address)).status, 201);
    assert_eq!(post("origin: http://example.org\r\n").code(), "origin");
    assert_eq!(post("origin: null\r\n").code(), "origin");
    assert_eq!(post("sec-fetch-site: cross-site\r\n").code(), "origin");
    assert_eq!(post("host: example.org\r\n").code(), "host");
    assert_eq!(server.send("GET", "/", "host: example.org:80\r\n", "").code(), "host");
    let answer = server.get("/api");
    assert_eq!(answer.header("access-control-allow-origin"), None);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

#[test]
fn a_token_is_needed_where_others_can_come_in() {
    let refused = std::process::Command::new(env!("CARGO_BIN_EXE_multigame"))
        .args(["serve", "--port", "0", "--bind", "0.0.0.0"])
        .output()
        .expect("the program runs");
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--token"));
    let server = Server::start(&["--token", "correct-horse"]);
    assert_eq!(server.get("/api").code(), "token");
    assert_eq!(server.get("/").code(), "token");
    assert_eq!(server.send("GET", "/api", "authorization: Bearer wrong-horse\r\n", "").code(), "token");
    assert_eq!(server.send("GET", "/api", "authorization: Bearer correct-horse\r\n", "").status, 200);
    assert_eq!(server.get("/?token=wrong-horse").code(), "token");
    let welcome = server.get("/?token=correct-horse");
    assert_eq!((welcome.status, welcome.header("location")), (303, Some("/")));
    let cookie = welcome.header("set-cookie").expect("a cookie").to_string();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap_or_default();
    assert_eq!(server.send("GET", "/", &format!("cookie: {cookie}\r\n"), "").status, 200);
}

/// Rules that are endless, exponential, deep or huge.
fn hostile_rules() -> Vec<(&'static str, String)> {
    let head = "dimensions (8, 8)\nno moves = draw\npieces { man 'M' 'm' }\n";
    let many = "properties { bit : field : [0 .. 1] }\n";
    vec![
        (
            "two to the power of 64 results",
            format!("{head}{many}main = for each any field do [ either assign (bit = 1) or nothing ].\n"),
        ),
        (
            "endless recursion",
            format!("{head}main = find empty field, again.\nagain = either again or [ again, again ].\n"),
        ),
        (
            "recursion that grows",
            format!(
                "{head}properties {{ n : move : [0 .. 1000000000] }}\nmain = find empty field, more.\nmore = \
                 assign (n++), more.\n"
            ),
        ),
        (
            "an endless loop",
            format!(
                "{head}properties {{ n : move : [0 .. 1000000000] }}\nmain = find empty field, while assert \
                 (n >= 0) do assign (n++).\n"
            ),
        ),
        (
            "a huge board",
            head.replace("(8, 8)", "(1000000, 1000000)") + "main = find empty field, replace by man.\n",
        ),
        (
            "nested brackets",
            format!("{head}main = {}find empty field{}.\n", "[".repeat(30_000), "]".repeat(30_000)),
        ),
        ("nested tests", format!("{head}main = {}find empty field.\n", "not ".repeat(30_000))),
        (
            "nested parentheses",
            format!("{head}main = assert ({}1{}).\n", "(".repeat(30_000), ")".repeat(30_000)),
        ),
        (
            "huge counts",
            format!("{head}main = repeat 4000000000 times repeat 4000000000 times find empty field.\n"),
        ),
        (
            "doubling rules",
            format!(
                "{head}main = find empty field, a0, replace by man.\n{}a40 = nothing.\n",
                (0..40).map(|n| format!("a{n} = a{}, a{}.\n", n + 1, n + 1)).collect::<String>()
            ),
        ),
        ("no text at all", String::new()),
        ("noise", "\u{0}\u{1}\u{7f}=.,[](){}'\"#\\\u{10ffff}".repeat(500)),
    ]
}

#[test]
fn rules_that_mean_no_good() {
    let mut server = Server::start(&["--rules-time", "4s", "--rules-memory", "256"]);
    let (id, _) = server.open(&json!({"game": "tic-tac-toe"}));
    for (what, rules) in hostile_rules() {
        let start = Instant::now();
        let check = server.post("/api/rules/check", &json!({"rules": rules}));
        let fine = check.status == 200 || matches!(check.code().as_str(), "too-slow" | "rules-failed");
        assert!(fine, "{what}: {} {}", check.status, String::from_utf8_lossy(&check.body));
        let open = server.post("/api/sessions", &json!({"rules": rules}));
        let code = if open.status == 201 { String::new() } else { open.code() };
        let fine = matches!(code.as_str(), "" | "rules" | "too-slow" | "rules-failed");
        assert!(fine, "{what}: {} {}", open.status, String::from_utf8_lossy(&open.body));
        assert!(start.elapsed() < Duration::from_secs(14), "{what} took {:?}", start.elapsed());
        // Others do not notice.
        let start = Instant::now();
        assert_eq!(server.get(&format!("/api/sessions/{id}/state")).status, 200, "{what}");
        assert!(start.elapsed() < Duration::from_secs(2), "{what}");
    }
    assert!(server.lives());
}

/// A position that is harmless at first, and rules that fail later.
#[test]
fn rules_that_fail_while_they_are_played() {
    let server = Server::start(&["--rules-time", "4s"]);
    let rules = "dimensions (2, 2)\nno moves = draw\npieces { man 'M' 'm' }\nproperties { n : move : [0 .. 6] }\n\
                 main = find empty field, replace by man, assign (n = 6 / (3 - count [ find any piece ])).\n";
    let (id, _) = server.open(&json!({"rules": rules}));
    let play = |name: &Value| server.post(&format!("/api/sessions/{id}/play"), &json!({"move": name}));
    let state = server.get(&format!("/api/sessions/{id}/state")).json();
    let state = play(&state["moves"][0]["name"]).json();
    let answer = play(&state["moves"][0]["name"]);
    assert_eq!(answer.code(), "rules-failed", "{}", String::from_utf8_lossy(&answer.body));
    // The game is where it was before that move.
    let state = server.get(&format!("/api/sessions/{id}/state")).json();
    assert_eq!(state["ply"], 1);
}

#[test]
fn sessions_make_room_or_must_wait() {
    let server = Server::start(&["--sessions", "3", "--idle", "1s", "--rules-processes", "1"]);
    for _ in 0..3 {
        server.open(&json!({"game": "tic-tac-toe"}));
    }
    let answer = server.post("/api/sessions", &json!({"game": "tic-tac-toe"}));
    assert_eq!((answer.status, answer.code().as_str()), (429, "busy"));
    // Idle sessions are closed after a while.
    let start = Instant::now();
    while server.get("/api").json()["sessions"] != 0 {
        assert!(start.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(200));
    }
    // One process for rules of strangers: the second has to wait for the first, which ends with its session.
    let rules = "dimensions (3, 3)\nno moves = draw\npieces { mark 'X' 'O' }\nmain = find empty field, replace by mark.\n";
    server.open(&json!({"rules": rules}));
    let (_, second) = server.open(&json!({"rules": rules}));
    assert_eq!(second["state"]["moves"].as_array().map(Vec::len), Some(9));
}

#[test]
fn searches_that_ask_for_too_much() {
    let server = Server::start(&["--search-time", "1s"]);
    let (id, _) = server.open(&json!({"game": "connect-4"}));
    let think = |body: Value| server.post(&format!("/api/sessions/{id}/think"), &body);
    assert_eq!(think(json!({"time": 5000})).status, 400);
    assert_eq!(think(json!({"time": 0})).status, 400);
    assert_eq!(think(json!({"depth": 0})).status, 400);
    assert_eq!(think(json!({"depth": 5_000_000_000u64})).status, 400);
    let wait = |mut body: Value| {
        body["wait"] = json!(true);
        think(body)
    };
    assert_eq!(wait(json!({"engine": "deep-blue"})).status, 400);
    assert_eq!(wait(json!({"options": "tt-size=100000"})).status, 400);
    assert_eq!(wait(json!({"options": "tree-nodes=1000000000"})).status, 400);
    assert_eq!(wait(json!({"options": "nonsense"})).status, 400);
    assert_eq!(wait(json!({"engine": "idastar"})).status, 400);
    let refused = wait(json!({"engine": "dfpn", "options": "null=off"}));
    assert_eq!(refused.status, 400);
    assert!(refused.json()["error"]["message"].to_string().contains("alphabeta, negascout or mtdf"));
    assert_eq!(wait(json!({"options": "policy=ybwc"})).status, 400);
    let start = Instant::now();
    assert_eq!(wait(json!({"depth": 200})).status, 200);
    assert!(start.elapsed() < Duration::from_secs(10));
}
