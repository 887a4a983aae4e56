//! What a step does on the way down: opens the node on top, and begins to search one of its children.

use multigame_game::Game;
use multigame_search::{Choice, Evaluator, Monitor, Opening, PathEntry, Window};

use super::watch::Watch;
use super::{AlphaBeta, Unpaid};
use crate::level::{Level, Origin, Own, Searched, Stage, Undecided, Verdict};
use crate::stages::{asked_window, first_stage};
use crate::tree::{Post, Sought};

/// Whether a step left the node it started from in place.
pub(super) enum Step {
    Done,
    Blocked,
    /// A question about the table is to leave at once.
    Asked,
    Looking,
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> AlphaBeta<'_, G, E, M> {
    pub(super) fn step(&mut self, mail: Post<'_, G>) -> Step {
        if let Some(unpaid) = self.unpaid.take() {
            self.pay_off(unpaid, mail);
            return Step::Done;
        }
        let top = self.tree.levels.len() - 1;
        self.settle_down(top);
        let level = &mut self.tree.levels[top];
        if level.stolen().is_some() {
            return self.step_stolen(top, mail);
        }
        if level.verdict.is_some() {
            self.close(mail);
            return Step::Done;
        }
        if level.looking {
            return self.prepare(top);
        }
        if level.opened.is_none() {
            self.open(top, mail);
            return Step::Done;
        }
        if let Some(undecided) = level.take_ready() {
            let before = level.ends.iter().filter(|(number, _)| *number < undecided.number);
            let before = before.map(|&(_, end)| end).max().unwrap_or(0);
            let start = level.clock.max(undecided.end).max(before);
            if self.tree.setup.decides(undecided.found.bounds, level.window) {
                let Undecided { number, choice, found, pv, end } = undecided;
                let searched = Searched { number, choice, found, pv, end, serial: false };
                self.tree.settle(top, searched, mail);
                return Step::Done;
            }
            self.stepper.count_research();
            let (number, choice) = (undecided.number, undecided.choice);
            self.start(top, number, choice, Some((Stage::Value, None)), start, false, mail);
            return Step::Done;
        }
        let serial = !level.is_parallel(self.tree.setup.policy.policy());
        if let Some((number, choice)) = level.take_next() {
            let start = level.clock;
            self.start(top, number, choice, None, start, serial, mail);
            return Step::Done;
        }
        if level.is_done() {
            self.close(mail);
            return Step::Done;
        }
        Step::Blocked
    }

    /// The father of a job: its only child is searched, then the result is sent.
    fn step_stolen(&mut self, top: usize, mail: Post<'_, G>) -> Step {
        let level = &mut self.tree.levels[top];
        if level.finished > 0 || !level.undecided.is_empty() || level.verdict.is_some() {
            self.report(mail);
            return Step::Done;
        }
        let start = level.clock;
        level.next = 1;
        let choice = level.brood.pick(0);
        self.start(top, 0, choice, None, start, false, mail);
        Step::Done
    }

    /// Puts the kernel where the node on top is.
    fn settle_down(&mut self, top: usize) {
        let root_depth = self.tree.root_depth_at(top);
        let level = &mut self.tree.levels[top];
        if let Origin::Stolen(stolen) = &mut level.origin
            && !stolen.seated
        {
            stolen.seated = true;
            self.stepper.seat(level.ply, &level.position, &stolen.path, &level.brood);
            self.stepper.set_root_depth(root_depth);
            let killers = std::mem::take(&mut stolen.killers);
            self.stepper.workspace().adopt_killers(level.ply + 1, &killers);
        } else if self.tree.moved {
            self.stepper.set_path(&self.tree.path_to(top));
            self.stepper.set_root_depth(root_depth);
        }
        self.tree.moved = false;
    }

    /// Builds the position of a node while its home is asked about it. The question has to leave before.
    fn prepare(&mut self, top: usize) -> Step {
        if std::mem::take(&mut self.tree.asked) {
            return Step::Asked;
        }
        let price = self.tree.setup.prices.node;
        let level = &mut self.tree.levels[top];
        if level.prepaid == 0 {
            level.prepaid = price;
            self.tree.counters.work += price;
        }
        Step::Looking
    }

    /// Opens the node on top.
    fn open(&mut self, top: usize, mail: Post<'_, G>) {
        let level = &mut self.tree.levels[top];
        let (ply, depth, asked, prepaid) = (level.ply, level.depth, level.asked, level.prepaid);
        let clock = level.clock;
        let before = *self.stepper.statistics();
        let mut brood = std::mem::take(&mut level.brood);
        let changes = self.tree.changes;
        let witness = &mut self.witness;
        let nodes = before.nodes;
        let mut watch = Watch { tree: &mut self.tree, mail, changes, child: None, witness, nodes };
        let opening = self.stepper.open(ply, depth, asked, &mut brood, &mut watch);
        let cost = self.pay(&before, prepaid);
        self.note_work(clock, cost);
        if self.tree.changes != changes {
            return;
        }
        let level = &mut self.tree.levels[top];
        level.clock += cost;
        level.end = level.clock;
        match opening {
            Err(interrupt) => self.interrupted(interrupt, mail),
            Ok(Opening::Answer(found)) => {
                let end = level.clock;
                self.tree.levels.pop();
                self.deliver(found, Vec::new(), end, mail);
            }
            Ok(Opening::Node(opened)) => {
                level.opened = Some(opened);
                level.depth = opened.depth;
                level.brood = brood;
                let (window, lower) = self.stepper.window(ply);
                level.window = level.window.and(window);
                level.lower = lower;
                if level.lower >= level.window.beta {
                    level.verdict = Some(Verdict::Unwound);
                }
            }
        }
    }

    /// Begins to search a child of the node on top; `again` tells the stage and, where it is known, the
    /// extension, if it is not the first time.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn start(
        &mut self,
        top: usize,
        number: usize,
        choice: Choice,
        again: Option<(Stage, Option<u32>)>,
        start: u64,
        serial: bool,
        mail: Post<'_, G>,
    ) {
        let (stage, known) = again.map_or((None, None), |(stage, extension)| (Some(stage), extension));
        let (ply, depth) = (self.tree.levels[top].ply, self.tree.levels[top].depth);
        self.stepper.make(ply, choice);
        let extension = known.unwrap_or_else(|| self.stepper.extension(ply, choice));
        let policy = self.tree.setup.policy;
        let level = &mut self.tree.levels[top];
        let stage = stage.unwrap_or_else(|| {
            first_stage(&mut self.stepper, level, policy.policy(), (number, choice, extension), serial)
        });
        let asked = asked_window(stage, level, policy.policy());
        let same_side = self.stepper.is_same_side(ply);
        level.own = Some(Own { number, choice, stage, extension, asked, same_side, serial });
        let depth = match stage {
            Stage::Reduced(plies) => depth - 1 - plies,
            _ => depth - 1 + extension,
        };
        let window = Level::<G>::for_child(asked, same_side);
        if depth <= self.grain.at(self.tree.root_depth_at(top)) && stage != Stage::FirstAnswer {
            self.run_kernel(top, depth, window, start, mail);
        } else {
            self.push_child(top, depth, window, stage, start, mail);
        }
    }

    /// Has the kernel search the child that has been made.
    fn run_kernel(&mut self, top: usize, depth: u32, window: Window, start: u64, mail: Post<'_, G>) {
        let ply = self.tree.levels[top].ply + 1;
        let before = *self.stepper.statistics();
        let changes = self.tree.changes;
        let witness = &mut self.witness;
        let (child, nodes) = (Some(window), before.nodes);
        let mut watch = Watch { tree: &mut self.tree, mail, changes, child, witness, nodes };
        let answer = self.stepper.search(ply, depth, window, &mut watch);
        let cost = self.tree.setup.prices.between(&before, self.stepper.statistics());
        let nodes = self.stepper.statistics().nodes - before.nodes;
        self.grain.learn(nodes);
        self.note_work(start, cost);
        self.tree.spread.searched(nodes);
        match answer {
            Ok(found) if self.tree.changes == changes => {
                let pv = self.stepper.pv(ply).to_vec();
                let unpaid = Unpaid { found, pv, end: start + cost, cost, owed: cost, nodes, changes };
                self.pay_off(unpaid, mail);
            }
            answer => {
                self.tree.counters.work += cost;
                if let Err(interrupt) = answer
                    && self.tree.changes == changes
                {
                    self.interrupted(interrupt, mail);
                }
            }
        }
    }

    /// Notes when infinitely many processors would do this work, if that is asked for.
    fn note_work(&mut self, start: u64, cost: u64) {
        if self.tree.setup.ideal {
            self.ideal.add(start, start + cost);
        }
    }

    /// Pays for what the kernel did, or for a part of it so that messages are handled before the next. At the
    /// end its answer is delivered.
    fn pay_off(&mut self, mut unpaid: Unpaid<G::Move>, mail: Post<'_, G>) {
        let setup = &self.tree.setup;
        let in_parts = setup.pays_by_node && self.tree.workers > 1;
        let part = if in_parts { unpaid.owed.min(setup.prices.node.max(1)) } else { unpaid.owed };
        self.tree.counters.work += part;
        unpaid.owed -= part;
        if unpaid.owed == 0 {
            self.deliver(unpaid.found, unpaid.pv, unpaid.end, mail);
        } else {
            self.unpaid = Some(unpaid);
        }
    }

    /// Gives up what the kernel is at if nobody wants it any more. What is not paid for has not been visited.
    pub(super) fn forget_unwanted(&mut self) {
        if let Some(unpaid) = self.unpaid.take_if(|unpaid| unpaid.changes != self.tree.changes) {
            self.tree.counters.unvisited += unpaid.nodes * unpaid.owed / unpaid.cost;
        }
    }

    /// Takes the child that has been made into the worker's hands.
    fn push_child(
        &mut self,
        top: usize,
        depth: u32,
        window: Window,
        stage: Stage,
        start: u64,
        mail: Post<'_, G>,
    ) {
        let game = self.stepper.task().game;
        let level = &self.tree.levels[top];
        let ply = level.ply + 1;
        let number = level.own.map_or(0, |own| level.true_number(own.number));
        let position = self.stepper.position(ply).clone();
        let signature = game.signature(&position);
        let irreversible = game.is_irreversible(&position);
        let kind = level.kind.child(number);
        let mut child = Level::new(Origin::Own, ply, depth, kind, position);
        child.entry = PathEntry { signature, irreversible };
        child.first_only = stage == Stage::FirstAnswer;
        (child.asked, child.window, child.clock, child.end) = (window, window, start, start);
        let exact = self.stepper.task().options.depth_exact;
        self.tree.look_up(&mut child, exact, mail);
        if self.tree.spread.asks_ahead() {
            self.look_ahead(top, exact, mail);
        }
        self.tree.push(child);
    }

    /// Asks about the brother whose turn is next, if it will come into the worker's hands.
    fn look_ahead(&mut self, top: usize, exact: bool, mail: Post<'_, G>) {
        let (game, grain) = (self.stepper.task().game, self.grain.at(self.tree.root_depth_at(top)));
        let level = &mut self.tree.levels[top];
        let depth = level.depth - 1;
        if depth <= grain || !level.has_next() || level.stolen().is_some() || level.first_only {
            return;
        }
        let next = level.brood.pick(level.next);
        let mut position = level.position.clone();
        game.apply(&level.position, level.brood.mv(next), &mut position);
        let kind = level.kind.child(level.true_number(level.next));
        let sought = Sought { signature: game.signature(&position), depth, kind };
        self.tree.look_ahead(sought, exact, mail);
    }
}
