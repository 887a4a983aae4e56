//! What workers of transposition-driven scheduling for two players tell each other.

use std::str::FromStr;

use multigame_game::{Game, RulesError, Signature};
use multigame_search::{Found, PathEntry, Window};
use serde::{Deserialize, Serialize};

use crate::policy::NodeKind;
use crate::worker::{Parcel, WorkerId};

/// Which of the positions that have come to a worker it takes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Order {
    /// The one that the sequential search would come to first.
    #[default]
    Left,
    /// The one that came last, as from a stack.
    Last,
    /// The one that came first.
    First,
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Order, String> {
        match text {
            "left" => Ok(Order::Left),
            "last" => Ok(Order::Last),
            "first" => Ok(Order::First),
            _ => Err(format!("positions are taken from the left, last or first, not `{text}`")),
        }
    }
}

/// How positions travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Travel {
    /// What is told in one message to the same worker at most.
    pub combine: u32,
    /// Which position a worker takes first.
    pub order: Order,
}

impl Travel {
    /// Everything leaves at once.
    pub const USUAL: Travel = Travel { combine: 1, order: Order::Left };
}

/// The number of a question: who asked, and which of its questions it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket {
    pub asker: WorkerId,
    pub serial: u64,
}

/// A position to be searched at its home.
#[derive(Clone, Debug)]
pub struct Question<G: Game> {
    pub(super) ticket: Ticket,
    pub(super) position: G::Position,
    pub(super) signature: Signature,
    pub(super) ply: usize,
    pub(super) depth: u32,
    pub(super) window: Window,
    pub(super) kind: NodeKind,
    /// From the position after the root to this one.
    pub(super) path: Vec<PathEntry>,
    /// The numbers of the children on the way: what the sequential search comes to first is smaller.
    pub(super) place: Vec<u16>,
    /// The length of the critical path up to here.
    pub(super) start: u64,
    pub(super) root_depth: u32,
    /// Whether it may wait for a node of the same depth.
    pub(super) joins: bool,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Answer<G: Game> {
    pub(super) serial: u64,
    /// As the position itself sees it.
    pub(super) found: Found,
    pub(super) pv: Vec<G::Move>,
    pub(super) end: u64,
}

/// One thing that is told.
#[derive(Clone, Debug)]
pub enum Item<G: Game> {
    /// Search this position.
    Ask(Box<Question<G>>),
    /// What was found.
    Answer(Box<Answer<G>>),
    /// Only this matters any more.
    #[allow(missing_docs, reason = "the line above says what they mean")]
    Window { serial: u64, window: Window },
    /// Nothing matters any more.
    Kill(u64),
}

/// A message of these workers.
#[derive(Clone, Debug)]
pub enum TravelMessage<G: Game> {
    /// What is told, in order.
    Items(Vec<Item<G>>),
    /// The rules failed.
    Failed(Box<RulesError>),
    /// The search is over.
    Finished,
}

const HEADER: usize = 16;

impl<G: Game> Item<G> {
    fn bytes(&self) -> usize {
        match self {
            Item::Ask(question) => {
                size_of::<G::Position>() + 48 + 9 * question.path.len() + question.place.len()
            }
            Item::Answer(answer) => 24 + size_of::<G::Move>() * answer.pv.len(),
            Item::Window { .. } => 20,
            Item::Kill(_) => 8,
        }
    }
}

impl<G: Game> Parcel for TravelMessage<G> {
    const KINDS: &'static [&'static str] =
        &["ask", "answer", "window", "kill", "company", "failed", "finished"];

    fn bytes(&self) -> u32 {
        let items = match self {
            TravelMessage::Items(items) => items.iter().map(Item::bytes).sum(),
            _ => 0,
        };
        (HEADER + items) as u32
    }

    fn kind(&self) -> usize {
        match self {
            TravelMessage::Items(items) => match &items[..] {
                [Item::Ask(_)] => 0,
                [Item::Answer(_)] => 1,
                [Item::Window { .. }] => 2,
                [Item::Kill(_)] => 3,
                _ => 4,
            },
            TravelMessage::Failed(_) => 5,
            TravelMessage::Finished => 6,
        }
    }
}
