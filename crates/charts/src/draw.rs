//! From a chart to SVG.

use std::fmt::{Arguments, Write};

use crate::axis::Fitted;
use crate::chart::{Bar, Chart, Layer, Point, Shape, Stroke};
use crate::page::{CHART_STYLE, escape};

const WIDTH: f64 = 640.0;
/// Of the part within the axes.
const PLOT_HEIGHT: f64 = 280.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const BOTTOM: f64 = 46.0;
const TITLE: f64 = 30.0;
const LEGEND_ROW: f64 = 18.0;
/// Of a letter at the size of legends, on average and then some.
const LETTER: f64 = 6.6;
/// Rectangles narrower than this could not be seen.
const THINNEST: f64 = 0.3;

struct Canvas {
    body: String,
    x: Fitted,
    y: Fitted,
    top: f64,
}

impl Chart {
    /// The chart as a file of its own, with its title and its colours.
    pub fn svg(&self) -> String {
        self.draw(true)
    }

    /// The chart as a part of a [`crate::page`], which has the colours and says the title.
    pub fn inline(&self) -> String {
        self.draw(false)
    }

    fn draw(&self, alone: bool) -> String {
        let legend = self.legend();
        let rows = legend.last().map_or(0.0, |entry| entry.2 + 1.0);
        let legend_top = if alone { TITLE } else { 0.0 };
        let top = legend_top + rows * LEGEND_ROW + 12.0;
        let places: Vec<(f64, f64)> = self.layers.iter().flat_map(Layer::extent).collect();
        let (x, y) = (self.x.fit(places.iter().map(|at| at.0)), self.y.fit(places.iter().map(|at| at.1)));
        let mut canvas = Canvas { body: String::new(), x, y, top };
        canvas.axes(&self.x.name, &self.y.name);
        for layer in &self.layers {
            self.layer(&mut canvas, layer);
        }
        for (layer, left, row) in &legend {
            canvas.legend(layer, *left, legend_top + 6.0 + row * LEGEND_ROW);
        }
        self.wrap(alone, top + PLOT_HEIGHT + BOTTOM, &canvas.body)
    }

    fn wrap(&self, alone: bool, height: f64, body: &str) -> String {
        let title = escape(&self.title);
        // Within a page the name space is that of HTML.
        let space = if alone { " xmlns=\"http://www.w3.org/2000/svg\"" } else { "" };
        let head = if alone {
            format!(
                "<style>{CHART_STYLE}</style><rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n\
                 <text class=\"title\" x=\"{}\" y=\"22\" text-anchor=\"middle\">{title}</text>\n",
                WIDTH / 2.0
            )
        } else {
            String::new()
        };
        format!(
            "<svg{space} class=\"chart\" viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" \
             aria-label=\"{title}\">\n{head}{body}</svg>\n"
        )
    }

    /// Layers with names, and where in the legend: from the left, in which row.
    fn legend(&self) -> Vec<(&Layer, f64, f64)> {
        let (mut left, mut row) = (LEFT, 0.0);
        let mut entries: Vec<(&Layer, f64, f64)> = Vec::new();
        for layer in self.layers.iter().filter(|layer| !layer.name.is_empty()) {
            if entries.iter().any(|entry| entry.0.name == layer.name) {
                continue;
            }
            let width = 34.0 + LETTER * layer.name.chars().count() as f64;
            if left > LEFT && left + width > WIDTH - RIGHT {
                (left, row) = (LEFT, row + 1.0);
            }
            entries.push((layer, left, row));
            left += width;
        }
        entries
    }

    fn layer(&self, canvas: &mut Canvas, layer: &Layer) {
        let class = layer.tone.class();
        let shows = |x: f64, y: f64| self.x.shows(x) && self.y.shows(y);
        match &layer.shape {
            Shape::Line(stroke, points) => {
                let shown = points.iter().copied().filter(|at| shows(at.0, at.1));
                canvas.line(&class, *stroke, shown);
            }
            Shape::Points(points) => {
                points.iter().filter(|at| shows(at.x, at.y)).for_each(|point| canvas.point(&class, point));
            }
            Shape::Bars { pale, bars } => {
                let class = if *pale { format!("{class} pale") } else { class };
                bars.iter().for_each(|bar| canvas.bar(&class, bar));
            }
        }
    }
}

impl Canvas {
    fn push(&mut self, text: Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(text);
        self.body.push('\n');
    }

    fn across(&self, x: f64) -> f64 {
        LEFT + self.x.share(x) * (WIDTH - LEFT - RIGHT)
    }

    fn down(&self, y: f64) -> f64 {
        self.top + (1.0 - self.y.share(y)) * PLOT_HEIGHT
    }

    fn axes(&mut self, x_name: &str, y_name: &str) {
        let (right, bottom, top) = (WIDTH - RIGHT, self.top + PLOT_HEIGHT, self.top);
        for (value, text) in self.x.marks.clone() {
            let (at, text) = (self.across(value), escape(&text));
            self.push(format_args!(
                "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top:.1}\" y2=\"{bottom:.1}\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
                bottom + 16.0
            ));
        }
        for (value, text) in self.y.marks.clone() {
            let (at, text) = (self.down(value), escape(&text));
            self.push(format_args!(
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                LEFT - 6.0,
                at + 4.0
            ));
        }
        self.push(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (LEFT + right) / 2.0,
            bottom + 38.0,
            escape(x_name),
            (top + bottom) / 2.0,
            escape(y_name)
        ));
    }

    fn line(&mut self, class: &str, stroke: Stroke, points: impl Iterator<Item = (f64, f64)>) {
        let mut path = String::new();
        let mut before = None;
        for (x, y) in points {
            let (x, y) = (self.across(x), self.down(y));
            if let (Stroke::Steps, Some(before)) = (stroke, before) {
                let _ = write!(path, "L{x:.1} {before:.1} ");
            }
            let _ = write!(path, "{}{x:.1} {y:.1} ", if before.is_none() { 'M' } else { 'L' });
            before = Some(y);
        }
        let stroke = match stroke {
            Stroke::Plain => "",
            Stroke::Dashed => " dashed",
            Stroke::Thin => " thin",
            Stroke::Steps => " steps",
        };
        self.push(format_args!("<path class=\"{class}{stroke}\" d=\"{}\"/>", path.trim_end()));
    }

    fn point(&mut self, class: &str, point: &Point) {
        let (x, y) = (self.across(point.x), self.down(point.y));
        if point.range.0 < point.range.1 {
            let (low, high) = (self.down(point.range.0), self.down(point.range.1));
            let (left, right) = (x - 4.0, x + 4.0);
            self.push(format_args!(
                "<path class=\"{class}\" d=\"M{x:.1} {low:.1} L{x:.1} {high:.1} M{left:.1} {low:.1} \
                 L{right:.1} {low:.1} \
                 M{left:.1} {high:.1} L{right:.1} {high:.1}\"/>"
            ));
        }
        self.push(format_args!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>"));
    }

    fn bar(&mut self, class: &str, bar: &Bar) {
        let (left, right) = (self.across(bar.x.0), self.across(bar.x.1));
        let (low, high) = (self.down(bar.y.0), self.down(bar.y.1));
        self.push(format_args!(
            "<rect class=\"{class}\" x=\"{left:.2}\" y=\"{high:.2}\" width=\"{:.2}\" height=\"{:.2}\"/>",
            (right - left).max(THINNEST),
            (low - high).max(0.0)
        ));
    }

    fn legend(&mut self, layer: &Layer, left: f64, top: f64) {
        let class = layer.tone.class();
        match &layer.shape {
            Shape::Line(stroke, _) => {
                let dashed = if *stroke == Stroke::Dashed { " dashed" } else { "" };
                let right = left + 18.0;
                let y = top + 6.0;
                self.push(format_args!(
                    "<path class=\"{class}{dashed}\" d=\"M{left:.1} {y:.1} L{right:.1} {y:.1}\"/>"
                ));
            }
            Shape::Points(_) => {
                let (x, y) = (left + 9.0, top + 6.0);
                self.push(format_args!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"));
            }
            Shape::Bars { pale, .. } => {
                let pale = if *pale { " pale" } else { "" };
                self.push(format_args!(
                    "<rect class=\"{class}{pale}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"18\" \
                     height=\"11\"/>"
                ));
            }
        }
        let name = escape(&layer.name);
        self.push(format_args!("<text x=\"{:.1}\" y=\"{:.1}\">{name}</text>", left + 24.0, top + 10.0));
    }
}

#[cfg(test)]
mod tests {
    use crate::{Axis, Bar, Chart, Point, Tone};

    fn chart() -> Chart {
        Chart::new("a < b & \"c\"", Axis::binary("x"), Axis::binary("y"))
    }

    #[test]
    fn layers_are_where_their_values_are() {
        let chart = chart().line("one", Tone::nth(0), vec![(1.0, 1.0), (0.0, 5.0), (64.0, 64.0)]);
        let svg = chart.svg();
        // 0 has no place on a logarithmic axis; 1 and 64 are its ends.
        assert!(svg.contains("<path class=\"tone0\" d=\"M64.0 340.0 L620.0 60.0\"/>"), "{svg}");
        assert!(svg.contains("a &lt; b &amp; &quot;c&quot;") && svg.contains(">64<"));
    }

    #[test]
    fn a_value_stays_until_the_next_step() {
        let axes = || Axis::linear("x").with_range(0.0, 2.0);
        let svg =
            Chart::new("t", axes(), axes()).steps("", Tone::Quiet, vec![(0.0, 0.0), (2.0, 2.0)]).inline();
        assert!(svg.contains("d=\"M64.0 292.0 L620.0 292.0 L620.0 12.0\""), "{svg}");
    }

    #[test]
    fn only_uncertain_values_have_error_bars() {
        let points = vec![Point::exact(1.0, 2.0), Point { x: 2.0, y: 3.0, range: (2.0, 4.0) }];
        let svg = chart().points("p", Tone::nth(1), points).inline();
        assert_eq!(svg.matches("<circle class=\"tone1\"").count(), 3, "two values and the legend");
        assert_eq!(svg.matches("<path class=\"tone1\"").count(), 1);
    }

    #[test]
    fn the_legend_names_each_layer_once_and_wraps() {
        let long = "a name that takes nearly half of the width of a picture";
        let bars = || vec![Bar { x: (1.0, 2.0), y: (1.0, 2.0) }];
        let chart = chart()
            .bars(long, Tone::nth(0), bars())
            .pale_bars(long, Tone::nth(0), bars())
            .bars("two", Tone::nth(1), bars())
            .bars("another name that takes half of the width of a picture", Tone::nth(2), bars())
            .thin("", Tone::Quiet, vec![(1.0, 1.0)]);
        let rows: Vec<f64> = chart.legend().iter().map(|entry| entry.2).collect();
        assert_eq!(rows, [0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_chart_without_data_is_a_chart() {
        for svg in [chart().svg(), chart().line("none", Tone::nth(9), Vec::new()).svg()] {
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
    }

    #[test]
    fn both_forms_follow_the_mode_of_the_reader() {
        assert!(chart().svg().contains("prefers-color-scheme: dark"));
        assert!(!chart().inline().contains("<style>"));
        assert!(crate::page("t", "").contains("prefers-color-scheme: dark"));
    }
}
