//! `multigame simulate`: a search on thousands of virtual processors.

mod puzzle;
mod report;
mod task;

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use multigame_game::{Game, WithGame};
use multigame_parallel::{
    Balance, Form, Memory, MemoryError, MessagePolicy, Order, PolicyKind, Prices, Setup, Travel,
};
use multigame_player::ranks::Farm;
use multigame_search::{Engine, Evaluator, Options, RulesEvaluator};
use multigame_simulator::{
    Doubled, Experiment, Faults, Losses, LossesError, Machine, MachineError, search_options,
};
use serde::{Deserialize, Serialize};

use crate::arguments::{PositionArguments, policy_parser};
use crate::chores::Chore;
use crate::interrupt;
use report::Report;
pub use task::SimulationTask;

/// The greatest machine.
const MOST_PROCESSORS: u32 = 16_384;
/// What `--patience` is if nothing is said.
const PATIENCE: u64 = 1000;

/// Search a position on a simulated parallel machine.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// Numbers of processors, such as `1,4,16,64`
    #[arg(long, value_name = "N,...", default_value = "1,4,16,64", value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_PROCESSORS)))]
    processors: Vec<u32>,
    /// The policy that divides the work; docs/parallel.md lists them
    #[arg(long, value_name = "NAME", default_value = "ybwc-1-2*", value_parser = policy_parser)]
    policy: PolicyKind,
    /// The machine, such as `transputer`, `cm5`, `myrinet`, `cluster`; with another topology:
    /// `transputer-grid`; or a file of `multigame cluster measure`: `machine.toml`
    #[arg(long, value_name = "NAME", default_value = "cluster", value_parser = machine_parser)]
    network: Machine,
    /// Plies to search, 6 if not given; the longest solution of a puzzle
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=249))]
    depth: Option<u32>,
    /// Where the transposition table is: `shared`, `private`, `replicated`, `partitioned` or `hybrid` (the
    /// default), with settings such as `hybrid:depth=3:company=16:ahead=64`; docs/cluster.md lists them
    #[arg(long, value_name = "KIND", value_parser = memory_parser)]
    memory: Option<Memory>,
    /// Entries of each processor's table; of all together where it is shared
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(4..=1 << 26))]
    entries: u32,
    /// The way in which idle processors look for work: `zugzwang` (N1, N2, N3; as usual), `random`,
    /// `have-work`, or `tree` (from the father in a processor tree that never changes)
    #[arg(long, value_name = "KIND", value_parser = Balance::named)]
    balance: Option<Balance>,
    /// Without these of ZUGZWANG's ways to find work, such as `n1,n3`
    #[arg(long, value_name = "N1,...", value_delimiter = ',', value_parser = ["n1", "n2", "n3"])]
    without: Vec<String>,
    /// Give jobs from the principal variation only where there are no others
    #[arg(long)]
    line_last: bool,
    /// The child that a thief gets: the `first` that is left, or the `last`, as from a deque
    #[arg(long, value_name = "CHILD", default_value = "first", value_parser = ["first", "last"])]
    stolen: String,
    /// Killers of each processor's own (`local`), or with jobs and results (`shared`)
    #[arg(long, value_name = "KIND", default_value = "local", value_parser = ["local", "shared"])]
    killers: String,
    /// Histories of each processor's own (`local`), `merged` between iterations, or told after this many
    /// nodes
    #[arg(long, value_name = "KIND", default_value = "local")]
    history: String,
    /// Send messages about the `table`, or `jobs`, twice, to see what they cost
    #[arg(long, value_name = "KIND", default_value = "nothing", value_parser = doubled_parser)]
    doubled: Doubled,
    /// Nodes of this depth or less are searched in one go; 0 is finest and slowest
    #[arg(long)]
    grain: Option<u32>,
    /// With `tds` in games of two players: the policy that says which children are sent home
    #[arg(long, value_name = "NAME", value_parser = policy_parser)]
    brothers: Option<PolicyKind>,
    /// With `tds` in games of two players: the position that a processor takes first, the one on the `left`
    /// in the order of the sequential search, or that came `last` or `first`
    #[arg(long, value_name = "KIND", value_parser = order_parser)]
    order: Option<Order>,
    /// With `tds`: what goes to the same processor in one message at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    combine: Option<u32>,
    /// Lose processors, each at a random time: with `4:0.5` four of them within half a second. The others do
    /// their work again
    #[arg(long, value_name = "N:SECONDS", value_parser = losses_parser)]
    lose: Option<Losses>,
    /// With `--lose`: after waiting for as long as this many nodes take, a processor does itself what it
    /// waits for
    #[arg(long, value_name = "NODES", requires = "lose", default_value_t = PATIENCE,
        value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    patience: u64,
    /// Faults: `none`, or `storm` (delays, slow and pausing processors)
    #[arg(long, value_name = "KIND", default_value = "none", value_parser = ["none", "storm"])]
    faults: String,
    /// Chooses everything that is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Switch enhancements of the search, such as `tt=off,engine=alphabeta`
    #[arg(long, value_name = "NAME=VALUE,...", default_value = "")]
    options: String,
    /// Write the table to FILE as comma-separated values
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    csv: Option<PathBuf>,
    /// Write pictures into DIR: speedup, overheads, profile and timeline
    #[arg(long, value_name = "DIR")]
    #[serde(skip)]
    svg: Option<PathBuf>,
    /// Write what every processor of the last run did when to FILE, for Perfetto or Chrome
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    trace: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Reads a name, or a file that `multigame cluster measure` has written.
fn machine_parser(text: &str) -> Result<Machine, String> {
    if text.ends_with(".toml") {
        let read = std::fs::read_to_string(text).map_err(|error| format!("cannot read `{text}`: {error}"))?;
        return Machine::from_toml(&read).map_err(|error| format!("`{text}`: {error}"));
    }
    Machine::named(text).map_err(|error| error.to_string())
}

fn order_parser(text: &str) -> Result<Order, String> {
    text.parse()
}

fn losses_parser(text: &str) -> Result<Losses, String> {
    text.parse().map_err(|error: LossesError| error.to_string())
}

fn doubled_parser(text: &str) -> Result<Doubled, String> {
    text.parse().map_err(|error: MachineError| error.to_string())
}

fn memory_parser(text: &str) -> Result<Memory, String> {
    text.parse().map_err(|error: MemoryError| error.to_string())
}

/// The other ranks for simulations, if there are any.
pub type Others<'o> = &'o dyn Fn(SimulationTask) -> Option<Farm<'static>>;

impl WithGame for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        let evaluator = RulesEvaluator::new(&game, None).map_err(anyhow::Error::msg)?;
        self.run_with(&game, &evaluator, &|task| Chore::Simulation(Box::new(task)).farm(1))
    }
}

impl Arguments {
    /// Simulates searches of a game that is judged in a certain way.
    pub fn run_with<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        others: Others<'_>,
    ) -> anyhow::Result<()> {
        let task = SimulationTask::new(self);
        let (policy, depth) = self.check(game)?;
        interrupt::catch()?;
        let _thinking = interrupt::thinking();
        let runs = task.run(game, evaluator, others)?;
        let Some((base, runs)) = runs.split_first() else { return Ok(()) };
        let Some(last) = runs.last() else { return Ok(()) };
        let rows: Vec<_> = runs.iter().map(|run| run.row.clone().beside(&base.row)).collect();
        self.report(&Report {
            game: &game.description().name,
            policy,
            depth,
            rows: &rows,
            time: last.time,
            profile: &last.profile,
            spans: &last.spans,
            traffic: &last.traffic,
        })?;
        if !self.json {
            puzzle::tell(last.solution.as_ref());
        }
        Ok(())
    }

    /// Whether these things can be simulated; the policy and the depth for the report.
    fn check<G: Game>(&self, game: &G) -> anyhow::Result<(String, Option<u32>)> {
        self.position.position(game)?;
        for &processors in &self.processors {
            self.network.topology.check(processors)?;
            self.losses().check(processors).map_err(anyhow::Error::msg)?;
        }
        if game.description().players == 1 {
            let policy = PolicyKind::Puzzle(self.puzzle_policy()?);
            return Ok((policy.to_string(), self.depth));
        }
        self.chosen_setup(&self.search_options()?)?;
        Ok((self.policy.to_string(), Some(self.plies())))
    }

    fn plies(&self) -> u32 {
        self.depth.unwrap_or(6)
    }

    fn faults(&self, machine: Machine) -> Faults {
        let faults =
            if self.faults == "storm" { Faults::storm(machine.prices.node) } else { Faults::default() };
        Faults { losses: self.losses(), ..faults }
    }

    fn losses(&self) -> Losses {
        self.lose.unwrap_or_default()
    }

    /// The options that were given of those that only `tds` uses in games of two players.
    fn of_travel(&self) -> Option<&'static str> {
        let given = [
            ("brothers", self.brothers.is_some()),
            ("order", self.order.is_some()),
            ("combine", self.combine.is_some()),
        ];
        given.iter().find(|(_, given)| *given).map(|&(name, _)| name)
    }

    /// The options that were given of those that say how work is found and learned.
    fn of_finding(&self) -> Option<&'static str> {
        let given = [
            ("balance", self.balance.is_some()),
            ("without", !self.without.is_empty()),
            ("line-last", self.line_last),
            ("stolen", self.stolen != "first"),
            ("killers", self.killers != "local"),
            ("history", self.history != "local"),
        ];
        given.iter().find(|(_, given)| *given).map(|&(name, _)| name)
    }

    /// How workers are set up.
    fn chosen_setup(&self, options: &Options) -> anyhow::Result<Setup> {
        match self.policy.travel() {
            Some(travel) => self.travelling(travel, options),
            None => self.stationary(),
        }
    }

    /// How workers are set up between which positions travel.
    fn travelling(&self, travel: Travel, options: &Options) -> anyhow::Result<Setup> {
        if let Some(name) = self.of_finding() {
            bail!(
                "`--{name}` says how work is found or learned, and with `tds` it comes by itself; leave it out"
            );
        }
        if self.lose.is_some() {
            bail!(
                "with `tds` nobody does the work of lost processors; leave `--lose` out, or use `ybwc-1-2*`"
            );
        }
        if options.singular {
            bail!("with `tds` nodes are not singled out; leave `singular` out");
        }
        let memory = self.memory.unwrap_or(Memory::of(Form::Partitioned));
        self.policy.check_memory(memory).map_err(anyhow::Error::msg)?;
        let brothers = self.brothers.unwrap_or_else(|| "ybwc".parse().expect("it is known"));
        let Some(policy @ MessagePolicy::Ybwc(_)) = brothers.messages() else {
            bail!(
                "`{brothers}` does not say which children are sent home; use `ybwc` or one of its variants"
            );
        };
        let travel = Travel {
            combine: self.combine.unwrap_or(travel.combine),
            order: self.order.unwrap_or(travel.order),
        };
        let grain = self.grain.unwrap_or(1);
        Ok(Setup { memory, grain, travel: Some(travel), ..Setup::fine(policy) })
    }

    /// How workers are set up that look for work.
    fn stationary(&self) -> anyhow::Result<Setup> {
        if let Some(name) = self.of_travel() {
            bail!("`--{name}` is for positions that travel: use `--policy tds`, or leave it out");
        }
        let setup = self.setup(self.message_policy()?)?;
        let Prices { node, .. } = self.network.prices;
        Ok(Setup { patience: if self.lose.is_some() { self.patience * node.max(1) } else { 0 }, ..setup })
    }

    fn search_options(&self) -> anyhow::Result<Options> {
        Ok(search_options(Engine::NegaScout, &self.options)?)
    }

    fn message_policy(&self) -> anyhow::Result<MessagePolicy> {
        let policy = self.policy;
        if policy.puzzle().is_some_and(|puzzle| puzzle.homes().is_some()) {
            bail!("`{policy}` is for puzzles; games of two players use `tds` alone");
        }
        policy.messages().with_context(|| {
            format!("`{policy}` needs threads with common memory: use `multigame search --threads N --policy {policy}`")
        })
    }

    fn setup(&self, policy: MessagePolicy) -> anyhow::Result<Setup> {
        let balance = self.balance.unwrap_or(Balance::ZUGZWANG);
        let mut balance = balance.stealing(&self.stolen).map_err(anyhow::Error::msg)?;
        for name in &self.without {
            match name.as_str() {
                "n1" => balance.neighbours = false,
                "n2" => balance.forwards = 0,
                _ => balance.results_ask = false,
            }
        }
        balance.line_last = self.line_last;
        let memory = self.memory.unwrap_or_else(|| self.policy.usual_memory(false, u32::MAX));
        let setup = Setup { balance, memory, grain: self.grain.unwrap_or(1), ..Setup::fine(policy) };
        let setup = setup.with_killers(&self.killers).and_then(|setup| setup.with_history(&self.history));
        setup.map_err(anyhow::Error::msg)
    }

    fn machine(&self) -> Machine {
        Machine { doubled: self.doubled, ..self.network }
    }

    fn experiment<'o>(
        &self,
        options: &'o Options,
        setup: Setup,
        (processors, spans): (u32, bool),
    ) -> Experiment<'o> {
        Experiment {
            processors,
            options,
            setup,
            depth: self.plies(),
            machine: self.machine(),
            faults: self.faults(self.network),
            seed: self.seed,
            entries: self.entries as usize,
            spans,
        }
    }
}
