//! Numbers of pieces instead of a bitboard for each: for rules that move pieces without asking which they
//! are.
//!
//! The fifteen tiles of a puzzle would be fifteen bitboards of which a move changes an unknown one. The
//! numbers of the pieces, bit by bit, are four bitboards.

use multigame_game::{Piece, PieceSet, Side};
use multigame_ir::{Op, Program, Stmt};

use crate::Value;
use crate::lowering::state::{Hand, Set, State};
use crate::sets::code::Code;

/// With fewer pieces than this, a bitboard for each is as good.
const MANY: usize = 8;

/// Whether positions of a program keep numbers of pieces.
pub(crate) fn pays(program: &Program) -> bool {
    let description = &program.description;
    let pieces = description.pieces.len() - 1;
    let recursive = multigame_ir::recursive_functions(program);
    pieces >= MANY
        && description.pieces_of(Side::White).len() == pieces
        && program.main.iter().all(|&main| {
            let body = &program.function(main).body;
            never_asks(program, body, &recursive)
        })
}

/// Whether a statement moves pieces without asking which they are, straight ahead.
fn never_asks(program: &Program, stmt: &Stmt, recursive: &[bool]) -> bool {
    let all = program.description.pieces.len();
    let is_plain = |pieces: &PieceSet| {
        let others = pieces.iter().filter(|&piece| piece != Piece::NONE).count();
        others == 0 || others == all - 1
    };
    let fine = match &stmt.op {
        Op::Find(pieces) | Op::PointsAt(pieces) => is_plain(pieces),
        Op::Match(fields) => fields.iter().all(|(_, pieces)| is_plain(pieces)),
        Op::Replace(piece) => *piece == Piece::NONE,
        Op::Call(function) => {
            !recursive[function.0 as usize]
                && never_asks(program, &program.function(*function).body, recursive)
        }
        Op::While { .. } | Op::ForEachField(..) | Op::Greatest(..) => false,
        Op::Repeat { low, high, .. } => Some(*low) == *high,
        _ => true,
    };
    fine && stmt.children().into_iter().all(|child| never_asks(program, child, recursive))
}

impl Code {
    /// The fields of one piece.
    pub(crate) fn board_of(&mut self, piece: Piece, state: &State) -> Set {
        if !self.layout.coded {
            return state.boards[piece.index() - 1].clone();
        }
        let mut fields = self.all();
        for (bit, board) in state.boards.iter().enumerate() {
            fields = match piece.index() >> bit & 1 {
                1 => self.intersection(&fields, board),
                _ => self.without(&fields, board),
            };
        }
        fields
    }

    /// The number of the piece on a field.
    pub(crate) fn code_at(&mut self, index: Value, state: &State) -> Value {
        let mut code = self.constant(0);
        for (bit, board) in state.boards.iter().enumerate() {
            let there = self.contains(board, index);
            let shift = self.constant(bit as u64);
            let digit = self.binary(crate::Binary::ShiftLeft, there, shift);
            code = self.or(code, digit);
        }
        code
    }

    /// Writes the number of a piece on a field that holds one of `old`, and signs it.
    pub(crate) fn write_code(&mut self, index: Value, old: PieceSet, new: &Hand, state: &mut State) {
        let empty = PieceSet::of(Piece::NONE);
        let code = match new {
            Hand::Coded(code) => *code,
            Hand::Piece(piece) => self.constant(piece.index() as u64),
            Hand::Empty | Hand::OneOf(_) => self.constant(0),
        };
        if self.signs {
            let before = if old == empty { None } else { Some(self.code_at(index, state)) };
            for code in before.into_iter().chain((self.known(code) != Some(0)).then_some(code)) {
                let part = self.code_signature(code, index);
                state.signature = self.xor(state.signature, part);
            }
        }
        let single = self.single(index);
        let boards = state.boards.iter().enumerate().map(|(bit, board)| {
            let rest = if old == empty { board.clone() } else { self.without(board, &single) };
            let shift = self.constant(bit as u64);
            let digit = self.binary(crate::Binary::ShiftRight, code, shift);
            let one = self.constant(1);
            let digit = self.and(digit, one);
            let there = self.digit_on(digit, index, &single);
            self.union_of(&rest, &there)
        });
        state.boards = std::rc::Rc::new(boards.collect());
        state.changed_boards.fill(true);
    }

    /// The field if the digit is 1, else nothing.
    fn digit_on(&mut self, digit: Value, index: Value, single: &Set) -> Set {
        match self.geometry.words {
            1 => smallvec::smallvec![self.binary(crate::Binary::ShiftLeft, digit, index)],
            _ => self.only_if(digit, single),
        }
    }

    /// The fields that do not hold the pieces they should, where numbers of pieces are kept.
    pub(crate) fn differing(&mut self, wanted: &[(multigame_game::Field, Piece)], state: &State) -> Set {
        let mut looked_at: crate::analysis::geometry::Mask = smallvec::smallvec![0; self.geometry.words];
        let mut digits = vec![looked_at.clone(); state.boards.len()];
        for (field, piece) in wanted {
            let (word, bit) = (field.index() / 64, 1 << (field.index() % 64));
            looked_at[word] |= bit;
            for (number, digits) in digits.iter_mut().enumerate() {
                digits[word] |= if piece.index() >> number & 1 != 0 { bit } else { 0 };
            }
        }
        let mut differing = self.empty();
        for (board, digits) in state.boards.iter().zip(&digits) {
            let digits = self.constant_set(digits);
            let other: Set = board.iter().zip(&digits).map(|(&a, &b)| self.xor(a, b)).collect();
            differing = self.union_of(&differing, &other);
        }
        let looked_at = self.constant_set(&looked_at);
        self.intersection(&differing, &looked_at)
    }
}

#[cfg(test)]
mod tests {
    use crate::Options;
    use crate::testing::module;

    #[test]
    fn pieces_that_nobody_tells_apart_are_kept_by_number() {
        let pieces: Vec<String> = (1..=8).map(|number| format!("tile_{number} '{number}'")).collect();
        let declarations =
            format!("players = 1 dimensions (3, 3) no moves = error pieces {{ {} }}", pieces.join(" "));
        let rules = "find empty field, east, step, pick up, step backward, put down";
        let module = module(&declarations, rules, &Options::default());
        assert_eq!((module.layout.coded, module.layout.boards()), (true, 4));
        // A rule that asks for a piece by its name needs the boards of all of them.
        let rules = "find tile_3, east, step, pick up, step backward, put down";
        assert!(!crate::testing::module(&declarations, rules, &Options::default()).layout.coded);
    }
}
