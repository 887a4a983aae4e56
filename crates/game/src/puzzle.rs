//! Facts about a puzzle that its rules show without being run.

use crate::{Piece, PieceSet};

/// A puzzle with one goal position, as far as pieces go; whether there are properties, the description tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The content of each field in the solved position, holes included.
    pub goal: Vec<Piece>,
    /// The sets of pieces that the rules for moves ask for: pieces that are in the same ones move alike.
    pub asked: Vec<PieceSet>,
    /// Abstractions declared in the rules.
    pub abstractions: Vec<Abstraction>,
}

/// A view of a puzzle that tells only some pieces apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abstraction {
    /// Its name.
    pub name: String,
    /// The pieces that are told apart; all others look the same.
    pub kept: PieceSet,
}

impl Puzzle {
    /// Whether the rules for moves treat some pieces alike.
    pub fn move_alike(&self, pieces: PieceSet) -> bool {
        self.asked.iter().all(|asked| {
            let among = pieces.iter().filter(|&piece| asked.contains(piece)).count();
            among == 0 || among == pieces.len()
        })
    }
}
