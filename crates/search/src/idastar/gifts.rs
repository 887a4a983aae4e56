//! Parts of the tree that are given away while it is searched: a child that was not reached yet, of the
//! position nearest the root that has one. It is passed over when it is reached. A result without it
//! says nothing about the positions above it, which are not learned.

use std::ops::ControlFlow;

use multigame_game::{Game, Signature};

use super::{IdaStar, Node};
use crate::Evaluator;
use crate::hooks::{Monitor, Part};

/// The children given away along the path. Positions of the path are told apart by the moves that are left
/// there.
#[derive(Debug)]
pub(super) struct Gifts {
    /// The least of the two numbers below: positions with fewer moves left need not ask.
    pub marked: u32,
    /// Children that others search, each with the moves that are left where it branches off.
    given: Vec<(u32, Signature)>,
    /// Something was given away below positions of the path with at least this many moves left.
    broken: u32,
    /// Positions of the path with at least this many moves left have nothing more to give. To look again
    /// would take as long as to search them.
    spent: u32,
    /// Which of their children is on the path.
    way: Vec<u16>,
}

impl Gifts {
    /// For a search with this many moves left.
    pub fn new(left: u32) -> Gifts {
        let (broken, spent) = (u32::MAX, left + 1);
        Gifts { marked: spent, given: Vec::new(), broken, spent, way: Vec::new() }
    }

    /// Whether others search a child of the position with this many moves left.
    #[cold]
    pub fn has(&self, left: u32, child: Signature) -> bool {
        self.given.contains(&(left, child))
    }

    /// The position with this many moves left is done. Whether it was searched as a whole.
    #[cold]
    pub fn leave(&mut self, left: u32) -> bool {
        if left >= self.spent {
            self.spent = left + 1;
            self.way.pop();
        }
        let whole = left < self.broken;
        if !whole {
            self.given.retain(|&(at, _)| at > left);
            self.broken = left + 1;
        }
        self.marked = self.spent.min(self.broken);
        whole
    }
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> IdaStar<'_, G, E, M> {
    /// Gives something away, if there is something.
    #[cold]
    pub(super) fn share(&mut self, node: &Node<'_, G::Position>, left: u32) {
        self.pulse.asked = false;
        let (game, evaluator) = (self.game, self.evaluator);
        let gifts = &mut self.gifts;
        let fresh = gifts.spent.saturating_sub(left) as usize;
        let mut path: Vec<_> = std::iter::successors(Some(node), |node| node.father).take(fresh).collect();
        while let [.., child, father] = path[..] {
            let left = gifts.spent - 1;
            let (mut index, mut on_path, mut best, mut least) = (0, None, None, left);
            let visited = game.children(father.position, &mut |position| {
                let signature = game.signature(position);
                if signature == child.signature {
                    on_path.get_or_insert(index);
                } else if on_path.is_some()
                    && signature ^ father.signature != father.back
                    && !gifts.given.contains(&(left, signature))
                {
                    // The fewer moves are certainly needed, the larger is the tree.
                    let bound = evaluator.lower_bound(game, position);
                    if bound < least {
                        (least, best) = (bound, Some((position.clone(), signature, index)));
                    }
                }
                index += 1;
                ControlFlow::Continue(())
            });
            let (Ok(_), Some(on_path)) = (visited, on_path) else { return };
            if let Some((position, signature, index)) = best {
                gifts.given.push((left, signature));
                gifts.broken = gifts.broken.min(left);
                gifts.marked = gifts.spent.min(gifts.broken);
                gifts.way.push(index);
                let (position, way) = (&position, &gifts.way[..]);
                self.pulse.monitor.share(Part { position, back: father.signature, left: left - 1, way });
                gifts.way.pop();
                return;
            }
            gifts.way.push(on_path);
            gifts.spent = left;
            gifts.marked = gifts.spent.min(gifts.broken);
            path.pop();
        }
    }
}
