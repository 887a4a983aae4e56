//! How deep the trees are that the kernel searches in one go.
//!
//! Small ones are not worth the trouble of a node in the worker's hands; while a large one is searched,
//! others wait for work. How many nodes a depth means differs from game to game, so it is learned: each
//! worker for itself.

/// Trees searched before the grain is looked at again.
const RUNS: u64 = 32;
/// How many times smaller or larger than wanted they may be.
const TOLERANCE: u64 = 3;

/// The grain of one worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grain {
    least: u32,
    depth: u32,
    wanted: u64,
    runs: u64,
    nodes: u64,
}

impl Grain {
    /// Never less than `least`; just that if no number of nodes is wanted.
    pub fn new(least: u32, wanted: u64) -> Grain {
        Grain { least, depth: least, wanted, runs: 0, nodes: 0 }
    }

    /// Nodes of this depth or less are searched in one go, in an iteration of that depth; with puzzles the
    /// depth is the moves to spare.
    pub fn at(&self, root_depth: u32) -> u32 {
        // Something is to be left to share out.
        self.depth.min((root_depth / 2).max(self.least))
    }

    /// The depth that was learned so far.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Takes over what another worker has learned, unless this one knows of more.
    pub fn adopt(&mut self, depth: u32) {
        if self.wanted > 0 {
            self.depth = self.depth.max(depth);
        }
    }

    /// Hears how large a tree was.
    pub fn learn(&mut self, nodes: u64) {
        if self.wanted == 0 {
            return;
        }
        self.runs += 1;
        self.nodes += nodes;
        // One tree that is as large as all of them together should be says enough.
        if self.runs < RUNS && self.nodes < RUNS * TOLERANCE * self.wanted {
            return;
        }
        let mean = self.nodes / self.runs;
        (self.runs, self.nodes) = (0, 0);
        if mean * TOLERANCE < self.wanted {
            self.depth += 1;
        } else if mean > self.wanted * TOLERANCE && self.depth > self.least {
            self.depth -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grain_follows_the_size_of_trees() {
        let mut grain = Grain::new(2, 1000);
        // A game in which each ply has three times as many nodes.
        for _ in 0..1000 {
            grain.learn(3u64.pow(grain.at(20)));
        }
        assert!((300..3100).contains(&3u64.pow(grain.at(20))), "{grain:?}");
        assert_eq!((grain.at(2), grain.at(8)), (2, 4), "shallow iterations are shared out, too");
        for _ in 0..1000 {
            grain.learn(40u64.pow(grain.at(20)));
        }
        assert_eq!(grain.at(20), 2);
        let mut one = Grain { depth: 9, ..Grain::new(2, 1000) };
        one.learn(100_000);
        assert_eq!(one.at(20), 8, "a tree that is much too large is noticed at once");
        let mut fixed = Grain::new(1, 0);
        (0..100).for_each(|_| fixed.learn(1));
        assert_eq!(fixed.at(20), 1);
    }
}
