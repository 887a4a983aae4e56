//! `multigame learn` and `analyze` as a user runs them.

use std::path::PathBuf;
use std::process::{Command, Output};

/// The weights say nothing about what matters here: getting ahead and taking men.
const RULES: &str = "\
dimensions (4, 5)
no moves = loss

pieces { man 'A' 'B' }

setup {
    \"BBBB\"
    \"....\"
    \"....\"
    \"....\"
    \"AAAA\"
}

main =
    find own man,
    pick up,
    either [ north, step, points at empty field ]
    or [ either northwest or northeast, step, points at opponent's man ],
    put down,
    irreversible,
    try [ assert (row == 5), win ].

evaluation {
    material { man 1 }
    ahead -30 : count [ find own man, assert (row >= 3) ]
}
";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("multigame-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("rules.mg"), RULES).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn multigame(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_multigame")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn wrong_weights_are_tuned_proved_and_used() {
    let folder = Folder::new("learn");
    let (rules, state) = (folder.file("rules.mg"), folder.file("state.jsonl"));
    let learn = |more: &[&str]| {
        let mut arguments = vec![
            "learn",
            &rules,
            "--games",
            "120",
            "--rounds",
            "1",
            "--depth",
            "2",
            "--plies",
            "3",
            "--pull",
            "0.001",
            "--match-nodes",
            "60",
            "--concurrency",
            "2",
            "--state",
            &state,
        ];
        arguments.extend_from_slice(more);
        multigame(&arguments)
    };
    let output = learn(&[]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert!(said.contains("round 1: 120 games") && said.contains("written to"), "{said}");
    let weights = std::fs::read_to_string(folder.file("weights.toml")).unwrap();
    assert!(weights.contains("provenance = \"multigame learn: 120 games"), "{weights}");
    assert!(weights.contains("beats what was before by +"), "{weights}");
    // The file beside the rules is used from now on, so the kept games belong to other weights.
    let refused = learn(&[]);
    assert!(text(&refused.stderr).contains("belongs to other rules, weights or options"));
    // With the rules' own weights the kept games are used again: nothing is played twice.
    let kept = std::fs::read_to_string(&state).unwrap();
    let again =
        learn(&["--weights-file", "rules", "--match-games", "0", "--output", &folder.file("again.toml")]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert_eq!(std::fs::read_to_string(&state).unwrap(), kept);
    let numbers =
        |text: &str| text.lines().filter(|line| line.contains(" = ") && !line.contains('"')).count();
    let other = std::fs::read_to_string(folder.file("again.toml")).unwrap();
    assert!(other.contains("not proved by a match"), "{other}");
    assert_eq!(numbers(&other), numbers(&weights));
}

#[test]
fn weights_are_learned_from_positions_that_somebody_has_judged() {
    let folder = Folder::new("judged");
    // Being ahead wins, and more men do.
    let positions = [
        ("BBBB/..../..A./..../AAA. w", 0.9),
        ("BBBB/..../..../..../AAA. b", 0.2),
        ("BBB./..B./..../..../AAAA w", 0.4),
        ("BBBB/..../.AA./..../AA.. b", 0.95),
        (".BBB/..../..../B.../AAAA w", 0.1),
    ];
    let lines: String = positions.map(|(position, score)| format!("{position} | {score}\n")).concat();
    std::fs::write(folder.file("judged.txt"), lines).unwrap();
    let rules = folder.file("rules.mg");
    let learn = |judged: &str, more: &[&str]| {
        let output = folder.file("weights.toml");
        let known = [
            "learn",
            &rules,
            "--judged",
            judged,
            "--output",
            &output,
            "--match-games",
            "0",
            "--pull",
            "0.001",
        ];
        multigame(&[&known[..], more].concat())
    };
    let done = learn(&folder.file("judged.txt"), &[]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stdout).contains("5 positions"), "{}", text(&done.stdout));
    let weights = std::fs::read_to_string(folder.file("weights.toml")).unwrap();
    assert!(weights.contains("5 judged positions") && weights.contains("not proved"), "{weights}");
    let ahead = weights.lines().find_map(|line| line.strip_prefix("ahead = ")).expect("it was learned");
    assert!(ahead.parse::<i32>().unwrap() > 0, "{weights}");

    std::fs::write(folder.file("wrong.txt"), "BBBB/..../..../..../AAAA w 0.5\n").unwrap();
    let refused = learn(&folder.file("wrong.txt"), &[]);
    assert!(!refused.status.success() && text(&refused.stderr).contains("line 1 is wrong"));
    let missing = learn(&folder.file("nothing.txt"), &[]);
    assert!(!missing.status.success() && text(&missing.stderr).contains("cannot read"));
    let both = learn(&folder.file("judged.txt"), &["--games", "3"]);
    assert!(text(&both.stderr).contains("cannot be used with"), "{}", text(&both.stderr));
}

#[test]
fn what_cannot_be_learned_is_refused() {
    let folder = Folder::new("refuse");
    let rules = folder.file("rules.mg");
    for (arguments, message) in [
        (&["learn", "hexxagon", "--output", "x.toml"][..], "the rules have no `evaluation` to tune"),
        (&["learn", "hanoi", "--output", "x.toml"], "puzzles have no opponent"),
        (&["learn", &rules, "--lambda", "2"], "is not between 0 and 1"),
        (&["learn", "breakthrough"], "`--output FILE`"),
        (&["learn", &rules, "--evaluation", "best"], "no evaluation `best`"),
    ] {
        let output = multigame(arguments);
        let said = text(&output.stderr);
        assert!(!output.status.success() && said.contains(message), "{arguments:?}: {said}");
    }
}

#[test]
fn an_analysis_is_text_json_and_a_page() {
    let folder = Folder::new("analyze");
    let (rules, page) = (folder.file("rules.mg"), folder.file("page.html"));
    let common =
        ["--games", "30", "--selfplay", "4", "--depth", "2", "--doublings", "1", "--match-games", "2"];
    let run = |more: &[&str]| {
        let mut arguments = vec!["analyze", rules.as_str()];
        arguments.extend_from_slice(&common);
        arguments.extend_from_slice(more);
        let output = multigame(&arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let said = run(&["--html", &page]);
    assert!(said.contains("depth 2") && said.contains("twice the nodes"), "{said}");
    assert!(std::fs::read_to_string(&page).unwrap().contains("<svg"));
    let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    assert_eq!(json["random"]["games"], 30);
    assert_eq!(json["unused"], serde_json::json!([]));
    assert!(said.contains("every part of the rules was used"), "{said}");
    // A rule that nothing can make true, and one that only the evaluation uses.
    let rules_text = RULES.replace(
        "    try [ assert (row == 5), win ].",
        "    try [ assert (row == 6), draw ],\n    try [ assert (row == 5), win ].",
    );
    let rules_text = rules_text.replace("count [ find own man, assert (row >= 3) ]", "count [ forward ]");
    std::fs::write(&rules, rules_text + "\nforward = find own man, assert (row >= 3).\n").unwrap();
    let said = run(&["--html", &page]);
    assert!(said.contains("`main`: never had a result: assert (row == 6)"), "{said}");
    assert!(said.contains("1 parts of the rules never had a result"), "{said}");
    assert!(std::fs::read_to_string(&page).unwrap().contains("assert (row == 6)"));
    let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    assert_eq!(json["unused"].as_array().unwrap().len(), 1);
    assert!(json["unused"][0]["tried"].as_u64().unwrap() > 100);
    let puzzle = multigame(&["analyze", "hanoi"]);
    assert!(text(&puzzle.stderr).contains("a puzzle has no opponent"));
}

#[test]
fn patterns_are_learned_and_used() {
    let folder = Folder::new("patterns");
    let (rules, file) = (folder.file("rules.mg"), folder.file("patterns.json"));
    let output = multigame(&[
        "learn",
        &rules,
        "--patterns",
        "12",
        "--evaluation",
        "material",
        "--games",
        "150",
        "--rounds",
        "1",
        "--depth",
        "2",
        "--plies",
        "3",
        "--match-games",
        "0",
        "--concurrency",
        "2",
        "--output",
        &file,
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("12 patterns, loss"), "{}", text(&output.stdout));
    let played = multigame(&[
        "match",
        &format!("patterns={file},depth=2,evaluation=material"),
        "depth=2,evaluation=material",
        "--game",
        &rules,
        "--games",
        "60",
        "--json",
    ]);
    assert!(played.status.success(), "{}", text(&played.stderr));
    let result: serde_json::Value = serde_json::from_str(&text(&played.stdout)).unwrap();
    assert!(result["score"].as_f64().unwrap() > 0.5, "{result}");
    let other = multigame(&["search", "tic-tac-toe", "--depth", "1", "--patterns", &file]);
    assert!(text(&other.stderr).contains("learn again with these rules"), "{}", text(&other.stderr));
    let nowhere = multigame(&["learn", "tic-tac-toe", "--patterns", "3"]);
    assert!(text(&nowhere.stderr).contains("`--output FILE`"));

    // They stand beside the rules, so they are part of the usual evaluation, and of no other.
    let shown = |more: &[&str]| {
        let output = multigame(&[&["evaluate", &rules], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert!(shown(&[]).contains("patterns"));
    assert!(!shown(&["--evaluation", "material"]).contains("patterns"));
    assert!(!shown(&["--weights-file", "rules"]).contains("patterns"));
    std::fs::write(&file, r#"{"game":"x","provenance":"","patterns":[{"fields":["z9"],"table":[]}]}"#)
        .unwrap();
    let broken = multigame(&["search", &rules, "--depth", "1"]);
    assert!(!broken.status.success());
    assert!(text(&broken.stderr).contains("bad-patterns"), "{}", text(&broken.stderr));
    assert!(text(&broken.stderr).contains("no field `z9`"), "{}", text(&broken.stderr));
    std::fs::write(&file, r#"{"game":"x","provenance":"","patterns":[{"fields":["a1"],"table":[1]}]}"#)
        .unwrap();
    let unfit = multigame(&["search", &rules, "--depth", "1"]);
    assert!(text(&unfit.stderr).contains("does not fit the pieces"), "{}", text(&unfit.stderr));
}

#[test]
fn a_network_is_learned_proved_and_used() {
    let folder = Folder::new("network");
    let (rules, state) = (folder.file("rules.mg"), folder.file("state.jsonl"));
    let learn = |more: &[&str]| {
        let known = [
            "learn",
            &rules,
            "--network",
            "16",
            "--games",
            "800",
            "--rounds",
            "2",
            "--depth",
            "2",
            "--plies",
            "3",
            "--match-nodes",
            "60",
            "--concurrency",
            "2",
            "--state",
            &state,
        ];
        multigame(&[&known[..], more].concat())
    };
    let output = learn(&[]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{said}{}", text(&output.stderr));
    assert!(said.contains("round 2: 1600 games") && said.contains("it is used from now on"), "{said}");
    let file = std::fs::read_to_string(folder.file("network.json")).unwrap();
    assert!(file.contains("\"provenance\": \"multigame learn: 1600 games"), "{file}");
    assert!(file.contains("beats what was before by +"), "{file}");

    // It stands beside the rules, so it is part of the usual evaluation, and of no other.
    let shown = |more: &[&str]| {
        let output = multigame(&[&["evaluate", &rules], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert!(shown(&[]).contains("network"));
    assert!(!shown(&["--evaluation", "main"]).contains("network"));
    assert!(!shown(&["--weights-file", "rules"]).contains("network"));
    // Machine code and interpreter see the same.
    assert_eq!(shown(&["--backend", "interp"]), shown(&[]));
    // It was learned on top of the present weights.
    let weights = multigame(&["learn", &rules, "--games", "1", "--match-games", "0"]);
    assert!(text(&weights.stderr).contains("move `network.json`"), "{}", text(&weights.stderr));
    // The same network in another file, for whoever asks for it.
    std::fs::rename(folder.file("network.json"), folder.file("other.json")).unwrap();
    assert!(!shown(&[]).contains("network"));
    let other = folder.file("other.json");
    let played = multigame(&[
        "match",
        &format!("network={other},nodes=60"),
        "nodes=60",
        "--game",
        &rules,
        "--games",
        "60",
        "--json",
    ]);
    assert!(played.status.success(), "{}", text(&played.stderr));
    let result: serde_json::Value = serde_json::from_str(&text(&played.stdout)).unwrap();
    assert!(result["score"].as_f64().unwrap() > 0.5, "{result}");

    let unfit = multigame(&["search", "tic-tac-toe", "--depth", "1", "--network", &other]);
    assert!(text(&unfit.stderr).contains("learn again with these rules"), "{}", text(&unfit.stderr));
    let changed = file.replace("\"hidden\": 16", "\"hidden\": 32");
    std::fs::write(folder.file("network.json"), changed).unwrap();
    let broken = multigame(&["search", &rules, "--depth", "1"]);
    assert!(text(&broken.stderr).contains("its checksum does not fit"), "{}", text(&broken.stderr));
    // Without the checksum, which tells of any change, the content is looked at.
    let file = format!("{}}}", &file[..file.rfind(",\"sum\"").unwrap()]);
    let damaged = file.replace("\"weights\": \"", "\"weights\": \"!");
    std::fs::write(folder.file("network.json"), damaged).unwrap();
    let broken = multigame(&["search", &rules, "--depth", "1"]);
    assert!(text(&broken.stderr).contains("bad-network"), "{}", text(&broken.stderr));
    assert!(text(&broken.stderr).contains("are damaged"), "{}", text(&broken.stderr));
    let huge = file.replace("\"hidden\": 16", "\"hidden\": 9000000000000000000");
    std::fs::write(folder.file("network.json"), huge).unwrap();
    let broken = multigame(&["search", &rules, "--depth", "1"]);
    assert!(text(&broken.stderr).contains("is none of [16, 32"), "{}", text(&broken.stderr));
    let size = multigame(&["learn", &rules, "--network", "17"]);
    assert!(text(&size.stderr).contains("one of the sizes"), "{}", text(&size.stderr));
}

#[test]
fn a_network_is_learned_from_judged_positions() {
    let folder = Folder::new("judged-network");
    let positions = [("BBBB/..../..A./..../AAA. w", 0.9), (".BBB/..../..../B.../AAAA w", 0.1)];
    let lines: String = positions.map(|(position, score)| format!("{position} | {score}\n")).concat();
    std::fs::write(folder.file("judged.txt"), lines.repeat(400)).unwrap();
    let (rules, judged) = (folder.file("rules.mg"), folder.file("judged.txt"));
    let known = ["learn", &rules, "--network", "16", "--judged", &judged, "--match-games", "0"];
    let done = multigame(&known);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stdout).contains("1600 positions"), "{}", text(&done.stdout));
    let value = |position: &str| {
        let output = multigame(&["evaluate", &rules, "--position", position, "--json"]);
        let json: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
        json["value"].as_i64().unwrap()
    };
    // So few games prove nothing, by time as little as by nodes.
    let other = folder.file("other.json");
    let timed = ["learn", &rules, "--network", "16", "--judged", &judged, "--output", &other];
    let timed = multigame(&[&timed[..], &["--match-games", "2", "--match-time", "2ms"]].concat());
    assert!(text(&timed.stdout).contains("match, new against old: "), "{}", text(&timed.stderr));
    assert!(text(&timed.stderr).contains("did not prove") && !std::path::Path::new(&other).exists());
    // The rules think that being ahead is bad; the network has been told better.
    assert!(value(positions[0].0) > 20 && value(positions[1].0) < -20);
}
