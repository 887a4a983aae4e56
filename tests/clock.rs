//! Games on short clocks while the machine is busy with something else: nobody loses on time.
//!
//! `GAMES=200 cargo test --release --test clock` plays more of them than the usual number.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// Games of 0.05 s and 0.01 s a move; the number is even, since colours are swapped.
fn games() -> String {
    std::env::var("GAMES").unwrap_or_else(|_| "6".to_string())
}

/// Keeps every processor busy for as long as something takes.
fn under_load<T>(work: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    let processors = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..processors {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let result = work();
        stop.store(true, Ordering::Relaxed);
        result
    })
}

#[test]
fn no_game_is_lost_on_time() {
    let log = std::env::temp_dir().join(format!("multigame-clock-{}", std::process::id()));
    let engine = format!("uci:{} uci chess,name=process", env!("CARGO_BIN_EXE_multigame"));
    let games = games();
    let arguments = ["--games", &games, "--clock", "0.05+0.01", "--margin", "1ms", "--json"];
    let output = under_load(|| {
        Command::new(env!("CARGO_BIN_EXE_multigame"))
            .args(["match", "default", &engine, "--game", "chess", "--log"])
            .arg(&log)
            .args(arguments)
            .output()
            .expect("the program runs")
    });
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&log).expect("a log");
    let _ = std::fs::remove_file(&log);
    let played: Vec<&str> = text.lines().filter(|line| line.contains("\"number\"")).collect();
    assert_eq!(played.len().to_string(), games, "{text}");
    let late: Vec<&&str> = played.iter().filter(|line| line.contains("ran out of time")).collect();
    assert!(late.is_empty(), "{} of {games} games lost on time: {late:?}", late.len());
}
