//! Axes: from values to places, and where to put marks.

/// How values are spread over an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Linear,
    /// Logarithmic, marked at powers of this.
    Powers(u8),
}

/// An axis: its name, its scale, and what is fixed about its ends and marks.
#[derive(Clone, Debug)]
pub struct Axis {
    pub(crate) name: String,
    scale: Scale,
    range: Option<(f64, f64)>,
    marks: Vec<(f64, String)>,
    suffix: &'static str,
}

/// An axis whose ends and marks are known.
#[derive(Clone, Debug)]
pub(crate) struct Fitted {
    scale: Scale,
    low: f64,
    high: f64,
    pub marks: Vec<(f64, String)>,
}

impl Axis {
    fn new(name: &str, scale: Scale) -> Axis {
        Axis { name: name.to_string(), scale, range: None, marks: Vec::new(), suffix: "" }
    }

    /// A linear axis. It includes 0 unless a range is given.
    pub fn linear(name: &str) -> Axis {
        Axis::new(name, Scale::Linear)
    }

    /// A logarithmic axis marked at powers of 2.
    pub fn binary(name: &str) -> Axis {
        Axis::new(name, Scale::Powers(2))
    }

    /// A logarithmic axis marked at powers of 10.
    pub fn decimal(name: &str) -> Axis {
        Axis::new(name, Scale::Powers(10))
    }

    /// With these ends instead of those of the data.
    pub fn with_range(mut self, low: f64, high: f64) -> Axis {
        self.range = Some((low, high));
        self
    }

    /// With these marks instead of round numbers.
    pub fn with_marks(mut self, marks: Vec<(f64, String)>) -> Axis {
        self.marks = marks;
        self
    }

    /// With a unit behind each number.
    pub fn with_suffix(mut self, suffix: &'static str) -> Axis {
        self.suffix = suffix;
        self
    }

    /// Whether a value has a place on the axis.
    pub(crate) fn shows(&self, value: f64) -> bool {
        value.is_finite() && (self.scale == Scale::Linear || value > 0.0)
    }

    /// The axis for these values.
    pub(crate) fn fit(&self, values: impl Iterator<Item = f64>) -> Fitted {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        let found = values
            .filter(|value| self.shows(*value))
            .fold(ends, |(low, high), value| (low.min(value), high.max(value)));
        let found = if found.0 > found.1 { (1.0, 1.0) } else { found };
        let fitted = match self.scale {
            Scale::Linear => self.fit_linear(found),
            Scale::Powers(base) => self.fit_powers(found, f64::from(base)),
        };
        if self.marks.is_empty() { fitted } else { Fitted { marks: self.marks.clone(), ..fitted } }
    }

    fn fit_linear(&self, found: (f64, f64)) -> Fitted {
        let (low, high) = self.range.unwrap_or((found.0.min(0.0), found.1.max(0.0)));
        let high = if high > low { high } else { low + 1.0 };
        let step = round_step((high - low) / 5.0);
        let (low, high) = match self.range {
            Some(_) => (low, high),
            None => ((low / step).floor() * step, (high / step).ceil() * step),
        };
        let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
        let marks = (first..=last).map(|count| self.mark(count as f64 * step, step)).collect();
        Fitted { scale: self.scale, low, high, marks }
    }

    fn mark(&self, value: f64, step: f64) -> (f64, String) {
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        (value, format!("{value:.decimals$}{}", self.suffix))
    }

    fn fit_powers(&self, found: (f64, f64), base: f64) -> Fitted {
        let (low, high) = self.range.unwrap_or(found);
        let first = (low.ln() / base.ln() + 1e-9).floor() as i32;
        let last = ((high.ln() / base.ln() - 1e-9).ceil() as i32).max(first + 1);
        let step = ((last - first) / 8).max(1) as usize;
        let power = |exponent: i32| base.powi(exponent);
        let marks = (first..=last)
            .step_by(step)
            .map(|exponent| (power(exponent), format!("{}{}", power(exponent), self.suffix)))
            .collect();
        Fitted { scale: self.scale, low: power(first), high: power(last), marks }
    }
}

impl Fitted {
    /// Where a value is, from 0 to 1. What lies outside is shown at the nearer end.
    pub fn share(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Powers(_) => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        share.clamp(0.0, 1.0)
    }
}

/// The round number next to a step that is not smaller.
fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    round.into_iter().find(|step| *step >= rough * (1.0 - 1e-9)).unwrap_or(rough)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(fitted: &Fitted) -> Vec<&str> {
        fitted.marks.iter().map(|mark| mark.1.as_str()).collect()
    }

    #[test]
    fn marks_are_round() {
        let axis = Axis::linear("share").with_suffix(" %").with_range(0.0, 100.0);
        assert_eq!(names(&axis.fit([].into_iter())), ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]);
        let axis = Axis::linear("Elo").with_range(-130.0, 250.0);
        assert_eq!(names(&axis.fit([].into_iter())), ["-100", "0", "100", "200"]);
        let axis = Axis::linear("seconds");
        assert_eq!(
            names(&axis.fit([0.011, 0.05].into_iter())),
            ["0.00", "0.01", "0.02", "0.03", "0.04", "0.05"]
        );
        assert_eq!(names(&Axis::binary("P").fit([1.0, 6.0].into_iter())), ["1", "2", "4", "8"]);
        assert_eq!(
            names(&Axis::decimal("s").fit([0.02, 30.0].into_iter())),
            ["0.01", "0.1", "1", "10", "100"]
        );
    }

    #[test]
    fn values_have_places() {
        let axis = Axis::binary("P").fit([1.0, 16.0].into_iter());
        assert!((axis.share(4.0) - 0.5).abs() < 1e-9);
        assert_eq!((axis.share(1000.0), axis.share(0.0)), (1.0, 0.0));
        assert!(
            !Axis::binary("P").shows(0.0)
                && Axis::linear("x").shows(0.0)
                && !Axis::linear("x").shows(f64::NAN)
        );
    }

    #[test]
    fn axes_without_data_have_ends_too() {
        for axis in [Axis::linear("x"), Axis::binary("x"), Axis::decimal("x")] {
            let fitted = axis.fit([f64::NAN, f64::INFINITY].into_iter());
            assert!(fitted.share(0.5).is_finite() && !fitted.marks.is_empty());
        }
    }
}
