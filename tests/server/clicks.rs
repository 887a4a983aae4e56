//! Where people click to make a move, in games of every kind.

use serde_json::{Value, json};

use crate::client::Server;

/// A position of a game with the clicks that some of its moves must have; `|` separates a label.
/// Game, position, and moves with their clicks.
type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const CASES: &[Case] = &[
    (
        "chess",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[("e2e4", "e2 e4"), ("g1f3", "g1 f3")],
    ),
    ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", &[("e1g1", "e1 g1"), ("e1c1", "e1 c1"), ("h1f1", "h1 f1")]),
    ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", &[("e5d6", "e5 d6")]),
    ("chess", "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", &[("a7a8q", "a7 a8 | queen"), ("a7a8n", "a7 a8 | knight")]),
    ("checkers", "8/8/8/4b3/8/2b5/1w6/8 w", &[("25x11", "b2 f6")]),
    ("othello", "8/8/8/3OX3/3XO3/8/8/8 b", &[]),
    ("amazons", "", &[("d1-d7/g7", "d1 d7 g7"), ("a4-a5/a4", "a4 a5 a4")]),
    ("tic-tac-toe", "", &[("b2", "b2")]),
    ("hex", "", &[("f6", "f6")]),
];

fn moves(server: &Server, game: &str, position: &str) -> Vec<Value> {
    let body = match position {
        "" => json!({"game": game}),
        position => json!({"game": game, "position": position}),
    };
    let (id, opened) = server.open(&body);
    server.send("DELETE", &format!("/api/sessions/{id}"), "", "");
    opened["state"]["moves"].as_array().expect("moves").clone()
}

fn clicks(mv: &Value) -> String {
    let fields: Vec<&str> =
        mv["clicks"].as_array().expect("clicks").iter().filter_map(Value::as_str).collect();
    let label = mv["label"].as_str().map_or(String::new(), |label| format!(" | {label}"));
    format!("{}{label}", fields.join(" "))
}

#[test]
fn moves_are_clicked_where_people_expect() {
    let server = Server::start(&[]);
    let mut wrong = Vec::new();
    for (game, position, expected) in CASES {
        let moves = moves(&server, game, position);
        for (name, wanted) in *expected {
            let found = moves.iter().find(|mv| mv["name"] == *name).map(clicks);
            if found.as_deref() != Some(*wanted) {
                let names: Vec<&Value> = moves.iter().take(20).map(|mv| &mv["name"]).collect();
                wrong.push(format!("{game} {name}: {found:?} instead of {wanted}; there are {names:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The sets of clicks that all moves of a first position have.
fn first_clicks(server: &Server, game: &str) -> Vec<String> {
    let mut all: Vec<String> = moves(server, game, "").iter().map(clicks).collect();
    all.sort();
    all
}

#[test]
fn every_kind_of_game_can_be_clicked() {
    let server = Server::start(&[]);
    // Seeds are sown from the house that is clicked.
    assert_eq!(first_clicks(&server, "awari"), ["a1", "b1", "c1", "d1", "e1", "f1"]);
    assert_eq!(first_clicks(&server, "kalah"), ["b1", "c1", "d1", "e1", "f1", "g1"]);
    // A tile is shifted, a keeper walks, a disc is carried.
    assert!(first_clicks(&server, "15-puzzle").iter().all(|clicks| clicks.len() == 5));
    assert!(first_clicks(&server, "sokoban").iter().all(|clicks| clicks.starts_with("b2 ")));
    // A cube is turned by name.
    let turns = moves(&server, "rubik", "");
    assert_eq!(turns.len(), 18);
    assert!(turns.iter().all(|mv| mv["clicks"] == json!([]) && mv["name"].as_str().unwrap().len() <= 2));
    // Whoever places something clicks where.
    for game in
        ["go-9x9", "connect-4", "nine-mens-morris", "qubic", "dots-and-boxes", "othello", "y", "renju"]
    {
        let clicks = first_clicks(&server, game);
        assert!(clicks.iter().all(|c| c.is_empty() || c.split(' ').count() == 1), "{game}: {clicks:?}");
        assert!(clicks.iter().filter(|clicks| clicks.is_empty()).count() <= 1, "{game}: {clicks:?}");
    }
    // A marble is placed and a quarter of the board turned, which does not show on an empty board.
    for mv in moves(&server, "pentago", "") {
        let changed: Vec<&String> = mv["changes"]["cells"].as_object().expect("cells").keys().collect();
        assert_eq!(json!(changed), mv["clicks"], "{mv}");
    }
    assert_eq!(moves(&server, "life", "")[0]["clicks"], json!([]));
}

/// A mill takes a third click where there is a choice of stones.
#[test]
fn a_closed_mill_asks_for_a_stone() {
    let server = Server::start(&[]);
    let (id, _) = server.open(&json!({"game": "nine-mens-morris"}));
    let play = |name: &str| {
        let answer = server.post(&format!("/api/sessions/{id}/play"), &json!({"move": name}));
        assert_eq!(answer.status, 200, "{name}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    };
    play("a1");
    play("b2");
    play("d1");
    let state = play("d2");
    let mills: Vec<String> = state["moves"].as_array().expect("moves").iter().map(clicks).collect();
    let mills: Vec<&String> = mills.iter().filter(|clicks| clicks.starts_with("g1")).collect();
    assert_eq!(mills, ["g1 b2", "g1 d2"]);
}

/// Men that jump several times show where they stop.
#[test]
fn jumps_have_stops() {
    let server = Server::start(&[]);
    let moves = moves(&server, "checkers", "8/8/8/4b3/8/2b5/1w6/8 w");
    assert_eq!(moves[0]["path"], json!(["b2", "d4", "f6"]));
    assert_eq!(moves[0]["captured"], json!(["c3", "e5"]));
}
