//! Puzzles on virtual machines.

use anyhow::{Context, bail};
use multigame_parallel::{PuzzlePolicy, PuzzleResult, PuzzleSetup};
use multigame_simulator::{Doubled, PuzzleExperiment};

use super::Arguments;

/// Tells what has come of a puzzle.
pub(super) fn tell(solution: Option<&PuzzleResult>) {
    match solution {
        Some(PuzzleResult::Solved(path)) => println!("solved in {} moves", path.len()),
        Some(PuzzleResult::Unsolvable) => println!("no solution"),
        Some(PuzzleResult::Unknown(least)) => println!("no solution of fewer than {least} moves"),
        None => {}
    }
}

impl Arguments {
    pub(super) fn puzzle_policy(&self) -> anyhow::Result<PuzzlePolicy> {
        let given = [
            ("doubled", self.doubled != Doubled::Nothing),
            ("options", !self.options.is_empty()),
            ("lose", self.lose.is_some()),
            ("brothers", self.brothers.is_some()),
            ("order", self.order.is_some()),
        ];
        let given = given.iter().find(|(_, given)| *given).map(|&(name, _)| name);
        if let Some(name) = self.of_finding().or(given) {
            bail!("`--{name}` is for games of two players; leave it out for a puzzle");
        }
        let policy = self.policy;
        if self.combine.is_some() && policy.puzzle().and_then(PuzzlePolicy::homes).is_none() {
            bail!("`--combine` is for positions that travel: use `--policy tds`, or leave it out");
        }
        policy
            .check_memory(self.memory.unwrap_or(policy.usual_memory(true, u32::MAX)))
            .map_err(anyhow::Error::msg)?;
        policy.puzzle().with_context(|| {
            format!("`{policy}` divides games of two players; for puzzles use `stealing`, `tds` or `windows`")
        })
    }

    pub(super) fn puzzle_experiment(
        &self,
        policy: PuzzlePolicy,
        (processors, spans): (u32, bool),
    ) -> PuzzleExperiment {
        let machine = self.network.for_puzzles();
        let fine = PuzzleSetup::fine(policy);
        let memory = self.memory.unwrap_or(self.policy.usual_memory(true, u32::MAX));
        let combine = self.combine.map_or(fine.combine, |most| most as usize);
        let setup = PuzzleSetup { grain: self.grain.unwrap_or(fine.grain), memory, combine, ..fine };
        PuzzleExperiment {
            processors,
            setup,
            longest: self.depth.unwrap_or(u32::MAX),
            machine,
            faults: self.faults(machine),
            seed: self.seed,
            entries: self.entries as usize,
            spans,
        }
        .suited()
    }
}
