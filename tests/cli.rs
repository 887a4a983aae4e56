//! The commands as a user runs them: what they print, and their exit codes.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn multigame(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_multigame")).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A rules file that is removed afterwards.
struct Rules(std::path::PathBuf);

impl Rules {
    fn new(name: &str, text: impl AsRef<[u8]>) -> Rules {
        let path = std::env::temp_dir().join(format!("multigame-{}-{name}.mg", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Rules(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Rules {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn perft_prints_a_line_for_each_depth_with_every_back_end() {
    for backend in ["auto", "jit", "interp"] {
        let output = multigame(&["perft", "chess", "3", "--backend", backend]);
        assert_eq!(stdout(&output), "perft 1 20\nperft 2 400\nperft 3 8902\n");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn divide_adds_up() {
    let output = multigame(&["perft", "chess", "3", "--make"]);
    assert_eq!(stdout(&output), "perft 1 20\nperft 2 400\nperft 3 8902\n");
    let output = multigame(&["perft", "chess", "3", "--make", "--divide"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let output = stdout(&multigame(&["perft", "connect-4", "3", "--divide"]));
    let counts = output
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(_, count)| count.parse::<u64>().unwrap());
    assert_eq!(counts.sum::<u64>(), 343);
}

#[test]
fn parameters_change_the_game() {
    let output = multigame(&["perft", "connect-4", "1", "--set", "columns=5"]);
    assert_eq!(stdout(&output), "perft 1 5\n");
    let output = multigame(&["perft", "connect-4", "1", "--set", "columns=99"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("26"), "{}", stderr(&output));
    let output = multigame(&["perft", "connect-4", "1", "--set", "columns"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_back_end_that_cannot_play_says_so_and_lets_another_play() {
    // Both sides of `&&` are computed, so neither may assign anything.
    let rules = Rules::new(
        "refused",
        "dimensions (2, 2) no moves = loss pieces { man 'M' 'm' } properties { sum : board : [0 .. 5] }
        main = find empty field, replace by man, assign (row > 1 && (sum = 3)).",
    );
    let output = multigame(&["perft", rules.path(), "1", "--backend", "jit"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output), "perft 1 4\n");
    assert!(stderr(&output).contains("the interpreter plays"), "{}", stderr(&output));
    assert!(stderr(&output).contains("(rule `main`, line 2)"), "{}", stderr(&output));
    let output = multigame(&["check", rules.path()]);
    assert_eq!(output.status.code(), Some(0));
    let note = stderr(&output);
    assert!(note.contains("note[not-compiled]") && note.contains(":2:"), "{note}");
    assert!(note.contains("make it a statement") && note.contains("no errors\n"), "{note}");
}

#[test]
fn states_count_distinct_positions() {
    let goal = ".123/4567/89AB/CDEF";
    let output = multigame(&["states", "15-puzzle", "--position", goal, "--through-goals", "--depth", "3"]);
    assert_eq!(stdout(&output), "states 0 1 1\nstates 1 2 3\nstates 2 4 7\nstates 3 10 17\n");
    let output = multigame(&["states", "chess", "--limit", "100"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--limit"), "{}", stderr(&output));
}

#[test]
fn wrong_input_is_explained() {
    for (arguments, code, wanted) in [
        (&["perft", "chezz", "1"][..], 1, "there is no game `chezz`"),
        (&["perft", "missing.mg", "1"], 1, "cannot read `missing.mg`"),
        (&["perft", "chess", "one"], 2, "invalid value"),
        (&["moves", "chess", "--position", "8/8"], 1, "8 are expected"),
        (&["moves", "chess", "--position", "8/8/8/8/8/8/8/7x w - - 0 1"], 1, "`x` is not a piece"),
        (&["moves", "othello", "--position", "8/8/8/8/8/8/8/8 w seeds=1"], 1, "no property `seeds`"),
        (&["perft", "chess", "1", "--backend", "magic"], 2, "possible values"),
        (&["nonsense"], 2, "unrecognized subcommand"),
    ] {
        let output = multigame(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(wanted), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn check_reports_several_errors_in_one_run_and_offers_fixes() {
    let text = "dimensions (3, 3)\npieces { mark 'X' 'O' }\nno moves = draw\n\
                main = find emty field, place, step.\nplace = replace by own marc.\n";
    let rules = Rules::new("errors", text);
    let output = multigame(&["check", rules.path()]);
    assert_eq!(output.status.code(), Some(1));
    let errors = stderr(&output);
    assert!(errors.matches("error[").count() >= 2, "{errors}");
    assert!(errors.contains(":4:") && errors.contains(":5:"), "{errors}");
    assert!(errors.contains("`mark`"), "{errors}");
    let json = multigame(&["check", rules.path(), "--json"]);
    let diagnostics: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let first = &diagnostics[0];
    assert_eq!(first["severity"], "error");
    assert_eq!(first["line"], 4);
}

#[test]
fn warnings_do_not_fail() {
    let text = "dimensions (3, 3)\npieces { mark 'X' 'O' }\nmain = find empty field, replace by mark.\n";
    let rules = Rules::new("warning", text);
    let output = multigame(&["check", rules.path()]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("warning[missing-no-moves]"), "{}", stderr(&output));
}

#[test]
fn files_that_are_no_rules_are_refused() {
    let binary = Rules::new("binary", [0xff, 0xfe, 0x00]);
    let output = multigame(&["check", binary.path()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("UTF-8"), "{}", stderr(&output));
    let empty = Rules::new("empty", "");
    let output = multigame(&["check", empty.path()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("main"), "{}", stderr(&output));
    let huge = Rules::new(
        "huge",
        "dimensions (40, 40)\nno moves = loss\npieces { man 'x' 'o' }\nmain = find own man, pick up, put \
         down.\n",
    );
    let output = multigame(&["check", huge.path()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("1024"), "{}", stderr(&output));
}

#[test]
fn run_time_errors_show_the_place() {
    let text = "dimensions (3, 3)\npieces { mark 'X' 'O' }\nproperties { n : board : [0 .. 1] }\nno moves = draw\n\
                main = find empty field, replace by mark, assign (n++).\n";
    let rules = Rules::new("range", text);
    let output = multigame(&["perft", rules.path(), "2"]);
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("outside its range [0 .. 1]"), "{message}");
    assert!(message.contains(":5:") && message.contains("n++"), "{message}");
}

#[test]
fn fmt_formats_once_and_for_all() {
    let rules = Rules::new(
        "fmt",
        "dimensions(3,3) pieces{mark 'X' 'O'}no moves=draw # comment\nmain=find empty field,replace by \
         mark.\n",
    );
    assert_eq!(multigame(&["fmt", "--check", rules.path()]).status.code(), Some(1));
    assert_eq!(multigame(&["fmt", rules.path()]).status.code(), Some(0));
    assert_eq!(multigame(&["fmt", "--check", rules.path()]).status.code(), Some(0));
    let formatted = std::fs::read_to_string(&rules.0).unwrap();
    assert!(formatted.contains("# comment"), "{formatted}");
}

#[test]
fn shows_and_lists_as_json() {
    let show: serde_json::Value =
        serde_json::from_slice(&multigame(&["show", "chess", "--json"]).stdout).unwrap();
    assert_eq!(show["position"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(show["pieces"]["e1"], "white king");
    let moves: serde_json::Value =
        serde_json::from_slice(&multigame(&["moves", "othello", "--json"]).stdout).unwrap();
    assert_eq!(moves.as_array().unwrap().len(), 4);
    let games: serde_json::Value = serde_json::from_slice(&multigame(&["games", "--json"]).stdout).unwrap();
    assert!(games.as_array().unwrap().iter().any(|game| game["name"] == "hanoi"));
    let sown: serde_json::Value =
        serde_json::from_slice(&multigame(&["games", "--family", "mancala", "--json"]).stdout).unwrap();
    let names: Vec<&str> =
        sown.as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["awari", "kalah", "toguz-korgool"]);
    let hex = multigame(&["games", "--players", "1", "--topology", "hex"]);
    assert!(String::from_utf8(hex.stdout).unwrap().starts_with("triangle-solitaire  puzzle"));
    let none = multigame(&["games", "--family", "chess", "--topology", "hex"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(String::from_utf8(none.stderr).unwrap().contains("no bundled game is like that"));
    let wrong = String::from_utf8(multigame(&["games", "--family", "manclaa"]).stderr).unwrap();
    assert!(wrong.contains("mancala"), "{wrong}");
    let playout = multigame(&["playout", "tic-tac-toe", "--games", "50", "--seed", "3", "--json"]);
    let playout: serde_json::Value = serde_json::from_slice(&playout.stdout).unwrap();
    let count = |key: &str| playout[key].as_u64().unwrap();
    assert_eq!(count("white") + count("black") + count("draws"), 50);
}

#[test]
fn the_shell_plays_and_survives_wrong_lines() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
        .args(["play", "tic-tac-toe", "--computer", "none"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let script = "a1\nxyz\nb1\nundo\nb1\na2\nb2\na3\na1\nwrite\nquit\n";
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("game over: white wins"), "{}", stdout(&output));
    assert!(stdout(&output).contains("X2/XO1/XO1 b"), "{}", stdout(&output));
    let errors = stderr(&output);
    assert!(errors.contains("`xyz` is neither a command nor a legal move"), "{errors}");
    assert!(errors.contains("the game is over"), "{errors}");
}

#[test]
fn a_move_whose_name_has_a_sign_of_redirection_is_played() {
    let rules = Rules::new(
        "names",
        "dimensions (2, 1) no moves = loss pieces { man 'M' 'm' }
        main = find empty field, replace by man, called \"2>\" field.",
    );
    let folder = std::env::temp_dir().join(format!("multigame-{}-names", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
        .args(["play", rules.path(), "--computer", "none"])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"2>a1\nmove 2>b1\nwrite > position\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(stdout(&output).contains("game over"), "{}", stdout(&output));
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["position"]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn moves_whose_names_have_blanks_are_separated_by_commas() {
    let rules = Rules::new(
        "blanks",
        "players = 1 dimensions (3, 1) no moves = loss pieces { man 'M' } setup { \"M..\" }
        main = find man, pick up, east, step, put down. goal = move to (3, 1), points at man.",
    );
    let output = multigame(&["solve", rules.path()]);
    assert!(stdout(&output).contains("moves a1 -> b1, b1 -> c1\n"), "{}", stdout(&output));
}

#[test]
fn moves_after_others_obey_the_ban_on_repetition() {
    let game = ["moves", "go-9x9", "--set", "size=2"];
    let after = |moves: &str| stdout(&multigame(&[&game[..], &["--after", moves]].concat()));
    assert_eq!(after("a1"), "a2\nb1\nb2\npass\n");
    // White takes both stones; Black may not take back to a position that was there before.
    assert!(after("a1,b1,b2,pass").contains("a2"));
    let output = multigame(&[&game[..], &["--after", "a1,a1"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("`a1` is not a legal move here"));
}

/// Known values of the puzzles, found with the commands that people use.
#[test]
fn puzzles_are_solved() {
    let level = "#######/##....#/#.#.#.#/#.$...#/#.#$#.#/#..@..#/####### marked=0,0,0,0,0,0,0/0,0,1,0,0,1,0/\
                 0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,0";
    for (command, answer) in [
        (&["solve", "sokoban"][..], "solved in 40 moves"),
        (&["solve", "sokoban", "--position", level], "solved in 29 moves"),
        (&["solve", "hanoi"], "solved in 15 moves"),
        (&["solve", "n-puzzle", "--position", "ooo/1oo/ooo number=8,7,6/0,4,1/2,5,3"], "solved in 31 moves"),
        (&["search", "pegged", "--engine", "idastar"], "won in 31"),
    ] {
        let output = multigame(command);
        assert!(stdout(&output).contains(answer), "{command:?}: {}", stdout(&output));
    }
}

#[test]
fn random_games_are_checked_and_what_they_use_is_counted() {
    let output = multigame(&["playout", "tic-tac-toe", "--games", "20", "--check", "--coverage"]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.contains("checked     ") && text.contains("rules       "), "{text}");
    let report = multigame(&["playout", "chess", "--games", "2", "--check", "1", "--coverage", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    assert!(report["names_checked"].as_u64().unwrap() > 0);
    let unused = report["coverage"]["unused"].as_array().unwrap();
    assert!(unused.iter().all(|part| part["line"].as_u64() > Some(0) && part["text"] != ""));
    let based = multigame(&["playout", "three-check", "--games", "1", "--max-plies", "1", "--coverage"]);
    let ends = ["--also", "8/w7/8/8/8/8/8/7b w", "--also", "8/8/8/8/8/8/8/w6b b"];
    let several = multigame(&[&["playout", "breakthrough", "--games", "3", "--json"], &ends[..]].concat());
    let several: serde_json::Value = serde_json::from_slice(&several.stdout).unwrap();
    assert!(several["length"]["shortest"].as_u64() < Some(8), "a game from each position: {several}");
    let castle = "chess: castle: no result in 4 tries: repeat 1 .. infinity times [ step";
    assert!(stdout(&based).contains(castle), "the text of the base: {}", stdout(&based));
}

#[test]
fn pages_are_published_or_refused_with_a_remedy() {
    let refused = |arguments: &[&str], remedy: &str| {
        let output = multigame(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(stderr(&output).contains(remedy), "{}", stderr(&output));
    };
    refused(&["publish"], "<GAME|--site <FOLDER>>");
    refused(&["publish", "chess", "--site", "public"], "cannot be used with");
    refused(&["publish", "chez"], "did you mean `chess`?");
    refused(&["publish", "hex", "--set", "size=1"], "parameter");
    refused(&["publish", "chess", "--output", "/no/such/folder/chess.html"], "/no/such/folder");
    let wrong = Rules::new("unpublished", "dimensions (3, 3) main = fly.");
    refused(&["publish", wrong.path()], "fly");
    let folder = std::env::temp_dir().join(format!("multigame-site-{}", std::process::id()));
    let output = multigame(&["publish", "--site", folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    let rules = std::fs::read_to_string(folder.join("games/tic-tac-toe.json")).unwrap();
    assert!(rules.contains("three_in_a_row") && folder.join("index.html").exists());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn libraries_beside_the_rules_are_used_and_their_mistakes_shown() {
    let folder = std::env::temp_dir().join(format!("multigame-{}-libraries", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (rules, library) = (folder.join("own.mg"), folder.join("my-ways.mg"));
    let text = "uses \"my-ways\" dimensions (3, 3) no moves = loss pieces { man 'M' 'm' }\n\
                main = find empty field, edge (1), replace by man.";
    std::fs::write(&rules, text).unwrap();
    std::fs::write(&library, "# Edges.\nedge (wanted) = assert (row == wanted).").unwrap();
    let rules = rules.to_str().unwrap();
    let output = multigame(&["perft", rules, "1"]);
    assert!(stdout(&output).contains("perft 1 3"), "{}", stderr(&output));
    let page = folder.join("page.html");
    let output = multigame(&["publish", rules, "--output", page.to_str().unwrap()]);
    assert!(output.status.success() && page.exists(), "{}", stderr(&output));
    std::fs::write(&library, "# Edges.\nedge (wanted) = assert (rwo == wanted).").unwrap();
    let message = stderr(&multigame(&["check", rules]));
    assert!(message.contains("in library `my-ways`, line 2: there is no property `rwo`"), "{message}");
    std::fs::remove_file(&library).unwrap();
    let message = stderr(&multigame(&["check", rules]));
    assert!(message.contains("there is no library `my-ways`"), "{message}");
    std::fs::remove_dir_all(&folder).unwrap();
}
