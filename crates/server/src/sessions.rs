//! All sessions: who may open one, who asks which, and when one is closed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use multigame_session::{Event, Events, Failure, Opening, Order, Question, Reply, Request, Rules};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, broadcast};
use tokio::time::timeout;

use crate::bundled::Bundled;
use crate::config::Config;
use crate::http::Guesses;
use crate::link::Link;

/// Events that a slow listener may be behind; then it gets the state anew.
const BEHIND: usize = 64;
/// A session that was asked this recently does not have to make room.
const FRESH: Duration = Duration::from_secs(60);
/// How often idle sessions are looked for.
const ROUND: Duration = Duration::from_secs(5);
/// Own rules wait so long for a free process.
const PATIENCE: Duration = Duration::from_secs(5);

/// What sessions are opened with.
#[derive(Clone, Debug)]
pub enum Which {
    /// A bundled game as it is.
    Bundled(String),
    /// Rules of strangers, or a bundled game with other parameters.
    Own(Rules),
}

/// A session as the server sees it.
pub struct Session {
    /// Its name, which cannot be guessed.
    pub id: String,
    /// What clients are told besides the state: an object as text.
    pub description: String,
    /// What listeners hear.
    pub events: broadcast::Sender<Event>,
    link: Link,
    view: Arc<Mutex<View>>,
    touched: Mutex<Instant>,
    searches: AtomicU64,
    /// Its place among the sessions, and room for its process.
    _room: (OwnedSemaphorePermit, Option<OwnedSemaphorePermit>),
}

/// What is known about a session without asking it.
#[derive(Default)]
struct View {
    state: Option<Arc<str>>,
    searching: Option<Searching>,
}

struct Searching {
    number: u64,
    /// What it last told; nothing while it waits for its turn.
    progress: Option<Arc<str>>,
    cancel: Arc<Notify>,
}

/// All sessions.
pub struct Sessions {
    config: Config,
    /// Wrong tokens.
    pub guesses: Guesses,
    bundled: Bundled,
    all: Mutex<HashMap<String, Arc<Session>>>,
    /// Places for sessions.
    places: Arc<Semaphore>,
    /// Turns for searches, first come, first served.
    searches: Arc<Semaphore>,
    /// The turn to search with all ranks, if there are several.
    ranks: Option<Arc<Semaphore>>,
    /// Room for processes with a session.
    processes: Arc<Semaphore>,
    /// Room for processes that answer a question, so that players do not keep writers waiting.
    questions: Arc<Semaphore>,
}

impl Sessions {
    /// None yet.
    pub fn new(config: Config) -> Arc<Sessions> {
        let sessions = Arc::new(Sessions {
            searches: Arc::new(Semaphore::new(config.limits.searches)),
            places: Arc::new(Semaphore::new(config.limits.sessions)),
            processes: Arc::new(Semaphore::new(config.limits.rules_processes)),
            questions: Arc::new(Semaphore::new(config.limits.question_processes())),
            guesses: Guesses::default(),
            ranks: config.ranks.map(|_| Arc::new(Semaphore::new(1))),
            bundled: Bundled::new(&config),
            all: Mutex::default(),
            config,
        });
        let weak = Arc::downgrade(&sessions);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(ROUND).await;
                let Some(sessions) = weak.upgrade() else { return };
                sessions.close_idle();
            }
        });
        sessions
    }

    /// Where the server listens and how much it gives.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The bundled games.
    pub fn bundled(&self) -> &Bundled {
        &self.bundled
    }

    /// The session of that name.
    pub fn get(&self, id: &str) -> Result<Arc<Session>, Failure> {
        let session = self.all.lock().expect("nobody panics here").get(id).cloned();
        let session = session.ok_or_else(|| {
            Failure::new(
                404,
                "no-such-session",
                "there is no such session (any more); make one with `POST /api/sessions`",
            )
        })?;
        *session.touched.lock().expect("nobody panics here") = Instant::now();
        Ok(session)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.all.lock().expect("nobody panics here").len()
    }

    /// Opens a session.
    pub async fn open(&self, which: Which, mut opening: Opening) -> Result<Arc<Session>, Failure> {
        let place = self.place()?;
        opening.table_mib = self.config.limits.table_mib;
        let (sender, _) = broadcast::channel(BEHIND);
        let view = Arc::new(Mutex::new(View::default()));
        let events = listener(sender.clone(), Arc::clone(&view));
        let patience = self.config.limits.rules_time;
        let (link, description, room) = match which {
            Which::Bundled(name) => {
                let game = self.bundled.game(&name).await?;
                let link = Link::thread((Arc::clone(&game.first), Arc::clone(&game.next)), opening, events);
                let link =
                    timeout(patience, link).await.map_err(|_| Failure::too_slow("opening the game"))??;
                (link, game.description.clone(), None)
            }
            Which::Own(rules) => {
                let room = room(&self.processes).await?;
                let order = Order::Open(rules, opening);
                let link = Link::process(&self.config, order, events);
                let opened = timeout(patience, link).await;
                let opened = opened.map_err(|_| Failure::too_slow("compiling the rules"))?;
                let (link, body) = opened.map_err(of_rules)?;
                (link, body, Some(room))
            }
        };
        let session = Arc::new(Session {
            id: new_id()?,
            description,
            events: sender,
            link,
            view,
            touched: Mutex::new(Instant::now()),
            searches: AtomicU64::new(0),
            _room: (place, room),
        });
        self.all.lock().expect("nobody panics here").insert(session.id.clone(), Arc::clone(&session));
        Ok(session)
    }

    /// Answers a question about rules in a process of its own.
    pub async fn question(&self, question: Question) -> Reply {
        let _room = room(&self.questions).await?;
        let link = Link::process(&self.config, Order::Ask(question), Box::new(|_| ()));
        match timeout(self.config.limits.rules_time, link).await {
            Err(_) => Err(Failure::too_slow("checking the rules")),
            Ok(answer) => answer.map(|(_, body)| body).map_err(of_rules),
        }
    }

    /// Asks a session; one that does not answer in time is closed.
    pub async fn ask(&self, session: &Arc<Session>, request: Request) -> Reply {
        if request.ends_search() {
            session.stop(true);
        }
        self.ask_within(session, request, self.config.limits.rules_time).await
    }

    async fn ask_within(&self, session: &Arc<Session>, request: Request, time: Duration) -> Reply {
        let reply = timeout(time, session.link.ask(request)).await;
        let reply = reply.unwrap_or_else(|_| Err(Failure::too_slow("the session's answer")));
        if let Err(failure) = &reply
            && matches!(failure.status, 500 | 504)
        {
            self.close(&session.id);
        }
        reply
    }

    /// The state with what the search is doing.
    pub async fn state(&self, session: &Arc<Session>) -> Reply {
        let (cached, thinking) = session.seen();
        let state = match (thinking.is_some(), cached) {
            (true, Some(state)) => state.to_string(),
            _ => self.ask(session, Request::State).await?,
        };
        Ok(with_thinking(&state, thinking.as_deref()))
    }

    /// Begins a search on some threads, which ends one that is going on. Its number comes at once, the answer
    /// when it is there.
    pub fn search(
        self: &Arc<Self>,
        session: &Arc<Session>,
        make: impl FnOnce(u64) -> Request,
        threads: u32,
        time: Duration,
        end: &'static str,
    ) -> (u64, tokio::task::JoinHandle<Reply>) {
        session.stop(true);
        let number = session.searches.fetch_add(1, Ordering::Relaxed) + 1;
        let request = make(number);
        let cancel = Arc::new(Notify::new());
        let searching = Searching { number, progress: None, cancel: Arc::clone(&cancel) };
        session.view.lock().expect("nobody panics here").searching = Some(searching);
        let (sessions, session) = (Arc::clone(self), Arc::clone(session));
        let task = tokio::spawn(async move {
            let ranks = sessions.ranks.clone().filter(|_| request.uses_ranks() && session.link.is_thread());
            let turns = async {
                // First the turn that takes longer, so that nobody holds threads meanwhile.
                let all = match ranks {
                    Some(ranks) => Some(ranks.acquire_owned().await.ok()?),
                    None => None,
                };
                let threads = Arc::clone(&sessions.searches).acquire_many_owned(threads).await.ok()?;
                Some((all, threads))
            };
            let turn = tokio::select! {
                turn = turns => turn,
                () = cancel.notified() => None,
            };
            let reply = match &turn {
                Some(_) => {
                    let most = time + sessions.config.limits.rules_time;
                    sessions.ask_within(&session, request, most).await
                }
                None => Err(Failure::new(409, "stopped", "the search was stopped before it began")),
            };
            drop(turn);
            session.search_ended(number);
            let (name, data) = match &reply {
                Ok(body) => (end, body.clone()),
                Err(failure) => {
                    let error = serde_json::json!({"code": failure.code, "message": failure.message});
                    ("failed", serde_json::json!({"search": number, "error": error}).to_string())
                }
            };
            // Nobody may be listening.
            let _ = session.events.send(Event { name, data: Arc::from(data) });
            reply
        });
        (number, task)
    }

    /// Closes a session.
    pub fn close(&self, id: &str) -> bool {
        let session = self.all.lock().expect("nobody panics here").remove(id);
        if let Some(session) = &session {
            session.close();
        }
        session.is_some()
    }

    /// Closes all sessions.
    pub fn close_all(&self) {
        let all = std::mem::take(&mut *self.all.lock().expect("nobody panics here"));
        all.values().for_each(|session| session.close());
    }

    /// A place for another session; the one that was idle for the longest time makes room if it must.
    fn place(&self) -> Result<OwnedSemaphorePermit, Failure> {
        let place = || Arc::clone(&self.places).try_acquire_owned();
        if let Ok(place) = place() {
            return Ok(place);
        }
        let idlest = {
            let all = self.all.lock().expect("nobody panics here");
            let idle = all.values().filter(|session| !session.is_searching());
            idle.map(|session| (session.idle(), session.id.clone())).max()
        };
        if let Some((_, id)) = idlest.filter(|(idle, _)| *idle >= FRESH) {
            self.close(&id);
        }
        place().map_err(|_| {
            Failure::new(429, "busy", "there are too many sessions; close one or try again later")
        })
    }

    fn close_idle(&self) {
        let limit = self.config.limits.idle;
        let idle: Vec<String> = {
            let all = self.all.lock().expect("nobody panics here");
            let idle = all.values().filter(|session| session.idle() >= limit && !session.is_searching());
            idle.map(|session| session.id.clone()).collect()
        };
        for id in idle {
            self.close(&id);
        }
    }
}

impl Session {
    /// Ends the search that is going on; its move is not made if it is discarded.
    pub fn stop(&self, discard: bool) {
        let view = self.view.lock().expect("nobody panics here");
        if let Some(searching) = &view.searching {
            searching.cancel.notify_one();
            self.link.stop(searching.number, discard);
        }
    }

    /// The last state, and what the search is doing.
    fn seen(&self) -> (Option<Arc<str>>, Option<Arc<str>>) {
        let view = self.view.lock().expect("nobody panics here");
        let waiting = || Arc::from("{\"waiting\":true}");
        let thinking = view.searching.as_ref().map(|search| search.progress.clone().unwrap_or_else(waiting));
        (view.state.clone(), thinking)
    }

    /// The last state with what the search is doing.
    pub fn last_state(&self) -> Option<String> {
        let (state, thinking) = self.seen();
        Some(with_thinking(&state?, thinking.as_deref()))
    }

    /// Whether a search is going on or waits for its turn.
    pub fn is_searching(&self) -> bool {
        self.view.lock().expect("nobody panics here").searching.is_some()
    }

    fn search_ended(&self, number: u64) {
        let mut view = self.view.lock().expect("nobody panics here");
        if view.searching.as_ref().is_some_and(|searching| searching.number == number) {
            view.searching = None;
        }
    }

    /// How long nobody has asked; somebody who listens counts as asking.
    fn idle(&self) -> Duration {
        if self.events.receiver_count() > 0 {
            return Duration::ZERO;
        }
        self.touched.lock().expect("nobody panics here").elapsed()
    }

    fn close(&self) {
        self.stop(true);
        self.link.stop(u64::MAX, true);
        // Nobody may be listening.
        let _ = self.events.send(Event { name: "closed", data: Arc::from("{}") });
    }
}

/// Room for a process; whoever comes later waits a while.
async fn room(among: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Failure> {
    let permit = timeout(PATIENCE, Arc::clone(among).acquire_owned()).await;
    permit.ok().and_then(Result::ok).ok_or_else(|| {
        Failure::new(429, "busy", "too many own rules are being compiled or played; try again later")
    })
}

/// A worker that ends before it answers has taken too much memory, which is the rules' doing.
fn of_rules(failure: Failure) -> Failure {
    let message = "these rules need more memory than the server gives; try a smaller board or fewer choices";
    if failure.status == 500 { Failure::new(422, "rules-failed", message) } else { failure }
}

/// Remembers what a session tells, and tells it to everybody who listens.
fn listener(sender: broadcast::Sender<Event>, view: Arc<Mutex<View>>) -> Events {
    Box::new(move |event| {
        let mut event = event;
        {
            let mut view = view.lock().expect("nobody panics here");
            match event.name {
                "state" => {
                    view.state = Some(Arc::clone(&event.data));
                    // A session that changes its state does not search at that moment.
                    event.data = Arc::from(with_thinking(&event.data, None));
                }
                "progress" | "simulating" => {
                    if let Some(searching) = &mut view.searching {
                        searching.progress = Some(Arc::clone(&event.data));
                    }
                }
                _ => {}
            }
        }
        // Nobody may be listening.
        let _ = sender.send(event);
    })
}

/// A state with its last member: what the search is doing.
pub fn with_thinking(state: &str, thinking: Option<&str>) -> String {
    let open = state.strip_suffix('}').unwrap_or(state);
    format!("{open},\"thinking\":{}}}", thinking.unwrap_or("null"))
}

/// 128 bits that nobody can guess.
fn new_id() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|_| Failure::new(500, "session-failed", "the machine has no random numbers"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
