//! Findings in words: only those that are more than chance.

use crate::Report;

/// The sentences about a report.
pub(crate) fn of(report: &Report) -> Vec<String> {
    let mut findings = Vec::new();
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    if let Some(last) = report.levels.last() {
        let (summary, name) = (&last.summary, &last.name);
        let (score, error) = (summary.first_score, summary.first_error());
        if score - error > 0.5 {
            findings.push(format!(
                "The player who begins has the advantage: {} of the points at {name}.",
                percent(score)
            ));
        } else if score + error < 0.5 {
            findings.push(format!(
                "The player who begins is at a disadvantage: {} of the points at {name}.",
                percent(score)
            ));
        }
        let drawn = 1.0 - summary.decided;
        if drawn > 0.5 {
            findings.push(format!("Most games are drawn: {} at {name}.", percent(drawn)));
        }
        if summary.unfinished * 10 > summary.games {
            findings.push(format!(
                "{} of {} games at {name} were not over within the limit of moves: is there a rule that ends \
                 them?",
                summary.unfinished, summary.games
            ));
        }
        if summary.decided > 0.0 && last.decided_after < 0.25 {
            findings.push(format!(
                "Games are decided early: after {} of the moves at {name}.",
                percent(last.decided_after)
            ));
        }
        if summary.decided > 0.0 && last.drama < 0.02 {
            findings.push(format!(
                "The player in the lead stays in the lead: hardly a winner was ever behind at {name}."
            ));
        }
    }
    if report.random.unfinished * 2 > report.random.games {
        findings.push("Most random games are not over within the limit of moves.".to_string());
    }
    if report.random.branching > 0.0 && report.random.branching < 2.0 {
        findings
            .push(format!("There is little to choose: {:.1} moves at each turn.", report.random.branching));
    }
    let helps = report.doublings.iter().filter(|doubling| doubling.low.is_some_and(|low| low > 0.0)).count();
    if !report.doublings.is_empty() && helps == report.doublings.len() {
        findings
            .push("Every doubling of effort makes the computer stronger: there is something to find.".into());
    }
    if report.doublings.iter().any(|doubling| doubling.high.is_some_and(|high| high < 0.0)) {
        findings.push(
            "Thinking longer makes the computer weaker somewhere: does its evaluation mislead it?".into(),
        );
    }
    if let Some(unused) = report.unused.as_ref().filter(|unused| !unused.is_empty()) {
        findings.push(format!("{} parts of the rules never had a result in these games.", unused.len()));
    }
    findings
}
