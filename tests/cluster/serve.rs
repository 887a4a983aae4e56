//! `serve` on several ranks: searches of bundled games use all of them, one after the other.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::job::{Running, job, json as parsed, signal};

/// A server on two ranks.
struct Server {
    running: Running,
    address: String,
}

impl Server {
    fn start(name: &str) -> Server {
        let running = Running::start(job(2, &["serve", "--port", "0", "--searches", "2"]), name);
        let address =
            running.first_line().trim().trim_start_matches("http://").trim_end_matches('/').to_string();
        Server { running, address }
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let (head, body) = self.send(method, path, body);
        assert!(head.starts_with("HTTP/1.1 2"), "{path}: {head} {body}");
        parsed(&body)
    }

    /// The head of an answer, and its body.
    fn send(&self, method: &str, path: &str, body: &Value) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer}"));
        (head.to_string(), body.to_string())
    }

    fn open(&self, opening: &Value) -> String {
        self.ask("POST", "/api/sessions", opening)["id"].as_str().unwrap().to_string()
    }

    fn think(&self, session: &str, think: &Value) -> Value {
        self.ask("POST", &format!("/api/sessions/{session}/think"), think)
    }

    /// What the search of a session is doing.
    fn thinking(&self, session: &str) -> Value {
        self.ask("GET", &format!("/api/sessions/{session}/state"), &Value::Null)["thinking"].clone()
    }

    /// Waits until the search of a session is as wanted.
    fn until(&self, session: &str, wanted: impl Fn(&Value) -> bool) {
        let start = Instant::now();
        while !wanted(&self.thinking(session)) {
            assert!(start.elapsed() < Duration::from_secs(30), "{}", self.thinking(session));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Sessions of two games search at the same time, and both searches are everybody's.
#[test]
fn sessions_of_several_games_search_with_all_ranks() {
    let server = Server::start("serve");
    let about = server.ask("GET", "/api", &Value::Null);
    assert_eq!(about["ranks"].as_array().map(Vec::len), Some(2), "{about}");
    let session = server.open(&json!({"game": "othello"}));
    let wish = json!({"depth": 4, "options": "memory=hybrid", "wait": true});
    let (head, body) = server.send("POST", &format!("/api/sessions/{session}/think"), &wish);
    assert!(head.starts_with("HTTP/1.1 400") && body.contains("leave `memory` out"), "{head} {body}");
    std::thread::scope(|scope| {
        for game in ["othello", "checkers"] {
            let server = &server;
            scope.spawn(move || {
                let session = server.open(&json!({ "game": game }));
                for plays in [false, true] {
                    // As many nodes as take more than one turn of the cores on a busy machine.
                    let search = json!({"nodes": 150_000, "threads": 2, "wait": true});
                    let thought = server.think(&session, &search);
                    let crew = &thought["crew"];
                    for rank in 0..2 {
                        let name = crew["processes"][rank]["name"].as_str().unwrap_or_default();
                        assert!(name.starts_with(&format!("rank {rank} on `")), "{crew}");
                    }
                    let lanes = crew["timeline"]["lanes"].as_array().unwrap();
                    assert_eq!(lanes.len(), 4);
                    let nodes = |thread: usize| crew["threads"][thread]["nodes"].as_u64().unwrap();
                    assert!(nodes(2) + nodes(3) > 0, "rank 1 has searched: {}", crew["threads"]);
                    if plays {
                        let search = json!({"depth": 4, "play": true, "wait": true});
                        assert_eq!(server.think(&session, &search)["played"], true);
                    }
                }
            });
        }
    });
}

/// One search at a time has the ranks; the next one says that it waits. Rules of strangers stay here.
#[test]
fn searches_wait_for_the_ranks() {
    let server = Server::start("turns");
    let [first, second] = ["chess", "othello"].map(|game| server.open(&json!({ "game": game })));
    server.think(&first, &json!({"time": 50_000}));
    server.until(&first, |thinking| thinking["nodes"].as_u64() > Some(0));
    server.think(&second, &json!({"depth": 5}));
    server.until(&second, |thinking| thinking["waiting"] == true);
    let rules = include_str!("../../games/tic-tac-toe/rules.mg");
    let own = server.open(&json!({ "rules": rules }));
    let thought = server.think(&own, &json!({"depth": 3, "wait": true}));
    assert_eq!(thought["crew"], Value::Null, "{thought}");
    assert_eq!(server.thinking(&second)["waiting"], true);
    server.ask("POST", &format!("/api/sessions/{first}/stop"), &json!({}));
    server.until(&second, Value::is_null);
}

/// Ctrl-C ends a server in the middle of a search, with all ranks.
#[test]
fn a_server_ends_with_all_ranks() {
    let server = Server::start("end");
    let session = server.open(&json!({"game": "chess"}));
    server.think(&session, &json!({"time": 50_000}));
    server.until(&session, |thinking| thinking["nodes"].as_u64() > Some(0));
    let ended = server.running.disturb(|running| assert!(signal("-INT", running.launcher())));
    assert!(ended.time < Duration::from_secs(5), "{:?}: {}", ended.time, ended.stderr);
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
}

/// The page, in a browser, calls the threads of a search by rank and host.
#[test]
fn the_page_names_ranks_and_hosts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let server = Server::start("page");
    let output = Command::new("node")
        .arg(root.join("web/test/ranks.mjs"))
        .arg(format!("http://{}/", server.address))
        .env("PICTURES", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("Node.js runs; `tests/setup` installs it");
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{}", said.concat());
}
