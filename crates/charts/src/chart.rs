//! What is drawn: a title, two axes and layers.

use crate::axis::Axis;

/// A colour of the palette, which differs between light and dark mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// One of the colours that tell data apart.
    Data(u8),
    /// For what is there to compare with.
    Quiet,
}

/// How many colours tell data apart.
pub(crate) const TONES: usize = 7;

impl Tone {
    /// The colour of the nth of several layers; they repeat.
    pub fn nth(number: usize) -> Tone {
        Tone::Data((number % TONES) as u8)
    }

    pub(crate) fn class(self) -> String {
        match self {
            Tone::Data(number) => format!("tone{number}"),
            Tone::Quiet => "quiet".to_string(),
        }
    }
}

/// A value with the range in which it lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// The ends of its error bar; none is drawn if both are the value.
    pub range: (f64, f64),
}

/// A rectangle between two places on each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Left and right end.
    pub x: (f64, f64),
    /// Lower and upper end.
    pub y: (f64, f64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stroke {
    Plain,
    Dashed,
    Thin,
    Steps,
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Line(Stroke, Vec<(f64, f64)>),
    Points(Vec<Point>),
    Bars { pale: bool, bars: Vec<Bar> },
}

#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// Layers without a name are not in the legend.
    pub name: String,
    pub tone: Tone,
    pub shape: Shape,
}

/// A chart; see the crate.
#[derive(Clone, Debug)]
pub struct Chart {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) layers: Vec<Layer>,
}

impl Chart {
    /// A chart without data.
    pub fn new(title: &str, x: Axis, y: Axis) -> Chart {
        Chart { title: title.to_string(), x, y, layers: Vec::new() }
    }

    fn with(mut self, name: &str, tone: Tone, shape: Shape) -> Chart {
        self.layers.push(Layer { name: name.to_string(), tone, shape });
        self
    }

    /// A line through points.
    pub fn line(self, name: &str, tone: Tone, points: Vec<(f64, f64)>) -> Chart {
        self.with(name, tone, Shape::Line(Stroke::Plain, points))
    }

    /// A dashed line, for what is there to compare with.
    pub fn dashed(self, name: &str, tone: Tone, points: Vec<(f64, f64)>) -> Chart {
        self.with(name, tone, Shape::Line(Stroke::Dashed, points))
    }

    /// One of many lines, of which none matters alone.
    pub fn thin(self, name: &str, tone: Tone, points: Vec<(f64, f64)>) -> Chart {
        self.with(name, tone, Shape::Line(Stroke::Thin, points))
    }

    /// A value that stays until the next point.
    pub fn steps(self, name: &str, tone: Tone, points: Vec<(f64, f64)>) -> Chart {
        self.with(name, tone, Shape::Line(Stroke::Steps, points))
    }

    /// Points with error bars.
    pub fn points(self, name: &str, tone: Tone, points: Vec<Point>) -> Chart {
        self.with(name, tone, Shape::Points(points))
    }

    /// Bars.
    pub fn bars(self, name: &str, tone: Tone, bars: Vec<Bar>) -> Chart {
        self.with(name, tone, Shape::Bars { pale: false, bars })
    }

    /// Bars that others may be drawn upon.
    pub fn pale_bars(self, name: &str, tone: Tone, bars: Vec<Bar>) -> Chart {
        self.with(name, tone, Shape::Bars { pale: true, bars })
    }
}

impl Point {
    /// A value without an error bar.
    pub fn exact(x: f64, y: f64) -> Point {
        Point { x, y, range: (y, y) }
    }
}

impl Layer {
    /// All places at which the layer has something.
    pub fn extent(&self) -> Vec<(f64, f64)> {
        match &self.shape {
            Shape::Line(_, points) => points.clone(),
            Shape::Points(points) => {
                points.iter().flat_map(|point| [(point.x, point.range.0), (point.x, point.range.1)]).collect()
            }
            Shape::Bars { bars, .. } => {
                bars.iter().flat_map(|bar| [(bar.x.0, bar.y.0), (bar.x.1, bar.y.1)]).collect()
            }
        }
    }
}
