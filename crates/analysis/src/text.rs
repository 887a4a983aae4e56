//! The report for a terminal.

use std::fmt::Write;

use crate::report::{Report, Spread, Summary};

/// The report as text.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(report, &mut out);
    out
}

fn write(report: &Report, out: &mut String) -> std::fmt::Result {
    writeln!(out, "{}: {} fields, {}", report.game, report.fields, report.kinds_of_pieces())?;
    if !report.complete {
        writeln!(out, "stopped early: numbers come from the games played so far")?;
    }
    writeln!(out)?;
    writeln!(
        out,
        "{:<18} {:>5} {:>7} {:>7} {:>7} {:>7} {:>7} {:>6} {:>6} {:>7}",
        "play", "games", "first", "draws", "length", "moves", "decided", "leads", "drama", "certain"
    )?;
    write_summary(out, "random", &report.random, "     -      -       -")?;
    for level in &report.levels {
        let rest = format!(
            "{:>6.1} {:>5.0}% {:>6.0}%",
            level.lead_changes,
            100.0 * level.drama,
            100.0 * level.decided_after
        );
        write_summary(out, &level.name, &level.summary, &rest)?;
    }
    writeln!(out)?;
    writeln!(
        out,
        "first: points of the player who begins; moves: to choose from at a turn; leads: how often the"
    )?;
    writeln!(
        out,
        "lead changes; drama: how far winners were behind; certain: share of a game after which it is clear"
    )?;
    writeln!(out)?;
    writeln!(out, "length of random games  {}", spread(&report.random.length))?;
    if let Some(last) = report.levels.last() {
        writeln!(out, "length at {:<13} {}", last.name, spread(&last.summary.length))?;
    }
    if !report.doublings.is_empty() {
        writeln!(out)?;
        writeln!(out, "twice the nodes    games   score    Elo (95 %)")?;
        for doubling in &report.doublings {
            let side = |elo: Option<f64>, end: &str| elo.map_or(end.to_string(), |elo| format!("{elo:+.0}"));
            writeln!(
                out,
                "{:>7} : {:<8} {:>5}  {:>5.1}%   {:>5} [{}, {}]",
                2 * doubling.nodes,
                doubling.nodes,
                doubling.games,
                100.0 * doubling.score,
                side(doubling.elo, if doubling.score > 0.5 { "+inf" } else { "-inf" }),
                side(doubling.low, "-inf"),
                side(doubling.high, "+inf"),
            )?;
        }
    }
    if let Some(unused) = &report.unused {
        writeln!(out)?;
        if unused.is_empty() {
            writeln!(out, "every part of the rules was used")?;
        }
        for part in unused {
            writeln!(out, "line {:>3}, `{}`: never had a result: {}", part.line, part.rule, part.text)?;
        }
    }
    if !report.findings.is_empty() {
        writeln!(out)?;
        for finding in &report.findings {
            writeln!(out, "- {finding}")?;
        }
    }
    Ok(())
}

fn write_summary(out: &mut String, name: &str, summary: &Summary, rest: &str) -> std::fmt::Result {
    let games = f64::from(summary.games.max(1));
    writeln!(
        out,
        "{name:<18} {:>5} {:>6.0}% {:>6.0}% {:>7.1} {:>7.1} {:>6.0}% {rest}",
        summary.games,
        100.0 * summary.first_score,
        100.0 * f64::from(summary.draws + summary.unfinished) / games,
        summary.length.mean,
        summary.branching,
        100.0 * summary.decided,
    )
}

fn spread(spread: &Spread) -> String {
    format!(
        "{:.0} to {:.0}, median {:.0}, four fifths between {:.0} and {:.0}",
        spread.least, spread.greatest, spread.median, spread.tenth, spread.nine_tenths
    )
}
