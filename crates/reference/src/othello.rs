//! Othello: all directions at once by shifts of whole boards.

use std::ops::ControlFlow;

use multigame_game::{Description, Diagram, NoMoves, NotationStyle, Outcome, Piece, Side};

use crate::by_hand::{ByHand, HandWritten};
use crate::describe::{diagram_of, fields_of, fingerprint, mix, square, starting};

/// Fields that are not on the left or right edge: what may be enclosed sideways.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Othello.
pub type Othello = ByHand<Rules>;

/// The rules of Othello.
#[derive(Debug)]
pub struct Rules;

/// A position of [`Othello`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    own: u64,
    other: u64,
    side: Side,
    /// Whether the last move was a pass.
    passed: bool,
}

/// A move: the field of the new disc, or a pass.
const PASS: u8 = 64;

/// Follows discs from `start` in both directions of a line; what is reached are runs of `over`.
#[inline]
fn runs<const DISTANCE: u32>(start: u64, over: u64) -> (u64, u64) {
    let up_two = over & over << DISTANCE;
    let down_two = over & over >> DISTANCE;
    let mut up = over & start << DISTANCE;
    let mut down = over & start >> DISTANCE;
    up |= over & up << DISTANCE;
    down |= over & down >> DISTANCE;
    for _ in 0..2 {
        up |= up_two & up << (2 * DISTANCE);
        down |= down_two & down >> (2 * DISTANCE);
    }
    (up, down)
}

/// The fields on which a disc of `own` encloses something.
#[inline]
fn placements(own: u64, other: u64) -> u64 {
    #[inline]
    fn line<const DISTANCE: u32>(own: u64, over: u64) -> u64 {
        let (up, down) = runs::<DISTANCE>(own, over);
        up << DISTANCE | down >> DISTANCE
    }
    let sideways = other & INNER;
    let found = line::<1>(own, sideways)
        | line::<7>(own, sideways)
        | line::<8>(own, other)
        | line::<9>(own, sideways);
    found & !(own | other)
}

/// The discs that a disc on a field turns.
#[inline]
fn turned(own: u64, other: u64, disc: u64) -> u64 {
    #[inline]
    fn line<const DISTANCE: u32>(own: u64, over: u64, disc: u64) -> u64 {
        let (up, down) = runs::<DISTANCE>(disc, over);
        let up = if up << DISTANCE & own != 0 { up } else { 0 };
        let down = if down >> DISTANCE & own != 0 { down } else { 0 };
        up | down
    }
    let sideways = other & INNER;
    line::<1>(own, sideways, disc)
        | line::<7>(own, sideways, disc)
        | line::<8>(own, other, disc)
        | line::<9>(own, sideways, disc)
}

impl Position {
    /// The margin as White sees it.
    fn margin(&self) -> i32 {
        let margin = self.own.count_ones() as i32 - self.other.count_ones() as i32;
        if self.side == Side::White { margin } else { -margin }
    }
}

impl HandWritten for Rules {
    type Position = Position;
    type Move = u8;

    fn description() -> Description {
        let board = square("othello", 8, 8, false, &[("disc", ['O', 'X'], None)]);
        let board = starting(board, "8/8/8/3XO3/3OX3/8/8/8 b");
        Description { no_moves: NoMoves::Pass, notation: vec![NotationStyle::Coordinates], ..board }
    }

    fn read(diagram: &Diagram) -> Position {
        let [white, black] = [1, 2].map(|piece| fields_of(diagram, Piece(piece)));
        let (own, other) = if diagram.side == Side::White { (white, black) } else { (black, white) };
        Position { own, other, side: diagram.side, passed: false }
    }

    fn show(position: &Position) -> Diagram {
        let boards = match position.side {
            Side::White => [position.own, position.other],
            Side::Black => [position.other, position.own],
        };
        diagram_of(&boards, Vec::new(), position.side)
    }

    fn side(position: &Position) -> Side {
        position.side
    }

    fn signature(position: &Position) -> u64 {
        fingerprint(position.own, position.other, position.side)
    }

    fn irreversible(position: &Position) -> bool {
        !position.passed
    }

    #[inline]
    fn each(position: &Position, mut take: impl FnMut(u8) -> ControlFlow<()>) -> Option<Outcome> {
        let mut fields = placements(position.own, position.other);
        if fields == 0 {
            if placements(position.other, position.own) == 0 {
                return Some(Outcome::Score(position.margin()));
            }
            let _ = take(PASS);
            return None;
        }
        while fields != 0 {
            if take(fields.trailing_zeros() as u8).is_break() {
                break;
            }
            fields &= fields - 1;
        }
        None
    }

    #[inline]
    fn count(position: &Position) -> u64 {
        match placements(position.own, position.other).count_ones() {
            0 => u64::from(placements(position.other, position.own) != 0),
            count => u64::from(count),
        }
    }

    #[inline]
    fn play(position: &Position, field: u8) -> Position {
        let side = position.side.opponent();
        if field == PASS {
            return Position { own: position.other, other: position.own, side, passed: true };
        }
        let disc = 1 << field;
        let turned = turned(position.own, position.other, disc);
        Position { own: position.other ^ turned, other: position.own | turned | disc, side, passed: false }
    }

    fn key(field: u8) -> u64 {
        mix(u64::from(field) + 1)
    }
}
