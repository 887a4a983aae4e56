//! How a position lies in memory: 64-bit words.
//!
//! | words | what |
//! |---|---|
//! | 0 | signature |
//! | 1 | header: side to move, irreversible, outcome |
//! | 2 .. | one bitboard of `set_words` words for each piece from 1 on |
//! | then | values of the properties, 32 bits each, two to a word |

use multigame_game::{Description, Diagram, Outcome, Piece, Side};

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
    /// Number of values that belong to a position.
    pub values: usize,
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
    /// The layout of a game's positions.
    pub fn new(description: &Description) -> Layout {
        let fields = description.board.size();
        Layout {
            fields,
            set_words: fields.div_ceil(64),
            pieces: description.pieces.len() - 1,
            values: description.value_count(),
        }
    }

    /// Number of words of a position.
    pub fn words(&self) -> usize {
        self.first_value_word() + self.values.div_ceil(2)
    }

    /// The word in which the board of a piece (not the empty field) begins.
    pub fn board(&self, piece: Piece) -> usize {
        FIRST_BOARD + (piece.index() - 1) * self.set_words
    }

    /// The word in which the values begin.
    pub fn first_value_word(&self) -> usize {
        FIRST_BOARD + self.pieces * self.set_words
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
            if piece != Piece::NONE {
                words[self.board(piece) + field / 64] |= 1 << (field % 64);
            }
        }
        for (index, &value) in diagram.values.iter().enumerate() {
            let word = self.first_value_word() + index / 2;
            words[word] |= u64::from(value as u32) << (index % 2 * 32);
        }
    }

    /// Reads a diagram back.
    pub fn read(&self, words: &[u64]) -> Diagram {
        let mut cells = vec![Piece::NONE; self.fields];
        for piece in (1..=self.pieces).map(|piece| Piece(piece as u8)) {
            for word in 0..self.set_words {
                let mut board = words[self.board(piece) + word];
                while board != 0 {
                    cells[word * 64 + board.trailing_zeros() as usize] = piece;
                    board &= board - 1;
                }
            }
        }
        let value =
            |index: usize| (words[self.first_value_word() + index / 2] >> (index % 2 * 32)) as u32 as i32;
        Diagram { cells, values: (0..self.values).map(value).collect(), side: Header::of(words[HEADER]).side }
    }
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

    /// How far to the left a score (as White sees it, 32 bits) stands.
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
