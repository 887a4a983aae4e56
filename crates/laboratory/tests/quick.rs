//! The quick size of every experiment runs to its end, resumes where it stopped, and is reported with the document's
//! numbers beside ours.

use std::collections::BTreeMap;

use multigame_laboratory::{Bench, Experiment, Row, Scale, experiment, missing, names, read_rows, report};

fn all() -> Vec<Experiment> {
    names().iter().map(|name| experiment(name).unwrap().unwrap_or_else(|error| panic!("{error}"))).collect()
}

fn measure(bench: &mut Bench, experiment: &Experiment, known: &[Row]) -> Vec<Row> {
    let runs = experiment.runs(Scale::Quick, None);
    let mut row = |run: &multigame_laboratory::Run<'_>| {
        let measured = bench
            .measure(run, &mut |_, _| true)
            .unwrap_or_else(|error| panic!("{}: {error}", run.experiment));
        Row::new(run, "test".to_string(), 0.0, measured)
    };
    missing(&runs, known).into_iter().map(|place| row(&runs[place])).collect()
}

#[test]
fn every_experiment_runs_and_is_reported() {
    let (mut bench, experiments) = (Bench::default(), all());
    let mut rows = Vec::new();
    for experiment in &experiments {
        let own = measure(&mut bench, experiment, &[]);
        // Read back as from a file, half of it at first.
        let text: String = own.iter().map(Row::line).collect();
        let half = read_rows(&text[..text.len() / 2]).unwrap();
        assert!(half.len() < own.len());
        assert_eq!(missing(&experiment.runs(Scale::Quick, None), &half).len(), own.len() - half.len());
        assert!(measure(&mut bench, experiment, &own).is_empty(), "what is known is not run again");
        rows.extend(read_rows(&text).unwrap());
    }
    values_agree(&experiments, &rows);
    reports_tell_everything(&experiments, &rows);
}

/// The value of a position does not depend on how it is searched.
fn values_agree(experiments: &[Experiment], rows: &[Row]) {
    let mut values: BTreeMap<(String, u32, u32), i32> = BTreeMap::new();
    for row in rows {
        let experiment = experiments.iter().find(|experiment| experiment.name == row.experiment).unwrap();
        let set = experiment.variant(&row.variant).unwrap().positions.clone().unwrap();
        let options = experiment.variant(&row.variant).unwrap().options.clone().unwrap_or_default();
        // MTD(f) with steps of two plies and options that leave enhancements out search other trees.
        let key = (format!("{set} {options}"), row.position, row.depth);
        let value = *values.entry(key).or_insert(row.measured.value);
        assert_eq!(value, row.measured.value, "{} {} {}", row.experiment, row.variant, row.processors);
    }
}

fn reports_tell_everything(experiments: &[Experiment], rows: &[Row]) {
    let report = report::report(experiments, rows);
    for experiment in experiments {
        assert!(report.markdown.contains(&experiment.form.title) && report.html.contains(&experiment.name));
        for theirs in &experiment.form.theirs {
            assert!(report.markdown.contains(&theirs.from()), "{}", theirs.from());
        }
    }
    assert!(
        !report.html.contains("NaN") && !report.html.contains("http"),
        "one page that needs nothing else"
    );
    assert_eq!(report.html.matches("<svg").count(), report.pictures.len());
    for (name, svg) in &report.pictures {
        assert!(report.markdown.contains(&format!("pictures/{name}")) && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
    }
}

#[test]
fn a_report_without_results_says_how_to_get_them() {
    let report = report::report(&all(), &[]);
    assert!(report.markdown.contains("`multigame experiment run zugzwang-speedup`: 0 of"));
    assert!(report.pictures.is_empty());
}

#[test]
fn a_run_can_be_stopped() {
    let experiment = experiment("zugzwang-speedup").unwrap().unwrap();
    let runs = experiment.runs(Scale::Full, None);
    let error = Bench::default().measure(runs.last().unwrap(), &mut |_, _| false).unwrap_err();
    assert!(error.to_string().contains("the same command goes on"));
}
