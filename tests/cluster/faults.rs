//! Ranks that are killed, stopped or of another build, and jobs that are ended from outside.

use std::process::Command;
use std::time::Duration;

use crate::job::{self, Ended, IS_MPICH, Running, job, json, launcher, many, run, signal, stdout};

/// A job ends so soon after one of its ranks was lost.
const SOON: Duration = Duration::from_secs(5);

/// All ranks have ended so soon after a signal.
const AT_ONCE: Duration = Duration::from_millis(200);

/// Starts a job that would search for long, and sends a signal to its last rank.
fn disturb(name: &str) -> Ended {
    let trace = std::env::temp_dir().join(format!("multigame-{}{name}.json", std::process::id()));
    let ranks = many(3);
    let command = job(ranks, &["search", "chess", "--time", "120", "--trace", trace.to_str().unwrap()]);
    let running = Running::start(command, name);
    let victim = running.process_of(ranks - 1);
    let ended = running.disturb(|_| assert!(signal(name, victim)));
    assert!(!trace.exists(), "no file is half written");
    assert!(!ended.status.success(), "{}", ended.stderr);
    assert!(ended.time < SOON, "{:?}: {}", ended.time, ended.stderr);
    ended
}

#[test]
fn a_rank_that_is_killed_ends_the_job() {
    let ended = disturb("-KILL");
    // MPICH's launcher ends the others at once, and names the host on standard output.
    let named = if IS_MPICH { "RUNNING AT ".to_string() } else { format!("rank {}", many(3) - 1) };
    let mut said = ended.lines.iter().map(|(_, line)| line.as_str()).chain([ended.stderr.as_str()]);
    assert!(said.any(|text| text.contains(&named)), "{}", ended.stderr);
}

#[test]
fn a_rank_that_is_stopped_ends_the_job() {
    let message = disturb("-STOP").stderr;
    let rank = many(3) - 1;
    assert!(
        message.contains(&format!("rank {rank} on `")) && message.contains("has not answered"),
        "{message}"
    );
}

/// All ranks have to end within 200 ms of the signal, on a machine that has time for it: one of three tries
/// has to show it. Open MPI's launcher sleeps for a second before it passes on what they printed.
fn is_interrupted_by(name: &str) {
    let mut times = Vec::new();
    for _ in 0..3 {
        let running = Running::start(job(2, &["search", "chess", "--time", "120"]), name);
        std::thread::sleep(Duration::from_millis(500));
        let ended = running.disturb(|running| assert!(signal(name, running.launcher())));
        let best = ended.lines.iter().find(|(_, line)| line.starts_with("best "));
        let (printed, _) = best.unwrap_or_else(|| panic!("the best move is kept: {}", ended.stderr));
        let launcher = Duration::from_millis(if IS_MPICH { 0 } else { 1100 });
        assert!(ended.time < SOON, "{:?}", ended.time);
        times.push((ended.ranks, *printed));
        if ended.ranks < AT_ONCE && *printed < AT_ONCE + launcher {
            return;
        }
    }
    panic!("{times:?}");
}

#[test]
fn an_interrupt_keeps_the_best_move() {
    is_interrupted_by("-INT");
}

#[test]
fn a_request_to_end_keeps_the_best_move() {
    is_interrupted_by("-TERM");
}

/// Two builds of the program differ in their bytes; one at the end that nobody reads is enough.
#[test]
fn another_build_of_the_program_is_named() {
    let other = std::env::temp_dir().join(format!("multigame-other-{}", std::process::id()));
    std::fs::copy(job::PROGRAM, &other).unwrap();
    let mut bytes = std::fs::OpenOptions::new().append(true).open(&other).unwrap();
    std::io::Write::write_all(&mut bytes, b"x").unwrap();
    drop(bytes);
    let output = {
        let _alone = job::alone();
        let search = ["search", "chess", "--depth", "3"];
        let mut command = launcher();
        command.args(["-n", "1", job::PROGRAM]).args(search);
        command.args([":", "-n", "1", other.to_str().unwrap()]).args(search);
        command.output().unwrap()
    };
    std::fs::remove_file(&other).unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{message}");
    let line = message.lines().find(|line| line.starts_with("error: rank 1 on `")).unwrap_or(&message);
    let builds: Vec<&str> = line.split("(build ").skip(1).map(|rest| &rest[..8]).collect();
    assert!(builds.len() == 2 && builds[0] != builds[1] && line.contains("rank 0 on `"), "{message}");
    assert_eq!(message.matches("install the same program everywhere").count(), 1, "{message}");
}

#[test]
fn a_launcher_of_another_library_is_named() {
    let other = if IS_MPICH { "mpirun.openmpi" } else { "mpirun.mpich" };
    if !Command::new(other).arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("note: `{other}` is not installed, so it is not tried");
        return;
    }
    let mut command = Command::new(other);
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    let output = command.args(["-n", "2", job::PROGRAM, "games"]).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert_eq!(message.matches("the launcher of another MPI library").count(), 1, "{message}");
}

/// One process of a launcher is a job as well: the same search by the driver of a cluster.
#[test]
fn one_rank_searches_like_one_process() {
    let search = ["search", "checkers", "--depth", "8", "--json"];
    let (alone, one) = (json(&job::one_process(&search)), json(&stdout(&run(1, &search))));
    assert_eq!(one["nodes"], alone["nodes"]);
    assert_eq!(one["number"], alone["number"]);
    assert_eq!(one["threads"]["processes"].as_array().map(Vec::len), Some(1));
}

/// Rank 0 alone reads the command line.
#[test]
fn a_wrong_command_line_is_told_once() {
    let ranks = many(3);
    let output = run(ranks, &["search", "chess", "--dept", "3"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert_eq!(message.matches("unexpected argument '--dept'").count(), 1, "{message}");
    let output = run(ranks, &["simulate", "chess", "--network", "missing.toml"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(message.matches("cannot read `missing.toml`").count(), 1, "{message}");
    let version = run(ranks, &["--version"]);
    assert_eq!(stdout(&version).lines().count(), 1);
    assert_eq!(stdout(&run(ranks, &["perft", "--help"])), job::one_process(&["perft", "--help"]));
}

#[test]
fn programs_for_one_game_are_one_process() {
    let output = run(2, &["perft", "tic-tac-toe", "3", "--backend", "aot"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert_eq!(message.matches("`--backend aot` runs one process").count(), 1, "{message}");
}
