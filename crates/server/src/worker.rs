//! Rules that come with a request run in a process of their own: this is that process.
//!
//! It reads one JSON object on each line of its standard input and writes to its standard output: for each answer a line
//! that says to which request it belongs and one with the body, for each event the same. Its memory is limited before it
//! reads anything; its time is the parent's business, which ends it when it does not answer. It ends with its parent: when
//! its standard input ends, whatever it is doing then.

use std::io::{BufRead, Write};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use multigame_game::Portable;
use multigame_ir::{Program, RulesGame};
use multigame_loader::{Backend, Playable, WithGame};
use multigame_player::ranks::{Ranks, Rulebook};
use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::protocol::{Answer, Event, Mailbox, Opening, Reply, Request, Rules, Stops};
use crate::rules::{self, Question};
use crate::session::{self, Hosted, HostedGame, Next, Shared};

/// What a parent says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Answer a question about rules.
    Ask(Question),
    /// Begin a session.
    Open(Rules, Opening),
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

/// Machine code that is ready within this time is used from the beginning; otherwise the interpreter begins.
const PATIENCE: Duration = Duration::from_millis(700);

/// The stack of the thread that hears orders: they are texts without much structure.
const STACK: usize = 512 << 10;

/// Makes a game one that sessions can be opened for.
struct MakeHosted {
    tracer: RulesGame,
    shared: Option<Shared>,
}

impl MakeHosted {
    /// For a program that is played by the interpreter or not; `ranks` search it, too.
    fn new(program: Program, interpret: bool, ranks: Option<&'static Ranks>) -> MakeHosted {
        let book = || Arc::new(Rulebook::new(&program, interpret));
        let shared = ranks.map(|ranks| Shared { ranks, book: book() });
        MakeHosted { tracer: RulesGame::new(program), shared }
    }
}

impl WithGame for MakeHosted {
    type Output = Arc<dyn Hosted>;

    fn run<G: Portable + 'static>(self, game: G) -> Arc<dyn Hosted> {
        Arc::new(HostedGame { game, tracer: self.tracer, shared: self.shared })
    }
}

/// A game that can be played at once.
pub struct Ready {
    /// What plays it at first.
    pub first: Arc<dyn Hosted>,
    /// What plays it afterwards; it comes when the compiler is ready.
    pub next: Arc<Next>,
    /// How it is run at first, in words.
    pub backend: &'static str,
}

/// Gets a program ready. Large rules take seconds to become machine code, and nobody has to wait for that.
/// `ranks` are to search the game, too.
pub fn get_ready(program: Program, ranks: Option<&'static Ranks>) -> Ready {
    let next = Arc::new(Next::new());
    let (sender, receiver) = mpsc::channel();
    let (filled, compiled) = (Arc::clone(&next), program.clone());
    // Where the system has no more threads, the interpreter goes on.
    let _ = std::thread::Builder::new().spawn(move || {
        let made = MakeHosted::new(compiled.clone(), false, ranks);
        if let (playable @ Playable::Native(_), _) = Playable::new(compiled, Backend::Auto) {
            let _ = filled.set(playable.run(made));
        }
        // Nobody may be waiting any more.
        let _ = sender.send(());
    });
    let _ = receiver.recv_timeout(PATIENCE);
    if let Some(native) = next.get() {
        return Ready { first: Arc::clone(native), next: Arc::default(), backend: "machine code" };
    }
    let made = MakeHosted::new(program.clone(), true, ranks);
    let (playable, _) = Playable::new(program, Backend::Interp);
    Ready { first: playable.run(made), next, backend: "interpreter" }
}

/// Runs a worker until its work is done or its standard input ends.
pub fn run(memory_mib: u64) -> anyhow::Result<()> {
    limit(memory_mib)?;
    let (begin, first) = mpsc::channel();
    let (sender, requests) = mpsc::channel();
    let stops = Arc::new(Stops::default());
    let listener = Listener { begin: Some(begin), requests: sender, stops: Arc::clone(&stops) };
    std::thread::Builder::new().stack_size(STACK).spawn(|| listener.listen())?;
    match first.recv()? {
        Begin::Ask(question) => say_reply(0, rules::answer(&question)),
        Begin::Open(rules, opening) => {
            serve(&rules, &opening, &Mailbox { requests, events: Box::new(say_event), stops });
        }
    }
    Ok(())
}

/// What a worker does.
enum Begin {
    Ask(Question),
    Open(Rules, Opening),
}

/// The thread that hears orders while the worker works: stops must reach a search, and the end of the input must reach
/// rules that never come to an end. A signal at the death of the parent (`PR_SET_PDEATHSIG`) would do the same on Linux only,
/// and it comes already when the thread of the parent ends that started the worker.
struct Listener {
    begin: Option<mpsc::Sender<Begin>>,
    requests: mpsc::Sender<(Request, Answer)>,
    stops: Arc<Stops>,
}

impl Listener {
    /// Passes orders on until the input ends, which ends the process, however busy it is: nobody waits for it any more.
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

fn serve(rules: &Rules, opening: &Opening, mailbox: &Mailbox) {
    let compiled = match rules::compiled(rules) {
        Ok(compiled) => compiled,
        Err(failure) => return say_reply(0, Err(failure)),
    };
    let ready = get_ready(compiled.program.clone(), None);
    let description = compiled.describe(ready.backend);
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
