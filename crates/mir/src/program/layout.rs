//! How a position lies in memory: 64-bit words.
//!
//! | words | what |
//! |---|---|
//! | 0 | signature |
//! | 1 | header: side to move, irreversible, outcome |
//! | 2 .. | the pieces: one bitboard of `set_words` words for each piece from 1 on, or their numbers bit by bit |
//! | then | for each property of fields its values less the least one, bit by bit: a bitboard for each bit |
//! | then | values of the other properties, 32 bits each, two to a word |
//!
//! Where rules never ask which piece it is, positions keep the numbers of pieces: a bitboard for each bit.

use multigame_game::{Diagram, Outcome, Piece, PieceSet, Scope, Side};
use multigame_ir::Program;

/// The word that holds the signature.
pub const SIGNATURE: usize = 0;

/// The word that holds the header.
pub const HEADER: usize = 1;

const FIRST_BOARD: usize = 2;

/// Where everything lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of fields, holes included.
    pub fields: usize,
    /// Words of a set of fields.
    pub set_words: usize,
    /// Number of pieces, the empty field not counted.
    pub pieces: usize,
    /// Whether there is a bitboard for each bit of the pieces' numbers instead of one for each piece.
    pub coded: bool,
    /// The properties of fields.
    pub planes: Vec<Planes>,
    /// Number of values of the other properties.
    pub values: usize,
    /// For each of these values its number among [`Diagram::values`].
    pub slots: Vec<usize>,
}

/// A property of fields: a bitboard for each bit of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planes {
    /// The number of the first field's value among [`Diagram::values`].
    pub slot: usize,
    /// Least value: stored as 0.
    pub low: i32,
    /// Number of bits.
    pub bits: usize,
    /// The word in which the bitboard of the lowest bit begins.
    pub word: usize,
}

/// The header, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Whose turn it is.
    pub side: Side,
    /// Whether the move that led here can never be undone.
    pub irreversible: bool,
    /// How the game ended.
    pub outcome: Option<Outcome>,
}

impl Layout {
    /// The layout of a program's positions.
    pub fn new(program: &Program) -> Layout {
        let description = &program.description;
        let fields = description.board.size();
        let (set_words, pieces) = (fields.div_ceil(64), description.pieces.len() - 1);
        let coded = crate::sets::codes::pays(program);
        let (mut planes, mut slots) = (Vec::new(), Vec::new());
        let mut word = FIRST_BOARD + boards(pieces, coded) * set_words;
        for property in &description.properties {
            if property.scope == Scope::Field {
                let range = property.high.abs_diff(property.low);
                let bits = (u32::BITS - range.leading_zeros()) as usize;
                planes.push(Planes { slot: property.offset, low: property.low, bits, word });
                word += bits * set_words;
            } else {
                slots.extend(property.offset..property.offset + property.length(&description.board));
            }
        }
        Layout { fields, set_words, pieces, coded, planes, values: slots.len(), slots }
    }

    /// All pieces and the empty field.
    pub(crate) fn anything(&self) -> PieceSet {
        (0..=self.pieces).map(|piece| Piece(piece as u8)).collect()
    }

    /// All pieces without the empty field.
    pub(crate) fn all_pieces(&self) -> impl Iterator<Item = Piece> + use<> {
        (1..=self.pieces).map(|piece| Piece(piece as u8))
    }

    /// Number of bitboards for the pieces.
    #[inline]
    pub fn boards(&self) -> usize {
        boards(self.pieces, self.coded)
    }

    /// A word of the set of fields that hold a piece (not the empty field).
    #[inline]
    pub fn fields_of(&self, words: &[u64], piece: Piece, word: usize) -> u64 {
        if !self.coded {
            return words[self.board(piece) + word];
        }
        // At least one bit of the number is set, so nothing beyond the board remains.
        (0..self.boards()).fold(u64::MAX, |fields, bit| {
            let board = words[FIRST_BOARD + bit * self.set_words + word];
            fields & if piece.index() >> bit & 1 != 0 { board } else { !board }
        })
    }

    /// A word of the set of fields that hold any piece.
    #[inline]
    pub fn occupied(&self, words: &[u64], word: usize) -> u64 {
        (0..self.boards())
            .fold(0, |fields, board| fields | words[FIRST_BOARD + board * self.set_words + word])
    }

    /// The piece on a field of a word, where numbers of pieces are kept.
    #[inline]
    pub fn piece_at(&self, words: &[u64], word: usize, bit: u32) -> Piece {
        let digit = |number: usize| words[FIRST_BOARD + number * self.set_words + word] >> bit & 1;
        Piece((0..self.boards()).fold(0, |code, number| code | (digit(number) as u8) << number))
    }

    /// The number of a value of a property that does not belong to fields, from its number among
    /// [`Diagram::values`].
    pub fn scalar(&self, slot: usize) -> Option<usize> {
        self.slots.binary_search(&slot).ok()
    }

    /// The number among [`Diagram::values`] of a value that does not belong to a field.
    pub fn slot(&self, scalar: usize) -> usize {
        self.slots[scalar]
    }

    /// The property of fields to which a number among [`Diagram::values`] belongs, and the field.
    pub fn planes_at(&self, slot: usize) -> Option<(usize, usize)> {
        let number =
            self.planes.iter().position(|planes| (planes.slot..planes.slot + self.fields).contains(&slot))?;
        Some((number, slot - self.planes[number].slot))
    }

    /// The word in which the properties of fields begin.
    pub fn first_plane_word(&self) -> usize {
        FIRST_BOARD + self.boards() * self.set_words
    }

    /// What a property of fields is worth on a field.
    pub fn plane_value(&self, planes: &Planes, field: usize, words: &[u64]) -> i32 {
        let bit = |bit: usize| words[planes.word + bit * self.set_words + field / 64] >> (field % 64) & 1;
        let value = (0..planes.bits).fold(0, |value, number| value | bit(number) << number);
        (i64::from(planes.low) + value as i64) as i32
    }

    /// Number of words of a position.
    pub fn words(&self) -> usize {
        self.first_value_word() + self.values.div_ceil(2)
    }

    /// The word in which the board of a piece (not the empty field) begins, where each has one.
    #[inline]
    pub fn board(&self, piece: Piece) -> usize {
        self.board_word(piece.index() - 1)
    }

    /// The word in which a bitboard of the pieces begins.
    #[inline]
    pub fn board_word(&self, number: usize) -> usize {
        FIRST_BOARD + number * self.set_words
    }

    /// The word in which the values begin.
    pub fn first_value_word(&self) -> usize {
        let planes: usize = self.planes.iter().map(|planes| planes.bits).sum();
        self.first_plane_word() + planes * self.set_words
    }

    /// A value's distance in bytes from the beginning of the position.
    pub fn value_byte(&self, value: usize) -> usize {
        self.first_value_word() * 8 + value * 4
    }

    /// Writes a diagram; signature and header are left alone but for the side to move.
    pub fn write(&self, diagram: &Diagram, words: &mut [u64]) {
        words.fill(0);
        words[HEADER] = Header { side: diagram.side, irreversible: false, outcome: None }.word();
        for (field, &piece) in diagram.cells.iter().enumerate() {
            for number in (0..self.boards()).filter(|&number| self.stands_in(piece, number)) {
                words[self.board_word(number) + field / 64] |= 1 << (field % 64);
            }
        }
        for planes in &self.planes {
            for field in 0..self.fields {
                let value = diagram.values[planes.slot + field].abs_diff(planes.low);
                for bit in (0..planes.bits).filter(|bit| value >> bit & 1 != 0) {
                    words[planes.word + bit * self.set_words + field / 64] |= 1 << (field % 64);
                }
            }
        }
        for (index, value) in self.slots.iter().map(|&slot| diagram.values[slot]).enumerate() {
            let word = self.first_value_word() + index / 2;
            words[word] |= u64::from(value as u32) << (index % 2 * 32);
        }
    }

    /// Puts a piece on a field on which another stands, either of which may be the empty field; the signature
    /// is left alone.
    #[inline]
    pub fn replace(&self, words: &mut [u64], field: usize, before: Piece, after: Piece) {
        let (word, bit) = (field / 64, 1 << (field % 64));
        if !self.coded {
            if before != Piece::NONE {
                words[self.board(before) + word] &= !bit;
            }
            if after != Piece::NONE {
                words[self.board(after) + word] |= bit;
            }
            return;
        }
        for number in 0..self.boards() {
            if self.stands_in(before, number) != self.stands_in(after, number) {
                words[self.board_word(number) + word] ^= bit;
            }
        }
    }

    /// Whether a field with a piece belongs to a bitboard.
    fn stands_in(&self, piece: Piece, number: usize) -> bool {
        match self.coded {
            true => piece.index() >> number & 1 != 0,
            false => piece.index() == number + 1,
        }
    }

    /// Reads a diagram back.
    pub fn read(&self, words: &[u64]) -> Diagram {
        let mut cells = vec![Piece::NONE; self.fields];
        for piece in (1..=self.pieces).map(|piece| Piece(piece as u8)) {
            for word in 0..self.set_words {
                let mut board = self.fields_of(words, piece, word);
                while board != 0 {
                    cells[word * 64 + board.trailing_zeros() as usize] = piece;
                    board &= board - 1;
                }
            }
        }
        let value =
            |index: usize| (words[self.first_value_word() + index / 2] >> (index % 2 * 32)) as u32 as i32;
        let count = self.slots.len() + self.planes.len() * self.fields;
        let mut values = vec![0; count];
        for (index, &slot) in self.slots.iter().enumerate() {
            values[slot] = value(index);
        }
        for planes in &self.planes {
            for field in 0..self.fields {
                values[planes.slot + field] = self.plane_value(planes, field, words);
            }
        }
        Diagram { cells, values, side: Header::of(words[HEADER]).side }
    }
}

fn boards(pieces: usize, coded: bool) -> usize {
    if coded { (usize::BITS - pieces.leading_zeros()) as usize } else { pieces }
}

impl Header {
    /// Bit of the header: Black is to move.
    pub const BLACK: u64 = 1;
    /// Bit of the header: the move was irreversible.
    pub const IRREVERSIBLE: u64 = 2;

    /// The bits that say an outcome; a score's amount is added separately, see [`Header::SCORE_SHIFT`].
    pub fn outcome_bits(outcome: Option<Outcome>) -> u64 {
        match outcome {
            None => 0,
            Some(Outcome::Wins(Side::White)) => 1 << 2,
            Some(Outcome::Wins(Side::Black)) => 2 << 2,
            Some(Outcome::Draw) => 3 << 2,
            Some(Outcome::Score(score)) => 4 << 2 | u64::from(score as u32) << Self::SCORE_SHIFT,
        }
    }

    /// How far a score (as White sees it, 32 bits) is shifted to the left.
    pub const SCORE_SHIFT: u32 = 32;

    /// All bits that belong to the outcome.
    pub const OUTCOME_MASK: u64 = 7 << 2 | 0xffff_ffff << Self::SCORE_SHIFT;

    /// As a word.
    pub fn word(self) -> u64 {
        let side = if self.side == Side::Black { Self::BLACK } else { 0 };
        let irreversible = if self.irreversible { Self::IRREVERSIBLE } else { 0 };
        side | irreversible | Self::outcome_bits(self.outcome)
    }

    /// From a word.
    pub fn of(word: u64) -> Header {
        let outcome = match word >> 2 & 7 {
            1 => Some(Outcome::Wins(Side::White)),
            2 => Some(Outcome::Wins(Side::Black)),
            3 => Some(Outcome::Draw),
            4 => Some(Outcome::Score((word >> Self::SCORE_SHIFT) as u32 as i32)),
            _ => None,
        };
        let side = if word & Self::BLACK != 0 { Side::Black } else { Side::White };
        Header { side, irreversible: word & Self::IRREVERSIBLE != 0, outcome }
    }
}
