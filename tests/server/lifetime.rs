//! Processes that run rules of strangers end with the server, however it ends and whatever they do.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::Server;

/// Rules whose moves take for ever.
const ENDLESS: &str = "dimensions (8, 8)\nno moves = draw\npieces { man 'M' 'm' }\nproperties { bit : field : [0 .. 1] }\n\
                       main = for each any field do [ either assign (bit = 1) or nothing ].\n";

/// The processes that a process has started, as Linux tells.
fn children(of: u32) -> Vec<u32> {
    let parent = |process: u32| -> Option<u32> {
        let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name before it may have any signs in it.
        text.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    };
    let all = std::fs::read_dir("/proc").expect("Linux").flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|&process| parent(process) == Some(of)).collect()
}

/// Whether it runs; one that has ended and is not yet buried does not.
fn runs(process: u32) -> bool {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    text.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn workers_end_with_the_server() {
    for signal in ["KILL", "TERM", "INT"] {
        for path in ["/api/rules/check", "/api/sessions"] {
            let mut server = Server::start(&["--rules-time", "1m"]);
            let body = json!({"rules": ENDLESS}).to_string();
            let _request = server.begin("POST", path, "content-type: application/json\r\n", &body);
            let mut workers = Vec::new();
            wait_until("a worker starts", || {
                workers = children(server.id());
                !workers.is_empty()
            });
            // It has begun to work.
            std::thread::sleep(Duration::from_millis(300));
            assert!(workers.iter().all(|&worker| runs(worker)), "it ended before the server did");
            server.signal(signal);
            wait_until("the server ends", || server.has_ended());
            wait_until(&format!("{path}: a worker outlives SIG{signal}"), || {
                !workers.iter().any(|&worker| runs(worker))
            });
        }
    }
}
