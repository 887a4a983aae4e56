//! *Socrates's model T = a C + b W/P: fitted to all runs, and to small machines to see how well it tells of
//! large ones.

use multigame_simulator::{Fit, Row as Simulated};

use crate::form::{Experiment, Picture};
use crate::row::Row;

/// The greatest machine that counts as small.
const SMALL: u32 = 32;

/// A fit and what it rests on.
pub struct Model {
    /// Over all runs.
    pub fit: Fit,
    /// Measured and predicted seconds.
    pub points: Vec<(f64, f64)>,
    runs: usize,
    /// Mean and greatest error on large machines of the fit to small ones, and how many runs there were.
    large: Option<(f64, f64, usize)>,
    theirs: Option<String>,
}

impl Model {
    /// The model of an experiment that asks for it and has enough runs.
    pub fn of(experiment: &Experiment, rows: &[&Row]) -> Option<Model> {
        if !experiment.form.pictures.contains(&Picture::Model) {
            return None;
        }
        let runs: Vec<Simulated> = rows.iter().map(|row| simulated(row)).collect();
        let fit = Fit::of(&runs)?;
        let points =
            runs.iter().map(|run| (run.time, fit.predict(run.critical, run.work, run.processors))).collect();
        let theirs = experiment.form.fit.as_ref().map(|fit| {
            format!(
                "Theirs ({}): T = {} C + {} W/P, r = {}, mean relative error {} %.",
                fit.place, fit.a, fit.b, fit.r, fit.error
            )
        });
        Some(Model { fit, points, runs: runs.len(), large: predict(&runs), theirs })
    }

    /// What it says.
    pub(super) fn sentences(&self) -> Vec<String> {
        let Fit { a, b, r, error, worst } = self.fit;
        let mut said = vec![format!(
            "Over {} runs T = {a:.3} C + {b:.3} W/P, r = {r:.6}, mean relative error {:.2} %, greatest {:.1} \
             %.",
            self.runs,
            100.0 * error,
            100.0 * worst
        )];
        said.extend(self.theirs.clone());
        said.extend(self.large.map(|(mean, worst, runs)| {
            format!(
                "The fit to machines of at most {SMALL} processors predicts the {runs} runs on larger ones \
                 with a mean error \
                 of {:.1} %, the greatest is {:.1} %.",
                100.0 * mean,
                100.0 * worst
            )
        }));
        said
    }
}

fn predict(runs: &[Simulated]) -> Option<(f64, f64, usize)> {
    let (small, large): (Vec<Simulated>, Vec<Simulated>) =
        runs.iter().cloned().partition(|run| run.processors <= SMALL);
    let fit = Fit::of(&small)?;
    let error =
        |run: &Simulated| (fit.predict(run.critical, run.work, run.processors) / run.time - 1.0).abs();
    let errors: Vec<f64> = large.iter().map(error).collect();
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    (!errors.is_empty()).then(|| (mean, errors.iter().copied().fold(0.0, f64::max), errors.len()))
}

/// What the fit looks at.
fn simulated(row: &Row) -> Simulated {
    let seconds = |time: u64| time as f64 * 1e-9;
    let measured = &row.measured;
    Simulated {
        processors: row.processors,
        time: seconds(measured.time),
        speedup: 0.0,
        efficiency: 0.0,
        load: 0.0,
        overhead: 0.0,
        performance: 0.0,
        communication: 0.0,
        idle: 0.0,
        nodes: measured.nodes,
        work: seconds(measured.work),
        critical: seconds(measured.critical),
        messages: 0,
        jobs: 0,
        wrong_cut: 0.0,
        wrong_all: 0.0,
        value: measured.value,
    }
}
