//! A puzzle on a virtual machine.

use multigame_game::Game;
use multigame_parallel::{Counters, Form, PuzzleMessage, PuzzleResult, PuzzleSetup, PuzzleWorker, Span};
use multigame_search::{Evaluator, Layout, Statistics, TranspositionTable};

use crate::faults::Faults;
use crate::machine::Machine;
use crate::search::SimulationError;
use crate::simulation::{Account, Simulation, Traffic};

/// What is simulated.
#[derive(Clone, Copy, Debug)]
pub struct PuzzleExperiment {
    /// How many virtual processors.
    pub processors: u32,
    /// How they work together; its prices are replaced by the machine's.
    pub setup: PuzzleSetup,
    /// The longest solution looked for.
    pub longest: u32,
    /// On what machine.
    pub machine: Machine,
    /// What goes wrong.
    pub faults: Faults,
    /// Of everything that is left to chance.
    pub seed: u64,
    /// Entries of each processor's table, or of all together where it is shared; none for work stealing
    /// without.
    pub entries: usize,
    /// Whether to keep what every processor did when.
    pub spans: bool,
}

/// The smallest trees that are worth being searched in one go while messages are on their way.
const LEAST_DIVE: u64 = 64;

impl PuzzleExperiment {
    /// The same with transposition-driven scheduling that suits the machine. To end a limit takes two waves,
    /// and to begin one takes a message down the tree of workers: as long as that, worker 0 has each limit
    /// for itself. Where messages take very long, it has each limit for itself twice as long, and positions
    /// that do not have enough to spare are searched in one go instead of being sent.
    pub fn suited(self) -> PuzzleExperiment {
        let Machine { send, receive, latency, prices, .. } = self.machine;
        let (message, node) = (send + receive + latency, (prices.node + prices.leaf).max(1));
        let steps = 5 * u64::from(self.processors.max(2).ilog2().div_ceil(2));
        let dive_nodes = Some(latency / node).filter(|&nodes| nodes >= LEAST_DIVE).unwrap_or(0);
        // Where a message takes as long as many nodes, positions pass through several hands one after the
        // other, which takes longer than the waves.
        let far = if dive_nodes > 0 { 2 } else { 1 };
        let setup = PuzzleSetup { alone: far * steps * message / node, dive_nodes, ..self.setup };
        PuzzleExperiment { setup, ..self }
    }
}

/// What came out.
#[derive(Clone, Debug)]
pub struct PuzzleOutcome {
    /// The solution.
    pub result: PuzzleResult,
    /// Virtual time in nanoseconds.
    pub time: u64,
    /// All searches' counts together.
    pub statistics: Statistics,
    /// All workers' other counts together.
    pub counters: Counters,
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
}

impl PuzzleOutcome {
    /// The share of the processors' time spent on searching, from 0 to 1.
    pub fn load(&self) -> f64 {
        let worked: u64 = self.accounts.iter().map(|account| account.work).sum();
        worked as f64 / (self.time.max(1) as f64 * self.accounts.len() as f64)
    }
}

/// Runs an experiment. `watch` is called now and then with the virtual time and the nodes so far; it may say
/// stop.
pub fn simulate_puzzle<G: Game, E: Evaluator<G>>(
    (game, evaluator): (&G, &E),
    root: &G::Position,
    experiment: &PuzzleExperiment,
    watch: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<PuzzleOutcome, SimulationError> {
    let PuzzleExperiment { processors, machine, seed, longest, .. } = *experiment;
    let setup = PuzzleSetup { prices: machine.prices, seed, ..experiment.setup };
    let count = match setup.memory.form {
        _ if setup.policy.homes().is_none() && experiment.entries == 0 => 0,
        Form::Shared => 1,
        _ => processors,
    };
    let tables: Vec<TranspositionTable> = (0..count)
        .map(|_| TranspositionTable::with_entries(experiment.entries, Layout::Cluster))
        .collect::<Result<_, _>>()?;
    let workers: Vec<_> = (0..processors)
        .map(|id| {
            let table = tables.get(id as usize).or(tables.first());
            PuzzleWorker::new((id, processors), (game, evaluator), table, root, longest, setup)
        })
        .collect();
    let mut simulation = Simulation::new(workers, machine, experiment.faults, seed);
    if experiment.spans {
        simulation = simulation.with_spans();
    }
    simulation
        .run(&mut |time, workers| watch(time, workers.iter().map(|worker| worker.statistics().nodes).sum()));
    let (mut statistics, mut counters) = (Statistics::default(), Counters::default());
    for worker in simulation.workers() {
        if let Some(error) = worker.failure() {
            return Err(SimulationError::Rules(Box::new(error.clone())));
        }
        statistics += *worker.statistics();
        counters += worker.counters();
    }
    let first = &simulation.workers()[0];
    let kinds = <PuzzleMessage<G> as multigame_parallel::Parcel>::KINDS;
    Ok(PuzzleOutcome {
        result: first.result().cloned().unwrap_or(PuzzleResult::Unknown(first.proved())),
        time: simulation.time(),
        statistics,
        counters,
        accounts: simulation.accounts().collect(),
        traffic: kinds.iter().copied().zip(simulation.traffic().iter().copied()).collect(),
        profile: simulation.profile().to_vec(),
        spans: simulation.spans().unwrap_or_default().to_vec(),
        complete: first.result().is_some(),
    })
}
