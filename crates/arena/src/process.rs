//! Another program as a player: started as a child process that speaks UCI.

use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use multigame_game::{Game, Line, position_text};
use multigame_input::{Heard, hear};
use multigame_player::{Limits, ranks};
use multigame_uci::{find_move, move_text};

use crate::{Contestant, Failure};

/// How long a program may take to start, and to get ready for a game.
const START: Duration = Duration::from_secs(30);
/// How long a program may take to leave by itself.
const FAREWELL: Duration = Duration::from_millis(200);

/// A UCI engine. It is killed when it hangs, and when nobody needs it any more.
pub struct Process {
    command: Vec<String>,
    options: Vec<(String, String)>,
    running: Option<Running>,
    /// The moves of the game so far, by key: naming all of them again for each move would take the program's
    /// time.
    words: Vec<(u64, String)>,
    /// When its last move was heard.
    answered: Option<Instant>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    /// Lines it says, and when they were heard, until it is gone.
    output: Receiver<(Instant, String)>,
}

impl Process {
    /// Starts a program and sets its options.
    pub fn start(command: &[String], options: &[(String, String)]) -> Result<Process, Failure> {
        let mut process = Process {
            command: command.to_vec(),
            options: options.to_vec(),
            running: None,
            words: Vec::new(),
            answered: None,
        };
        process.restart()?;
        Ok(process)
    }

    /// The number of the process, for whoever wants to look at it.
    pub fn id(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.child.id())
    }

    fn restart(&mut self) -> Result<(), Failure> {
        self.running = None;
        let (program, arguments) = self
            .command
            .split_first()
            .ok_or_else(|| Failure::Crashed("no program is named; write `uci:PROGRAM`".to_string()))?;
        let launcher = std::env::vars_os().map(|(name, _)| name).filter(|name| ranks::is_of_launcher(name));
        let mut command = Command::new(program);
        launcher.for_each(|name| {
            command.env_remove(name);
        });
        let child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child =
            child.map_err(|error| Failure::Crashed(format!("`{program}` cannot be started: {error}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Failure::Crashed(format!("`{program}` has no input and output")));
        };
        let (send, receive) = channel();
        let listening = std::thread::Builder::new().spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(Some(heard)) = hear(&mut output) {
                // Programs that say more in a line do not say a move.
                if let Heard::Line(line) = heard
                    && send.send((Instant::now(), line)).is_err()
                {
                    return;
                }
            }
        });
        listening.map_err(|error| Failure::Crashed(format!("a thread cannot be started: {error}")))?;
        let mut running = Running { child, input, output: receive };
        running.ask("uci", "uciok", START)?;
        for (name, value) in &self.options {
            running.say(&format!("setoption name {name} value {value}"))?;
        }
        running.ask("isready", "readyok", START)?;
        self.running = Some(running);
        Ok(())
    }

    /// Asks for a move; the answer is what comes after `bestmove`.
    fn best_move(&mut self, position: &str, go: &str, patience: Duration) -> Result<String, Failure> {
        let running =
            self.running.as_mut().ok_or_else(|| Failure::Crashed("it is not running".to_string()))?;
        running.say(position)?;
        let (heard, answer) = running.ask(go, "bestmove", patience)?;
        self.answered = Some(heard);
        Ok(answer.split_ascii_whitespace().nth(1).unwrap_or("").to_string())
    }
}

impl Process {
    /// `position ...` for a game being played.
    fn position_command<G: Game>(
        &mut self,
        line: &Line<'_, G>,
    ) -> Result<String, multigame_game::RulesError> {
        let game = line.game();
        let start = game.diagram(&line.positions()[0]);
        let mut text = if start == game.description().initial {
            "position startpos".to_string()
        } else {
            format!("position fen {}", position_text(game.description(), &start))
        };
        for (number, mv) in line.moves().iter().enumerate() {
            let key = game.move_key(mv);
            if self.words.get(number).is_none_or(|(known, _)| *known != key) {
                self.words.truncate(number);
                self.words.push((key, move_text(game, &line.positions()[number], mv)?));
            }
            text.push_str(if number == 0 { " moves " } else { " " });
            text.push_str(&self.words[number].1);
        }
        Ok(text)
    }
}

impl<G: Game> Contestant<G> for Process {
    fn new_game(&mut self) -> Result<(), Failure> {
        self.words.clear();
        let Some(running) = &mut self.running else { return self.restart() };
        let greeted = running.say("ucinewgame").and_then(|()| running.ask("isready", "readyok", START));
        match greeted {
            Ok(_) => Ok(()),
            // It may have died of the last game; that one was lost already.
            Err(_) => self.restart(),
        }
    }

    fn choose(
        &mut self,
        line: &Line<'_, G>,
        limits: &Limits,
        patience: Duration,
    ) -> Result<G::Move, Failure> {
        self.answered = None;
        let position = self.position_command(line).map_err(|error| Failure::Broken(error.to_string()))?;
        let answer = self.best_move(&position, &go_command(limits), patience);
        let chosen = answer.and_then(|text| {
            let mv = find_move(line.game(), line.position(), &text);
            mv.map_err(|_| Failure::Illegal(if text.is_empty() { "nothing".to_string() } else { text }))
        });
        if chosen.is_err() {
            // Whatever it does now, it does not belong to the next game.
            self.running = None;
        }
        chosen
    }

    fn answered(&self) -> Option<Instant> {
        self.answered
    }
}

/// `go ...` for limits.
fn go_command(limits: &Limits) -> String {
    let mut text = String::from("go");
    if let Some(clock) = limits.clock {
        let [white, black] = clock.left.map(|time| time.as_millis().max(1));
        text.push_str(&format!(" wtime {white} btime {black}"));
        let increment = clock.increment.as_millis();
        text.push_str(&format!(" winc {increment} binc {increment}"));
    }
    if let Some(time) = limits.time {
        text.push_str(&format!(" movetime {}", time.as_millis()));
    }
    if let Some(depth) = limits.depth {
        text.push_str(&format!(" depth {depth}"));
    }
    if let Some(nodes) = limits.nodes {
        text.push_str(&format!(" nodes {nodes}"));
    }
    text
}

impl Running {
    fn say(&mut self, line: &str) -> Result<(), Failure> {
        let said = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        said.map_err(|_| self.gone())
    }

    /// Says something and waits for a line that begins with a word; tells when it was heard, too.
    fn ask(&mut self, line: &str, word: &str, patience: Duration) -> Result<(Instant, String), Failure> {
        self.say(line)?;
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(heard) if heard.1.split_ascii_whitespace().next() == Some(word) => return Ok(heard),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return Err(Failure::Hung(patience)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
            }
        }
    }

    /// It has closed its output: says how it ended.
    fn gone(&mut self) -> Failure {
        let deadline = Instant::now() + FAREWELL;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Failure::Crashed(status.to_string()),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
                _ => return Failure::Crashed("it closed its output".to_string()),
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.say("quit");
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
