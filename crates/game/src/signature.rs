//! Signatures: 64-bit fingerprints of positions that change little when a position changes little.

use crate::{Description, Diagram, Field, Piece, Scope, Side};

/// A 64-bit fingerprint; equal positions have equal signatures.
pub type Signature = u64;

/// The random numbers behind the signatures of one game.
///
/// They depend only on what is hashed, not on the run, so signatures may be stored in files.
#[derive(Clone, Debug)]
pub struct Zobrist {
    pieces: Vec<Signature>,
    fields: usize,
    hashed: Vec<bool>,
}

impl Zobrist {
    /// The signature of Black to move.
    pub const BLACK_TO_MOVE: Signature = 0x9d39_247e_3377_6d41;

    /// Prepares the numbers for a game.
    pub fn new(description: &Description) -> Zobrist {
        let fields = description.board.size();
        let count = description.pieces.len() * fields;
        let mut pieces: Vec<Signature> = (0..count as u64).map(|i| mix(i + 1)).collect();
        pieces[..fields].fill(0);
        let mut hashed = Vec::with_capacity(description.value_count());
        for property in &description.properties {
            hashed.extend(std::iter::repeat_n(property.hashed, property.length(&description.board)));
        }
        Zobrist { pieces, fields, hashed }
    }

    /// The number that a piece on a field adds; nothing for an empty field.
    #[inline]
    pub fn piece(&self, piece: Piece, field: Field) -> Signature {
        self.pieces[piece.index() * self.fields + field.index()]
    }

    /// The number that a value adds; nothing if its property is unhashed.
    pub fn value(&self, index: usize, value: i32) -> Signature {
        if self.hashed[index] { Self::any_value(index, value) } else { 0 }
    }

    fn any_value(index: usize, value: i32) -> Signature {
        mix(Self::seed(index) ^ u64::from(value as u32))
    }

    fn seed(index: usize) -> u64 {
        0x5bd1_e995_0000_0000 ^ ((index as u64) << Self::NUMBER_SHIFT)
    }

    /// What is mixed with a value's 32 bits, for code that computes what [`value`](Zobrist::value) gives;
    /// nothing if the property is unhashed.
    pub fn value_seed(&self, index: usize) -> Option<u64> {
        self.hashed[index].then(|| Self::seed(index))
    }

    /// How far the number of a value is shifted in its seed.
    pub const NUMBER_SHIFT: u32 = 33;

    /// The steps of the mixing: first xor with itself shifted to the right, then multiply, if there is
    /// anything to do.
    pub const MIXING: [(Option<u64>, Option<u64>); 4] = [
        (Some(0x9e37_79b9_7f4a_7c15), None),
        (Some(0xbf58_476d_1ce4_e5b9), Some(30)),
        (Some(0x94d0_49bb_1331_11eb), Some(27)),
        (None, Some(31)),
    ];

    /// The number that the change of an unhashed value adds to the key of a move. Counting on is the same
    /// change wherever the count stands, and so is starting again: moves with a clock beside them have the
    /// same key at all times.
    pub fn change(index: usize, before: i32, after: i32) -> Signature {
        let step = if after == 0 { i32::MIN } else { after.wrapping_sub(before) };
        Self::any_value(index, step).rotate_left(17)
    }

    /// The signature of a whole position.
    pub fn signature(&self, diagram: &Diagram) -> Signature {
        let cells = diagram.cells.iter().enumerate();
        let pieces = cells.fold(0, |sum, (field, &piece)| sum ^ self.piece(piece, Field(field as u16)));
        let values = diagram.values.iter().enumerate();
        let values = values.fold(0, |sum, (index, &value)| sum ^ self.value(index, value));
        let side = if diagram.side == Side::Black { Self::BLACK_TO_MOVE } else { 0 };
        pieces ^ values ^ side
    }
}

/// SplitMix64's output function: every bit of the input changes about half of the output's.
pub(crate) fn mix(input: u64) -> u64 {
    Zobrist::MIXING.iter().fold(input, |z, (factor, shift)| {
        let shifted = shift.map_or(z, |shift| z ^ (z >> shift));
        factor.map_or(shifted, |factor| shifted.wrapping_mul(factor))
    })
}

impl Scope {
    /// The word used in rules.
    pub fn word(self) -> &'static str {
        match self {
            Scope::Board => "board",
            Scope::Player => "player",
            Scope::Field => "field",
        }
    }
}
