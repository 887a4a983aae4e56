//! Pictures of runs: speedup, where the time went, how many processors were busy, and who did what when. And
//! the trace format that Perfetto and Chrome show.

use std::fmt::Write;

use multigame_charts::{Axis, Bar, Chart, Tone};
use multigame_parallel::{Activity, Span};

use crate::measure::Row;

/// More points than this would be drawn upon each other.
const MOST_POINTS: usize = 2000;
/// The pixels of a picture's width: of what a processor did within one of them, one span is drawn.
const PIXELS: u64 = 600;

/// Speedup over processors, with the ideal beside it.
pub fn speedup(title: &str, rows: &[Row]) -> Chart {
    let measured = rows.iter().map(|row| (f64::from(row.processors), row.speedup)).collect();
    let ideal = rows.iter().map(|row| (f64::from(row.processors), f64::from(row.processors))).collect();
    Chart::new(title, Axis::binary("processors"), Axis::binary("speedup"))
        .line("measured", Tone::nth(0), measured)
        .dashed("ideal", Tone::Quiet, ideal)
}

/// Where the time went, in percent over the binary logarithm of the number of processors.
pub fn overheads(title: &str, rows: &[Row]) -> Chart {
    let points = |value: &dyn Fn(&Row) -> f64| {
        rows.iter().map(|row| (f64::from(row.processors).log2(), 100.0 * value(row))).collect()
    };
    let marks =
        rows.iter().map(|row| (f64::from(row.processors).log2(), row.processors.to_string())).collect();
    let x = Axis::linear("processors").with_marks(marks);
    Chart::new(title, x, Axis::linear("share").with_suffix(" %"))
        .line("load", Tone::nth(0), points(&|row| row.load))
        .line("search overhead", Tone::nth(1), points(&|row| row.overhead))
        .line("performance", Tone::nth(2), points(&|row| row.performance))
        .line("communication", Tone::nth(3), points(&|row| row.communication))
        .line("idle", Tone::nth(4), points(&|row| row.idle))
}

/// How many processors were busy over time. Long runs are thinned out.
pub fn profile(title: &str, profile: &[(u64, u32)], end: u64) -> Chart {
    let step = profile.len().div_ceil(MOST_POINTS).max(1);
    let mut points: Vec<(f64, f64)> =
        profile.iter().step_by(step).map(|&(time, busy)| (seconds(time), f64::from(busy))).collect();
    points.push((seconds(end), points.last().map_or(0.0, |point| point.1)));
    let (x, y) = (Axis::linear("seconds").with_range(0.0, seconds(end)), Axis::linear("busy processors"));
    Chart::new(title, x, y).steps("", Tone::nth(0), points)
}

/// Who worked when: a bar for each processor, the first at the top.
pub fn timeline(title: &str, spans: &[Span], processors: u32, end: u64) -> Chart {
    let mut drawn = vec![None; processors as usize];
    let mut bars = Vec::new();
    for span in spans.iter().filter(|span| span.activity == Activity::Work) {
        let pixel = span.to * PIXELS / end.max(1);
        if drawn[span.processor as usize].replace(pixel) == Some(pixel) {
            continue;
        }
        let top = f64::from(processors - span.processor);
        bars.push(Bar { x: (seconds(span.from), seconds(span.to)), y: (top - 0.9, top - 0.1) });
    }
    let step = (processors / 16 + 1) as usize;
    let middle = |number: u32| (f64::from(processors - number) - 0.5, number.to_string());
    let marks = (0..processors).step_by(step).map(middle).collect();
    let y = Axis::linear("processor").with_range(0.0, f64::from(processors)).with_marks(marks);
    Chart::new(title, Axis::linear("seconds").with_range(0.0, seconds(end)), y).bars("", Tone::nth(0), bars)
}

fn seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 * 1e-9
}

/// The spans in the trace format of Chrome and Perfetto. Times in it are in microseconds.
pub fn chrome_trace(spans: impl Iterator<Item = Span>) -> String {
    let mut text = String::from("{\"traceEvents\":[\n");
    for (number, span) in spans.enumerate() {
        let comma = if number > 0 { ",\n" } else { "" };
        let (from, length) = (span.from as f64 * 1e-3, (span.to - span.from) as f64 * 1e-3);
        let _ = write!(
            text,
            "{comma}{{\"name\":\"{}\",\"ph\":\"X\",\"pid\":0,\"tid\":{},\"ts\":{from:.3},\"dur\":{length:.3}}}",
            span.activity.name(),
            span.processor
        );
    }
    text + "\n]}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(processor: u32, from: u64, to: u64, activity: Activity) -> Span {
        Span { processor, from, to, activity }
    }

    #[test]
    fn a_timeline_shows_work_and_nothing_else() {
        let spans = [
            span(0, 0, 500, Activity::Work),
            span(1, 100, 900, Activity::Work),
            span(1, 900, 950, Activity::Messages),
        ];
        let picture = timeline("a < b", &spans, 2, 1000).svg();
        assert_eq!(picture.matches("<rect class=\"tone0\"").count(), 2);
        assert!(picture.contains("a &lt; b") && !picture.contains("NaN"));
    }

    #[test]
    fn many_spans_within_a_pixel_are_one_bar() {
        let spans: Vec<Span> = (0..10_000).map(|n| span(0, 2 * n, 2 * n + 1, Activity::Work)).collect();
        let bars = timeline("t", &spans, 1, 20_000).svg().matches("<rect class=\"tone0\"").count();
        assert!((PIXELS as usize..=PIXELS as usize + 1).contains(&bars), "{bars}");
    }

    #[test]
    fn traces_tell_activities_in_microseconds() {
        let spans = [span(1, 100, 900, Activity::Work), span(1, 900, 950, Activity::Messages)];
        let trace = chrome_trace(spans.into_iter());
        assert!(
            trace.contains("\"name\":\"search\",\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":0.100,\"dur\":0.800")
        );
        assert!(trace.contains("\"name\":\"messages\""));
    }

    #[test]
    fn runs_without_rows_have_pictures() {
        for chart in [speedup("t", &[]), overheads("t", &[]), profile("t", &[], 0), timeline("t", &[], 0, 0)]
        {
            let svg = chart.svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
