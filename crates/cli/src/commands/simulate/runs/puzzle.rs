//! Puzzles on virtual machines.

use anyhow::{Context, bail};
use multigame_game::Game;
use multigame_parallel::{PuzzlePolicy, PuzzleResult, PuzzleSetup};
use multigame_search::Evaluator;
use multigame_simulator::{Doubled, PuzzleExperiment, Row, simulate_puzzle};

use super::Arguments;
use super::report::Report;
use crate::interrupt;

impl Arguments {
    /// Simulates the solution of a puzzle.
    pub(super) fn run_puzzle<G: Game, E: Evaluator<G>>(&self, game: &G, evaluator: &E) -> anyhow::Result<()> {
        let policy = self.puzzle_policy()?;
        for &processors in &self.processors {
            self.network.topology.check(processors)?;
        }
        let root = self.position.position(game)?;
        let longest = self.depth.unwrap_or(u32::MAX);
        interrupt::catch()?;
        let _thinking = interrupt::thinking();
        let one = |processors: u32| {
            let experiment = self.puzzle_experiment(policy, processors, longest);
            self.watched(processors, |watch| {
                let outcome = simulate_puzzle((game, evaluator), &root, &experiment, watch)?;
                Ok((outcome.complete, outcome.time, outcome))
            })
        };
        let base = one(1)?;
        let base = (base.time, base.statistics.nodes);
        let (mut rows, mut last) = (Vec::new(), None);
        for &processors in &self.processors {
            let outcome = one(processors)?;
            rows.push(Row::of_puzzle(&outcome, base));
            last = Some(outcome);
        }
        let Some(last) = last else { return Ok(()) };
        let kind = multigame_parallel::PolicyKind::Puzzle(policy);
        self.report(&Report {
            game: &game.description().name,
            policy: kind.to_string(),
            depth: self.depth,
            rows: &rows,
            time: last.time,
            profile: &last.profile,
            spans: &last.spans,
            traffic: &last.traffic,
        })?;
        if !self.json {
            match last.result {
                PuzzleResult::Solved(path) => println!("solved in {} moves", path.len()),
                PuzzleResult::Unsolvable => println!("no solution"),
                PuzzleResult::Unknown(least) => println!("no solution of fewer than {least} moves"),
            }
        }
        Ok(())
    }

    fn puzzle_policy(&self) -> anyhow::Result<PuzzlePolicy> {
        let given = [
            ("balance", self.balance.is_some()),
            ("without", !self.without.is_empty()),
            ("line-last", self.line_last),
            ("stolen", self.stolen != "first"),
            ("killers", self.killers != "local"),
            ("history", self.history != "local"),
            ("doubled", self.doubled != Doubled::Nothing),
            ("options", !self.options.is_empty()),
        ];
        if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
            bail!("`--{name}` is for games of two players; leave it out for a puzzle");
        }
        let policy = self.policy;
        policy
            .check_memory(self.memory.unwrap_or(policy.usual_memory(true, u32::MAX)))
            .map_err(anyhow::Error::msg)?;
        policy.puzzle().with_context(|| {
            format!("`{policy}` divides games of two players; for puzzles use `stealing`, `tds` or `windows`")
        })
    }

    fn puzzle_experiment(&self, policy: PuzzlePolicy, processors: u32, longest: u32) -> PuzzleExperiment {
        let machine = self.network.for_puzzles();
        let fine = PuzzleSetup::fine(policy);
        let memory = self.memory.unwrap_or(self.policy.usual_memory(true, u32::MAX));
        let setup = PuzzleSetup { grain: self.grain.unwrap_or(fine.grain), memory, ..fine };
        PuzzleExperiment {
            processors,
            setup,
            longest,
            machine,
            faults: self.faults(machine),
            seed: self.seed,
            entries: self.entries as usize,
            spans: self.wants_spans(processors),
        }
        .suited()
    }
}
