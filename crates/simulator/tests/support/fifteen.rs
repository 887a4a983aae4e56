//! The 15-puzzle with the sum of the tiles' distances as lower bound.

use multigame_game::{Diagram, Game, Piece, Random, Side};
use multigame_reference::Fifteen;
use multigame_search::{Evaluator, Value};

/// The tiles in order; the lowest digit is the field at the lower left.
const GOAL: u64 = 0x3210_7654_ba98_fedc;

fn goal(field: usize) -> u8 {
    (GOAL >> (4 * field) & 15) as u8
}

/// How far each tile is from its place.
pub struct Manhattan;

impl Evaluator<Fifteen> for Manhattan {
    fn evaluate(&self, _: &Fifteen, _: &<Fifteen as Game>::Position) -> Value {
        Value::DRAW
    }

    fn lower_bound(&self, game: &Fifteen, position: &<Fifteen as Game>::Position) -> u32 {
        let cells = game.diagram(position).cells;
        let tiles = cells.iter().enumerate().filter(|(_, piece)| **piece != Piece::NONE);
        let distance = |(field, piece): (usize, &Piece)| {
            let home = (0..16).find(|&home| goal(home) == piece.0).expect("every tile has a place");
            (field % 4).abs_diff(home % 4) + (field / 4).abs_diff(home / 4)
        };
        tiles.map(distance).sum::<usize>() as u32
    }
}

/// A position that so many random moves lead to.
pub fn shuffled(game: &Fifteen, moves: usize, random: &mut Random) -> <Fifteen as Game>::Position {
    let mut cells: Vec<Piece> = (0..16).map(|field| Piece(goal(field))).collect();
    let mut gap = cells.iter().position(|piece| *piece == Piece::NONE).expect("there is a gap");
    for _ in 0..moves {
        let near = |field: &usize| (field % 4).abs_diff(gap % 4) + (field / 4).abs_diff(gap / 4) == 1;
        let neighbours: Vec<usize> = (0..16).filter(near).collect();
        let next = neighbours[random.below(neighbours.len())];
        cells.swap(gap, next);
        gap = next;
    }
    game.position(&Diagram { cells, values: Vec::new(), side: Side::White })
}
