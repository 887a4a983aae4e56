//! How many processors were busy when: no more points than a picture can show, however long a run is.

/// When there are more points than this, every other one has to go.
const MOST: usize = 1 << 16;

/// Pairs of a time and the number from then on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    points: Vec<(u64, u32)>,
    /// What changes within this time of a point is told by that point: the last word counts.
    step: u64,
}

impl Curve {
    /// The number is this from that time on, which is not before the last one.
    pub fn set(&mut self, time: u64, number: u32) {
        match self.points.last_mut() {
            Some(last) if time - last.0 <= self.step => last.1 = number,
            _ => self.points.push((time, number)),
        }
        if self.points.len() > MOST {
            self.thin_out();
        }
    }

    /// All points.
    pub fn points(&self) -> &[(u64, u32)] {
        &self.points
    }

    fn thin_out(&mut self) {
        let span = self.points[self.points.len() - 1].0 - self.points[0].0;
        self.step = (2 * self.step).max(2 * span / MOST as u64);
        let step = self.step;
        self.points.dedup_by(|later, kept| {
            let near = later.0 - kept.0 <= step;
            if near {
                kept.1 = later.1;
            }
            near
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_run_is_told_exactly() {
        let mut curve = Curve::default();
        for (time, number) in [(0, 1), (0, 2), (5, 3), (6, 2), (6, 1)] {
            curve.set(time, number);
        }
        assert_eq!(curve.points(), [(0, 2), (5, 3), (6, 1)]);
    }

    #[test]
    fn a_long_run_takes_no_more_memory_and_keeps_its_shape() {
        let mut curve = Curve::default();
        for time in 0..5_000_000u64 {
            curve.set(time, (time / 1_000_000) as u32);
        }
        assert!((MOST / 4..=MOST).contains(&curve.points().len()), "{}", curve.points().len());
        for million in 0..5u32 {
            let time = u64::from(million) * 1_000_000 + 500_000;
            let before = curve.points().iter().rev().find(|point| point.0 <= time).unwrap();
            assert_eq!(before.1, million);
        }
    }
}
