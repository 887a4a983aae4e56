//! Simulations that do not depend on each other: done one after the other, or by all ranks of a job.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use multigame_game::Game;
use multigame_parallel::{PuzzleResult, Span};
use multigame_player::ranks::{Farmhand, work_off};
use multigame_progress::Progress;
use multigame_search::{Evaluator, Root, RulesEvaluator};
use multigame_simulator::{Row, Traffic, simulate, simulate_puzzle};
use multigame_threads::Tasks;
use serde::{Deserialize, Serialize};

use super::{Arguments, Others};
use crate::interrupt;

/// Simulations of one search: the first on one processor, one more for each number of processors.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SimulationTask {
    arguments: Arguments,
    /// Whether it is asked for what every processor of the last one did when.
    spans: bool,
}

/// What came of a simulation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Simulated {
    /// Its numbers, as if it were the run on one processor.
    pub row: Row,
    /// Virtual time in nanoseconds.
    pub time: u64,
    /// Of the last one only, as the rest.
    pub profile: Vec<(u64, u32)>,
    pub spans: Vec<Span>,
    pub traffic: Vec<(String, Traffic)>,
    /// Of a puzzle.
    pub solution: Option<PuzzleResult>,
}

/// Called now and then with the virtual time and the nodes so far; it may say stop.
type Watch<'w> = &'w mut dyn FnMut(u64, u64) -> bool;

impl SimulationTask {
    /// All that the arguments ask for.
    pub fn new(arguments: &Arguments) -> SimulationTask {
        let spans = arguments.trace.is_some() || arguments.svg.is_some();
        SimulationTask { arguments: arguments.clone(), spans }
    }

    /// All simulations, in their order.
    pub fn run<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        others: Others<'_>,
    ) -> anyhow::Result<Vec<Simulated>> {
        let (count, farm) = (self.arguments.processors.len() + 1, others(self.clone()));
        let work = |(): &mut (), number: usize| self.shown(game, evaluator, number).map(Some);
        let tasks = Tasks { threads: 1, stop: interrupt::flag(), worker: &|| Ok(()), work: &work };
        let mut done = Vec::new();
        work_off(&tasks, 0..count, farm.as_ref(), &mut |_, simulated| {
            done.push(simulated);
            Ok(())
        })?;
        if done.len() < count {
            bail!("interrupted after {} of {count} simulations", done.len());
        }
        Ok(done)
    }

    /// Does the simulations that another rank is given.
    pub fn work<G: Game>(&self, game: &G, hand: &Farmhand<'_>) -> anyhow::Result<()> {
        let evaluator = RulesEvaluator::new(game, None).map_err(anyhow::Error::msg)?;
        self.work_with(game, &evaluator, hand)
    }

    /// The same for a game that is judged in a certain way.
    pub fn work_with<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        hand: &Farmhand<'_>,
    ) -> anyhow::Result<()> {
        hand.work_off(&|| Ok(()), &|(): &mut (), number| {
            self.one(game, evaluator, number, &mut |_, _| !hand.stop().load(Ordering::Relaxed))
        })
    }

    /// On how many processors.
    fn processors(&self, number: usize) -> anyhow::Result<u32> {
        let Some(place) = number.checked_sub(1) else { return Ok(1) };
        self.arguments.processors.get(place).copied().context("a simulation was asked for that is not there")
    }

    /// Shows how a simulation is getting on, and lets Ctrl-C end it.
    fn shown<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        number: usize,
    ) -> anyhow::Result<Simulated> {
        let mut display = multigame_progress::is_live().then(Progress::news);
        let (processors, stop): (u32, &AtomicBool) = (self.processors(number)?, interrupt::flag());
        let mut reached = 0.0;
        let simulated = self.one(game, evaluator, number, &mut |time, nodes| {
            reached = time as f64 * 1e-9;
            if let Some(display) = &mut display {
                display.say(&format!("{processors} processors: {nodes} nodes, {reached:.3} s virtual time"));
            }
            !stop.load(Ordering::Relaxed)
        })?;
        simulated.with_context(|| {
            format!("interrupted at {reached:.3} s of virtual time on {processors} processors")
        })
    }

    /// The simulation of that number; nothing if it was stopped.
    fn one<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        number: usize,
        watch: Watch<'_>,
    ) -> anyhow::Result<Option<Simulated>> {
        let arguments = &self.arguments;
        let (processors, last) = (self.processors(number)?, number == arguments.processors.len());
        let machine = (processors, last && self.spans);
        let simulated = if game.description().players == 1 {
            self.puzzle((game, evaluator), machine, watch)?
        } else {
            self.search(game, evaluator, machine, watch)?
        };
        // What is not shown need not travel.
        let without = |simulated: Simulated| match last {
            true => simulated,
            false => Simulated { profile: Vec::new(), spans: Vec::new(), traffic: Vec::new(), ..simulated },
        };
        Ok(simulated.map(without))
    }

    fn search<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        machine: (u32, bool),
        watch: Watch<'_>,
    ) -> anyhow::Result<Option<Simulated>> {
        let arguments = &self.arguments;
        let root = Root::new(game, arguments.position.position(game)?);
        let options = arguments.search_options()?;
        let setup = arguments.chosen_setup(&options)?;
        let experiment = arguments.experiment(&options, setup, machine);
        let outcome = simulate(game, evaluator, &root, &experiment, watch, &|| ())?;
        let base = (outcome.time, outcome.statistics.nodes);
        Ok(outcome.complete.then(|| Simulated {
            row: Row::new(&outcome, arguments.network.prices.node, base),
            time: outcome.time,
            profile: outcome.profile,
            spans: outcome.spans,
            traffic: named(outcome.traffic),
            solution: None,
        }))
    }

    fn puzzle<G: Game, E: Evaluator<G>>(
        &self,
        (game, evaluator): (&G, &E),
        machine: (u32, bool),
        watch: Watch<'_>,
    ) -> anyhow::Result<Option<Simulated>> {
        let arguments = &self.arguments;
        let root = arguments.position.position(game)?;
        let experiment = arguments.puzzle_experiment(arguments.puzzle_policy()?, machine);
        let outcome = simulate_puzzle((game, evaluator), &root, &experiment, watch)?;
        let base = (outcome.time, outcome.statistics.nodes);
        Ok(outcome.complete.then(|| Simulated {
            row: Row::of_puzzle(&outcome, base),
            time: outcome.time,
            profile: outcome.profile,
            spans: outcome.spans,
            traffic: named(outcome.traffic),
            solution: Some(outcome.result),
        }))
    }
}

fn named(traffic: Vec<(&'static str, Traffic)>) -> Vec<(String, Traffic)> {
    traffic.into_iter().map(|(kind, traffic)| (kind.to_string(), traffic)).collect()
}
