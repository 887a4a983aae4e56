//! What goes on at the root: passes and iterations, what is merged between them, and the end of the search.

use std::sync::Arc;

use multigame_game::Game;
use multigame_search::{Evaluator, Found, Monitor};

use super::AlphaBeta;
use crate::balance::Hunt;
use crate::level::{Level, Origin};
use crate::master::Master;
use crate::policy::NodeKind;
use crate::protocol::Message;
use crate::tree::Post;
use crate::worker::Status;

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> AlphaBeta<'_, G, E, M> {
    /// A pass of the root is over.
    pub(super) fn root_found(&mut self, found: Found, pv: Vec<G::Move>, end: u64, mail: Post<'_, G>) {
        let Some(master) = &mut self.master else { return };
        let finished = master.absorb(found, pv, end, self.stepper.task().options);
        self.stepper.count_root_passes(master.take_extra_passes());
        let merges = self.tree.setup.merge_history && !self.tree.policy().all_search_the_root();
        if finished && merges && self.news.is_none() && self.tree.workers > 1 {
            let counts: Arc<[u32]> = Arc::from(self.stepper.workspace().history());
            for other in 1..self.tree.workers {
                mail.send(other, Message::Learned(counts.clone()));
            }
        }
    }

    /// Begins the next pass of the root; false if there is none.
    fn next_pass(&mut self) -> bool {
        let Some((depth, window, start)) = self.master.as_ref().and_then(Master::next) else { return false };
        self.stepper.seat_root(depth);
        let position = self.stepper.position(0).clone();
        let mut level = Level::new(Origin::Root, 0, depth, NodeKind::Pv, position);
        (level.asked, level.window, level.clock, level.end) = (window, window, start, start);
        self.tree.root_depth = depth;
        self.tree.push(level);
        true
    }

    /// What could not be done while the kernel ran.
    pub(super) fn catch_up(&mut self, mail: Post<'_, G>) {
        self.forget_unwanted();
        for (key, line) in self.tree.refutations.drain(..) {
            self.stepper.refuted(key, &line);
        }
        for counts in self.tree.histories.drain(..) {
            self.stepper.workspace().add_history(&counts);
        }
        if let Some(counts) = self.tree.learned.take() {
            let own = self.stepper.workspace().history();
            let known = if self.baseline.len() == own.len() { &self.baseline[..] } else { &[] };
            let mut news: Vec<u32> = own.to_vec();
            for (new, old) in news.iter_mut().zip(known) {
                *new = new.saturating_sub(*old);
            }
            mail.send(0, Message::History(news));
            self.stepper.workspace().set_history(&counts);
            self.baseline = counts;
        }
        self.share(mail);
    }

    /// Takes in what others have learned about moves, and tells them.
    fn share(&mut self, mail: Post<'_, G>) {
        let nodes = self.stepper.statistics().nodes;
        let work = self.stepper.workspace();
        for (ply, killers) in self.tree.lessons.drain(..) {
            work.merge_killers(ply, &killers);
        }
        if self.tree.setup.share_killers && self.tree.workers > 1 {
            self.tree.killers.clear();
            self.tree.killers.extend_from_slice(work.killers(0));
        }
        let Some(news) = &mut self.news else { return };
        for (from, counts) in self.tree.news.drain(..) {
            work.add_to_history(&counts);
            news.hear(from, &counts);
        }
        // A worker with nothing to do has time to pass on messages.
        let idle = self.tree.levels.is_empty() && news.has_heard();
        if !self.tree.finished && (news.is_due(nodes) || idle) {
            news.tell(work.history(), nodes, mail);
        }
    }

    /// Ends the search for everybody.
    fn finish(&mut self, mail: Post<'_, G>) -> Status {
        if let Some(master) = &mut self.master
            && !self.tree.finished
        {
            if let Some(root) = self.tree.levels.first().filter(|_| self.stopped) {
                master.stopped(root.lower, &root.pv);
            }
            let others = if self.tree.me == 0 { 1..self.tree.workers } else { 0..0 };
            others.for_each(|other| mail.send(other, Message::Finished));
        }
        self.tree.levels.clear();
        self.tree.finished = true;
        Status::Finished
    }

    pub(super) fn status(&mut self, mail: Post<'_, G>) -> Option<Status> {
        if self.tree.finished || self.tree.failed.is_some() {
            return Some(self.finish(mail));
        }
        if self.stopped {
            return Some(if self.tree.me == 0 { self.finish(mail) } else { Status::Waiting });
        }
        if !self.tree.levels.is_empty() {
            return None;
        }
        if self.master.is_some() && self.next_pass() {
            return None;
        }
        if self.tree.me == 0 {
            return Some(self.finish(mail));
        }
        self.tree.spread.flush(mail);
        if self.master.is_some() {
            return Some(Status::Idle(None));
        }
        Some(match self.tree.hunt(mail) {
            Hunt::Waiting => Status::Idle(None),
            Hunt::Patient(ticks) => Status::Idle(Some(ticks)),
            Hunt::Pause(nodes) => Status::Idle(Some(nodes * self.tree.setup.prices.node.max(1))),
        })
    }
}
