//! Where pieces want to go, for games whose rules say it plainly.

use std::collections::VecDeque;

use crate::{Board, Field, PieceSet, Side};

/// A player has won when one of these pieces is on one of these fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// Who wins.
    pub side: Side,
    /// The pieces; other conditions may have to be met as well.
    pub pieces: PieceSet,
    /// The fields.
    pub fields: Vec<Field>,
}

impl Goal {
    /// How many steps each field is away from the goal, going in any direction over whatever stands there; nothing
    /// where no way leads.
    pub fn distances(&self, board: &Board) -> Vec<Option<u32>> {
        let mut distances = vec![None; board.size()];
        let mut waiting: VecDeque<Field> = VecDeque::new();
        for &field in &self.fields {
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
}
