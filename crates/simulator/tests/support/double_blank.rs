//! The double-blank puzzle: the 15-puzzle without its last tile.

use std::ops::ControlFlow;

use multigame_game::{Description, Diagram, Game, Outcome, Piece, Random, Side};
use multigame_reference::{ByHand, Fifteen, HandWritten};

use crate::fifteen::{distance, goal};

/// The double-blank puzzle.
pub type DoubleBlank = ByHand<DoubleBlankRules>;

/// Its rules. A position is a word of sixteen digits.
pub struct DoubleBlankRules;

impl HandWritten for DoubleBlankRules {
    type Position = u64;
    /// The field of the tile and that of the gap.
    type Move = (u8, u8);

    fn description() -> Description {
        let mut description = Fifteen::new().description().clone();
        description.name = "double-blank-puzzle".to_string();
        description.pieces.truncate(15);
        for piece in description.initial.cells.iter_mut().filter(|piece| piece.0 == 15) {
            *piece = Piece::NONE;
        }
        description
    }

    fn read(diagram: &Diagram) -> u64 {
        let cells = diagram.cells.iter().enumerate();
        cells.fold(0, |tiles, (field, piece)| tiles | u64::from(piece.0) << (4 * field))
    }

    fn show(tiles: &u64) -> Diagram {
        let cell = |field: usize| Piece((tiles >> (4 * field) & 15) as u8);
        Diagram { cells: (0..16).map(cell).collect(), values: Vec::new(), side: Side::White }
    }

    fn side(_: &u64) -> Side {
        Side::White
    }

    fn signature(tiles: &u64) -> u64 {
        Random::new(*tiles).next_u64()
    }

    fn irreversible(_: &u64) -> bool {
        false
    }

    fn each(tiles: &u64, mut take: impl FnMut((u8, u8)) -> ControlFlow<()>) -> Option<Outcome> {
        if (0..16).all(|field| (tiles >> (4 * field) & 15) as u8 == goal(field, 14)) {
            return Some(Outcome::Wins(Side::White));
        }
        let empty = |field: &u8| tiles >> (4 * field) & 15 == 0;
        for gap in (0..16u8).filter(empty) {
            let beside = |field: &u8| distance(usize::from(*field), usize::from(gap)) == 1;
            for tile in (0..16u8).filter(beside).filter(|field| !empty(field)) {
                if take((tile, gap)).is_break() {
                    return None;
                }
            }
        }
        None
    }

    fn count(tiles: &u64) -> u64 {
        let mut count = 0;
        Self::each(tiles, |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    fn play(tiles: &u64, (from, to): (u8, u8)) -> u64 {
        let tile = tiles >> (4 * from) & 15;
        tiles ^ tile << (4 * from) ^ tile << (4 * to)
    }

    fn key((from, to): (u8, u8)) -> u64 {
        Random::new(1 + u64::from(from.min(to)) * 16 + u64::from(from.max(to))).next_u64()
    }
}
