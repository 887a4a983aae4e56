//! From rows to the numbers of a table: over positions as the document does it, then mean and deviation over seeds.

use std::collections::{BTreeMap, BTreeSet};

use multigame_simulator::ABOUT_TABLE;
use serde::Deserialize;

use crate::form::{Average, Experiment};
use crate::row::{Measured, Row};

/// A number of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Time on one processor of the base, divided by the time.
    Speedup,
    /// Speedup for each processor.
    Efficiency,
    /// ZUGZWANG's LOAD: share of the time spent on searching and what interrupts it.
    Load,
    /// ZUGZWANG's SOVHD: nodes more than on one processor, as a share.
    Overhead,
    /// ZUGZWANG's PERF: speed while searching, compared with a processor that is never interrupted.
    Performance,
    /// Virtual seconds of a position on average.
    Seconds,
    /// Nodes of a position on average.
    Nodes,
    /// Share of the time spent on nothing.
    Idle,
    /// Average parallelism W/C.
    Parallelism,
    /// Share of the nodes expected to have a cutoff that had none.
    WrongCut,
    /// Share of the nodes expected to have none that had one.
    WrongAll,
    /// Share of the work on what was given up.
    Dropped,
    /// Jobs of a position on average.
    Jobs,
    /// Messages of a position on average.
    Messages,
    /// Messages about the table for each node.
    TableMessages,
    /// Average distance of jobs from the root.
    JobDepth,
    /// Parallelism that infinitely many processors would not exceed for half of the time.
    IdealHalf,
    /// Share of the cutoffs that the first child gave.
    FirstCutoffs,
    /// Share of the questions to the table that finished a node: by a value or a bound.
    TableCutoffs,
    /// Share of the questions to the table that found a position, but not enough to finish the node.
    TableMoves,
    /// Share of the time in which nothing was done because others were asked about the table.
    TableWait,
    /// Jobs of a position on average that masters did themselves, because nothing was heard of them.
    Redone,
    /// Processors lost before the end, on average over positions.
    Lost,
    /// Share of the questions about positions that were being searched already.
    Joined,
}

impl Measure {
    /// Its name at the top of a column.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Speedup => "speedup",
            Measure::Efficiency => "efficiency %",
            Measure::Load => "LOAD %",
            Measure::Overhead => "SOVHD %",
            Measure::Performance => "PERF %",
            Measure::Seconds => "seconds",
            Measure::Nodes => "nodes",
            Measure::Idle => "idle %",
            Measure::Parallelism => "W/C",
            Measure::WrongCut => "type 2 wrong %",
            Measure::WrongAll => "type 3 wrong %",
            Measure::Dropped => "given up %",
            Measure::Jobs => "jobs",
            Measure::Messages => "messages",
            Measure::TableMessages => "table messages / node",
            Measure::JobDepth => "depth of jobs",
            Measure::IdealHalf => "half the time below",
            Measure::FirstCutoffs => "first child's cutoffs %",
            Measure::TableCutoffs => "reads that end a node %",
            Measure::TableMoves => "other reads that find %",
            Measure::TableWait => "wait for the table %",
            Measure::Redone => "jobs redone",
            Measure::Lost => "processors lost",
            Measure::Joined => "joined %",
        }
    }
}

/// A mean over seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of single seeds; nothing with fewer than two.
    pub deviation: Option<f64>,
    /// How many seeds.
    pub seeds: usize,
}

impl Estimate {
    fn of(values: &[f64]) -> Estimate {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Estimate { mean, deviation: (values.len() > 1).then(|| variance.sqrt()), seeds: values.len() }
    }
}

/// A variant on a number of processors.
#[derive(Clone, Debug)]
pub struct Tally {
    /// The variant.
    pub variant: String,
    /// On how many processors.
    pub processors: u32,
    /// How many positions.
    pub positions: usize,
    /// The numbers that could be measured, all of them.
    pub numbers: BTreeMap<Measure, Estimate>,
    /// What all processors together did with their time, relative to the time of the base on one: evaluating, searching
    /// otherwise, table, other messages, routing, idle.
    pub breakdown: [f64; 6],
    /// Busy processors over time, averaged over runs.
    pub profile: Vec<f64>,
    /// The same for infinitely many.
    pub ideal: Vec<f64>,
}

/// Names of the parts of a breakdown.
pub(crate) const PARTS: [&str; 6] = ["evaluation", "search", "table", "other messages", "routing", "idle"];

/// The numbers of an experiment, for each variant and number of processors. Only positions count for which all that is
/// compared has been measured.
pub fn tally(experiment: &Experiment, rows: &[&Row]) -> Vec<Tally> {
    let mut tallies = Vec::new();
    let processors: BTreeSet<u32> = rows.iter().map(|row| row.processors).collect();
    for variant in &experiment.variants {
        let base = variant.base.as_deref().unwrap_or(variant.name());
        let of = |name: &str, count: u32| {
            let own = rows.iter().filter(move |row| row.variant == name && row.processors == count);
            own.copied().collect::<Vec<&Row>>()
        };
        let alone: BTreeMap<u32, &Row> = of(base, 1).into_iter().map(|row| (row.position, row)).collect();
        for &count in &processors {
            let own = of(variant.name(), count);
            tallies.extend(tally_one(experiment.form.average, &alone, &own, variant.name(), count));
        }
    }
    tallies
}

fn tally_one(
    average: Average,
    alone: &BTreeMap<u32, &Row>,
    own: &[&Row],
    variant: &str,
    processors: u32,
) -> Option<Tally> {
    let mut seeds: BTreeMap<u64, Vec<(&Measured, &Measured)>> = BTreeMap::new();
    for row in own {
        if let Some(base) = alone.get(&row.position) {
            seeds.entry(row.seed).or_default().push((&base.measured, &row.measured));
        }
    }
    // A seed that was stopped half-way would compare other positions.
    let positions = seeds.values().map(Vec::len).max()?;
    seeds.retain(|_, pairs| pairs.len() == positions);
    let mut values: BTreeMap<Measure, Vec<f64>> = BTreeMap::new();
    for pairs in seeds.values() {
        for (measure, value) in numbers(average, pairs, processors) {
            values.entry(measure).or_default().push(value);
        }
    }
    let all: Vec<(&Measured, &Measured)> = seeds.into_values().flatten().collect();
    Some(Tally {
        variant: variant.to_string(),
        processors,
        positions,
        numbers: values.into_iter().map(|(measure, values)| (measure, Estimate::of(&values))).collect(),
        breakdown: breakdown(average, &all, processors),
        profile: mean_of(&all, &|measured| &measured.profile),
        ideal: mean_of(&all, &|measured| &measured.ideal),
    })
}

fn numbers(average: Average, pairs: &[(&Measured, &Measured)], processors: u32) -> Vec<(Measure, f64)> {
    let count = f64::from(processors);
    let sum = |part: &dyn Fn(&Measured) -> u64| pairs.iter().map(|(_, own)| part(own) as f64).sum::<f64>();
    let alone =
        |part: &dyn Fn(&Measured) -> u64| pairs.iter().map(|(base, _)| part(base) as f64).sum::<f64>();
    let ratio = |part: &dyn Fn(&Measured) -> u64| match average {
        Average::Sums => alone(part) / sum(part),
        Average::Geometric => {
            let log = |(base, own): &(&Measured, &Measured)| (part(base) as f64 / part(own) as f64).ln();
            (pairs.iter().map(log).sum::<f64>() / pairs.len() as f64).exp()
        }
    };
    let (speedup, all_time) = (ratio(&|m| m.time), sum(&|m| m.time) * count);
    let worked = sum(&|m| m.searching + m.routing);
    let busy = sum(&|m| m.searching + m.routing + m.table + m.messages);
    let mean = |total: f64| total / pairs.len() as f64;
    let share = |part: f64, whole: f64| (whole > 0.0).then_some(100.0 * part / whole);
    let table =
        |m: &Measured| ABOUT_TABLE.iter().filter_map(|kind| m.traffic.get(*kind)).map(|kind| kind[0]).sum();
    let medians: Vec<f64> = pairs.iter().filter_map(|(_, own)| median(&own.ideal)).collect();
    let found = [
        (Measure::Speedup, Some(speedup)),
        (Measure::Efficiency, Some(100.0 * speedup / count)),
        (Measure::Load, share(worked, all_time)),
        (Measure::Overhead, Some(100.0 * (1.0 / ratio(&|m| m.nodes) - 1.0))),
        (Measure::Performance, share(sum(&|m| m.undisturbed), worked)),
        (Measure::Seconds, Some(mean(sum(&|m| m.time)) * 1e-9)),
        (Measure::Nodes, Some(mean(sum(&|m| m.nodes)))),
        (Measure::Idle, share((all_time - busy).max(0.0), all_time)),
        (Measure::Parallelism, (sum(&|m| m.critical) > 0.0).then(|| sum(&|m| m.work) / sum(&|m| m.critical))),
        (Measure::WrongCut, share(sum(&|m| m.cut_nodes[1]), sum(&|m| m.cut_nodes[0]))),
        (Measure::WrongAll, share(sum(&|m| m.all_nodes[1]), sum(&|m| m.all_nodes[0]))),
        (Measure::Dropped, share(sum(&|m| m.dropped), sum(&|m| m.work))),
        (Measure::Jobs, Some(mean(sum(&|m| m.jobs)))),
        (Measure::FirstCutoffs, share(sum(&|m| m.cutoffs[1]), sum(&|m| m.cutoffs[0]))),
        (Measure::TableCutoffs, share(sum(&|m| m.reads[2]), sum(&|m| m.reads[0]))),
        (Measure::TableMoves, share(sum(&|m| m.reads[1] - m.reads[2]), sum(&|m| m.reads[0]))),
        (Measure::TableWait, share(sum(&|m| m.waited), all_time).filter(|_| count > 1.0)),
        (Measure::Redone, Some(mean(sum(&|m| m.redone)))),
        (Measure::Lost, Some(mean(sum(&|m| m.lost)))),
        (Measure::Joined, share(sum(&|m| m.joined), sum(&|m| m.jobs))),
        (Measure::TableMessages, Some(sum(&table) / sum(&|m| m.nodes)).filter(|_| count > 1.0)),
        (Measure::JobDepth, (sum(&|m| m.jobs) > 0.0).then(|| sum(&|m| m.job_plies) / sum(&|m| m.jobs))),
        (Measure::IdealHalf, (!medians.is_empty()).then(|| mean(medians.iter().sum()))),
        (Measure::Messages, Some(mean(sum(&|m| m.traffic.values().map(|kind| kind[0]).sum())))),
    ];
    let told =
        |(measure, value): (Measure, Option<f64>)| Some((measure, value.filter(|value| value.is_finite())?));
    found.into_iter().filter_map(told).collect()
}

fn breakdown(average: Average, pairs: &[(&Measured, &Measured)], processors: u32) -> [f64; 6] {
    let mut parts = [0.0; 6];
    let total =
        |pairs: &[(&Measured, &Measured)]| pairs.iter().map(|(base, _)| base.time as f64).sum::<f64>();
    for (base, own) in pairs {
        let norm = match average {
            Average::Sums => total(pairs),
            Average::Geometric => base.time as f64 * pairs.len() as f64,
        };
        let all = own.time as f64 * f64::from(processors);
        let busy = own.searching + own.table + own.messages + own.routing;
        let times = [
            own.evaluating as f64,
            own.searching.saturating_sub(own.evaluating) as f64,
            own.table as f64,
            own.messages as f64,
            own.routing as f64,
            (all - busy as f64).max(0.0),
        ];
        for (part, time) in parts.iter_mut().zip(times) {
            *part += time / norm;
        }
    }
    parts
}

fn median(parts: &[f64]) -> Option<f64> {
    let mut sorted = parts.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

fn mean_of(pairs: &[(&Measured, &Measured)], curve: &dyn Fn(&Measured) -> &Vec<f64>) -> Vec<f64> {
    let longest = pairs.iter().map(|(_, own)| curve(own).len()).max().unwrap_or(0);
    let mean = |part: usize| {
        let busy = pairs.iter().map(|(_, own)| curve(own).get(part).copied().unwrap_or(0.0));
        busy.sum::<f64>() / pairs.len() as f64
    };
    (0..longest).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(average: &str) -> Experiment {
        let text = format!(
            "title = \"t\"\nabout = \"a\"\ncolumns = [\"speedup\"]\naverage = \"{average}\"\n\
             [common]\npositions = \"bratko-kopec\"\n[full]\nprocessors = [4]\ndepth = 3\n\
             [quick]\nprocessors = [2]\ndepth = 1\n"
        );
        Experiment::parse("x", &text).unwrap()
    }

    fn row(position: u32, processors: u32, seed: u64, time: u64, nodes: u64) -> Row {
        let measured = Measured {
            time,
            nodes,
            searching: nodes,
            undisturbed: nodes,
            routing: 10,
            profile: vec![1.0, 3.0],
            ..Measured::default()
        };
        Row {
            experiment: "x".into(),
            variant: "ours".into(),
            position,
            depth: 3,
            processors,
            seed,
            settings: String::new(),
            version: String::new(),
            taken: 0.0,
            measured,
        }
    }

    fn of(average: &str, rows: &[Row]) -> Tally {
        let rows: Vec<&Row> = rows.iter().collect();
        let tallies = tally(&experiment(average), &rows);
        tallies.into_iter().find(|tally| tally.processors == 4).unwrap()
    }

    fn rows() -> Vec<Row> {
        vec![
            row(1, 1, 1, 1000, 1000),
            row(2, 1, 1, 100, 100),
            row(1, 4, 1, 250, 1200),
            row(2, 4, 1, 100, 100),
            row(1, 4, 2, 500, 1000),
            row(2, 4, 2, 50, 100),
        ]
    }

    #[test]
    fn sums_and_geometric_means_are_what_they_say() {
        let sums = of("sums", &rows()).numbers;
        let speedup = sums[&Measure::Speedup];
        let (one, two) = (1100.0 / 350.0, 1100.0 / 550.0);
        assert!((speedup.mean - (one + two) / 2.0).abs() < 1e-9);
        assert!((speedup.deviation.unwrap() - (one - two) / 2f64.sqrt()).abs() < 1e-9);
        assert!((sums[&Measure::Overhead].mean - 100.0 * (1300.0 / 1100.0 + 1.0 - 2.0) / 2.0).abs() < 1e-9);
        assert!((sums[&Measure::Load].mean - 50.0 * (1320.0 / 1400.0 + 1120.0 / 2200.0)).abs() < 1e-9);
        let geometric = of("geometric", &rows()).numbers[&Measure::Speedup].mean;
        assert!((geometric - 2.0).abs() < 1e-9, "{geometric}");
    }

    #[test]
    fn half_a_seed_does_not_count() {
        let mut rows = rows();
        rows.pop();
        let speedup = of("sums", &rows).numbers[&Measure::Speedup];
        assert_eq!((speedup.seeds, speedup.deviation), (1, None));
    }

    #[test]
    fn a_breakdown_adds_up_to_the_time_of_all_processors() {
        let mut busy = rows();
        // Processors search for at most the whole time.
        busy[2] = row(1, 4, 1, 250, 900);
        let parts = of("sums", &busy[..4]).breakdown;
        assert!((parts.iter().sum::<f64>() - 4.0 * 350.0 / 1100.0).abs() < 1e-9, "{parts:?}");
        assert_eq!(of("sums", &rows()).profile, [1.0, 3.0]);
    }

    #[test]
    fn nothing_is_told_about_what_was_not_measured() {
        assert!(!of("sums", &rows()).numbers.contains_key(&Measure::Parallelism));
        assert!(tally(&experiment("sums"), &[]).is_empty());
    }
}
