//! What every kind of worker looks like to those who run it.
//!
//! A worker is a state machine. It knows no clock, no thread and no socket: a *driver* carries its messages
//! and gives it time. Drivers know nothing about what messages mean. So the same worker runs on a thread, on
//! a rank of a cluster and as one of thousands in a simulator.
//!
//! # What drivers promise
//! - Messages from one worker to another arrive in the order they were sent. Nothing else is promised: any
//!   delay, any order between different pairs.
//! - [`Worker::handle`] is called once for each message, [`Worker::work`] whenever the worker last said
//!   [`Status::Busy`], and again after a message to a worker that said anything else.
//! - A worker that says [`Status::Idle`] with a number is called again after about that much time without a
//!   message.
//!
//! # What workers promise
//! - One call of `work` takes little more than its budget.
//! - A worker that is not busy does nothing until it gets a message.

use serde::{Deserialize, Serialize};

/// A worker's number; they are numbered from 0, and 0 knows the root.
pub type WorkerId = u32;

/// What a message says about itself to those who carry it.
pub trait Parcel {
    /// About how many bytes it would take on a wire.
    fn bytes(&self) -> u32;

    /// What kind it is, for statistics: an index into [`Parcel::KINDS`].
    fn kind(&self) -> usize;

    /// Whether a worker can take it in the midst of its work, because it is for the worker's table only.
    /// Where machines do that, it may be handled before messages that came before it.
    fn interrupts(&self) -> bool {
        false
    }

    /// The names of the kinds.
    const KINDS: &'static [&'static str];
}

/// How messages leave a worker and, where the driver can do that, come in while it works.
pub trait Mail<M> {
    /// Sends a message.
    fn send(&mut self, to: WorkerId, message: M);

    /// The next message that has arrived, with its sender. A worker asks for it now and then during long
    /// work; drivers in which nothing can arrive meanwhile answer nothing.
    fn receive(&mut self) -> Option<(WorkerId, M)>;

    /// Hears how many nodes the worker has visited, before it asks for messages during long work.
    fn visited(&mut self, _nodes: u64) {}

    /// The time in ticks, where the driver may lose workers; 0 everywhere else.
    fn now(&self) -> u64 {
        0
    }
}

/// What a worker would do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Work on.
    Busy,
    /// Nothing until others answer: its own work depends on them.
    Waiting,
    /// Nothing: it has no work. With a number: look for work again after that many ticks.
    Idle(Option<u64>),
    /// Nothing any more.
    Finished,
}

/// What a call of [`Worker::work`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How much was done, in ticks of [`crate::Prices`].
    pub cost: u64,
    /// What is next.
    pub status: Status,
}

/// A stretch of time in which a worker did one thing, as its driver saw it; where there is none, it had
/// nothing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Which one.
    pub processor: WorkerId,
    /// From, in nanoseconds since the search began.
    pub from: u64,
    /// To.
    pub to: u64,
    /// What it did.
    pub activity: Activity,
}

/// What a worker does with its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Activity {
    /// Searching.
    Work,
    /// Sending and receiving messages.
    Messages,
    /// Passing on messages of others.
    Routing,
    /// Nothing, because a fault holds it up.
    Pause,
}

impl Activity {
    /// What traces call it.
    pub fn name(self) -> &'static str {
        match self {
            Activity::Work => "search",
            Activity::Messages => "messages",
            Activity::Routing => "routing",
            Activity::Pause => "pause",
        }
    }
}

/// A worker; see the module.
pub trait Worker {
    /// What workers of this kind tell each other.
    type Message: Parcel;

    /// Takes a message.
    fn handle(&mut self, from: WorkerId, message: Self::Message, mail: &mut dyn Mail<Self::Message>);

    /// Works for about this many ticks. A budget of 0 means one smallest step.
    fn work(&mut self, budget: u64, mail: &mut dyn Mail<Self::Message>) -> Progress;
}

/// Letters collected in memory: for drivers in which nothing arrives during a step, and for tests.
#[derive(Clone, Debug)]
pub struct Outbox<M> {
    /// What was sent, in order.
    pub letters: Vec<(WorkerId, M)>,
    /// The time that a worker is told.
    pub now: u64,
}

impl<M> Default for Outbox<M> {
    fn default() -> Self {
        Outbox { letters: Vec::new(), now: 0 }
    }
}

impl<M> Mail<M> for Outbox<M> {
    fn send(&mut self, to: WorkerId, message: M) {
        self.letters.push((to, message));
    }

    fn receive(&mut self) -> Option<(WorkerId, M)> {
        None
    }

    fn now(&self) -> u64 {
        self.now
    }
}
