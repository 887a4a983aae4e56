//! The report as a page of its own, with plots, that needs nothing from anywhere else.

use std::fmt::Write;

use crate::plot::{Plot, escape};
use crate::report::{Report, Summary};

const STYLE: &str = "
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #222; --faint: #8886; --one: #2a6fb0; --two: #c8553d;
  --none: #9a9a8e; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181a; --ink: #ddd; --one: #6fb1ec; --two: #ee8a73;
  --none: #77776c; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto;
  max-width: 76rem; padding: 0 1rem; }
h1 { margin-bottom: 0; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 1.5rem; }
figure { margin: 0; } figcaption { font-size: .85rem; opacity: .8; }
svg { width: 100%; height: auto; } svg text { fill: var(--ink); font-size: 12px; }
.grid { stroke: var(--faint); } polyline { fill: none; stroke-width: 2; }
.one { stroke: var(--one); } .two { stroke: var(--two); } .none { stroke: var(--none); }
.thin { stroke-width: 1; opacity: .55; }
line { stroke-width: 2; } line.grid { stroke-width: 1; }
rect.one, circle.one { fill: var(--one); stroke: none; } rect.two, circle.two { fill: var(--two); stroke: none; }
rect.none, circle.none { fill: var(--none); stroke: none; } rect.pale { opacity: .45; }
table { border-collapse: collapse; } td, th { padding: .2rem .7rem; text-align: right; }
th { border-bottom: 1px solid var(--faint); } td:first-child, th:first-child { text-align: left; }
b.one { color: var(--one); } b.two { color: var(--two); } b.none { color: var(--none); }
code { font-size: .9em; }
";

/// The page.
pub fn html(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(report, &mut out);
    out
}

fn write(report: &Report, out: &mut String) -> std::fmt::Result {
    let name = escape(&report.game);
    writeln!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{name}: analysis</title>\
         <style>{STYLE}</style></head><body>\n<h1>{name}</h1>\n<p>{} fields, {} kinds of pieces{}</p>",
        report.fields,
        report.kinds,
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
    unused(report, out)?;
    writeln!(out, "</body></html>")
}

fn figure(out: &mut String, title: &str, plot: Plot, caption: &str) -> std::fmt::Result {
    writeln!(
        out,
        "<figure><h2>{}</h2>{}<figcaption>{caption}</figcaption></figure>",
        escape(title),
        plot.svg()
    )
}

/// All ways of playing with their names.
fn ways(report: &Report) -> Vec<(String, &Summary)> {
    let random = ("random".to_string(), &report.random);
    let levels = report.levels.iter().map(|level| (level.name.replace("depth ", ""), &level.summary));
    std::iter::once(random).chain(levels).filter(|(_, summary)| summary.games > 0).collect()
}

fn results(report: &Report, out: &mut String) -> std::fmt::Result {
    let ways = ways(report);
    let mut plot = Plot::new("results at each level", (-0.5, ways.len() as f64 - 0.5), (0.0, 100.0));
    let marks: Vec<(f64, String)> =
        ways.iter().enumerate().map(|(number, (name, _))| (number as f64, name.clone())).collect();
    plot.axes("search depth", "share of games", &marks, " %");
    for (number, (_, summary)) in ways.iter().enumerate() {
        let games = f64::from(summary.games);
        let first = 100.0 * f64::from(summary.first_wins) / games;
        let second = 100.0 - 100.0 * f64::from(summary.second_wins) / games;
        let x = (number as f64 - 0.35, number as f64 + 0.35);
        plot.bar("one", x, (0.0, first));
        plot.bar("none", x, (first, second));
        plot.bar("two", x, (second, 100.0));
    }
    let caption = "<b class=\"one\">won by the player who begins</b>, <b class=\"none\">drawn or given up</b>, \
        <b class=\"two\">won by the other one</b>";
    figure(out, "Who wins", plot, caption)
}

fn lengths(report: &Report, out: &mut String) -> std::fmt::Result {
    let ways = ways(report);
    let longest = ways.iter().map(|(_, summary)| summary.length.greatest).fold(1.0, f64::max);
    const BINS: usize = 24;
    let bins = |summary: &Summary| {
        let mut bins = [0.0; BINS];
        for &length in &summary.lengths {
            let bin = (f64::from(length) / (longest + 1.0) * BINS as f64) as usize;
            bins[bin.min(BINS - 1)] += 100.0 / f64::from(summary.games);
        }
        bins
    };
    let random = bins(&report.random);
    let best = report.levels.last().map(|level| bins(&level.summary));
    let highest = random.iter().chain(best.iter().flatten()).copied().fold(1.0, f64::max);
    let mut plot = Plot::new("lengths of games", (0.0, longest), (0.0, highest));
    plot.axes("moves", "share of games", &[], " %");
    let width = longest / BINS as f64;
    let mut draw = |class: &str, bins: &[f64; BINS], from: f64, to: f64| {
        for (number, &share) in bins.iter().enumerate() {
            let x = number as f64 * width;
            plot.bar(class, (x + from * width, x + to * width), (0.0, share));
        }
    };
    draw("none pale", &random, 0.05, 0.95);
    if let Some(best) = &best {
        draw("one", best, 0.3, 0.7);
    }
    let name = report
        .levels
        .last()
        .map_or(String::new(), |level| format!(", <b class=\"one\">{}</b>", escape(&level.name)));
    figure(out, "How long games last", plot, &format!("<b class=\"none\">random games</b>{name}"))
}

fn branching(report: &Report, out: &mut String) -> std::fmt::Result {
    let points: Vec<(f64, f64)> =
        report.branching_by_ply.iter().enumerate().map(|(ply, &moves)| (ply as f64, moves)).collect();
    let highest = points.iter().map(|point| point.1).fold(1.0, f64::max);
    let mut plot = Plot::new("moves to choose from", (0.0, points.len().max(2) as f64 - 1.0), (0.0, highest));
    plot.axes("moves played", "moves to choose from", &[], "");
    plot.line("one", &points);
    figure(out, "How much there is to choose", plot, "random games, average of all that got so far")
}

fn tension(report: &Report, out: &mut String) -> std::fmt::Result {
    if report.levels.is_empty() {
        return Ok(());
    }
    let count = report.levels.len() as f64;
    let most = report.levels.iter().map(|level| level.lead_changes).fold(1.0, f64::max);
    let mut plot = Plot::new("drama at each level", (0.5, count + 0.5), (0.0, 100.0));
    let marks: Vec<(f64, String)> = report
        .levels
        .iter()
        .enumerate()
        .map(|(number, level)| (number as f64 + 1.0, level.name.replace("depth ", "")))
        .collect();
    plot.axes("search depth", "share", &marks, " %");
    let mut draw = |class: &str, value: &dyn Fn(&crate::Level) -> f64| {
        let points: Vec<(f64, f64)> = report
            .levels
            .iter()
            .enumerate()
            .map(|(number, level)| (number as f64 + 1.0, 100.0 * value(level)))
            .collect();
        plot.line(class, &points);
        for (x, y) in points {
            plot.whisker(class, x, y, (y, y));
        }
    };
    draw("one", &|level| level.drama);
    draw("two", &|level| level.decided_after);
    draw("none", &|level| level.lead_changes / most);
    let caption = format!(
        "<b class=\"one\">drama</b>: how far winners were behind at their worst moment; <b class=\"two\">certainty</b>: \
         share of a game after which the winner is clear; <b class=\"none\">lead changes</b> (100 % are {most:.1} a game)"
    );
    figure(out, "Drama and decisiveness", plot, &caption)
}

fn traces(report: &Report, out: &mut String) -> std::fmt::Result {
    let Some(level) = report.levels.last() else { return Ok(()) };
    let longest = level.traces.iter().map(|trace| trace.chances.len()).max().unwrap_or(0);
    let mut plot = Plot::new("chances along games", (0.0, longest.max(2) as f64), (0.0, 100.0));
    plot.axes("moves", "White's chances", &[], " %");
    for trace in &level.traces {
        let class = match trace.winner {
            Some("white") => "one thin",
            Some(_) => "two thin",
            None => "none thin",
        };
        let chances = trace.chances.iter().enumerate();
        let points: Vec<(f64, f64)> = chances.map(|(ply, &chance)| (ply as f64, 100.0 * chance)).collect();
        plot.line(class, &points);
    }
    let caption = format!(
        "each line is a game at {}: <b class=\"one\">won by White</b>, <b class=\"two\">by Black</b>, \
         <b class=\"none\">drawn</b>",
        escape(&level.name)
    );
    figure(out, "The course of games", plot, &caption)
}

fn doublings(report: &Report, out: &mut String) -> std::fmt::Result {
    if report.doublings.is_empty() {
        return Ok(());
    }
    const MOST: f64 = 600.0;
    let count = report.doublings.len() as f64;
    let ends = report.doublings.iter().flat_map(|doubling| [doubling.low, doubling.high]);
    let (low, high) =
        ends.map(|end| end.unwrap_or(MOST)).fold((0.0, 100.0), |(low, high): (f64, f64), end| {
            (low.min(end.max(-MOST)), high.max(end.min(MOST)))
        });
    let mut plot = Plot::new("strength for each doubling", (0.5, count + 0.5), (low, high));
    let marks: Vec<(f64, String)> = report
        .doublings
        .iter()
        .enumerate()
        .map(|(number, doubling)| {
            (number as f64 + 1.0, format!("{} : {}", 2 * doubling.nodes, doubling.nodes))
        })
        .collect();
    plot.axes("nodes for each move", "Elo", &marks, "");
    for (number, doubling) in report.doublings.iter().enumerate() {
        let end = |elo: Option<f64>, end: f64| elo.unwrap_or(end).clamp(low, high);
        let middle = end(doubling.elo, if doubling.score > 0.5 { MOST } else { -MOST });
        let range = (end(doubling.low, -MOST), end(doubling.high, MOST));
        plot.whisker("one", number as f64 + 1.0, middle, range);
    }
    figure(out, "What twice the thinking is worth", plot, "Elo difference with its 95 % interval")
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
