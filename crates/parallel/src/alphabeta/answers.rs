//! What a step does on the way up: closes the node on top and hands what was found to its father, here or
//! elsewhere.

use multigame_game::Game;
use multigame_search::{Closing, Engine, Entry, Evaluator, Found, Interrupt, Monitor, Statistics, move_mark};

use super::AlphaBeta;
use crate::level::{Own, Searched, Stage, Verdict};
use crate::policy::Probe;
use crate::protocol::Message;
use crate::tree::{Post, Tree};

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> AlphaBeta<'_, G, E, M> {
    /// The node on top is finished.
    pub(super) fn close(&mut self, mail: Post<'_, G>) {
        let Some(mut level) = self.tree.levels.pop() else { return };
        let mut found = level.found();
        let cutoff = match level.verdict {
            Some(Verdict::Cutoff(number)) => Some(number),
            _ => None,
        };
        self.tree.counters.note_node(level.kind, cutoff.is_some());
        let unwound = matches!(level.verdict, Some(Verdict::Unwound));
        if let Some(opened) = level.opened.filter(|_| !unwound && !level.first_only) {
            let best = level.best;
            let closing = Closing { opened, found, best, cutoff };
            found = self.stepper.close(level.ply, level.depth, level.asked, closing, &mut self.witness);
            if level.depth >= self.stepper.task().options.table_depth {
                let mark = best.map_or(0, |best| move_mark(best.key));
                let entry =
                    Entry::new(found.bounds, level.asked, level.ply, level.depth, found.complete, mark);
                let tree = &mut self.tree;
                tree.spread.tell(opened.signature, entry, &mut tree.counters, mail);
            }
        }
        level.root_line(found);
        self.deliver(found, level.pv, level.end.max(level.clock), mail);
    }

    /// Hands what was found about a child, as the child sees it, to its father on top of the stack.
    pub(super) fn deliver(&mut self, found: Found, pv: Vec<G::Move>, end: u64, mail: Post<'_, G>) {
        let Some(top) = self.tree.levels.len().checked_sub(1) else {
            self.root_found(found, pv, end, mail);
            return;
        };
        let zero = self.stepper.task().options.engine == Engine::NegaScout;
        let policy = self.tree.setup.policy;
        let level = &mut self.tree.levels[top];
        let Some(own) = level.own.take() else { return };
        let found = if own.same_side { found } else { Found { bounds: -found.bounds, ..found } };
        let searched =
            Searched { number: own.number, choice: own.choice, found, pv, end, serial: own.serial };
        let decided = match own.stage {
            Stage::Reduced(_) => found.bounds.upper <= level.window.alpha,
            Stage::Value => true,
            _ => !policy.policy().prunes() || self.tree.setup.decides(found.bounds, level.window),
        };
        let better = own.asked.alpha < level.window.alpha;
        let again = match own.stage {
            _ if decided => None,
            Stage::Reduced(_) if zero || policy.policy().probe() == Probe::Test => Some(Stage::Test),
            Stage::Reduced(_) => Some(Stage::Value),
            Stage::Test if self.is_probe(top, own) => None,
            // The bound has become better since: ask again.
            Stage::Test if better => Some(Stage::Test),
            Stage::Test => Some(Stage::Value),
            Stage::FirstAnswer | Stage::Value => None,
        };
        if let Some(stage) = again {
            if own.stage == Stage::Test {
                self.stepper.count_research();
            }
            let again = Some((stage, Some(own.extension)));
            self.start(top, own.number, own.choice, again, end, own.serial, mail);
        } else if decided {
            self.tree.settle(top, searched, mail);
        } else {
            self.tree.resolve(top, searched, mail);
        }
    }

    /// Whether a test that does not decide is left for later.
    fn is_probe(&self, top: usize, own: Own) -> bool {
        let level = &self.tree.levels[top];
        match level.stolen() {
            Some(stolen) => stolen.probe_only,
            None => self.tree.policy().probe() != Probe::Nothing && !own.serial,
        }
    }

    /// Sends the result of the job on top.
    pub(super) fn report(&mut self, mail: Post<'_, G>) {
        let Some(level) = self.tree.levels.pop() else { return };
        self.tree.moved = true;
        let (Some(mut result), Some(stolen)) = (Tree::job_result(&level), level.stolen()) else { return };
        result.asks = self.tree.levels.is_empty() && self.tree.setup.balance.results_ask;
        if self.tree.setup.share_killers {
            result.killers = level.lessons(self.stepper.workspace().killers(0)).to_vec();
        }
        if result.asks {
            (self.tree.hunger.asking, self.tree.hunger.asked_at) = (true, mail.now());
        }
        self.tree.counters.reported += 1;
        mail.send(stolen.master, Message::Result(Box::new(result)));
    }

    pub(super) fn interrupted(&mut self, interrupt: Interrupt, mail: Post<'_, G>) {
        match interrupt {
            Interrupt::Rules(error) => {
                if self.tree.me == 0 {
                    self.tree.failed = Some(error);
                } else {
                    self.tree.levels.clear();
                    mail.send(0, Message::Failed(error));
                }
            }
            Interrupt::Stopped | Interrupt::Unwind(_) => self.stopped = true,
        }
    }

    /// Counts work, of which some has been counted already.
    pub(super) fn pay(&mut self, before: &Statistics, prepaid: u64) -> u64 {
        let cost = self.tree.setup.prices.between(before, self.stepper.statistics());
        self.tree.counters.work += cost.saturating_sub(prepaid);
        cost
    }
}
