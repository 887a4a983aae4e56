//! Parallel window search, after Powley and Korf: every worker searches the whole puzzle under a limit of its
//! own.
//!
//! Worker 0 gives limits away: the least that is not refuted yet, the next one, and so on. A limit that was
//! searched without success refutes all limits below the least number of moves that was missing. A solution
//! makes greater limits superfluous; it is shortest when all smaller ones are refuted. Nothing is shared out
//! but limits, so that the greatest speedup is small: most of the time goes into the last limit. But
//! solutions that are nearly shortest come early.
//!
//! **Invariant:** no worker reads what another one wrote into the table. An entry holds unless the puzzle has
//! a solution within the limit it was written under (see IDA*), and here limits at or above the shortest
//! solution are searched beside smaller ones: the entries of 24 moves would refute the 22 that are enough. A
//! worker reads its own entries only as long as it has searched all its limits to the end in vain.

use multigame_game::Game;
use multigame_search::{Evaluator, NEVER};

use super::PuzzleWorker;
use super::protocol::{PuzzleMessage, PuzzleResult};
use crate::worker::{Mail, Status, WorkerId};

/// What worker 0 knows about the limits.
#[derive(Clone, Debug, Default)]
pub(super) struct Windows {
    /// The limit that each worker searches, if it has one.
    given: Vec<Option<u32>>,
    /// By how much limits grow: what the first one was missing.
    step: u32,
    /// No solution has fewer moves.
    pub proved: u32,
    /// The shortest solution so far.
    best: Option<Vec<u16>>,
}

impl Windows {
    pub fn new(workers: u32, first: u32) -> Windows {
        let mut given = vec![None; workers as usize];
        given[0] = Some(first);
        Windows { given, step: 0, proved: first, best: None }
    }

    /// Limits from here on are of no use.
    fn end(&self, longest: u32) -> u32 {
        self.best.as_ref().map_or(longest.saturating_add(1), |best| best.len() as u32)
    }

    /// The least limit that is neither refuted nor being searched.
    fn next(&self, longest: u32) -> Option<u32> {
        // Before the first limit is refuted nobody knows by how much they grow.
        let step = if self.step == 0 { return None } else { self.step };
        let mut limit = self.proved;
        while self.given.contains(&Some(limit)) {
            limit += step;
        }
        (limit < self.end(longest)).then_some(limit)
    }
}

impl<G: Game, E: Evaluator<G>> PuzzleWorker<'_, G, E> {
    /// What a worker does that has searched its limit, or has none.
    pub(super) fn rest_of_window(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) -> Status {
        if let Some(limit) = self.window.take() {
            let least = self.least;
            if self.me == 0 {
                self.searched(0, limit, least, mail);
            } else {
                mail.send(0, PuzzleMessage::Searched { limit, least });
            }
        }
        if self.switch.is_some() || self.result.is_some() { Status::Busy } else { Status::Idle(None) }
    }

    /// Takes another limit, or none, instead of the one in hand.
    pub(super) fn switch_window(&mut self) {
        if let Some(window) = self.switch.take() {
            self.drop_all();
            if std::mem::replace(&mut self.window, window).is_some() {
                self.distrust_window();
            }
            if let Some(limit) = window {
                self.begin(limit);
            }
        }
    }

    /// From now on reads none of the entries so far.
    pub(super) fn distrust_window(&mut self) {
        self.distrusted += 1;
        self.pursuit.set_salt(self.salt.with(u64::from(self.me) << 32 | self.distrusted));
    }

    /// A worker has searched a limit without success.
    pub(super) fn searched(
        &mut self,
        worker: WorkerId,
        limit: u32,
        least: u32,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) {
        let windows = &mut self.windows;
        // Unless it has been given another one in the meantime.
        if windows.given[worker as usize] != Some(limit) {
            return;
        }
        windows.given[worker as usize] = None;
        if windows.step == 0 {
            windows.step = least.saturating_sub(limit).max(1);
        }
        windows.proved = windows.proved.max(least);
        if self.iterations.last().is_none_or(|&last| last < limit) {
            self.iterations.push(limit);
        }
        self.decide(mail);
    }

    /// A worker has found a solution.
    pub(super) fn solved_within(
        &mut self,
        worker: WorkerId,
        path: Vec<u16>,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) {
        let windows = &mut self.windows;
        windows.given[worker as usize] = None;
        if windows.best.as_ref().is_none_or(|best| path.len() < best.len()) {
            windows.best = Some(path);
        }
        self.decide(mail);
    }

    /// Ends the search if all is known, or shares out what is left.
    fn decide(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        let windows = &self.windows;
        let (proved, end) = (windows.proved, windows.end(self.longest));
        if proved >= end || proved >= NEVER {
            self.result = Some(match &windows.best {
                Some(best) => PuzzleResult::Solved(best.clone()),
                None if proved >= NEVER => PuzzleResult::Unsolvable,
                None => PuzzleResult::Unknown(proved),
            });
            return;
        }
        for worker in 0..self.workers {
            let windows = &mut self.windows;
            let own = windows.given[worker as usize];
            if own.is_some_and(|limit| limit >= proved && limit < end) {
                continue;
            }
            windows.given[worker as usize] = None;
            let next = windows.next(self.longest);
            windows.given[worker as usize] = next;
            if own.is_none() && next.is_none() {
                continue;
            }
            if worker == 0 {
                self.switch = Some(next);
            } else {
                mail.send(worker, PuzzleMessage::Window { limit: next });
            }
        }
    }
}
