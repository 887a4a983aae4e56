//! The small words of the field: sides, fields, pieces, directions, outcomes.

use std::fmt;

/// One of the two players; the only player of a puzzle is White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Moves first unless the setup says otherwise.
    White,
    /// The opponent.
    Black,
}

impl Side {
    /// Both, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// The other one.
    pub fn opponent(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// 0 for White, 1 for Black.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// `w` or `b`, as in position texts.
    pub fn letter(self) -> char {
        match self {
            Side::White => 'w',
            Side::Black => 'b',
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::White => "white",
            Side::Black => "black",
        })
    }
}

/// A field of the board: `row * columns + column`, both counted from 0 at White's lower left; holes are
/// counted too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(pub u16);

impl Field {
    /// As an index into arrays with one entry for each field.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The content of a field: 0 is nothing, the others are the pieces of the game, one number for each kind and
/// owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(pub u8);

impl Piece {
    /// An empty field.
    pub const NONE: Piece = Piece(0);

    /// As an index into arrays with one entry for each piece.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One of the board's directions, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Direction(pub u8);

impl Direction {
    /// As an index into arrays with one entry for each direction.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of pieces, the empty field being one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PieceSet([u64; 4]);

impl PieceSet {
    /// No piece at all.
    pub const EMPTY: PieceSet = PieceSet([0; 4]);

    /// The set of one piece.
    pub fn of(piece: Piece) -> Self {
        let mut set = Self::EMPTY;
        set.insert(piece);
        set
    }

    /// Adds a piece.
    pub fn insert(&mut self, piece: Piece) {
        self.0[piece.index() / 64] |= 1 << (piece.index() % 64);
    }

    /// Whether the piece is in the set.
    pub fn contains(self, piece: Piece) -> bool {
        self.0[piece.index() / 64] >> (piece.index() % 64) & 1 != 0
    }

    /// The pieces of both.
    pub fn union(self, other: PieceSet) -> PieceSet {
        PieceSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// Whether no piece is in the set.
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Number of pieces in the set.
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The pieces in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = Piece> {
        (0..=255).map(Piece).filter(move |&piece| self.contains(piece))
    }
}

impl FromIterator<Piece> for PieceSet {
    fn from_iter<T: IntoIterator<Item = Piece>>(pieces: T) -> Self {
        let mut set = Self::EMPTY;
        for piece in pieces {
            set.insert(piece);
        }
        set
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// That player has won; a lost puzzle counts as won by Black.
    Wins(Side),
    /// Nobody has won.
    Draw,
    /// The margin as White sees it: its sign decides.
    Score(i32),
}

impl Outcome {
    /// The winner, if any.
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Wins(side) => Some(side),
            Outcome::Score(margin) if margin > 0 => Some(Side::White),
            Outcome::Score(margin) if margin < 0 => Some(Side::Black),
            Outcome::Draw | Outcome::Score(_) => None,
        }
    }

    /// Orders outcomes by what they are worth to a player: a win beats every score, a loss is below every
    /// score.
    pub fn worth_to(self, side: Side) -> i64 {
        let white = match self {
            Outcome::Wins(Side::White) => i64::from(i32::MAX) + 1,
            Outcome::Wins(Side::Black) => -i64::from(i32::MAX) - 2,
            Outcome::Draw => 0,
            Outcome::Score(margin) => i64::from(margin),
        };
        if side == Side::White { white } else { -white }
    }

    /// What the outcome adds to the key of the move that leads to it. A score of 0 is worth as much as a
    /// draw, and is another outcome.
    #[inline]
    pub fn key(self) -> u64 {
        const FACTOR: u64 = 0x2545_f491_4f6c_dd1d;
        match self {
            Outcome::Score(0) => FACTOR.rotate_left(32) | 1,
            outcome => (outcome.worth_to(Side::White) as u64).wrapping_mul(FACTOR) | 1,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.winner()) {
            (Outcome::Score(margin), Some(side)) => write!(f, "{side} wins by {}", margin.unsigned_abs()),
            (_, Some(side)) => write!(f, "{side} wins"),
            (_, None) => f.write_str("draw"),
        }
    }
}
