//! The output of a simulation: a table, JSON, files.

use std::io::Write;

use anyhow::Context;
use multigame_parallel::Span;
use multigame_simulator::{COLUMNS, Fit, Row, Traffic, csv, plot};
use serde_json::json;

use super::Arguments;
use crate::output;

/// Timelines of more processors cannot be seen.
const MOST_BARS: u32 = 64;

/// The results of all runs, and more about the last one.
pub(super) struct Report<'r> {
    pub game: &'r str,
    pub policy: String,
    /// Plies; the longest solution of a puzzle, if there is a limit.
    pub depth: Option<u32>,
    pub rows: &'r [Row],
    /// In nanoseconds.
    pub time: u64,
    pub profile: &'r [(u64, u32)],
    pub spans: &'r [Span],
    pub traffic: &'r [(String, Traffic)],
}

impl Arguments {
    pub(super) fn report(&self, report: &Report<'_>) -> anyhow::Result<()> {
        self.write_files(report)?;
        if self.json { self.print_json(report) } else { print(report.rows) }
    }

    fn print_json(&self, report: &Report<'_>) -> anyhow::Result<()> {
        let rows: Vec<_> = report
            .rows
            .iter()
            .map(|row| {
                let fields = COLUMNS.iter().zip(row.fields());
                let numbers =
                    fields.map(|(name, text)| (name.to_string(), json!(text.parse::<f64>().unwrap_or(0.0))));
                serde_json::Value::Object(numbers.collect())
            })
            .collect();
        let traffic: Vec<_> = report
            .traffic
            .iter()
            .filter(|(_, traffic)| traffic.count > 0)
            .map(|(kind, traffic)| json!({ "kind": kind, "count": traffic.count, "bytes": traffic.bytes, "hops": traffic.hops }))
            .collect();
        let fit = Fit::of(report.rows);
        let fit = fit.map(|fit| json!({ "a": fit.a, "b": fit.b, "r": fit.r, "error": fit.error }));
        output::json(&json!({
            "game": report.game,
            "policy": report.policy,
            "depth": report.depth,
            "seed": self.seed,
            "rows": rows,
            "fit": fit,
            "traffic": traffic,
        }))
    }

    fn write_files(&self, report: &Report<'_>) -> anyhow::Result<()> {
        let rows = report.rows;
        if let Some(file) = &self.csv {
            output::write(file, &csv(rows))?;
        }
        if let Some(file) = &self.trace {
            output::write(file, &plot::chrome_trace(report.spans.iter().copied()))?;
        }
        let Some(folder) = &self.svg else { return Ok(()) };
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        let title = |what: &str| match report.depth {
            None => format!("{}, {}: {what}", report.game, report.policy),
            Some(depth) => format!("{}, {depth} plies, {}: {what}", report.game, report.policy),
        };
        let processors = rows.last().map_or(1, |row| row.processors);
        output::write(&folder.join("speedup.svg"), &plot::speedup(&title("speedup"), rows).svg())?;
        output::write(
            &folder.join("overheads.svg"),
            &plot::overheads(&title("where the time goes"), rows).svg(),
        )?;
        let profile = title(&format!("busy of {processors} processors"));
        output::write(
            &folder.join("profile.svg"),
            &plot::profile(&profile, report.profile, report.time).svg(),
        )?;
        if processors <= MOST_BARS {
            let timeline = plot::timeline(&title("who works when"), report.spans, processors, report.time);
            output::write(&folder.join("timeline.svg"), &timeline.svg())?;
        }
        Ok(())
    }
}

fn print(rows: &[Row]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:>6} {:>11} {:>8} {:>6} {:>6} {:>8} {:>6} {:>6} {:>12} {:>8} {:>9}",
        "P", "seconds", "speedup", "eff", "load", "overhead", "perf", "comm", "nodes", "W/C", "messages"
    )?;
    for row in rows {
        let percent = |share: f64| format!("{:.1}%", share * 100.0);
        let parallelism = match row.critical {
            0.0 => "-".to_string(),
            _ => format!("{:.1}", row.parallelism()),
        };
        writeln!(
            out,
            "{:>6} {:>11.4} {:>8.2} {:>6} {:>6} {:>8} {:>6} {:>6} {:>12} {:>8} {:>9}",
            row.processors,
            row.time,
            row.speedup,
            percent(row.efficiency),
            percent(row.load),
            percent(row.overhead),
            percent(row.performance),
            percent(row.communication),
            row.nodes,
            parallelism,
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
