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
fn perft_and_solve_give_the_same_on_threads() {
    let both = |arguments: &[&str]| {
        let alone = stdout(&multigame(arguments));
        (alone, stdout(&multigame(&[arguments, &["--threads", "2"]].concat())))
    };
    let (alone, several) = both(&["perft", "othello", "5", "--divide"]);
    assert_eq!(alone, several);
    let first = |text: &str| text.lines().next().unwrap_or_default().to_string();
    for arguments in [&["solve", "tic-tac-toe"][..], &["solve", "hanoi", "--set", "discs=4"]] {
        let (alone, several) = both(arguments);
        assert_eq!(first(&alone), first(&several), "{arguments:?}");
    }
    let note = multigame(&["perft", "othello", "3", "--threads", "256"]);
    assert!(String::from_utf8_lossy(&note.stderr).contains("256 threads share"));
    assert!(note.status.success());
}

#[test]
fn engines_that_share_proofs_trees_and_positions_say_what_one_thread_says() {
    let small = ["connect-4", "--set", "columns=4", "--set", "rows=4"];
    let solve = [&["solve"], &small[..], &["--engine", "dfpn", "--json"]].concat();
    let (alone, several) = (json(&solve), json(&[&solve[..], &["--threads", "2"]].concat()));
    assert!(!alone["result"].is_null() && alone["result"] == several["result"]);
    let hanoi = ["solve", "hanoi", "--set", "discs=6", "--engine", "astar"];
    let (alone, several) = (multigame(&hanoi), multigame(&[&hanoi[..], &["--threads", "3"]].concat()));
    let first = |output: &Output| stdout(output).lines().next().unwrap_or_default().to_string();
    assert_eq!(first(&alone), "solved in 63 moves");
    assert_eq!(first(&alone), first(&several));
    let search =
        ["search", "tic-tac-toe", "--engine", "mcts", "--nodes", "200000", "--threads", "2", "--json"];
    let found = json(&search);
    assert_eq!(found["threads"]["each"].as_array().map(Vec::len), Some(2));
    assert!(found["threads"]["policy"].is_null());
    let text = stdout(&multigame(&[
        "search",
        "othello",
        "--engine",
        "mcts",
        "--nodes",
        "2000",
        "--threads",
        "2",
        "--stats",
    ]));
    assert!(text.contains("thread 1") && text.contains("load") && !text.contains("policy"), "{text}");
}

#[test]
fn a_trace_of_a_real_run_can_be_opened_by_perfetto() {
    let file = std::env::temp_dir().join(format!("multigame-trace-{}.json", std::process::id()));
    let arguments =
        ["search", "othello", "--depth", "7", "--threads", "2", "--trace", file.to_str().unwrap()];
    stdout(&multigame(&arguments));
    let trace: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    for thread in 0..2 {
        assert!(events.iter().any(|event| event["tid"] == thread && event["dur"].as_f64() > Some(0.0)));
    }
    std::fs::remove_file(&file).unwrap();
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_all_threads_within_a_tenth_of_a_second() {
    let once = || {
        let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
            .args(["search", "othello", "--threads", "4", "--time", "60"])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the program runs");
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let told = std::time::Instant::now();
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("there is `kill`").success());
        child.wait().expect("it ends");
        let late = told.elapsed();
        let output = child.wait_with_output().expect("it has ended");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("\nbest "), "what has been found is told: {text}");
        late
    };
    // The machine may be busy with other things, but not all the time.
    let late = (0..5).map(|_| once()).find(|late| late.as_millis() < 100);
    assert!(late.is_some(), "it takes longer each time");
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
fn the_simulator_can_give_jobs_from_the_principal_variation_last() {
    let usual = ["simulate", "random-tree", "--tree", "width=8,height=8,noise=60,seed=5"];
    let usual = [&usual[..], &["--depth", "6", "--grain", "0", "--processors", "8", "--json"]].concat();
    let first = json(&usual);
    let last = json(&[&usual[..], &["--line-last"]].concat());
    assert_eq!(first["rows"][0]["value"], last["rows"][0]["value"]);
    assert_ne!(first["rows"][0]["jobs"], last["rows"][0]["jobs"]);
}

#[test]
fn simulated_processors_can_be_lost_and_positions_can_travel() {
    let usual = ["simulate", "othello", "--depth", "4", "--processors", "16"];
    let rows = |more: &[&str]| json(&[&usual[..], more, &["--json"]].concat());
    let plain = rows(&[]);
    let lost = rows(&["--lose", "12:0.0005", "--patience", "50"]);
    let travelling = rows(&["--policy", "tds", "--order", "last", "--combine", "4", "--grain", "0"]);
    for other in [&lost, &travelling] {
        assert_eq!(other["rows"][0]["value"], plain["rows"][0]["value"]);
        assert_ne!(other["rows"][0]["seconds"], plain["rows"][0]["seconds"]);
    }
    let kinds: Vec<&str> =
        travelling["traffic"].as_array().unwrap().iter().filter_map(|kind| kind["kind"].as_str()).collect();
    assert!(kinds.contains(&"company"), "{kinds:?}");
}

#[test]
fn settings_are_tuned_and_judged_by_other_positions() {
    let output = multigame(&[
        "tune",
        "tic-tac-toe",
        "--machine",
        "transputer",
        "--processors",
        "8",
        "--depth",
        "4",
        "--positions",
        "2",
        "--rounds",
        "1",
    ]);
    let text = stdout(&output);
    assert!(text.contains("policy = \"jamboree\"") && text.contains("new 2"), "{text}");
    assert!(text.contains("on new ones") && text.contains("machine = \"transputer\""), "{text}");
}

#[test]
fn wrong_wishes_are_explained() {
    for (arguments, wanted) in [
        (&["search", "othello", "--policy", "ybcw"][..], "known are ybwc"),
        (&["search", "othello", "--threads", "0"], "not in 1..=256"),
        (&["search", "othello", "--threads", "2", "--engine", "negamax"], "searches on one thread"),
        (&["search", "othello", "--threads", "2", "--policy", "tds", "--depth", "2"], "use `ybwc`"),
        (&["search", "othello", "--trace", "x.json"], "add `--threads 2`"),
        (&["solve", "tic-tac-toe", "--threads", "2", "--engine", "pns"], "searches on one thread"),
        (&["solve", "tic-tac-toe", "--threads", "2", "--engine", "dfpn", "--policy", "abdada"], "`policy`"),
        (&["solve", "pegged", "--verdict", "--threads", "2"], "for two players"),
        (&["solve", "15-puzzle", "--threads", "2", "--checkpoint", "x"], "leave `--checkpoint`"),
        (&["solve", "15-puzzle", "--threads", "2", "--policy", "ybwc"], "use `stealing`"),
        (&["perft", "othello", "2", "--threads", "0"], "not in 1..=256"),
        (&["simulate", "othello", "--policy", "abdada"], "--threads N --policy abdada"),
        (&["simulate", "othello", "--network", "cray"], "known are ideal"),
        (&["simulate", "othello", "--network", "transputer", "--processors", "24"], "power of two"),
        (&["simulate", "15-puzzle", "--policy", "jamboree"], "for puzzles use `stealing`"),
        (&["simulate", "15-puzzle", "--policy", "windows", "--memory", "hybrid"], "use memory `private`"),
        (&["simulate", "15-puzzle", "--line-last"], "leave it out for a puzzle"),
        (&["simulate", "15-puzzle", "--lose", "1:1"], "leave it out for a puzzle"),
        (&["simulate", "15-puzzle", "--combine", "8"], "use `--policy tds`"),
        (&["simulate", "othello", "--lose", "four"], "use, for example, `4:0.5`"),
        (&["simulate", "othello", "--lose", "4:1", "--processors", "4"], "cannot lose 4"),
        (&["simulate", "othello", "--patience", "5"], "--lose"),
        (&["simulate", "othello", "--order", "left"], "use `--policy tds`"),
        (&["simulate", "othello", "--policy", "tds:relay=on"], "for puzzles"),
        (&["simulate", "othello", "--policy", "tds", "--order", "best"], "left, last or first"),
        (&["simulate", "othello", "--policy", "tds", "--brothers", "mwf"], "use `ybwc`"),
        (&["simulate", "othello", "--policy", "tds", "--memory", "private"], "use memory `partitioned`"),
        (&["simulate", "othello", "--policy", "tds", "--history", "64"], "leave it out"),
        (&["simulate", "othello", "--policy", "tds", "--lose", "1:1"], "use `ybwc-1-2*`"),
        (&["tune", "15-puzzle"], "not a game of two players"),
        (&["tune", "othello", "--machine", "transputer", "--processors", "12"], "power of two"),
        (&["simulate", "othello", "--tree", "width=3"], "random-tree"),
        (&["simulate", "random-tree", "--tree", "wide=3"], "it has width"),
    ] {
        let output = multigame(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && stderr.contains(wanted), "{arguments:?}: {stderr}");
    }
}

#[test]
fn experiments_go_on_where_they_stopped_and_are_reported() {
    let folder = std::env::temp_dir().join(format!("multigame-experiment-{}", std::process::id()));
    let (results, out) = (folder.join("results"), folder.join("report"));
    let (at, to) = (results.to_str().unwrap(), out.to_str().unwrap());
    let run = ["experiment", "run", "multello", "--quick", "--results", at];
    assert!(stdout(&multigame(&run)).starts_with("multello: 6 runs"));
    assert!(stdout(&multigame(&run)).contains("multello: 0 runs"), "everything is known");
    // As if the program had been killed while it wrote its last line.
    let file = results.join("multello.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &text[..text.len() - 10]).unwrap();
    assert!(stdout(&multigame(&run)).contains("multello: 1 runs"));
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 6);
    let report = ["experiment", "report", "multello", "--results", at, "--out", to];
    assert!(stdout(&multigame(&report)).starts_with("6 rows of 1 experiments"));
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("Multello, table 4.2, p. 62") && page.contains("<svg"));
    assert!(
        std::fs::read_to_string(out.join("report.md")).unwrap().contains("pictures/multello-profile.svg")
    );
    assert!(out.join("pictures/multello-profile.svg").exists());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn experiments_are_listed_and_unknown_ones_refused() {
    assert!(stdout(&multigame(&["experiment", "list"])).contains("zugzwang-speedup"));
    let shown = stdout(&multigame(&["experiment", "show", "zugzwang-speedup"]));
    assert!(shown.contains("ZUGZWANG, table 4.3, p. 102") && shown.contains("--document"));
    let unknown = multigame(&["experiment", "run", "zugzwang"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("multigame experiment list"));
}
