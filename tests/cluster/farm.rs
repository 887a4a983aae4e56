//! Work that is farmed out to ranks: the same results in the same order as in one process.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::job::{PROGRAM, json, many, one_process, run, stdout};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("multigame-farm-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The lines of a log without what is different each time: times and the checksums of lines.
fn games(log: &str) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(log).unwrap();
    let lines = text.lines().map(|line| {
        let mut line = json(line);
        let fields = line.as_object_mut().unwrap();
        ["seconds", "sum"].iter().for_each(|name| drop(fields.remove(*name)));
        line
    });
    lines.collect()
}

const MATCH: [&str; 5] = ["match", "nodes=400,name=a", "nodes=200,lmr=off,name=b", "--game", "connect-4"];

#[test]
fn a_match_is_the_same_on_any_number_of_ranks() {
    let folder = Folder::new("match");
    let logged = |name: &str| folder.file(name);
    let (alone, several, pieces) = (logged("alone"), logged("several"), logged("pieces"));
    let with = |games: &'static str, log: &str| -> Vec<String> {
        MATCH.iter().chain(&["--games", games, "--log", log]).map(|it| it.to_string()).collect()
    };
    let text = |arguments: &[String]| -> String {
        one_process(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let on = |ranks: u32, arguments: &[String]| -> String {
        stdout(&run(ranks, &arguments.iter().map(String::as_str).collect::<Vec<_>>()))
    };
    let expected = text(&with("10", &alone));
    assert_eq!(expected.lines().filter(|line| line.starts_with("game ")).count(), 10, "{expected}");
    assert_eq!(on(many(3), &with("10", &several)), expected);
    assert_eq!(games(&several), games(&alone));
    // Goes on with more ranks, and then with none.
    on(2, &with("2", &pieces));
    on(many(3), &with("6", &pieces));
    text(&with("10", &pieces));
    assert_eq!(games(&pieces), games(&alone));
}

/// What a player's files say reaches all ranks.
#[test]
fn files_of_players_travel() {
    let folder = Folder::new("files");
    let weights = folder.file("weights.toml");
    std::fs::write(&weights, include_str!("../../games/breakthrough/weights.toml")).unwrap();
    let first = format!("weights={weights},name=a");
    let game =
        ["match", &first, "lmr=off,name=b", "--game", "breakthrough", "--nodes", "200", "--games", "4"];
    assert_eq!(stdout(&run(2, &game)), one_process(&game));
    let missing = ["match", "weights=/no/such/file", "default", "--game", "breakthrough", "--games", "2"];
    let output = run(2, &missing);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert_eq!(message.matches("cannot read `/no/such/file`").count(), 1, "{message}");
}

/// Games to learn from, and those that prove what was learned, are played by all ranks; what is learned is the
/// same, and a run that was begun on some ranks goes on with others.
#[test]
fn what_is_learned_does_not_depend_on_the_ranks() {
    let folder = Folder::new("learn");
    let file = |name: &str| folder.file(name);
    let learn =
        |game: &'static str, kind: &[&'static str], rounds: &'static str, output: &str, state: &str| {
            let fixed =
                ["learn", game, "--games", "12", "--depth", "2", "--match-games", "8", "--match-nodes", "60"];
            let files = ["--rounds", rounds, "--output", output, "--state", state];
            fixed.iter().chain(kind).chain(&files).map(|it| it.to_string()).collect::<Vec<String>>()
        };
    let args = |arguments: &[String]| arguments.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
    let played = |ranks: Option<u32>, arguments: &[String]| {
        let text = args(arguments);
        let list: Vec<&str> = text.lines().collect();
        let output = match ranks {
            None => Command::new(PROGRAM).args(&list).output().unwrap(),
            Some(ranks) => run(ranks, &list),
        };
        // A match of so few games proves nothing, and says so.
        String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect::<Vec<_>>()
    };
    for (game, kind) in [("breakthrough", &["--network", "16"][..]), ("hexxagon", &["--patterns", "3"])] {
        let [one, many_state, pieces] = ["one", "many", "pieces"].map(|name| file(&format!("{game}-{name}")));
        let output = file("output");
        let expected = played(None, &learn(game, kind, "2", &output, &one));
        assert!(expected.iter().any(|line| line.starts_with("match, new against old")), "{expected:?}");
        assert_eq!(played(Some(many(3)), &learn(game, kind, "2", &output, &many_state)), expected);
        let begun = played(Some(2), &learn(game, kind, "1", &output, &pieces));
        assert_eq!(begun[0], expected[0]);
        assert_eq!(played(Some(many(3)), &learn(game, kind, "2", &output, &pieces)), expected);
    }
}

#[test]
fn an_analysis_is_the_same_on_any_number_of_ranks() {
    let analysis = [
        "analyze",
        "connect-4",
        "--games",
        "10",
        "--selfplay",
        "8",
        "--depth",
        "2",
        "--doublings",
        "1",
        "--match-games",
        "6",
        "--nodes",
        "80",
        "--json",
    ];
    let expected = json(&one_process(&analysis));
    assert_eq!(expected["levels"].as_array().unwrap().len(), 2);
    assert_eq!(json(&stdout(&run(many(3), &analysis))), expected);
}

const PUZZLE: &str = r#"players = 1 dimensions (3, 3) no moves = error
    pieces { t1 '1' t2 '2' t3 '3' t4 '4' t5 '5' t6 '6' t7 '7' t8 '8' }
    setup { "867" "254" "3.1" }
    abstractions { a : t1, t2, t3, t4 b : t5, t6, t7 c : t8 d : t1, t8 }
    main = find empty field, orthogonal, step, pick up, step backward, put down.
    goal = match (empty field, t1, t2, t3, t4, t5, t6, t7, t8)."#;

#[test]
fn tables_are_the_same_from_any_number_of_ranks() {
    let folder = Folder::new("tables");
    let (rules, alone, several) = (folder.file("puzzle.mg"), folder.file("alone"), folder.file("several"));
    std::fs::write(&rules, PUZZLE).unwrap();
    let lines = |text: String| -> Vec<String> {
        let before_time = |line: &str| line.split("  time").next().unwrap_or_default().to_string();
        text.lines().filter(|line| line.contains("entries")).map(before_time).collect()
    };
    let expected = lines(one_process(&["tables", &rules, "--output", &alone]));
    assert_eq!(expected.len(), 4);
    let bytes = std::fs::read(&alone).unwrap();
    let made = ["tables", &rules, "--threads", "2", "--output", &several];
    for text in [one_process(&made), stdout(&run(2, &made)), stdout(&run(many(3), &made))] {
        assert_eq!(lines(text), expected);
    }
    assert!(std::fs::read(&several).unwrap() == bytes);
}

/// A program runs on the rank that plays the game, as a program by itself.
#[test]
fn programs_run_on_the_ranks_that_play() {
    let folder = Folder::new("programs");
    let (script, parents) = (folder.file("engine"), folder.file("parents"));
    let text = format!("#!/bin/sh\necho $PPID >> {parents}\nexec {PROGRAM} uci tic-tac-toe\n");
    std::fs::write(&script, text).unwrap();
    make_executable(Path::new(&script));
    let engine = format!("uci:{script}");
    let game = ["match", &engine, "random", "--game", "tic-tac-toe", "--depth", "2", "--games", "6"];
    let said = stdout(&run(2, &game));
    assert!(said.lines().filter(|line| line.starts_with("game ")).count() == 6, "{said}");
    assert!(!said.contains("crashed") && !said.contains("hung"), "{said}");
    let parents = std::fs::read_to_string(&parents).unwrap();
    let parents: HashSet<&str> = parents.lines().collect();
    assert_eq!(parents.len(), 2, "each rank has started the program");
}

fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Simulations of a search on different machines are shared out, with or without rules, and say the same.
#[test]
fn simulations_are_the_same_on_any_number_of_ranks() {
    let folder = Folder::new("simulations");
    let tree = ["simulate", "random-tree", "--tree", "width=4,height=8", "--depth", "6"];
    let puzzle =
        ["simulate", "15-puzzle", "--position", crate::PUZZLE, "--policy", "tds", "--processors", "1,3"];
    let searches = [
        vec!["simulate", "othello", "--depth", "4", "--processors", "1,4,8", "--json"],
        [&tree[..], &["--processors", "4,2"]].concat(),
        puzzle.to_vec(),
    ];
    for (number, search) in searches.iter().enumerate() {
        let traced = |name: &str| folder.file(&format!("{name}-{number}"));
        let (alone, several) = (traced("alone"), traced("several"));
        let expected = one_process(&[&search[..], &["--trace", &alone]].concat());
        let output = run(2 + number as u32 % 2, &[&search[..], &["--trace", &several]].concat());
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(stdout(&output), expected);
        assert!(std::fs::read(&several).unwrap() == std::fs::read(&alone).unwrap());
    }
}

/// The rows of an experiment are measured by all ranks and kept in the order of one process.
#[test]
fn an_experiment_is_the_same_on_any_number_of_ranks() {
    let folder = Folder::new("experiment");
    let [alone, several] = ["alone", "several"].map(|name| folder.file(name));
    let rows = |results: &str| -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(format!("{results}/{EXPERIMENT}.jsonl")).unwrap();
        let rows = text.lines().map(|line| {
            let mut row = json(line);
            row["taken"] = 0.into();
            row
        });
        rows.collect()
    };
    let command = ["experiment", "run", EXPERIMENT, "--quick", "--results"];
    one_process(&[&command[..], &[&alone]].concat());
    let output = run(2, &[&command[..], &[&several]].concat());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(rows(&alone).len() > 3);
    assert_eq!(rows(&several), rows(&alone));
    // Known measurements are not repeated, on any number of ranks.
    assert!(stdout(&run(2, &[&command[..], &[&alone]].concat())).contains(": 0 runs in"));
}

/// Its quick size takes a moment.
const EXPERIMENT: &str = "thesis-othello";
