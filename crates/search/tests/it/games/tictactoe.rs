//! Tic-tac-toe.

use std::ops::ControlFlow;

use multigame_game::*;

use super::{describe, mix, side_after};

#[derive(Debug)]
pub struct TicTacToe {
    description: Description,
}

pub type Marks = [u16; 2];

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl TicTacToe {
    pub fn new() -> TicTacToe {
        let pieces = [("mark", Side::White, 'x'), ("mark", Side::Black, 'o')];
        TicTacToe { description: describe("tic-tac-toe", 2, 3, 3, &pieces) }
    }
}

impl Game for TicTacToe {
    type Position = Marks;
    type Move = u16;

    fn description(&self) -> &Description {
        &self.description
    }
    fn position(&self, diagram: &Diagram) -> Marks {
        let mut marks = [0; 2];
        for (field, piece) in diagram.cells.iter().enumerate().filter(|(_, piece)| piece.0 > 0) {
            marks[usize::from(piece.0 - 1)] |= 1 << field;
        }
        marks
    }
    fn diagram(&self, marks: &Marks) -> Diagram {
        let cell = |field: u16| Piece(((marks[0] >> field & 1) + (marks[1] >> field & 1) * 2) as u8);
        Diagram { cells: (0..9).map(cell).collect(), values: Vec::new(), side: self.side_to_move(marks) }
    }
    fn side_to_move(&self, marks: &Marks) -> Side {
        side_after((marks[0] | marks[1]).count_ones())
    }
    fn signature(&self, marks: &Marks) -> Signature {
        mix(u64::from(marks[0]) << 9 | u64::from(marks[1]))
    }
    fn is_irreversible(&self, _: &Marks) -> bool {
        true
    }
    fn visit(&self, marks: &Marks, visitor: &mut Visitor<'_, Self>) -> Result<Option<Outcome>, RulesError> {
        let last = self.side_to_move(marks).opponent();
        if LINES.iter().any(|line| marks[last.index()] & line == *line) {
            return Ok(Some(Outcome::Wins(last)));
        }
        let free = !(marks[0] | marks[1]) & 0o777;
        if free == 0 {
            return Ok(Some(Outcome::Draw));
        }
        for mv in (0..9).map(|field| 1 << field).filter(|bit| free & bit != 0) {
            let mut child = *marks;
            self.apply(marks, &mv, &mut child);
            if let ControlFlow::Break(()) = visitor(&mv, &child) {
                break;
            }
        }
        Ok(None)
    }
    fn ended(&self, _: &Marks) -> Option<Outcome> {
        None
    }
    fn ending(&self, _: &u16) -> Option<Outcome> {
        None
    }
    multigame_game::moves_alone!();
    fn apply(&self, marks: &Marks, mv: &u16, child: &mut Marks) {
        *child = *marks;
        child[self.side_to_move(marks).index()] |= mv;
    }
    fn move_key(&self, mv: &u16) -> u64 {
        mix(u64::from(*mv))
    }
}
