//! `multigame match` as a user runs it.

use std::process::{Command, Output};

fn multigame(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_multigame")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_match_prints_games_and_what_they_prove() {
    let output = multigame(&[
        "match",
        "depth=3",
        "random",
        "--game",
        "connect-4",
        "--games",
        "6",
        "--concurrency",
        "2",
    ]);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(said.lines().filter(|line| line.starts_with("game ")).count(), 6, "{said}");
    assert!(said.contains("Elo +") && said.contains("pairs with 0"), "{said}");
}

#[test]
fn games_lost_by_a_failure_are_told_even_quietly() {
    // A program that gives up where it should think.
    let program =
        "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) exit;; esac; done";
    let script = std::env::temp_dir().join(format!("multigame-match-{}.sh", std::process::id()));
    std::fs::write(&script, program).unwrap();
    let engine = format!("uci:sh {}", script.display());
    let output = multigame(&["match", &engine, "random", "--game", "tic-tac-toe", "--games", "2", "--quiet"]);
    std::fs::remove_file(&script).unwrap();
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(
        errors.contains("2 games were lost by a failure and not on the board; the first: game 1"),
        "{errors}"
    );
    assert!(!text(&output.stdout).contains("game "), "{}", text(&output.stdout));
}

#[test]
fn our_own_program_plays_by_uci_and_records_are_written() {
    let folder = std::env::temp_dir().join(format!("multigame-match-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (log, record) = (folder.join("log.jsonl"), folder.join("games.txt"));
    let engine = format!("uci:{} uci breakthrough,Hash=1,name=other", env!("CARGO_BIN_EXE_multigame"));
    let run = |games: &str| {
        let (log, record) = (log.to_str().unwrap(), record.to_str().unwrap());
        let output = multigame(&[
            "match",
            &engine,
            "random",
            "--game",
            "breakthrough",
            "--depth",
            "2",
            "--games",
            games,
            "--log",
            log,
            "--record",
            record,
            "--json",
        ]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let first = run("2");
    assert!(first.contains("\"games\": 2") && first.contains("\"losses\": 0"), "{first}");
    let second = run("4");
    assert!(second.contains("\"games\": 4"), "{second}");
    assert_eq!(std::fs::read_to_string(&log).unwrap().lines().count(), 5, "a head and four games");
    let games = std::fs::read_to_string(&record).unwrap();
    assert_eq!(games.matches("[Game \"breakthrough\"]").count(), 4, "{games}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn players_have_weights_of_their_own() {
    let file = std::env::temp_dir().join(format!("multigame-weights-{}.toml", std::process::id()));
    let play = |weight: &str| {
        let text = format!("[evaluation.main]\nprovenance = \"x\"\n[evaluation.main.weights]\n{weight}\n");
        std::fs::write(&file, text).unwrap();
        let player = format!("weights={},name=tuned", file.display());
        multigame(&["match", &player, "default", "--game", "chess", "--games", "2", "--depth", "1"])
    };
    // A player that thinks queens are bad gives them away.
    let poor = text(&play("\"material.queen.opening\" = -900\n\"material.queen.end\" = -900").stdout);
    assert!(poor.contains("tuned - default: +0 "), "{poor}");
    let refused = play("\"material.dragon\" = 9");
    let said = text(&refused.stderr);
    assert!(!refused.status.success() && said.contains("no weight `material.dragon`"), "{said}");
    let other = format!("weights={},evaluation=other", file.display());
    let said = text(&multigame(&["match", &other, "default", "--games", "2"]).stderr);
    assert!(said.contains("has no weights of the evaluation `other`"), "{said}");
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn wrong_matches_are_refused() {
    for (arguments, message) in [
        (&["match", "best", "random"][..], "`best` is not a player"),
        (&["match", "default", "random", "--game", "hanoi"], "a puzzle has no opponent"),
        (&["match", "uci:/no/such/program", "random", "--games", "2"], "cannot be started"),
        (&["match", "default", "random", "--openings", "/no/such/file"], "cannot read"),
        (
            &["match", "default", "random", "--game", "tic-tac-toe", "--plies", "9"],
            "use fewer with `--plies`",
        ),
        (&["match", "default", "random", "--sprt", "elo0=9,elo1=1"], "`elo0` must be less than `elo1`"),
    ] {
        let output = multigame(arguments);
        let said = text(&output.stderr);
        assert!(!output.status.success() && said.contains(message), "{arguments:?}: {said}");
    }
}
