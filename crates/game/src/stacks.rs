//! Fields that hold several pieces, one on the other.
//!
//! The board knows the piece on top. What lies below it is kept by properties of fields that the compiler
//! declares: the height of the stack, and the pieces below the top as digits, the upper ones first.

use crate::{Description, Diagram, Field, Piece, Property, Scope};

/// How fields hold several pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stacks {
    /// The pieces that may lie below others; their numbers here are the digits.
    pub covered: Vec<Piece>,
}

impl Stacks {
    /// The property that says how many pieces a field holds.
    pub const HEIGHT: &str = "stack_height";

    /// The properties that hold the digits, those of the upper pieces first.
    pub const BELOW: [&str; 2] = ["stack_below", "stack_below_2"];

    /// Bits of the digits that one property holds.
    pub const CHUNK: u32 = 30;

    /// Bits that all digits may have together.
    pub const MOST_BITS: u32 = Self::CHUNK * Self::BELOW.len() as u32;

    /// Bits of a digit.
    pub fn bits(&self) -> u32 {
        (usize::BITS - self.covered.len().saturating_sub(1).leading_zeros()).max(1)
    }

    /// The digit of a piece; nothing if it may not lie below others.
    pub fn digit(&self, piece: Piece) -> Option<usize> {
        self.covered.iter().position(|&covered| covered == piece)
    }

    /// Whether a property holds stacks: position texts show it as pieces.
    pub fn keeps(property: &Property) -> bool {
        property.scope == Scope::Field
            && (property.name == Self::HEIGHT || Self::BELOW.contains(&property.name.as_str()))
    }
}

impl Description {
    /// The greatest height of a stack; 1 where there are none.
    pub fn highest_stack(&self) -> usize {
        match &self.stacks {
            Some(_) => self.property(Stacks::HEIGHT).map_or(1, |property| property.high.max(1) as usize),
            None => 1,
        }
    }

    /// The properties that belong to positions and that rules declare: all but those that hold stacks.
    pub fn shown_properties(&self) -> impl Iterator<Item = &Property> {
        self.properties.iter().filter(|property| self.stacks.is_none() || !Stacks::keeps(property))
    }

    /// The properties that hold stacks.
    pub fn stack_properties(&self) -> impl Iterator<Item = &Property> {
        self.properties.iter().filter(|property| self.stacks.is_some() && Stacks::keeps(property))
    }

    /// The pieces on a field, the lowest first.
    pub fn stack(&self, diagram: &Diagram, field: Field) -> Vec<Piece> {
        let top = diagram.piece(field);
        let mut pieces = Vec::new();
        if let Some(stacks) = &self.stacks {
            let value = |name: &str| {
                self.property(name).map_or(0, |property| diagram.values[property.offset + field.index()])
            };
            let [low, high] = Stacks::BELOW.map(|name| i64::from(value(name)));
            let digits = low | high << Stacks::CHUNK;
            let below = value(Stacks::HEIGHT).saturating_sub(1).clamp(0, Stacks::MOST_BITS as i32);
            for number in (0..below as u32).rev() {
                let rest = digits.checked_shr(number * stacks.bits()).unwrap_or(0);
                let digit = rest & ((1 << stacks.bits()) - 1);
                pieces.extend(stacks.covered.get(digit as usize));
            }
        }
        pieces.extend(Some(top).filter(|&top| top != Piece::NONE));
        pieces
    }

    /// Puts pieces on a field, the lowest first, in place of what was there. All but the last must be among
    /// those that may lie below others.
    pub fn put_stack(&self, diagram: &mut Diagram, field: Field, pieces: &[Piece]) {
        diagram.cells[field.index()] = pieces.last().copied().unwrap_or(Piece::NONE);
        let Some(stacks) = &self.stacks else { return };
        let below = pieces.split_last().map_or(pieces, |(_, below)| below);
        let digit = |piece: &Piece| stacks.digit(*piece).unwrap_or(0) as i64;
        let digits = below.iter().fold(0, |digits, piece| digits << stacks.bits() | digit(piece));
        let chunk = (1 << Stacks::CHUNK) - 1;
        let values = [
            (Stacks::HEIGHT, pieces.len() as i64),
            (Stacks::BELOW[0], digits & chunk),
            (Stacks::BELOW[1], digits >> Stacks::CHUNK),
        ];
        for (name, value) in values {
            if let Some(property) = self.property(name) {
                diagram.values[property.offset + field.index()] = value as i32;
            }
        }
    }
}
