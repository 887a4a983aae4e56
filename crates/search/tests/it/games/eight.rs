//! The 8-puzzle with the Manhattan distance, and a corridor whose dead ends have no solution.

use std::ops::ControlFlow;

use multigame_game::*;
use multigame_search::{Evaluator, Value};

use super::{describe, mix};

#[derive(Debug)]
pub struct Eight {
    description: Description,
    /// Whether the game goes on where the puzzle is solved.
    endless: bool,
}

/// Tile on each field, 0 for the gap; and the gap's field.
pub type Tiles = ([u8; 9], u8);

pub const SOLVED: Tiles = ([0, 1, 2, 3, 4, 5, 6, 7, 8], 0);

impl Eight {
    pub fn new() -> Eight {
        Eight { description: describe("8-puzzle", 1, 3, 3, &[]), endless: false }
    }

    /// The same without a goal.
    pub fn endless() -> Eight {
        Eight { endless: true, ..Eight::new() }
    }

    /// A solvable position: random moves from the solution.
    pub fn shuffled(&self, moves: usize, random: &mut Random) -> Tiles {
        let mut tiles = SOLVED;
        for _ in 0..moves {
            let choices: Vec<u8> = neighbours(tiles.1).collect();
            tiles = slide(tiles, choices[random.below(choices.len())]);
        }
        tiles
    }
}

fn neighbours(gap: u8) -> impl Iterator<Item = u8> {
    let (column, row) = (gap % 3, gap / 3);
    let all = [
        (row > 0).then(|| gap - 3),
        (column > 0).then(|| gap - 1),
        (column < 2).then(|| gap + 1),
        (row < 2).then(|| gap + 3),
    ];
    all.into_iter().flatten()
}

fn slide((mut tiles, gap): Tiles, from: u8) -> Tiles {
    tiles[usize::from(gap)] = tiles[usize::from(from)];
    tiles[usize::from(from)] = 0;
    (tiles, from)
}

impl Game for Eight {
    type Position = Tiles;
    /// The field of the tile, the field of the gap.
    type Move = (u8, u8);

    fn description(&self) -> &Description {
        &self.description
    }
    fn initial(&self) -> Tiles {
        SOLVED
    }
    fn position(&self, diagram: &Diagram) -> Tiles {
        let tiles: [u8; 9] = std::array::from_fn(|field| diagram.cells[field].0);
        (tiles, tiles.iter().position(|&tile| tile == 0).unwrap() as u8)
    }
    fn diagram(&self, tiles: &Tiles) -> Diagram {
        Diagram { cells: tiles.0.map(Piece).to_vec(), values: Vec::new(), side: Side::White }
    }
    fn side_to_move(&self, _: &Tiles) -> Side {
        Side::White
    }
    fn signature(&self, tiles: &Tiles) -> Signature {
        let cells = tiles.0.iter().enumerate().filter(|(_, tile)| **tile != 0);
        cells.fold(0, |sum, (field, &tile)| sum ^ mix(field as u64 * 9 + u64::from(tile)))
    }
    fn is_irreversible(&self, _: &Tiles) -> bool {
        false
    }
    fn visit(&self, tiles: &Tiles, visitor: &mut Visitor<'_, Self>) -> Result<Option<Outcome>, RulesError> {
        if *tiles == SOLVED && !self.endless {
            return Ok(Some(Outcome::Wins(Side::White)));
        }
        for from in neighbours(tiles.1) {
            if let ControlFlow::Break(()) = visitor(&(from, tiles.1), &slide(*tiles, from)) {
                break;
            }
        }
        Ok(None)
    }
    fn ended(&self, _: &Tiles) -> Option<Outcome> {
        None
    }
    fn ending(&self, _: &(u8, u8)) -> Option<Outcome> {
        None
    }
    multigame_game::moves_alone!();
    fn apply(&self, tiles: &Tiles, mv: &(u8, u8), child: &mut Tiles) {
        *child = slide(*tiles, mv.0);
    }
    fn move_key(&self, mv: &(u8, u8)) -> u64 {
        mix(u64::from(mv.0) * 9 + u64::from(mv.1))
    }
}

#[derive(Debug)]
pub struct Manhattan;

impl Evaluator<Eight> for Manhattan {
    fn evaluate(&self, game: &Eight, tiles: &Tiles) -> Value {
        Value::new(-(self.lower_bound(game, tiles) as i32))
    }
    fn lower_bound(&self, game: &Eight, tiles: &Tiles) -> u32 {
        (0..8).map(|part| self.bound_part(game, tiles, part)).sum()
    }
    fn bound_parts(&self) -> usize {
        8
    }
    fn bound_part(&self, _: &Eight, tiles: &Tiles, part: usize) -> u32 {
        let tile = part as u32 + 1;
        let field = tiles.0.iter().position(|&other| u32::from(other) == tile).unwrap_or(0) as u32;
        (field % 3).abs_diff(tile % 3) + (field / 3).abs_diff(tile / 3)
    }
}
