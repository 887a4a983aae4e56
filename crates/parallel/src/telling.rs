//! Which positions everybody is told about, where every process has a table of its own.
//!
//! The more is told, the less is searched twice, but each entry that arrives takes time from the search. How
//! many entries a depth means differs from game to game, so it is learned: each worker for itself.

/// Nodes after which the depth is looked at again.
const NODES: u64 = 20_000;
/// A process shall hear of at most one entry for this many nodes it searches.
const NODES_PER_ENTRY: u64 = 4;
/// With this many times fewer entries, those of a ply less are told, too.
const TOLERANCE: u64 = 8;
/// Entries of less depth are found again more quickly than they are told.
const LEAST: u32 = 1;

/// The least depth of what one worker tells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Telling {
    from: u32,
    /// Processes that hear it, if the depth is learned.
    hearers: u64,
    told: u64,
    nodes: u64,
}

impl Telling {
    /// Always from this depth on.
    pub fn fixed(from: u32) -> Telling {
        Telling { from, hearers: 0, told: 0, nodes: 0 }
    }

    /// From a depth that is learned.
    pub fn learned(hearers: u32) -> Telling {
        Telling { hearers: u64::from(hearers), ..Telling::fixed(LEAST) }
    }

    /// The least depth now.
    pub fn from(&self) -> u32 {
        self.from
    }

    /// Counts an entry.
    pub fn told(&mut self) {
        self.told += 1;
    }

    /// Hears how many nodes were searched.
    pub fn searched(&mut self, nodes: u64) {
        self.nodes += nodes;
        if self.hearers == 0 || self.nodes < NODES {
            return;
        }
        // Every process hears all the others, and all do the same on the average.
        let heard = self.told * self.hearers * NODES_PER_ENTRY;
        if heard > self.nodes {
            self.from += 1;
        } else if heard * TOLERANCE < self.nodes && self.from > LEAST {
            self.from -= 1;
        }
        (self.told, self.nodes) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The depth that is learned where each ply has `width` times as many nodes.
    fn learned(width: u64, hearers: u32) -> u32 {
        let mut telling = Telling::learned(hearers);
        for _ in 0..20 {
            let entries = NODES / width.pow(telling.from());
            (0..entries).for_each(|_| telling.told());
            telling.searched(NODES);
        }
        telling.from()
    }

    #[test]
    fn more_hearers_are_told_less() {
        assert_eq!([1, 3, 15, 63].map(|hearers| learned(3, hearers)), [2, 3, 4, 6]);
        assert_eq!([1, 3, 15, 63].map(|hearers| learned(6, hearers)), [1, 2, 3, 4]);
    }

    #[test]
    fn what_is_fixed_stays() {
        let mut telling = Telling::fixed(5);
        telling.searched(10 * NODES);
        assert_eq!(telling.from(), 5);
    }
}
