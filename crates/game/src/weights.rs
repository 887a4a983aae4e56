//! The worth of pieces and properties: the cheapest statement about a position, which every engine can
//! compute from its own form of positions.

use crate::Diagram;

/// A weight for each piece and each value of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// One entry for each piece, the empty field's included.
    pub pieces: Vec<i32>,
    /// One entry for each of [`Diagram::values`]; empty where no property counts.
    pub values: Vec<i32>,
}

impl Weights {
    /// The sum over all fields and values.
    pub fn sum(&self, diagram: &Diagram) -> i32 {
        let pieces = diagram.cells.iter().map(|piece| self.pieces[piece.index()]);
        let values = diagram.values.iter().zip(&self.values).map(|(value, weight)| value * weight);
        pieces.sum::<i32>() + values.sum::<i32>()
    }
}
