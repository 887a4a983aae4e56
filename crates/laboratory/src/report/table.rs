//! The table of an experiment: ours with its deviation, theirs, and the ratio.

use std::collections::BTreeSet;

use super::Table;
use crate::form::{Experiment, Theirs};
use crate::tally::{Estimate, Measure, Tally};

/// What is shown where there is no number.
const NONE: &str = "–";

/// The table of an experiment. Where the document has numbers for machines that were not simulated, they are
/// shown alone.
pub(super) fn table(experiment: &Experiment, tallies: &[Tally]) -> Table {
    let compared =
        |measure: &Measure| experiment.form.theirs.iter().any(|theirs| theirs.number(*measure).is_some());
    let mut head = vec!["variant".to_string(), "P".to_string()];
    for measure in &experiment.form.columns {
        head.push(measure.name().to_string());
        if compared(measure) {
            head.extend(["theirs", "ratio"].map(String::from));
        }
    }
    if !experiment.form.theirs.is_empty() {
        head.push("theirs from".to_string());
    }
    let mut rows = Vec::new();
    for variant in &experiment.variants {
        for processors in processors(experiment, variant.name(), tallies) {
            let tally = tallies
                .iter()
                .find(|tally| tally.variant == variant.name() && tally.processors == processors);
            let theirs = theirs(experiment, variant.name(), processors);
            let mut row = vec![variant.name().to_string(), processors.to_string()];
            for measure in &experiment.form.columns {
                let ours = tally.and_then(|tally| tally.numbers.get(measure));
                row.push(ours.map_or(NONE.to_string(), |ours| estimate(*measure, ours)));
                if compared(measure) {
                    row.extend(beside(*measure, ours, &theirs));
                }
            }
            if !experiment.form.theirs.is_empty() {
                row.push(sources(&theirs));
            }
            rows.push(row);
        }
    }
    Table { head, rows }
}

fn processors(experiment: &Experiment, variant: &str, tallies: &[Tally]) -> BTreeSet<u32> {
    let ours = tallies.iter().filter(|tally| tally.variant == variant).map(|tally| tally.processors);
    let theirs =
        experiment.form.theirs.iter().filter(|theirs| is_of(theirs, variant)).map(|theirs| theirs.processors);
    ours.chain(theirs).collect()
}

fn is_of(theirs: &Theirs, variant: &str) -> bool {
    theirs.variant.as_deref().is_none_or(|name| name == variant)
}

/// What the document says about a variant on a number of processors.
pub(super) fn theirs<'e>(experiment: &'e Experiment, variant: &str, processors: u32) -> Vec<&'e Theirs> {
    let all = experiment.form.theirs.iter();
    all.filter(|theirs| is_of(theirs, variant) && theirs.processors == processors).collect()
}

fn sources(theirs: &[&Theirs]) -> String {
    let mut from: Vec<String> = theirs.iter().map(|theirs| theirs.from()).collect();
    from.dedup();
    if from.is_empty() { NONE.to_string() } else { from.join("; ") }
}

fn beside(measure: Measure, ours: Option<&Estimate>, theirs: &[&Theirs]) -> [String; 2] {
    let Some(number) = theirs.iter().find_map(|theirs| theirs.number(measure)) else {
        return [NONE, NONE].map(String::from);
    };
    let ratio = ours.filter(|_| number != 0.0).map(|ours| format!("{:.2}", ours.mean / number));
    [value(measure, number), ratio.unwrap_or(NONE.to_string())]
}

fn estimate(measure: Measure, estimate: &Estimate) -> String {
    let mean = value(measure, estimate.mean);
    match estimate.deviation {
        None => mean,
        Some(deviation) => format!("{mean} ± {}", value(measure, deviation)),
    }
}

fn value(measure: Measure, number: f64) -> String {
    match measure {
        Measure::Nodes | Measure::Jobs | Measure::Messages => count(number),
        Measure::Seconds if number.abs() < 10.0 => format!("{number:.3}"),
        Measure::Speedup | Measure::WrongCut | Measure::WrongAll => format!("{number:.2}"),
        _ => format!("{number:.1}"),
    }
}

/// A number without a fraction, with commas between thousands.
pub(super) fn count(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0.0 { format!("-{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(
            (count(1234567.4), count(999.0), count(-1000.0)),
            ("1,234,567".into(), "999".into(), "-1,000".into())
        );
        let ours = Estimate { mean: 31.264, deviation: Some(0.5), seeds: 3 };
        assert_eq!(estimate(Measure::Speedup, &ours), "31.26 ± 0.50");
        assert_eq!(value(Measure::Seconds, 0.12345), "0.123");
    }
}
