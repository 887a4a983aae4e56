//! Letters of the workers of one search.
//!
//! Letters to the same rank travel in company: they are collected until the workers look for letters
//! themselves. A letter of another search than the present one is late or early: late ones are thrown away,
//! because nobody waits for them any more; early ones, from ranks that have begun already, stay on the desk
//! until their search begins here.

use std::collections::VecDeque;

use multigame_game::Unreadable;
use multigame_parallel::{Parcel, Wire, WorkerId};
use multigame_threads::Port;

use crate::cluster::{Arrived, Cluster};
use crate::frame::{Frame, FrameKind, add_letter, take_letter};
use crate::transport::{Lost, Rank};

/// Bytes of company after which letters leave at once.
const FULL: usize = 16 << 10;

/// Letters between the workers of this rank and those of others.
pub struct Post<'c, G, M> {
    cluster: &'c Cluster,
    game: &'c G,
    search: u64,
    /// Workers of each rank.
    threads: u32,
    /// What waits for company, by rank.
    bags: Vec<Vec<u8>>,
    /// What has arrived and is not asked for yet.
    arrived: VecDeque<(WorkerId, WorkerId, M)>,
    /// Letters sent, by kind.
    kinds: Vec<u64>,
}

impl<'c, G, M: Parcel> Post<'c, G, M> {
    /// For the search with that number, in which every rank has as many workers.
    pub fn new(cluster: &'c Cluster, game: &'c G, search: u64, threads: u32) -> Self {
        let mut desk = cluster.office().desk();
        desk.letters.retain(|arrived| arrived.search >= search);
        desk.nodes.fill(0);
        drop(desk);
        Post {
            cluster,
            game,
            search,
            threads,
            bags: vec![Vec::new(); cluster.size() as usize],
            arrived: VecDeque::new(),
            kinds: vec![0; M::KINDS.len()],
        }
    }
}

impl<G, M: Wire<G>> Post<'_, G, M> {
    /// Opens the letters of this search that have arrived.
    fn open(&mut self) {
        let search = self.search;
        let bags: Vec<Arrived> = {
            let mut desk = self.cluster.office().desk();
            desk.look();
            if desk.letters.is_empty() {
                return;
            }
            let (now, later): (VecDeque<Arrived>, _) =
                desk.letters.drain(..).partition(|arrived| arrived.search <= search);
            desk.letters = later;
            now.into_iter().filter(|arrived| arrived.search == search).collect()
        };
        for bag in bags {
            if let Err(error) = self.open_bag(&bag) {
                let from = self.cluster.name_of(bag.from);
                let lost = Lost(format!("a letter of {from} cannot be read: {error}"));
                return self.cluster.office().desk().fail(lost);
            }
        }
    }

    fn open_bag(&mut self, bag: &Arrived) -> Result<(), Unreadable> {
        let mut body = &bag.body[..];
        while !body.is_empty() {
            let letter = take_letter(&mut body)?;
            if letter.from / self.threads != bag.from || letter.to / self.threads != self.cluster.rank() {
                return Err(Unreadable("a letter from a worker there to a worker here"));
            }
            self.arrived.push_back((letter.from, letter.to, M::read(self.game, letter.bytes)?));
        }
        Ok(())
    }
}

impl<G, M: Parcel + Wire<G>> Port<M> for Post<'_, G, M> {
    fn send(&mut self, from: WorkerId, to: WorkerId, message: M) {
        let rank = to / self.threads;
        self.kinds[message.kind()] += 1;
        let game = self.game;
        let bag = &mut self.bags[rank as usize];
        add_letter(bag, (from, to), |bytes| message.write(game, bytes));
        if bag.len() >= FULL {
            self.flush();
        }
    }

    fn receive(&mut self) -> Option<(WorkerId, WorkerId, M)> {
        if self.arrived.is_empty() {
            self.open();
        }
        self.arrived.pop_front()
    }

    fn flush(&mut self) {
        let full = (0..).zip(&mut self.bags).filter(|(_, bag)| !bag.is_empty());
        let full: Vec<(Rank, Vec<u8>)> = full.map(|(rank, bag)| (rank, std::mem::take(bag))).collect();
        if full.is_empty() {
            return;
        }
        let mut desk = self.cluster.office().desk();
        let nodes = desk.nodes[self.cluster.rank() as usize];
        for (rank, body) in full {
            desk.send(rank, &Frame { kind: FrameKind::Letters(self.search), nodes, body });
        }
        let sent = M::KINDS.iter().zip(&mut self.kinds).filter(|(_, count)| **count > 0);
        desk.traffic.add(sent.map(|(kind, count)| (*kind, std::mem::take(count))));
    }
}
