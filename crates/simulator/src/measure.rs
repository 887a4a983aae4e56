//! What is measured: one row for each number of processors, and the model that predicts large machines from
//! small ones.

use multigame_parallel::PuzzleResult;
use serde::{Deserialize, Serialize};

use crate::puzzle::PuzzleOutcome;
use crate::search::Outcome;
use crate::simulation::Account;

/// One run in numbers, compared with the run on one processor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Number of processors P.
    pub processors: u32,
    /// Virtual time T in seconds.
    pub time: f64,
    /// T on one processor, divided by T.
    pub speedup: f64,
    /// Speedup for each processor.
    pub efficiency: f64,
    /// ZUGZWANG's LOAD: share of the time spent searching or interrupted while searching.
    pub load: f64,
    /// ZUGZWANG's search overhead: nodes more than on one processor, as a share of these.
    pub overhead: f64,
    /// ZUGZWANG's PERF: speed while searching, compared with a processor that is never interrupted.
    pub performance: f64,
    /// Share of the time spent on messages.
    pub communication: f64,
    /// Share of the time spent on nothing.
    pub idle: f64,
    /// Nodes of all processors.
    pub nodes: u64,
    /// Work W in seconds.
    pub work: f64,
    /// Critical path C in seconds.
    pub critical: f64,
    /// Messages of all kinds.
    pub messages: u64,
    /// Jobs given.
    pub jobs: u64,
    /// Nodes of the wrong type: expected to have a cutoff and without, as a share.
    pub wrong_cut: f64,
    /// Nodes of the wrong type: expected to have none and with one, as a share.
    pub wrong_all: f64,
    /// The value of the root; of a puzzle, the moves of its solution.
    pub value: i32,
}

/// Names of the numbers of a row, for tables.
pub const COLUMNS: [&str; 17] = [
    "processors",
    "seconds",
    "speedup",
    "efficiency",
    "load",
    "overhead",
    "performance",
    "communication",
    "idle",
    "nodes",
    "work",
    "critical",
    "messages",
    "jobs",
    "wrong-cut",
    "wrong-all",
    "value",
];

const NANO: f64 = 1e-9;

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

impl Row {
    /// The numbers of a run; `base` is the time in nanoseconds and the nodes of the run on one processor.
    pub fn new<M>(outcome: &Outcome<M>, node_price: u64, base: (u64, u64)) -> Row {
        let processors = outcome.accounts.len() as u32;
        let speedup = base.0 as f64 / outcome.time.max(1) as f64;
        let (load, communication) = (outcome.load(), outcome.communication());
        let messages = outcome.accounts.iter().map(|account| account.messages).sum::<u64>();
        let all = outcome.time.max(1) as f64 * f64::from(processors);
        let counters = &outcome.counters;
        Row {
            processors,
            time: outcome.time as f64 * NANO,
            speedup,
            efficiency: speedup / f64::from(processors),
            load,
            overhead: outcome.statistics.nodes as f64 / base.1.max(1) as f64 - 1.0,
            performance: outcome.performance(node_price),
            communication,
            idle: (1.0 - load - messages as f64 / all).max(0.0),
            nodes: outcome.statistics.nodes,
            work: counters.work as f64 * NANO,
            critical: outcome.critical as f64 * NANO,
            messages: outcome.traffic.iter().map(|(_, traffic)| traffic.count).sum(),
            jobs: counters.given,
            wrong_cut: share(counters.cut_nodes_wrong, counters.cut_nodes),
            wrong_all: share(counters.all_nodes_wrong, counters.all_nodes),
            value: outcome.value.number(),
        }
    }

    /// The numbers of a run of a puzzle, where nothing waits for anything and no critical path is measured.
    pub fn of_puzzle(outcome: &PuzzleOutcome, base: (u64, u64)) -> Row {
        let processors = outcome.accounts.len() as u32;
        let all = outcome.time.max(1) as f64 * f64::from(processors);
        let speedup = base.0 as f64 / outcome.time.max(1) as f64;
        let sum = |part: &dyn Fn(&Account) -> u64| outcome.accounts.iter().map(part).sum::<u64>() as f64;
        let (work, routing) = (sum(&|account| account.work), sum(&|account| account.routing));
        let messages = sum(&|account| account.messages);
        Row {
            processors,
            time: outcome.time as f64 * NANO,
            speedup,
            efficiency: speedup / f64::from(processors),
            load: (work + routing) / all,
            overhead: outcome.statistics.nodes as f64 / base.1.max(1) as f64 - 1.0,
            performance: work / (work + routing).max(1.0),
            communication: (messages + routing) / all,
            idle: (1.0 - (work + routing + messages) / all).max(0.0),
            nodes: outcome.statistics.nodes,
            work: work * NANO,
            critical: 0.0,
            messages: outcome.traffic.iter().map(|(_, traffic)| traffic.count).sum(),
            jobs: 0,
            wrong_cut: 0.0,
            wrong_all: 0.0,
            value: match &outcome.result {
                PuzzleResult::Solved(path) => path.len() as i32,
                PuzzleResult::Unsolvable => -1,
                PuzzleResult::Unknown(least) => *least as i32,
            },
        }
    }

    /// The same beside another run, on one processor.
    pub fn beside(self, base: &Row) -> Row {
        let speedup = base.time / self.time.max(NANO);
        let overhead = self.nodes as f64 / base.nodes.max(1) as f64 - 1.0;
        Row { speedup, efficiency: speedup / f64::from(self.processors), overhead, ..self }
    }

    /// Average parallelism W/C; 0 where no critical path was measured.
    pub fn parallelism(&self) -> f64 {
        if self.critical > 0.0 { self.work / self.critical } else { 0.0 }
    }

    /// The numbers in the order of [`COLUMNS`], as text for files.
    pub fn fields(&self) -> [String; 17] {
        let number = |value: f64| format!("{value:.6}");
        [
            self.processors.to_string(),
            format!("{:.9}", self.time),
            number(self.speedup),
            number(self.efficiency),
            number(self.load),
            number(self.overhead),
            number(self.performance),
            number(self.communication),
            number(self.idle),
            self.nodes.to_string(),
            format!("{:.9}", self.work),
            format!("{:.9}", self.critical),
            self.messages.to_string(),
            self.jobs.to_string(),
            number(self.wrong_cut),
            number(self.wrong_all),
            self.value.to_string(),
        ]
    }
}

/// Rows as comma-separated values.
pub fn csv(rows: &[Row]) -> String {
    let mut text = COLUMNS.join(",") + "\n";
    for row in rows {
        text += &row.fields().join(",");
        text.push('\n');
    }
    text
}

/// The performance model T = a C + b W/P.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Factor of the critical path.
    pub a: f64,
    /// Factor of the work for each processor.
    pub b: f64,
    /// Correlation of predicted and measured times.
    pub r: f64,
    /// Mean of the relative errors.
    pub error: f64,
    /// Greatest relative error.
    pub worst: f64,
}

impl Fit {
    /// The factors for which the relative errors of all rows are least, in the sense of least squares.
    /// Nothing if the rows do not tell.
    pub fn of(rows: &[Row]) -> Option<Fit> {
        // Dividing by T makes short and long runs count alike.
        let points: Vec<(f64, f64, f64)> = rows
            .iter()
            .filter(|row| row.time > 0.0)
            .map(|row| (row.critical, row.work / f64::from(row.processors), row.time))
            .collect();
        let sum = |f: &dyn Fn(f64, f64, f64) -> f64| points.iter().map(|&(c, w, t)| f(c, w, t)).sum::<f64>();
        let (cc, cw, ww) = (
            sum(&|c, _, t| c * c / (t * t)),
            sum(&|c, w, t| c * w / (t * t)),
            sum(&|_, w, t| w * w / (t * t)),
        );
        let (ct, wt) = (sum(&|c, _, t| c / t), sum(&|_, w, t| w / t));
        let determinant = cc * ww - cw * cw;
        if points.len() < 3 || determinant.abs() <= 1e-9 * cc * ww {
            return None;
        }
        let (a, b) = ((ct * ww - wt * cw) / determinant, (cc * wt - cw * ct) / determinant);
        let predicted: Vec<f64> = points.iter().map(|&(c, w, _)| a * c + b * w).collect();
        let times: Vec<f64> = points.iter().map(|&(.., t)| t).collect();
        let errors: Vec<f64> = predicted.iter().zip(&times).map(|(p, t)| ((p - t) / t).abs()).collect();
        Some(Fit {
            a,
            b,
            r: correlation(&predicted, &times),
            error: errors.iter().sum::<f64>() / errors.len() as f64,
            worst: errors.iter().copied().fold(0.0, f64::max),
        })
    }

    /// The time the model predicts.
    pub fn predict(&self, critical: f64, work: f64, processors: u32) -> f64 {
        self.a * critical + self.b * work / f64::from(processors)
    }
}

fn correlation(xs: &[f64], ys: &[f64]) -> f64 {
    let count = xs.len() as f64;
    let (mean_x, mean_y) = (xs.iter().sum::<f64>() / count, ys.iter().sum::<f64>() / count);
    let covariance: f64 = xs.iter().zip(ys).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let spread = |values: &[f64], mean: f64| values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
    covariance / (spread(xs, mean_x) * spread(ys, mean_y)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_found_again() {
        let row = |processors: u32, work: f64, critical: f64| Row {
            processors,
            time: 0.9 * critical + 1.1 * work / f64::from(processors),
            speedup: 1.0,
            efficiency: 1.0,
            load: 1.0,
            overhead: 0.0,
            performance: 1.0,
            communication: 0.0,
            idle: 0.0,
            nodes: 1,
            work,
            critical,
            messages: 0,
            jobs: 0,
            wrong_cut: 0.0,
            wrong_all: 0.0,
            value: 0,
        };
        let rows = [row(1, 100.0, 3.0), row(4, 110.0, 3.5), row(16, 130.0, 3.2), row(64, 190.0, 3.1)];
        let fit = Fit::of(&rows).unwrap();
        assert!((fit.a - 0.9).abs() < 1e-6 && (fit.b - 1.1).abs() < 1e-6, "{fit:?}");
        assert!(fit.r > 0.999_999 && fit.error < 1e-6);
        assert!((fit.predict(3.0, 100.0, 2) - (2.7 + 55.0)).abs() < 1e-6);
        assert_eq!(Fit::of(&rows[..2]), None);
        assert!(csv(&rows).starts_with("processors,seconds,speedup"));
    }
}
