//! Endgame databases and strong solutions as people make and use them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn multigame(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_multigame")).args(arguments).output().unwrap()
}

/// What a command prints.
fn prints(arguments: &[&str]) -> String {
    let output = multigame(arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Why a command refuses.
fn refused(arguments: &[&str]) -> String {
    let output = multigame(arguments);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// A folder that is gone in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("multigame-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn databases_of_chess_are_planned_made_proved_and_used() {
    let folder = Folder::new("endgames");
    let at = ["--endgames", folder.path()];
    let plan = prints(&["endgame", "plan", "chess", "--slice", "KQK", "--json"]);
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    let names: Vec<_> =
        plan["slices"].as_array().unwrap().iter().map(|slice| slice["slice"].clone()).collect();
    assert_eq!(names, ["K-k", "KQ-k"]);

    let make = [&["endgame", "make", "chess", "--slice", "KQK", "--threads", "2"], &at[..]].concat();
    assert!(prints(&make).contains("2 slices made, 0 were there"));
    assert!(prints(&make).contains("0 slices made, 2 were there"));
    let proved = prints(&[&["endgame", "verify", "chess"], &at[..]].concat());
    assert_eq!(proved.matches("positions proved").count(), 2);
    let statistics = prints(&[&["endgame", "statistics", "chess", "--slice", "KQK"], &at[..]].concat());
    assert!(statistics.contains("white needs at most 20 plies (10 moves) to win"), "{statistics}");

    let plot = folder.0.join("plot.svg");
    let draw =
        ["endgame", "statistics", "chess", "--slice", "KQK", "--json", "--plot", plot.to_str().unwrap()];
    let drawn: serde_json::Value = serde_json::from_str(&prints(&[&draw, &at[..]].concat())).unwrap();
    assert_eq!(drawn[0]["longest"]["white"]["moves"].as_array().unwrap().len(), 20);
    let plot = std::fs::read_to_string(plot).unwrap();
    assert!(plot.starts_with("<svg") && plot.contains("KQ-k, white wins"), "{plot}");

    let mate = "k7/8/1K6/8/8/8/7Q/8 w - - 0 1";
    let probe = prints(&[&["endgame", "probe", "chess", "--position", mate], &at[..]].concat());
    let lines: Vec<&str> = probe.lines().collect();
    assert_eq!(lines[0], "white wins in 1 ply");
    assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>()[1..], ["wins", "in", "1", "ply"]);

    // Nine moves away, which two plies of search do not see.
    let far = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1";
    let search = ["search", "chess", "--position", far, "--depth", "2", "--json"];
    let found = |json: String| -> serde_json::Value { serde_json::from_str(&json).unwrap() };
    assert_eq!(found(prints(&search))["proved"], false);
    let known = found(prints(&[&search[..], &at[..]].concat()));
    assert_eq!(known["proved"], true);
    assert!(known["statistics"]["endgame_hits"].as_u64().unwrap() > 0);
    let solved = prints(&[&["solve", "chess", "--position", far], &at[..]].concat());
    let probe = prints(&[&["endgame", "probe", "chess", "--position", far, "--json"], &at[..]].concat());
    let plies = found(probe)["standing"]["plies"].as_u64().unwrap();
    assert!(solved.starts_with(&format!("white wins in {plies} plies")), "{solved}");

    found_by_themselves(&folder.0, &search);

    let lines = uci(folder.path(), &format!("position fen {far}\ngo depth 3\n"));
    assert!(lines.contains(" tbhits ") && lines.contains("score mate"), "{lines}");
    refusals(&folder.0);
}

/// Databases are used where `make` writes them, in the current folder, and beside the rules.
fn found_by_themselves(folder: &Path, search: &[&str]) {
    let place = Folder::new("beside");
    let here = place.0.join("chess.endgames");
    std::fs::create_dir_all(&here).unwrap();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, here.join(path.file_name().unwrap())).unwrap();
    }
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/chess/rules.mg");
    let rules_file = place.0.join("chess.mg");
    std::fs::copy(rules, &rules_file).unwrap();
    let run = |arguments: &[&str], current: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_multigame"));
        let output = command.args(arguments).current_dir(current).output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (found, String::from_utf8(output.stderr).unwrap())
    };
    let (found, said) = run(search, &place.0);
    assert_eq!(found["proved"], true);
    assert_eq!(said.matches("uses the endgames of").count(), 1, "{said}");
    let beside: Vec<&str> =
        search.iter().map(|&it| if it == "chess" { rules_file.to_str().unwrap() } else { it }).collect();
    assert_eq!(run(&beside, &std::env::temp_dir()).0["proved"], true);
    let without = [search, &["--endgames", "none"]].concat();
    let (found, said) = run(&without, &place.0);
    assert_eq!((&found["proved"], said.contains("endgames")), (&serde_json::json!(false), false), "{said}");
    let solve = ["solve", "chess", "--position", search[3], "--json"];
    let (solved, said) = run(&solve, &place.0);
    assert!(
        solved["result"].as_str().unwrap().starts_with("white wins in") && said.contains("uses"),
        "{said}"
    );
}

/// A conversation with the player.
fn uci(endgames: &str, text: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
        .args(["uci", "chess", "--endgames", endgames])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    let mut lines = String::new();
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    while std::io::BufRead::read_line(&mut output, &mut lines).unwrap() > 0 && !lines.contains("bestmove") {}
    input.write_all(b"quit\n").unwrap();
    assert!(child.wait().unwrap().success());
    lines
}

/// Wrong input changes nothing, and the message says what to do about it.
fn refusals(folder: &Path) {
    let at = ["--endgames", folder.to_str().unwrap()];
    let with = |arguments: &[&str]| refused(&[arguments, &at[..]].concat());
    assert!(with(&["endgame", "make", "chess", "--slice", "KXK"]).contains("signs of its pieces"));
    assert!(with(&["endgame", "make", "chess", "--up-to", "1"]).contains("ask for 2 or more"));
    let small = with(&["endgame", "make", "chess", "--slice", "KRK", "--memory", "3"]);
    assert!(small.contains("MiB of memory") && small.contains("`--memory`"), "{small}");
    assert!(with(&["endgame", "verify", "chess", "--slice", "KRK"]).contains("endgame make --slice KRK"));
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert!(with(&["endgame", "probe", "chess", "--position", castling]).contains("is not stored"));
    assert!(with(&["endgame", "verify", "atomic"]).contains("other rules"));
    assert!(
        with(&["search", "chess", "--engine", "mcts", "--nodes", "100"])
            .contains("asks no endgame databases")
    );
    assert!(refused(&["endgame", "verify", "chess", "--endgames", "/no/such"]).contains("endgame make"));
    assert!(refused(&["endgame", "plan", "15-puzzle", "--up-to", "3"]).contains("multigame tables"));
    assert!(refused(&["endgame", "plan", "xiangqi", "--up-to", "3"]).contains("repetition"));
    let file = folder.join("king+queen-king.endgame");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let damaged = with(&["endgame", "statistics", "chess"]);
    assert!(damaged.contains("damaged") && damaged.contains("make it again"), "{damaged}");
}

#[test]
fn small_games_are_solved_strongly() {
    let folder = Folder::new("solution");
    let file = format!("{}/file", folder.path());
    let solved = prints(&["solve", "tic-tac-toe", "--strong", "--output", &file]);
    assert!(solved.starts_with("white draws\n") && solved.contains("5478 positions"), "{solved}");
    let probe =
        prints(&["endgame", "probe", "tic-tac-toe", "--endgames", &file, "--position", "O../.X./X.O w"]);
    assert!(probe.contains("white "), "{probe}");
    let known = prints(&[
        "search",
        "tic-tac-toe",
        "--depth",
        "1",
        "--engine",
        "negascout",
        "--endgames",
        &file,
        "--json",
    ]);
    let known: serde_json::Value = serde_json::from_str(&known).unwrap();
    assert_eq!(known["proved"], true);
    assert!(refused(&["endgame", "probe", "connect-4", "--endgames", &file]).contains("cannot use"));
    let boxes = ["dots-and-boxes", "--set", "columns=2", "--set", "rows=2"];
    let solved = prints(&[&["solve"], &boxes[..], &["--strong", "--output", &file]].concat());
    assert!(solved.starts_with("white wins by 2\n"), "{solved}");
    let direct = prints(&[&["solve"], &boxes[..]].concat());
    assert!(direct.starts_with("white wins by 2\n"), "{direct}");
    let probe = prints(&[&["endgame", "probe"], &boxes[..], &["--endgames", &file]].concat());
    // The outer lines win, the inner ones let the opponent mirror every move.
    assert_eq!([probe.matches("wins by 2").count(), probe.matches("draws").count()], [1 + 8, 4], "{probe}");
    let options = ["--depth", "2", "--endgames", &file, "--json"];
    let known = prints(&[&["search"], &boxes[..], &options[..]].concat());
    let known: serde_json::Value = serde_json::from_str(&known).unwrap();
    assert_eq!(known["proved"], true, "{known}");
    prints(&["solve", "tic-tac-toe", "--strong", "--output", &file]);
    let large = refused(&["solve", "connect-4", "--strong", "--table", "1", "--output", &file]);
    assert!(large.contains("`--table`"), "{large}");
    assert!(refused(&["solve", "tic-tac-toe", "--output", &file]).contains("--strong"));
}
