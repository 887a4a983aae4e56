//! Pictures of runs, as SVG text: speedup, where the time went, how many processors were busy, and who did what when.
//! And the trace format that Perfetto and Chrome show.

use std::fmt::Write;

use multigame_parallel::{Activity, Span};

use crate::measure::Row;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 48.0;
const COLOURS: [&str; 5] = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e"];

/// A line with its name.
pub struct Series<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// What the axes are like.
pub struct Axes<'a> {
    /// Above the picture.
    pub title: &'a str,
    /// Below it.
    pub x: &'a str,
    /// To its left.
    pub y: &'a str,
    /// Whether both axes are logarithmic, to the base 2.
    pub logarithmic: bool,
    /// Whether lines go in steps.
    pub steps: bool,
}

fn open(title: &str) -> String {
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"22\" text-anchor=\"middle\" font-size=\"15\">{title}</text>\n",
        WIDTH / 2.0
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn label(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_string(),
        size if size >= 1000.0 || value.fract() == 0.0 => format!("{value:.0}"),
        size if size >= 1.0 => format!("{value:.1}"),
        _ => format!("{value:.2e}"),
    }
}

/// The ends of an axis, and where it is marked.
fn axis(values: impl Iterator<Item = f64>, logarithmic: bool) -> (f64, f64, Vec<f64>) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values.filter(|value| value.is_finite() && (!logarithmic || *value > 0.0)) {
        (low, high) = (low.min(value), high.max(value));
    }
    if low > high {
        (low, high) = (0.0, 1.0);
    }
    if logarithmic {
        let (first, last) =
            (low.log2().floor() as i32, (high.log2().ceil() as i32).max(low.log2().floor() as i32 + 1));
        let step = ((last - first) / 8).max(1);
        let marks = (first..=last).step_by(step as usize).map(|power| 2f64.powi(power)).collect();
        return (2f64.powi(first), 2f64.powi(last), marks);
    }
    low = low.min(0.0);
    let rough = (high - low).max(1e-12) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough);
    let step = step.unwrap_or(rough);
    let (low, high) = ((low / step).floor() * step, (high / step).ceil().max(1.0) * step);
    let marks = (0..=((high - low) / step).round() as i32).map(|n| low + f64::from(n) * step).collect();
    (low, high, marks)
}

/// A picture of lines.
pub fn lines(axes: &Axes<'_>, series: &[Series<'_>]) -> String {
    let log = axes.logarithmic;
    let points = || series.iter().flat_map(|series| series.points.iter().copied());
    let (x_low, x_high, x_marks) = axis(points().map(|(x, _)| x), log);
    let (y_low, y_high, y_marks) = axis(points().map(|(_, y)| y), log);
    let scale = |value: f64, low: f64, high: f64| {
        if log {
            (value.log2() - low.log2()) / (high.log2() - low.log2())
        } else {
            (value - low) / (high - low)
        }
    };
    let x = |value: f64| LEFT + scale(value, x_low, x_high) * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - scale(value, y_low, y_high) * (HEIGHT - TOP - BOTTOM);
    let mut svg = open(axes.title);
    for mark in x_marks {
        let (at, text) = (x(mark), label(mark));
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{:.1}\" stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 16.0
        );
    }
    for mark in y_marks {
        let (at, text) = (y(mark), label(mark));
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 10.0,
        escape(axes.x)
    );
    let _ = writeln!(
        svg,
        "<text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        (TOP + HEIGHT - BOTTOM) / 2.0,
        escape(axes.y)
    );
    for (number, series) in series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let mut path = String::new();
        let mut last = None;
        for &(px, py) in series.points.iter().filter(|point| !log || (point.0 > 0.0 && point.1 > 0.0)) {
            if let (true, Some(before)) = (axes.steps, last) {
                let _ = write!(path, "L{:.1} {:.1} ", x(px), y(before));
            }
            let _ = write!(path, "{}{:.1} {:.1} ", if path.is_empty() { 'M' } else { 'L' }, x(px), y(py));
            last = Some(py);
        }
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/>");
        let at = TOP + 14.0 + 16.0 * number as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"12\" height=\"4\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{at:.1}\">{}</text>",
            LEFT + 10.0,
            at - 6.0,
            LEFT + 28.0,
            escape(series.name)
        );
    }
    svg + "</svg>\n"
}

/// Speedup over processors, with the ideal beside it.
pub fn speedup(title: &str, rows: &[Row]) -> String {
    let measured = rows.iter().map(|row| (f64::from(row.processors), row.speedup)).collect();
    let ideal = rows.iter().map(|row| (f64::from(row.processors), f64::from(row.processors))).collect();
    let axes = Axes { title, x: "processors", y: "speedup", logarithmic: true, steps: false };
    lines(&axes, &[Series { name: "measured", points: measured }, Series { name: "ideal", points: ideal }])
}

/// Where the time went, in percent over the binary logarithm of the number of processors.
pub fn overheads(title: &str, rows: &[Row]) -> String {
    let series = |name, value: &dyn Fn(&Row) -> f64| Series {
        name,
        points: rows.iter().map(|row| (f64::from(row.processors).log2(), 100.0 * value(row))).collect(),
    };
    let axes =
        Axes { title, x: "log2 of the number of processors", y: "percent", logarithmic: false, steps: false };
    lines(
        &axes,
        &[
            series("load", &|row| row.load),
            series("search overhead", &|row| row.overhead),
            series("performance", &|row| row.performance),
            series("communication", &|row| row.communication),
            series("idle", &|row| row.idle),
        ],
    )
}

/// How many processors were busy over time. Long runs are thinned out.
pub fn profile(title: &str, profile: &[(u64, u32)], end: u64) -> String {
    let step = profile.len().div_ceil(2000).max(1);
    let mut points: Vec<(f64, f64)> =
        profile.iter().step_by(step).map(|&(time, busy)| (time as f64 * 1e-9, f64::from(busy))).collect();
    points.push((end as f64 * 1e-9, points.last().map_or(0.0, |point| point.1)));
    let axes = Axes { title, x: "seconds", y: "busy processors", logarithmic: false, steps: true };
    lines(&axes, &[Series { name: "busy", points }])
}

/// Who worked when: a bar for each processor. Spans too short to be seen are drawn as if they could be.
pub fn timeline(title: &str, spans: &[Span], processors: u32, end: u64) -> String {
    let mut svg = open(title);
    let height = (HEIGHT - TOP - BOTTOM) / f64::from(processors.max(1));
    let wide = WIDTH - LEFT - RIGHT;
    let _ = writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{wide}\" height=\"{}\" fill=\"#eee\"/>",
        HEIGHT - TOP - BOTTOM
    );
    let mut drawn = vec![-1.0; processors as usize];
    for span in spans.iter().filter(|span| span.activity == Activity::Work) {
        let x = |time: u64| LEFT + time as f64 / end.max(1) as f64 * wide;
        let (from, to) = (x(span.from), x(span.to));
        let row = span.processor as usize;
        if to < drawn[row] + 0.1 {
            continue;
        }
        drawn[row] = to;
        let y = TOP + row as f64 * height;
        let _ = writeln!(
            svg,
            "<rect x=\"{from:.2}\" y=\"{y:.2}\" width=\"{:.2}\" height=\"{:.2}\" fill=\"#1f77b4\"/>",
            (to - from).max(0.1),
            height * 0.85
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{} s</text>",
        WIDTH - RIGHT,
        HEIGHT - BOTTOM + 16.0,
        label(end as f64 * 1e-9)
    );
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">0</text>", HEIGHT - BOTTOM + 16.0);
    let _ = writeln!(
        svg,
        "<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">processors</text>",
        HEIGHT / 2.0
    );
    svg + "</svg>\n"
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

    #[test]
    fn pictures_hold_what_they_show() {
        let axes = Axes { title: "a < b", x: "x", y: "y", logarithmic: true, steps: false };
        let picture = lines(&axes, &[Series { name: "one", points: vec![(1.0, 1.0), (64.0, 40.0)] }]);
        assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
        assert!(picture.contains("a &lt; b") && picture.contains(">64<") && !picture.contains("NaN"));
        let empty =
            lines(&Axes { logarithmic: false, ..axes }, &[Series { name: "none", points: Vec::new() }]);
        assert!(!empty.contains("NaN") && !empty.contains("inf"));
        let span = |processor, from, to, activity| Span { processor, from, to, activity };
        let spans = [
            span(0, 0, 500, Activity::Work),
            span(1, 100, 900, Activity::Work),
            span(1, 900, 950, Activity::Messages),
        ];
        assert_eq!(timeline("t", &spans, 2, 1000).matches("#1f77b4").count(), 2);
        let trace = chrome_trace(spans.into_iter());
        assert!(
            trace.contains("\"name\":\"search\",\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":0.100,\"dur\":0.800")
        );
        assert!(trace.contains("\"name\":\"messages\""));
    }
}
