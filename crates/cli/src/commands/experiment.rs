//! `multigame experiment`: experiments on parallel search, the documents' numbers beside ours.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use multigame_laboratory::{
    Bench, BenchError, Experiment, Row, Run, Scale, experiment, missing, names, read_rows, report,
};
use multigame_player::ranks::{Farmhand, work_off};
use multigame_progress::Progress;
use multigame_threads::Tasks;
use serde::{Deserialize, Serialize};

use crate::chores::GamelessChore;
use crate::{interrupt, output};

/// Run experiments on parallel search, and compare them with what was published.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List all experiments
    List,
    /// Tell what an experiment does, and what its document found
    Show {
        /// Its name
        name: String,
    },
    /// Run experiments; runs that are known already are left out
    Run(RunArguments),
    /// Write a report on everything that is known, as Markdown and as one page of HTML
    Report(ReportArguments),
}

#[derive(Debug, Args)]
struct RunArguments {
    /// Their names, or `all`
    #[arg(required = true)]
    names: Vec<String>,
    /// Run as little as shows that it works
    #[arg(long)]
    quick: bool,
    /// Run as much as the document did, which takes a night or longer
    #[arg(long, conflicts_with = "quick")]
    document: bool,
    /// How many seeds, instead of what the experiment says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    seeds: Option<u32>,
    /// Run everything anew; the report shows the latest results
    #[arg(long)]
    anew: bool,
    /// The folder of results, one file for each experiment
    #[arg(long, value_name = "DIR", default_value = "experiments/results")]
    results: PathBuf,
}

#[derive(Debug, Args)]
struct ReportArguments {
    /// Names of experiments; all if none is given
    names: Vec<String>,
    /// The folder of results
    #[arg(long, value_name = "DIR", default_value = "experiments/results")]
    results: PathBuf,
    /// The folder that gets the report
    #[arg(long, value_name = "DIR", default_value = "experiments/report")]
    out: PathBuf,
}

impl Arguments {
    /// Whether something is run, and not only read.
    pub fn runs(&self) -> bool {
        matches!(self.command, Command::Run(_))
    }
}

/// Does what the arguments say.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.command {
        Command::List => list(),
        Command::Show { name } => show(&named(name)?),
        Command::Run(arguments) => arguments.run(),
        Command::Report(arguments) => arguments.write(),
    }
}

fn named(name: &str) -> anyhow::Result<Experiment> {
    let found = experiment(name).with_context(|| {
        format!("there is no experiment `{name}`; `multigame experiment list` tells which there are")
    })?;
    Ok(found?)
}

fn chosen(chosen: &[String]) -> anyhow::Result<Vec<Experiment>> {
    let all = chosen.is_empty() || chosen.iter().any(|name| name == "all");
    let chosen = if all { names() } else { chosen.to_vec() };
    chosen.iter().map(|name| named(name)).collect()
}

fn list() -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for experiment in chosen(&[])? {
        writeln!(out, "{:<24} {}", experiment.name, experiment.form.title)?;
    }
    Ok(())
}

fn show(experiment: &Experiment) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let form = &experiment.form;
    writeln!(out, "{}\n\n{}", form.title, form.about.trim())?;
    writeln!(out, "\nVariants:")?;
    for variant in &experiment.variants {
        writeln!(out, "  {:<28} {}", variant.name(), variant.note.as_deref().unwrap_or(""))?;
    }
    if !form.differs.is_empty() {
        writeln!(out, "\nWhat differs from the document:")?;
    }
    form.differs.iter().try_for_each(|difference| writeln!(out, "  - {difference}"))?;
    let sources: std::collections::BTreeSet<String> =
        form.theirs.iter().map(|theirs| theirs.from()).collect();
    if !sources.is_empty() {
        writeln!(out, "\nCompared with:")?;
    }
    sources.iter().try_for_each(|source| writeln!(out, "  {source}"))?;
    for scale in Scale::ALL {
        let runs = experiment.runs(scale, None).len();
        writeln!(out, "\nmultigame experiment run {}{}: {runs} runs", experiment.name, scale.option())?;
    }
    Ok(())
}

impl RunArguments {
    fn scale(&self) -> Scale {
        match (self.quick, self.document) {
            (true, _) => Scale::Quick,
            (_, true) => Scale::Document,
            _ => Scale::Full,
        }
    }

    fn run(&self) -> anyhow::Result<()> {
        let experiments = chosen(&self.names)?;
        interrupt::catch()?;
        let _thinking = interrupt::thinking();
        let version = version()?;
        experiments.iter().try_for_each(|experiment| self.run_one(experiment, &version))
    }

    fn run_one(&self, experiment: &Experiment, version: &str) -> anyhow::Result<()> {
        let (mut kept, rows) = Kept::open(&self.results, &experiment.name)?;
        let (name, version) = (experiment.name.clone(), version.to_string());
        let task = ExperimentTask { name, scale: self.scale(), seeds: self.seeds, version };
        let runs = task.runs(experiment);
        let open: Vec<usize> = if self.anew { (0..runs.len()).collect() } else { missing(&runs, &rows) };
        let start = Instant::now();
        let progress = Mutex::new(Progress::counting(&experiment.name, open.len() as u64));
        let shown = || progress.lock().unwrap_or_else(PoisonError::into_inner);
        let work = |bench: &mut Bench, number: usize| {
            task.measure(bench, &runs[number], &mut |what| {
                shown().say(what);
                !interrupt::flag().load(Ordering::Relaxed)
            })
        };
        let worker = || Ok(Bench::default());
        let tasks = Tasks { threads: 1, stop: interrupt::flag(), worker: &worker, work: &work };
        let (farm, mut done) = (GamelessChore::Experiment(task.clone()).farm(), 0);
        work_off(&tasks, open.iter().copied(), farm.as_ref(), &mut |_, line: String| {
            done += 1;
            shown().at(done);
            kept.add(&line)
        })?;
        drop(progress);
        if done < open.len() as u64 {
            return Err(BenchError::Stopped.into());
        }
        let (new, known) = (open.len(), runs.len() - open.len());
        let seconds = start.elapsed().as_secs_f64();
        writeln!(
            std::io::stdout(),
            "{}: {new} runs in {seconds:.1} s, {known} known before",
            experiment.name
        )?;
        Ok(())
    }
}

/// Runs of an experiment as other ranks are told of them, by their numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExperimentTask {
    name: String,
    scale: Scale,
    seeds: Option<u32>,
    /// The program that measures.
    version: String,
}

impl ExperimentTask {
    fn runs<'e>(&self, experiment: &'e Experiment) -> Vec<Run<'e>> {
        experiment.runs(self.scale, self.seeds)
    }

    /// Carries out the runs that another rank is given.
    pub fn work(&self, hand: &Farmhand<'_>) -> anyhow::Result<()> {
        let experiment = named(&self.name)?;
        let runs = self.runs(&experiment);
        hand.work_off(&|| Ok(Bench::default()), &|bench: &mut Bench, number| {
            let run = runs.get(number).context("a run of another experiment was asked for")?;
            self.measure(bench, run, &mut |_| !hand.stop().load(Ordering::Relaxed))
        })
    }

    /// The row of a run, as a line; nothing if it was stopped by `go_on`, which hears how it is getting on.
    fn measure(
        &self,
        bench: &mut Bench,
        run: &Run<'_>,
        go_on: &mut dyn FnMut(&str) -> bool,
    ) -> anyhow::Result<Option<String>> {
        let start = Instant::now();
        let (variant, position) = (run.variant.name(), run.position);
        let what =
            format!("{variant}, position {position}, {} processors, seed {}", run.processors, run.seed);
        let measured = bench.measure(run, &mut |time, nodes| {
            go_on(&format!("{what}: {nodes} nodes, {:.3} s virtual time", time as f64 * 1e-9))
        });
        match measured {
            Ok(measured) => {
                let taken = start.elapsed().as_secs_f64();
                Ok(Some(Row::new(run, self.version.clone(), taken, measured).line()))
            }
            Err(BenchError::Stopped) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// This program: its version, and a hash of itself, so that rows of different builds can be told apart.
fn version() -> anyhow::Result<String> {
    let program =
        std::fs::read(std::env::current_exe()?).context("cannot read this program to tell its version")?;
    let hash = program.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    Ok(format!("{}+{:08x}", env!("CARGO_PKG_VERSION"), hash >> 32))
}

/// The file of results of an experiment, which one program at a time may write.
struct Kept {
    file: File,
    path: PathBuf,
}

impl Kept {
    /// Opens the file, which may not be there yet, and reads what is in it.
    fn open(folder: &Path, name: &str) -> anyhow::Result<(Kept, Vec<Row>)> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        let path = folder.join(format!("{name}.jsonl"));
        let cannot = |what: &str| format!("cannot {what} `{}`", path.display());
        let file =
            OpenOptions::new().create(true).append(true).open(&path).with_context(|| cannot("write"))?;
        if file.try_lock().is_err() {
            bail!("another program is writing `{}`; wait until it has finished", path.display());
        }
        let text = std::fs::read_to_string(&path).with_context(|| cannot("read"))?;
        let rows = read_rows(&text).with_context(|| path.display().to_string())?;
        // A line that was being written when the program was stopped must not be gone on with.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).with_context(|| cannot("write"))?;
        Ok((Kept { file, path }, rows))
    }

    /// Keeps a row.
    fn add(&mut self, line: &str) -> anyhow::Result<()> {
        let wrote = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        wrote.with_context(|| format!("cannot write `{}`", self.path.display()))
    }
}

impl ReportArguments {
    fn write(&self) -> anyhow::Result<()> {
        let experiments = chosen(&self.names)?;
        let mut rows = Vec::new();
        for experiment in &experiments {
            let path = self.results.join(format!("{}.jsonl", experiment.name));
            match std::fs::read_to_string(&path) {
                Ok(text) => rows.extend(read_rows(&text).with_context(|| path.display().to_string())?),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error).with_context(|| format!("cannot read `{}`", path.display())),
            }
        }
        let report = report::report(&experiments, &rows);
        let pictures = self.out.join("pictures");
        std::fs::create_dir_all(&pictures)
            .with_context(|| format!("cannot make the folder `{}`", pictures.display()))?;
        for (name, svg) in &report.pictures {
            output::write(&pictures.join(name), svg)?;
        }
        output::write(&self.out.join("report.md"), &report.markdown)?;
        let page = self.out.join("report.html");
        output::write(&page, &report.html)?;
        writeln!(
            std::io::stdout(),
            "{} rows of {} experiments: `{}`",
            rows.len(),
            experiments.len(),
            page.display()
        )?;
        Ok(())
    }
}
