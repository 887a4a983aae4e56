//! Killer moves: what refuted a brother may refute this node too. Two for each ply, each with a bonus, as in ZUGZWANG.

#[derive(Clone, Copy, Debug, Default)]
struct Killer {
    key: u64,
    bonus: u32,
}

/// The killers of all plies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Killers {
    plies: Vec<[Killer; 2]>,
}

impl Killers {
    /// 2 for the first killer of a ply, 1 for the second, 0 for other moves.
    #[inline]
    pub fn rank(&self, ply: usize, key: u64) -> i64 {
        let Some([first, second]) = self.plies.get(ply) else { return 0 };
        if first.bonus > 0 && first.key == key {
            2
        } else if second.bonus > 0 && second.key == key {
            1
        } else {
            0
        }
    }

    /// A move gave a cutoff at a ply.
    pub fn add(&mut self, ply: usize, key: u64) {
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, Default::default());
        }
        let [first, second] = &mut self.plies[ply];
        if first.bonus > 0 && first.key == key {
            first.bonus += 1;
        } else if second.bonus > 0 && second.key == key {
            second.bonus += 1;
            if second.bonus > first.bonus {
                std::mem::swap(first, second);
            }
        } else if first.bonus == 0 {
            *first = Killer { key, bonus: 1 };
        } else {
            *second = Killer { key, bonus: 1 };
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.plies.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_killer_comes_first() {
        let mut killers = Killers::default();
        for key in [7, 7, 8, 9, 9, 9] {
            killers.add(3, key);
        }
        assert_eq!([7, 8, 9].map(|key| killers.rank(3, key)), [1, 0, 2]);
        assert_eq!(killers.rank(2, 9), 0);
    }
}
