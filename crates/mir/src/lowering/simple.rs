//! Statements that do one thing to one state: they surely have a result, or a condition says whether they
//! have one.

use std::rc::Rc;

use multigame_game::{Outcome, Side};
use multigame_ir::{Expr, Op, Stmt};

use crate::lowering::Lowering;
use crate::lowering::attempt::Attempt;
use crate::lowering::state::{Finger, Hand, State};
use crate::refusal::{self, R, Refusal};
use crate::sets::code::Code;
use crate::{Binary, Header, Unary, Value};

impl<'p> Lowering<'p> {
    /// A statement without others inside of it that it could run more than once.
    pub(crate) fn attempt_simple(&mut self, stmt: &'p Stmt, mut state: State) -> R<Attempt> {
        match &stmt.op {
            Op::Test(inner) | Op::Not(inner) => {
                let found = self.finds(inner, &state)?;
                let condition = match &stmt.op {
                    Op::Test(_) => found,
                    _ => self.code.is_zero(found),
                };
                Ok(Some((condition, state)))
            }
            Op::Assert(value) => {
                let value = self.evaluate(value, &mut state)?;
                Ok(Some((self.code.is_nonzero(value), state)))
            }
            Op::Unchanged => Ok(Some((self.board_is_unchanged(&state), state))),
            Op::PickUp => self.code.pick_up(state).map(Some),
            Op::MoveTo { column, row, view } => self.move_to(column, row, *view, state).map(Some),
            _ => {
                let done = self.change(stmt, &mut state)?;
                let always = self.code.constant(1);
                Ok(done.then_some((always, state)))
            }
        }
    }

    /// 1 if all pieces are where they were when the move began.
    fn board_is_unchanged(&mut self, state: &State) -> Value {
        let layout = Rc::clone(&self.facts.layout);
        let mut same = self.code.constant(1);
        for board in (0..layout.boards()).filter(|&board| state.changed_boards[board]) {
            let first = layout.board_word(board);
            for (number, &now) in state.boards[board].iter().enumerate() {
                let before = self.code.word(first + number);
                let equal = self.code.binary(Binary::Equal, before, now);
                same = self.code.and(same, equal);
            }
        }
        let stacks: Vec<usize> =
            self.facts.program.description.stack_properties().map(|p| p.offset).collect();
        let mut first = 0;
        for (number, planes) in layout.planes.iter().enumerate() {
            let kept = stacks.contains(&planes.slot) && state.changed_planes[number];
            for bit in (0..planes.bits).filter(|_| kept) {
                for (word, &now) in state.planes[first + bit].iter().enumerate() {
                    let before = self.code.word(planes.word + bit * layout.set_words + word);
                    let equal = self.code.binary(Binary::Equal, before, now);
                    same = self.code.and(same, equal);
                }
            }
            first += planes.bits;
        }
        same
    }

    /// A statement that surely has one result; false if it is none of those.
    fn change(&mut self, stmt: &'p Stmt, state: &mut State) -> R<bool> {
        match &stmt.op {
            Op::Assign(value) => {
                self.evaluate(value, state)?;
            }
            Op::Irreversible => state.irreversible = self.code.constant(Header::IRREVERSIBLE),
            Op::Outcome(outcome) => state.outcome = self.code.outcome_bits(*outcome),
            Op::Score(value, view) => state.outcome = self.score(value, *view, state)?,
            Op::KeepTurn => state.keep_turn = self.code.constant(1),
            Op::Replace(piece) => {
                let index = state.finger_index()?;
                self.code.write(index, &Hand::Piece(*piece), state);
            }
            Op::PutDown => {
                let index = state.finger_index()?;
                let hand = std::mem::replace(&mut state.hand, Hand::Empty);
                if hand == Hand::Empty {
                    return Err(Refusal::new(refusal::EMPTY_HAND));
                }
                self.code.write(index, &hand, state);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The bits of the header that say a score.
    fn score(&mut self, value: &'p Expr, view: Side, state: &mut State) -> R<Value> {
        let interval = self.facts.interval(value);
        let bound = i64::from(i32::MAX);
        if interval.is_none_or(|(low, high)| low < -bound || high > bound) {
            return Err(Refusal::new(refusal::SCORE));
        }
        let score = self.evaluate(value, state)?;
        let score = match view {
            Side::White => score,
            Side::Black => self.code.unary(Unary::Negate, score),
        };
        let shift = self.code.constant(u64::from(Header::SCORE_SHIFT));
        let amount = self.code.binary(Binary::ShiftLeft, score, shift);
        let bits = self.code.outcome_bits(Outcome::Score(0));
        Ok(self.code.or(amount, bits))
    }

    /// The finger to a field that is computed; off the board or onto a hole is failure.
    fn move_to(
        &mut self,
        column: &'p Expr,
        row: &'p Expr,
        view: Side,
        mut state: State,
    ) -> R<(Value, State)> {
        let board = &self.facts.program.description.board;
        let (columns, rows) = (board.columns(), board.rows());
        let turned = view == Side::Black && board.turned();
        let column = self.evaluate(column, &mut state)?;
        let row = self.evaluate(row, &mut state)?;
        let inside = self.code.is_between(&[(column, columns), (row, rows)]);
        let index = self.code.field_at(column, row, columns);
        // Off the board it is computed for nothing, but with a real field.
        let zero = self.code.constant(0);
        let mut index = self.code.select(inside, index, zero);
        if turned {
            let last = self.code.constant(self.facts.geometry.fields as u64 - 1);
            index = self.code.binary(Binary::Subtract, last, index);
        }
        let all = self.code.all();
        let is_field = self.code.contains(&all, index);
        self.code.point_at(index, &mut state);
        Ok((self.code.and(inside, is_field), state))
    }
}

impl Code {
    /// One step; off the board the finger stays: what follows is computed for nothing, but on a real field.
    pub(crate) fn attempt_step(&mut self, mut state: State) -> R<(Value, State)> {
        let direction = state.faced()?;
        let index = state.finger_index()?;
        let next = &self.geometry.next[direction.index()];
        let fields = next.iter().enumerate();
        let to = fields.map(|(f, next)| next.map_or(f as u64, |next| u64::from(next.0))).collect();
        let there = next.iter().map(|next| u64::from(next.is_some())).collect();
        let (to, there) = (self.tables.add(to), self.tables.add(there));
        let stepped = self.table(to, index);
        let condition = self.table(there, index);
        self.point_at(stepped, &mut state);
        Ok((condition, state))
    }

    /// The finger at a field about which nothing is known.
    fn point_at(&self, index: Value, state: &mut State) {
        state.finger = Finger::One(index);
        state.behind = None;
        state.content = self.layout.anything();
    }

    /// 1 if each number is at least 1 and at most its last one.
    fn is_between(&mut self, numbers: &[(Value, u16)]) -> Value {
        let one = self.constant(1);
        let mut inside = one;
        for &(number, last) in numbers {
            let last = self.constant(u64::from(last));
            let low = self.binary(Binary::LessEqual, one, number);
            let high = self.binary(Binary::LessEqual, number, last);
            inside = self.and(inside, low);
            inside = self.and(inside, high);
        }
        inside
    }

    /// The number of the field in a column and a row, both from 1.
    fn field_at(&mut self, column: Value, row: Value, columns: u16) -> Value {
        let one = self.constant(1);
        let width = self.constant(u64::from(columns));
        let above = self.binary(Binary::Subtract, row, one);
        let right = self.binary(Binary::Subtract, column, one);
        let first = self.binary(Binary::Multiply, above, width);
        self.binary(Binary::Add, first, right)
    }
}

#[cfg(test)]
mod tests {
    use crate::Options;
    use crate::testing::{BOARD, function, module};

    /// The code of a function, its values numbered in the order in which they occur.
    fn code(rules: &str, name: &str) -> String {
        let text = function(&module(BOARD, rules, &Options::default()), name).to_string();
        let mut met = Vec::new();
        let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).map(|word| {
            let Some(number) = word.strip_prefix('v') else { return word.to_string() };
            let value = number.trim_end_matches(|c: char| !c.is_ascii_digit());
            if !met.contains(&value) {
                met.push(value);
            }
            let place = met.iter().position(|other| *other == value).unwrap();
            format!("v{place}{}", &number[value.len()..])
        });
        words.collect()
    }

    #[test]
    fn questions_whose_answers_are_known_cost_nothing() {
        let count = |rules: &str| code(rules, "main_white_count");
        let plain = count("find own man, pick up, north, step, put down");
        let asked = "find own man, pick up, orthogonal, facing north, not facing diagonal, step, put down";
        assert_eq!(count(asked), plain);
        let plain = count("find own man, replace by rock");
        assert_eq!(count("board unchanged, find own man, replace by rock"), plain);
    }

    #[test]
    fn boards_are_compared_with_those_of_the_position() {
        let walk = "find own man, pick up, repeat 2 times [ orthogonal, step ], put down";
        let compares = |rules: &str| code(rules, "main_white_generate").matches(" == ").count();
        assert!(compares(&format!("{walk}, not board unchanged")) > compares(walk));
    }
}
