//! How work is found: requests, those who wait for an answer, and those who are told when there is work
//! again.

use multigame_game::Game;

use crate::policy::NodeKind;
use crate::protocol::{JobId, Message, Request};
use crate::setup::Setup;
use crate::tree::{Post, Tree};
use crate::worker::WorkerId;

/// At most this many hungry workers are told at once that there is work: the others would only be
/// disappointed.
const INVITED: usize = 4;

/// What a worker knows about the search for work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hunger {
    /// Whom to ask, in the order of their numbers.
    neighbours: Vec<WorkerId>,
    /// A request is on its way.
    pub asking: bool,
    /// Since when.
    pub asked_at: u64,
    /// Those who said that they have nothing and will tell.
    refusing: Vec<WorkerId>,
    /// Those who were told that there is nothing here.
    hungry: Vec<WorkerId>,
    /// Disappointments in a row.
    failures: u32,
    /// Disappointed just now.
    tired: bool,
    /// The slave to ask next by a master that waits.
    turn: usize,
    /// Jobs whose slaves had nothing when their waiting master asked.
    empty: Vec<(WorkerId, JobId)>,
}

impl Hunger {
    pub fn new(mut neighbours: Vec<WorkerId>) -> Hunger {
        neighbours.sort_unstable();
        Hunger { neighbours, ..Hunger::default() }
    }

    /// Somebody has work after all.
    pub fn welcome(&mut self, from: WorkerId) {
        self.refusing.retain(|&worker| worker != from);
        self.empty.retain(|&(worker, _)| worker != from);
    }

    /// There is work.
    pub fn fed(&mut self) {
        self.asking = false;
        (self.failures, self.tired) = (0, false);
        self.empty.clear();
    }
}

/// Neighbours in the order of their numbers, without two workers. PERF: where everybody is next to everybody,
/// writing the list of the others took half of a run with 1,024 processors that mostly look for work.
struct Others<'n> {
    neighbours: &'n [WorkerId],
    /// The places of those left out, the first one first.
    gaps: [Option<usize>; 2],
}

impl<'n> Others<'n> {
    fn new(neighbours: &'n [WorkerId], one: WorkerId, another: WorkerId) -> Others<'n> {
        let place = |id: WorkerId| neighbours.binary_search(&id).ok();
        let (lesser, greater) = (one.min(another), one.max(another));
        let second = if lesser == greater { None } else { place(greater) };
        Others { neighbours, gaps: [place(lesser), second] }
    }

    fn len(&self) -> usize {
        self.neighbours.len() - self.gaps.iter().flatten().count()
    }

    fn get(&self, number: usize) -> WorkerId {
        let gaps = self.gaps.iter().flatten();
        self.neighbours[gaps.fold(number, |place, &gap| place + usize::from(gap <= place))]
    }
}

/// What a worker without work does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hunt {
    /// It has asked somebody and waits for the answer, or for somebody who has work.
    Waiting,
    /// It asks again after a pause, in nodes.
    Pause(u64),
    /// It has asked somebody, and asks somebody else after that many ticks without an answer.
    Patient(u64),
}

impl<G: Game> Tree<'_, G> {
    /// Serves a request, passes it on or declines.
    pub fn serve(&mut self, from: WorkerId, request: Request, mail: Post<'_, G>) {
        if request.thief == self.me {
            self.refused(self.me, None);
            return;
        }
        let bottom = match request.below {
            None => Some(0),
            Some(id) => self.levels.iter().position(|l| l.stolen().is_some_and(|stolen| stolen.id == id)),
        };
        if let Some(index) = bottom.and_then(|bottom| self.to_give(bottom)) {
            self.give(index, request.thief, mail);
            return;
        }
        let passes = request.below.is_none() && request.hops < self.setup.balance.forwards;
        if let Some(next) = self.another(from, request.thief).filter(|_| passes) {
            self.counters.forwarded += 1;
            mail.send(next, Message::Request(Request { hops: request.hops + 1, ..request }));
            return;
        }
        if self.setup.balance.have_work && !self.hunger.hungry.contains(&request.thief) {
            self.hunger.hungry.push(request.thief);
        }
        mail.send(request.thief, Message::NoWork { below: request.below });
    }

    /// The node from a place of the stack on that has a job to give.
    fn to_give(&self, bottom: usize) -> Option<usize> {
        let Setup { policy, balance, .. } = self.setup;
        let mut able =
            (bottom..self.levels.len()).filter(|&index| self.levels[index].can_give(policy.policy()));
        let nearest = able.next()?;
        let on_line = |index: usize| self.levels[index].kind == NodeKind::Pv;
        if balance.line_last && on_line(nearest) {
            return able.find(|&index| !on_line(index)).or(Some(nearest));
        }
        Some(nearest)
    }

    /// Takes a result for a request.
    pub fn serve_result(&mut self, from: WorkerId, mail: Post<'_, G>) {
        self.serve(from, Request { thief: from, hops: 0, below: None }, mail);
    }

    /// A neighbour who has not seen the request just now.
    fn another(&mut self, from: WorkerId, thief: WorkerId) -> Option<WorkerId> {
        let others = Others::new(&self.hunger.neighbours, from, thief);
        (others.len() > 0).then(|| others.get(self.random.below(others.len())))
    }

    /// Somebody has nothing to give.
    pub fn refused(&mut self, from: WorkerId, below: Option<JobId>) {
        self.hunger.asking = false;
        self.hunger.failures += 1;
        self.hunger.tired = true;
        if let Some(job) = below {
            self.hunger.empty.push((from, job));
        } else if self.setup.balance.have_work && from != self.me && !self.hunger.refusing.contains(&from) {
            self.hunger.refusing.push(from);
        }
    }

    /// Looks for work for a worker that has none.
    pub fn hunt(&mut self, mail: Post<'_, G>) -> Hunt {
        if self.workers < 2 {
            return Hunt::Waiting;
        }
        if self.hunger.asking {
            match self.patience_left(self.hunger.asked_at, mail) {
                None => return Hunt::Waiting,
                Some(0) => self.hunger.asking = false,
                Some(left) => return Hunt::Patient(left),
            }
        }
        let balance = self.setup.balance;
        if !balance.have_work && std::mem::take(&mut self.hunger.tired) {
            let pause = (1 << self.hunger.failures.min(20)).min(balance.longest_pause.max(1));
            return Hunt::Pause(pause);
        }
        let victim =
            if balance.neighbours || balance.father_only { self.any_neighbour() } else { self.anybody() };
        let Some(victim) = victim else { return Hunt::Waiting };
        self.ask(victim, None, mail);
        Hunt::Waiting
    }

    /// Asks the slaves of a master that waits for them for a part of their work.
    pub fn help(&mut self, mail: Post<'_, G>) {
        let answered_late = self.patience_left(self.hunger.asked_at, mail) == Some(0);
        if (self.hunger.asking && !answered_late) || !self.setup.balance.helpful {
            return;
        }
        let Some(level) = self.levels.last() else { return };
        let slaves: Vec<(WorkerId, JobId)> = level
            .slaves
            .iter()
            .map(|slave| (slave.worker, slave.id))
            .filter(|slave| !self.hunger.empty.contains(slave))
            .collect();
        if slaves.is_empty() {
            return;
        }
        self.hunger.turn += 1;
        let (worker, id) = slaves[self.hunger.turn % slaves.len()];
        self.ask(worker, Some(id), mail);
    }

    fn ask(&mut self, victim: WorkerId, below: Option<JobId>, mail: Post<'_, G>) {
        (self.hunger.asking, self.hunger.asked_at) = (true, mail.now());
        self.counters.requests += 1;
        mail.send(victim, Message::Request(Request { thief: self.me, hops: 0, below }));
    }

    fn any_neighbour(&mut self) -> Option<WorkerId> {
        let count = self.hunger.neighbours.len();
        (count > 0).then(|| self.hunger.neighbours[self.random.below(count)])
    }

    fn anybody(&mut self) -> Option<WorkerId> {
        let refusing = &self.hunger.refusing;
        if refusing.len() + 1 >= self.workers as usize {
            return None;
        }
        loop {
            let other = self.random.below(self.workers as usize) as WorkerId;
            if other != self.me && !refusing.contains(&other) {
                return Some(other);
            }
        }
    }

    /// Tells some of those who found nothing here that there is something now.
    pub fn invite(&mut self, mail: Post<'_, G>) {
        if self.hunger.hungry.is_empty() {
            return;
        }
        let policy = self.setup.policy;
        if !self.levels.iter().any(|level| level.can_give(policy.policy())) {
            return;
        }
        let count = self.hunger.hungry.len().min(INVITED);
        for thief in self.hunger.hungry.drain(..count) {
            mail.send(thief, Message::HaveWork);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_all_but_two() {
        let neighbours = [1, 3, 4, 7, 9];
        for one in 0..10 {
            for another in 0..10 {
                let listed: Vec<WorkerId> =
                    neighbours.into_iter().filter(|&id| id != one && id != another).collect();
                let others = Others::new(&neighbours, one, another);
                let found: Vec<WorkerId> = (0..others.len()).map(|number| others.get(number)).collect();
                assert_eq!(found, listed, "without {one} and {another}");
            }
        }
    }
}
