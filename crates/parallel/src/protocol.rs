//! What Alpha-Beta workers tell each other.
//!
//! | message | from | says |
//! |---|---|---|
//! | `Request` | thief to victim | I have nothing to do |
//! | `Job` | victim to thief | search this child |
//! | `NoWork` | victim to thief | I have nothing to give |
//! | `HaveWork` | victim to thief | ask me again |
//! | `Refuse` | thief to victim | I am busy again, take the job back |
//! | `Window` | master to slave | only this matters any more |
//! | `Kill` | master to slave | nothing matters any more |
//! | `Report` | slave to master | the unsound early report of Multello's second version |
//! | `Result` | slave to master | what was found |
//! | `Lookup`, `Answer`, `Store` | | the transposition table that is spread over the workers |
//! | `Busy` | to one of each process | I begin with this position, or am done with it (verdicts) |
//! | `History`, `Learned` | | what moves were good, merged between iterations |
//! | `News` | next to each other in a tree | the same, told meanwhile |
//! | `Failed` | anybody to 0 | the rules failed |
//! | `Finished` | 0 to all | the search is over |
//!
//! A job has a number that is never used again. A message about a job that its receiver does not have any
//! more is stale and changes nothing: a kill that crosses a result, a result that crosses a kill, a window
//! for a job already done.

use std::sync::Arc;

use multigame_game::{Game, RulesError, Signature};
use multigame_search::{Choice, Entry, Found, Killer, PathEntry, Value, Window};
use serde::{Deserialize, Serialize};

use crate::policy::NodeKind;
use crate::worker::{Parcel, WorkerId};

/// The number of a job: the worker that gave it, and which of its jobs it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JobId {
    /// The master.
    pub master: WorkerId,
    /// Counted by the master.
    pub serial: u64,
}

/// A child to be searched by somebody else. It is described by its father, so that the slave can search it
/// again with a wider window by himself.
#[derive(Clone, Debug)]
pub struct Job<G: Game> {
    /// Its number.
    pub id: JobId,
    /// The father's position.
    pub position: G::Position,
    /// The move that leads to the child.
    pub mv: G::Move,
    /// How the father's owner sees the move.
    pub choice: Choice,
    /// The place of the child among its brothers.
    pub number: usize,
    /// The father's ply in the whole search.
    pub ply: usize,
    /// The father's depth.
    pub depth: u32,
    /// The father's window.
    pub window: Window,
    /// What kind of node the father is expected to be.
    pub kind: NodeKind,
    /// Whether one pass is enough, even if it does not decide (Jamboree's tests).
    pub probe_only: bool,
    /// Depth of the iteration.
    pub root_depth: u32,
    /// The way from the root to the father, for repetition.
    pub path: Vec<PathEntry>,
    /// The length of the critical path up to here.
    pub start: u64,
    /// The killers of the plies from the child's on, if they are shared.
    pub killers: Vec<[Killer; 2]>,
}

/// What came out of a job.
#[derive(Clone, Debug)]
pub struct JobResult<G: Game> {
    /// The job.
    pub id: JobId,
    /// What was found, as the father sees it.
    pub found: Found,
    /// The best line below the child.
    pub pv: Vec<G::Move>,
    /// The length of the critical path to its end.
    pub end: u64,
    /// Whether the slave has nothing to do now and asks for work by this message.
    pub asks: bool,
    /// The killers of the plies from the child's on, if they are shared.
    pub killers: Vec<[Killer; 2]>,
}

/// A look for work on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Who looks.
    pub thief: WorkerId,
    /// How often the request was passed on.
    pub hops: u32,
    /// Only work below this job will do: the master helps its slave.
    pub below: Option<JobId>,
}

/// A message; see the module.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the module says what they mean")]
pub enum Message<G: Game> {
    Request(Request),
    Job(Box<Job<G>>),
    NoWork { below: Option<JobId> },
    HaveWork,
    Refuse(JobId),
    Window { job: JobId, window: Window },
    Kill(JobId),
    Report { job: JobId, value: Value },
    Result(Box<JobResult<G>>),
    Lookup { signature: Signature },
    Answer { signature: Signature, entry: Option<Entry> },
    Store(Vec<(Signature, Entry)>),
    Busy { signature: Signature, begins: bool },
    History(Vec<u32>),
    Learned(Arc<[u32]>),
    News(Vec<(u16, u32)>),
    Failed(Box<RulesError>),
    Finished,
}

const HEADER: u32 = 16;
/// Two killers with their bonuses.
const KILLERS: usize = 24;

impl<G: Game> Parcel for Message<G> {
    const KINDS: &'static [&'static str] = &[
        "request",
        "job",
        "no-work",
        "have-work",
        "refuse",
        "window",
        "kill",
        "report",
        "result",
        "lookup",
        "answer",
        "store",
        "busy",
        "history",
        "learned",
        "news",
        "failed",
        "finished",
    ];

    fn bytes(&self) -> u32 {
        HEADER
            + match self {
                Message::Job(job) => {
                    let position = size_of::<G::Position>() + size_of::<G::Move>();
                    (position + 64 + 9 * job.path.len() + KILLERS * job.killers.len()) as u32
                }
                Message::Result(result) => {
                    (24 + size_of::<G::Move>() * result.pv.len() + KILLERS * result.killers.len()) as u32
                }
                Message::Window { .. } => 12,
                Message::Answer { .. } => 16,
                Message::Store(entries) => 16 * entries.len() as u32,
                Message::Busy { .. } => 9,
                Message::History(counts) => 4 * counts.len() as u32,
                Message::Learned(counts) => 4 * counts.len() as u32,
                Message::News(counts) => 6 * counts.len() as u32,
                _ => 0,
            }
    }

    fn interrupts(&self) -> bool {
        matches!(self, Message::Lookup { .. } | Message::Store(_))
    }

    fn kind(&self) -> usize {
        match self {
            Message::Request(_) => 0,
            Message::Job(_) => 1,
            Message::NoWork { .. } => 2,
            Message::HaveWork => 3,
            Message::Refuse(_) => 4,
            Message::Window { .. } => 5,
            Message::Kill(_) => 6,
            Message::Report { .. } => 7,
            Message::Result(_) => 8,
            Message::Lookup { .. } => 9,
            Message::Answer { .. } => 10,
            Message::Store(_) => 11,
            Message::Busy { .. } => 12,
            Message::History(_) => 13,
            Message::Learned(_) => 14,
            Message::News(_) => 15,
            Message::Failed(_) => 16,
            Message::Finished => 17,
        }
    }
}
