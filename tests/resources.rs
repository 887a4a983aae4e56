//! What a system may not give: threads, memory, file handles; and input that has no end. The program says
//! what is missing and ends.

#![cfg(unix)]

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What became of a command: its exit code if it ended in time, and all that it said.
struct Ended {
    code: Option<i32>,
    said: String,
}

/// Runs `multigame` in a shell that sets limits first.
fn run(limits: &str, command: &str, input: &[u8]) -> Ended {
    let script = format!("{limits} exec \"$0\" {command} 2>&1");
    let mut child = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_multigame")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut output = child.stdout.take().expect("a pipe");
    // It may end without listening.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    let reader = std::thread::spawn(move || {
        let mut said = Vec::new();
        let _ = output.read_to_end(&mut said);
        String::from_utf8_lossy(&said).into_owned()
    });
    let code = wait(&mut child);
    Ended { code, said: reader.join().expect("reading does not panic") }
}

/// Waits a minute for the end, then brings it about.
fn wait(child: &mut Child) -> Option<i32> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// 200 threads with stacks of 64 MiB do not fit in.
const FEW: &str = "ulimit -v 4000000;";

#[test]
fn threads_that_cannot_be_started_are_an_error() {
    for command in [
        "search connect-4 --threads 200 --time 1",
        "search connect-4 --threads 200 --time 1 --policy lazy-smp",
        "search connect-4 --threads 200 --time 1 --policy aspiration",
        "search 15-puzzle --threads 200 --time 1",
        "perft tic-tac-toe 5 --threads 200",
    ] {
        let Ended { code, said } = run(FEW, command, b"");
        assert_eq!(code, Some(1), "{command}: {said}");
        assert!(said.contains("of 200 threads can be started"), "{command}: {said}");
        assert!(said.contains("use fewer `threads`") && !said.contains("panicked"), "{command}: {said}");
    }
}

#[test]
fn a_game_is_not_lost_because_of_threads_that_cannot_be_started() {
    let input = b"setoption name Threads value 200\nisready\ngo movetime 100\n";
    let Ended { code, said } = run(FEW, "uci connect-4", input);
    assert_eq!(code, Some(0), "{said}");
    let complaint = said.find("info string only ").expect("a complaint");
    assert!(complaint < said.find("readyok").expect("an answer"), "told before it matters: {said}");
    assert!(said.contains("bestmove ") && !said.contains("(none)"), "{said}");
}

#[test]
fn endless_files_are_refused_before_they_fill_the_memory() {
    for command in [
        "check /dev/zero",
        "fmt /dev/zero",
        "show tic-tac-toe --weights-file /dev/zero",
        "play tic-tac-toe --book /dev/zero",
        "search tic-tac-toe --patterns /dev/zero",
        "search tic-tac-toe --network /dev/zero",
        "match default default --game tic-tac-toe --games 2 --openings /dev/zero",
        "match weights=/dev/zero default --game tic-tac-toe --games 2",
    ] {
        let Ended { code, said } = run("ulimit -v 1000000;", command, b"");
        assert!(code.is_some_and(|code| code > 0), "{command}: {code:?} {said}");
        assert!(said.contains("/dev/zero") && said.contains("MiB"), "{command}: {said}");
    }
    let Ended { said, .. } =
        run("ulimit -v 1000000;", "play tic-tac-toe", b"execute /dev/zero\nread /dev/zero\nb2\n");
    assert_eq!(said.matches("MiB; is it the right file?").count(), 2, "{said}");
    assert!(said.contains("b2"), "the shell goes on: {said}");
}

#[test]
fn a_byte_that_is_not_text_is_no_end_of_the_shell() {
    let Ended { code, said } = run("", "play tic-tac-toe", b"\xff\nlegal\xfe\nb2\n");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("white: b2"), "{said}");
}
