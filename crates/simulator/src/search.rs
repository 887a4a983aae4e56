//! A search of a game on a virtual machine, and what came out of it.

use multigame_game::{Game, RulesError};
use multigame_parallel::{
    AlphaBeta, Counters, Form, Ideal, IterationReport, Master, Parcel, Setup, Span, TravelWorker, Worker,
    WorkerId,
};
use multigame_search::{
    Evaluator, KernelInput, Monitor, Options, Root, Statistics, TableError, TranspositionTable, Value,
    Workspace,
};

use crate::faults::Faults;
use crate::machine::Machine;
use crate::simulation::{Account, Simulation, Traffic};

/// What is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Experiment<'a> {
    /// How many virtual processors.
    pub processors: u32,
    /// How they search.
    pub options: &'a Options,
    /// How they work together; its prices are replaced by the machine's.
    pub setup: Setup,
    /// How deep.
    pub depth: u32,
    /// On what machine.
    pub machine: Machine,
    /// What goes wrong.
    pub faults: Faults,
    /// Of everything that is left to chance.
    pub seed: u64,
    /// Entries of each processor's table, or of all together where it is shared.
    pub entries: usize,
    /// Whether to keep what every processor did when.
    pub spans: bool,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Outcome<M> {
    /// The last iteration.
    pub result: IterationReport<M>,
    /// All iterations.
    pub reports: Vec<IterationReport<M>>,
    /// The value in one number.
    pub value: Value,
    /// Virtual time in nanoseconds.
    pub time: u64,
    /// All searches' counts together.
    pub statistics: Statistics,
    /// All workers' other counts together; `work` is W.
    pub counters: Counters,
    /// The critical path C, in nanoseconds.
    pub critical: u64,
    /// When infinitely many processors would have done the work.
    pub ideal: Ideal,
    /// What the processors did with their time.
    pub accounts: Vec<Account>,
    /// Messages by kind.
    pub traffic: Vec<(&'static str, Traffic)>,
    /// How many processors were busy from when on.
    pub profile: Vec<(u64, u32)>,
    /// What every processor did when, if it was asked for.
    pub spans: Vec<Span>,
    /// Whether the search came to its end.
    pub complete: bool,
    /// The most nodes a worker ever held.
    pub highest_stack: usize,
    /// Processors that were lost before the end.
    pub lost: u32,
    /// Whether every result has arrived and every worker has finished, as far as no processor was lost.
    pub clean: bool,
}

impl<M> Outcome<M> {
    /// The share of the processors' time spent on searching and what interrupts it, as ZUGZWANG defines LOAD,
    /// from 0 to 1.
    pub fn load(&self) -> f64 {
        let worked: u64 = self.accounts.iter().map(|account| account.work + account.routing).sum();
        worked as f64 / (self.time.max(1) as f64 * self.accounts.len() as f64)
    }

    /// The share of the processors' time spent on messages, from 0 to 1.
    pub fn communication(&self) -> f64 {
        let time: u64 = self.accounts.iter().map(|account| account.messages + account.routing).sum();
        time as f64 / (self.time.max(1) as f64 * self.accounts.len() as f64)
    }

    /// Nodes for each unit of working time, in comparison with a processor that is never interrupted:
    /// ZUGZWANG's PERF.
    pub fn performance(&self, node: u64) -> f64 {
        let worked: u64 = self.accounts.iter().map(|account| account.work + account.routing).sum();
        (self.statistics.nodes * node) as f64 / worked.max(1) as f64
    }
}

/// Why nothing came out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// No memory for the tables.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The rules failed.
    #[error(transparent)]
    Rules(Box<RulesError>),
}

/// Runs an experiment. `watch` is called now and then with the virtual time and the nodes so far; it may say
/// stop. `witness` makes a monitor for each worker, one after the other from 0 on, which sees every bound
/// that it computes.
pub fn simulate<G: Game, E: Evaluator<G>, M: Monitor<G>>(
    game: &G,
    evaluator: &E,
    root: &Root<G>,
    experiment: &Experiment<'_>,
    watch: &mut dyn FnMut(u64, u64) -> bool,
    witness: &dyn Fn() -> M,
) -> Result<Outcome<G::Move>, SimulationError> {
    let Experiment { processors, options, depth, machine, .. } = *experiment;
    let setup = Setup { prices: machine.prices, seed: experiment.seed, ..experiment.setup };
    let tables = match (options.table, setup.memory.form) {
        (false, _) => Vec::new(),
        (true, Form::Shared) => {
            vec![TranspositionTable::with_entries(experiment.entries, options.table_layout)?]
        }
        (true, _) => (0..processors)
            .map(|_| TranspositionTable::with_entries(experiment.entries, options.table_layout))
            .collect::<Result<Vec<_>, _>>()?,
    };
    let task = |id: WorkerId| {
        let table = tables.get(id as usize).or(tables.first());
        KernelInput { game, evaluator, options, table, abort: None, busy: None }
    };
    if let Some(travel) = setup.travel {
        let worker =
            |id| TravelWorker::new((id, processors), task(id), root, depth, (setup, travel), witness());
        return run(experiment, (0..processors).map(worker).collect(), watch);
    }
    let workers: Vec<AlphaBeta<'_, G, E, M>> = (0..processors)
        .map(|id| {
            let neighbours = if setup.balance.father_only {
                father(id, processors).into_iter().collect()
            } else if setup.balance.neighbours || setup.balance.forwards > 0 {
                machine.topology.neighbours(id, processors)
            } else {
                Vec::new()
            };
            AlphaBeta::new((id, processors), task(id), root, depth, setup, neighbours, Workspace::default())
                .with_witness(witness())
        })
        .collect();
    run(experiment, workers, watch)
}

/// Lets workers search to the end.
fn run<G: Game, W: Searcher<G>>(
    experiment: &Experiment<'_>,
    workers: Vec<W>,
    watch: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Outcome<G::Move>, SimulationError> {
    let mut simulation = Simulation::new(workers, experiment.machine, experiment.faults, experiment.seed);
    if experiment.spans {
        simulation = simulation.with_spans();
    }
    simulation
        .run(&mut |time, workers| watch(time, workers.iter().map(|worker| worker.statistics().nodes).sum()));
    outcome(&simulation)
}

/// The father in a tree of two levels below the root, whose sons have as many sons as it has, or one more: of
/// 256 processors, 15 are sons of the root and have 16 sons each, as in ZUGZWANG's experiment.
fn father(id: WorkerId, processors: u32) -> Option<WorkerId> {
    let sons = processors.isqrt().saturating_sub(1).max(1);
    match id {
        0 => None,
        id if id <= sons => Some(0),
        id => Some(1 + (id - sons - 1) % sons),
    }
}

/// What workers of searches for two players have in common.
trait Searcher<G: Game>: Worker {
    fn statistics(&self) -> &Statistics;
    fn counters(&self) -> &Counters;
    fn ideal(&self) -> &Ideal;
    fn master(&self) -> Option<&Master<G>>;
    fn failure(&self) -> Option<&RulesError>;
    fn stack_height(&self) -> usize;
    fn highest_stack(&self) -> usize;
    fn unpaid_nodes(&self) -> u64;
}

macro_rules! searcher {
    ($worker:ident) => {
        impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Searcher<G> for $worker<'_, G, E, M> {
            fn statistics(&self) -> &Statistics {
                self.statistics()
            }
            fn counters(&self) -> &Counters {
                self.counters()
            }
            fn ideal(&self) -> &Ideal {
                self.ideal()
            }
            fn master(&self) -> Option<&Master<G>> {
                self.master()
            }
            fn failure(&self) -> Option<&RulesError> {
                self.failure()
            }
            fn stack_height(&self) -> usize {
                self.stack_height()
            }
            fn highest_stack(&self) -> usize {
                self.highest_stack()
            }
            fn unpaid_nodes(&self) -> u64 {
                self.unpaid_nodes()
            }
        }
    };
}

searcher!(AlphaBeta);
searcher!(TravelWorker);

fn outcome<G: Game, W: Searcher<G>>(simulation: &Simulation<W>) -> Result<Outcome<G::Move>, SimulationError> {
    let workers = simulation.workers();
    let (mut statistics, mut counters) = (Statistics::default(), Counters::default());
    let mut ideal = Ideal::default();
    for worker in workers {
        if let Some(error) = worker.failure() {
            return Err(SimulationError::Rules(Box::new(error.clone())));
        }
        statistics += *worker.statistics();
        counters += *worker.counters();
        ideal.join(worker.ideal());
    }
    let lost: Vec<WorkerId> = simulation.lost().collect();
    let cut_short = lost.iter().map(|&id| workers[id as usize].unpaid_nodes());
    statistics.nodes -= counters.unvisited + cut_short.sum::<u64>();
    let left = |id: usize| lost.binary_search(&(id as WorkerId)).is_err();
    let master = workers[0].master().expect("worker 0 conducts the search");
    let kinds = <W::Message as Parcel>::KINDS;
    Ok(Outcome {
        result: master.result().clone(),
        reports: master.reports().to_vec(),
        value: master.value(),
        time: simulation.time(),
        statistics,
        counters,
        critical: master.result().critical,
        ideal,
        accounts: simulation.accounts().collect(),
        traffic: kinds.iter().copied().zip(simulation.traffic().iter().copied()).collect(),
        profile: simulation.profile().to_vec(),
        spans: simulation.spans().unwrap_or_default().to_vec(),
        complete: master.is_complete(),
        highest_stack: workers.iter().map(W::highest_stack).max().unwrap_or(0),
        clean: (counters.reported == counters.arrived || !lost.is_empty())
            && workers.iter().enumerate().all(|(id, worker)| worker.stack_height() == 0 || !left(id)),
        lost: lost.len() as u32,
    })
}
