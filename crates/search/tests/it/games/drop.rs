//! Connect-4 on a board of any size up to 8 x 7, as two bit sets with one spare row.

use std::ops::ControlFlow;

use multigame_game::*;

use super::{describe, mix};

#[derive(Debug)]
pub struct Drop {
    columns: u32,
    rows: u32,
    description: Description,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stones {
    /// White's, Black's.
    sets: [u64; 2],
    signature: u64,
}

impl Stones {
    fn count(&self) -> u32 {
        (self.sets[0] | self.sets[1]).count_ones()
    }
    fn side(&self) -> Side {
        super::side_after(self.count())
    }
}

impl Drop {
    pub fn new(columns: u32, rows: u32) -> Drop {
        let pieces = [("stone", Side::White, 'x'), ("stone", Side::Black, 'o')];
        Drop { columns, rows, description: describe("drop", 2, columns as u16, rows as u16, &pieces) }
    }

    fn bit(&self, column: u32, row: u32) -> u64 {
        1 << (column * (self.rows + 1) + row)
    }

    fn has_line(&self, set: u64) -> bool {
        let height = self.rows + 1;
        [1, height - 1, height, height + 1].into_iter().any(|step| {
            let pairs = set & (set >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }

    fn ending(&self, stones: &Stones) -> Option<Outcome> {
        let last = stones.side().opponent();
        if self.has_line(stones.sets[last.index()]) {
            Some(Outcome::Wins(last))
        } else if stones.count() == self.columns * self.rows {
            Some(Outcome::Draw)
        } else {
            None
        }
    }

    fn height(&self, stones: &Stones, column: u32) -> u32 {
        let both = (stones.sets[0] | stones.sets[1]) >> (column * (self.rows + 1));
        (both & ((1 << self.rows) - 1)).count_ones()
    }
}

impl Game for Drop {
    type Position = Stones;
    /// The bit of the stone.
    type Move = u8;

    fn description(&self) -> &Description {
        &self.description
    }
    fn position(&self, diagram: &Diagram) -> Stones {
        let mut stones = Stones { sets: [0; 2], signature: 0 };
        for (field, piece) in diagram.cells.iter().enumerate().filter(|(_, piece)| piece.0 > 0) {
            let bit = self.bit(field as u32 % self.columns, field as u32 / self.columns);
            let side = usize::from(piece.0 - 1);
            stones.sets[side] |= bit;
            stones.signature ^= mix(u64::from(bit.trailing_zeros()) * 2 + side as u64);
        }
        stones
    }
    fn diagram(&self, stones: &Stones) -> Diagram {
        let cell = |field: u32| {
            let bit = self.bit(field % self.columns, field / self.columns);
            Piece((0..2).find(|&side| stones.sets[side] & bit != 0).map_or(0, |side| side as u8 + 1))
        };
        Diagram {
            cells: (0..self.columns * self.rows).map(cell).collect(),
            values: Vec::new(),
            side: stones.side(),
        }
    }
    fn side_to_move(&self, stones: &Stones) -> Side {
        stones.side()
    }
    fn signature(&self, stones: &Stones) -> Signature {
        stones.signature
    }
    fn is_irreversible(&self, _: &Stones) -> bool {
        true
    }
    fn visit(&self, stones: &Stones, visitor: &mut Visitor<'_, Self>) -> Result<Option<Outcome>, RulesError> {
        if let Some(outcome) = self.ending(stones) {
            return Ok(Some(outcome));
        }
        // From the middle outwards.
        for number in 0..self.columns {
            let distance = number.div_ceil(2);
            let middle = (self.columns - 1) / 2;
            let column = if number % 2 == 1 { middle + distance } else { middle - distance };
            let row = self.height(stones, column);
            if row < self.rows {
                let mv = self.bit(column, row).trailing_zeros() as u8;
                let mut child = *stones;
                self.apply(stones, &mv, &mut child);
                if let ControlFlow::Break(()) = visitor(&mv, &child) {
                    break;
                }
            }
        }
        Ok(None)
    }
    fn ended(&self, _: &Stones) -> Option<Outcome> {
        None
    }
    fn ending(&self, _: &u8) -> Option<Outcome> {
        None
    }
    multigame_game::moves_alone!();
    fn apply(&self, stones: &Stones, mv: &u8, child: &mut Stones) {
        let side = stones.side().index();
        *child = *stones;
        child.sets[side] |= 1 << mv;
        child.signature ^= mix(u64::from(*mv) * 2 + side as u64);
    }
    fn move_key(&self, mv: &u8) -> u64 {
        mix(u64::from(*mv) + 1000)
    }
}
