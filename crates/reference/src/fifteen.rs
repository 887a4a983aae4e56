//! The 15-puzzle: sixteen tiles of four bits in one word.

use std::ops::ControlFlow;

use multigame_game::{Description, Diagram, NoMoves, NotationStyle, Outcome, Piece, PieceInfo, Side};

use crate::by_hand::{ByHand, HandWritten};
use crate::describe::{mix, square, starting};

/// The tiles in order, the empty field at the top left; the lowest digit is the field at the lower left.
const GOAL: u64 = 0x3210_7654_ba98_fedc;

/// For each field of the gap the fields beside it, up to the first that is not a field.
const NEIGHBOURS: [[u8; 4]; 16] = neighbours();
const NONE: u8 = 16;

/// For each field of the gap the number of fields beside it.
const DEGREES: u64 = 0x2332_3443_3443_2332;

/// The 15-puzzle.
pub type Fifteen = ByHand<Rules>;

/// The rules of the 15-puzzle.
#[derive(Debug)]
pub struct Rules;

/// A position of [`Fifteen`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    tiles: u64,
    gap: u8,
}

/// A move: a tile and the two fields it moves between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    tile: u8,
    from: u8,
    to: u8,
}

const fn neighbours() -> [[u8; 4]; 16] {
    let mut all = [[NONE; 4]; 16];
    let mut gap = 0;
    while gap < 16 {
        let mut count = 0;
        let mut field = 0;
        while field < 16 {
            let (columns, rows) = (gap as i32 % 4 - field % 4, gap as i32 / 4 - field / 4);
            if columns * columns + rows * rows == 1 {
                all[gap][count] = field as u8;
                count += 1;
            }
            field += 1;
        }
        gap += 1;
    }
    all
}

impl HandWritten for Rules {
    type Position = Position;
    type Move = Move;

    fn description() -> Description {
        let mut board = square("15-puzzle", 4, 4, false, &[]);
        let tile = |number: u32| PieceInfo {
            name: format!("tile_{number}"),
            side: Some(Side::White),
            symbol: char::from_digit(number, 16).expect("one digit").to_ascii_uppercase(),
            glyph: None,
            colour: None,
        };
        board.pieces.extend((1..16).map(tile));
        board.players = 1;
        let board = starting(board, "E196/48C5/723./ABDF");
        Description { no_moves: NoMoves::Error, notation: vec![NotationStyle::Shift], ..board }
    }

    fn read(diagram: &Diagram) -> Position {
        let cells = diagram.cells.iter().enumerate();
        let tiles = cells.fold(0, |tiles, (field, piece)| tiles | u64::from(piece.0) << (4 * field));
        let gap = diagram.cells.iter().position(|piece| *piece == Piece::NONE);
        Position { tiles, gap: gap.unwrap_or(0) as u8 }
    }

    fn show(position: &Position) -> Diagram {
        let cell = |field: usize| Piece((position.tiles >> (4 * field) & 15) as u8);
        Diagram { cells: (0..16).map(cell).collect(), values: Vec::new(), side: Side::White }
    }

    fn side(_: &Position) -> Side {
        Side::White
    }

    fn signature(position: &Position) -> u64 {
        mix(position.tiles)
    }

    fn irreversible(_: &Position) -> bool {
        false
    }

    #[inline]
    fn each(position: &Position, mut take: impl FnMut(Move) -> ControlFlow<()>) -> Option<Outcome> {
        if position.tiles == GOAL {
            return Some(Outcome::Wins(Side::White));
        }
        for from in NEIGHBOURS[usize::from(position.gap & 15)] {
            if from == NONE {
                break;
            }
            let tile = (position.tiles >> (4 * from) & 15) as u8;
            if take(Move { tile, from, to: position.gap }).is_break() {
                break;
            }
        }
        None
    }

    #[inline]
    fn count(position: &Position) -> u64 {
        if position.tiles == GOAL { 0 } else { DEGREES >> (4 * position.gap) & 15 }
    }

    #[inline]
    fn play(position: &Position, mv: Move) -> Position {
        let tile = u64::from(mv.tile);
        Position { tiles: position.tiles ^ tile << (4 * mv.from) ^ tile << (4 * mv.to), gap: mv.from }
    }

    /// The way back has the same key: it is the same difference.
    fn key(mv: Move) -> u64 {
        let place = |field: u8| mix(1 + u64::from(mv.tile) * 16 + u64::from(field));
        place(mv.from) ^ place(mv.to)
    }
}
