//! What better bounds do to the nodes below: windows that go down the stack and to slaves, and early reports
//! that go up.

use multigame_game::Game;
use multigame_search::{Value, Window};

use super::{Post, Tree};
use crate::level::{Level, Origin, Stage, Verdict};
use crate::policy::Probe;
use crate::protocol::{JobId, Message};

impl<G: Game> Tree<'_, G> {
    /// Tells the slaves of a node its window.
    pub(super) fn tell_slaves(&mut self, index: usize, mail: Post<'_, G>) {
        if !self.policy().sends_windows() {
            return;
        }
        let level = &self.levels[index];
        for slave in &level.slaves {
            mail.send(slave.worker, Message::Window { job: slave.id, window: level.window });
        }
    }

    /// Takes the window of a node down the stack. Below a zero window nothing changes: it asks a question of
    /// its own. If that one has been overtaken by a better bound, it is asked anew.
    pub(super) fn narrow_below(&mut self, index: usize, mail: Post<'_, G>) {
        if !self.policy().sends_windows() {
            return;
        }
        for child in index + 1..self.levels.len() {
            let father = &self.levels[child - 1];
            let Some(own) = father.own else { return };
            if own.stage != Stage::Value {
                self.ask_anew(child - 1, mail);
                return;
            }
            let window = Level::<G>::for_child(father.window, own.same_side);
            let level = &mut self.levels[child];
            if level.stolen().is_some() || level.window.and(window) == level.window {
                return;
            }
            self.counters.narrowed += 1;
            level.asked = level.asked.and(window);
            level.window = level.window.and(window);
            if level.opened.is_some() && level.lower >= level.window.beta {
                level.verdict = Some(Verdict::Unwound);
                self.drop_above(child, mail);
                return;
            }
            self.tell_slaves(child, mail);
        }
    }

    /// Gives a test up that asks whether a child is better than a bound which has become better since. What
    /// it has found out so far is in the table.
    fn ask_anew(&mut self, index: usize, mail: Post<'_, G>) {
        let level = &self.levels[index];
        let Some(own) = level.own.filter(|own| own.asked.alpha < level.window.alpha) else { return };
        if self.policy().probe() != Probe::Nothing {
            return;
        }
        self.counters.renewed += 1;
        self.truncate(index + 1, mail);
        let level = &mut self.levels[index];
        level.own = None;
        if level.stolen().is_none() && !level.slaves.iter().any(|slave| slave.number == own.number) {
            level.returned.push((own.number, own.choice));
        }
    }

    pub(super) fn narrow_job(&mut self, id: JobId, window: Window, mail: Post<'_, G>) {
        let Some(index) = self.job(id) else {
            self.counters.stale += 1;
            return;
        };
        let level = &mut self.levels[index];
        level.asked = level.asked.and(window);
        level.window = level.window.and(window);
        self.counters.narrowed += 1;
        self.narrow_below(index, mail);
    }

    /// The unsound early report: the bound of an unfinished node is passed off as its value.
    pub(super) fn report(&mut self, index: usize, mail: Post<'_, G>) {
        let level = &self.levels[index];
        match &level.origin {
            Origin::Root => {}
            Origin::Stolen(stolen) => {
                let message = Message::Report { job: stolen.id, value: level.window.alpha };
                mail.send(stolen.master, message);
            }
            Origin::Own => {
                let value = level.window.alpha;
                let Some(own) = self.levels[index - 1].own.filter(|own| own.stage == Stage::Value) else {
                    return;
                };
                let value = if own.same_side { value } else { -value };
                self.believe(index - 1, value, mail);
            }
        }
    }

    pub(super) fn reported(&mut self, id: JobId, value: Value, mail: Post<'_, G>) {
        match self.slave(id) {
            None => self.counters.stale += 1,
            Some((index, _)) => self.believe(index, value, mail),
        }
    }

    /// Takes a value for proved.
    fn believe(&mut self, index: usize, value: Value, mail: Post<'_, G>) {
        let level = &mut self.levels[index];
        if level.verdict.is_some() || value <= level.window.alpha {
            return;
        }
        level.window.alpha = value;
        level.lower = level.lower.max(value);
        level.children_lower = level.children_lower.max(value);
        level.upper = level.upper.max(value);
        if value >= level.window.beta {
            level.verdict = Some(Verdict::Unwound);
            self.drop_above(index, mail);
            return;
        }
        self.narrow_below(index, mail);
        self.tell_slaves(index, mail);
        self.report(index, mail);
    }
}
