//! The ideal profile: how many processors would have been at work when, had there been infinitely many.
//!
//! Every piece of work knows the length of the longest chain of work before it, which is when it would begin
//! there. Pieces are added up in parts of the time of equal length; how long the time is turns out in the
//! end, so parts become longer as work is heard of that begins later.

/// Parts that are kept.
const PARTS: usize = 512;

/// Work by the time at which infinitely many processors would do it; times in ticks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ideal {
    /// The length of a part; 0 before the first work.
    width: u64,
    parts: Vec<u64>,
}

impl Ideal {
    /// Hears of a piece of work.
    pub fn add(&mut self, from: u64, to: u64) {
        if to <= from {
            return;
        }
        if self.parts.is_empty() {
            (self.width, self.parts) = (1, vec![0; PARTS]);
        }
        while to > self.width * PARTS as u64 {
            self.widen();
        }
        let mut at = from;
        while at < to {
            let part = at / self.width;
            let end = to.min((part + 1) * self.width);
            self.parts[part as usize] += end - at;
            at = end;
        }
    }

    /// Makes parts twice as long.
    fn widen(&mut self) {
        self.width *= 2;
        for part in 0..PARTS / 2 {
            self.parts[part] = self.parts[2 * part] + self.parts[2 * part + 1];
        }
        self.parts[PARTS / 2..].fill(0);
    }

    /// Takes another worker's work in.
    pub fn join(&mut self, other: &Ideal) {
        if self.parts.is_empty() {
            self.clone_from(other);
            return;
        }
        let mut other = other.clone();
        while !other.parts.is_empty() && other.width < self.width {
            other.widen();
        }
        while self.width < other.width {
            self.widen();
        }
        self.parts.iter_mut().zip(&other.parts).for_each(|(own, other)| *own += other);
    }

    /// Processors at work on average, in this many parts of equal length of a time that ends then.
    pub fn parallelism(&self, count: usize, end: u64) -> Vec<f64> {
        let mut found = vec![0.0; count];
        if end == 0 {
            return found;
        }
        let length = end as f64 / count as f64;
        for (number, &work) in self.parts.iter().enumerate().filter(|(_, work)| **work > 0) {
            let from = (number as u64 * self.width) as f64;
            let to = (((number as u64 + 1) * self.width).min(end.max(1))) as f64;
            // Work that was given up may begin later than the end.
            let density = work as f64 / (to - from).max(1.0);
            let first = ((from / length) as usize).min(count - 1);
            for (part, busy) in found.iter_mut().enumerate().skip(first) {
                let (begin, stop) = (part as f64 * length, (part + 1) as f64 * length);
                if begin >= to {
                    break;
                }
                *busy += density * (to.min(stop) - from.max(begin)).max(0.0) / length;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_found_where_it_would_be_done() {
        let mut ideal = Ideal::default();
        ideal.add(0, 1000);
        ideal.add(500, 1000);
        ideal.add(500, 1000);
        ideal.add(7, 7);
        let parts = ideal.parallelism(2, 1000);
        assert!((parts[0] - 1.0).abs() < 0.02 && (parts[1] - 3.0).abs() < 0.02, "{parts:?}");
        assert_eq!(Ideal::default().parallelism(3, 9), [0.0; 3]);
    }

    #[test]
    fn no_work_is_lost_when_workers_are_put_together() {
        let (mut one, mut other) = (Ideal::default(), Ideal::default());
        (0..100).for_each(|piece| one.add(piece, piece + 10));
        other.add(99_000, 100_000);
        for (mut all, rest) in [(one.clone(), &other), (other.clone(), &one), (Ideal::default(), &one)] {
            let before: u64 = all.parts.iter().sum();
            all.join(rest);
            assert_eq!(all.parts.iter().sum::<u64>(), before + rest.parts.iter().sum::<u64>());
            all.join(&Ideal::default());
            let area: f64 = all.parallelism(50, 100_000).iter().sum::<f64>() * 2000.0;
            assert!((area - all.parts.iter().sum::<u64>() as f64).abs() < 1.0, "{area}");
        }
    }
}
