//! Sliding puzzles with the sum of the tiles' distances as lower bound.

use std::sync::LazyLock;

use multigame_game::{Diagram, Game, Piece, Random, Side};
use multigame_search::{Evaluator, Value};

/// The tiles in order; the lowest digit is the field at the lower left. Without tile 15 there are two gaps.
const GOAL: u64 = 0x3210_7654_ba98_fedc;

/// The tile of a field when the puzzle is solved, if there are this many tiles.
pub fn goal(field: usize, tiles: u8) -> u8 {
    let tile = (GOAL >> (4 * field) & 15) as u8;
    if tile <= tiles { tile } else { 0 }
}

/// Steps from a field to another.
pub fn distance(one: usize, other: usize) -> usize {
    (one % 4).abs_diff(other % 4) + (one / 4).abs_diff(other / 4)
}

/// How far each tile is from its place.
pub struct Manhattan;

/// By tile and field.
static DISTANCES: LazyLock<[[u32; 16]; 16]> = LazyLock::new(|| {
    let mut distances = [[0; 16]; 16];
    for home in (0..16).filter(|&home| goal(home, 15) > 0) {
        for (field, place) in distances[goal(home, 15) as usize].iter_mut().enumerate() {
            *place = distance(home, field) as u32;
        }
    }
    distances
});

impl<G: Game> Evaluator<G> for Manhattan {
    fn evaluate(&self, _: &G, _: &G::Position) -> Value {
        Value::DRAW
    }

    fn lower_bound(&self, game: &G, position: &G::Position) -> u32 {
        let distances = &*DISTANCES;
        let cells = game.diagram(position).cells;
        cells.iter().enumerate().map(|(field, piece)| distances[piece.0 as usize][field]).sum()
    }
}

/// A position that this many random moves lead to.
pub fn shuffled<G: Game>(game: &G, moves: usize, random: &mut Random) -> G::Position {
    let tiles = game.description().pieces.len() as u8 - 1;
    let mut cells: Vec<Piece> = (0..16).map(|field| Piece(goal(field, tiles))).collect();
    for _ in 0..moves {
        let gaps: Vec<usize> = (0..16).filter(|&field| cells[field] == Piece::NONE).collect();
        let gap = if gaps.len() > 1 { gaps[random.below(gaps.len())] } else { gaps[0] };
        let neighbours: Vec<usize> = (0..16).filter(|&field| distance(field, gap) == 1).collect();
        let next = neighbours[random.below(neighbours.len())];
        cells.swap(gap, next);
    }
    game.position(&Diagram { cells, values: Vec::new(), side: Side::White })
}
