//! Rules that come with a request run in a process of their own: this is that process.
//!
//! It reads one JSON object on each line of its standard input and writes to its standard output: for each
//! answer a line that says to which request it belongs and one with the body, for each event the same. Its
//! memory is limited before it reads anything; its time is the parent's business, which ends it when it does
//! not answer. It ends with its parent: when its standard input ends, whatever it is doing then.

use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::{Arc, mpsc};

use multigame_session::{
    self as session, Answer, Compiled, Event, Failure, Header, Known, Mailbox, MakeGame, Opening, Order,
    Question, Reply, Request, Rules, Stops, With, get_ready,
};
use rustix::process::{Resource, Rlimit, setrlimit};

use crate::databases;

/// The stack of the thread that hears orders: they are texts without much structure.
const STACK: usize = 512 << 10;

/// The part of the memory that values of databases may take: reading them takes more for a moment.
const DATABASES: u64 = 4;

/// Runs a worker until its work is done or its standard input ends.
pub fn run(memory_mib: u64, endgames: Option<&Path>, make: MakeGame) -> anyhow::Result<()> {
    limit(memory_mib)?;
    let (begin, first) = mpsc::channel();
    let (sender, requests) = mpsc::channel();
    let stops = Arc::new(Stops::default());
    let listener = Listener { begin: Some(begin), requests: sender, stops: Arc::clone(&stops) };
    std::thread::Builder::new().stack_size(STACK).spawn(|| listener.listen())?;
    match first.recv()? {
        Begin::Ask(question) => say_reply(0, session::answer(&question)),
        Begin::Open(rules, opening) => {
            let known = |compiled: &Compiled| {
                let path = databases::find(endgames?, &rules.name)?;
                Some(Known::read(&path, &compiled.program, (memory_mib << 20) / DATABASES))
            };
            let mailbox = Mailbox { requests, events: Box::new(say_event), stops };
            serve(&rules, &opening, &mailbox, make, known);
        }
    }
    Ok(())
}

/// What a worker does.
enum Begin {
    Ask(Question),
    Open(Rules, Opening),
}

/// The thread that hears orders while the worker works: stops must reach a search, and the end of the input
/// must reach rules that never come to an end. A signal at the death of the parent (`PR_SET_PDEATHSIG`) would
/// do the same on Linux only, and it comes already when the thread of the parent ends that started the
/// worker.
struct Listener {
    begin: Option<mpsc::Sender<Begin>>,
    requests: mpsc::Sender<(Request, Answer)>,
    stops: Arc<Stops>,
}

impl Listener {
    /// Passes orders on until the input ends, which ends the process, however busy it is: nobody waits for it
    /// any more.
    fn listen(mut self) {
        let lines = std::io::stdin().lock().lines();
        for line in lines.map_while(Result::ok) {
            let order = serde_json::from_str(&line).ok();
            if order.and_then(|order| self.obey(order)).is_none() {
                break;
            }
        }
        std::process::exit(0);
    }

    /// Nothing if the order makes no sense, or comes too late.
    fn obey(&mut self, order: Order) -> Option<()> {
        match order {
            Order::Ask(question) => self.begin.take()?.send(Begin::Ask(question)).ok(),
            Order::Open(rules, opening) => self.begin.take()?.send(Begin::Open(rules, opening)).ok(),
            Order::Request(number, request) => {
                let answer = Box::new(move |reply| say_reply(number, reply));
                self.requests.send((request, answer)).ok()
            }
            Order::Stop(number, discard) => {
                self.stops.stop(number, discard);
                Some(())
            }
        }
    }
}

fn serve(
    rules: &Rules,
    opening: &Opening,
    mailbox: &Mailbox,
    make: MakeGame,
    known: impl FnOnce(&Compiled) -> Option<Known>,
) {
    let compiled = match session::compiled(rules) {
        Ok(compiled) => compiled,
        Err(failure) => return say_reply(0, Err(failure)),
    };
    let known = known(&compiled).unwrap_or_default();
    let with = With { ranks: None, endgames: known.endgames.clone() };
    let ready = get_ready(compiled.program.clone(), make, with);
    let description = compiled.describe(ready.backend, &known);
    let opened = move |result: Result<(), Failure>| say_reply(0, result.map(|()| description.to_string()));
    session::run(&*ready.first, &ready.next, opening, mailbox, Box::new(opened));
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
