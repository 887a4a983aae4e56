//! The transposition table that is spread over workers which share no memory.
//!
//! Every process has a table of its own, which its workers share, and their kernels use nothing else.
//! *Partitioned*: each position has a home. Before a node in the worker's hands is opened, its home is asked;
//! the answer is put into the worker's own table, where the kernel finds it. What is found out is told to the
//! home. *Hybrid*: the same, but a worker whose own table decides asks nobody. *Replicated*: nobody is asked,
//! everybody is told, also what a kernel found out. *Private*: neither. *Shared*: the tables are one and the
//! same.
//!
//! A question can be asked ahead: about the next child, while a child is searched. The answer is in the own
//! table when the child's turn comes, or at least on its way.
//!
//! A process is spoken to by its first worker, which its driver carries letters for without a detour.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use multigame_game::Signature;
use multigame_search::Entry;

use crate::form::{Form, Memory};
use crate::statistics::Counters;
use crate::telling::Telling;
use crate::worker::{Mail, WorkerId};

/// Messages in which workers talk about their tables.
pub(crate) trait TableTalk {
    /// Asks about a position.
    fn look_up(signature: Signature) -> Self;

    /// Tells about positions.
    fn store(entries: Vec<(Signature, Entry)>) -> Self;
}

/// Which of this many tables knows about a position.
#[inline]
pub fn home(signature: Signature, workers: u32) -> WorkerId {
    // Other bits than those that choose a place in the table.
    let mixed = signature.rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(mixed) * u128::from(workers)) >> 64) as WorkerId
}

/// Whether a question about a position has to leave, or has left before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Nobody is asked, or the answer has come already.
    None,
    /// It has been asked just now.
    Asked,
    /// It was asked ahead, and the answer is on its way.
    OnItsWay,
}

/// One worker's dealings with the tables of others.
#[derive(Debug)]
pub(crate) struct Spread {
    memory: Memory,
    me: WorkerId,
    workers: u32,
    /// Workers that use the same table.
    sharing: u32,
    /// Least depth of questions, and of what is told.
    asked_from: u32,
    telling: Telling,
    /// Entries that wait for company on their way.
    to_home: BTreeMap<WorkerId, Vec<(Signature, Entry)>>,
    to_all: Vec<(Signature, Entry)>,
    /// Positions asked about ahead, and whether the answer has come.
    ahead: VecDeque<(Signature, bool)>,
    /// Workers that did not answer, and that are neither asked nor told anything.
    silent: BTreeSet<WorkerId>,
}

/// The least depths of questions and of what is told, where the form says nothing about them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depths {
    pub asked: u32,
    pub told: u32,
}

impl Spread {
    /// For a worker among this many, of which `sharing` at a time use the same table.
    pub fn new(memory: Memory, (me, workers): (WorkerId, u32), sharing: u32, usual: Depths) -> Spread {
        Spread {
            memory,
            me,
            workers,
            sharing: sharing.max(1),
            asked_from: memory.asked_from(usual.asked),
            telling: Telling::fixed(memory.told_from(usual.told)),
            to_home: BTreeMap::new(),
            to_all: Vec::new(),
            ahead: VecDeque::new(),
            silent: BTreeSet::new(),
        }
    }

    /// The same, but learns how deep entries have to be that everybody is told, unless that is set.
    pub fn learning(mut self) -> Spread {
        let others = self.workers / self.sharing - 1;
        if self.memory.form == Form::Replicated && self.memory.tell.is_none() && others > 0 {
            self.telling = Telling::learned(others);
        }
        self
    }

    /// Hears how many nodes a kernel searched.
    pub fn searched(&mut self, nodes: u64) {
        self.telling.searched(nodes);
    }

    /// Whether the own table is asked before others are.
    pub fn asks_itself_first(&self) -> bool {
        self.memory.form == Form::Hybrid
    }

    /// Whether only positions are asked about whose parent or grandparent was known.
    pub fn asks_for_families(&self) -> bool {
        self.memory.family
    }

    /// Whether questions are asked ahead.
    pub fn asks_ahead(&self) -> bool {
        self.memory.form.asks() && self.memory.ahead > 0
    }

    /// Whether homes are asked about positions of a depth.
    pub fn asks(&self, depth: u32) -> bool {
        self.memory.form.asks() && depth >= self.asked_from
    }

    /// The least depth of positions that everybody is told about, also where only a kernel has seen them.
    pub fn told_to_all_from(&self) -> u32 {
        let tells = self.memory.form == Form::Replicated && self.workers > self.sharing;
        if tells { self.telling.from() } else { u32::MAX }
    }

    /// The worker to speak to about a position, unless its home is the table that this worker uses.
    fn home_elsewhere(&self, signature: Signature) -> Option<WorkerId> {
        let team = home(signature, self.workers / self.sharing);
        let speaker = team * self.sharing;
        (team != self.me / self.sharing && !self.silent.contains(&speaker)).then_some(speaker)
    }

    /// Asks the home of a position nothing any more.
    pub fn distrust(&mut self, signature: Signature) {
        self.silent.extend(self.home_elsewhere(signature));
    }

    /// A worker has been heard of.
    pub fn heard_of(&mut self, worker: WorkerId) {
        self.silent.remove(&worker);
    }

    /// Asks the home of a position about it, unless that is here or has been asked ahead.
    pub fn ask<M: TableTalk>(
        &mut self,
        signature: Signature,
        counters: &mut Counters,
        mail: &mut dyn Mail<M>,
    ) -> Question {
        let Some(home) = self.home_elsewhere(signature) else { return Question::None };
        if let Some(place) = self.ahead.iter().position(|&(asked, _)| asked == signature) {
            let (_, answered) = self.ahead.remove(place).expect("it was found there");
            if answered {
                return Question::None;
            }
            counters.waits += 1;
            return Question::OnItsWay;
        }
        counters.lookups += 1;
        counters.waits += 1;
        mail.send(home, M::look_up(signature));
        Question::Asked
    }

    /// Asks about a position that will be searched soon.
    pub fn ask_ahead<M: TableTalk>(
        &mut self,
        signature: Signature,
        counters: &mut Counters,
        mail: &mut dyn Mail<M>,
    ) {
        let Some(home) = self.home_elsewhere(signature) else { return };
        if self.ahead.iter().any(|&(asked, _)| asked == signature) {
            return;
        }
        if self.ahead.len() >= self.memory.ahead {
            self.ahead.pop_front();
        }
        self.ahead.push_back((signature, false));
        counters.lookups += 1;
        counters.asked_ahead += 1;
        mail.send(home, M::look_up(signature));
    }

    /// An answer has come.
    pub fn answered(&mut self, signature: Signature, knew: bool, counters: &mut Counters) {
        counters.hits += u64::from(knew);
        if let Some((_, answered)) = self.ahead.iter_mut().find(|(asked, _)| *asked == signature) {
            *answered = true;
        }
    }

    /// Tells those who should know what was found out about a position.
    pub fn tell<M: TableTalk>(
        &mut self,
        signature: Signature,
        entry: Entry,
        counters: &mut Counters,
        mail: &mut dyn Mail<M>,
    ) {
        if !self.memory.form.tells() || entry.depth < self.telling.from() {
            return;
        }
        if self.memory.form == Form::Replicated {
            counters.told += 1;
            self.telling.told();
            self.to_all.push((signature, entry));
            if self.to_all.len() >= self.memory.company {
                self.broadcast(mail);
            }
            return;
        }
        let Some(home) = self.home_elsewhere(signature) else { return };
        counters.told += 1;
        let letter = self.to_home.entry(home).or_default();
        letter.push((signature, entry));
        if letter.len() >= self.memory.company {
            mail.send(home, M::store(std::mem::take(letter)));
        }
    }

    /// Sends what waits for company: a worker without work has time for it.
    pub fn flush<M: TableTalk>(&mut self, mail: &mut dyn Mail<M>) {
        for (&home, letter) in self.to_home.iter_mut().filter(|(_, letter)| !letter.is_empty()) {
            mail.send(home, M::store(std::mem::take(letter)));
        }
        self.broadcast(mail);
    }

    fn broadcast<M: TableTalk>(&mut self, mail: &mut dyn Mail<M>) {
        let entries = std::mem::take(&mut self.to_all);
        if entries.is_empty() {
            return;
        }
        for other in self.speakers() {
            mail.send(other, M::store(entries.clone()));
        }
    }

    /// The worker to speak to of each other process.
    pub fn speakers(&self) -> impl Iterator<Item = WorkerId> + use<> {
        let (sharing, mine) = (self.sharing, self.me / self.sharing);
        (0..self.workers / sharing).filter(move |&team| team != mine).map(move |team| team * sharing)
    }
}

#[cfg(test)]
mod tests {
    use multigame_game::Random;
    use multigame_search::{Bound, Value};

    use super::*;
    use crate::worker::Outbox;

    #[derive(Debug, PartialEq)]
    enum Talk {
        LookUp(Signature),
        Store(Vec<Signature>),
    }

    impl TableTalk for Talk {
        fn look_up(signature: Signature) -> Talk {
            Talk::LookUp(signature)
        }

        fn store(entries: Vec<(Signature, Entry)>) -> Talk {
            Talk::Store(entries.into_iter().map(|(signature, _)| signature).collect())
        }
    }

    fn spread(memory: &str, me: WorkerId) -> Spread {
        Spread::new(memory.parse().unwrap(), (me, 4), 2, Depths { asked: 2, told: 3 })
    }

    fn entry(depth: u32) -> Entry {
        Entry { value: Value::new(1), bound: Bound::Exact, depth, complete: false, mark: 0 }
    }

    /// A position at home in the second of two processes, and one in the first.
    fn away() -> Signature {
        (1..).find(|&signature| home(signature, 2) == 1).unwrap()
    }

    fn here() -> Signature {
        (1..).find(|&signature| home(signature, 2) == 0).unwrap()
    }

    #[test]
    fn homes_are_spread_evenly() {
        let mut random = Random::new(3);
        let mut counts = [0; 7];
        for _ in 0..70_000 {
            counts[home(random.next_u64(), 7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_000..11_000).contains(count)), "{counts:?}");
        assert_eq!(home(12345, 1), 0);
    }

    #[test]
    fn the_first_worker_of_a_home_is_asked_and_nobody_at_home() {
        for me in [0, 1] {
            let (mut spread, mut counters, mut mail) =
                (spread("partitioned", me), Counters::default(), Outbox::default());
            assert_eq!(spread.ask::<Talk>(here(), &mut counters, &mut mail), Question::None);
            assert_eq!(spread.ask::<Talk>(away(), &mut counters, &mut mail), Question::Asked);
            assert_eq!(mail.letters, [(2, Talk::LookUp(away()))]);
            assert_eq!((counters.lookups, counters.waits), (1, 1));
        }
    }

    #[test]
    fn answers_to_questions_ahead_are_not_waited_for() {
        let (mut spread, mut counters, mut mail) =
            (spread("hybrid:ahead=2", 0), Counters::default(), Outbox::<Talk>::default());
        let others: Vec<_> = (1..).filter(|&signature| home(signature, 2) == 1).take(4).collect();
        for &other in &others[..3] {
            spread.ask_ahead(other, &mut counters, &mut mail);
            spread.ask_ahead(other, &mut counters, &mut mail);
        }
        assert_eq!(mail.letters.len(), 3, "nothing is asked twice");
        spread.answered(others[2], true, &mut counters);
        assert_eq!(spread.ask(others[2], &mut counters, &mut mail), Question::None);
        assert_eq!(spread.ask(others[1], &mut counters, &mut mail), Question::OnItsWay);
        assert_eq!(spread.ask(others[0], &mut counters, &mut mail), Question::Asked, "it was forgotten");
        assert_eq!((counters.lookups, counters.asked_ahead, counters.waits, counters.hits), (4, 3, 2, 1));
    }

    #[test]
    fn entries_travel_in_company_from_their_depth_on() {
        let (mut counters, mut mail) = (Counters::default(), Outbox::<Talk>::default());
        let mut home = spread("hybrid:company=2:tell=4", 0);
        for depth in [3, 4, 9] {
            home.tell(away(), entry(depth), &mut counters, &mut mail);
            home.tell(here(), entry(depth), &mut counters, &mut mail);
        }
        assert_eq!(mail.letters, [(2, Talk::Store(vec![away(); 2]))]);
        let mut all = spread("replicated:company=3", 3);
        mail.letters.clear();
        for depth in [2, 3, 4] {
            all.tell(here(), entry(depth), &mut counters, &mut mail);
        }
        assert!(mail.letters.is_empty());
        all.flush(&mut mail);
        assert_eq!(mail.letters, [(0, Talk::Store(vec![here(); 2]))]);
        assert_eq!(counters.told, 4);
    }
}
