//! The amount of work below the nodes of a ply: it tells the last plies of a game from others where depths
//! do not.

/// Least number of nodes for an average that says anything.
const SAMPLE: u64 = 16;

/// Number of nodes of a ply that were searched, and the nodes below them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    searched: u64,
    nodes: u64,
}

impl Effort {
    /// A node has been searched.
    #[inline]
    pub fn add(&mut self, nodes: u64) {
        self.searched += 1;
        self.nodes += nodes;
    }

    /// Whether searching a node takes at least this many nodes on average, as far as is known.
    #[inline]
    pub fn takes(&self, nodes: u64) -> bool {
        self.searched < SAMPLE || self.nodes >= nodes * self.searched
    }

    /// Number of plies below a node if each of them doubles the nodes.
    pub fn doublings(&self) -> u32 {
        (self.nodes / self.searched.max(1)).max(1).ilog2()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_once_there_is_something_to_average() {
        let mut effort = Effort::default();
        (1..SAMPLE).for_each(|_| effort.add(20));
        assert!(effort.takes(1000) && effort.doublings() == 4);
        effort.add(20);
        assert!(effort.takes(20) && !effort.takes(21));
    }
}
