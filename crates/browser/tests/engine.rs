//! The engine that is embedded in published pages, run by Node.js beside this one: every bundled game.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a test may start programs")]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use multigame_browser::Engine;
use multigame_library::{beside, libraries, library, names, rules};
use multigame_session::rules_of;
use serde_json::{Value, json};

/// Games that differ in what they need: lines, passes and scores, compulsion, boards of more words than one,
/// properties, networks, captures of many kinds, puzzles. `GAMES=all` takes all bundled games, which takes some
/// minutes, `GAMES=chess,shogi` some.
const USUAL: &str = "15-puzzle,breakthrough,checkers,chess,connect-4,go-moku,hanoi,hexxagon,kalah,othello,\
    sokoban,three-mens-morris,tic-tac-toe,triangle-solitaire";

/// Plies that are searched, and the nodes after which a search ends.
const DEPTH: u32 = 5;
const NODES: u64 = 2_000;

/// MiB: engines are never freed, because a page ends its worker.
const TABLE: usize = 1;

fn wish(engine: &mut Engine, wish: Value) -> Value {
    let reply = engine.wish(&wish.to_string(), Box::new(|_| ())).expect("the wish is granted");
    serde_json::from_str(&reply).expect("answers are JSON")
}

/// A search with machine code: what the embedded engine has to repeat.
fn search(game: &str) -> Value {
    let rules = rules_of(game).expect("a bundled game");
    let opening = json!({"position": null, "moves": [], "clock": null, "table_mib": TABLE});
    let think = json!({
        "number": 1, "time": null, "total": null, "depth": DEPTH, "nodes": NODES, "threads": 1, "engine": null,
        "options": null, "play": false, "solve": false,
    });
    let mut engine = Engine::default();
    let begun = wish(&mut engine, json!({"open": [rules, opening]}));
    assert_eq!(begun["backend"], "machine code", "{game}: {}", begun["reason"]);
    let thought = wish(&mut engine, json!({"request": {"think": think}}));
    let same = ["value", "nodes", "depth", "pv", "proved", "engine"];
    let native: BTreeMap<&str, &Value> = same.into_iter().map(|key| (key, &thought[key])).collect();
    json!({"rules": rules, "think": think, "native": native})
}

/// The files that rules may be based on or use.
fn shelf() -> BTreeMap<String, String> {
    let mut shelf = BTreeMap::new();
    for name in names() {
        shelf.extend(rules(&name).map(|text| (format!("{name}/rules.mg"), text)));
        shelf.extend(beside(&name, "known.toml").map(|text| (format!("{name}/known.toml"), text)));
    }
    for name in libraries() {
        shelf.extend(library(&name).map(|text| (format!("libraries/{name}.mg"), text)));
    }
    shelf
}

#[test]
fn the_embedded_engine_searches_every_game_like_the_program() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    assert!(
        web.join("node_modules/esbuild").exists(),
        "web/node_modules is missing: run `tests/setup` first"
    );
    let chosen = std::env::var("GAMES").unwrap_or(USUAL.to_string());
    let chosen = |name: &String| chosen == "all" || chosen.split(',').any(|chosen| chosen == name);
    let searches: Vec<Value> = names().iter().filter(|name| chosen(name)).map(|game| search(game)).collect();
    assert!(!searches.is_empty(), "no such games");
    let mut node = Command::new("node")
        .arg(web.join("test/values.mjs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Node.js runs; `tests/setup` installs it");
    let input = json!({"table": TABLE, "shelf": shelf(), "searches": searches}).to_string();
    node.stdin.take().expect("it listens").write_all(input.as_bytes()).expect("it listens");
    let output = node.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}");
    assert!(output.status.success(), "{text}");
}
