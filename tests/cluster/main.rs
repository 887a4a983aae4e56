//! Searches by several processes that `mpirun` starts: `cargo test --release --features mpi --test cluster`.
//!
//! Three hosts of their own, in network namespaces, take part where such can be made; where not, a note says
//! so.
//! `MPI_PKG_CONFIG` says which MPI library the program is built with, and which launcher is used.

#![cfg(feature = "mpi")]
#![allow(clippy::print_stdout, reason = "tests say why they skip something")]

mod farm;
mod faults;
mod hosts;
mod job;
mod prices;
mod seen;
mod serve;
mod solve;

use std::process::Command;
use std::time::{Duration, Instant};

use job::{json, many, one_process, run, stdout};

#[test]
fn ranks_find_what_one_process_finds() {
    let exact = "depth-exact,repetition=off";
    for (game, depth) in [("othello", "7"), ("checkers", "7"), ("breakthrough", "4")] {
        let base = ["search", game, "--depth", depth, "--options", exact, "--json"];
        let alone = json(&one_process(&base));
        for (ranks, more) in [
            (2, &["--memory", "hybrid"][..]),
            (many(3), &["--memory", "partitioned:depth=1:company=4", "--policy", "jamboree"]),
            (2, &["--memory", "replicated", "--threads", "2"]),
            (many(4), &["--memory", "private", "--policy", "ybwc"]),
        ] {
            let several = json(&stdout(&run(ranks, &[&base[..], more].concat())));
            assert_eq!(several["number"], alone["number"], "{game} {more:?}");
            assert_eq!(several["threads"]["processes"].as_array().map(Vec::len), Some(ranks as usize));
        }
    }
}

#[test]
fn leaves_are_counted_once() {
    let counts = stdout(&run(many(3), &["perft", "chess", "5"]));
    assert_eq!(counts.lines().last(), Some("perft 5 4865609"));
    assert_eq!(counts.lines().count(), 5, "one screen, one result: {counts}");
    let divided = ["perft", "checkers", "6", "--divide"];
    assert_eq!(stdout(&run(2, &divided)), one_process(&divided));
    assert_eq!(stdout(&run(2, &[&divided[..], &["--threads", "2"]].concat())), one_process(&divided));
}

#[test]
fn puzzles_are_solved_by_all_ranks() {
    let base = ["search", "15-puzzle", "--position", PUZZLE, "--depth", "80", "--json"];
    let alone = json(&one_process(&base));
    let shortest = alone["pv"].as_array().map(Vec::len);
    assert!(shortest > Some(20), "{alone}");
    for policy in ["stealing", "tds", "windows"] {
        let several = json(&stdout(&run(2, &[&base[..], &["--policy", policy]].concat())));
        assert_eq!(several["pv"].as_array().map(Vec::len), shortest, "{policy}");
    }
}

/// Some fifty random moves from the goal.
const PUZZLE: &str = "5124/.6B3/9A87/DEFC";

#[test]
fn time_limits_end_all_ranks() {
    let start = Instant::now();
    let output = run(many(3), &["search", "chess", "--time", "1", "--json"]);
    let found = json(&stdout(&output));
    assert!(found["best"].is_string() && found["depth"].as_u64() > Some(3), "{found}");
    assert!(found["seconds"].as_f64() < Some(2.0), "{found}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_cluster_is_checked_before_it_is_used() {
    let found = json(&stdout(&run(many(3), &["cluster", "check", "--threads", "200", "--json"])));
    let ranks = many(3);
    assert_eq!(found["ranks"].as_array().map(Vec::len), Some(ranks as usize));
    assert!(found["ranks"][1]["latency_us"].as_f64() > Some(0.0), "{found}");
    assert!(
        found["warnings"][0]
            .as_str()
            .is_some_and(|warning| warning.contains(&format!("{} threads", ranks * 200))),
        "{found}"
    );
    assert_eq!(found["pairs"][0]["from"], found["ranks"][0]["host"]);
    assert!(found["pairs"][0]["bandwidth_mb_s"].as_f64() > Some(0.0), "{found}");
    let alone = Command::new(job::PROGRAM).args(["cluster", "check"]).output().unwrap();
    assert!(!alone.status.success());
    assert!(String::from_utf8_lossy(&alone.stderr).contains("mpirun -n 4"));
}

#[test]
fn commands_for_one_rank_say_so_once() {
    let output = run(many(3), &["games"]);
    let note = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(note.matches("this command uses one rank").count(), 1, "{note}");
    assert_eq!(stdout(&output), one_process(&["games"]));
}

#[test]
fn wrong_rules_end_the_job_with_one_message() {
    let output = run(many(3), &["search", "ches"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert_eq!(message.matches("did you mean `chess`?").count(), 1, "{message}");
}
