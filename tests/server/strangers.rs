//! Connections, headers and tokens that mean no good.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::client::Server;

#[test]
fn a_head_has_to_come_in_time() {
    let mut server = Server::start(&[]);
    let start = Instant::now();
    let mut streams: Vec<TcpStream> =
        ["", "GET /api HTTP/1.1\r\nhost: ", "GET /api HTTP/1.1\r\nhost: localhost\r\nx-slow: "]
            .into_iter()
            .map(|head| {
                let mut stream = server.connect();
                stream.write_all(head.as_bytes()).expect("a connection");
                stream
            })
            .collect();
    let mut slow = streams.pop().expect("three");
    let slow = std::thread::spawn(move || {
        // A byte now and then does not help.
        while start.elapsed() < Duration::from_secs(60) && slow.write_all(b"x").is_ok() {
            std::thread::sleep(Duration::from_millis(500));
        }
        start.elapsed()
    });
    for mut stream in streams {
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(start.elapsed() > Duration::from_secs(5), "too soon");
        assert!(start.elapsed() < Duration::from_secs(40), "{:?}", start.elapsed());
    }
    assert!(slow.join().expect("no panic") < Duration::from_secs(40));
    assert!(server.lives());
}

/// A page may keep its connection for the next request, within that time.
#[test]
fn a_connection_serves_many_requests() {
    let server = Server::start(&[]);
    let mut stream = server.connect();
    for _ in 0..5 {
        let request = format!("GET /api HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
        stream.write_all(request.as_bytes()).expect("a connection");
        let mut start = [0; 15];
        stream.read_exact(&mut start).expect("an answer");
        assert_eq!(&start, b"HTTP/1.1 200 OK");
        std::thread::sleep(Duration::from_millis(200));
        stream.set_nonblocking(true).expect("a socket");
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        stream.set_nonblocking(false).expect("a socket");
        assert!(rest.ends_with(b"}"), "{}", String::from_utf8_lossy(&rest));
    }
}

#[test]
fn idle_connections_make_room() {
    let mut server = Server::start_limited("ulimit -n 256;", &["--rules-processes", "4"]);
    let mut idle = Vec::new();
    for number in 0..400 {
        idle.push(server.connect());
        if number % 40 == 0 {
            assert_eq!(server.get("/api").status, 200, "with {number} idle connections");
        }
    }
    // Somebody who listens is not idle.
    let (id, _) = server.open(&serde_json::json!({"game": "tic-tac-toe"}));
    let mut listener = crate::client::Listener::new(&server, &id);
    assert_eq!(listener.next().0, "state");
    idle.extend((0..300).map(|_| server.connect()));
    let played = server.post(&format!("/api/sessions/{id}/play"), &serde_json::json!({"move": "b2"}));
    assert_eq!(played.status, 200);
    assert_eq!(listener.until("state")["ply"], 1);
    // Rules of strangers still get their pipes.
    let rules = "dimensions (3, 3)\nno moves = draw\npieces { mark 'X' 'O' }\nmain = find empty field, replace by mark.\n";
    let check = server.post("/api/rules/check", &serde_json::json!({"rules": rules}));
    assert_eq!(check.json()["ok"], true);
    assert!(server.lives());
}

#[test]
fn without_enough_handles_nothing_begins() {
    let output = Server::refused("ulimit -n 80;", &[]);
    assert!(output.contains("ulimit -n") && output.contains("--rules-processes"), "{output}");
}

#[test]
fn headers_that_say_who_asks_come_once() {
    let server = Server::start(&["--token", "correct-horse"]);
    let bearer = "authorization: Bearer correct-horse\r\n";
    let host = format!("host: {}\r\n", server.address);
    let origin = format!("origin: http://{}\r\n", server.address);
    let get = |headers: &str| server.send("GET", "/api", &format!("{bearer}{headers}"), "");
    assert_eq!(get(&format!("{host}{origin}")).status, 200);
    for twice in [
        format!("{host}host: example.org\r\n"),
        format!("{host}{origin}origin: http://example.org\r\n"),
        format!("{host}sec-fetch-site: same-origin\r\nsec-fetch-site: cross-site\r\n"),
        format!("{host}authorization: Bearer wrong-horse\r\n"),
    ] {
        let answer = get(&twice);
        assert_eq!((answer.status, answer.code().as_str()), (400, "bad-request"), "{twice}");
        assert!(answer.json()["error"]["message"].as_str().is_some_and(|text| text.contains("twice")));
    }
}

#[test]
fn paths_that_are_not_text_get_an_error_like_any_other() {
    let server = Server::start(&[]);
    for path in [
        "/api/games/%ff",
        "/api/sessions/%ff",
        "/api/sessions/%ff/state",
        "/api/sessions/%ff/events",
        "/api/sessions/%ff/tree/1",
        "/api/sessions/x/tree/%ff",
    ] {
        let answer = server.get(path);
        assert_eq!((answer.status, answer.code().as_str()), (400, "bad-request"), "{path}");
    }
    assert_eq!(
        server.post("/api/sessions/%ff/play", &serde_json::json!({"move": "a1"})).code(),
        "bad-request"
    );
    assert_eq!(server.send("DELETE", "/api/sessions/%ff", "", "").code(), "bad-request");
    assert_eq!(server.get("/api/%ff").code(), "no-such-path");
    assert_eq!(server.get("/api/").code(), "no-such-path");
}

#[test]
fn a_token_can_be_kept_out_of_the_list_of_processes() {
    let file = std::env::temp_dir().join(format!("multigame-token-{}", std::process::id()));
    std::fs::write(&file, "correct-horse\n").expect("a file");
    let from_file = Server::start(&["--token-file", file.to_str().expect("a name")]);
    let _ = std::fs::remove_file(&file);
    let from_environment =
        Server::start_limited("MULTIGAME_TOKEN=correct-horse; export MULTIGAME_TOKEN;", &[]);
    for server in [from_file, from_environment] {
        assert_eq!(server.get("/api").code(), "token");
        let bearer = "authorization: Bearer correct-horse\r\n";
        assert_eq!(server.send("GET", "/api", bearer, "").status, 200);
        let arguments = std::fs::read_to_string(format!("/proc/{}/cmdline", server.id())).expect("Linux");
        assert!(!arguments.contains("horse"), "{arguments}");
    }
    for (wrong, said) in [("--token-file /dev/zero", "/dev/zero"), ("--token-file /nowhere", "/nowhere")] {
        let output = Server::refused("", &wrong.split(' ').collect::<Vec<_>>());
        assert!(output.contains(said), "{output}");
    }
}

#[test]
fn guessing_is_slow() {
    let server = Server::start(&["--token", "correct-horse"]);
    let guess = |token: &str| server.send("GET", "/api", &format!("authorization: Bearer {token}\r\n"), "");
    // An old cookie in a page that asks again and again is not a guess.
    for _ in 0..20 {
        assert_eq!(guess("old-token").status, 401);
    }
    let start = Instant::now();
    let mut looked_at = 0;
    while start.elapsed() < Duration::from_secs(4) {
        let answer = guess(&format!("guess-{}", start.elapsed().as_nanos()));
        match (answer.status, answer.code().as_str()) {
            (401, "token") => looked_at += 1,
            (429, "guessing") => std::thread::sleep(Duration::from_millis(5)),
            other => panic!("{other:?}"),
        }
    }
    assert!((4..9).contains(&looked_at), "{looked_at} guesses in 4 s");
    // Nothing tells that this one is right until the time is over.
    let mut answers = vec![guess("correct-horse").status];
    while answers.last() == Some(&429) && start.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(100));
        answers.push(guess("correct-horse").status);
    }
    assert_eq!((answers.first(), answers.last()), (Some(&429), Some(&200)), "{answers:?}");
}
