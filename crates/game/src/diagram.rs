//! A position as plain data, the same for every game and every engine.

use crate::{Description, Field, Piece, Side};

/// The pieces on their fields, all properties, and the player to move.
///
/// Engines keep positions in whatever form is fast for them; texts, pictures and notation work on diagrams.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagram {
    /// One entry for each field, holes included.
    pub cells: Vec<Piece>,
    /// The values of all properties, see [`crate::Property::offset`].
    pub values: Vec<i32>,
    /// Whose turn it is.
    pub side: Side,
}

impl Diagram {
    /// An empty board with all properties at their least value, White to move.
    pub fn empty(description: &Description) -> Diagram {
        let mut values = Vec::with_capacity(description.value_count());
        for property in &description.properties {
            values.extend(std::iter::repeat_n(property.low, property.length(&description.board)));
        }
        Diagram { cells: vec![Piece::NONE; description.board.size()], values, side: Side::White }
    }

    /// The content of a field.
    pub fn piece(&self, field: Field) -> Piece {
        self.cells[field.index()]
    }
}
