//! Merits of moves: how they did when they were tried, the last times most.
//!
//! History counts only add up; merits also fall, where a move was tried in vain before another one gave a
//! cutoff. So they tell not only which move to try first but also which ones hardly deserve to be searched.

/// Merits stay between this and its negative.
pub(crate) const LIMIT: i32 = 1 << 14;

/// The merits of moves, by keys.
#[derive(Clone, Debug)]
pub(crate) struct Merits {
    values: Vec<i16>,
    shift: u32,
}

impl Merits {
    /// Tells keys apart by this many bits.
    pub fn with_bits(bits: u32) -> Merits {
        Merits { values: vec![0; 1 << bits], shift: 64 - bits }
    }

    /// The merit of a move.
    #[inline]
    pub fn get(&self, key: u64) -> i32 {
        i32::from(self.values[self.slot(key)])
    }

    /// A move was good or tried in vain at a node of that depth. The nearer a merit is to its limit, the less
    /// it moves on.
    pub fn learn(&mut self, key: u64, depth: u32, good: bool) {
        let depth = depth.min(32) as i32;
        let size = (16 * depth * depth + 32 * depth).min(LIMIT / 8);
        let slot = self.slot(key);
        let value = i32::from(self.values[slot]);
        let step = if good { size } else { -size };
        self.values[slot] = (value + step - value * size / LIMIT) as i16;
    }

    /// Halves all merits: what was learned for an earlier position counts less.
    pub fn age(&mut self) {
        for value in &mut self.values {
            *value /= 2;
        }
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }
}

/// A move as the answer to another one.
#[inline]
pub(crate) fn reply(to: u64, key: u64) -> u64 {
    key ^ to.wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merits_rise_and_fall_within_limits() {
        let mut merits = Merits::with_bits(10);
        for _ in 0..10_000 {
            merits.learn(1, 9, true);
        }
        assert!(merits.get(1) > LIMIT * 9 / 10 && merits.get(1) <= LIMIT, "{}", merits.get(1));
        let before = merits.get(1);
        merits.learn(1, 3, false);
        assert!(merits.get(1) < before);
        for _ in 0..10_000 {
            merits.learn(1, 40, false);
        }
        assert!(merits.get(1) < -LIMIT * 9 / 10 && merits.get(1) >= -LIMIT, "{}", merits.get(1));
        merits.age();
        assert!(merits.get(1) >= -LIMIT / 2);
        assert_eq!(merits.get(2), 0);
    }
}
