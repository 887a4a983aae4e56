//! The way to a session: a thread of this process for bundled games, a process of its own for rules of
//! strangers.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use multigame_session::{
    self as session, Answer, EVENTS, Event, Events, Failure, Header, Hosted, Mailbox, Next, Opening, Order,
    Reply, Request, Stops,
};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use crate::config::Config;

/// The stack of a session's thread; the interpreter makes more where it needs it.
const STACK: usize = 8 << 20;
/// No answer of a worker is longer.
const LONGEST_LINE: u64 = 64 << 20;

/// A session that can be asked.
pub enum Link {
    /// In this process.
    Thread {
        /// Its mailbox.
        requests: mpsc::Sender<(Request, Answer)>,
        /// Its searches.
        stops: Arc<Stops>,
    },
    /// In a process of its own, which ends when this is dropped.
    Process {
        /// What it is told.
        orders: UnboundedSender<Order>,
        /// Who waits for which answer.
        waiting: Arc<Waiting>,
    },
}

/// Who waits for which answer of a worker.
#[derive(Default)]
pub struct Waiting {
    next: AtomicU64,
    answers: Mutex<HashMap<u64, oneshot::Sender<Reply>>>,
}

impl Waiting {
    fn expect(&self, number: u64) -> oneshot::Receiver<Reply> {
        let (sender, receiver) = oneshot::channel();
        self.answers.lock().expect("nobody panics here").insert(number, sender);
        receiver
    }

    fn answer(&self, number: u64, reply: Reply) {
        if let Some(sender) = self.answers.lock().expect("nobody panics here").remove(&number) {
            // The client may have given up.
            let _ = sender.send(reply);
        }
    }

    /// The worker is gone: nobody needs to wait any more.
    fn give_up(&self) {
        self.answers.lock().expect("nobody panics here").clear();
    }
}

impl Link {
    /// Opens a session on a thread of this process.
    pub async fn thread(
        game: (Arc<dyn Hosted>, Arc<Next>),
        opening: Opening,
        events: Events,
    ) -> Result<Link, Failure> {
        let (requests, receiver) = mpsc::channel();
        let stops = Arc::new(Stops::default());
        let mailbox = Mailbox { requests: receiver, events, stops: Arc::clone(&stops) };
        let (sender, opened) = oneshot::channel();
        let body = move || {
            let opened = Box::new(move |result| {
                let _ = sender.send(result);
            });
            // A panic ends this session; whoever waits for it is told so because the answers are dropped.
            let (first, next) = game;
            let run = || session::run(&*first, &next, &opening, &mailbox, opened);
            let _ = catch_unwind(AssertUnwindSafe(run));
        };
        let thread = std::thread::Builder::new().name("session".to_string()).stack_size(STACK).spawn(body);
        if thread.is_err() {
            return Err(Failure::new(
                429,
                "busy",
                "the machine has no room for another session; try again later",
            ));
        }
        opened.await.unwrap_or_else(|_| Err(Failure::session_failed()))?;
        Ok(Link::Thread { requests, stops })
    }

    /// Starts a worker with its first order; the answer to that is its body.
    pub async fn process(config: &Config, first: Order, events: Events) -> Result<(Link, String), Failure> {
        let mut command = Command::new(&config.worker);
        command.args(["serve-worker", "--memory", &config.limits.rules_memory_mib.to_string()]);
        if let Some(path) = &config.endgames {
            command.arg("--endgames").arg(path);
        }
        let mut child = command
            .env_clear()
            // Each arena takes 64 MiB of the address space, which is what is limited.
            .env("MALLOC_ARENA_MAX", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|_| {
                Failure::new(429, "busy", "no process can be started for these rules; try again later")
            })?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Failure::session_failed());
        };
        let waiting = Arc::new(Waiting::default());
        let opened = waiting.expect(0);
        waiting.next.store(1, Ordering::Relaxed);
        let (orders, receiver) = unbounded_channel();
        tokio::spawn(talk(child, input, receiver));
        tokio::spawn(listen(output, Arc::clone(&waiting), events));
        let link = Link::Process { orders, waiting };
        link.tell(first);
        let body = opened.await.unwrap_or_else(|_| Err(Failure::session_failed()))?;
        Ok((link, body))
    }

    /// Whether its rules may travel to other ranks of a job.
    pub fn is_thread(&self) -> bool {
        matches!(self, Link::Thread { .. })
    }

    /// Asks the session and waits for its answer.
    pub async fn ask(&self, request: Request) -> Reply {
        let answer = match self {
            Link::Thread { requests, .. } => {
                let (sender, receiver) = oneshot::channel();
                let answer: Answer = Box::new(move |reply| {
                    let _ = sender.send(reply);
                });
                // A session that has ended drops the request, and with it whoever waits.
                let _ = requests.send((request, answer));
                receiver
            }
            Link::Process { waiting, .. } => {
                let number = waiting.next.fetch_add(1, Ordering::Relaxed);
                let receiver = waiting.expect(number);
                self.tell(Order::Request(number, request));
                receiver
            }
        };
        answer.await.unwrap_or_else(|_| Err(Failure::session_failed()))
    }

    /// Ends searches.
    pub fn stop(&self, number: u64, discard: bool) {
        match self {
            Link::Thread { stops, .. } => stops.stop(number, discard),
            Link::Process { .. } => self.tell(Order::Stop(number, discard)),
        }
    }

    fn tell(&self, order: Order) {
        if let Link::Process { orders, waiting } = self
            && orders.send(order).is_err()
        {
            waiting.give_up();
        }
    }
}

/// Writes orders to a worker. When nobody gives orders any more, or it does not take them, it is ended.
async fn talk(mut child: Child, mut input: ChildStdin, mut orders: UnboundedReceiver<Order>) {
    loop {
        tokio::select! {
            order = orders.recv() => {
                let Some(order) = order else { break };
                let mut line = serde_json::to_string(&order).expect("an order has string keys only");
                line.push('\n');
                if input.write_all(line.as_bytes()).await.is_err() || input.flush().await.is_err() {
                    break;
                }
            }
            _ = child.wait() => return,
        }
    }
    // It may have ended by itself.
    let _ = child.kill().await;
}

/// Reads what a worker says until it ends.
async fn listen(output: ChildStdout, waiting: Arc<Waiting>, events: Events) {
    let mut output = BufReader::new(output);
    while let Some(header) = line(&mut output).await {
        let Some(body) = line(&mut output).await else { break };
        match serde_json::from_str(&header) {
            Ok(Header::Ok(number)) => waiting.answer(number, Ok(body)),
            Ok(Header::Failed(number)) => {
                let failure = serde_json::from_str(&body).unwrap_or_else(|_| Failure::session_failed());
                waiting.answer(number, Err(failure));
            }
            Ok(Header::Event(name)) => {
                if let Some(name) = EVENTS.into_iter().find(|known| *known == name) {
                    events(Event { name, data: Arc::from(body) });
                }
            }
            Err(_) => break,
        }
    }
    waiting.give_up();
}

async fn line(output: &mut BufReader<ChildStdout>) -> Option<String> {
    let mut bytes = Vec::new();
    output.take(LONGEST_LINE).read_until(b'\n', &mut bytes).await.ok()?;
    if bytes.pop() != Some(b'\n') {
        return None;
    }
    String::from_utf8(bytes).ok()
}
