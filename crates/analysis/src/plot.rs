//! Small plots as SVG: lines, bars with error, stacked bars. Colours are classes of the page's style sheet.

use std::fmt::Write;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;

/// A plot being drawn.
pub(crate) struct Plot {
    body: String,
    x: (f64, f64),
    y: (f64, f64),
    label: String,
}

impl Plot {
    /// An empty plot of a range; `label` is what a reader who sees no pictures is told.
    pub fn new(label: &str, x: (f64, f64), y: (f64, f64)) -> Plot {
        let widen = |(low, high): (f64, f64)| if high > low { (low, high) } else { (low, low + 1.0) };
        Plot { body: String::new(), x: widen(x), y: widen(y), label: label.to_string() }
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let across = (x - self.x.0) / (self.x.1 - self.x.0);
        let along = ((y - self.y.0) / (self.y.1 - self.y.0)).clamp(0.0, 1.0);
        (LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - along * (HEIGHT - TOP - BOTTOM))
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(text);
    }

    /// Axes with numbers, and what they mean.
    pub fn axes(&mut self, x_name: &str, y_name: &str, x_marks: &[(f64, String)], y_suffix: &str) {
        for mark in marks(self.y) {
            let (x, y) = self.at(self.x.0, mark);
            self.push(format_args!(
                "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}{y_suffix}</text>",
                WIDTH - RIGHT,
                x - 6.0,
                y + 4.0,
                number(mark)
            ));
        }
        let own: Vec<(f64, String)> = marks(self.x).into_iter().map(|mark| (mark, number(mark))).collect();
        for (mark, name) in if x_marks.is_empty() { &own[..] } else { x_marks } {
            let (x, y) = self.at(*mark, self.y.0);
            let name = escape(name);
            self.push(format_args!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text>",
                y + 16.0
            ));
        }
        self.push(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate(12 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - 6.0,
            escape(x_name),
            (TOP + HEIGHT - BOTTOM) / 2.0,
            escape(y_name)
        ));
    }

    /// A line through points.
    pub fn line(&mut self, class: &str, points: &[(f64, f64)]) {
        let places: Vec<String> = points
            .iter()
            .map(|&(x, y)| {
                let (x, y) = self.at(x, y);
                format!("{x:.1},{y:.1}")
            })
            .collect();
        self.push(format_args!("<polyline class=\"{class}\" points=\"{}\"/>", places.join(" ")));
    }

    /// A point with a range.
    pub fn whisker(&mut self, class: &str, x: f64, y: f64, range: (f64, f64)) {
        let (px, low) = self.at(x, range.0);
        let (_, high) = self.at(x, range.1);
        let (_, py) = self.at(x, y);
        self.push(format_args!(
            "<line class=\"{class}\" x1=\"{px:.1}\" x2=\"{px:.1}\" y1=\"{low:.1}\" y2=\"{high:.1}\"/>\
             <circle class=\"{class}\" cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"4\"/>"
        ));
    }

    /// A bar between two heights; `share` is its part of the room between two marks.
    pub fn bar(&mut self, class: &str, x: (f64, f64), y: (f64, f64)) {
        let (left, low) = self.at(x.0, y.0);
        let (right, high) = self.at(x.1, y.1);
        self.push(format_args!(
            "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{high:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            (right - left).max(0.5),
            (low - high).max(0.0)
        ));
    }

    /// The picture.
    pub fn svg(self) -> String {
        let label = escape(&self.label);
        format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">{}</svg>",
            self.body
        )
    }
}

/// Round numbers in a range.
fn marks((low, high): (f64, f64)) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= rough);
    let step = step.unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|count| count as f64 * step).collect()
}

fn number(number: f64) -> String {
    if number.fract().abs() < 1e-9 { format!("{number:.0}") } else { format!("{number:.2}") }
}

/// Text inside of HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round() {
        assert_eq!(marks((0.0, 100.0)), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(marks((-130.0, 250.0)), [-100.0, 0.0, 100.0, 200.0]);
        assert_eq!(escape("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
    }
}
