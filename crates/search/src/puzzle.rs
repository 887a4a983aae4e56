//! Common parts of the engines for puzzles: the meaning of their answers, and the tree that A* and
//! breadth-first search keep in memory.

use std::ops::ControlFlow;

use multigame_game::{Game, Outcome, RulesError, Side, Signature};
use rustc_hash::FxHashMap;

use crate::identity::identity;
use crate::{Bounds, Proved, SearchResult, Statistics, Value};

/// This number of moves means that no way leads from here.
pub const NEVER: u32 = u32::MAX / 2;

/// Whether an outcome means that a puzzle is solved.
pub(crate) fn is_solution(outcome: Outcome) -> bool {
    outcome.winner() == Some(Side::White)
}

/// A shortest solution. Moves that are none leave the puzzle unsolved: signatures tell positions apart only
/// almost surely.
pub(crate) fn solved<G: Game>(
    game: &G,
    root: &G::Position,
    pv: Vec<G::Move>,
    statistics: Statistics,
) -> Result<SearchResult<G::Move>, RulesError> {
    let Some(proved) = Proved::shortest(game, root, &pv)? else {
        return Ok(unsolved(0, false, statistics));
    };
    let value = Value::win_in(pv.len() as u32);
    let (bounds, depth) = (Bounds::exact(value), pv.len() as u32);
    Ok(SearchResult { bounds, proved, value, pv, depth, finished: true, reported: true, statistics })
}

/// No solution of fewer moves than `length`; none at all if that is [`NEVER`].
pub(crate) fn unsolved<M>(length: u32, finished: bool, statistics: Statistics) -> SearchResult<M> {
    let proved = Proved::at_least_moves(length);
    let value = if length == NEVER { -Value::WIN } else { Value::DRAW };
    let (bounds, pv, depth) = (proved.bounds(), Vec::new(), length.min(NEVER - 1));
    SearchResult { bounds, proved, value, pv, depth, finished, reported: finished, statistics }
}

/// The moves that lead through positions with these signatures.
pub(crate) fn line<'a, G: Game>(
    game: &G,
    root: &G::Position,
    signatures: impl Iterator<Item = &'a Signature>,
) -> Result<Vec<G::Move>, RulesError> {
    let (mut position, mut line) = (root.clone(), Vec::new());
    for &signature in signatures {
        let mut next = None;
        game.visit(&position, &mut |mv, child| {
            if game.signature(child) != signature {
                return ControlFlow::Continue(());
            }
            next = Some((mv.clone(), child.clone()));
            ControlFlow::Break(())
        })?;
        let Some((mv, child)) = next else { break };
        line.push(mv);
        position = child;
    }
    Ok(line)
}

/// Positions by signature, each with the way it was reached.
#[derive(Debug)]
pub(crate) struct Tree<G: Game> {
    pub nodes: Vec<TreeNode<G>>,
    index: FxHashMap<Signature, u32>,
    limit: usize,
}

/// A node, and in which of several trees it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub tree: u32,
    pub number: u32,
}

impl Place {
    /// A node of the only tree.
    pub fn here(number: u32) -> Place {
        Place { tree: 0, number }
    }
}

#[derive(Debug)]
pub(crate) struct TreeNode<G: Game> {
    pub position: G::Position,
    parent: Place,
    mv: Option<G::Move>,
    /// Moves from the root.
    pub length: u32,
}

/// The fate of a position offered to a tree.
pub(crate) enum Added {
    New(u32),
    /// Known, but now reached by fewer moves.
    Shorter(u32),
    Known,
    Full,
}

impl<G: Game> Tree<G> {
    /// An empty tree.
    pub fn new(limit: usize) -> Tree<G> {
        Tree { nodes: Vec::new(), index: FxHashMap::default(), limit }
    }

    /// Puts the root into an empty tree.
    pub fn plant(&mut self, game: &G, root: &G::Position) {
        self.index.insert(identity(game, root), 0);
        self.nodes.push(TreeNode { position: root.clone(), parent: Place::here(0), mv: None, length: 0 });
    }

    /// Adds a child of a node that is this many moves from the root, the move to it included.
    pub fn add(&mut self, game: &G, parent: Place, length: u32, mv: &G::Move, child: &G::Position) -> Added {
        let signature = identity(game, child);
        if let Some(&number) = self.index.get(&signature) {
            let node = &mut self.nodes[number as usize];
            if node.length <= length {
                return Added::Known;
            }
            (node.parent, node.mv, node.length) = (parent, Some(mv.clone()), length);
            return Added::Shorter(number);
        }
        if self.nodes.len() >= self.limit {
            return Added::Full;
        }
        let number = self.nodes.len() as u32;
        self.index.insert(signature, number);
        self.nodes.push(TreeNode { position: child.clone(), parent, mv: Some(mv.clone()), length });
        Added::New(number)
    }

    /// The moves from the root to a node of one of several trees.
    pub fn line(trees: &[&Tree<G>], mut place: Place) -> Vec<G::Move> {
        let mut line = Vec::new();
        loop {
            let node = &trees[place.tree as usize].nodes[place.number as usize];
            let Some(mv) = &node.mv else { break };
            line.push(mv.clone());
            place = node.parent;
        }
        line.reverse();
        line
    }
}
