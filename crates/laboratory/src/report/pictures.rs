//! The pictures of an experiment.

use std::collections::BTreeSet;

use multigame_charts::{Axis, Bar, Chart, Point, Tone};

use super::{Figure, Model, table};
use crate::form::{Experiment, Picture};
use crate::tally::{Measure, PARTS, Tally};

/// The pictures that an experiment asks for, as far as something was measured.
pub(super) fn figures(experiment: &Experiment, tallies: &[Tally], model: Option<&Model>) -> Vec<Figure> {
    let has_rows = !tallies.is_empty();
    let draw = |picture: &Picture| match picture {
        Picture::Speedup => has_rows.then(|| speedup(experiment, tallies)),
        Picture::Breakdown => has_rows.then(|| breakdown(experiment, tallies)),
        Picture::Profile => profile(experiment, tallies),
        Picture::Ideal => ideal(experiment, tallies),
        Picture::Model => model.map(|model| of_model(experiment, model)),
    };
    experiment.form.pictures.iter().filter_map(draw).collect()
}

fn title(experiment: &Experiment, what: &str) -> String {
    format!("{}: {what}", experiment.form.title)
}

fn speedup(experiment: &Experiment, tallies: &[Tally]) -> Figure {
    let mut chart =
        Chart::new(&title(experiment, "speedup"), Axis::binary("processors"), Axis::binary("speedup"));
    let most = tallies.iter().map(|tally| tally.processors).max().unwrap_or(1);
    let several = experiment.variants.len() > 1;
    for (number, variant) in experiment.variants.iter().enumerate() {
        let (name, tone) = (variant.name(), Tone::nth(number));
        let own = tallies.iter().filter(|tally| tally.variant == name);
        let point = |tally: &Tally| {
            let estimate = tally.numbers.get(&Measure::Speedup)?;
            let deviation = estimate.deviation.unwrap_or(0.0);
            let range = (estimate.mean - deviation, estimate.mean + deviation);
            Some(Point { x: f64::from(tally.processors), y: estimate.mean, range })
        };
        let points: Vec<Point> = own.filter_map(point).collect();
        if points.is_empty() {
            continue;
        }
        let line = points.iter().map(|point| (point.x, point.y)).collect();
        chart = chart.line(if several { name } else { "ours" }, tone, line).points("", tone, points);
        let theirs = their_line(experiment, name);
        // Published values that belong to all variants are drawn once.
        let shared = experiment.form.theirs.iter().all(|theirs| theirs.variant.is_none());
        if !theirs.is_empty() && (number == 0 || !shared) {
            let named = if several && !shared { format!("{name}, theirs") } else { "theirs".to_string() };
            chart = chart.dashed(&named, tone, theirs);
        }
    }
    let most = f64::from(most);
    let chart = chart.dashed("ideal", Tone::Quiet, vec![(1.0, 1.0), (most, most)]);
    Figure {
        name: "speedup",
        caption: "Speedup; bars are standard deviations over seeds.".to_string(),
        chart,
    }
}

fn their_line(experiment: &Experiment, variant: &str) -> Vec<(f64, f64)> {
    let processors: BTreeSet<u32> = experiment.form.theirs.iter().map(|theirs| theirs.processors).collect();
    let point = |&count: &u32| {
        let theirs = table::theirs(experiment, variant, count);
        Some((f64::from(count), theirs.iter().find_map(|theirs| theirs.speedup)?))
    };
    processors.iter().filter_map(point).collect()
}

fn breakdown(experiment: &Experiment, tallies: &[Tally]) -> Figure {
    let counts: Vec<u32> =
        tallies.iter().map(|tally| tally.processors).collect::<BTreeSet<u32>>().into_iter().collect();
    let names: Vec<&str> = experiment.variants.iter().map(|variant| variant.name()).collect();
    let place = |tally: &Tally| {
        let group = counts.iter().position(|count| *count == tally.processors)? as f64;
        let member = names.iter().position(|name| *name == tally.variant)? as f64;
        let width = 0.85 / names.len() as f64;
        let left = group - 0.425 + member * width;
        Some((left + 0.04 * width, left + 0.96 * width))
    };
    let marks = counts.iter().enumerate().map(|(group, count)| (group as f64, count.to_string())).collect();
    let x = Axis::linear("processors").with_marks(marks).with_range(-0.5, counts.len() as f64 - 0.5);
    let mut chart =
        Chart::new(&title(experiment, "where the time goes"), x, Axis::linear("time of all processors"));
    for (part, name) in PARTS.iter().enumerate() {
        let bar = |tally: &Tally| {
            let below: f64 = tally.breakdown[..part].iter().sum();
            Some(Bar { x: place(tally)?, y: (below, below + tally.breakdown[part]) })
        };
        let bars: Vec<Bar> = tallies.iter().filter_map(bar).collect();
        if bars.iter().any(|bar| bar.y.1 > bar.y.0) {
            let tone = if *name == "idle" { Tone::Quiet } else { Tone::nth(part) };
            chart = chart.bars(name, tone, bars);
        }
    }
    let caption = format!(
        "Time of all processors together, relative to one processor; bars from the left: {}.",
        names.join(", ")
    );
    Figure { name: "breakdown", caption, chart }
}

fn profile(experiment: &Experiment, tallies: &[Tally]) -> Option<Figure> {
    let most = tallies.iter().map(|tally| tally.processors).max().filter(|most| *most > 1)?;
    let x = Axis::linear("part of the time").with_suffix(" %").with_range(0.0, 100.0);
    let mut chart = Chart::new(&title(experiment, "busy processors"), x, Axis::linear("busy processors"));
    for (number, variant) in experiment.variants.iter().enumerate() {
        let own = tallies.iter().find(|tally| tally.variant == variant.name() && tally.processors == most);
        let Some(tally) = own.filter(|tally| !tally.profile.is_empty()) else { continue };
        let step = 100.0 / tally.profile.len() as f64;
        let points = tally.profile.iter().enumerate().map(|(part, busy)| (part as f64 * step, *busy));
        let last = (100.0, *tally.profile.last()?);
        chart = chart.steps(variant.name(), Tone::nth(number), points.chain([last]).collect());
    }
    let caption = format!("Busy ones of {most} processors, averaged over positions and seeds.");
    Some(Figure { name: "profile", caption, chart })
}

fn ideal(experiment: &Experiment, tallies: &[Tally]) -> Option<Figure> {
    let x = Axis::linear("part of the critical path").with_suffix(" %").with_range(0.0, 100.0);
    let y = Axis::decimal("processors at work");
    let mut chart = Chart::new(&title(experiment, "the ideal profile"), x, y);
    let mut drawn = false;
    for (number, variant) in experiment.variants.iter().enumerate() {
        let own = tallies.iter().filter(|tally| tally.variant == variant.name() && !tally.ideal.is_empty());
        let Some(tally) = own.max_by_key(|tally| tally.processors) else { continue };
        let step = 100.0 / tally.ideal.len() as f64;
        // The critical path itself is always one processor's work.
        let points = tally.ideal.iter().enumerate().map(|(part, busy)| (part as f64 * step, busy.max(1.0)));
        let last = (100.0, tally.ideal.last()?.max(1.0));
        chart = chart.steps(variant.name(), Tone::nth(number), points.chain([last]).collect());
        drawn = true;
    }
    let caption =
        "Processors that would be at work if there were infinitely many and messages took no time, on the \
                   tree that the greatest machine searched; averaged over positions and seeds."
            .to_string();
    drawn.then_some(Figure { name: "ideal", caption, chart })
}

fn of_model(experiment: &Experiment, model: &Model) -> Figure {
    let ends = model.points.iter().flat_map(|(measured, predicted)| [*measured, *predicted]);
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), end| (low.min(end), high.max(end)));
    let points =
        model.points.iter().map(|&(measured, predicted)| Point::exact(measured, predicted)).collect();
    let chart = Chart::new(
        &title(experiment, "model and measurement"),
        Axis::decimal("measured seconds"),
        Axis::decimal("predicted seconds"),
    );
    let chart = chart.points("runs", Tone::nth(0), points).dashed(
        "equal",
        Tone::Quiet,
        vec![(low, low), (high, high)],
    );
    Figure { name: "model", caption: "Each point is a run.".to_string(), chart }
}
