//! Connect-4 on the board of seven columns and six rows.
//!
//! A column takes seven bits, the lowest field first; the seventh bit stays empty and keeps lines from
//! running over. Adding the bottom row to the occupied fields gives the lowest empty field of every column at
//! once.

use std::ops::ControlFlow;

use multigame_game::{Description, Diagram, NoMoves, NotationStyle, Outcome, Piece, Side};

use crate::by_hand::{ByHand, HandWritten};
use crate::describe::{fingerprint, lost, mix, square};

const COLUMNS: usize = 7;
const ROWS: usize = 6;
const BOTTOM: u64 = 0x0408_1020_4081;
const FIELDS: u64 = BOTTOM * ((1 << ROWS) - 1);

/// Connect-4.
pub type ConnectFour = ByHand<Rules>;

/// The rules of connect-4.
#[derive(Debug)]
pub struct Rules;

/// A position of [`ConnectFour`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The discs of the player to move.
    own: u64,
    /// All discs.
    occupied: u64,
    side: Side,
    /// Whether the last disc made a line.
    lost: bool,
}

/// Bit of a field of the diagram.
fn bit(field: usize) -> usize {
    field % COLUMNS * (ROWS + 1) + field / COLUMNS
}

/// Whether four of these discs lie in a line.
#[inline]
fn has_line(discs: u64) -> bool {
    let line = |distance: usize| {
        let pairs = discs & discs >> distance;
        pairs & pairs >> (2 * distance)
    };
    line(1) | line(ROWS) | line(ROWS + 1) | line(ROWS + 2) != 0
}

impl Position {
    /// The lowest empty field of every column that has one.
    #[inline]
    fn landings(&self) -> u64 {
        (self.occupied + BOTTOM) & FIELDS
    }
}

impl HandWritten for Rules {
    type Position = Position;
    type Move = u64;

    fn description() -> Description {
        let kinds = [("disc", ['X', 'O'], None)];
        let board = square("connect-4", COLUMNS as u16, ROWS as u16, false, &kinds);
        Description { no_moves: NoMoves::Draw, notation: vec![NotationStyle::Column], ..board }
    }

    fn read(diagram: &Diagram) -> Position {
        let mut discs = [0; 2];
        for (field, piece) in diagram.cells.iter().enumerate() {
            if *piece != Piece::NONE {
                discs[piece.index() - 1] |= 1 << bit(field);
            }
        }
        let side = diagram.side;
        Position { own: discs[side.index()], occupied: discs[0] | discs[1], side, lost: false }
    }

    fn show(position: &Position) -> Diagram {
        let own = Piece(1 + position.side as u8);
        let other = Piece(1 + position.side.opponent() as u8);
        let cell = |field: usize| match bit(field) {
            bit if position.own >> bit & 1 != 0 => own,
            bit if position.occupied >> bit & 1 != 0 => other,
            _ => Piece::NONE,
        };
        Diagram { cells: (0..COLUMNS * ROWS).map(cell).collect(), values: Vec::new(), side: position.side }
    }

    fn side(position: &Position) -> Side {
        position.side
    }

    fn signature(position: &Position) -> u64 {
        fingerprint(position.own, position.occupied, position.side)
    }

    fn irreversible(_: &Position) -> bool {
        true
    }

    #[inline]
    fn each(position: &Position, mut take: impl FnMut(u64) -> ControlFlow<()>) -> Option<Outcome> {
        if position.lost {
            return Some(lost(position.side));
        }
        let mut landings = position.landings();
        if landings == 0 {
            return Some(Outcome::Draw);
        }
        while landings != 0 {
            if take(landings & landings.wrapping_neg()).is_break() {
                break;
            }
            landings &= landings - 1;
        }
        None
    }

    #[inline]
    fn count(position: &Position) -> u64 {
        if position.lost { 0 } else { u64::from(position.landings().count_ones()) }
    }

    #[inline]
    fn play(position: &Position, disc: u64) -> Position {
        Position {
            own: position.own ^ position.occupied,
            occupied: position.occupied | disc,
            side: position.side.opponent(),
            lost: has_line(position.own | disc),
        }
    }

    fn key(disc: u64) -> u64 {
        mix(disc)
    }
}
