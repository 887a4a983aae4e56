//! The report as a page of its own, with plots, that needs nothing from anywhere else.

use std::fmt::Write;

use multigame_charts::{Axis, Bar, Chart, Point, Tone, escape, page};

use crate::report::{Report, Summary};

/// The player who begins, or White.
const FIRST: Tone = Tone::Data(0);
/// The other player.
const SECOND: Tone = Tone::Data(1);

/// The page.
pub fn html(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(report, &mut out);
    page(&format!("{}: analysis", report.game), &out)
}

fn write(report: &Report, out: &mut String) -> std::fmt::Result {
    writeln!(
        out,
        "<h1>{}</h1>\n<p>{} fields, {}{}</p>",
        escape(&report.game),
        report.fields,
        report.kinds_of_pieces(),
        if report.complete { "" } else { "; stopped early: numbers come from the games played so far" }
    )?;
    if !report.findings.is_empty() {
        writeln!(out, "<ul>")?;
        for finding in &report.findings {
            writeln!(out, "<li>{}</li>", escape(finding))?;
        }
        writeln!(out, "</ul>")?;
    }
    writeln!(out, "<div class=\"plots\">")?;
    results(report, out)?;
    lengths(report, out)?;
    branching(report, out)?;
    tension(report, out)?;
    traces(report, out)?;
    doublings(report, out)?;
    writeln!(out, "</div>")?;
    table(report, out)?;
    unused(report, out)
}

fn figure(out: &mut String, title: &str, chart: &Chart, caption: &str) -> std::fmt::Result {
    writeln!(
        out,
        "<figure><h2>{}</h2>{}<figcaption>{caption}</figcaption></figure>",
        escape(title),
        chart.inline()
    )
}

/// All ways of playing with their names.
fn ways(report: &Report) -> Vec<(String, &Summary)> {
    let random = ("random".to_string(), &report.random);
    let levels = report.levels.iter().map(|level| (level.name.replace("depth ", ""), &level.summary));
    std::iter::once(random).chain(levels).filter(|(_, summary)| summary.games > 0).collect()
}

fn percent(name: &str) -> Axis {
    Axis::linear(name).with_suffix(" %").with_range(0.0, 100.0)
}

fn numbered(names: impl Iterator<Item = String>) -> Vec<(f64, String)> {
    names.enumerate().map(|(number, name)| (number as f64, name)).collect()
}

fn results(report: &Report, out: &mut String) -> std::fmt::Result {
    let ways = ways(report);
    let marks = numbered(ways.iter().map(|(name, _)| name.clone()));
    let x = Axis::linear("search depth").with_range(-0.5, ways.len() as f64 - 0.5).with_marks(marks);
    let bars = |ends: &dyn Fn(f64, f64) -> (f64, f64)| -> Vec<Bar> {
        let bar = |(number, (_, summary)): (usize, &(String, &Summary))| {
            let games = f64::from(summary.games);
            let first = 100.0 * f64::from(summary.first_wins) / games;
            let second = 100.0 - 100.0 * f64::from(summary.second_wins) / games;
            Bar { x: (number as f64 - 0.35, number as f64 + 0.35), y: ends(first, second) }
        };
        ways.iter().enumerate().map(bar).collect()
    };
    let chart = Chart::new("results at each level", x, percent("share of games"))
        .bars("won by the player who begins", FIRST, bars(&|first, _| (0.0, first)))
        .bars("drawn or given up", Tone::Quiet, bars(&|first, second| (first, second)))
        .bars("won by the other one", SECOND, bars(&|_, second| (second, 100.0)));
    figure(out, "Winners", &chart, "")
}

/// Parts of a histogram.
const BINS: usize = 24;

/// Shares of games by length, each as wide as a part of its bin.
fn histogram(summary: &Summary, longest: f64, (from, to): (f64, f64)) -> Vec<Bar> {
    let mut bins = [0.0; BINS];
    for &length in &summary.lengths {
        let bin = (f64::from(length) / (longest + 1.0) * BINS as f64) as usize;
        bins[bin.min(BINS - 1)] += 100.0 / f64::from(summary.games);
    }
    let width = longest / BINS as f64;
    let bar = |(number, &share): (usize, &f64)| {
        let x = number as f64 * width;
        Bar { x: (x + from * width, x + to * width), y: (0.0, share) }
    };
    bins.iter().enumerate().map(bar).collect()
}

fn lengths(report: &Report, out: &mut String) -> std::fmt::Result {
    let longest = ways(report).iter().map(|(_, summary)| summary.length.greatest).fold(1.0, f64::max);
    let (x, y) =
        (Axis::linear("moves").with_range(0.0, longest), Axis::linear("share of games").with_suffix(" %"));
    let random = histogram(&report.random, longest, (0.05, 0.95));
    let mut chart = Chart::new("lengths of games", x, y).pale_bars("random games", Tone::Quiet, random);
    if let Some(level) = report.levels.last() {
        chart = chart.bars(&level.name, FIRST, histogram(&level.summary, longest, (0.3, 0.7)));
    }
    figure(out, "Length of games", &chart, "")
}

fn branching(report: &Report, out: &mut String) -> std::fmt::Result {
    let points: Vec<(f64, f64)> =
        report.branching_by_ply.iter().enumerate().map(|(ply, &moves)| (ply as f64, moves)).collect();
    let x = Axis::linear("moves played").with_range(0.0, points.len().max(2) as f64 - 1.0);
    let chart =
        Chart::new("moves to choose from", x, Axis::linear("moves to choose from")).line("", FIRST, points);
    figure(out, "Choice of moves", &chart, "random games, average of all that got so far")
}

fn tension(report: &Report, out: &mut String) -> std::fmt::Result {
    if report.levels.is_empty() {
        return Ok(());
    }
    let most = report.levels.iter().map(|level| level.lead_changes).fold(1.0, f64::max);
    let marks = numbered(report.levels.iter().map(|level| level.name.replace("depth ", "")));
    let x = Axis::linear("search depth").with_range(-0.5, report.levels.len() as f64 - 0.5).with_marks(marks);
    let chart = Chart::new("drama at each level", x, percent("share"));
    let add = |chart: Chart, name: &str, tone: Tone, value: &dyn Fn(&crate::Level) -> f64| {
        let levels = report.levels.iter().enumerate();
        let points: Vec<(f64, f64)> =
            levels.map(|(number, level)| (number as f64, 100.0 * value(level))).collect();
        let dots = points.iter().map(|&(x, y)| Point::exact(x, y)).collect();
        chart.line(name, tone, points).points("", tone, dots)
    };
    let chart = add(chart, "drama", FIRST, &|level| level.drama);
    let chart = add(chart, "certainty", SECOND, &|level| level.decided_after);
    let chart = add(chart, "lead changes", Tone::Quiet, &|level| level.lead_changes / most);
    let caption = format!(
        "<b>drama</b>: how far winners were behind at their worst moment; <b>certainty</b>: share of a game after which \
         the winner is clear; <b>lead changes</b>: 100 % are {most:.1} a game"
    );
    figure(out, "Drama and decisiveness", &chart, &caption)
}

fn traces(report: &Report, out: &mut String) -> std::fmt::Result {
    let Some(level) = report.levels.last() else { return Ok(()) };
    let longest = level.traces.iter().map(|trace| trace.chances.len()).max().unwrap_or(0);
    let x = Axis::linear("moves").with_range(0.0, longest.max(2) as f64);
    let mut chart = Chart::new("chances along games", x, percent("White's chances"));
    for trace in &level.traces {
        let (name, tone) = match trace.winner {
            Some("white") => ("won by White", FIRST),
            Some(_) => ("won by Black", SECOND),
            None => ("drawn", Tone::Quiet),
        };
        let chances = trace.chances.iter().enumerate();
        let points: Vec<(f64, f64)> = chances.map(|(ply, &chance)| (ply as f64, 100.0 * chance)).collect();
        chart = chart.thin(name, tone, points);
    }
    figure(out, "The course of games", &chart, &format!("each line is a game at {}", escape(&level.name)))
}

/// Differences beyond this are not told apart.
const MOST_ELO: f64 = 600.0;

fn doublings(report: &Report, out: &mut String) -> std::fmt::Result {
    if report.doublings.is_empty() {
        return Ok(());
    }
    let marks = numbered(
        report.doublings.iter().map(|doubling| format!("{} : {}", 2 * doubling.nodes, doubling.nodes)),
    );
    let x = Axis::linear("nodes for each move")
        .with_range(-0.5, report.doublings.len() as f64 - 0.5)
        .with_marks(marks);
    let end = |elo: Option<f64>, end: f64| elo.unwrap_or(end).clamp(-MOST_ELO, MOST_ELO);
    let point = |(number, doubling): (usize, &crate::Doubling)| Point {
        x: number as f64,
        y: end(doubling.elo, if doubling.score > 0.5 { MOST_ELO } else { -MOST_ELO }),
        range: (end(doubling.low, -MOST_ELO), end(doubling.high, MOST_ELO)),
    };
    let points = report.doublings.iter().enumerate().map(point).collect();
    let chart = Chart::new("strength for each doubling", x, Axis::linear("Elo")).points("", FIRST, points);
    figure(out, "Worth of twice the thinking", &chart, "Elo difference with its 95 % interval")
}

fn table(report: &Report, out: &mut String) -> std::fmt::Result {
    writeln!(
        out,
        "<h2>Numbers</h2><table><tr><th>play</th><th>games</th><th>first player</th><th>draws</th><th>given up</th>\
         <th>length</th><th>moves to choose</th><th>lead changes</th><th>drama</th><th>certain after</th></tr>"
    )?;
    let mut row = |name: &str, summary: &Summary, rest: [String; 3]| {
        writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{:.0} ± {:.0} %</td><td>{}</td><td>{}</td><td>{:.1}</td><td>{:.1}</td>\
             <td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(name),
            summary.games,
            100.0 * summary.first_score,
            100.0 * summary.first_error(),
            summary.draws,
            summary.unfinished,
            summary.length.mean,
            summary.branching,
            rest[0],
            rest[1],
            rest[2]
        )
    };
    row("random", &report.random, ["", "", ""].map(String::from))?;
    for level in &report.levels {
        let rest = [
            format!("{:.1}", level.lead_changes),
            format!("{:.0} %", 100.0 * level.drama),
            format!("{:.0} %", 100.0 * level.decided_after),
        ];
        row(&level.name, &level.summary, rest)?;
    }
    writeln!(out, "</table>")
}

fn unused(report: &Report, out: &mut String) -> std::fmt::Result {
    let Some(unused) = &report.unused else { return Ok(()) };
    if unused.is_empty() {
        return writeln!(out, "<p>Every part of the rules was used.</p>");
    }
    writeln!(out, "<h2>Parts of the rules that never had a result</h2><ul>")?;
    for part in unused {
        writeln!(
            out,
            "<li>line {}, <code>{}</code>: <code>{}</code></li>",
            part.line,
            escape(&part.rule),
            escape(&part.text)
        )?;
    }
    writeln!(out, "</ul>")
}
