//! Searching from the command line: best moves, solutions, limits, the shell, and what is said about wrong
//! input.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

/// What a command printed and how it ended.
struct Ran {
    out: String,
    err: String,
    code: Option<i32>,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code(),
        }
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_multigame"));
    command.args(arguments);
    command
}

/// Runs a command that ends with a code.
#[track_caller]
fn run(code: i32, arguments: &[&str]) -> Ran {
    let ran = Ran::from(command(arguments).output().unwrap());
    assert_eq!(ran.code, Some(code), "{arguments:?}\n{}{}", ran.out, ran.err);
    ran
}

/// Runs the shell on some lines.
#[track_caller]
fn shell(arguments: &[&str], script: &str) -> Ran {
    let piped = || Stdio::piped();
    let mut child = command(&[&["play"], arguments].concat())
        .stdin(piped())
        .stdout(piped())
        .stderr(piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(0), "{script}\n{}{}", ran.out, ran.err);
    ran
}

#[track_caller]
fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&run(0, arguments).out).unwrap()
}

#[test]
fn mates_are_found_and_played() {
    let mate =
        |position: &str, depth: &str| run(0, &["search", "chess", "--position", position, "--depth", depth]);
    let one = mate("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "3");
    assert!(one.out.contains("won in 1") && one.out.ends_with("best d1d8\n"), "{}", one.out);
    // Two rooks: the first cuts the king off, the second mates.
    let two = mate("7k/8/8/8/8/1R6/R7/K7 w - - 0 1", "5");
    assert!(two.out.contains("won in 3"), "{}", two.out);
}

#[test]
fn tic_tac_toe_is_played_without_mistake() {
    // White completes a row, and prevents one.
    let win = run(0, &["search", "tic-tac-toe", "--position", "OO./.../XX. w", "--depth", "9"]);
    assert!(win.out.ends_with("best c1\n"), "{}", win.out);
    let save = run(0, &["search", "tic-tac-toe", "--position", ".../OO./X.. w", "--depth", "9"]);
    assert!(save.out.ends_with("best c2\n"), "{}", save.out);
    let game = shell(&["tic-tac-toe", "--depth", "9", "--computer", "none"], "verbose 0\nselfplay\n");
    assert!(game.out.contains("game over: draw"), "{}", game.out);
}

#[test]
fn games_are_solved() {
    assert!(run(0, &["solve", "tic-tac-toe"]).out.starts_with("draw\n"));
    let small = ["--set", "columns=4", "--set", "rows=4"];
    assert!(run(0, &[&["solve", "connect-4"], &small[..]].concat()).out.starts_with("draw\n"));
    let dfpn = run(0, &[&["solve", "connect-4", "--engine", "dfpn"], &small[..]].concat());
    assert!(dfpn.out.starts_with("draw\n"), "{}", dfpn.out);
    assert!(run(0, &["solve", "three-mens-morris"]).out.starts_with("white wins\n"));
    let won = run(0, &["solve", "tic-tac-toe", "--position", "OO./.../XX. b"]);
    assert!(won.out.starts_with("black wins in 1 ply\n"), "{}", won.out);
}

/// With a growing depth it would take 326,096 nodes.
#[test]
fn games_that_end_with_a_margin_are_solved_at_once() {
    let position = "OOXXXXXX/XOXXXXXX/OOXOXOOX/OOXXOOXX/OOXOOOXX/1O1OOOOX/XOO1O2X/8 b";
    let solved = json(&["solve", "othello", "--position", position, "--json"]);
    assert_eq!(solved["result"], "black wins by 38");
    assert!(solved["nodes"].as_u64().unwrap() < 100_000, "{solved}");
}

#[test]
fn a_game_stopped_before_its_end_is_not_called_a_draw() {
    for limit in [["--depth", "4"], ["--nodes", "200"]] {
        let ran = run(1, &["solve", "connect-4", "--engine", "negascout", limit[0], limit[1]]);
        assert_eq!(ran.out, "");
        assert!(ran.err.contains("not solved"), "{}", ran.err);
    }
}

/// The first player wins at connect-4, but the first iterations see a draw.
#[test]
fn a_search_without_time_proves_nothing() {
    for engine in ["negascout", "alphabeta", "mtdf"] {
        for threads in ["1", "2"] {
            let few = ["--time", "1ms", "--table", "1", "--engine", engine, "--threads", threads];
            let ran = run(1, &[&["solve", "connect-4"], &few[..]].concat());
            assert!(
                ran.out.is_empty() && ran.err.contains("not solved"),
                "{engine}: {} {}",
                ran.out,
                ran.err
            );
            let ran = run(1, &[&["solve", "connect-4", "--json"], &few[..]].concat());
            let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
            assert!(report["result"].is_null(), "{engine}: {report}");
        }
    }
    let ran = run(1, &["solve", "15-puzzle", "--engine", "idastar", "--nodes", "1000"]);
    assert!(ran.err.contains("not solved: it takes at least"), "{}", ran.err);
}

/// Allocating the table takes longer than solving the game.
#[test]
fn time_to_prepare_a_search_is_not_its_time() {
    let begin = Instant::now();
    let solved = json(&["solve", "tic-tac-toe", "--engine", "negascout", "--table", "1024", "--json"]);
    let seconds = solved["seconds"].as_f64().unwrap();
    assert!(seconds * 2.0 < begin.elapsed().as_secs_f64(), "{solved}");
}

#[test]
fn verdicts_are_those_of_other_engines() {
    let ran = run(0, &["solve", "connect-4", "--set", "columns=5", "--set", "rows=4", "--verdict"]);
    assert!(ran.out.starts_with("draw\n"), "{}", ran.out);
    let cube = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/solved/cube.mg");
    assert!(run(0, &["solve", cube, "--verdict"]).out.starts_with("white wins\n"));
    let ran = run(0, &["solve", "pegged", "--verdict"]);
    assert!(ran.out.starts_with("solved in 31 moves, perhaps not the fewest\nmoves "), "{}", ran.out);
    let ran = run(1, &["solve", "15-puzzle", "--verdict"]);
    assert!(ran.err.contains("use `idastar`"), "{}", ran.err);
    run(2, &["solve", "tic-tac-toe", "--verdict", "--engine", "dfpn"]);
}

/// Nodes that it takes to find out who wins at connect-4 on 5x4.
fn nodes_of_verdict(options: &str) -> u64 {
    let size = ["--set", "columns=5", "--set", "rows=4"];
    let report =
        json(&[&["solve", "connect-4", "--verdict", "--json", "--options", options], &size[..]].concat());
    report["nodes"].as_u64().unwrap()
}

#[test]
fn reflected_positions_share_what_is_known_though_moves_end_the_game() {
    let (shared, apart) = (nodes_of_verdict(""), nodes_of_verdict("symmetry=off"));
    assert!(shared * 4 < apart * 3, "{shared} {apart}");
}

/// On 6x5 it saves two thirds of the nodes; small boards are no test of that.
#[test]
fn verdicts_look_at_the_evaluation_of_the_rules() {
    let rules = include_str!("../games/connect-4/rules.mg");
    let (before, evaluation) = rules.split_once("evaluation {").unwrap();
    let (_, after) = evaluation.split_once("main =").unwrap();
    let folder = std::env::temp_dir().join(format!("multigame-verdict-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("blind.mg");
    std::fs::write(&file, format!("{before}main ={after}")).unwrap();
    let size = ["--set", "columns=5", "--set", "rows=4", "--verdict", "--json"];
    let nodes = |game: &str| json(&[&["solve", game], &size[..]].concat())["nodes"].as_u64().unwrap();
    let (seeing, blind) = (nodes("connect-4"), nodes(file.to_str().unwrap()));
    std::fs::remove_dir_all(folder).unwrap();
    assert_ne!(seeing, blind);
}

#[test]
fn a_symmetry_that_only_looks_like_one_is_not_used() {
    let folder = std::env::temp_dir().join(format!("multigame-lopsided-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("lopsided.mg");
    // To White the bottom of the leftmost column counts as a row.
    let rules = "based on \"tic-tac-toe\"
main = find empty field, replace by mark, irreversible, try [ either three_in_a_row or short, win ].
short = white to move, move to (1, 1), points at own mark, north, step, points at own mark.
";
    std::fs::write(&file, rules).unwrap();
    let file = file.to_str().unwrap();
    let positions = [
        ("X.O/O.X/... w", "draw"),
        ("O.X/X.O/... w", "white"),
        (".../XOX/..O w", "white"),
        (".../XOX/O.. w", "black"),
    ];
    for (position, winner) in positions {
        for engine in [&["--verdict"][..], &["--engine", "alphabeta"]] {
            let ran = run(0, &[&["solve", file, "--position", position], engine].concat());
            assert!(ran.out.starts_with(winner), "{position} {engine:?}: {}", ran.out);
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn puzzles_are_solved_by_the_shortest_way() {
    for discs in 2..=7 {
        let moves = (1 << discs) - 1;
        let ran = run(0, &["solve", "hanoi", "--set", &format!("discs={discs}")]);
        assert!(ran.out.starts_with(&format!("solved in {moves} moves\n")), "{}", ran.out);
    }
    let easy = ["15-puzzle", "--position", "1263/45A7/8D9B/C.EF"];
    for engine in ["astar", "idastar", "bfs"] {
        let ran = run(0, &[&["solve"], &easy[..], &["--engine", engine]].concat());
        assert!(ran.out.starts_with("solved in 6 moves\n"), "{engine}: {}", ran.out);
    }
    let hint = shell(&["hanoi"], "verbose 0\nhint\nselfplay\n");
    assert!(hint.out.ends_with("game over: solved\n"), "{}", hint.out);
}

#[test]
fn time_is_kept() {
    for (game, engine) in
        [("chess", "negascout"), ("chess", "mcts"), ("go-moku", "mcts"), ("connect-4", "mtdf")]
    {
        for (time, most) in [("1ms", 0.001), ("200ms", 0.2)] {
            let report = json(&["search", game, "--engine", engine, "--time", time, "--json"]);
            // A loaded machine may not run us for a while.
            let seconds = report["seconds"].as_f64().unwrap();
            assert!(seconds < most + 0.5, "{game} {engine} {time}: {seconds}");
            assert!(report["best"].is_string(), "{report}");
        }
    }
    let start = Instant::now();
    let game = shell(&["tic-tac-toe", "--clock", "500ms+10ms", "--computer", "both"], "configuration\n");
    assert!(game.out.contains("game over"), "{}", game.out);
    assert!(start.elapsed().as_secs_f64() < 5.0);
}

#[test]
fn bench_refuses_options_that_mean_nothing() {
    for (arguments, option) in [
        (&["bench", "passes", "--seconds", "1"][..], "--seconds"),
        (&["bench", "--aot"], "--aot"),
        (&["bench", "--game", "chess"], "--game"),
        (&["bench", "generators", "--shallower", "1"], "--shallower"),
        (&["bench", "generators", "--backend", "interp"], "--backend"),
    ] {
        let error = run(1, arguments).err;
        assert!(error.contains(&format!("`{option}` is for `bench ")), "{arguments:?}: {error}");
    }
}

#[test]
fn bench_counts_the_same_nodes_again() {
    let signature = || json(&["bench", "--shallower", "3", "--json"])["signature"].as_u64().unwrap();
    let first = signature();
    assert!(first > 1000);
    assert_eq!(first, signature());
    let text = run(0, &["bench", "--shallower", "3"]).out;
    assert!(text.ends_with(&format!("signature {first}\n")), "{text}");
}

/// The counts are those of valgrind; without it the remedy is named.
#[test]
fn bench_counts_instructions_of_the_hot_loops() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        let refused = run(1, &["bench", "loops", "--game", "tic-tac-toe"]);
        assert!(refused.err.contains("install its package"), "{}", refused.err);
        return;
    }
    let report = json(&["bench", "loops", "--game", "tic-tac-toe", "--json"]);
    let loops = report.as_array().unwrap();
    let names: Vec<&str> = loops.iter().map(|row| row["loop"].as_str().unwrap()).collect();
    assert_eq!(names, ["generate", "make", "evaluate", "probe", "search", "playout"]);
    for row in loops {
        let each = row["instructions"].as_f64().unwrap();
        assert!((2.0..200_000.0).contains(&each), "{row}");
    }
    assert!(run(1, &["bench", "loops", "--game", "nonsense"]).err.contains("nonsense"));
}

#[test]
fn bench_compares_searching_with_making_positions() {
    let report = json(&["bench", "cost", "--shallower", "3", "--json"]);
    assert_eq!(report["positions"].as_array().unwrap().len(), 4);
    let speeds =
        ["made", "expanded", "searched", "of_made"].map(|what| report["all"][what].as_f64().unwrap());
    let [made, expanded, searched, share] = speeds;
    assert!(made > expanded && searched > 0.0 && (share - searched / made).abs() < 1e-9, "{report}");
}

#[test]
fn positions_around_the_goal_help_to_solve_a_puzzle() {
    // One turn from the goal.
    let cube = "___UUU______/___UUU______/___LLL______/LLDFFFURRBBB/LLDFFFURRBBB/LLDFFFURRBBB/___RRR______/___DDD______/\
                ___DDD______";
    let ran = run(0, &["solve", "rubik", "--position", cube, "--perimeter", "2"]);
    assert!(ran.out.starts_with("solved in 1 moves\n"), "{}", ran.out);
    assert!(ran.err.contains("262 positions around the goal"), "{}", ran.err);
    let ran = run(1, &["solve", "pegged", "--perimeter", "2"]);
    assert!(ran.err.contains("undone") || ran.err.contains("--perimeter"), "{}", ran.err);
    assert!(run(1, &["solve", "chess", "--perimeter", "2"]).err.contains("is for puzzles"));
    run(2, &["solve", "rubik", "--perimeter", "15"]);
}

#[test]
fn interpreter_and_native_code_search_the_same_tree() {
    for (game, depth) in [("connect-4", "8"), ("othello", "5"), ("kalah", "5")] {
        let search = |backend| {
            json(&["search", game, "--depth", depth, "--engine", "negascout", "--backend", backend, "--json"])
        };
        let (native, interpreted) = (search("auto"), search("interp"));
        for what in ["number", "nodes", "pv"] {
            assert_eq!(native[what], interpreted[what], "{game}: {what}");
        }
    }
    // Where moves are generated in another order, the value is the same.
    for game in ["chess", "breakthrough"] {
        let value = |backend| {
            let options = ["--options", "depth-exact=on", "--backend", backend];
            json(&[&["search", game, "--depth", "3", "--json"], &options[..]].concat())["number"].clone()
        };
        assert_eq!(value("auto"), value("interp"), "{game}");
    }
}

#[test]
fn the_shell_thinks() {
    let script = "verbose 0\ndepth 3\ntime off\nhint\npv\nstatistics\nmove\nevaluate\nincrement 2\nincrement\n\
                  option tt=off\nconfiguration\nnodes 500\nmove\nreset\nundo\nquit\n";
    let ran = shell(&["chess", "--computer", "none"], script);
    for expected in [
        "limits depth 3, time 1 s a move",
        "limits depth 3\n",
        "depth 3, value ",
        "nodes  ",
        "white: ",
        "evaluation main, phase ",
        "increment 2",
        "tt=off",
        "limits depth 3, nodes 500",
        "taken back",
    ] {
        assert!(ran.out.contains(expected), "`{expected}` is missing:\n{}{}", ran.out, ran.err);
    }
    assert_eq!(ran.err, "");
}

#[test]
fn the_computer_answers_and_prevents_a_loss() {
    let ran = shell(&["connect-4", "--depth", "6"], "verbose 0\n4\n4\n4\nlegal\n");
    // White has three discs in one column; Black has to drop his on top sooner or later.
    let blocked = ran.out.lines().filter(|line| line.starts_with("black: 4")).count();
    assert!(blocked >= 1, "{}", ran.out);
}

#[test]
fn pondering_changes_nothing_but_the_table() {
    let script = "verbose 0\nponder on\nponder\na1\nlegal\nponder maybe\nponder off\nhint\n";
    let ran = shell(&["tic-tac-toe", "--depth", "9"], script);
    assert!(ran.out.contains("ponder on\nwhite: a1\nblack: b2\n"), "{}", ran.out);
    assert!(ran.err.contains("neither `on` nor `off`"), "{}", ran.err);
}

#[test]
fn openings_are_played_and_kept() {
    let book = std::env::temp_dir().join(format!("multigame-book-{}", std::process::id()));
    let book = book.to_str().unwrap();
    let script = "verbose 0\nopening g1h3\nopening\nopening g1h3\nhint\npv\n";
    let ran = shell(&["chess", "--book", book, "--computer", "none"], script);
    assert!(ran.out.contains("g1h3\nit is in the book already\ng1h3\ng1h3 (from the book)\n"), "{}", ran.out);
    let again = shell(&["chess", "--book", book, "--computer", "none"], "verbose 0\nhint\n");
    assert!(again.out.ends_with("g1h3\n"), "{}", again.out);
    std::fs::write(book, "nonsense\n").unwrap();
    let ran = run(1, &["play", "chess", "--book", book]);
    assert!(ran.err.contains("line 1") && ran.err.contains("POSITION | MOVE"), "{}", ran.err);
    std::fs::remove_file(book).unwrap();
}

#[test]
fn an_interrupted_solution_goes_on_from_its_checkpoint() {
    for (engine, other) in [("negascout", "alphabeta"), ("dfpn", "negascout")] {
        let file = std::env::temp_dir().join(format!("multigame-{engine}-{}", std::process::id()));
        let name = file.to_str().unwrap();
        let solve = |code, engine: &str, more: &[&str]| {
            let small = ["solve", "connect-4", "--set", "columns=4", "--set", "rows=4", "--table", "4"];
            run(code, &[&small[..], &["--engine", engine], more].concat())
        };
        let keep = ["--checkpoint", name];
        let nodes = |ran: &Ran| {
            serde_json::from_str::<serde_json::Value>(&ran.out).unwrap()["nodes"].as_u64().unwrap()
        };
        let all = nodes(&solve(0, engine, &["--json"]));
        let half = (all / 2).to_string();
        let stopped = solve(1, engine, &[&keep[..], &["--nodes", &half]].concat());
        assert!(stopped.err.contains("goes on from there"), "{}", stopped.err);
        let whole = std::fs::read(&file).unwrap();
        let resumed = solve(0, engine, &keep);
        assert!(resumed.out.starts_with("draw\n"), "{}", resumed.out);
        assert!(resumed.err.contains("going on from"), "{}", resumed.err);
        let rest = nodes(&solve(0, engine, &[&keep[..], &["--json"]].concat()));
        assert!(rest < all * 3 / 4, "{engine}: {rest} of {all} nodes were still searched");
        // Damage is noticed wherever it is, and the file is left alone.
        let mut damaged = whole.clone();
        damaged[whole.len() / 2] ^= 4;
        for wrong in [&damaged[..], &whole[..100], b"something else", b""] {
            std::fs::write(&file, wrong).unwrap();
            assert!(solve(1, engine, &keep).err.contains("cannot go on from the checkpoint"));
            assert_eq!(std::fs::read(&file).unwrap(), wrong);
        }
        std::fs::write(&file, &whole).unwrap();
        assert!(solve(1, other, &keep).err.contains("another engine"));
        assert!(solve(1, "pns", &keep).err.contains("--engine negascout"));
        std::fs::remove_file(&file).unwrap();
    }
}

/// Each line of the shell sees the options before it; they can be taken back.
#[test]
fn options_that_the_engine_does_not_use_are_refused_in_the_shell_until_they_are_taken_back() {
    let script = "verbose 0\nnodes 100\ntime off\noption lmr=off,tt-size=2\noption engine=dfpn\n\
                  option engine=dfpn,lmr=default\noption engine=dfpn,lmr=default,tt-size=default\nhint\nstatistics\n\
                  option lmr=on\n";
    let ran = shell(&["chess", "--computer", "none", "--options", "tt-size=4"], script);
    let errors: Vec<&str> = ran.err.lines().collect();
    assert_eq!(errors.len(), 3, "{}", ran.err);
    for (error, option) in errors.iter().zip(["tt-size", "tt-size", "lmr"]) {
        assert!(error.contains(&format!("`engine=dfpn` does not use option `{option}`")), "{error}");
    }
    assert!(ran.out.contains("engine                dfpn"), "{}", ran.out);
}

/// A* knows no table, so it is not what suits such a wish.
#[test]
fn options_of_a_table_choose_the_engine_of_a_puzzle_that_has_one() {
    let engine = |more: &[&str]| {
        let solved = json(&[&["solve", "hanoi", "--set", "discs=4", "--json"], more].concat());
        solved["engine"].as_str().unwrap().to_string()
    };
    assert_eq!(engine(&[]), "astar");
    assert_eq!(engine(&["--options", "tt=off"]), "idastar");
    assert!(run(1, &["solve", "hanoi", "--options", "null=on"]).err.contains("option `null`"));
}

#[test]
fn wrong_lines_in_the_shell_are_explained_and_lose_nothing() {
    let script = "verbose 0\ndepth x\ntime -1\nnodes 0\nclock soon\noption tt=maybe\noption killer=on\n\
                  option engine=idastar\noption etc=on,tt=off\nincrement 7\nopening z9\npv\nstatistics\nsit\nverbose 9\n\
                  depth 1\nhint\n";
    let ran = shell(&["tic-tac-toe", "--computer", "none"], script);
    let wrong = ran.err.lines().filter(|line| line.starts_with("error: ")).count();
    assert_eq!(wrong, 14, "{}", ran.err);
    for remedy in ["or `off`", "write seconds", "use on, off", "solves puzzles", "use `tt=on`", "0, 1 or 2"] {
        assert!(ran.err.contains(remedy), "{remedy}:\n{}", ran.err);
    }
    assert!(ran.out.contains("limits depth 1"), "{}", ran.out);
}

#[test]
fn wrong_commands_name_the_remedy() {
    let wrong = |arguments: &[&str], remedy: &str| {
        let ran = run(1, arguments);
        assert!(ran.err.contains(remedy), "{arguments:?}: {}", ran.err);
    };
    wrong(&["search", "chess", "--options", "killer=on"], "known are");
    wrong(&["search", "chess", "--options", "etc=on,tt=off"], "tt=on");
    wrong(&["search", "chess", "--engine", "idastar"], "2 players play");
    wrong(&["search", "chess", "--engine", "dfpn", "--options", "lmr=on"], "alphabeta, negascout or mtdf");
    wrong(&["search", "chess", "--engine", "pns", "--table", "8"], "does not use option `tt-size`");
    wrong(&["search", "chess", "--engine", "mcts", "--policy", "ybwc"], "does not use option `policy`");
    wrong(&["search", "chess", "--policy", "ybwc"], "use `threads=2`");
    wrong(&["search", "hanoi", "--options", "null=on"], "`engine=idastar` does not use option `null`");
    wrong(&["search", "connect-4", "--options", "lmr=on"], "makes no difference; leave it out");
    wrong(&["play", "chess", "--options", "symmetry=off"], "or use verdict");
    wrong(&["solve", "tic-tac-toe", "--engine", "dfpn", "--options", "history=off"], "or verdict");
    wrong(&["solve", "tic-tac-toe", "--policy", "ybwc"], "use `threads=2`");
    wrong(&["search", "chess", "--no-mobility"], "`main` does not count moves");
    wrong(&["search", "hanoi", "--engine", "bfs", "--tables", "x"], "multigame tables");
    wrong(&["match", "mobility=off", "random", "--game", "chess"], "`main` does not count moves");
    wrong(&["match", "engine=pns,tt=off", "random", "--game", "chess"], "does not use option `tt`");
    wrong(&["simulate", "othello", "--options", "tt-size=8"], "set `entries`");
    wrong(&["search", "chess", "--position", "nonsense"], "position");
    wrong(&["search", "chess", "--table", "1000000"], "smaller `--table`");
    wrong(&["solve", "chess", "--table", "1000000"], "smaller `--table`");
    wrong(&["search", "tic-tac-toe", "--position", "XOX/XOO/OXX w"], "is over");
    wrong(&["solve", "chess", "--engine", "mcts"], "--engine dfpn");
    wrong(&["search", "chess", "--engine", "mcts", "--depth", "5"], "limit it by `nodes` or `time`");
    wrong(&["solve", "tic-tac-toe", "--engine", "dfpn", "--depth", "5"], "use `engine=negascout`");
    wrong(&["search", "15-puzzle", "--depth", "1"], "--depth");
    for usage in [
        &["search"][..],
        &["search", "chess", "--engine", "deep"],
        &["search", "chess", "--time", "soon"],
        &["search", "chess", "--depth", "0"],
        &["play", "chess", "--clock", "1+x"],
        &["solve", "chess", "--table", "0"],
    ] {
        run(2, usage);
    }
}
