//! Searches on simulated parallel machines.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use multigame_game::Game;
use multigame_parallel::{Balance, Memory, PolicyKind, PuzzleSetup, Setup};
use multigame_search::{Engine, Evaluator, Root, RulesEvaluator};
use multigame_simulator::{
    Experiment, Faults, Machine, PuzzleExperiment, Row, search_options, simulate, simulate_puzzle,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// The greatest machine.
const MOST_PROCESSORS: u32 = 16_384;
/// Plies to search where nothing else is said.
const USUAL_DEPTH: u32 = 6;

/// What is to be simulated.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulationPlan {
    processors: Vec<u32>,
    policy: String,
    network: String,
    depth: Option<u32>,
    memory: Option<String>,
    entries: u32,
    balance: Option<String>,
    without: Vec<String>,
    line_last: bool,
    grain: Option<u32>,
    storm: bool,
    seed: u64,
    options: String,
}

/// Simulates; one row for each number of processors.
pub fn run<G: Game>(
    game: &G,
    position: &G::Position,
    plan: &SimulationPlan,
    stop: &AtomicBool,
) -> anyhow::Result<Value> {
    let evaluator = RulesEvaluator::new(game, None).map_err(anyhow::Error::msg)?;
    let policy: PolicyKind = plan.policy.parse()?;
    let machine = Machine::named(&plan.network)?;
    if plan.processors.iter().any(|count| !(1..=MOST_PROCESSORS).contains(count)) {
        bail!("numbers of processors lie between 1 and {MOST_PROCESSORS}");
    }
    if !(4..=1 << 26).contains(&plan.entries) {
        bail!("`entries` lies between 4 and {}", 1 << 26);
    }
    plan.processors.iter().try_for_each(|&count| machine.topology.check(count))?;
    let mut watch = |_: u64, _: u64| !stop.load(Ordering::Relaxed);
    let rows = if game.description().players == 1 {
        plan.puzzle(game, &evaluator, position, policy, machine, &mut watch)?
    } else {
        plan.game(game, &evaluator, position, policy, machine, &mut watch)?
    };
    Ok(rows.iter().map(row_json).collect())
}

impl SimulationPlan {
    fn faults(&self, machine: Machine) -> Faults {
        if self.storm { Faults::storm(machine.prices.node) } else { Faults::default() }
    }

    fn memory(&self) -> anyhow::Result<Option<Memory>> {
        Ok(self.memory.as_deref().map(str::parse).transpose()?)
    }

    fn balance(&self) -> anyhow::Result<Balance> {
        let mut balance = match self.balance.as_deref() {
            None | Some("zugzwang") => Balance::ZUGZWANG,
            Some("random") => {
                Balance { neighbours: false, forwards: 0, results_ask: false, ..Balance::ZUGZWANG }
            }
            Some("have-work") => Balance::THREADS,
            Some(name) => {
                bail!("there is no way `{name}` to find work; use zugzwang, random or have-work")
            }
        };
        for name in &self.without {
            match name.as_str() {
                "n1" => balance.neighbours = false,
                "n2" => balance.forwards = 0,
                "n3" => balance.results_ask = false,
                _ => bail!("`without` names n1, n2 or n3, not `{name}`"),
            }
        }
        balance.line_last = self.line_last;
        Ok(balance)
    }

    /// A game of two players.
    fn game<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        position: &G::Position,
        policy: PolicyKind,
        machine: Machine,
        watch: &mut dyn FnMut(u64, u64) -> bool,
    ) -> anyhow::Result<Vec<Row>> {
        let messages = policy.messages().with_context(|| {
            format!("`{policy}` needs threads with common memory: use `search(threads=N, policy=...)`")
        })?;
        let options = search_options(Engine::NegaScout, &self.options)?;
        let memory = self.memory()?.unwrap_or_else(|| policy.usual_memory(false, u32::MAX));
        let grain = self.grain.unwrap_or(1);
        let setup = Setup { balance: self.balance()?, memory, grain, ..Setup::fine(messages) };
        let root = Root::new(game, position.clone());
        let mut one = |processors: u32| {
            let experiment = Experiment {
                processors,
                options: &options,
                setup,
                depth: self.depth.unwrap_or(USUAL_DEPTH),
                machine,
                faults: self.faults(machine),
                seed: self.seed,
                entries: self.entries as usize,
                spans: false,
            };
            let outcome = simulate(game, evaluator, &root, &experiment, watch, &|| ())?;
            if outcome.complete { Ok(outcome) } else { Err(anyhow::anyhow!("the simulation was stopped")) }
        };
        let base = one(1)?;
        let base = (base.time, base.statistics.nodes);
        let row = |&processors| Ok(Row::new(&one(processors)?, machine.prices.node, base));
        self.processors.iter().map(row).collect()
    }

    /// A puzzle.
    fn puzzle<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        position: &G::Position,
        policy: PolicyKind,
        machine: Machine,
        watch: &mut dyn FnMut(u64, u64) -> bool,
    ) -> anyhow::Result<Vec<Row>> {
        let given = [
            ("balance", self.balance.is_some()),
            ("without", !self.without.is_empty()),
            ("line_last", self.line_last),
            ("options", !self.options.is_empty()),
        ];
        if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
            bail!("`{name}` is for games of two players; leave it out for a puzzle");
        }
        let memory = self.memory()?.unwrap_or(policy.usual_memory(true, u32::MAX));
        policy.check_memory(memory).map_err(anyhow::Error::msg)?;
        let puzzle = policy.puzzle().with_context(|| {
            format!("`{policy}` divides games of two players; for puzzles use `stealing`, `tds` or `windows`")
        })?;
        let (fine, machine) = (PuzzleSetup::fine(puzzle), machine.for_puzzles());
        let setup = PuzzleSetup { grain: self.grain.unwrap_or(fine.grain), memory, ..fine };
        let mut one = |processors: u32| {
            let experiment = PuzzleExperiment {
                processors,
                setup,
                longest: self.depth.unwrap_or(u32::MAX),
                machine,
                faults: self.faults(machine),
                seed: self.seed,
                entries: self.entries as usize,
                spans: false,
            };
            let outcome = simulate_puzzle((game, evaluator), position, &experiment.suited(), watch)?;
            if outcome.complete { Ok(outcome) } else { Err(anyhow::anyhow!("the simulation was stopped")) }
        };
        let base = one(1)?;
        let base = (base.time, base.statistics.nodes);
        self.processors.iter().map(|&processors| Ok(Row::of_puzzle(&one(processors)?, base))).collect()
    }
}

fn row_json(row: &Row) -> Value {
    json!({
        "processors": row.processors, "seconds": row.time, "speedup": row.speedup,
        "efficiency": row.efficiency, "load": row.load, "overhead": row.overhead,
        "performance": row.performance, "communication": row.communication, "idle": row.idle,
        "nodes": row.nodes, "work": row.work, "critical": row.critical, "messages": row.messages,
        "jobs": row.jobs, "wrong_cut": row.wrong_cut, "wrong_all": row.wrong_all, "value": row.value,
    })
}
