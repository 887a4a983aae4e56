//! A solved slice, or a solved game: from a position to its value.

use multigame_game::Side;

use crate::material::Material;
use crate::seen::{Key, Packing, Seen};
use crate::shape::Shape;
use crate::standing::Standing;

/// The values of all positions of a slice, or of all positions that can be reached from one.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The slice; nothing for a game that was solved as a whole.
    pub(crate) material: Option<Material>,
    /// Arrangements whose properties all have their least values.
    pub(crate) shape: Option<Shape>,
    pub(crate) packing: Packing,
    /// Whether values are margins.
    pub(crate) scored: bool,
    /// Further positions, in order.
    pub(crate) extras: Vec<Key>,
    pub(crate) values: Values,
}

/// A number for each position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// None is above 255.
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

impl Values {
    pub fn new(codes: Vec<u16>) -> Values {
        match codes.iter().all(|&code| code <= 255) {
            true => Values::Narrow(codes.into_iter().map(|code| code as u8).collect()),
            false => Values::Wide(codes),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Values::Narrow(codes) => codes.len(),
            Values::Wide(codes) => codes.len(),
        }
    }

    #[inline]
    pub fn code(&self, node: usize) -> u16 {
        match self {
            Values::Narrow(codes) => codes[node].into(),
            Values::Wide(codes) => codes[node],
        }
    }

    pub fn bytes(&self) -> u64 {
        match self {
            Values::Narrow(codes) => codes.len() as u64,
            Values::Wide(codes) => 2 * codes.len() as u64,
        }
    }
}

impl Table {
    /// The slice; nothing for a game that was solved as a whole.
    pub fn material(&self) -> Option<&Material> {
        self.material.as_ref()
    }

    /// Whether values are margins, because games end with scores.
    pub fn scored(&self) -> bool {
        self.scored
    }

    /// Number of entries, those without a position included.
    pub fn entries(&self) -> usize {
        self.values.len()
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        self.values.bytes() + (self.extras.len() * size_of::<Key>()) as u64
    }

    /// Positions that have no place among the arrangements: those with properties such as a pawn that may be
    /// taken en passant.
    pub fn extras(&self) -> usize {
        self.extras.len()
    }

    /// The entry of a position; nothing if it has none.
    pub(crate) fn node(&self, seen: &Seen) -> Option<usize> {
        if seen.plain
            && let Some(index) = self.shape.as_ref().and_then(|shape| shape.index(&seen.pieces, seen.side))
        {
            return Some(index as usize);
        }
        let dense = self.shape.as_ref().map_or(0, Shape::size) as usize;
        if self.extras.is_empty() {
            return None;
        }
        Some(dense + self.extras.binary_search(&self.packing.pack(seen)).ok()?)
    }

    /// The value of a position; nothing if it is not stored.
    pub fn probe(&self, seen: &Seen) -> Option<Standing> {
        self.standing(self.node(seen)?)
    }

    /// The value of an entry; nothing where there is no position.
    pub fn standing(&self, node: usize) -> Option<Standing> {
        Standing::of_code(self.values.code(node), self.scored)
    }

    /// For how many positions an entry stands: those that are told apart by turning the board alone share
    /// one.
    pub fn images(&self, node: usize) -> u64 {
        match &self.shape {
            Some(shape) if node < shape.size() as usize => shape.images(node as u64),
            _ => 1,
        }
    }

    /// Whose turn it is in the position of an entry.
    pub fn side(&self, node: usize) -> Side {
        side(self.shape.as_ref(), &self.extras, node)
    }
}

/// Whose turn it is at a node of arrangements and further positions.
pub(crate) fn side(shape: Option<&Shape>, extras: &[Key], node: usize) -> Side {
    let dense = shape.map_or(0, Shape::size) as usize;
    match shape {
        Some(shape) if node < dense => shape.side(node as u64),
        // The turn is the last digit, see `Packing`.
        _ if extras[node - dense][0].is_multiple_of(2) => Side::White,
        _ => Side::Black,
    }
}
