//! Parallel search as users meet it: threads, policies, and the simulator.

use std::process::{Command, Output};

fn multigame(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_multigame")).args(arguments).output().expect("the program runs")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&stdout(&multigame(arguments))).expect("it is JSON")
}

#[test]
fn threads_find_what_one_thread_finds() {
    let search = |more: &[&str]| {
        let base = ["search", "othello", "--depth", "6", "--options", "depth-exact", "--json"];
        json(&[&base[..], more].concat())
    };
    let alone = search(&[]);
    assert!(alone["threads"].is_null());
    for policy in ["ybwc-1-2*", "jamboree", "lazy-smp", "abdada"] {
        let several = search(&["--threads", "2", "--policy", policy]);
        assert_eq!(several["number"], alone["number"], "{policy}");
        assert_eq!(several["threads"]["policy"], policy);
        assert_eq!(several["threads"]["each"].as_array().map(Vec::len), Some(2));
    }
}

#[test]
fn the_simulator_writes_tables_and_pictures() {
    let folder = std::env::temp_dir().join(format!("multigame-simulate-{}", std::process::id()));
    let (csv, trace) = (folder.join("table.csv"), folder.join("trace.json"));
    std::fs::create_dir_all(&folder).unwrap();
    let arguments = [
        "simulate",
        "random-tree",
        "--tree",
        "width=6,height=8",
        "--depth",
        "4",
        "--processors",
        "1,2,8,16",
        "--network",
        "transputer",
        "--json",
        "--csv",
        csv.to_str().unwrap(),
        "--svg",
        folder.to_str().unwrap(),
        "--trace",
        trace.to_str().unwrap(),
    ];
    let first = json(&arguments);
    assert_eq!(first, json(&arguments), "the same seed is the same run");
    let rows = first["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[0]["speedup"], 1.0);
    assert!(rows[3]["speedup"].as_f64().unwrap() > rows[0]["speedup"].as_f64().unwrap());
    assert!(rows.iter().all(|row| row["value"] == rows[0]["value"]));
    assert!(first["fit"]["r"].as_f64().unwrap() > 0.9);
    assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), 5);
    for picture in ["speedup.svg", "overheads.svg", "profile.svg", "timeline.svg"] {
        assert!(std::fs::read_to_string(folder.join(picture)).unwrap().contains("</svg>"), "{picture}");
    }
    let trace: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&trace).unwrap()).unwrap();
    assert!(!trace["traceEvents"].as_array().unwrap().is_empty());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn wrong_wishes_are_explained() {
    for (arguments, wanted) in [
        (&["search", "othello", "--policy", "ybcw"][..], "known are ybwc"),
        (&["search", "othello", "--threads", "0"], "not in 1..=256"),
        (&["search", "othello", "--threads", "2", "--engine", "mcts"], "searches on one thread"),
        (&["search", "othello", "--threads", "2", "--policy", "tds", "--depth", "2"], "use `ybwc`"),
        (&["simulate", "othello", "--policy", "lazy-smp"], "--threads N --policy lazy-smp"),
        (&["simulate", "othello", "--network", "cray"], "known are ideal"),
        (&["simulate", "othello", "--network", "transputer", "--processors", "24"], "power of two"),
        (&["simulate", "15-puzzle"], "is a puzzle"),
        (&["simulate", "othello", "--tree", "width=3"], "random-tree"),
        (&["simulate", "random-tree", "--tree", "wide=3"], "it has width"),
    ] {
        let output = multigame(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && stderr.contains(wanted), "{arguments:?}: {stderr}");
    }
}
