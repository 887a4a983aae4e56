//! The way to workers in other processes.
//!
//! Workers have numbers that are the same everywhere; a process runs some of them, one after the other. Only
//! the first thread of a process uses the port: it carries the letters of the others along.

use multigame_game::Game;
use multigame_parallel::{Memory, Message, PuzzleMessage, WorkerId};

use crate::report::{ProcessReport, Traffic};

/// Carries letters to and from other processes.
pub trait Port<M> {
    /// Sends a letter from a worker here to one elsewhere.
    fn send(&mut self, from: WorkerId, to: WorkerId, message: M);

    /// The next letter from elsewhere: its sender, its receiver, and what it says.
    fn receive(&mut self) -> Option<(WorkerId, WorkerId, M)>;

    /// Lets letters leave that wait for company.
    fn flush(&mut self);
}

/// A port is as good as what it leads to.
impl<M, P: Port<M> + ?Sized> Port<M> for Box<P> {
    fn send(&mut self, from: WorkerId, to: WorkerId, message: M) {
        (**self).send(from, to, message);
    }

    fn receive(&mut self) -> Option<(WorkerId, WorkerId, M)> {
        (**self).receive()
    }

    fn flush(&mut self) {
        (**self).flush();
    }
}

/// The other processes of a search.
pub trait Beyond<G: Game>: Sync + std::fmt::Debug {
    /// Which of the workers are here, if every process has this many.
    fn team(&self, threads: u32) -> Team;

    /// Where what is known about positions is kept.
    fn memory(&self) -> Memory;

    /// The way for messages about games.
    fn games(&self) -> Box<dyn Port<Message<G>> + '_>;

    /// The way for messages about puzzles.
    fn puzzles(&self) -> Box<dyn Port<PuzzleMessage<G>> + '_>;

    /// Tells how many nodes have been visited here, and hears how many were elsewhere.
    fn exchange(&self, nodes: u64) -> u64;

    /// What this process sent in the search.
    fn traffic(&self) -> Traffic;

    /// What the other processes did, one after the other, when all of them have finished. Only the process of
    /// worker 0 asks. The message says what went wrong.
    fn reports(&self) -> Result<Vec<ProcessReport>, String>;

    /// What people call this process.
    fn name(&self) -> String;
}

/// All workers are here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl<M> Port<M> for Alone {
    fn send(&mut self, _from: WorkerId, to: WorkerId, _message: M) {
        unreachable!("worker {to} does not exist");
    }

    #[inline]
    fn receive(&mut self) -> Option<(WorkerId, WorkerId, M)> {
        None
    }

    fn flush(&mut self) {}
}

/// Which workers a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Team {
    /// The first one.
    pub first: WorkerId,
    /// How many there are here.
    pub here: u32,
    /// How many there are everywhere.
    pub all: u32,
}

impl Team {
    /// All of them are here.
    pub fn alone(workers: u32) -> Team {
        Team { first: 0, here: workers, all: workers }
    }

    /// The place of a worker among those here, if it is here.
    #[inline]
    pub fn place(&self, worker: WorkerId) -> Option<usize> {
        (self.first..self.first + self.here).contains(&worker).then(|| (worker - self.first) as usize)
    }

    /// The numbers of those here.
    pub fn workers(&self) -> std::ops::Range<WorkerId> {
        self.first..self.first + self.here
    }

    /// Whether some are elsewhere.
    pub fn is_part(&self) -> bool {
        self.here < self.all
    }
}
