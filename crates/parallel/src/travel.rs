//! Transposition-driven scheduling for two players: every position is searched at its [home], where all that
//! is known about it is.
//!
//! In a puzzle nothing travels back. Here four things do not go with the stream of positions:
//!
//! - *Results return.* The home of a position answers those who asked, who wait for nothing meanwhile: a
//!   worker always takes the next of all the positions that have come to it.
//! - *Windows chase.* A better bound is told to the homes of the brothers that it matters to.
//! - *Kills chase.* Where a node is decided, the homes of its children are told, and tell those below.
//! - *Order matters.* Young brothers wait as in other policies, and a worker takes the position first that
//!   the sequential search would come to first ([`Order::Left`]).
//!
//! A position that is being searched at its home to the same depth is not searched twice: those who ask about
//! it wait for the same answer. Waits never form a circle, because each goes to a smaller depth: positions
//! whose depth an extension has kept are searched by themselves.

mod children;
mod node;
mod protocol;
mod ready;

use std::collections::{BTreeMap, VecDeque};

use multigame_game::{Game, RulesError, Signature};
use multigame_search::{
    Brood, Evaluator, Found, Interrupt, KernelInput, Monitor, Opening, PRUNED_DEPTH, Root, Statistics,
    Stepper, Window, Workspace,
};

use crate::ideal::Ideal;
use crate::level::Verdict;
use crate::master::Master;
use crate::memory::home;
use crate::policy::NodeKind;
use crate::setup::Setup;
use crate::statistics::Counters;
use crate::worker::{Mail, Progress, Status, Worker, WorkerId};

use node::{Asker, Node};
use protocol::{Answer, Item, Question, Ticket};
pub use protocol::{Order, Travel, TravelMessage};
use ready::Ready;

/// The question about the root, which nobody asked.
const ROOT: Ticket = Ticket { asker: 0, serial: 0 };

/// Where a question is that has not been answered.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Among those that are ready.
    Ready(u64),
    /// It is being searched.
    Node(u64),
    /// It waits until a node is done that was asked about a smaller window.
    Behind(u64),
    /// The kernel has searched it, and its time has not come.
    Unpaid,
}

/// What the kernel has found out, but will know only when its time has passed.
#[derive(Debug)]
struct Unpaid<M> {
    ticket: Ticket,
    found: Found,
    pv: Vec<M>,
    end: u64,
    /// Ticks in all, and those still to pay.
    cost: u64,
    owed: u64,
    nodes: u64,
}

impl<M> Unpaid<M> {
    fn nodes_left(&self) -> u64 {
        self.nodes * self.owed / self.cost.max(1)
    }
}

/// A worker of transposition-driven scheduling; see the module.
#[derive(Debug)]
pub struct TravelWorker<'a, G: Game, E, M = ()> {
    me: WorkerId,
    workers: u32,
    setup: Setup,
    travel: Travel,
    stepper: Stepper<'a, G, E>,
    root: Signature,
    /// The search of the root, which worker 0 conducts.
    master: Option<Master<G>>,
    root_depth: u32,
    /// Nodes that are being searched here, by number.
    nodes: BTreeMap<u64, Node<G>>,
    /// Of these, the ones that others may wait for, by position and depth.
    known: BTreeMap<(Signature, u32), u64>,
    /// The nodes that asked this worker's questions.
    asked: BTreeMap<u64, u64>,
    /// The questions of others that have not been answered.
    places: BTreeMap<Ticket, Place>,
    ready: Ready<Box<Question<G>>>,
    /// What has arrived, and what this worker tells itself.
    inbox: VecDeque<(WorkerId, Item<G>)>,
    /// What waits for company, by receiver, and the steps since all of it left.
    letters: Vec<Vec<Item<G>>>,
    lingers: u32,
    serial: u64,
    /// The most nodes and questions it held.
    highest: usize,
    unpaid: Option<Unpaid<G::Move>>,
    counters: Counters,
    ideal: Ideal,
    failed: Option<Box<RulesError>>,
    finished: bool,
    witness: M,
}

impl<'a, G: Game, E: Evaluator<G>, M: Monitor<G>> TravelWorker<'a, G, E, M> {
    /// A worker of a search to `depth`; its table is its own. `witness` sees every bound.
    pub fn new(
        (me, workers): (WorkerId, u32),
        task: KernelInput<'a, G, E>,
        root: &Root<G>,
        depth: u32,
        (setup, travel): (Setup, Travel),
        witness: M,
    ) -> Self {
        let mut setup = setup;
        if task.options.futility || task.options.late_pruning {
            // As for other workers, moves are left out by the kernel only.
            setup.grain = setup.grain.max(PRUNED_DEPTH + u32::from(task.options.internal_reduction));
        }
        TravelWorker {
            me,
            workers,
            setup,
            travel,
            root: task.game.signature(&root.position),
            master: (me == 0).then(|| Master::new(depth, 0, task.options)),
            stepper: Stepper::new(task, root, Workspace::default()),
            root_depth: 0,
            nodes: BTreeMap::default(),
            known: BTreeMap::default(),
            asked: BTreeMap::default(),
            places: BTreeMap::default(),
            ready: Ready::new(travel.order),
            inbox: VecDeque::new(),
            letters: (0..workers).map(|_| Vec::new()).collect(),
            lingers: 0,
            serial: 0,
            highest: 0,
            unpaid: None,
            counters: Counters::default(),
            ideal: Ideal::default(),
            failed: None,
            finished: false,
            witness,
        }
    }

    /// The monitor that sees every bound.
    pub fn witness(&self) -> &M {
        &self.witness
    }

    /// What was counted in the tree.
    pub fn statistics(&self) -> &Statistics {
        self.stepper.statistics()
    }

    /// What else was counted.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// When infinitely many processors would have done what it did.
    pub fn ideal(&self) -> &Ideal {
        &self.ideal
    }

    /// The search of the root; only worker 0 has it.
    pub fn master(&self) -> Option<&Master<G>> {
        self.master.as_ref()
    }

    /// Why the search failed.
    pub fn failure(&self) -> Option<&RulesError> {
        self.failed.as_deref()
    }

    /// How many nodes and questions it holds.
    pub fn stack_height(&self) -> usize {
        self.nodes.len() + self.ready.len()
    }

    /// The most it ever held.
    pub fn highest_stack(&self) -> usize {
        self.highest
    }

    /// Nodes that the kernel has looked at, and whose time has not come.
    pub fn unpaid_nodes(&self) -> u64 {
        self.unpaid.as_ref().map_or(0, Unpaid::nodes_left)
    }

    /// Takes everything that has arrived.
    fn take_in(&mut self, mail: &mut dyn Mail<TravelMessage<G>>) {
        while let Some((from, item)) = self.inbox.pop_front() {
            match item {
                Item::Ask(question) => self.enqueue(question),
                Item::Answer(answer) => self.answered(*answer, mail),
                Item::Window { serial, window } => {
                    self.narrowed(Ticket { asker: from, serial }, window, mail)
                }
                Item::Kill(serial) => self.killed(Ticket { asker: from, serial }, mail),
            }
        }
    }

    /// Sends something, perhaps in company; what is for this worker itself needs no letter.
    fn tell(&mut self, to: WorkerId, item: Item<G>, mail: &mut dyn Mail<TravelMessage<G>>) {
        if to == self.me {
            self.receive(to, item);
            return;
        }
        let letter = &mut self.letters[to as usize];
        letter.push(item);
        if letter.len() >= self.travel.combine as usize {
            mail.send(to, TravelMessage::Items(std::mem::take(letter)));
        }
    }

    /// Puts something among what is to be taken in.
    fn receive(&mut self, from: WorkerId, item: Item<G>) {
        self.counters.arrived += u64::from(matches!(item, Item::Answer(_)));
        self.inbox.push_back((from, item));
    }

    /// Sends what waits for company.
    fn flush(&mut self, mail: &mut dyn Mail<TravelMessage<G>>) {
        self.lingers = 0;
        for (to, letter) in self.letters.iter_mut().enumerate().filter(|(_, letter)| !letter.is_empty()) {
            mail.send(to as WorkerId, TravelMessage::Items(std::mem::take(letter)));
        }
    }

    fn enqueue(&mut self, question: Box<Question<G>>) {
        let ticket = question.ticket;
        let number = self.ready.add(question);
        self.places.insert(ticket, Place::Ready(number));
        self.highest = self.highest.max(self.stack_height());
    }

    /// Begins the next pass of the root; false if there is none.
    fn next_pass(&mut self) -> bool {
        let Some((depth, window, start)) = self.master.as_ref().and_then(Master::next) else { return false };
        self.stepper.seat_root(depth);
        self.root_depth = depth;
        self.enqueue(Box::new(Question {
            ticket: ROOT,
            position: self.stepper.position(0).clone(),
            signature: self.root,
            ply: 0,
            depth,
            window,
            kind: NodeKind::Pv,
            path: Vec::new(),
            place: Vec::new(),
            start,
            root_depth: depth,
            joins: false,
        }));
        true
    }

    /// The answer about the root.
    fn root_found(&mut self, answer: Answer<G>) {
        let options = self.stepper.task().options;
        let Some(master) = &mut self.master else { return };
        master.absorb(answer.found, answer.pv, answer.end, options);
        self.stepper.count_root_passes(master.take_extra_passes());
    }

    /// Answers a question.
    fn reply(
        &mut self,
        ticket: Ticket,
        (found, pv, end): (Found, Vec<G::Move>, u64),
        mail: &mut dyn Mail<TravelMessage<G>>,
    ) {
        self.places.remove(&ticket);
        let answer = Answer { serial: ticket.serial, found, pv, end };
        if ticket == ROOT {
            self.root_found(answer);
            return;
        }
        self.counters.reported += 1;
        self.tell(ticket.asker, Item::Answer(Box::new(answer)), mail);
    }

    /// Begins with a position that has come.
    fn begin(&mut self, question: Box<Question<G>>, mail: &mut dyn Mail<TravelMessage<G>>) {
        let question = match self.join(question) {
            None => return,
            Some(question) => question,
        };
        let Question { ply, depth, window, .. } = *question;
        if ply == 0 {
            self.stepper.seat_root(depth);
        } else {
            self.stepper.seat(ply, &question.position, &question.path, &Brood::default());
        }
        self.stepper.set_root_depth(question.root_depth);
        let before = *self.stepper.statistics();
        if ply > 0 && depth <= self.setup.grain {
            let found = self.stepper.search(ply, depth, window, &mut self.witness);
            self.searched(&question, before, found, mail);
            return;
        }
        let mut brood = Brood::default();
        let opening = self.stepper.open(ply, depth, window, &mut brood, &mut self.witness);
        let cost = self.setup.prices.between(&before, self.stepper.statistics());
        self.counters.work += cost;
        self.note_work(question.start, cost);
        match opening {
            Err(interrupt) => self.interrupted(interrupt, mail),
            Ok(Opening::Answer(found)) => {
                self.reply(question.ticket, (found, Vec::new(), question.start + cost), mail);
            }
            Ok(Opening::Node(opened)) => {
                let (narrowed, lower) = self.stepper.window(ply);
                let mut node = Node::new(&question, opened, brood);
                node.level.window = window.and(narrowed);
                node.level.lower = lower;
                (node.level.clock, node.level.end) = (question.start + cost, question.start + cost);
                if lower >= node.level.window.beta {
                    node.level.verdict = Some(Verdict::Unwound);
                }
                self.serial += 1;
                let number = self.serial;
                if node.joins {
                    self.known.insert((question.signature, depth), number);
                }
                self.places.insert(question.ticket, Place::Node(number));
                self.nodes.insert(number, node);
                self.advance(number, mail);
            }
        }
    }

    /// What the kernel has found is known when its time has passed.
    fn searched(
        &mut self,
        question: &Question<G>,
        before: Statistics,
        found: Result<Found, Interrupt>,
        mail: &mut dyn Mail<TravelMessage<G>>,
    ) {
        let cost = self.setup.prices.between(&before, self.stepper.statistics());
        let nodes = self.stepper.statistics().nodes - before.nodes;
        self.note_work(question.start, cost);
        match found {
            Err(interrupt) => self.interrupted(interrupt, mail),
            Ok(found) => {
                let pv = self.stepper.pv(question.ply).to_vec();
                let end = question.start + cost;
                self.places.insert(question.ticket, Place::Unpaid);
                let unpaid = Unpaid { ticket: question.ticket, found, pv, end, cost, owed: cost, nodes };
                self.pay_off(unpaid, mail);
            }
        }
    }

    /// Pays for what the kernel did, or for a part of it so that messages are handled before the next.
    fn pay_off(&mut self, mut unpaid: Unpaid<G::Move>, mail: &mut dyn Mail<TravelMessage<G>>) {
        let in_parts = self.setup.pays_by_node && self.workers > 1;
        let part = if in_parts { unpaid.owed.min(self.setup.prices.node.max(1)) } else { unpaid.owed };
        self.counters.work += part;
        unpaid.owed -= part;
        if unpaid.owed == 0 {
            self.reply(unpaid.ticket, (unpaid.found, unpaid.pv, unpaid.end), mail);
        } else {
            self.unpaid = Some(unpaid);
        }
    }

    fn note_work(&mut self, start: u64, cost: u64) {
        if self.setup.ideal {
            self.ideal.add(start, start + cost);
        }
    }

    fn interrupted(&mut self, interrupt: Interrupt, mail: &mut dyn Mail<TravelMessage<G>>) {
        let Interrupt::Rules(error) = interrupt else { return };
        if self.me == 0 {
            self.failed = Some(error);
        } else {
            mail.send(0, TravelMessage::Failed(error));
        }
    }

    /// Lets a question wait for a node that is being searched already; otherwise it comes back.
    fn join(&mut self, question: Box<Question<G>>) -> Option<Box<Question<G>>> {
        let other = self.known.get(&(question.signature, question.depth)).copied();
        let Some(number) = other.filter(|_| question.joins) else { return Some(question) };
        let node = self.nodes.get_mut(&number)?;
        self.counters.joined += 1;
        let Question { ticket, window, .. } = *question;
        if window.and(node.level.asked) == window {
            self.places.insert(ticket, Place::Node(number));
            node.askers.push(Asker { ticket, window });
        } else {
            self.places.insert(ticket, Place::Behind(number));
            node.behind.push(question);
        }
        None
    }

    /// Nobody has to know the answer to a question any more.
    fn killed(&mut self, ticket: Ticket, mail: &mut dyn Mail<TravelMessage<G>>) {
        match self.places.remove(&ticket) {
            None => self.counters.stale += 1,
            Some(place) => {
                self.counters.killed += 1;
                match place {
                    Place::Ready(number) => self.ready.remove(number),
                    Place::Behind(number) => {
                        let node = self.nodes.get_mut(&number).expect("questions wait behind nodes");
                        node.behind.retain(|question| question.ticket != ticket);
                    }
                    Place::Unpaid => {
                        if let Some(unpaid) = self.unpaid.take() {
                            self.counters.unvisited += unpaid.nodes_left();
                        }
                    }
                    Place::Node(number) => {
                        let node = self.nodes.get_mut(&number).expect("its questions go with a node");
                        node.askers.retain(|asker| asker.ticket != ticket);
                        if node.askers.is_empty() {
                            self.drop_node(number, mail);
                        } else {
                            self.renew_window(number, mail);
                        }
                    }
                }
            }
        }
    }

    /// Only this window of a question matters any more.
    fn narrowed(&mut self, ticket: Ticket, window: Window, mail: &mut dyn Mail<TravelMessage<G>>) {
        match self.places.get(&ticket).copied() {
            None => self.counters.stale += 1,
            Some(Place::Ready(number)) => {
                self.counters.narrowed += 1;
                self.ready.change(number, |question| question.window = question.window.and(window));
            }
            Some(Place::Node(number)) => {
                self.counters.narrowed += 1;
                let node = self.nodes.get_mut(&number).expect("its questions go with a node");
                for asker in node.askers.iter_mut().filter(|asker| asker.ticket == ticket) {
                    asker.window = asker.window.and(window);
                }
                self.renew_window(number, mail);
            }
            // A question that waits is asked as it was; one that the kernel has searched is answered.
            Some(Place::Behind(_) | Place::Unpaid) => {}
        }
    }
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Worker for TravelWorker<'_, G, E, M> {
    type Message = TravelMessage<G>;

    fn handle(&mut self, from: WorkerId, message: TravelMessage<G>, _: &mut dyn Mail<TravelMessage<G>>) {
        match message {
            TravelMessage::Items(items) => items.into_iter().for_each(|item| self.receive(from, item)),
            TravelMessage::Failed(error) => self.failed = Some(error),
            TravelMessage::Finished => self.finished = true,
        }
    }

    fn work(&mut self, budget: u64, mail: &mut dyn Mail<TravelMessage<G>>) -> Progress {
        let before = self.counters.work;
        loop {
            self.take_in(mail);
            let spent = self.counters.work - before;
            if self.finished || self.failed.is_some() {
                return Progress { cost: spent, status: self.finish(mail) };
            }
            if self.me == 0 && !self.places.contains_key(&ROOT) && !self.next_pass() {
                return Progress { cost: spent, status: self.finish(mail) };
            }
            if let Some(unpaid) = self.unpaid.take() {
                self.pay_off(unpaid, mail);
            } else if let Some(question) = self.ready.next() {
                self.places.remove(&question.ticket);
                self.begin(question, mail);
            } else {
                self.flush(mail);
                return Progress { cost: spent, status: Status::Idle(None) };
            }
            self.take_in(mail);
            self.lingers += 1;
            if self.lingers >= self.travel.combine {
                self.flush(mail);
            }
            let spent = self.counters.work - before;
            if spent > budget {
                return Progress { cost: spent, status: Status::Busy };
            }
        }
    }
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> TravelWorker<'_, G, E, M> {
    /// Ends the search, for everybody if this is worker 0.
    fn finish(&mut self, mail: &mut dyn Mail<TravelMessage<G>>) -> Status {
        if self.me == 0 && !self.finished {
            (1..self.workers).for_each(|other| mail.send(other, TravelMessage::Finished));
        }
        self.finished = true;
        self.flush(mail);
        self.inbox.clear();
        self.nodes.clear();
        self.known.clear();
        self.ready.clear();
        self.unpaid = None;
        Status::Finished
    }

    fn home(&self, signature: Signature) -> WorkerId {
        home(signature, self.workers)
    }
}
