//! `multigame simulate`: a search on thousands of virtual processors.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use multigame_game::{Game, Task};
use multigame_parallel::{Balance, Memory, MessagePolicy, PolicyKind, Setup};
use multigame_player::{interrupt, policy_parser};
use multigame_search::{Engine, Evaluator, Judge, Options, Root};
use multigame_simulator::{Experiment, Faults, Fit, Machine, Outcome, Row, csv, plot, simulate};
use serde_json::json;

use crate::{PositionArguments, output};

/// The greatest machine.
const MOST_PROCESSORS: u32 = 16_384;
/// Timelines of more processors cannot be seen.
const MOST_BARS: u32 = 64;

/// Search a position on a simulated parallel machine.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// Numbers of processors, such as `1,4,16,64`
    #[arg(long, value_name = "N,...", default_value = "1,4,16,64", value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_PROCESSORS)))]
    processors: Vec<u32>,
    /// How the work is divided; docs/parallel.md lists the policies
    #[arg(long, value_name = "NAME", default_value = "ybwc-1-2*", value_parser = policy_parser)]
    policy: PolicyKind,
    /// The machine, such as `transputer`, `cm5`, `myrinet`, `cluster`; with another topology: `transputer-grid`
    #[arg(long, value_name = "NAME", default_value = "cluster", value_parser = machine_parser)]
    network: Machine,
    /// Plies to search
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=249))]
    depth: u32,
    /// Where the transposition table is: `shared`, `private`, `partitioned` or `replicated`
    #[arg(long, value_name = "KIND", default_value = "partitioned", value_parser = memory_parser)]
    memory: Memory,
    /// Entries of each processor's table; of all together where it is shared
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(4..=1 << 26))]
    entries: u32,
    /// How idle processors look for work: `zugzwang` (N1, N2, N3), `random`, or `have-work`
    #[arg(long, value_name = "KIND", default_value = "zugzwang", value_parser = balance_parser)]
    balance: Balance,
    /// Without these of ZUGZWANG's ways to find work, such as `n1,n3`
    #[arg(long, value_name = "N1,...", value_delimiter = ',', value_parser = ["n1", "n2", "n3"])]
    without: Vec<String>,
    /// Nodes of this depth or less are searched in one go; 0 is finest and slowest
    #[arg(long, default_value_t = 1)]
    grain: u32,
    /// What goes wrong: `none`, or `storm` (delays, slow and pausing processors)
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
    csv: Option<PathBuf>,
    /// Write pictures into DIR: speedup, overheads, profile and timeline
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write what every processor of the last run did when to FILE, for Perfetto or Chrome
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn machine_parser(text: &str) -> Result<Machine, String> {
    Machine::named(text).map_err(|error| error.to_string())
}

fn memory_parser(text: &str) -> Result<Memory, String> {
    match text {
        "shared" => Ok(Memory::Shared),
        "private" => Ok(Memory::Private),
        "partitioned" => Ok(Memory::Partitioned { least_depth: 2, combine: 1 }),
        "replicated" => Ok(Memory::Replicated { least_depth: 3, combine: 32 }),
        _ => Err(format!("there is no memory `{text}`; use shared, private, partitioned or replicated")),
    }
}

fn balance_parser(text: &str) -> Result<Balance, String> {
    match text {
        "zugzwang" => Ok(Balance::ZUGZWANG),
        "random" => Ok(Balance { neighbours: false, forwards: 0, results_ask: false, ..Balance::ZUGZWANG }),
        "have-work" => Ok(Balance::THREADS),
        _ => Err(format!("there is no way `{text}` to find work; use zugzwang, random or have-work")),
    }
}

impl Task for &Arguments {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self, game: G) -> anyhow::Result<()> {
        if game.description().players != 2 {
            bail!("{} is a puzzle; the simulator searches games of two players", game.description().name);
        }
        let judge = Judge::new(&game, None).map_err(anyhow::Error::msg)?;
        self.run_with(&game, &judge)
    }
}

impl Arguments {
    /// Simulates a search of a game that is judged in a certain way.
    pub fn run_with<G: Game, E: Evaluator<G>>(&self, game: &G, evaluator: &E) -> anyhow::Result<()> {
        let options = self.search_options()?;
        let policy = self.message_policy()?;
        for &processors in &self.processors {
            self.network.topology.check(processors)?;
        }
        let root = Root::new(game, self.position.position(game)?);
        interrupt::catch()?;
        let _thinking = interrupt::Thinking::begin();
        let base = self.one(game, evaluator, &root, &self.experiment(&options, policy, 1))?;
        let base = (base.time, base.statistics.nodes);
        let (mut rows, mut last) = (Vec::new(), None);
        for &processors in &self.processors {
            let experiment = self.experiment(&options, policy, processors);
            let outcome = self.one(game, evaluator, &root, &experiment)?;
            rows.push(Row::new(&outcome, self.network.prices.node, base));
            last = Some(outcome);
        }
        self.write_files(&game.description().name, &rows, last.as_ref())?;
        if self.json { self.print_json(game, &rows, last.as_ref()) } else { self.print(&rows) }
    }

    fn search_options(&self) -> anyhow::Result<Options> {
        let usual = Options { depth_exact: true, evaluation_cache: 0, ..Options::default() };
        let options = usual.with(&self.options)?;
        options.check()?;
        if !matches!(options.engine, Engine::AlphaBeta | Engine::NegaScout | Engine::Mtdf) {
            bail!("`engine={}` is not simulated; use negascout, alphabeta or mtdf", options.engine);
        }
        if options.threads > 1 || options.lines > 1 {
            bail!("a simulated search has `--processors` and one line; leave `threads` and `lines` out");
        }
        Ok(options)
    }

    fn message_policy(&self) -> anyhow::Result<MessagePolicy> {
        let policy = self.policy;
        policy.messages().with_context(|| {
            format!("`{policy}` needs threads with common memory: use `multigame search --threads N --policy {policy}`")
        })
    }

    fn experiment<'o>(&self, options: &'o Options, policy: MessagePolicy, processors: u32) -> Experiment<'o> {
        let mut balance = self.balance;
        for name in &self.without {
            match name.as_str() {
                "n1" => balance.neighbours = false,
                "n2" => balance.forwards = 0,
                _ => balance.results_ask = false,
            }
        }
        let setup = Setup { balance, memory: self.memory, grain: self.grain, ..Setup::fine(policy) };
        let faults =
            if self.faults == "storm" { Faults::storm(self.network.prices.node) } else { Faults::default() };
        let last = self.processors.last() == Some(&processors);
        Experiment {
            processors,
            options,
            setup,
            depth: self.depth,
            machine: self.network,
            faults,
            seed: self.seed,
            entries: self.entries as usize,
            spans: last && (self.trace.is_some() || self.svg.is_some()),
        }
    }

    fn one<G: Game, E: Evaluator<G>>(
        &self,
        game: &G,
        evaluator: &E,
        root: &Root<G>,
        experiment: &Experiment<'_>,
    ) -> anyhow::Result<Outcome<G::Move>> {
        let shows = std::io::stderr().is_terminal() && !self.json;
        let mut next = Instant::now() + Duration::from_millis(200);
        let stop = interrupt::flag();
        let mut watch = |time: u64, nodes: u64| {
            if shows && Instant::now() >= next {
                next = Instant::now() + Duration::from_millis(200);
                let processors = experiment.processors;
                eprint!(
                    "\r{processors} processors: {nodes} nodes, {:.3} s virtual time ",
                    time as f64 * 1e-9
                );
            }
            !stop.load(std::sync::atomic::Ordering::Relaxed)
        };
        let outcome = simulate(game, evaluator, root, experiment, &mut watch, &|| ())?;
        if shows {
            eprint!("\r\x1b[K");
        }
        if !outcome.complete {
            bail!(
                "interrupted at {:.3} s of virtual time on {} processors",
                outcome.time as f64 * 1e-9,
                experiment.processors
            );
        }
        Ok(outcome)
    }

    fn print(&self, rows: &[Row]) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "{:>6} {:>11} {:>8} {:>6} {:>6} {:>8} {:>6} {:>6} {:>12} {:>8} {:>9}",
            "P", "seconds", "speedup", "eff", "load", "overhead", "perf", "comm", "nodes", "W/C", "messages"
        )?;
        for row in rows {
            let percent = |share: f64| format!("{:.1}%", share * 100.0);
            writeln!(
                out,
                "{:>6} {:>11.4} {:>8.2} {:>6} {:>6} {:>8} {:>6} {:>6} {:>12} {:>8.1} {:>9}",
                row.processors,
                row.time,
                row.speedup,
                percent(row.efficiency),
                percent(row.load),
                percent(row.overhead),
                percent(row.performance),
                percent(row.communication),
                row.nodes,
                row.parallelism(),
                row.messages
            )?;
        }
        if let Some(fit) = Fit::of(rows) {
            writeln!(
                out,
                "T = {:.3} C + {:.3} W/P, r = {:.5}, mean error {:.1} %",
                fit.a,
                fit.b,
                fit.r,
                fit.error * 100.0
            )?;
        }
        Ok(())
    }

    fn print_json<G: Game>(
        &self,
        game: &G,
        rows: &[Row],
        last: Option<&Outcome<G::Move>>,
    ) -> anyhow::Result<()> {
        let rows_json: Vec<_> = rows
            .iter()
            .map(|row| {
                let fields = multigame_simulator::COLUMNS.iter().zip(row.fields());
                let numbers =
                    fields.map(|(name, text)| (name.to_string(), json!(text.parse::<f64>().unwrap_or(0.0))));
                serde_json::Value::Object(numbers.collect())
            })
            .collect();
        let traffic: Vec<_> = last
            .iter()
            .flat_map(|outcome| &outcome.traffic)
            .filter(|(_, traffic)| traffic.count > 0)
            .map(|(kind, traffic)| json!({ "kind": kind, "count": traffic.count, "bytes": traffic.bytes, "hops": traffic.hops }))
            .collect();
        let fit = Fit::of(rows).map(|fit| json!({ "a": fit.a, "b": fit.b, "r": fit.r, "error": fit.error }));
        output::json(&json!({
            "game": game.description().name,
            "policy": self.policy.to_string(),
            "depth": self.depth,
            "seed": self.seed,
            "rows": rows_json,
            "fit": fit,
            "traffic": traffic,
        }))
    }

    fn write_files<M>(&self, name: &str, rows: &[Row], last: Option<&Outcome<M>>) -> anyhow::Result<()> {
        if let Some(file) = &self.csv {
            write(file, &csv(rows))?;
        }
        if let (Some(file), Some(last)) = (&self.trace, last) {
            write(file, &plot::chrome_trace(last.spans.iter().copied()))?;
        }
        let (Some(folder), Some(last)) = (&self.svg, last) else { return Ok(()) };
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        let title = |what: &str| format!("{name}, {} plies, {}: {what}", self.depth, self.policy);
        let processors = last.accounts.len() as u32;
        write(&folder.join("speedup.svg"), &plot::speedup(&title("speedup"), rows))?;
        write(&folder.join("overheads.svg"), &plot::overheads(&title("where the time goes"), rows))?;
        let profile = title(&format!("busy of {processors} processors"));
        write(&folder.join("profile.svg"), &plot::profile(&profile, &last.profile, last.time))?;
        if processors <= MOST_BARS {
            let timeline = plot::timeline(&title("who works when"), &last.spans, processors, last.time);
            write(&folder.join("timeline.svg"), &timeline)?;
        }
        Ok(())
    }
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(file, text).with_context(|| format!("cannot write `{}`", file.display()))
}
