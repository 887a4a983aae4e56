//! The Alpha-Beta worker: the stack of a [`Tree`], worked on step by step.
//!
//! A step opens a node, has the kernel search one child that is not worth more trouble, or closes a node.
//! Messages are handled between steps, and while the kernel runs whenever it polls. Where nothing can arrive
//! then, its work is paid for node by node afterwards, one step each, and its answer counts at the end.

mod answers;
mod redoing;
mod root;
mod steps;
mod watch;

use std::sync::Arc;

use multigame_game::{Game, Random, RulesError};
use multigame_search::{
    Evaluator, Found, KernelInput, Monitor, PRUNED_DEPTH, Root, Statistics, Stepper, Workspace,
};

use crate::balance::Hunger;
use crate::grain::Grain;
use crate::ideal::Ideal;
use crate::master::Master;
use crate::memory::Spread;
use crate::news::News;
use crate::protocol::Message;
use crate::setup::Setup;
use crate::statistics::Counters;
use crate::tree::{Tree, usual_depths};
use crate::worker::{Mail, Progress, Status, Worker, WorkerId};
use steps::Step;

/// What the kernel has found out, but will know only when its time has passed.
#[derive(Debug)]
struct Unpaid<M> {
    found: Found,
    pv: Vec<M>,
    end: u64,
    /// Ticks in all, and those still to pay.
    cost: u64,
    owed: u64,
    /// Nodes in all.
    nodes: u64,
    /// What the tree had been through when the kernel was started.
    changes: u64,
}

/// An Alpha-Beta worker; see the module.
#[derive(Debug)]
pub struct AlphaBeta<'a, G: Game, E, M = ()> {
    tree: Tree<'a, G>,
    stepper: Stepper<'a, G, E>,
    grain: Grain,
    /// The search of the root, which worker 0 conducts, or everybody.
    master: Option<Master<G>>,
    /// The history counts this worker started the iteration with.
    baseline: Arc<[u32]>,
    /// What it tells others meanwhile, if they are told.
    news: Option<News>,
    /// The kernel's answer, for as long as its time has not come.
    unpaid: Option<Unpaid<G::Move>>,
    stopped: bool,
    ideal: Ideal,
    /// Sees every bound that is computed.
    witness: M,
}

impl<'a, G: Game, E: Evaluator<G>> AlphaBeta<'a, G, E> {
    /// A worker of a search to `depth`. `neighbours` are those it may ask for work if the setup says so;
    /// `work` may come from an earlier search.
    pub fn new(
        (me, workers): (WorkerId, u32),
        task: KernelInput<'a, G, E>,
        root: &Root<G>,
        depth: u32,
        setup: Setup,
        neighbours: Vec<WorkerId>,
        work: Workspace<G>,
    ) -> Self {
        let mut setup = setup;
        if task.options.futility || task.options.late_pruning {
            // Moves are left out near the horizon only, where the kernel is to be. Internal reductions bring
            // nodes there that begin a ply above it.
            setup.grain = setup.grain.max(PRUNED_DEPTH + u32::from(task.options.internal_reduction));
        }
        let stepper = Stepper::new(task, root, work);
        let spread = Spread::new(setup.memory, (me, workers), setup.sharing, usual_depths(&setup));
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
            spread: if setup.grain_nodes > 0 { spread.learning() } else { spread },
            counters: Counters::default(),
            waiting_since: None,
            looking_since: None,
            refutations: Vec::new(),
            learned: None,
            histories: Vec::new(),
            killers: Vec::new(),
            lessons: Vec::new(),
            news: Vec::new(),
            failed: None,
            finished: false,
        };
        let all = setup.policy.policy().all_search_the_root();
        let ahead = if all { me % 2 } else { 0 };
        let master = (me == 0 || all).then(|| Master::new(depth, ahead, task.options));
        let (grain, baseline) = (Grain::new(setup.grain, setup.grain_nodes), Arc::from([]));
        let spreads = setup.spread_history > 0 && workers > 1;
        let news = spreads.then(|| News::new(me, workers, setup.spread_history));
        let (unpaid, ideal) = (None, Ideal::default());
        AlphaBeta { tree, stepper, grain, master, baseline, news, unpaid, stopped: false, ideal, witness: () }
    }

    /// Shows every bound that is computed to a monitor, which is asked nothing else.
    pub fn with_witness<M: Monitor<G>>(self, witness: M) -> AlphaBeta<'a, G, E, M> {
        let AlphaBeta { tree, stepper, grain, master, baseline, news, unpaid, stopped, ideal, witness: () } =
            self;
        AlphaBeta { tree, stepper, grain, master, baseline, news, unpaid, stopped, ideal, witness }
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

    /// When infinitely many processors would have done what it did.
    pub fn ideal(&self) -> &Ideal {
        &self.ideal
    }

    /// The search of the root; only that of worker 0 counts.
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

    /// Nodes that the kernel has looked at, and whose time has not come.
    pub fn unpaid_nodes(&self) -> u64 {
        self.unpaid.as_ref().map_or(0, |unpaid| unpaid.nodes * unpaid.owed / unpaid.cost.max(1))
    }

    /// How many nodes it holds.
    pub fn stack_height(&self) -> usize {
        self.tree.levels.len()
    }

    /// The most nodes it ever held: no more than one for each ply, and one for each job.
    pub fn highest_stack(&self) -> usize {
        self.tree.highest
    }

    /// Ends the search as soon as possible: worker 0 keeps what it has found.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// The search of the root, if it was conducted here, and the workspace, for the next search.
    pub fn into_parts(self) -> (Option<Master<G>>, Workspace<G>) {
        (self.master, self.stepper.into_workspace())
    }
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
                Step::Done => self.tree.waiting_since = None,
                Step::Asked => return Progress { cost: spent(self), status: Status::Busy },
                Step::Blocked => {
                    self.tree.help(mail);
                    self.tree.spread.flush(mail);
                    if let Some(status) = self.wait(spent(self), mail) {
                        return Progress { cost: spent(self), status };
                    }
                }
                Step::Looking => {
                    let now = mail.now() + spent(self);
                    self.tree.looking_since.get_or_insert(now);
                    if let Some(status) = self.wait(spent(self), mail) {
                        return Progress { cost: spent(self), status };
                    }
                }
            }
            self.tree.invite(mail);
            if spent(self) > budget || self.master.as_mut().is_some_and(Master::has_news) {
                return Progress { cost: spent(self), status: Status::Busy };
            }
        }
    }
}
