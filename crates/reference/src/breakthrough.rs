//! Breakthrough: three shifts give all moves.

use std::ops::ControlFlow;

use multigame_game::{Description, Diagram, NotationStyle, Outcome, Piece, Side};

use crate::by_hand::{ByHand, HandWritten};
use crate::describe::{diagram_of, fields_of, fingerprint, lost, mix, square, starting};

const NOT_LEFT: u64 = !0x0101_0101_0101_0101;
const NOT_RIGHT: u64 = !0x8080_8080_8080_8080;
const ENDS: u64 = 0xff00_0000_0000_00ff;

/// Breakthrough.
pub type Breakthrough = ByHand<Rules>;

/// The rules of breakthrough.
#[derive(Debug)]
pub struct Rules;

/// A position of [`Breakthrough`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// White's and Black's pawns.
    pawns: [u64; 2],
    side: Side,
    /// Whether the last move decided the game.
    lost: bool,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    from: u8,
    to: u8,
}

/// The targets to the left, straight ahead and to the right, and how far each is from its origin.
#[inline]
fn targets(position: &Position) -> [(u64, i8); 3] {
    let [white, black] = position.pawns;
    match position.side {
        Side::White => [
            (white << 7 & NOT_RIGHT & !white, 7),
            (white << 8 & !(white | black), 8),
            (white << 9 & NOT_LEFT & !white, 9),
        ],
        Side::Black => [
            (black >> 9 & NOT_RIGHT & !black, -9),
            (black >> 8 & !(white | black), -8),
            (black >> 7 & NOT_LEFT & !black, -7),
        ],
    }
}

impl HandWritten for Rules {
    type Position = Position;
    type Move = Move;

    fn description() -> Description {
        let board = square("breakthrough", 8, 8, true, &[("pawn", ['w', 'b'], None)]);
        let board = starting(board, "bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/wwwwwwww w");
        Description { notation: vec![NotationStyle::Coordinates], ..board }
    }

    fn read(diagram: &Diagram) -> Position {
        let pawns = [1, 2].map(|piece| fields_of(diagram, Piece(piece)));
        Position { pawns, side: diagram.side, lost: false }
    }

    fn show(position: &Position) -> Diagram {
        diagram_of(&position.pawns, Vec::new(), position.side)
    }

    fn side(position: &Position) -> Side {
        position.side
    }

    fn signature(position: &Position) -> u64 {
        fingerprint(position.pawns[0], position.pawns[1], position.side)
    }

    fn irreversible(_: &Position) -> bool {
        true
    }

    #[inline]
    fn each(position: &Position, mut take: impl FnMut(Move) -> ControlFlow<()>) -> Option<Outcome> {
        let targets = targets(position);
        if position.lost || targets.iter().all(|(set, _)| *set == 0) {
            return Some(lost(position.side));
        }
        for (mut set, distance) in targets {
            while set != 0 {
                let to = set.trailing_zeros() as u8;
                if take(Move { from: to.wrapping_add_signed(-distance), to }).is_break() {
                    return None;
                }
                set &= set - 1;
            }
        }
        None
    }

    #[inline]
    fn count(position: &Position) -> u64 {
        if position.lost {
            return 0;
        }
        targets(position).iter().map(|(set, _)| u64::from(set.count_ones())).sum()
    }

    #[inline]
    fn play(position: &Position, mv: Move) -> Position {
        let (from, to) = (1u64 << mv.from, 1u64 << mv.to);
        let (own, other) = (position.side.index(), position.side.opponent().index());
        let mut pawns = position.pawns;
        pawns[own] ^= from | to;
        pawns[other] &= !to;
        let lost = to & ENDS != 0 || pawns[other] == 0;
        Position { pawns, side: position.side.opponent(), lost }
    }

    fn key(mv: Move) -> u64 {
        mix(1 + u64::from(mv.from) * 64 + u64::from(mv.to))
    }
}
