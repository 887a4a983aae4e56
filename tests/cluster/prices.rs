//! What a cluster costs: measured, simulated, predicted.

use crate::job::{json, one_process, run, stdout};

#[test]
fn a_measured_machine_can_be_simulated() {
    let file = std::env::temp_dir().join(format!("multigame-machine-{}.toml", std::process::id()));
    let name = file.to_str().unwrap();
    stdout(&run(2, &["cluster", "measure", "--game", "othello", "-o", name]));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# `") && text.contains("A node is one of othello"), "{text}");
    let price = |key: &str| -> u64 {
        let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        line.unwrap_or_else(|| panic!("{key}: {text}")).parse().unwrap()
    };
    assert!((50..1_000_000).contains(&price("node")), "{text}");
    assert!(price("latency") > 0 && price("send") > 0 && price("per-kib") > 0, "{text}");
    let simulate =
        ["simulate", "othello", "--depth", "4", "--processors", "1,4", "--network", name, "--json"];
    let simulated = json(&one_process(&simulate));
    assert_eq!(simulated["rows"].as_array().map(Vec::len), Some(2), "{simulated}");
    std::fs::write(&file, "node = 1").unwrap();
    let wrong = std::process::Command::new(crate::job::PROGRAM).args(simulate).output().unwrap();
    std::fs::remove_file(&file).unwrap();
    let message = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(!wrong.status.success() && message.contains("this is not a machine"), "{message}");
}

/// For puzzles it is also measured how many positions can be sent.
#[test]
fn positions_of_puzzles_are_sent() {
    let text = stdout(&run(2, &["cluster", "measure", "--game", "15-puzzle"]));
    let line = text.lines().find_map(|line| line.strip_prefix("# Positions sent, 64 in a message: "));
    // Beside other programs it can be few: the ranks of tests lend each other the cores.
    let million = line.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    assert!(million.is_some(), "{text}");
}

/// A network that is the same in all tests.
const NETWORK: &str = "node = 1\nsend = 300\nreceive = 300\nlatency = 500\nper-kib = 100\n";

/// The simulation on one processor is the real search, node for node, and takes as long; the real search by
/// two ranks stands beside the simulated one.
#[test]
fn larger_clusters_are_predicted() {
    let file = std::env::temp_dir().join(format!("multigame-network-{}.toml", std::process::id()));
    std::fs::write(&file, NETWORK).unwrap();
    let search = ["othello", "--depth", "11"];
    let many = ["--processes", "4,16", "--runs", "1", "--json"];
    let predict = [&["cluster", "predict"][..], &search, &many].concat();
    let on = ["--machine", file.to_str().unwrap()];
    let given = json(&stdout(&run(2, &[&predict[..], &on].concat())));
    let measured = json(&stdout(&run(2, &predict)));
    std::fs::remove_file(&file).unwrap();
    let alone = json(&one_process(&[&["search"][..], &search, &["--json"]].concat()));
    for found in [&given, &measured] {
        let rows = found["rows"].as_array().unwrap();
        let processes: Vec<u64> = rows.iter().map(|row| row["processes"].as_u64().unwrap()).collect();
        assert_eq!(processes, [1, 2, 4, 16]);
        assert_eq!(rows[0]["nodes"], alone["nodes"]);
        assert!(rows[0]["error_percent"].as_f64().unwrap().abs() < 5.0, "{found}");
        assert!(rows[1]["measured"].as_f64() > Some(0.0) && rows[1]["error_percent"].is_f64(), "{found}");
        assert!(rows[3]["measured"].is_null(), "{found}");
        assert!(found["fit"]["error"].is_f64(), "{found}");
    }
    // How well other programs let messages through decides what a measured network is worth.
    assert!(given["rows"][2]["speedup"].as_f64() > Some(1.5), "{given}");
    assert!(given["fit"]["error"].as_f64() < Some(0.5), "{given}");

    let alone = ["cluster", "predict", "checkers", "--depth", "5"];
    let output = std::process::Command::new(crate::job::PROGRAM).args(alone).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && message.contains("--machine machine.toml"), "{message}");
}
