//! A* on threads: each owns the positions whose signatures belong to it, and sends the others theirs.
//!
//! # The end
//! A thread rests when it has no position left that may lead to a shorter solution than the best one found.
//! It then writes down how many offers it has sent and received. The search is at its end when all threads
//! rest and as many offers were received as sent: none is on its way, and nobody who rests sends any. A
//! thread that is woken says so before it looks at what woke it; until then its offers are missing in what
//! it has written down, so that nobody takes the search for finished.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use multigame_game::{Game, RulesError};
use multigame_parallel::{Activity, Span};
use multigame_search::astar::{Estate, Offer, Owner, Step, conclude};
use multigame_search::{Evaluator, Interrupt, Monitor, NEVER, Root, SearchError, SearchResult, Statistics};

use crate::crew::Crew;
use crate::lazy::{Halts, Helper, Leader};
use crate::report::{CrewReport, HandReport};
use crate::stage::{self, Receiver, Sender, channel};

/// Offers in a message, unless there is nothing else to do.
const BATCH: usize = 32;
/// Positions that are expanded between two looks at the inbox.
const STRETCH: u32 = 16;
/// A thread that rests looks around at least so often.
const BEAT: Duration = Duration::from_millis(2);

type Offers<G> = Vec<Offer<G>>;

/// The account that a thread writes down.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    sent: u64,
    received: u64,
    rests: bool,
}

/// Known to all threads.
struct Common {
    accounts: Mutex<Vec<Account>>,
    /// Only solutions of fewer moves matter.
    below: AtomicU32,
    halt: AtomicBool,
    /// Whether the search came to its end, instead of being stopped.
    complete: AtomicBool,
}

impl Common {
    /// Writes down what a thread has done; ends the search if nobody has anything left to do.
    fn settle(&self, number: usize, account: Account) {
        let mut accounts = self.accounts.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        accounts[number] = account;
        let sum = |of: fn(&Account) -> u64| accounts.iter().map(of).sum::<u64>();
        if accounts.iter().all(|account| account.rests)
            && sum(|account| account.sent) == sum(|account| account.received)
            && !self.halt.load(Ordering::Relaxed)
        {
            self.complete.store(true, Ordering::Relaxed);
            self.halt.store(true, Ordering::Relaxed);
        }
    }
}

/// A thread that has come to its end.
struct Done<G: Game> {
    estate: Estate<G>,
    inbox: Receiver<Offers<G>>,
    /// The least total length of what it has not sent.
    rest: u32,
    statistics: Statistics,
    sent: u64,
    received: u64,
    idle: Duration,
    spans: Vec<Span>,
    failure: Option<Box<RulesError>>,
}

/// A thread at work.
struct Hand<'h, G: Game, E, M> {
    owner: Owner<'h, G, E, M>,
    number: usize,
    common: &'h Common,
    inbox: Receiver<Offers<G>>,
    senders: &'h [Sender<Offers<G>>],
    outgoing: Vec<Offers<G>>,
    account: Account,
    idle: Duration,
    /// Since when it has been at work, counted from the beginning, and when it was before that.
    start: Instant,
    began: Duration,
    spans: Vec<Span>,
}

/// What connects a thread with the others.
struct Ties<'h, G: Game> {
    common: &'h Common,
    senders: &'h [Sender<Offers<G>>],
    inbox: Receiver<Offers<G>>,
}

impl<G: Game, E: Evaluator<G>> Crew<'_, G, E> {
    /// Divides the positions of a puzzle among the threads.
    pub(crate) fn run_owners(
        &mut self,
        root: &Root<G>,
        longest: u32,
        monitor: &mut dyn Monitor<G>,
    ) -> Result<(SearchResult<G::Move>, CrewReport), SearchError> {
        let start = Instant::now();
        let threads = self.threads as usize;
        let common = Common {
            accounts: Mutex::new(vec![Account::default(); threads]),
            below: AtomicU32::new(longest.saturating_add(1)),
            halt: AtomicBool::new(false),
            complete: AtomicBool::new(false),
        };
        let nodes: Vec<AtomicU64> = (0..threads).map(|_| AtomicU64::new(0)).collect();
        let (senders, inboxes): (Vec<_>, Vec<_>) = (0..threads).map(|_| channel()).unzip();
        let crew = &*self;
        let done = stage::scope(|scope| {
            let mut inboxes = inboxes.into_iter();
            let first = inboxes.next().expect("there is a first thread");
            let works: Vec<_> = (1..threads)
                .zip(inboxes)
                .map(|(number, inbox)| {
                    let (common, senders, nodes) = (&common, &senders[..], &nodes[number]);
                    move || {
                        let mut helper = Helper { nodes };
                        crew.own(number, Ties { common, senders, inbox }, (None, start), &mut helper)
                    }
                })
                .collect();
            let helpers = stage::spawn_all(scope, works.into_iter())?;
            let _end = Halts(&common.halt);
            let mut leader = Leader { monitor, nodes: &nodes, abort: crew.abort, halt: &common.halt };
            let ties = Ties { common: &common, senders: &senders, inbox: first };
            let mut done = vec![crew.own(0, ties, (Some(root), start), &mut leader)];
            for helper in helpers {
                match helper.join() {
                    Ok(helper) => done.push(helper),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok::<_, SearchError>(done)
        })?;
        self.settle_owners(root, done, common.complete.into_inner(), start)
    }

    /// The work of one thread.
    fn own<M: Monitor<G>>(
        &self,
        number: usize,
        Ties { common, senders, inbox }: Ties<'_, G>,
        (root, start): (Option<&Root<G>>, Instant),
        monitor: &mut M,
    ) -> Done<G> {
        let known = (self.game, self.evaluator);
        let numbers = (number as u32, senders.len() as u32);
        let mut owner = Owner::new(numbers, known, &self.options, Some(&common.halt), monitor);
        if let Some(root) = root {
            owner.begin(&root.position);
        }
        let outgoing = senders.iter().map(|_| Vec::new()).collect();
        let (account, idle, spans) = (Account::default(), Duration::ZERO, Vec::new());
        let began = start.elapsed();
        Hand { owner, number, common, inbox, senders, outgoing, account, idle, start, began, spans }.work()
    }

    /// Puts together what the threads have gathered, and what was still on its way.
    fn settle_owners(
        &self,
        root: &Root<G>,
        done: Vec<Done<G>>,
        complete: bool,
        start: Instant,
    ) -> Result<(SearchResult<G::Move>, CrewReport), SearchError> {
        let (mut rest, mut statistics) = (NEVER, Statistics::default());
        let (mut estates, mut hands, mut spans) = (Vec::new(), Vec::new(), Vec::new());
        for hand in done {
            if let Some(error) = hand.failure {
                return Err(SearchError::Rules(error));
            }
            let late = std::iter::from_fn(|| hand.inbox.try_recv().ok()).flatten();
            rest = late.map(|offer| offer.total()).fold(rest.min(hand.rest), u32::min);
            statistics += hand.statistics;
            let mut report =
                HandReport { statistics: hand.statistics, idle: hand.idle, ..Default::default() };
            (report.counters.given, report.counters.taken) = (hand.sent, hand.received);
            hands.push(report);
            spans.extend(hand.spans.into_iter().filter(|_| self.trace));
            estates.push(hand.estate);
        }
        let result = conclude(self.game, root, &estates, rest, complete, statistics);
        let result = result.map_err(|error| SearchError::Rules(Box::new(error)))?;
        let (work, time) = (statistics.nodes, start.elapsed());
        let (critical, processes) = (None, Vec::new());
        Ok((result, CrewReport { policy: None, hands, time, work, critical, spans, processes }))
    }
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Hand<'_, G, E, M> {
    fn work(mut self) -> Done<G> {
        let mut failure = None;
        while !self.common.halt.load(Ordering::Relaxed) {
            match self.stretch() {
                Ok(Step::Rest) => self.rest(),
                Ok(Step::Stop) => self.common.halt.store(true, Ordering::Relaxed),
                Ok(Step::On | Step::Solved(_)) => {}
                Err(error) => {
                    failure = Some(error);
                    self.common.halt.store(true, Ordering::Relaxed);
                }
            }
        }
        let rest = self.outgoing.iter().flatten().map(Offer::total).min().unwrap_or(NEVER);
        let (statistics, Account { sent, received, .. }) = (self.owner.statistics(), self.account);
        self.worked();
        let (estate, inbox, idle, spans) = (self.owner.estate(), self.inbox, self.idle, self.spans);
        Done { estate, inbox, rest, statistics, sent, received, idle, spans, failure }
    }

    /// It has been at work until now.
    fn worked(&mut self) {
        let nanoseconds = |time: Duration| time.as_nanos() as u64;
        let (from, to) = (nanoseconds(self.began), nanoseconds(self.start.elapsed()));
        self.spans.push(Span { processor: self.number as u32, from, to, activity: Activity::Work });
    }

    /// Takes what has come, and expands some positions.
    fn stretch(&mut self) -> Result<Step, Box<RulesError>> {
        while let Ok(offers) = self.inbox.try_recv() {
            if self.accept(&offers) == Step::Stop {
                return Ok(Step::Stop);
            }
        }
        for _ in 0..STRETCH {
            let below = self.common.below.load(Ordering::Relaxed);
            let (outgoing, sent, senders) = (&mut self.outgoing, &mut self.account.sent, self.senders);
            let step = self.owner.step(below, &mut |home, offer| {
                let batch = &mut outgoing[home as usize];
                batch.push(offer);
                if batch.len() >= BATCH {
                    *sent += batch.len() as u64;
                    // The receivers stay until all threads have ended.
                    let _ = senders[home as usize].send(std::mem::take(batch));
                }
            });
            match step {
                Ok(Step::On) => {}
                Ok(Step::Solved(length)) => {
                    self.common.below.fetch_min(length, Ordering::Relaxed);
                }
                Ok(step) => return Ok(step),
                Err(Interrupt::Rules(error)) => return Err(error),
                Err(Interrupt::Stopped | Interrupt::Unwind(_)) => return Ok(Step::Stop),
            }
        }
        Ok(Step::On)
    }

    fn accept(&mut self, offers: &[Offer<G>]) -> Step {
        self.account.received += offers.len() as u64;
        let steps = offers.iter().map(|offer| self.owner.accept(offer));
        steps.fold(Step::On, |all, step| if step == Step::Stop { step } else { all })
    }

    /// Sends what is left to be sent, and waits until there is something to do.
    fn rest(&mut self) {
        for (batch, sender) in self.outgoing.iter_mut().zip(self.senders) {
            if !batch.is_empty() {
                self.account.sent += batch.len() as u64;
                let _ = sender.send(std::mem::take(batch));
            }
        }
        self.worked();
        let start = Instant::now();
        self.common.settle(self.number, Account { rests: true, ..self.account });
        while !self.common.halt.load(Ordering::Relaxed) {
            if let Some(offers) = stage::wait(&self.inbox, BEAT) {
                self.common.settle(self.number, Account { rests: false, ..self.account });
                if self.accept(&offers) == Step::Stop {
                    self.common.halt.store(true, Ordering::Relaxed);
                }
                break;
            }
            if self.owner.rest() == Step::Stop {
                self.common.halt.store(true, Ordering::Relaxed);
            }
        }
        self.idle += start.elapsed();
        self.began = self.start.elapsed();
    }
}
