//! `multigame cluster predict`: how long a search would take on more processes than there are.
//!
//! The search is run here, and simulated with the costs that were measured here. The simulation on as many
//! processors as there are ranks is compared with the real one, so that everybody sees how far to trust the
//! others.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use multigame_game::{Line, Portable, WithGame};
use multigame_parallel::{MessagePolicy, Setup};
use multigame_player::ranks;
use multigame_player::{Configuration, Given, Limits, Player, PlayerSpec};
use multigame_search::{Root, RulesEvaluator};
use multigame_simulator::{Experiment, Faults, Fit, Machine, Row, simulate};
use serde_json::json;

use super::measure;
use crate::arguments::PositionArguments;
use crate::arguments::SearchArguments;
use crate::load::{GameArguments, with_game};
use crate::{interrupt, output};

/// The largest table of a simulated processor, and of all together, in entries.
const ENTRIES: [usize; 2] = [1 << 20, 1 << 26];

/// Say from a run on few processes how long a search would take on many
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    position: PositionArguments,
    #[command(flatten)]
    search: SearchArguments,
    /// Plies to search; a second or more of work on one process tells most
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=249))]
    depth: u32,
    /// Numbers of processes
    #[arg(long, value_name = "N,...", default_value = "16,64,256,1024", value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=16_384))]
    processes: Vec<u32>,
    /// What messages cost, as `multigame cluster measure` has written it; measured if not given
    #[arg(long, value_name = "FILE")]
    machine: Option<PathBuf>,
    /// Real searches of each kind; the fastest counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Measures, simulates and compares.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    with_game(&arguments.game, arguments)
}

/// Real searches: how long they took.
struct Real {
    one: Duration,
    /// On all ranks, if there are several: how many there are, and the time.
    all: Option<(u32, Duration)>,
}

impl WithGame for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Portable>(self, game: G) -> anyhow::Result<()> {
        if game.description().players == 1 {
            bail!("puzzles cannot be predicted yet; use `multigame simulate --network machine.toml`");
        }
        let spec = self.search.spec(Limits { depth: Some(self.depth), ..Limits::default() })?;
        let configuration =
            spec.configuration.clone().with_engine(spec.configuration.engine().unwrap_or_default());
        let policy = configuration.policy;
        let policy =
            policy.messages().with_context(|| format!("`{policy}` needs common memory; use `ybwc-1-2*`"))?;
        if configuration.threads > 1 {
            bail!("processes of one thread are predicted; leave `--threads` out");
        }
        interrupt::catch()?;
        let _thinking = interrupt::thinking();
        let line = Line::new(&game, self.position.position(&game)?);
        let evaluator = spec.evaluator(&game)?;
        let machine = self.machine()?;
        let spec = PlayerSpec { configuration: configuration.clone(), ..spec };
        let real = self.measured(&game, &spec, &line)?;
        let root = Root::of_line(&line);
        let experiment = |machine, processors| self.experiment(&configuration, policy, machine, processors);
        let one = self.simulated(&game, &evaluator, &root, experiment(machine, 1))?;
        // The real search says what a node costs.
        let node = (real.one.as_nanos() as u64 / one.nodes.max(1)).max(1);
        let machine = Machine { prices: multigame_parallel::Prices { node, ..machine.prices }, ..machine };
        let counts = [1].into_iter().chain(real.all.map(|(ranks, _)| ranks));
        let mut counts: Vec<u32> = counts.chain(self.processes.iter().copied()).collect();
        counts.sort_unstable();
        counts.dedup();
        let mut rows: Vec<Row> = Vec::new();
        for processors in counts {
            let row = self.simulated(&game, &evaluator, &root, experiment(machine, processors))?;
            let row = rows.first().map_or(row.clone(), |first| row.clone().beside(first));
            rows.push(row);
        }
        self.report(&real, &machine, &rows)
    }
}

impl Arguments {
    /// Searches on one rank and on all, several times by turns.
    fn measured<G: Portable>(&self, game: &G, spec: &PlayerSpec, line: &Line<'_, G>) -> anyhow::Result<Real> {
        // Options for several ranks are not used by one.
        let (memory, given) = (None, Given::default());
        let configuration = Configuration { memory, given, ..spec.configuration.clone() };
        let mut alone = PlayerSpec { configuration, ..spec.clone() }.player(game, None, interrupt::flag())?;
        let mut together = Vec::new();
        if let Some(ranks) = ranks::installed().filter(|ranks| ranks.size() > 1) {
            let others = ranks.others(game, spec.evaluator_for_ranks()?);
            together.push((ranks.size(), spec.player(game, Some(others), interrupt::flag())?));
        }
        let mut real = Real { one: Duration::MAX, all: None };
        for _ in 0..self.runs {
            alone.forget();
            real.one = real.one.min(timed(&mut alone, line)?);
            for (size, player) in &mut together {
                player.forget();
                let time = timed(player, line)?;
                real.all = Some((*size, real.all.map_or(time, |(_, fastest)| fastest.min(time))));
            }
        }
        Ok(real)
    }

    fn machine(&self) -> anyhow::Result<Machine> {
        match &self.machine {
            Some(file) => {
                let name = file.display();
                let text = std::fs::read_to_string(file).with_context(|| format!("cannot read `{name}`"))?;
                Machine::from_toml(&text).with_context(|| format!("`{name}`"))
            }
            None => {
                let ranks = ranks::installed().filter(|ranks| ranks.size() > 1);
                let ranks = ranks.context(
                    "messages can be measured between processes only: start several by `mpirun -n 2`, or give `--machine machine.toml`",
                )?;
                measure::machine(ranks, 1)
            }
        }
    }

    fn experiment<'o>(
        &self,
        configuration: &'o Configuration,
        policy: MessagePolicy,
        machine: Machine,
        processors: u32,
    ) -> Experiment<'o> {
        let usual = || configuration.policy.usual_memory(false, processors);
        let memory = configuration.memory.unwrap_or_else(usual);
        // The simulation takes no time for the work in a step of a real worker, so steps are single nodes.
        let setup = Setup { pays_by_node: true, ..Setup::ranks(policy, 1, memory) };
        let (depth, faults) = (self.depth, Faults::default());
        Experiment {
            processors,
            options: &configuration.search,
            setup,
            depth,
            machine,
            faults,
            seed: 1,
            entries: 0,
            spans: false,
        }
    }

    fn simulated<G: Portable>(
        &self,
        game: &G,
        evaluator: &RulesEvaluator,
        root: &Root<G>,
        experiment: Experiment<'_>,
    ) -> anyhow::Result<Row> {
        let real = experiment.options.table_mib * (1 << 16);
        let entries = real.min(ENTRIES[0]).min(ENTRIES[1] / experiment.processors as usize);
        let stop = interrupt::flag();
        let mut watch = |_, _| !stop.load(Ordering::Relaxed);
        let experiment = Experiment { entries, ..experiment };
        let outcome = simulate(game, evaluator, root, &experiment, &mut watch, &|| ())?;
        if !outcome.complete {
            bail!("interrupted while {} processes were simulated", experiment.processors);
        }
        Ok(Row::new(&outcome, experiment.machine.prices.node, (outcome.time, outcome.statistics.nodes)))
    }

    fn report(&self, real: &Real, machine: &Machine, rows: &[Row]) -> anyhow::Result<()> {
        let measured = |row: &Row| match real.all {
            Some((ranks, time)) if ranks == row.processors => Some(time.as_secs_f64()),
            _ => (row.processors == 1).then_some(real.one.as_secs_f64()),
        };
        let error = |row: &Row| measured(row).map(|time| (row.time / time - 1.0) * 100.0);
        let fit = Fit::of(rows);
        if self.json {
            let each = rows.iter().map(|row| {
                json!({
                    "processes": row.processors, "seconds": row.time, "speedup": row.speedup,
                    "nodes": row.nodes, "measured": measured(row), "error_percent": error(row),
                })
            });
            let fit = fit.map(|fit| json!({ "a": fit.a, "b": fit.b, "r": fit.r, "error": fit.error }));
            return output::json(&json!({
                "node_ns": machine.prices.node, "latency_ns": machine.latency,
                "rows": each.collect::<Vec<_>>(), "fit": fit,
            }));
        }
        let mut out = std::io::stdout().lock();
        let (node, latency) = (machine.prices.node as f64 / 1e3, machine.latency as f64 / 1e3);
        writeln!(out, "a node takes {node:.2} us, a message {latency:.1} us")?;
        writeln!(out, "processes   predicted  speedup    measured   error")?;
        for row in rows {
            write!(out, "{:>9}  {:>9.3} s  {:>7.2}", row.processors, row.time, row.speedup)?;
            match (measured(row), error(row)) {
                (Some(time), Some(error)) => writeln!(out, "  {time:>8.3} s  {error:>+5.1} %")?,
                _ => writeln!(out)?,
            }
        }
        if let Some(fit) = fit {
            let (a, b, error) = (fit.a, fit.b, fit.error * 100.0);
            writeln!(out, "T = {a:.3} C + {b:.3} W/P, mean error {error:.1} %")?;
        }
        Ok(())
    }
}

fn timed<G: Portable>(player: &mut Player<'_, G>, line: &Line<'_, G>) -> anyhow::Result<Duration> {
    let thought = player.search(line, &mut |_| ())?;
    if !thought.finished {
        bail!("the search was interrupted, so nothing can be predicted");
    }
    Ok(thought.time)
}
