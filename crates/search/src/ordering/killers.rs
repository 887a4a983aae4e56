//! Killer moves: what refuted a brother may refute this node too. Two for each ply, each with a bonus, as in
//! ZUGZWANG.

use serde::{Deserialize, Serialize};

/// A killer move, and how often it gave a cutoff.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Killer {
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

    /// The killers of the plies from one on.
    pub fn below(&self, ply: usize) -> &[[Killer; 2]] {
        &self.plies[ply.min(self.plies.len())..]
    }

    /// Takes over what another worker knows about the plies from one on.
    pub fn adopt(&mut self, ply: usize, killers: &[[Killer; 2]]) {
        if self.plies.len() < ply + killers.len() {
            self.plies.resize(ply + killers.len(), Default::default());
        }
        for (own, pair) in self.plies[ply..].iter_mut().zip(killers) {
            if pair[0].bonus > 0 {
                *own = *pair;
            }
        }
    }

    /// Takes in what another worker has learned since it took over what was known here: the best killer of
    /// both is the first one, and the other worker's is the newer one of the rest.
    pub fn merge(&mut self, ply: usize, killers: &[[Killer; 2]]) {
        if self.plies.len() < ply + killers.len() {
            self.plies.resize(ply + killers.len(), Default::default());
        }
        for (own, pair) in self.plies[ply..].iter_mut().zip(killers) {
            let candidates = [own[0], pair[0], pair[1], own[1]];
            let best = candidates.into_iter().fold(Killer::default(), |best, killer| {
                if killer.bonus > best.bonus { killer } else { best }
            });
            let newer = [pair[0], pair[1], own[0], own[1]];
            let rest = newer.into_iter().find(|killer| killer.bonus > 0 && killer.key != best.key);
            *own = [best, rest.unwrap_or_default()];
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

    #[test]
    fn another_worker_goes_on_with_what_is_known_and_brings_it_back() {
        let (mut master, mut slave) = (Killers::default(), Killers::default());
        for key in [7, 7, 7, 8] {
            master.add(3, key);
        }
        slave.add(3, 1);
        slave.adopt(3, master.below(3));
        assert_eq!([7, 8, 1].map(|key| slave.rank(3, key)), [2, 1, 0]);
        slave.add(3, 9);
        master.add(3, 8);
        master.merge(3, slave.below(3));
        assert_eq!([7, 8, 9].map(|key| master.rank(3, key)), [2, 0, 1]);
        assert!(master.below(4).is_empty());
        slave.adopt(5, master.below(9));
        slave.merge(5, &[]);
        assert_eq!(slave.rank(5, 7), 0);
    }
}
