//! Carries runs out on virtual processors.

use std::collections::HashMap;

use multigame_game::{Game, parse_position};
use multigame_jit::JitGame;
use multigame_parallel::PuzzleResult;
use multigame_search::Root;
use multigame_simulator::{
    ABOUT_TABLE, Account, Experiment as Simulated, Faults, Machine, Outcome, PuzzleExperiment, PuzzleOutcome,
    Traffic, simulate, simulate_puzzle,
};

use crate::catalogue;
use crate::exchanges::Exchanges;
use crate::plan::Run;
use crate::row::Measured;

/// Parts of the time that a profile has.
const PARTS: u64 = 60;

/// Called now and then with the virtual time in nanoseconds and the nodes so far; it may say stop.
pub type Watch<'w> = &'w mut dyn FnMut(u64, u64) -> bool;

/// Why a run has no result.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// It was stopped.
    #[error("stopped; the same command goes on")]
    Stopped,
    /// Something else.
    #[error("{variant}, position {position}, {processors} processors: {reason}")]
    Failed {
        /// The variant.
        variant: String,
        /// The number of the position.
        position: u32,
        /// On how many processors.
        processors: u32,
        /// What went wrong.
        reason: String,
    },
}

/// Games that are ready to be searched: compiled once for all runs.
#[derive(Default)]
pub struct Bench {
    games: HashMap<String, JitGame>,
}

impl Bench {
    /// Carries out a run.
    pub fn measure(&mut self, run: &Run<'_>, watch: Watch<'_>) -> Result<Measured, BenchError> {
        let failed = |reason: String| BenchError::Failed {
            variant: run.variant.name().to_string(),
            position: run.position,
            processors: run.processors,
            reason,
        };
        let measured = self.run(run, watch).map_err(failed)?;
        measured.ok_or(BenchError::Stopped)
    }

    fn run(&mut self, run: &Run<'_>, watch: Watch<'_>) -> Result<Option<Measured>, String> {
        let set = catalogue::positions(run.variant.positions.as_deref().unwrap_or_default())?;
        let game = self.game(&set.game)?;
        let text = &set.texts[run.position as usize - 1];
        let diagram = parse_position(game.description(), text).map_err(|error| error.to_string())?;
        let position = game.position(&diagram);
        let exchanges = Exchanges::new(game, run.variant.sorts_captures()?)?;
        if set.is_puzzle() {
            return search_puzzle(game, &exchanges, &position, run, watch);
        }
        search(game, &exchanges, &Root::new(game, position), run, watch)
    }

    /// A game that is ready.
    pub(crate) fn game(&mut self, name: &str) -> Result<&JitGame, String> {
        if !self.games.contains_key(name) {
            let source = multigame_loader::source(name).map_err(|error| error.to_string())?;
            let program = multigame_loader::compile(&source, &[]).program;
            let program = program
                .ok_or_else(|| format!("the rules of `{name}` have errors; see `multigame check {name}`"))?;
            let game =
                JitGame::new(program).map_err(|reason| format!("no machine code for `{name}`: {reason}"))?;
            self.games.insert(name.to_string(), game);
        }
        Ok(&self.games[name])
    }
}

/// Searches a position of a game of two players; nothing if it was stopped.
pub(crate) fn search(
    game: &JitGame,
    exchanges: &Exchanges,
    root: &Root<JitGame>,
    run: &Run<'_>,
    watch: Watch<'_>,
) -> Result<Option<Measured>, String> {
    let (machine, options) = (run.variant.machine()?, run.variant.options()?);
    let mut setup = run.variant.setup()?;
    if run.processors == 1 && run.variant.is_sequential_alone() {
        // One processor searches the same nodes in whatever pieces, sooner in one.
        setup.grain = run.depth;
    }
    let experiment = Simulated {
        processors: run.processors,
        options: &options,
        setup,
        depth: run.depth,
        machine,
        faults: run.variant.faults()?,
        seed: run.seed,
        entries: run.variant.entries(run.processors),
        spans: false,
    };
    let outcome =
        simulate(game, exchanges, root, &experiment, watch, &|| ()).map_err(|error| error.to_string())?;
    Ok(outcome.complete.then(|| of_search(&outcome, &machine)))
}

fn search_puzzle(
    game: &JitGame,
    exchanges: &Exchanges,
    root: &<JitGame as Game>::Position,
    run: &Run<'_>,
    watch: Watch<'_>,
) -> Result<Option<Measured>, String> {
    let machine = run.variant.puzzle_machine()?;
    let experiment = PuzzleExperiment {
        processors: run.processors,
        setup: run.variant.puzzle_setup()?,
        longest: run.depth,
        machine,
        faults: Faults::default(),
        seed: run.seed,
        entries: run.variant.entries(run.processors),
        spans: false,
    };
    let experiment = experiment.suited();
    let outcome =
        simulate_puzzle((game, exchanges), root, &experiment, watch).map_err(|error| error.to_string())?;
    Ok(outcome.complete.then(|| of_puzzle(&outcome, &machine)))
}

fn of_search<M>(outcome: &Outcome<M>, machine: &Machine) -> Measured {
    let (counters, statistics) = (&outcome.counters, &outcome.statistics);
    Measured {
        nodes: statistics.nodes,
        evaluations: statistics.evaluations,
        evaluating: statistics.evaluations * machine.prices.evaluation,
        undisturbed: statistics.nodes * machine.prices.node
            + statistics.leaves * machine.prices.leaf
            + statistics.evaluations * machine.prices.evaluation,
        work: counters.work,
        critical: outcome.critical,
        dropped: counters.dropped,
        jobs: counters.given,
        reads: [statistics.table_probes, statistics.table_hits, statistics.table_cutoffs],
        waited: counters.waited,
        redone: counters.redone,
        lost: u64::from(outcome.lost),
        joined: counters.joined,
        job_plies: counters.given_plies,
        ideal: rounded(outcome.ideal.parallelism(PARTS as usize, outcome.critical)),
        cutoffs: [statistics.cutoffs, statistics.first_move_cutoffs],
        cut_nodes: [counters.cut_nodes, counters.cut_nodes_wrong],
        all_nodes: [counters.all_nodes, counters.all_nodes_wrong],
        value: outcome.value.number(),
        ..of_machine(outcome.time, &outcome.accounts, &outcome.traffic, &outcome.profile)
    }
}

fn of_puzzle(outcome: &PuzzleOutcome, machine: &Machine) -> Measured {
    let statistics = &outcome.statistics;
    let rest = of_machine(outcome.time, &outcome.accounts, &outcome.traffic, &outcome.profile);
    Measured {
        nodes: statistics.nodes,
        evaluations: statistics.evaluations,
        evaluating: statistics.evaluations * machine.prices.evaluation,
        undisturbed: rest.searching,
        work: rest.searching,
        value: match &outcome.result {
            PuzzleResult::Solved(path) => path.len() as i32,
            PuzzleResult::Unsolvable | PuzzleResult::Unknown(_) => -1,
        },
        ..rest
    }
}

/// What is measured alike for games and puzzles.
fn of_machine(
    time: u64,
    accounts: &[Account],
    traffic: &[(&'static str, Traffic)],
    profile: &[(u64, u32)],
) -> Measured {
    let sum = |part: &dyn Fn(&Account) -> u64| accounts.iter().map(part).sum::<u64>();
    let messages = sum(&|account| account.messages);
    let all: u64 = traffic.iter().map(|(_, traffic)| traffic.count).sum();
    let about_table: u64 =
        traffic.iter().filter(|(kind, _)| is_about_table(kind)).map(|(_, traffic)| traffic.count).sum();
    // Each message costs the same, whatever it is about.
    let table = (u128::from(messages) * u128::from(about_table) / u128::from(all.max(1))) as u64;
    let kinds = traffic.iter().filter(|(_, traffic)| traffic.count > 0);
    Measured {
        time,
        searching: sum(&|account| account.work),
        routing: sum(&|account| account.routing),
        table,
        messages: messages - table,
        traffic: kinds.map(|(kind, traffic)| (kind.to_string(), [traffic.count, traffic.bytes])).collect(),
        profile: thin(profile, time),
        ..Measured::default()
    }
}

fn is_about_table(kind: &str) -> bool {
    ABOUT_TABLE.contains(&kind)
}

/// The averages of a curve in parts of equal length.
fn thin(profile: &[(u64, u32)], end: u64) -> Vec<f64> {
    let mut parts = vec![0.0; PARTS as usize];
    if end == 0 {
        return parts;
    }
    let width = end as f64 / PARTS as f64;
    for (number, &(from, busy)) in profile.iter().enumerate() {
        let to = profile.get(number + 1).map_or(end, |next| next.0).min(end);
        let mut at = from as f64;
        while at < to as f64 {
            let part = ((at / width) as usize).min(parts.len() - 1);
            let until = ((part + 1) as f64 * width).min(to as f64).max(at + 1e-6 * width);
            parts[part] += f64::from(busy) * (until - at) / width;
            at = until;
        }
    }
    rounded(parts)
}

/// Nobody needs more digits than a picture shows.
fn rounded(parts: Vec<f64>) -> Vec<f64> {
    parts.into_iter().map(|part| (part * 100.0).round() / 100.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_keeps_its_area() {
        let curve = [(0, 1), (600, 4), (900, 0)];
        let parts = thin(&curve, 1200);
        assert_eq!((parts[0], parts[29], parts[30], parts[44], parts[45]), (1.0, 1.0, 4.0, 4.0, 0.0));
        let area: f64 = parts.iter().sum::<f64>() * 1200.0 / PARTS as f64;
        assert!((area - 1800.0).abs() < 1.0, "{area}");
        assert_eq!(thin(&[], 0).len(), PARTS as usize);
    }

    #[test]
    fn time_for_messages_is_divided_by_what_they_are_about() {
        let account = Account { work: 10, messages: 90, ..Account::default() };
        let count = |count| Traffic { count, ..Traffic::default() };
        let traffic = [("lookup", count(4)), ("answer", count(2)), ("job", count(3)), ("kill", count(0))];
        let measured = of_machine(100, &[account], &traffic, &[]);
        assert_eq!((measured.table, measured.messages, measured.searching), (60, 30, 10));
        assert_eq!(measured.traffic.len(), 3);
    }
}
