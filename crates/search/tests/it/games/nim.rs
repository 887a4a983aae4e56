//! Nim with three heaps: who takes the last match wins.

use std::ops::ControlFlow;

use multigame_game::*;

use super::{describe, mix};

#[derive(Debug)]
pub struct Nim {
    description: Description,
    start: [u8; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heaps {
    pub heaps: [u8; 3],
    pub side: Side,
}

impl Nim {
    pub fn new(start: [u8; 3]) -> Nim {
        Nim { description: describe("nim", 2, 3, 1, &[]), start }
    }
}

impl Game for Nim {
    type Position = Heaps;
    /// Heap and number of matches.
    type Move = (u8, u8);

    fn description(&self) -> &Description {
        &self.description
    }
    fn initial(&self) -> Heaps {
        Heaps { heaps: self.start, side: Side::White }
    }
    fn position(&self, diagram: &Diagram) -> Heaps {
        Heaps { heaps: [0, 1, 2].map(|heap| diagram.cells[heap].0), side: diagram.side }
    }
    fn diagram(&self, heaps: &Heaps) -> Diagram {
        Diagram { cells: heaps.heaps.map(Piece).to_vec(), values: Vec::new(), side: heaps.side }
    }
    fn side_to_move(&self, heaps: &Heaps) -> Side {
        heaps.side
    }
    fn signature(&self, heaps: &Heaps) -> Signature {
        let [a, b, c] = heaps.heaps;
        mix(u64::from_le_bytes([a, b, c, heaps.side as u8, 0, 0, 0, 0]))
    }
    fn is_irreversible(&self, _: &Heaps) -> bool {
        true
    }
    fn visit(&self, heaps: &Heaps, visitor: &mut Visitor<'_, Self>) -> Result<Option<Outcome>, RulesError> {
        if heaps.heaps == [0; 3] {
            return Ok(Some(Outcome::Wins(heaps.side.opponent())));
        }
        for heap in 0..3u8 {
            for count in 1..=heaps.heaps[usize::from(heap)] {
                let mut child = *heaps;
                self.apply(heaps, &(heap, count), &mut child);
                if let ControlFlow::Break(()) = visitor(&(heap, count), &child) {
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }
    fn ended(&self, _: &Heaps) -> Option<Outcome> {
        None
    }
    fn ending(&self, _: &(u8, u8)) -> Option<Outcome> {
        None
    }
    multigame_game::moves_alone!();
    fn apply(&self, heaps: &Heaps, mv: &(u8, u8), child: &mut Heaps) {
        *child = *heaps;
        child.heaps[usize::from(mv.0)] -= mv.1;
        child.side = heaps.side.opponent();
    }
    fn move_key(&self, mv: &(u8, u8)) -> u64 {
        mix(u64::from(mv.0) << 8 | u64::from(mv.1))
    }
}
