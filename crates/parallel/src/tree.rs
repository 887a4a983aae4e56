//! The part of the tree a worker holds: a stack of nodes, the slaves that search their children, and what
//! messages do to both. Nothing here searches, so messages can be handled while the kernel runs.
//!
//! # Invariants
//! - Plies rise strictly along the stack. A job taken while waiting lies below the node that waits, so the
//!   kernel's frames of the nodes under it stay as they are.
//! - A job has one master and one slave. The master forgets a slave when its result arrives or when it is
//!   killed; from then on messages from it about that job are stale.
//! - When a node is decided, everything above it in the stack is dropped, and the slaves of all that are
//!   killed.

mod losses;
mod tables;
mod windows;

use std::sync::Arc;

use multigame_game::{Game, Random, RulesError};
use multigame_search::{Bounds, Found, Killer, PathEntry, TranspositionTable};

use crate::balance::Hunger;
use crate::level::{Level, Origin, Searched, Settled, Slave, Stolen, Undecided};
use crate::memory::Spread;
use crate::policy::{Policy, Probe};
use crate::protocol::{Job, JobId, JobResult, Message};
use crate::setup::Setup;
use crate::statistics::Counters;
use crate::worker::{Mail, WorkerId};

pub(crate) use tables::{Sought, usual_depths};

/// How messages leave.
pub(crate) type Post<'m, G> = &'m mut dyn Mail<Message<G>>;

/// The stack and its surroundings; see the module.
#[derive(Debug)]
pub(crate) struct Tree<'a, G: Game> {
    pub me: WorkerId,
    pub workers: u32,
    pub setup: Setup,
    pub levels: Vec<Level<G>>,
    /// The greatest height of the stack so far.
    pub highest: usize,
    /// The kernel's path may not be that of the node on top.
    pub moved: bool,
    /// Counts what makes the kernel's work superfluous.
    pub changes: u64,
    /// The depth of the iteration, where the root is.
    pub root_depth: u32,
    pub serial: u64,
    pub hunger: Hunger,
    /// A question about the table has just been written.
    pub asked: bool,
    pub random: Random,
    pub table: Option<&'a TranspositionTable>,
    /// The tables of others.
    pub spread: Spread,
    pub counters: Counters,
    /// Since when the node on top waits for others, where they may be lost.
    pub waiting_since: Option<u64>,
    /// Since when nothing is done because the node on top is being looked up.
    pub looking_since: Option<u64>,
    /// Lines that answered root moves, for the refutation tables.
    pub refutations: Vec<(u64, Vec<G::Move>)>,
    /// Counts of good moves to take over.
    pub learned: Option<Arc<[u32]>>,
    /// Counts of good moves from others.
    pub histories: Vec<Vec<u32>>,
    /// The killers of all plies as they stood before the present step, if they are shared.
    pub killers: Vec<[Killer; 2]>,
    /// Killers that came with results, and the first ply they belong to.
    pub lessons: Vec<(usize, Vec<[Killer; 2]>)>,
    /// Counts of good moves, told by others while the search goes on.
    pub news: Vec<(WorkerId, Vec<(u16, u32)>)>,
    pub failed: Option<Box<RulesError>>,
    pub finished: bool,
}

impl<G: Game> Tree<'_, G> {
    /// The policy.
    pub fn policy(&self) -> &dyn Policy {
        // The policy is copied with the setup, so this borrows the tree; callers that change it take a copy
        // first.
        self.setup.policy.policy()
    }

    /// Takes a message.
    pub fn handle(&mut self, from: WorkerId, message: Message<G>, mail: Post<'_, G>) {
        self.spread.heard_of(from);
        match message {
            Message::Request(request) => self.serve(from, request, mail),
            Message::Job(job) => self.accept(from, *job, mail),
            Message::NoWork { below } => self.refused(from, below),
            Message::HaveWork => self.hunger.welcome(from),
            Message::Refuse(id) => self.take_back(id),
            Message::Window { job, window } => self.narrow_job(job, window, mail),
            Message::Kill(job) => self.kill_job(job, mail),
            Message::Report { job, value } => self.reported(job, value, mail),
            Message::Result(result) => self.returned(from, *result, mail),
            Message::Lookup { signature } => self.answer(from, signature, mail),
            Message::Answer { signature, entry } => self.answered(signature, entry, mail.now()),
            Message::Store(entries) => self.store(&entries),
            // Only those who look for verdicts leave for later what others are at.
            Message::Busy { .. } => {}
            Message::History(counts) => self.histories.push(counts),
            Message::Learned(counts) => self.learned = Some(counts),
            Message::News(counts) => self.news.push((from, counts)),
            Message::Failed(error) => self.failed = Some(error),
            Message::Finished => {
                self.changes += 1;
                self.levels.clear();
                self.finished = true;
            }
        }
    }

    /// Gives the next child of a node away.
    pub fn give(&mut self, index: usize, thief: WorkerId, mail: Post<'_, G>) {
        let probe_only = self.policy().probe() != Probe::Nothing;
        let (level, last) = (&mut self.levels[index], self.setup.balance.last_child);
        let taken = if last { level.take_last() } else { level.take_next() };
        let Some((number, choice)) = taken else { return };
        self.serial += 1;
        let id = JobId { master: self.me, serial: self.serial };
        let (path, root_depth) = (self.path_to(index), self.root_depth_at(index));
        let level = &mut self.levels[index];
        level.slaves.push(Slave { worker: thief, id, number, choice });
        self.counters.given += 1;
        self.counters.given_plies += level.ply as u64 + 1;
        let job = Job {
            id,
            position: level.position.clone(),
            mv: level.brood.mv(choice).clone(),
            choice,
            number,
            ply: level.ply,
            depth: level.depth,
            window: level.window,
            kind: level.kind,
            probe_only,
            root_depth,
            path,
            start: level.clock,
            killers: level.lessons(&self.killers).to_vec(),
        };
        mail.send(thief, Message::Job(Box::new(job)));
    }

    /// The depth of the iteration a node belongs to.
    pub fn root_depth_at(&self, index: usize) -> u32 {
        let stolen = self.levels[..=index].iter().rev().find_map(|level| level.stolen());
        stolen.map_or(self.root_depth, |stolen| stolen.root_depth)
    }

    /// The way from the root to a node.
    pub fn path_to(&self, index: usize) -> Vec<PathEntry> {
        let bottom = (0..=index).rev().find(|&i| self.levels[i].stolen().is_some()).unwrap_or(0);
        let mut path = self.levels[bottom].stolen().map_or(Vec::new(), |stolen| stolen.path.clone());
        path.extend(self.levels[bottom + 1..=index].iter().map(|level| level.entry));
        debug_assert_eq!(path.len(), self.levels[index].ply);
        path
    }

    /// Takes a job, or sends it back if there is something else to do by now.
    fn accept(&mut self, from: WorkerId, job: Job<G>, mail: Post<'_, G>) {
        self.hunger.fed();
        let idle = self.levels.is_empty() && self.me != 0;
        let helping = self.levels.last().is_some_and(|level| job.ply > level.ply && self.is_blocked());
        if self.finished || !(idle || helping) {
            self.counters.returned += 1;
            mail.send(from, Message::Refuse(job.id));
            return;
        }
        self.counters.taken += 1;
        let stolen = Stolen {
            id: job.id,
            master: from,
            number: job.number,
            probe_only: job.probe_only,
            root_depth: job.root_depth,
            path: job.path,
            seated: false,
            killers: job.killers,
        };
        let mut level = Level::new(Origin::Stolen(stolen), job.ply, job.depth, job.kind, job.position);
        level.brood = multigame_search::Brood::single(job.mv, job.choice);
        (level.asked, level.window, level.clock, level.end) = (job.window, job.window, job.start, job.start);
        self.push(level);
    }

    /// Takes a node into hand.
    pub fn push(&mut self, mut level: Level<G>) {
        level.born = self.counters.work;
        self.levels.push(level);
        self.highest = self.highest.max(self.levels.len());
    }

    /// Whether the node on top waits for slaves.
    pub fn is_blocked(&self) -> bool {
        self.levels.last().is_some_and(|level| {
            level.opened.is_some()
                && level.verdict.is_none()
                && level.own.is_none()
                && !level.slaves.is_empty()
                && !level.has_next()
                && level.returned.is_empty()
                && !level.has_ready()
        })
    }

    /// A thief sends a job back.
    fn take_back(&mut self, id: JobId) {
        let Some((index, place)) = self.slave(id) else {
            self.counters.stale += 1;
            return;
        };
        let level = &mut self.levels[index];
        let slave = level.slaves.swap_remove(place);
        if !level.redoes(slave.number) {
            level.returned.push((slave.number, slave.choice));
        }
    }

    fn slave(&self, id: JobId) -> Option<(usize, usize)> {
        self.levels.iter().enumerate().find_map(|(index, level)| {
            let place = level.slaves.iter().position(|slave| slave.id == id)?;
            Some((index, place))
        })
    }

    fn job(&self, id: JobId) -> Option<usize> {
        self.levels.iter().position(|level| level.stolen().is_some_and(|stolen| stolen.id == id))
    }

    /// A result arrives.
    fn returned(&mut self, from: WorkerId, result: JobResult<G>, mail: Post<'_, G>) {
        let asks = result.asks;
        self.counters.arrived += 1;
        match self.slave(result.id) {
            None => self.counters.stale += 1,
            Some((index, place)) => {
                let slave = self.levels[index].slaves.swap_remove(place);
                let JobResult { found, pv, end, killers, .. } = result;
                if !killers.is_empty() {
                    self.lessons.push((self.levels[index].ply + 1, killers));
                }
                let (number, choice) = (slave.number, slave.choice);
                self.waiting_since = None;
                self.give_up_redoing(index, number, mail);
                let searched = Searched { number, choice, found, pv, end, serial: false };
                self.resolve(index, searched, mail);
            }
        }
        if asks {
            self.serve_result(from, mail);
        }
    }

    /// A child has been searched; whether that is enough depends on what is known by now.
    pub fn resolve(&mut self, index: usize, searched: Searched<G::Move>, mail: Post<'_, G>) {
        let prunes = self.policy().prunes();
        self.recall(index, searched.number, mail);
        let level = &mut self.levels[index];
        if level.verdict.is_some() {
            return;
        }
        if prunes && !self.setup.decides(searched.found.bounds, level.window) {
            let Searched { number, choice, found, pv, end, .. } = searched;
            level.undecided.push(Undecided { number, choice, found, pv, end });
            return;
        }
        self.settle(index, searched, mail);
    }

    /// Takes the last word on a child.
    pub fn settle(&mut self, index: usize, searched: Searched<G::Move>, mail: Post<'_, G>) {
        let (prunes, early) = (self.policy().prunes(), self.policy().reports_early());
        let probes = self.policy().probe() != Probe::Nothing;
        self.recall(index, searched.number, mail);
        let level = &mut self.levels[index];
        if level.ply == 0 && level.stolen().is_none() && !searched.pv.is_empty() {
            self.refutations.push((searched.choice.key, searched.pv.clone()));
        }
        match level.settle(searched, prunes, probes) {
            Settled::Cuts => self.drop_above(index, mail),
            Settled::Improves => {
                self.narrow_below(index, mail);
                self.tell_slaves(index, mail);
                if early {
                    self.report(index, mail);
                }
            }
            Settled::Nothing => {}
        }
    }

    fn kill_job(&mut self, id: JobId, mail: Post<'_, G>) {
        match self.job(id) {
            None => self.counters.stale += 1,
            Some(index) => {
                self.counters.killed += 1;
                self.truncate(index, mail);
            }
        }
    }

    /// A node is decided: what lies above it in the stack and its slaves are superfluous.
    fn drop_above(&mut self, index: usize, mail: Post<'_, G>) {
        self.truncate(index + 1, mail);
        let level = &mut self.levels[index];
        level.own = None;
        level.undecided.clear();
        level.returned.clear();
        for slave in level.slaves.drain(..) {
            mail.send(slave.worker, Message::Kill(slave.id));
        }
    }

    /// Drops nodes from the stack, and kills their slaves.
    fn truncate(&mut self, length: usize, mail: Post<'_, G>) {
        self.changes += 1;
        (self.waiting_since, self.looking_since) = (None, None);
        if let Some(level) = self.levels.get(length) {
            self.counters.dropped += self.counters.work - level.born;
        }
        self.moved |= self.levels[length..].iter().any(|level| level.stolen().is_some());
        for level in self.levels.drain(length..) {
            for slave in &level.slaves {
                mail.send(slave.worker, Message::Kill(slave.id));
            }
        }
    }

    /// What the father of a job has to tell its master.
    pub fn job_result(level: &Level<G>) -> Option<JobResult<G>> {
        let stolen = level.stolen()?;
        let (found, pv) = match level.undecided.first() {
            Some(undecided) => (undecided.found, undecided.pv.clone()),
            None => {
                let bounds = Bounds { lower: level.children_lower, upper: level.upper };
                let pv = level.pv.get(1..).unwrap_or_default().to_vec();
                (Found { bounds, complete: level.complete }, pv)
            }
        };
        Some(JobResult { id: stolen.id, found, pv, end: level.end, asks: false, killers: Vec::new() })
    }
}
