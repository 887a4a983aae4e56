//! The Alpha-Beta worker: the stack of a [`Tree`], worked on step by step.
//!
//! A step opens a node, has the kernel search one child that is not worth more trouble, or closes a node. Messages are
//! handled between steps, and while the kernel runs whenever it polls.

use std::sync::Arc;

use multigame_game::{Game, Random, RulesError};
use multigame_search::{
    Closing, Computed, Control, Entry, Evaluator, Found, Interrupt, Monitor, Opening, PathEntry, Root,
    Statistics, Stepper, Task, Window, Workspace, move_mark,
};

use crate::balance::{Hunger, Hunt};
use crate::grain::Grain;
use crate::level::{Level, Origin, Own, Stage, Verdict};
use crate::master::Master;
use crate::policy::{NodeKind, Probe};
use crate::protocol::Message;
use crate::setup::Setup;
use crate::statistics::Counters;
use crate::tree::{Post, Searched, Tree};
use crate::worker::{Mail, Progress, Status, Worker, WorkerId};

/// An Alpha-Beta worker; see the module.
#[derive(Debug)]
pub struct AlphaBeta<'a, G: Game, E, M = ()> {
    tree: Tree<'a, G>,
    stepper: Stepper<'a, G, E>,
    grain: Grain,
    /// The search of the root, which worker 0 conducts.
    master: Option<Master<G>>,
    /// The history counts this worker started the iteration with.
    baseline: Arc<[u32]>,
    stopped: bool,
    /// Sees every bound that is computed.
    witness: M,
}

/// Whether a step left the node it started from in place.
enum Step {
    Done,
    Blocked,
    /// A question about the table is to leave at once.
    Asked,
    Looking,
}

impl<'a, G: Game, E: Evaluator<G>> AlphaBeta<'a, G, E> {
    /// A worker of a search to `depth`. `neighbours` are those it may ask for work if the setup says so; `work` may come
    /// from an earlier search.
    pub fn new(
        (me, workers): (WorkerId, u32),
        task: Task<'a, G, E>,
        root: &Root<G>,
        depth: u32,
        setup: Setup,
        neighbours: Vec<WorkerId>,
        work: Workspace<G>,
    ) -> Self {
        let mut setup = setup;
        if task.options.futility {
            // Moves are left out near the horizon only, where the kernel is to be.
            setup.grain = setup.grain.max(2);
        }
        let stepper = Stepper::new(task, root, work);
        let tree = Tree {
            me,
            workers,
            setup,
            levels: Vec::new(),
            highest: 0,
            moved: false,
            changes: 0,
            root_depth: 0,
            serial: 0,
            hunger: Hunger::new(neighbours),
            asked: false,
            random: Random::new(setup.seed.wrapping_mul(0x9e37_79b9).wrapping_add(u64::from(me) + 1)),
            table: task.table.filter(|_| task.options.table),
            letters: Default::default(),
            counters: Counters::default(),
            refutations: Vec::new(),
            learned: None,
            histories: Vec::new(),
            failed: None,
            finished: false,
        };
        let master = (me == 0).then(|| Master::new(depth, task.options));
        let (grain, baseline) = (Grain::new(setup.grain, setup.grain_nodes), Arc::from([]));
        AlphaBeta { tree, stepper, grain, master, baseline, stopped: false, witness: () }
    }

    /// Shows every bound that is computed to a monitor, which is asked nothing else.
    pub fn with_witness<M: Monitor<G>>(self, witness: M) -> AlphaBeta<'a, G, E, M> {
        let AlphaBeta { tree, stepper, grain, master, baseline, stopped, witness: () } = self;
        AlphaBeta { tree, stepper, grain, master, baseline, stopped, witness }
    }
}

impl<'a, G: Game, E: Evaluator<G>, M: Monitor<G>> AlphaBeta<'a, G, E, M> {
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
        &self.tree.counters
    }

    /// The search of the root; only worker 0 has it.
    pub fn master(&self) -> Option<&Master<G>> {
        self.master.as_ref()
    }

    /// The same, to end the search after the present iteration.
    pub fn master_mut(&mut self) -> Option<&mut Master<G>> {
        self.master.as_mut()
    }

    /// Why the search failed.
    pub fn failure(&self) -> Option<&RulesError> {
        self.tree.failed.as_deref()
    }

    /// How many nodes it holds.
    pub fn stack_height(&self) -> usize {
        self.tree.levels.len()
    }

    /// The most nodes it ever held: no more than one for each ply, and one for each job.
    pub fn highest_stack(&self) -> usize {
        self.tree.highest
    }

    /// Whether all its results have arrived; so it is after a search and all its messages.
    pub fn is_acknowledged(&self) -> bool {
        self.tree.hunger.is_acknowledged()
    }

    /// Ends the search as soon as possible: worker 0 keeps what it has found.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// The workspace, for the next search.
    pub fn into_workspace(self) -> Workspace<G> {
        self.stepper.into_workspace()
    }

    fn step(&mut self, mail: Post<'_, G>) -> Step {
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
                let crate::level::Undecided { number, choice, found, pv, end } = undecided;
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
        let before = *self.stepper.statistics();
        let mut brood = std::mem::take(&mut level.brood);
        let changes = self.tree.changes;
        let witness = &mut self.witness;
        let nodes = before.nodes;
        let mut watch = Watch { tree: &mut self.tree, mail, changes, child: None, witness, nodes };
        let opening = self.stepper.open(ply, depth, asked, &mut brood, &mut watch);
        let cost = self.pay(&before, prepaid);
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

    /// Begins to search a child of the node on top; `again` tells the stage and, where it is known, the extension, if it
    /// is not the first time.
    #[allow(clippy::too_many_arguments)]
    fn start(
        &mut self,
        top: usize,
        number: usize,
        choice: multigame_search::Choice,
        again: Option<(Stage, Option<u32>)>,
        start: u64,
        serial: bool,
        mail: Post<'_, G>,
    ) {
        let (stage, known) = again.map_or((None, None), |(stage, extension)| (Some(stage), extension));
        let (ply, depth) = (self.tree.levels[top].ply, self.tree.levels[top].depth);
        self.stepper.make(ply, choice);
        let extension = known.unwrap_or_else(|| self.stepper.extension(ply, choice));
        let stage = stage.unwrap_or_else(|| self.first_stage(top, number, choice, extension, serial));
        let policy = self.tree.setup.policy;
        let level = &mut self.tree.levels[top];
        let asked = match stage {
            _ if !policy.policy().prunes() => Window::FULL,
            Stage::Reduced(_) | Stage::Test => Window::above(level.window.alpha),
            Stage::FirstAnswer | Stage::Value => level.window,
        };
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

    fn first_stage(
        &mut self,
        top: usize,
        number: usize,
        choice: multigame_search::Choice,
        extension: u32,
        serial: bool,
    ) -> Stage {
        let level = &self.tree.levels[top];
        let options = self.stepper.task().options;
        let policy = self.tree.setup.policy;
        let place = level.true_number(number);
        let (ply, depth) = (level.ply, level.depth);
        let zero = options.engine == multigame_search::Engine::NegaScout;
        let is_zero = level.window.is_zero();
        if !policy.policy().prunes() {
            return Stage::Value;
        }
        if extension == 0 && options.reductions {
            let plies = self.stepper.reduction(ply, depth, place, choice);
            if plies > 0 {
                return Stage::Reduced(plies);
            }
        }
        match policy.policy().probe() {
            Probe::FirstAnswer if place > 0 && !serial && depth > 1 => Stage::FirstAnswer,
            Probe::Test if place > 0 && !serial && !is_zero => Stage::Test,
            _ if zero && place > 0 && !is_zero => Stage::Test,
            _ => Stage::Value,
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
        let cost = self.pay(&before, 0);
        self.grain.learn(self.stepper.statistics().nodes - before.nodes);
        if self.tree.changes != changes {
            return;
        }
        match answer {
            Ok(found) => {
                let pv = self.stepper.pv(ply).to_vec();
                self.deliver(found, pv, start + cost, mail);
            }
            Err(interrupt) => self.interrupted(interrupt, mail),
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
        child.looking = depth > 0 && self.tree.look_up(signature, depth, mail);
        self.tree.push(child);
    }

    /// The node on top is finished.
    fn close(&mut self, mail: Post<'_, G>) {
        let Some(mut level) = self.tree.levels.pop() else { return };
        let mut found = level.found();
        let cutoff = match level.verdict {
            Some(Verdict::Cutoff(number)) => Some(number),
            _ => None,
        };
        self.count_kind(level.kind, cutoff.is_some());
        let unwound = matches!(level.verdict, Some(Verdict::Unwound));
        if let Some(opened) = level.opened.filter(|_| !unwound && !level.first_only) {
            let best = level.best;
            let closing = Closing { opened, found, best, cutoff };
            found = self.stepper.close(level.ply, level.depth, level.asked, closing, &mut self.witness);
            if depth_is_told(level.depth, self.stepper.task().options.table_depth) {
                let mark = best.map_or(0, |best| move_mark(best.key));
                let entry =
                    Entry::new(found.bounds, level.asked, level.ply, level.depth, found.complete, mark);
                self.tree.tell(opened.signature, entry, mail);
            }
        }
        if level.ply == 0
            && level.best.is_none()
            && found.bounds.is_exact()
            && let Some(strongest) = level.strongest
        {
            // The table can tell the exact value of a root below the window: then this is its move.
            level.pv = vec![level.brood.mv(strongest).clone()];
        }
        self.deliver(found, level.pv, level.end.max(level.clock), mail);
    }

    fn count_kind(&mut self, kind: NodeKind, cutoff: bool) {
        let counters = &mut self.tree.counters;
        match kind {
            NodeKind::Pv => {}
            NodeKind::Cut => {
                counters.cut_nodes += 1;
                counters.cut_nodes_wrong += u64::from(!cutoff);
            }
            NodeKind::All => {
                counters.all_nodes += 1;
                counters.all_nodes_wrong += u64::from(cutoff);
            }
        }
    }

    /// Hands what was found about a child, as the child sees it, to its father on top of the stack.
    fn deliver(&mut self, found: Found, pv: Vec<G::Move>, end: u64, mail: Post<'_, G>) {
        let Some(top) = self.tree.levels.len().checked_sub(1) else {
            self.root_found(found, pv, end, mail);
            return;
        };
        let zero = self.stepper.task().options.engine == multigame_search::Engine::NegaScout;
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
    fn report(&mut self, mail: Post<'_, G>) {
        let Some(level) = self.tree.levels.pop() else { return };
        self.tree.moved = true;
        let (Some(mut result), Some(stolen)) = (Tree::job_result(&level), level.stolen()) else { return };
        result.asks = self.tree.levels.is_empty() && self.tree.setup.balance.results_ask;
        self.tree.hunger.asking |= result.asks;
        self.tree.hunger.reported(result.id);
        mail.send(stolen.master, Message::Result(Box::new(result)));
    }

    fn interrupted(&mut self, interrupt: Interrupt, mail: Post<'_, G>) {
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
    fn pay(&mut self, before: &Statistics, prepaid: u64) -> u64 {
        let cost = self.tree.setup.prices.between(before, self.stepper.statistics());
        self.tree.counters.work += cost.saturating_sub(prepaid);
        cost
    }

    /// A pass of the root is over.
    fn root_found(&mut self, found: Found, pv: Vec<G::Move>, end: u64, mail: Post<'_, G>) {
        let Some(master) = &mut self.master else { return };
        let finished = master.absorb(found, pv, end, self.stepper.task().options);
        self.stepper.count_root_passes(master.take_extra_passes());
        if finished && self.tree.setup.merge_history && self.tree.workers > 1 {
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
    fn catch_up(&mut self, mail: Post<'_, G>) {
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
    }

    /// Ends the search for everybody.
    fn finish(&mut self, mail: Post<'_, G>) -> Status {
        if let Some(master) = &mut self.master
            && !self.tree.finished
        {
            if let Some(root) = self.tree.levels.first().filter(|_| self.stopped) {
                master.stopped(root.lower, &root.pv);
            }
            for other in 1..self.tree.workers {
                mail.send(other, Message::Finished);
            }
        }
        self.tree.levels.clear();
        self.tree.finished = true;
        Status::Finished
    }

    fn status(&mut self, mail: Post<'_, G>) -> Option<Status> {
        if self.tree.finished || self.tree.failed.is_some() {
            return Some(self.finish(mail));
        }
        if self.stopped {
            return Some(if self.tree.me == 0 { self.finish(mail) } else { Status::Waiting });
        }
        if !self.tree.levels.is_empty() {
            return None;
        }
        if self.tree.me == 0 {
            return if self.next_pass() { None } else { Some(self.finish(mail)) };
        }
        self.tree.flush(mail);
        Some(match self.tree.hunt(mail) {
            Hunt::Waiting => Status::Idle(None),
            Hunt::Pause(nodes) => Status::Idle(Some(nodes * self.tree.setup.prices.node.max(1))),
        })
    }
}

fn depth_is_told(depth: u32, least: u32) -> bool {
    depth >= least
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Worker for AlphaBeta<'_, G, E, M> {
    type Message = Message<G>;

    fn handle(&mut self, from: WorkerId, message: Message<G>, mail: &mut dyn Mail<Message<G>>) {
        self.tree.handle(from, message, mail);
    }

    fn work(&mut self, budget: u64, mail: &mut dyn Mail<Message<G>>) -> Progress {
        let before = self.tree.counters.work;
        loop {
            self.catch_up(mail);
            let spent = |worker: &Self| worker.tree.counters.work - before;
            if let Some(status) = self.status(mail) {
                return Progress { cost: spent(self), status };
            }
            match self.step(mail) {
                Step::Done => {}
                Step::Asked => return Progress { cost: spent(self), status: Status::Busy },
                Step::Blocked => {
                    self.tree.help(mail);
                    self.tree.flush(mail);
                    return Progress { cost: spent(self), status: Status::Waiting };
                }
                Step::Looking => return Progress { cost: spent(self), status: Status::Waiting },
            }
            self.tree.invite(mail);
            if spent(self) > budget || self.master.as_mut().is_some_and(Master::has_news) {
                return Progress { cost: spent(self), status: Status::Busy };
            }
        }
    }
}

/// Handles messages while the kernel runs.
struct Watch<'w, 'a, 'm, G: Game, M> {
    tree: &'w mut Tree<'a, G>,
    mail: &'w mut (dyn Mail<Message<G>> + 'm),
    /// What the tree had been through when the kernel was started.
    changes: u64,
    /// The window of the child the kernel searches.
    child: Option<Window>,
    witness: &'w mut M,
    /// Nodes visited before.
    nodes: u64,
}

impl<G: Game, M: Monitor<G>> Monitor<G> for Watch<'_, '_, '_, G, M> {
    fn witnesses(&self) -> bool {
        self.witness.witnesses()
    }

    fn computed(&mut self, computed: &Computed<'_, G>) {
        self.witness.computed(computed);
    }

    fn poll(&mut self, statistics: &Statistics) -> Control {
        self.mail.visited(self.nodes + statistics.nodes);
        while let Some((from, message)) = self.mail.receive() {
            self.tree.handle(from, message, self.mail);
        }
        self.tree.invite(self.mail);
        if self.tree.changes != self.changes || self.tree.failed.is_some() {
            return Control::Stop;
        }
        let (Some(asked), Some(level)) = (self.child, self.tree.levels.last()) else {
            return Control::Continue;
        };
        match level.own {
            Some(own) if own.stage == Stage::Value && self.tree.policy().prunes() => {
                let window = Level::<G>::for_child(level.window, own.same_side);
                if self.tree.policy().sends_windows() && asked.and(window) != asked {
                    Control::Narrow(window)
                } else {
                    Control::Continue
                }
            }
            _ => Control::Continue,
        }
    }
}
