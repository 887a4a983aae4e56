//! Rules that come with a request run in a process of their own: this is that process.
//!
//! It reads one JSON object on each line of its standard input and writes to its standard output: for each answer a line
//! that says to which request it belongs and one with the body, for each event the same. Its memory is limited before it
//! reads anything; its time is the parent's business, which ends it when it does not answer.

use std::io::{BufRead, Write};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use multigame_game::Game;
use multigame_ir::{Program, RulesGame};
use multigame_loader::{Backend, Playable, Task};
use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::protocol::{Event, Mailbox, Opening, Reply, Request, Rules, Stops};
use crate::rules::{self, Question};
use crate::session::{Hosted, HostedGame};

/// What a parent says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Answer a question about rules.
    Ask(Question),
    /// Begin a session; the milliseconds are for machine code.
    Open(Rules, Opening, u64),
    /// Do something in the session.
    Request(u64, Request),
    /// End searches up to this number, discarding their moves or not.
    Stop(u64, bool),
}

/// What a worker says before a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Header {
    /// An answer to that request; 0 is the question or the opening.
    Ok(u64),
    /// The same, and the body is a failure.
    Failed(u64),
    /// An event of that name.
    Event(String),
}

/// Gets a program ready; makes hosted games for sessions.
pub struct MakeHosted {
    /// The same rules for the interpreter.
    pub tracer: RulesGame,
}

impl Task for MakeHosted {
    type Output = Box<dyn Hosted>;

    fn run<G: Game + 'static>(self, game: G) -> Box<dyn Hosted> {
        Box::new(HostedGame { game, tracer: self.tracer })
    }
}

/// A program ready for sessions, and how it is run. Where machine code is not ready in time, the interpreter plays.
pub fn hosted(program: Program, patience: Duration) -> (Box<dyn Hosted>, &'static str) {
    let tracer = RulesGame::new(program.clone());
    let (sender, receiver) = mpsc::channel();
    let compiled = program.clone();
    std::thread::spawn(move || {
        let (playable, reason) = Playable::new(compiled, Backend::Auto);
        // Nobody may be waiting any more.
        let _ = sender.send((playable, reason.is_none()));
    });
    let (playable, native) = receiver
        .recv_timeout(patience)
        .unwrap_or_else(|_| (Playable::new(program, Backend::Interp).0, false));
    (playable.run(MakeHosted { tracer }), if native { "machine code" } else { "interpreter" })
}

/// Runs a worker until its standard input ends.
pub fn run(memory_mib: u64) -> anyhow::Result<()> {
    limit(memory_mib)?;
    let mut lines = std::io::stdin().lock().lines();
    let Some(first) = lines.next() else { return Ok(()) };
    match serde_json::from_str(&first?)? {
        Order::Ask(question) => say_reply(0, rules::answer(&question)),
        Order::Open(rules, opening, patience) => {
            let (sender, requests) = mpsc::channel();
            let stops = Arc::new(Stops::default());
            let heard = Arc::clone(&stops);
            // Reads on while the session works, for the sake of stops. When the parent is gone, so is the worker.
            std::thread::spawn(move || {
                let lines = std::io::stdin().lock().lines();
                for line in lines.map_while(Result::ok) {
                    match serde_json::from_str(&line) {
                        Ok(Order::Request(number, request)) => {
                            let answer = Box::new(move |reply| say_reply(number, reply));
                            if sender.send((request, answer as _)).is_err() {
                                break;
                            }
                        }
                        Ok(Order::Stop(number, discard)) => heard.stop(number, discard),
                        Ok(Order::Ask(_) | Order::Open(..)) | Err(_) => break,
                    }
                }
                std::process::exit(0);
            });
            drop(lines);
            serve(&rules, &opening, patience, Mailbox { requests, events: Box::new(say_event), stops });
        }
        Order::Request(..) | Order::Stop(..) => {
            anyhow::bail!("a worker begins with a question or an opening")
        }
    }
    Ok(())
}

fn serve(rules: &Rules, opening: &Opening, patience: u64, mailbox: Mailbox) {
    let compiled = match rules::compiled(rules) {
        Ok(compiled) => compiled,
        Err(failure) => return say_reply(0, Err(failure)),
    };
    let (hosted, backend) = hosted(compiled.program, Duration::from_millis(patience));
    let description = serde_json::json!({
        "game": compiled.game, "diagnostics": compiled.warnings, "backend": backend,
    });
    let opened = move |result: Result<(), Failure>| say_reply(0, result.map(|()| description.to_string()));
    hosted.serve(opening, mailbox, Box::new(opened));
}

/// From here on the process cannot take more memory than that, write files or leave a core.
fn limit(memory_mib: u64) -> anyhow::Result<()> {
    let most = |bytes: u64| Rlimit { current: Some(bytes), maximum: Some(bytes) };
    setrlimit(Resource::As, most(memory_mib << 20))?;
    setrlimit(Resource::Core, most(0))?;
    setrlimit(Resource::Fsize, most(0))?;
    Ok(())
}

fn say_reply(number: u64, reply: Reply) {
    match reply {
        Ok(body) => say(&Header::Ok(number), &body),
        Err(failure) => {
            let body = serde_json::to_string(&failure).expect("a failure has string keys only");
            say(&Header::Failed(number), &body);
        }
    }
}

fn say_event(event: Event) {
    say(&Header::Event(event.name.to_string()), &event.data);
}

fn say(header: &Header, body: &str) {
    let header = serde_json::to_string(header).expect("a header has string keys only");
    let mut out = std::io::stdout().lock();
    let written = writeln!(out, "{header}\n{body}").and_then(|()| out.flush());
    if written.is_err() {
        // Nobody listens any more.
        std::process::exit(0);
    }
}
