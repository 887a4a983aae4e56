//! Virtual time: an event queue, processors with inboxes, and what everything costs.
//!
//! A processor takes all messages that have arrived, then does one step of work, then sends what it has to
//! say. A step happens at its beginning as far as its effects on the processor are concerned, and its
//! messages leave at its end.

use std::collections::VecDeque;

use multigame_game::Random;
use multigame_parallel::{Activity, Outbox, Parcel, Span, Status, Worker, WorkerId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::curve::Curve;
use crate::faults::Faults;
use crate::machine::Machine;
use crate::queue::Queue;

/// What a processor did with its time, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Searching.
    pub work: u64,
    /// Sending and receiving messages.
    pub messages: u64,
    /// Passing on other processors' messages.
    pub routing: u64,
    /// Nothing, by a fault.
    pub pauses: u64,
}

/// How many messages of a kind there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Their number.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Steps from processor to processor.
    pub hops: u64,
}

#[derive(Debug)]
enum Event<M> {
    Arrival { to: WorkerId, from: WorkerId, message: M },
    Turn { processor: WorkerId, alarm: u64 },
    Loss { processor: WorkerId },
}

#[derive(Debug)]
struct Processor<M> {
    inbox: VecDeque<(WorkerId, M)>,
    /// When it has time again.
    free_at: u64,
    /// The number of its next turn; turns with other numbers have been overtaken.
    alarm: u64,
    /// Whether a turn is in the queue, and when.
    turn_at: Option<u64>,
    busy: bool,
    finished: bool,
    lost: bool,
    slowness: u64,
    /// Computing time that routing took since its last turn.
    held_up: u64,
    account: Account,
    /// Where its last span is kept.
    last_span: Option<usize>,
}

/// Workers in virtual time; see the module.
#[derive(Debug)]
pub struct Simulation<W: Worker> {
    workers: Vec<W>,
    machine: Machine,
    faults: Faults,
    random: Random,
    now: u64,
    /// Ticks that a worker may work on between two looks into its inbox.
    budget: u64,
    queue: Queue<Event<W::Message>>,
    processors: Vec<Processor<W::Message>>,
    /// When the last message of a pair arrives, so that later ones do not overtake it.
    pairs: FxHashMap<(WorkerId, WorkerId), u64>,
    traffic: Vec<Traffic>,
    busy: u64,
    profile: Curve,
    spans: Option<Vec<Span>>,
    route: Vec<WorkerId>,
    finished_at: Option<u64>,
    /// The work of all processors, in nanoseconds.
    worked: u64,
}

/// After this many nodes the one who watches a run is asked at the latest.
const WATCHED_WORK: u64 = 2048;

impl<W: Worker> Simulation<W> {
    /// Prepares a run.
    pub fn new(workers: Vec<W>, machine: Machine, faults: Faults, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let processors = workers
            .iter()
            .map(|_| Processor {
                inbox: VecDeque::new(),
                free_at: 0,
                alarm: 0,
                turn_at: None,
                busy: false,
                finished: false,
                lost: false,
                slowness: if faults.slow_every > 0 && random.below(faults.slow_every as usize) == 0 {
                    4
                } else {
                    1
                },
                held_up: 0,
                account: Account::default(),
                last_span: None,
            })
            .collect();
        let mut simulation = Simulation {
            workers,
            machine,
            faults,
            random,
            now: 0,
            budget: 0,
            queue: Queue::default(),
            processors,
            pairs: FxHashMap::default(),
            traffic: vec![Traffic::default(); W::Message::KINDS.len()],
            busy: 0,
            profile: Curve::default(),
            spans: None,
            route: Vec::new(),
            finished_at: None,
            worked: 0,
        };
        for processor in 0..simulation.workers.len() as WorkerId {
            simulation.schedule(processor, 0);
        }
        for (processor, at) in faults.losses.drawn(simulation.workers.len() as u32, seed) {
            simulation.queue.push(at, Event::Loss { processor });
        }
        simulation
    }

    /// Lets workers go on for this many ticks before they look into their inboxes.
    pub fn with_budget(mut self, budget: u64) -> Self {
        self.budget = budget;
        self
    }

    /// Keeps what every processor did when.
    pub fn with_spans(mut self) -> Self {
        self.spans = Some(Vec::new());
        self
    }

    /// Runs until worker 0 has finished and all messages have arrived, or until `watch` says stop; it is
    /// called with the time and the workers every few thousand events, and more often where single events are
    /// long.
    pub fn run(&mut self, watch: &mut dyn FnMut(u64, &[W]) -> bool) {
        let (mut count, mut watched) = (0u64, 0);
        let much = WATCHED_WORK * self.machine.prices.node.max(1);
        while let Some((time, event)) = self.queue.pop() {
            self.now = time;
            match event {
                Event::Arrival { to, from, message } => self.arrive(to, from, message),
                Event::Turn { processor, alarm } => {
                    let state = &self.processors[processor as usize];
                    if state.alarm == alarm && !state.lost {
                        self.turn(processor);
                    }
                }
                Event::Loss { processor } => self.lose(processor),
            }
            count += 1;
            if count.is_multiple_of(4096) || self.worked - watched > much {
                watched = self.worked;
                if !watch(self.now, &self.workers) {
                    return;
                }
            }
        }
    }

    /// The processors that were lost before the end.
    pub fn lost(&self) -> impl Iterator<Item = WorkerId> + '_ {
        (0..).zip(&self.processors).filter(|(_, state)| state.lost).map(|(processor, _)| processor)
    }

    /// The workers.
    pub fn workers(&self) -> &[W] {
        &self.workers
    }

    /// The time at which worker 0 finished, or the present one.
    pub fn time(&self) -> u64 {
        self.finished_at.unwrap_or(self.now)
    }

    /// What each processor did with its time.
    pub fn accounts(&self) -> impl Iterator<Item = Account> + '_ {
        self.processors.iter().map(|processor| processor.account)
    }

    /// The messages, by kind.
    pub fn traffic(&self) -> &[Traffic] {
        &self.traffic
    }

    /// How many processors were busy from when on. Long runs are told less exactly.
    pub fn profile(&self) -> &[(u64, u32)] {
        self.profile.points()
    }

    /// What every processor did when, if it was asked for.
    pub fn spans(&self) -> Option<&[Span]> {
        self.spans.as_deref()
    }

    fn schedule(&mut self, processor: WorkerId, time: u64) {
        let state = &mut self.processors[processor as usize];
        state.alarm += 1;
        state.turn_at = Some(time);
        let alarm = state.alarm;
        self.queue.push(time, Event::Turn { processor, alarm });
    }

    /// Stops a processor for ever.
    fn lose(&mut self, processor: WorkerId) {
        if self.finished_at.is_none() {
            self.set_busy(processor as usize, false);
            let state = &mut self.processors[processor as usize];
            state.lost = true;
            state.inbox.clear();
        }
    }

    fn arrive(&mut self, to: WorkerId, from: WorkerId, message: W::Message) {
        if self.processors[to as usize].lost {
            return;
        }
        if self.machine.table_server && message.interrupts() {
            return self.interrupt(to, from, message);
        }
        let state = &mut self.processors[to as usize];
        state.inbox.push_back((from, message));
        let soonest = self.now.max(state.free_at);
        if state.turn_at.is_none_or(|turn| turn > soonest) {
            self.schedule(to, soonest);
        }
    }

    /// Has a message handled whatever the processor is at.
    fn interrupt(&mut self, to: WorkerId, from: WorkerId, message: W::Message) {
        let (mut outbox, copies) = (Outbox { now: self.now, ..Outbox::default() }, self.copies(&message));
        self.workers[to as usize].handle(from, message, &mut outbox);
        let mut time = self.now + self.machine.receive * copies;
        for (other, answer) in outbox.letters {
            time += self.machine.send * self.copies(&answer);
            self.post(to, other, answer, time);
        }
        self.hold_up(to, time - self.now);
    }

    /// Takes time from what a processor is at. One that has nothing to do does not mind.
    fn hold_up(&mut self, processor: WorkerId, time: u64) {
        let state = &mut self.processors[processor as usize];
        if state.free_at > self.now {
            state.held_up += time;
        }
    }

    fn turn(&mut self, processor: WorkerId) {
        let index = processor as usize;
        let mut outbox = Outbox { now: self.now, ..Outbox::default() };
        let state = &mut self.processors[index];
        state.turn_at = None;
        let mut time = self.now;
        if self.faults.pause_every > 0 && self.random.below(self.faults.pause_every as usize) == 0 {
            state.account.pauses += self.faults.pause;
            time += self.faults.pause;
        }
        self.record(processor, Activity::Pause, self.now, time);
        let state = &mut self.processors[index];
        let held_up = std::mem::take(&mut state.held_up);
        state.account.routing += held_up;
        self.record(processor, Activity::Routing, time, time + held_up);
        time += held_up;
        let begun = time;
        while let Some((from, message)) = self.processors[index].inbox.pop_front() {
            let price = self.machine.receive * self.copies(&message);
            self.workers[index].handle(from, message, &mut outbox);
            time += price;
            self.processors[index].account.messages += price;
            time = self.send_all(processor, &mut outbox, time);
        }
        self.record(processor, Activity::Messages, begun, time);
        if self.processors[index].finished {
            self.processors[index].free_at = time;
            return;
        }
        let progress = self.workers[index].work(self.budget, &mut outbox);
        self.worked += progress.cost;
        let contention = 1_000_000 + self.machine.contention * self.busy.saturating_sub(1);
        let slowness = self.processors[index].slowness;
        let cost = (u128::from(progress.cost * slowness) * u128::from(contention) / 1_000_000) as u64;
        if cost > 0 {
            self.set_busy(index, true);
        }
        self.record(processor, Activity::Work, time, time + cost);
        self.processors[index].account.work += cost;
        let worked = time + cost;
        time = self.send_all(processor, &mut outbox, worked);
        self.record(processor, Activity::Messages, worked, time);
        self.processors[index].free_at = time;
        match progress.status {
            Status::Busy => self.schedule(processor, time),
            // It is busy until then.
            Status::Waiting if cost > 0 => self.schedule(processor, time),
            status => {
                self.set_busy(index, false);
                match status {
                    Status::Idle(Some(pause)) => self.schedule(processor, time + pause.max(1)),
                    Status::Finished => {
                        self.processors[index].finished = true;
                        if processor == 0 {
                            self.finished_at = Some(time);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Keeps what a processor did, if that was asked for; what goes on is one span.
    fn record(&mut self, processor: WorkerId, activity: Activity, from: u64, to: u64) {
        let Some(spans) = self.spans.as_mut().filter(|_| from < to) else { return };
        let last = &mut self.processors[processor as usize].last_span;
        match last.map(|place| &mut spans[place]) {
            Some(span) if span.activity == activity && span.to == from => span.to = to,
            _ => {
                *last = Some(spans.len());
                spans.push(Span { processor, from, to, activity });
            }
        }
    }

    fn set_busy(&mut self, index: usize, busy: bool) {
        if self.processors[index].busy == busy || self.finished_at.is_some() {
            return;
        }
        self.processors[index].busy = busy;
        self.busy = if busy { self.busy + 1 } else { self.busy - 1 };
        self.profile.set(self.now, self.busy as u32);
    }

    /// Sends letters one after the other; the time afterwards.
    fn send_all(&mut self, from: WorkerId, outbox: &mut Outbox<W::Message>, mut time: u64) -> u64 {
        for (to, message) in outbox.letters.drain(..) {
            let price = self.machine.send * self.copies(&message);
            time += price;
            self.processors[from as usize].account.messages += price;
            self.post(from, to, message, time);
        }
        time
    }

    /// How often a message is sent.
    fn copies(&self, message: &W::Message) -> u64 {
        self.machine.doubled.copies(W::Message::KINDS[message.kind()])
    }

    /// Puts a letter on its way.
    fn post(&mut self, from: WorkerId, to: WorkerId, message: W::Message, time: u64) {
        let processors = self.workers.len() as u32;
        let mut route = std::mem::take(&mut self.route);
        self.machine.topology.route(from, to, processors, &mut route);
        let (bytes, hops, copies) = (message.bytes(), route.len() as u64, self.copies(&message));
        if self.machine.routing > 0 {
            for &on_the_way in route.iter().rev().skip(1) {
                self.hold_up(on_the_way, self.machine.routing * copies);
            }
        }
        self.route = route;
        let traffic = &mut self.traffic[message.kind()];
        traffic.count += copies;
        traffic.bytes += u64::from(bytes) * copies;
        traffic.hops += hops * copies;
        let step = self.machine.latency + self.machine.per_kib * u64::from(bytes) / 1024;
        let mut arrival = time + step * hops.max(1) + self.machine.routing * hops.saturating_sub(1);
        arrival += self.misfortune();
        let last = self.pairs.entry((from, to)).or_default();
        arrival = arrival.max(*last);
        *last = arrival;
        self.queue.push(arrival, Event::Arrival { to, from, message });
    }

    fn misfortune(&mut self) -> u64 {
        if self.faults.delay == 0 {
            return 0;
        }
        let delay = self.random.below(self.faults.delay as usize + 1) as u64;
        let every = self.faults.straggler_every;
        if every > 0 && self.random.below(every as usize) == 0 { delay * 100 } else { delay }
    }
}
