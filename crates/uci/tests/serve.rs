//! Whole conversations with a real search.

#![allow(clippy::disallowed_methods, reason = "a test may use files")]

#[allow(dead_code)]
mod support;

use std::io::{BufReader, Read, Write};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use multigame_ir::RulesGame;
use support::{game, player};

/// One end of a pipe.
struct Pipe(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.1.is_empty() {
            let Ok(bytes) = self.0.recv() else { return Ok(0) };
            self.1 = bytes;
        }
        let count = buffer.len().min(self.1.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

/// What has been said, with the time.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<(Instant, String)>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let mut said = self.0.lock().unwrap();
        for line in text.split_inclusive('\n') {
            match said.last_mut() {
                Some((_, last)) if !last.ends_with('\n') => last.push_str(line),
                _ => said.push((Instant::now(), line.to_string())),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Said {
    /// Waits for a line that begins so, from a number of lines on.
    fn wait_for(&self, start: &str, from: usize) -> (Instant, String, usize) {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(20) {
            let said = self.0.lock().unwrap();
            for (number, (time, line)) in said.iter().enumerate().skip(from) {
                if line.starts_with(start) && line.ends_with('\n') {
                    return (*time, line.trim_end().to_string(), number + 1);
                }
            }
            drop(said);
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("`{start}` was not said: {:?}", self.0.lock().unwrap());
    }
}

fn converse(game: &RulesGame, talk: impl FnOnce(&Sender<Vec<u8>>, &Said) + Send) {
    let (send, receive) = channel();
    let said = Said::default();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let output = said.clone();
        let stop = &stop;
        let server = scope.spawn(move || {
            let input = BufReader::new(Pipe(receive, Vec::new()));
            multigame_uci::serve(game, player(game, stop), stop, input, output)
        });
        talk(&send, &said);
        let _ = send.send(b"quit\n".to_vec());
        server.join().unwrap().unwrap();
    });
}

fn say(send: &Sender<Vec<u8>>, line: &str) -> Instant {
    send.send(format!("{line}\n").into_bytes()).unwrap();
    Instant::now()
}

#[test]
fn stop_is_obeyed_at_once() {
    let game = game("chess");
    converse(&game, |send, said| {
        say(send, "isready");
        let (_, _, mut from) = said.wait_for("readyok", 0);
        let mut soonest = Duration::MAX;
        for pause in [0, 1, 50, 300, 100, 200] {
            say(send, "position startpos moves e2e4");
            say(send, "go infinite");
            std::thread::sleep(Duration::from_millis(pause));
            let stopped = say(send, "stop");
            let (time, line, next) = said.wait_for("bestmove", from);
            from = next;
            // The machine may be busy with other tests; 100 ms are promised on a free one.
            assert!(time - stopped < Duration::from_millis(400), "{:?}", time - stopped);
            soonest = soonest.min(time - stopped);
            assert_ne!(line, "bestmove (none)");
        }
        assert!(soonest < Duration::from_millis(100), "{soonest:?}");
    });
}

#[test]
fn pondering_ends_when_the_clock_says_so() {
    let game = game("breakthrough");
    converse(&game, |send, said| {
        say(send, "isready");
        let (_, _, from) = said.wait_for("readyok", 0);
        say(send, "go ponder movetime 100");
        std::thread::sleep(Duration::from_millis(400));
        assert!(said.0.lock().unwrap().iter().all(|(_, line)| !line.starts_with("bestmove")));
        let hit = say(send, "ponderhit");
        let (time, _, _) = said.wait_for("bestmove", from);
        let took = time - hit;
        assert!(took > Duration::from_millis(80) && took < Duration::from_secs(2), "{took:?}");
    });
}

#[test]
fn a_won_position_is_told_as_mate_and_only_moves_asked_for_are_played() {
    let game = game("tic-tac-toe");
    converse(&game, |send, said| {
        say(send, "setoption name MultiPV value 2");
        say(send, "position startpos moves a1 b1 a2 b2");
        say(send, "go depth 5");
        let (_, line, from) = said.wait_for("bestmove", 0);
        assert_eq!(line, "bestmove a3");
        said.wait_for("info depth 1 multipv 1 score mate 1 ", 0);
        said.wait_for("info depth 1 multipv 2 score", 0);
        say(send, "setoption name MultiPV value 1");
        say(send, "go depth 3 searchmoves c1");
        let (_, line, from) = said.wait_for("bestmove c1", from);
        assert!(line.starts_with("bestmove c1"));
        say(send, "position startpos moves a1 b1 a2 b2 a3");
        say(send, "go depth 3");
        let (_, line, _) = said.wait_for("bestmove", from);
        assert_eq!(line, "bestmove (none)");
    });
}

#[test]
fn options_that_the_engine_does_not_use_are_refused_and_change_nothing() {
    let game = game("tic-tac-toe");
    converse(&game, |send, said| {
        say(send, "setoption name Hash value 64");
        say(send, "setoption name Search value engine=dfpn,null=off");
        let (_, line, from) = said.wait_for("info string these options cannot be used", 0);
        assert!(line.ends_with("use alphabeta, negascout or mtdf"), "{line}");
        // It is the size that was offered, so nobody wished for it.
        say(send, "setoption name Search value engine=dfpn");
        say(send, "setoption name Hash value 32");
        let (_, line, _) = said.wait_for("info string", from);
        assert!(line.contains("`engine=dfpn` does not use option `tt-size`"), "{line}");
        say(send, "go nodes 1000");
        said.wait_for("bestmove", from);
    });
}

#[test]
fn a_depth_that_the_engine_does_not_know_is_said_to_be_left_out() {
    let game = game("tic-tac-toe");
    converse(&game, |send, said| {
        say(send, "setoption name Search value engine=mcts");
        say(send, "go depth 3 nodes 500");
        let (_, line, from) = said.wait_for("info string `engine=mcts` does not search by depth", 0);
        assert!(line.ends_with("this search has no limit of depth"), "{line}");
        let (_, line, _) = said.wait_for("bestmove", from);
        assert_ne!(line, "bestmove (none)");
    });
}

#[test]
fn moves_with_blanks_in_their_names_are_one_word() {
    let game = game("dots-and-boxes");
    converse(&game, |send, said| {
        say(send, "go depth 1");
        let (_, line, from) = said.wait_for("bestmove", 0);
        let first = line.split(' ').nth(1).unwrap().to_string();
        say(send, &format!("position startpos moves {first}"));
        say(send, "go depth 1");
        let (_, line, next) = said.wait_for("bestmove", from);
        assert_ne!(line, "bestmove (none)");
        assert_ne!(line.split(' ').nth(1), Some(first.as_str()));
        let complaints = said.0.lock().unwrap();
        assert!(complaints[..next].iter().all(|(_, line)| !line.starts_with("info string")));
    });
}

#[test]
fn no_game_is_lost_on_time() {
    let game = game("breakthrough");
    converse(&game, |send, said| {
        say(send, "isready");
        let (_, _, mut from) = said.wait_for("readyok", 0);
        let mut left = [Duration::from_millis(800); 2];
        let mut moves = String::new();
        for ply in 0..60 {
            let [white, black] = left.map(|time| time.as_millis());
            say(send, &format!("position startpos moves{moves}"));
            let began = say(send, &format!("go wtime {white} btime {black} winc 5 binc 5"));
            let (time, line, next) = said.wait_for("bestmove", from);
            from = next;
            let mv = line.split(' ').nth(1).unwrap();
            if mv == "(none)" {
                break;
            }
            let clock = &mut left[ply % 2];
            *clock = clock.checked_sub(time - began).expect("lost on time") + Duration::from_millis(5);
            moves.push_str(&format!(" {mv}"));
        }
    });
}

/// All that is said in answer to an input, which must end the conversation in time.
fn answers(input: &'static [u8]) -> String {
    let game = game("connect-4");
    let (send, receive) = channel();
    let said = Said::default();
    let output = said.clone();
    std::thread::spawn(move || {
        let stop = AtomicBool::new(false);
        let served = multigame_uci::serve(&game, player(&game, &stop), &stop, input, output);
        send.send(served.is_ok()).unwrap();
    });
    assert_eq!(receive.recv_timeout(Duration::from_secs(60)), Ok(true), "the conversation does not end");
    said.0.lock().unwrap().iter().map(|(_, line)| line.as_str()).collect()
}

#[test]
fn every_conversation_ends_with_its_input() {
    for input in [
        &b"go depth 5\ngo infinite\n"[..],
        b"go infinite\ngo infinite\n",
        b"go ponder wtime 100000 btime 100000\nposition startpos moves d1\ngo ponder movetime 100",
        b"go movetime 50\nstop\ngo\nisready\n",
    ] {
        let said = answers(input);
        assert_eq!(said.matches("bestmove").count(), 2, "{said}");
        assert!(!said.contains("(none)"), "{said}");
    }
}

#[test]
fn a_byte_that_is_not_text_is_no_end() {
    let said = answers(b"isready\ngo\xff depth 2\ngo depth 3\n");
    assert!(said.contains("info string there is no command `go\u{fffd}`"), "{said}");
    assert!(said.contains("readyok") && said.contains("bestmove"), "{said}");
}

#[test]
fn an_endless_line_is_left_out() {
    let mut input = vec![b'x'; 5 << 20];
    input.extend(b"\ngo depth 2\n");
    let said = answers(input.leak());
    assert!(said.contains("info string a line has more than 1048576 bytes and is left out"), "{said}");
    assert!(said.contains("bestmove"), "{said}");
}
