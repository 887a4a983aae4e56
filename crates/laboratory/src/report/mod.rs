//! Reports: each experiment as a section with its table, pictures and what has to be known about it, all of them as
//! Markdown and as one page of HTML.

mod html;
mod markdown;
mod model;
mod pictures;
mod table;

use multigame_charts::Chart;

use crate::form::{Experiment, Scale};
use crate::plan::missing;
use crate::row::Row;
use crate::tally::{Measure, tally};

pub use model::Model;

/// A report.
pub struct Report {
    /// As Markdown, which shows the pictures from a folder beside it.
    pub markdown: String,
    /// As a page of its own.
    pub html: String,
    /// Pictures with the names of their files.
    pub pictures: Vec<(String, String)>,
}

/// An experiment as it is shown.
struct Section {
    name: String,
    title: String,
    about: String,
    /// Sentences on the configuration and what differs.
    notes: Vec<String>,
    table: Table,
    figures: Vec<Figure>,
    /// How much was run, by which program, how to run it.
    provenance: Vec<String>,
}

struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

struct Figure {
    name: &'static str,
    caption: String,
    chart: Chart,
}

/// A report on experiments from all rows that are known.
pub fn report(experiments: &[Experiment], rows: &[Row]) -> Report {
    let sections: Vec<Section> = experiments.iter().map(|experiment| section(experiment, rows)).collect();
    let pictures = sections.iter().flat_map(|section| {
        section.figures.iter().map(|figure| (figure.file(&section.name), figure.chart.svg()))
    });
    Report {
        markdown: markdown::markdown(&sections),
        html: html::html(&sections),
        pictures: pictures.collect(),
    }
}

impl Figure {
    fn file(&self, experiment: &str) -> String {
        format!("{experiment}-{}.svg", self.name)
    }
}

fn section(experiment: &Experiment, rows: &[Row]) -> Section {
    let (scale, own) = shown(experiment, rows);
    let tallies = tally(experiment, &own);
    let model = Model::of(experiment, &own);
    let mut notes = notes(experiment, &tallies);
    notes.extend(model.iter().flat_map(Model::sentences));
    Section {
        name: experiment.name.clone(),
        title: experiment.form.title.clone(),
        about: experiment.form.about.trim().to_string(),
        notes,
        table: table::table(experiment, &tallies),
        figures: pictures::figures(experiment, &tallies, model.as_ref()),
        provenance: provenance(experiment, scale, &own),
    }
}

/// The rows of the largest size that has been run to the end, else of the largest one that has been begun.
fn shown<'r>(experiment: &Experiment, rows: &'r [Row]) -> (Scale, Vec<&'r Row>) {
    let of = |scale: Scale| (scale, experiment.rows_of(scale, rows));
    let is_complete = |scale: &Scale| missing(&experiment.runs(*scale, Some(1)), rows).is_empty();
    let scales = || {
        Scale::ALL.into_iter().filter(|scale| *scale != Scale::Document || experiment.form.document.is_some())
    };
    let complete = scales().find(is_complete).map(of);
    let begun = || scales().map(of).find(|(_, own)| !own.is_empty());
    complete.or_else(begun).unwrap_or((Scale::Full, Vec::new()))
}

fn notes(experiment: &Experiment, tallies: &[crate::tally::Tally]) -> Vec<String> {
    let mut notes = experiment.form.differs.clone();
    let named = |variant: &crate::settings::Settings| {
        Some(format!("`{}`: {}", variant.name(), variant.note.as_ref()?))
    };
    notes.extend(experiment.variants.iter().filter_map(named));
    let alone = tallies.iter().find(|tally| tally.processors == 1);
    if let Some(nodes) = alone.and_then(|tally| tally.numbers.get(&Measure::Nodes)) {
        let theirs = experiment
            .form
            .theirs
            .iter()
            .filter(|theirs| theirs.processors == 1)
            .find_map(|theirs| theirs.nodes);
        let theirs = theirs.map(|nodes| format!(", theirs {}", table::count(nodes))).unwrap_or_default();
        notes.push(format!(
            "One processor searches {} nodes of a position on average{theirs}.",
            table::count(nodes.mean)
        ));
    }
    notes
}

fn provenance(experiment: &Experiment, scale: Scale, own: &[&Row]) -> Vec<String> {
    let rows: Vec<Row> = own.iter().map(|row| (*row).clone()).collect();
    let runs = experiment.runs(scale, None);
    let all = runs.len();
    let known = all - missing(&runs, &rows).len();
    let (name, option) = (&experiment.name, scale.option());
    let mut said =
        vec![format!("`multigame experiment run {name}{option}`: {known} of {all} runs are known.")];
    if own.is_empty() {
        return said;
    }
    let taken: f64 = own.iter().map(|row| row.taken).sum();
    let mut versions: Vec<&str> = own.iter().map(|row| row.version.as_str()).collect();
    versions.sort_unstable();
    versions.dedup();
    said.push(format!(
        "They took {} of computing time with version {}.",
        duration(taken),
        versions.join(", ")
    ));
    if scale == Scale::Quick {
        said.push("This is the quick size, which shows that it works and nothing else.".to_string());
    }
    said
}

fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 120.0 => format!("{seconds:.0} seconds"),
        seconds if seconds < 7200.0 => format!("{:.0} minutes", seconds / 60.0),
        seconds => format!("{:.1} hours", seconds / 3600.0),
    }
}
