//! Collects the nodes that a search looks at and makes a tree of them, whoever looked at which.
//!
//! Searches tell of the children of a node before the node itself. A node is known by its position and its
//! ply, so that its children find it even if others have looked at them. Where two workers reach one position
//! on two ways at the same time, a child may end up below either.

use std::sync::{Mutex, PoisonError};

use multigame_game::{Game, Signature};
use multigame_search::{Bounds, Computed, Monitor, Window};
use rustc_hash::FxHashMap;

/// More nodes are not kept.
const MOST_NODES: usize = 20_000;

/// A node of the search, without its position.
pub struct Node {
    pub signature: Signature,
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    pub ply: usize,
    pub depth: u32,
    pub window: Window,
    pub bounds: Bounds,
    pub from_table: bool,
    /// Nodes below, itself included.
    pub size: usize,
    /// Who looked at it.
    pub worker: u32,
}

/// The tree of the last search of the root that came to its end.
pub struct Grown {
    pub nodes: Vec<Node>,
    pub root: usize,
    /// Nodes that were looked at in vain: what they were for had been decided meanwhile.
    pub abandoned: usize,
}

/// Where the nodes are collected.
pub struct Garden<'g, G> {
    game: &'g G,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    nodes: Vec<Node>,
    /// The nodes whose parent has not come yet, by its signature and their ply.
    waiting: FxHashMap<(usize, Signature), Vec<usize>>,
    grown: Option<Grown>,
    full: bool,
}

impl<'g, G: Game> Garden<'g, G> {
    /// An empty one.
    pub fn new(game: &'g G) -> Garden<'g, G> {
        Garden { game, state: Mutex::default() }
    }

    /// Who tells the garden what a worker looks at.
    pub fn gardener(&self, worker: u32) -> Gardener<'_, 'g, G> {
        Gardener { garden: self, worker }
    }

    /// Whether nothing more is kept: the search may as well end.
    pub fn is_full(&self) -> bool {
        self.lock().full
    }

    /// The tree, if a search of the root came to its end.
    pub fn into_grown(self) -> Option<Grown> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).grown
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn add(&mut self, above: Signature, mut node: Node) {
        if self.nodes.len() >= MOST_NODES {
            self.full = true;
            return;
        }
        let number = self.nodes.len();
        node.children = self.waiting.remove(&(node.ply + 1, node.signature)).unwrap_or_default();
        for &child in &node.children {
            self.nodes[child].parent = Some(number);
            node.size += self.nodes[child].size;
        }
        let (ply, size) = (node.ply, node.size);
        self.nodes.push(node);
        if ply > 0 {
            self.waiting.entry((ply, above)).or_default().push(number);
            return;
        }
        let nodes = std::mem::take(&mut self.nodes);
        self.waiting.clear();
        self.grown = Some(Grown { abandoned: nodes.len() - size, root: number, nodes });
    }
}

/// Tells a garden what one worker looks at.
pub struct Gardener<'a, 'g, G> {
    garden: &'a Garden<'g, G>,
    worker: u32,
}

impl<G: Game> Monitor<G> for Gardener<'_, '_, G> {
    fn witnesses(&self) -> bool {
        true
    }

    fn computed(&mut self, computed: &Computed<'_, G>) {
        let game = self.garden.game;
        let node = Node {
            signature: game.signature(computed.position),
            parent: None,
            children: Vec::new(),
            ply: computed.ply,
            depth: computed.depth,
            window: computed.window,
            bounds: computed.bounds,
            from_table: computed.from_table,
            size: 1,
            worker: self.worker,
        };
        let above = computed.parent.map_or(0, |parent| game.signature(parent));
        self.garden.lock().add(above, node);
    }
}

#[cfg(test)]
mod tests {
    use multigame_search::Value;

    use super::*;

    fn node(worker: u32, ply: usize, signature: Signature) -> Node {
        Node {
            signature,
            parent: None,
            children: Vec::new(),
            ply,
            depth: 2 - ply as u32,
            window: Window::FULL,
            bounds: Bounds::exact(Value::DRAW),
            from_table: false,
            size: 1,
            worker,
        }
    }

    #[test]
    fn nodes_find_their_parents_whoever_looked_at_them() {
        let mut state = State::default();
        // Two workers below two children of the root, in turns; what is below 30 is given up.
        for (worker, ply, signature, above) in
            [(0, 2, 11, 10), (1, 2, 21, 20), (0, 2, 12, 10), (2, 2, 31, 30), (1, 1, 20, 1), (0, 1, 10, 1)]
        {
            state.add(above, node(worker, ply, signature));
        }
        state.add(0, node(0, 0, 1));
        let grown = state.grown.take().unwrap();
        let root = &grown.nodes[grown.root];
        assert_eq!((root.size, grown.abandoned), (6, 1));
        let child = |signature| grown.nodes.iter().find(|node| node.signature == signature).unwrap();
        assert_eq!((child(10).children.len(), child(20).children.len()), (2, 1));
        assert_eq!((child(21).worker, child(31).parent), (1, None));
        // The next search of the root begins anew.
        assert!(state.nodes.is_empty() && state.waiting.is_empty());
        for number in 0..=MOST_NODES as u64 {
            state.add(1, node(0, 1, number));
        }
        assert!(state.full && state.grown.is_none());
    }
}
