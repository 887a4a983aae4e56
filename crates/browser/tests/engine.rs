//! The engine that is embedded in published pages, run by Node.js beside this one: every bundled game.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a test may start programs")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use multigame_browser::Engine;
use multigame_library::{beside, libraries, library, names, rules};
use multigame_session::rules_of;
use serde_json::{Value, json};

/// Games that differ in what they need: lines, passes and scores, compulsion, boards of more words than one,
/// properties, networks, captures of many kinds, puzzles. `GAMES=all` takes all bundled games, which takes some
/// minutes, `GAMES=chess,shogi` some; `--nocapture` shows how long each of them takes.
const USUAL: &str = "15-puzzle,breakthrough,checkers,chess,connect-4,go-moku,hanoi,hexxagon,kalah,lasca,\
    othello,sokoban,three-mens-morris,tic-tac-toe,triangle-solitaire";

/// Plies that are searched, and the nodes after which a search ends.
const DEPTH: u32 = 5;
const NODES: u64 = 2_000;

/// A game that takes longer in the page hangs.
const PATIENCE: Duration = Duration::from_secs(180);

/// MiB: engines are never freed, because a page ends its worker.
const TABLE: usize = 1;

fn wish(engine: &mut Engine, wish: Value) -> Value {
    let reply = engine.wish(&wish.to_string(), Box::new(|_| ())).expect("the wish is granted");
    serde_json::from_str(&reply).expect("answers are JSON")
}

/// A search with machine code: what the embedded engine has to repeat.
fn search(game: &str) -> Value {
    let rules = rules_of(game).expect("a bundled game");
    let opening = json!({"position": null, "moves": [], "clock": null, "table_mib": TABLE, "seed": 1});
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

/// The script that plays what a page does, which answers each line by a line.
struct Page {
    node: Child,
    answers: Receiver<String>,
}

impl Page {
    fn start() -> Page {
        let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
        assert!(
            web.join("node_modules/esbuild").exists(),
            "web/node_modules is missing: run `tests/setup` first"
        );
        let mut node = Command::new("node")
            .arg(web.join("test/values.mjs"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node.js runs; `tests/setup` installs it");
        let output = BufReader::new(node.stdout.take().expect("it speaks"));
        let (lines, answers) = channel();
        std::thread::spawn(move || {
            let all = output.lines().map_while(Result::ok);
            all.take_while(|line| lines.send(line.clone()).is_ok()).for_each(drop);
        });
        Page { node, answers }
    }

    fn tell(&mut self, line: &Value) {
        let input = self.node.stdin.as_mut().expect("it listens");
        writeln!(input, "{line}").expect("it listens");
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.node.kill();
        let _ = self.node.wait();
    }
}

/// Nothing if the game is the same in the page.
fn difference(page: &mut Page, game: &str) -> Option<String> {
    let begun = Instant::now();
    let search = search(game);
    let native = begun.elapsed().as_millis();
    page.tell(&search);
    let Ok(line) = page.answers.recv_timeout(PATIENCE) else {
        println!("{game}: no answer");
        return Some(format!("no answer within {} s", PATIENCE.as_secs()));
    };
    let report: Value = serde_json::from_str(&line).expect("answers are JSON");
    if let Some(failure) = report["failure"].as_str() {
        println!("{game}: differs");
        return Some(failure.to_string());
    }
    println!(
        "{game}: native {native} ms; page {} ms to open, {} ms to search, {} ms for {} plies beside the \
         interpreter",
        report["opened"], report["searched"], report["followed"], report["plies"]
    );
    None
}

#[test]
fn the_embedded_engine_searches_every_game_like_the_program() {
    let chosen = std::env::var("GAMES").unwrap_or(USUAL.to_string());
    let chosen = |name: &String| chosen == "all" || chosen.split(',').any(|chosen| chosen == name);
    let games: Vec<String> = names().into_iter().filter(chosen).collect();
    assert!(!games.is_empty(), "no such games");
    let shared = json!({"table": TABLE, "shelf": shelf()});
    let (mut page, mut failures) = (Page::start(), Vec::new());
    page.tell(&shared);
    for game in &games {
        if let Some(difference) = difference(&mut page, game) {
            failures.push(format!("{game}: {difference}"));
            // The other games do not wait for one that hangs.
            page = Page::start();
            page.tell(&shared);
        }
    }
    println!("{} games, {} differ", games.len(), failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
