//! Where pieces want to go, for games whose rules say it plainly.

use std::collections::VecDeque;

use crate::{Board, Field, PieceSet, Side};

/// A player has won when one of these pieces, or all of them, are on these fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The winner.
    pub side: Side,
    /// The pieces; other conditions may have to be met as well.
    pub pieces: PieceSet,
    /// The fields.
    pub fields: Vec<Field>,
    /// Whether all of the pieces have to be there, not only one.
    pub all: bool,
}

impl Goal {
    /// Number of steps from each field to the goal, in any direction and over any pieces;
    /// nothing where no way leads. Where all pieces have to arrive, the way ends at the innermost fields, so
    /// that those who come first do not stop at the entrance.
    pub fn distances(&self, board: &Board) -> Vec<Option<u32>> {
        if self.all { distances_to(board, &self.innermost(board)) } else { distances_to(board, &self.fields) }
    }

    /// The fields of the goal that are farthest from all others.
    fn innermost(&self, board: &Board) -> Vec<Field> {
        let outside: Vec<Field> = board.fields().filter(|field| !self.fields.contains(field)).collect();
        let depths = distances_to(board, &outside);
        let depth = |field: &Field| depths[field.index()];
        let most = self.fields.iter().map(depth).max().flatten();
        self.fields.iter().copied().filter(|field| depth(field) == most).collect()
    }
}

/// Number of steps from each field to the nearest of some.
fn distances_to(board: &Board, fields: &[Field]) -> Vec<Option<u32>> {
    let mut distances = vec![None; board.size()];
    let mut waiting: VecDeque<Field> = VecDeque::new();
    for &field in fields {
        distances[field.index()] = Some(0);
        waiting.push_back(field);
    }
    // Backwards: from where does a step lead to a field that is known?
    let mut sources: Vec<Vec<Field>> = vec![Vec::new(); board.size()];
    for field in board.fields() {
        for next in board.directions().filter_map(|direction| board.step(field, direction)) {
            sources[next.index()].push(field);
        }
    }
    while let Some(field) = waiting.pop_front() {
        let further = distances[field.index()].map(|distance| distance + 1);
        for &source in &sources[field.index()] {
            if distances[source.index()].is_none() {
                distances[source.index()] = further;
                waiting.push_back(source);
            }
        }
    }
    distances
}
