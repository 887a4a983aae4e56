//! What the server and a session say to each other, in one process or between two.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::rules::Question;

/// The body of an answer as JSON text, or why there is none.
pub type Reply = Result<String, Failure>;

/// Rules as text, with their parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// What the game is called.
    pub name: String,
    /// The text.
    pub text: String,
    /// The parameters that are not left as the rules say.
    pub parameters: BTreeMap<String, i64>,
    /// The content of the weights file beside them; bundled rules may have one.
    pub weights: Option<String>,
    /// The same for learned patterns.
    pub patterns: Option<String>,
    /// The same for a learned network.
    pub network: Option<String>,
}

/// How a session begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Opening {
    /// Where to start; the setup if not given.
    pub position: Option<String>,
    /// Moves to make at once.
    pub moves: Vec<String>,
    /// The time of each player.
    pub clock: Option<ClockSetting>,
    /// The same seed gives the same dice.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Memory for the table of a search.
    pub table_mib: usize,
}

/// The time of each player in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSetting {
    /// For the whole game.
    pub time: u64,
    /// Added after each move.
    #[serde(default)]
    pub increment: u64,
    /// What White and Black have left once the moves of the opening are made; the time of the whole game if not
    /// given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<[u64; 2]>,
}

/// What a session can be asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Request {
    /// The state.
    State,
    /// Make a move.
    Play(String),
    /// Take moves back.
    Undo(usize),
    /// Make moves again.
    Redo(usize),
    /// Go to a point of the history.
    Jump(usize),
    /// Start again.
    Reset(Option<String>),
    /// Find a move.
    Think(Think),
    /// Search every position of the game.
    Evaluate(Think),
    /// Search on a simulated parallel machine.
    Simulate(Simulate),
    /// Search and keep the tree.
    Tree(Grow),
    /// A node of the tree.
    Node(usize),
}

impl Request {
    /// Whether it only looks at what the session has.
    pub fn only_reads(&self) -> bool {
        matches!(self, Request::State | Request::Node(_))
    }

    /// Whether it searches with all ranks of a job, if the rules may travel.
    pub fn uses_ranks(&self) -> bool {
        matches!(self, Request::Think(_) | Request::Evaluate(_))
    }

    /// Whether a search that is going on makes no sense any more.
    pub fn ends_search(&self) -> bool {
        matches!(
            self,
            Request::Play(_) | Request::Undo(_) | Request::Redo(_) | Request::Jump(_) | Request::Reset(_)
        )
    }
}

/// How to search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Think {
    /// The number of the search in its session, from 1.
    pub number: u64,
    /// Milliseconds.
    pub time: Option<u64>,
    /// Milliseconds for all positions of a game together.
    pub total: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Threads; one if not given.
    pub threads: Option<u32>,
    /// The engine's name; what suits the game if not given.
    pub engine: Option<String>,
    /// Switches of the search.
    pub options: Option<String>,
    /// Whether to make the move found.
    pub play: bool,
    /// Whether the whole solution of a puzzle is wanted.
    pub solve: bool,
}

/// How to search for a tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grow {
    /// Plies.
    pub depth: u32,
    /// Switches of the search.
    pub options: Option<String>,
    /// The simulated machine that searches; the session's own thread if not given.
    pub parallel: Option<Parallel>,
}

/// A parallel machine to be simulated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Parallel {
    /// How many processors.
    pub processors: Option<u32>,
    /// How they share the work.
    pub policy: Option<String>,
    /// What joins them.
    pub network: Option<String>,
}

/// How to simulate a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Simulate {
    /// The number of the search in its session, from 1.
    pub number: u64,
    /// Milliseconds.
    pub time: u64,
    /// Plies; as many as take about a second if not given.
    pub depth: Option<u32>,
    /// Switches of the search.
    pub options: Option<String>,
    /// The machine.
    pub parallel: Parallel,
}

/// What a session tells without being asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// What kind it is.
    pub name: &'static str,
    /// JSON on one line.
    pub data: Arc<str>,
}

/// The names that events have.
pub const EVENTS: [&str; 9] = [
    "state",
    "progress",
    "thought",
    "evaluation",
    "evaluated",
    "simulating",
    "simulated",
    "failed",
    "closed",
];

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

/// Where events go.
pub type Events = Box<dyn Fn(Event) + Send>;

/// What becomes of a reply.
pub type Answer = Box<dyn FnOnce(Reply) + Send>;

/// What a session's thread works through.
pub struct Mailbox {
    /// The requests in order.
    pub requests: mpsc::Receiver<(Request, Answer)>,
    /// Where events go.
    pub events: Events,
    /// Which searches are to end.
    pub stops: Arc<Stops>,
}

/// Which searches of a session are to end. Searches are numbered, so that a stop that comes before its search
/// has begun is not lost, and one that comes too late does not hit the next search.
#[derive(Debug, Default)]
pub struct Stops {
    stopped: AtomicU64,
    discarded: AtomicU64,
    flag: AtomicBool,
}

impl Stops {
    /// Ends all searches up to a number; if discarded, their moves are not made.
    pub fn stop(&self, number: u64, discard: bool) {
        if discard {
            self.discarded.fetch_max(number, Ordering::SeqCst);
        }
        self.stopped.fetch_max(number, Ordering::SeqCst);
        self.flag.store(true, Ordering::SeqCst);
    }

    /// A search begins.
    pub fn begin(&self, number: u64) {
        self.flag.store(false, Ordering::SeqCst);
        if self.is_stopped(number) {
            self.flag.store(true, Ordering::SeqCst);
        }
    }

    /// Whether a search is to end.
    pub fn is_stopped(&self, number: u64) -> bool {
        self.stopped.load(Ordering::SeqCst) >= number
    }

    /// Whether the move of a search must not be made any more.
    pub fn is_discarded(&self, number: u64) -> bool {
        self.discarded.load(Ordering::SeqCst) >= number
    }

    /// What the search looks at.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_before_the_beginning_is_not_lost_and_a_late_one_hits_nothing() {
        let stops = Stops::default();
        stops.stop(1, true);
        stops.begin(1);
        assert!(stops.flag().load(Ordering::SeqCst) && stops.is_discarded(1));
        stops.begin(2);
        assert!(!stops.flag().load(Ordering::SeqCst) && !stops.is_discarded(2));
        stops.stop(2, false);
        assert!(stops.flag().load(Ordering::SeqCst) && !stops.is_discarded(2));
    }
}
