//! Searches on simulated machines: the timeline, and trees that say who looked at what.

use serde_json::{Value, json};

use crate::client::{Listener, Server};

#[test]
fn a_simulated_search_has_rows_and_a_timeline() {
    let server = Server::start(&[]);
    let (id, _) = server.open(&json!({"game": "othello"}));
    let mut listener = Listener::new(&server, &id);
    let body = json!({"processors": 8, "policy": "jamboree", "network": "cm5", "depth": 4, "wait": true});
    let run = server.post(&format!("/api/sessions/{id}/simulate"), &body).json();
    let rows = run["rows"].as_array().expect("rows");
    let number = |row: &Value, name: &str| row[name].as_f64().unwrap_or_else(|| panic!("{name}: {row}"));
    let counts: Vec<f64> = rows.iter().map(|row| number(row, "processors")).collect();
    assert_eq!(counts, [1.0, 2.0, 4.0, 8.0]);
    assert_eq!(number(&rows[0], "speedup"), 1.0);
    let last = &rows[3];
    assert!((1.2..8.0).contains(&number(last, "speedup")), "{last}");
    assert!(number(last, "messages") > 10.0 && number(last, "load") < 1.0, "{last}");
    assert_eq!(
        (&run["policy"], &run["network"], &run["depth"]),
        (&json!("jamboree"), &json!("cm5"), &json!(4))
    );
    // The lanes tell the same as the summary.
    let lanes = run["timeline"]["lanes"].as_array().expect("lanes");
    assert_eq!(lanes.len(), 8);
    let busy: f64 = lanes.iter().map(|lane| number(lane, "busy")).sum::<f64>() / 8.0;
    assert!((busy - number(last, "load")).abs() < 0.02, "{busy} {last}");
    let columns = lanes[0]["work"].as_array().expect("columns").len();
    assert!(lanes.iter().all(|lane| lane["messages"].as_array().is_some_and(|row| row.len() == columns)));
    let shown = number(&run["timeline"], "step") * columns as f64;
    assert!(shown >= number(&run["timeline"], "end") && columns > 100, "{shown}");
    assert_eq!(listener.until("simulated")["search"], run["search"]);
    // The same once more, bit for bit, and the search agrees with an ordinary one.
    let again = server.post(&format!("/api/sessions/{id}/simulate"), &body).json();
    assert_eq!((&again["rows"], &again["timeline"]), (&run["rows"], &run["timeline"]));
    let plain = json!({"depth": 4, "engine": "alphabeta", "options": "depth-exact", "wait": true});
    let thought = server.post(&format!("/api/sessions/{id}/think"), &plain).json();
    assert_eq!(thought["value"], run["value"], "{thought}");
}

#[test]
fn threads_that_look_at_a_position_have_a_timeline() {
    let server = Server::start(&["--searches", "2"]);
    let (id, _) = server.open(&json!({"game": "othello"}));
    let think = |body: Value| server.post(&format!("/api/sessions/{id}/think"), &body).json();
    let thought = think(json!({"time": 400, "threads": 2, "wait": true}));
    let lanes = thought["crew"]["timeline"]["lanes"].as_array().expect("lanes").clone();
    assert_eq!(lanes.len(), 2, "{thought}");
    for lane in &lanes {
        let busy = lane["busy"].as_f64().expect("a share");
        assert!(busy > 0.05 && busy <= 1.001, "{lane}");
    }
    let thought = think(json!({"depth": 3, "threads": 2, "play": true, "wait": true}));
    assert_eq!(thought["crew"]["timeline"], Value::Null);
}

#[test]
fn simulations_are_limited_and_can_be_stopped() {
    let server = Server::start(&[]);
    let (id, _) = server.open(&json!({"game": "othello"}));
    let path = |what: &str| format!("/api/sessions/{id}/{what}");
    let refused = |body: Value, word: &str| {
        let answer = server.post(&path("simulate"), &body);
        let failure = answer.json();
        assert!(failure["error"]["message"].to_string().contains(word), "{body}: {failure}");
        assert_eq!(answer.status, 400);
    };
    refused(json!({"processors": 65, "wait": true}), "1 to 64");
    refused(json!({"processors": 0, "wait": true}), "1 to 64");
    refused(json!({"policy": "abdada", "wait": true}), "common memory");
    refused(json!({"policy": "ybcw", "wait": true}), "no policy");
    refused(json!({"network": "cray", "wait": true}), "no network");
    refused(json!({"network": "transputer", "processors": 12, "wait": true}), "power of two");
    refused(json!({"options": "engine=dfpn", "wait": true}), "not simulated");
    refused(json!({"options": "tt-size=2", "wait": true}), "set `entries`");
    refused(json!({"depth": 21, "wait": true}), "1 to 20");
    let slow = server.post(&path("simulate"), &json!({"depth": 20, "time": 300, "wait": true}));
    assert_eq!((slow.status, slow.code()), (409, "unfinished".to_string()));
    let mut listener = Listener::new(&server, &id);
    server.post(&path("simulate"), &json!({"depth": 20, "time": 50_000}));
    assert_eq!(listener.until("simulating")["processors"], 1);
    server.post(&path("stop"), &json!({}));
    assert_eq!(listener.until("failed")["error"]["code"], "stopped");
    // The session lives on, and finds a depth by itself.
    let run = server.post(&path("simulate"), &json!({"processors": 2, "wait": true})).json();
    assert!(run["depth"].as_u64().is_some_and(|depth| depth >= 3), "{run}");
    let (puzzle, _) = server.open(&json!({"game": "hanoi"}));
    let answer = server.post(&format!("/api/sessions/{puzzle}/simulate"), &json!({"wait": true}));
    assert_eq!(answer.status, 400);
}

#[test]
fn a_tree_of_several_workers_says_who_looked_at_what() {
    let server = Server::start(&[]);
    let (id, _) = server.open(&json!({"game": "connect-4"}));
    let path = format!("/api/sessions/{id}/tree");
    let alone = server.post(&path, &json!({"depth": 5, "options": "depth-exact"})).json();
    assert_eq!((&alone["workers"], &alone["node"]["shares"]), (&json!(1), &Value::Null));
    let tree = server.post(&path, &json!({"depth": 5, "processors": 4, "policy": "ybwc"})).json();
    assert_eq!((&tree["workers"], &tree["complete"]), (&json!(4), &json!(true)));
    assert_eq!(
        (&tree["node"]["low"], &tree["node"]["high"]),
        (&alone["node"]["low"], &alone["node"]["high"])
    );
    let shares = |node: &Value| -> Vec<(u64, u64)> {
        serde_json::from_value(node["shares"].clone()).unwrap_or_else(|_| panic!("{node}"))
    };
    let all = shares(&tree["node"]);
    assert_eq!(all.iter().map(|(worker, _)| *worker).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(all.iter().map(|(_, nodes)| *nodes).sum::<u64>(), tree["node"]["nodes"].as_u64().unwrap());
    // Parent and children agree all the way down, and some children were looked at by others than their
    // parent.
    let (mut open, mut handed_over, mut seen) = (vec![tree["node"]["id"].clone()], 0, 0);
    while let Some(number) = open.pop() {
        let answer = server.get(&format!("{path}/{number}")).json();
        let (node, children) = (&answer["node"], answer["children"].as_array().expect("children"));
        let below: u64 = children.iter().map(|child| child["nodes"].as_u64().unwrap()).sum();
        assert_eq!(node["nodes"].as_u64(), Some(below + 1), "{answer}");
        for child in children {
            assert!(child["move"].is_string(), "{child}");
            handed_over += usize::from(child["worker"] != node["worker"]);
            seen += 1;
            if child["ply"].as_u64() <= Some(2) {
                open.push(child["id"].clone());
            }
        }
    }
    assert!(handed_over > 3 && seen > 40, "{handed_over} of {seen}");
    let answer = server.post(&path, &json!({"depth": 3, "policy": "ybwc"}));
    assert_eq!(answer.status, 400, "{}", answer.json());
}
