//! Statements with at most one result, run without branching: a condition says whether there is one.
//!
//! `try [ assert (...), assign (...) ]` must not double the code of everything that follows it. Here both ways are
//! computed and the state after it is selected.

use std::rc::Rc;

use multigame_game::{Direction, Piece, Side};
use multigame_ir::{Expr, Op, Stmt};

use crate::lower::{Lowering, R, Refusal};
use crate::state::{Finger, Hand, State, Unsigned, Write};
use crate::statement::AfterAttempt;
use crate::{Binary, Header, Value};

impl<'p> Lowering<'p> {
    /// The condition under which a statement has its one result, and the state then; nothing if it may have several.
    pub(crate) fn attempt_statement(
        &mut self,
        stmt: &'p Stmt,
        after: &AfterAttempt<'_, 'p>,
        mut state: State,
    ) -> R<Option<(Value, State)>> {
        let always = self.builder.constant(1);
        if self.facts.runs_on_sets(stmt) {
            return self.attempt_on_sets(stmt, after, state);
        }
        Ok(Some(match &stmt.op {
            Op::Sequence(parts) => {
                let parts: Vec<&'p Stmt> = parts.iter().collect();
                return self.attempt_sequence(&parts, after, state);
            }
            Op::Call(function) if !self.facts.recursive(*function) => {
                return self.attempt_statement(self.facts.body(*function), after, state);
            }
            Op::Try(first, second) => return self.attempt_choice(first, second, after, state),
            Op::Test(inner) | Op::Not(inner) => {
                let found = self.finds(inner, &state)?;
                match &stmt.op {
                    Op::Test(_) => (found, state),
                    _ => (self.builder.is_zero(found), state),
                }
            }
            Op::Assert(value) => {
                let value = self.evaluate(value, &mut state)?;
                (self.builder.is_nonzero(value), state)
            }
            Op::Assign(value) => {
                self.evaluate(value, &mut state)?;
                (always, state)
            }
            Op::Irreversible => {
                state.irreversible = self.builder.constant(Header::IRREVERSIBLE);
                (always, state)
            }
            Op::Outcome(outcome) => {
                state.outcome = self.outcome_bits(*outcome);
                (always, state)
            }
            Op::Score(value, view) => {
                let interval = self.facts.interval(value);
                let bound = i64::from(i32::MAX);
                if interval.is_none_or(|(low, high)| low < -bound || high > bound) {
                    return Err(Refusal::new("a score without bounds"));
                }
                let score = self.evaluate(value, &mut state)?;
                let score = match view {
                    Side::White => score,
                    Side::Black => self.builder.unary(crate::Unary::Negate, score),
                };
                let shift = self.builder.constant(u64::from(Header::SCORE_SHIFT));
                let amount = self.builder.binary(Binary::ShiftLeft, score, shift);
                let bits = self.outcome_bits(multigame_game::Outcome::Score(0));
                state.outcome = self.builder.or(amount, bits);
                (always, state)
            }
            Op::KeepTurn => {
                state.keep_turn = always;
                (always, state)
            }
            Op::Replace(piece) => {
                let index = self.finger_index(&state)?;
                self.write(index, &Hand::Piece(*piece), &mut state);
                (always, state)
            }
            Op::PickUp => return self.pick_up(state).map(Some),
            Op::PutDown => {
                let index = self.finger_index(&state)?;
                let hand = std::mem::replace(&mut state.hand, Hand::Empty);
                if hand == Hand::Empty {
                    return Err(Refusal::new("`put down` with a hand that may be empty"));
                }
                self.write(index, &hand, &mut state);
                (always, state)
            }
            Op::MoveTo { column, row, view } => return self.move_to(column, row, *view, state).map(Some),
            Op::ForEachDirection(directions, body) => {
                return self.for_each_direction(directions, body, state);
            }
            Op::ForEachField(pieces, body) => match &body.op {
                Op::Replace(piece) if !pieces.contains(*piece) => {
                    self.replace_all(*pieces, *piece, &mut state)?;
                    (always, state)
                }
                _ => return self.attempt_for_each(*pieces, body, state),
            },
            Op::While { .. } => match self.facts.sweep(stmt) {
                Some((swept, piece)) => return self.sweep(swept, piece, false, after, state).map(Some),
                None => return self.attempt_while(stmt, after, state),
            },
            Op::Either(parts) if self.facts.exclusive(parts) => {
                return self.attempt_exclusive(parts, after, state);
            }
            _ => return Ok(None),
        }))
    }

    fn attempt_on_sets(
        &mut self,
        stmt: &'p Stmt,
        after: &AfterAttempt<'_, 'p>,
        mut state: State,
    ) -> R<Option<(Value, State)>> {
        let live = self.live_after(after);
        if self.facts.stays(stmt) || (!live.finger && !live.direction) {
            let exists = self.exists(stmt, &state)?;
            if !self.facts.stays(stmt) {
                state.finger = Finger::Nowhere;
                state.direction = None;
            } else if let Op::PointsAt(pieces) = &stmt.op {
                state.content = state.content.iter().filter(|&piece| pieces.contains(piece)).collect();
            }
            return Ok(Some((exists, state)));
        }
        match &stmt.op {
            Op::Sequence(parts) => {
                let parts: Vec<&'p Stmt> = parts.iter().collect();
                self.attempt_sequence(&parts, after, state)
            }
            Op::Call(function) => self.attempt_statement(self.facts.body(*function), after, state),
            Op::Face(directions) if directions.len() == 1 => {
                state.direction = Some(directions[0]);
                let always = self.builder.constant(1);
                Ok(Some((always, state)))
            }
            Op::Step => {
                let direction = self.faced(state.direction)?;
                let index = self.finger_index(&state)?;
                // Off the board the finger stays: what follows is computed for nothing, but on a real field.
                let next = &self.geometry.next[direction.index()];
                let fields = next.iter().enumerate();
                let to: Vec<u64> =
                    fields.map(|(f, next)| next.map_or(f as u64, |next| u64::from(next.0))).collect();
                let there: Vec<u64> = next.iter().map(|next| u64::from(next.is_some())).collect();
                let (to, there) = (self.tables.add(to), self.tables.add(there));
                let stepped = self.builder.table(&self.tables, to, index);
                let condition = self.builder.table(&self.tables, there, index);
                state.finger = Finger::One(stepped);
                state.content = crate::vector::anything(self.layout.pieces);
                Ok(Some((condition, state)))
            }
            _ => Ok(None),
        }
    }

    fn attempt_sequence(
        &mut self,
        parts: &[&'p Stmt],
        after: &AfterAttempt<'_, 'p>,
        mut state: State,
    ) -> R<Option<(Value, State)>> {
        let outer = self.guard;
        let mut condition = self.builder.constant(1);
        let mut outcome = Ok(None);
        let mut done = 0;
        while let Some(part) = parts.get(done) {
            let swept = parts.get(done + 1).and_then(|next| self.facts.sweep(next));
            let from = (part.op == Op::Step).then_some(swept).flatten();
            done += if from.is_some() { 2 } else { 1 };
            let rest: Vec<&'p Stmt> = parts[done..].iter().chain(after.parts).copied().collect();
            let here = after.with(&rest);
            let attempted = match (&part.op, from) {
                (_, Some((swept, piece))) => self.sweep(swept, piece, true, &here, state.clone()).map(Some),
                // Costly tests are worth a branch.
                (Op::Test(inner), _) if !self.facts.runs_on_sets(inner) => {
                    let found = self.finds_if(condition, inner, &state);
                    found.map(|found| Some((found, state.clone())))
                }
                _ => self.attempt_statement(part, &here, state.clone()),
            };
            match attempted {
                Ok(Some((part_condition, next))) => {
                    condition = self.builder.and(condition, part_condition);
                    self.guard = self.builder.and(outer, condition);
                    state = next;
                    outcome = Ok(Some(()));
                }
                Ok(None) => {
                    outcome = Ok(None);
                    break;
                }
                Err(refusal) => {
                    outcome = Err(refusal);
                    break;
                }
            }
        }
        self.guard = outer;
        if parts.is_empty() {
            return Ok(Some((condition, state)));
        }
        Ok(outcome?.map(|()| (condition, state)))
    }

    /// `try first else second`, where both have at most one result.
    pub(crate) fn attempt_choice(
        &mut self,
        first: &'p Stmt,
        second: &'p Stmt,
        after: &AfterAttempt<'_, 'p>,
        state: State,
    ) -> R<Option<(Value, State)>> {
        if !self.may_attempt(first) || !self.may_attempt(second) {
            return Ok(None);
        }
        let Some((succeeds, then)) = self.attempt_statement(first, after, state.clone())? else {
            return Ok(None);
        };
        let outer = self.guard;
        let fails = self.builder.is_zero(succeeds);
        self.guard = self.builder.and(outer, fails);
        let attempted = self.attempt_statement(second, after, state);
        self.guard = outer;
        let Some((otherwise, other)) = attempted? else { return Ok(None) };
        let live = self.live_after(after);
        let Some(merged) = self.select_state(succeeds, then, other, live) else { return Ok(None) };
        let condition = self.builder.or(succeeds, otherwise);
        Ok(Some((condition, merged)))
    }

    /// Alternatives of which at most one can succeed.
    fn attempt_exclusive(
        &mut self,
        parts: &'p [Stmt],
        after: &AfterAttempt<'_, 'p>,
        state: State,
    ) -> R<Option<(Value, State)>> {
        let [first, others @ ..] = parts else {
            let never = self.builder.constant(0);
            return Ok(Some((never, state)));
        };
        let Some((succeeds, then)) = self.attempt_statement(first, after, state.clone())? else {
            return Ok(None);
        };
        if others.is_empty() {
            return Ok(Some((succeeds, then)));
        }
        let outer = self.guard;
        let fails = self.builder.is_zero(succeeds);
        self.guard = self.builder.and(outer, fails);
        let attempted = self.attempt_exclusive(others, after, state);
        self.guard = outer;
        let Some((otherwise, other)) = attempted? else { return Ok(None) };
        let live = self.live_after(after);
        let Some(merged) = self.select_state(succeeds, then, other, live) else { return Ok(None) };
        Ok(Some((self.builder.or(succeeds, otherwise), merged)))
    }

    /// Whether it pays to try without branching: code must not be made and thrown away.
    pub(crate) fn may_attempt(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Sequence(parts) => parts.iter().all(|part| self.may_attempt(part)),
            Op::Try(a, b) => self.may_attempt(a) && self.may_attempt(b),
            Op::Call(function) => {
                !self.facts.recursive(*function) && self.may_attempt(self.facts.body(*function))
            }
            Op::Either(parts) if self.facts.exclusive(parts) => {
                parts.iter().all(|part| self.may_attempt(part))
            }
            Op::Either(_) | Op::Find(_) => self.facts.runs_on_sets(stmt),
            Op::Repeat { .. } => self.facts.runs_on_sets(stmt),
            Op::While { condition, body } => self.may_attempt(condition) && self.may_attempt(body),
            Op::ForEachField(_, body) => self.may_attempt(body),
            Op::Greatest(..) => false,
            _ => true,
        }
    }

    fn select_state(
        &mut self,
        condition: Value,
        a: State,
        b: State,
        live: crate::facts::Live,
    ) -> Option<State> {
        let finger = match (&a.finger, &b.finger) {
            _ if !live.finger => Finger::Nowhere,
            (Finger::One(x), Finger::One(y)) => Finger::One(self.builder.select(condition, *x, *y)),
            (Finger::Nowhere, Finger::Nowhere) => Finger::Nowhere,
            _ => return None,
        };
        let direction = match (a.direction, b.direction) {
            _ if !live.direction => None,
            (x, y) if x == y => x,
            _ => return None,
        };
        if a.hand != b.hand {
            return None;
        }
        let mut merged = b.clone();
        merged.finger = finger;
        merged.direction = direction;
        merged.content = a.content.union(b.content);
        Rc::make_mut(&mut merged.unions).retain(|union| a.unions.contains(union));
        let mut boards = Vec::clone(&b.boards);
        for (board, other) in boards.iter_mut().zip(a.boards.iter()) {
            let words = other.iter().zip(&*board).map(|(&x, &y)| self.builder.select(condition, x, y));
            *board = words.collect();
        }
        merged.boards = Rc::new(boards);
        let planes = a
            .planes
            .iter()
            .zip(b.planes.iter())
            .map(|(a, b)| a.iter().zip(b).map(|(&x, &y)| self.builder.select(condition, x, y)).collect());
        merged.planes = Rc::new(planes.collect());
        for (changed, other) in merged.changed_planes.iter_mut().zip(&a.changed_planes) {
            *changed |= other;
        }
        for number in 0..merged.values.len() {
            merged.changed_values[number] |= a.changed_values[number];
            if a.values[number] != b.values[number] {
                let x = self.value(number, &mut a.clone());
                let y = self.value(number, &mut b.clone());
                merged.values[number] = Some(self.builder.select(condition, x, y));
            }
        }
        for (changed, other) in merged.changed_boards.iter_mut().zip(&a.changed_boards) {
            *changed |= other;
        }
        // What was written on one way only may or may not be there.
        let same_field = |(x, y): &(&Write, &Write)| x == y || (x.field.is_some() && x.field == y.field);
        let common = a.writes.iter().zip(&b.writes).take_while(same_field).count();
        let maybe = |write: &Write| Write { field: None, old: write.old, new: write.new };
        merged.writes.truncate(common);
        // A field that was written on both ways holds the one or the other.
        for (write, other) in merged.writes.iter_mut().zip(&a.writes) {
            write.old = write.old.union(other.old);
            write.new = write.new.union(other.new);
        }
        merged.writes.extend(a.writes[common..].iter().map(maybe));
        merged.writes.extend(b.writes[common..].iter().map(maybe));
        merged.behind = None;
        merged.known_contents.retain(|known| a.known_contents.contains(known));
        merged.signature = self.builder.select(condition, a.signature, b.signature);
        merged.unsigned = self.select_unsigned(condition, &a, &b);
        merged.outcome = self.builder.select(condition, a.outcome, b.outcome);
        merged.irreversible = self.builder.select(condition, a.irreversible, b.irreversible);
        merged.keep_turn = self.builder.select(condition, a.keep_turn, b.keep_turn);
        Some(merged)
    }

    fn select_unsigned(&mut self, condition: Value, a: &State, b: &State) -> Vec<Unsigned> {
        let mut changes: Vec<(Piece, Piece)> = Vec::new();
        for Unsigned { old, new, .. } in a.unsigned.iter().chain(&b.unsigned) {
            if !changes.contains(&(*old, *new)) {
                changes.push((*old, *new));
            }
        }
        let selected = changes.into_iter().map(|(old, new)| {
            let of = |state: &State| {
                let same = state.unsigned.iter().find(|unsigned| (unsigned.old, unsigned.new) == (old, new));
                same.map(|unsigned| unsigned.fields.clone())
            };
            let [x, y] = [of(a), of(b)].map(|fields| fields.unwrap_or_else(|| self.empty()));
            let fields = x.iter().zip(&y).map(|(&x, &y)| self.builder.select(condition, x, y));
            Unsigned { old, new, fields: fields.collect() }
        });
        selected.collect()
    }

    /// The finger to a field that is computed; off the board or onto a hole is failure.
    fn move_to(
        &mut self,
        column: &'p Expr,
        row: &'p Expr,
        view: Side,
        mut state: State,
    ) -> R<(Value, State)> {
        let board = &self.program.description.board;
        let (columns, rows, turned) = (board.columns(), board.rows(), view == Side::Black && board.turned());
        let column = self.evaluate(column, &mut state)?;
        let row = self.evaluate(row, &mut state)?;
        let one = self.builder.constant(1);
        let mut inside = one;
        for (coordinate, size) in [(column, columns), (row, rows)] {
            let last = self.builder.constant(u64::from(size));
            let low = self.builder.binary(Binary::LessEqual, one, coordinate);
            let high = self.builder.binary(Binary::LessEqual, coordinate, last);
            inside = self.builder.and(inside, low);
            inside = self.builder.and(inside, high);
        }
        let width = self.builder.constant(u64::from(columns));
        let above = self.builder.binary(Binary::Subtract, row, one);
        let right = self.builder.binary(Binary::Subtract, column, one);
        let first = self.builder.binary(Binary::Multiply, above, width);
        let index = self.builder.binary(Binary::Add, first, right);
        // Off the board it is computed for nothing, but with a real field.
        let zero = self.builder.constant(0);
        let mut index = self.builder.select(inside, index, zero);
        if turned {
            let last = self.builder.constant(self.geometry.fields as u64 - 1);
            index = self.builder.binary(Binary::Subtract, last, index);
        }
        let all = self.all();
        let is_field = self.contains(&all, index);
        state.finger = Finger::One(index);
        state.behind = None;
        state.content = crate::vector::anything(self.layout.pieces);
        Ok((self.builder.and(inside, is_field), state))
    }

    fn for_each_direction(
        &mut self,
        directions: &[Direction],
        body: &'p Stmt,
        state: State,
    ) -> R<Option<(Value, State)>> {
        if !self.facts.at_most_one(body) {
            return Ok(None);
        }
        let (finger, facing, content) = (state.finger.clone(), state.direction, state.content);
        let mut now = state;
        for &direction in directions {
            let start = State { finger: finger.clone(), direction: Some(direction), content, ..now.clone() };
            let nothing = crate::statement::AfterAttempt::nothing();
            let Some((condition, then)) = self.attempt_statement(body, &nothing, start)? else {
                return Ok(None);
            };
            let Some(merged) = self.select_state(condition, then, now, crate::facts::Live::default()) else {
                return Ok(None);
            };
            now = State { finger: finger.clone(), direction: facing, content, ..merged };
        }
        let always = self.builder.constant(1);
        Ok(Some((always, now)))
    }
}
