//! Statements with at most one result, run without branching: a condition says whether there is one.
//!
//! `try [ assert (...), assign (...) ]` must not double the code of everything that follows it. Here both ways are
//! computed and the state after it is selected.

use std::rc::Rc;

use multigame_game::{Direction, Piece, PieceSet, Side};
use multigame_ir::{Expr, Op, Stmt};

use crate::lower::{AfterAttempt, Lowering, R, Refusal};
use crate::state::{Finger, Fingers, Hand, Set, State, Unsigned, Write};
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

    fn pick_up(&mut self, mut state: State) -> R<(Value, State)> {
        if state.hand != Hand::Empty {
            return Err(Refusal::new("`pick up` with a hand that may be full"));
        }
        let index = self.finger_index(&state)?;
        let mut pieces: Vec<Piece> = state.content.iter().filter(|&piece| piece != Piece::NONE).collect();
        let condition = if state.content.contains(Piece::NONE) {
            let occupied = (1..=self.layout.pieces).map(|piece| Piece(piece as u8)).collect();
            let occupied = self.fields_of(occupied, &mut state);
            self.contains(&occupied, index)
        } else {
            self.builder.constant(1)
        };
        state.content = pieces.iter().copied().collect();
        state.hand = match &pieces[..] {
            [only] => Hand::Piece(*only),
            _ if self.layout.coded => Hand::Coded(self.code_at(index, &state)),
            _ => {
                let mut holding = Vec::new();
                for piece in pieces.drain(..) {
                    let board = state.boards[piece.index() - 1].clone();
                    holding.push((piece, self.contains(&board, index)));
                }
                Hand::OneOf(holding)
            }
        };
        self.write(index, &Hand::Piece(Piece::NONE), &mut state);
        Ok((condition, state))
    }

    /// Puts something on a field.
    pub(crate) fn write(&mut self, index: Value, new: &Hand, state: &mut State) {
        let bit = self.single(index);
        let old = state.content;
        if self.layout.coded {
            self.write_code(index, old, new, state);
            let arriving = match new {
                Hand::Piece(piece) => PieceSet::of(*piece),
                _ => (1..=self.layout.pieces).map(|piece| Piece(piece as u8)).collect(),
            };
            return self.note_write(index, &bit, old, arriving, state);
        }
        if self.signs() {
            for piece in old.iter().filter(|&piece| piece != Piece::NONE) {
                let mut part = self.piece_signature(piece, index);
                if old.len() > 1 {
                    let board = state.boards[piece.index() - 1].clone();
                    let there = self.contains(&board, index);
                    let zero = self.builder.constant(0);
                    part = self.builder.select(there, part, zero);
                }
                state.signature = self.builder.xor(state.signature, part);
            }
            match new {
                Hand::Empty | Hand::Piece(Piece::NONE) => {}
                Hand::Piece(piece) => {
                    let part = self.piece_signature(*piece, index);
                    state.signature = self.builder.xor(state.signature, part);
                }
                Hand::Coded(_) => {}
                Hand::OneOf(pieces) => {
                    for (piece, held) in pieces {
                        let part = self.piece_signature(*piece, index);
                        let zero = self.builder.constant(0);
                        let part = self.builder.select(*held, part, zero);
                        state.signature = self.builder.xor(state.signature, part);
                    }
                }
            }
        }
        let mut boards = Vec::clone(&state.boards);
        for piece in old.iter().filter(|&piece| piece != Piece::NONE && *new != Hand::Piece(piece)) {
            boards[piece.index() - 1] = self.without(&boards[piece.index() - 1].clone(), &bit);
            state.changed_boards[piece.index() - 1] = true;
        }
        let mut arriving = PieceSet::EMPTY;
        match new {
            Hand::Empty | Hand::Coded(_) => arriving.insert(Piece::NONE),
            Hand::Piece(piece) => {
                arriving.insert(*piece);
                if *piece != Piece::NONE {
                    boards[piece.index() - 1] = self.union_of(&boards[piece.index() - 1].clone(), &bit);
                    state.changed_boards[piece.index() - 1] = true;
                }
            }
            Hand::OneOf(pieces) => {
                for (piece, held) in pieces {
                    arriving.insert(*piece);
                    let there = self.only_if(*held, &bit);
                    boards[piece.index() - 1] = self.union_of(&boards[piece.index() - 1].clone(), &there);
                    state.changed_boards[piece.index() - 1] = true;
                }
            }
        }
        state.boards = Rc::new(boards);
        self.note_write(index, &bit, old, arriving, state);
    }

    /// What is known after a field has been written.
    fn note_write(&mut self, index: Value, bit: &Set, old: PieceSet, arriving: PieceSet, state: &mut State) {
        self.update_unions(bit, old, arriving, state);
        let earlier = state.writes.iter_mut().find(|write| write.field == Some(index));
        match earlier {
            Some(write) => write.new = arriving,
            None => state.writes.push(Write { field: Some(index), old, new: arriving }),
        }
        state.known_contents.retain(|(field, _)| *field == index);
        state.behind = state.behind.filter(|(field, _)| *field == index);
        state.content = arriving;
    }

    /// Unions that can be kept are brought up to date, the others forgotten.
    fn update_unions(&mut self, fields: &Set, old: PieceSet, new: PieceSet, state: &mut State) {
        let unions = std::mem::take(&mut state.unions);
        let mut kept = Vec::with_capacity(unions.len());
        for (pieces, set) in unions.iter().cloned() {
            let all_arrive = new.iter().all(|piece| pieces.contains(piece));
            let none_arrives = !new.iter().any(|piece| pieces.contains(piece));
            let none_left = !old.iter().any(|piece| pieces.contains(piece));
            let all_left = old.iter().all(|piece| pieces.contains(piece));
            let set = match () {
                () if all_arrive && all_left => set,
                () if all_arrive => self.union_of(&set, fields),
                () if none_arrives && none_left => set,
                () if none_arrives => self.without(&set, fields),
                () => continue,
            };
            kept.push((pieces, set));
        }
        state.unions = Rc::new(kept);
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
            let nothing = crate::lower::AfterAttempt::nothing();
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

    /// Along a direction all fields that hold one of `swept` become `piece`, up to one that does not; the field under
    /// the finger is the first, or, after a step, the last before them.
    fn sweep(
        &mut self,
        swept: PieceSet,
        piece: Piece,
        after_step: bool,
        after: &AfterAttempt<'_, 'p>,
        mut state: State,
    ) -> R<(Value, State)> {
        let live = self.live_after(after);
        if live.finger || live.direction {
            return Err(Refusal::new("a sweep whose end matters"));
        }
        let direction = self.faced(state.direction)?;
        let index = self.finger_index(&state)?;
        let over = self.fields_of(swept, &mut state);
        let start = Fingers::From(index, Rc::clone(&self.identity));
        let (mut run, reached) = self.slide(&start, direction, &over);
        // It ends on a field that is not swept; running off the board is failure.
        let beyond = self.without(&reached, &over);
        let mut condition = self.is_inhabited(&beyond);
        if !after_step {
            let start = self.contains(&over, index);
            let single = self.single(index);
            let both = self.union_of(&run, &single);
            run = self.only_if(start, &both);
            let stays = self.builder.is_zero(start);
            condition = self.builder.or(condition, stays);
        }
        self.write_set(&run, swept, piece, &mut state)?;
        state.finger = Finger::Nowhere;
        state.content = crate::vector::anything(self.layout.pieces);
        Ok((condition, state))
    }

    /// `for each P do replace by X`
    fn replace_all(&mut self, pieces: PieceSet, piece: Piece, state: &mut State) -> R<()> {
        let fields = self.fields_of(pieces, state);
        self.write_set(&fields, pieces, piece, state)?;
        // The finger may have pointed at one of them.
        state.content = state.content.union(PieceSet::of(piece));
        Ok(())
    }

    /// Fields that all hold one of `old` now hold `piece`.
    fn write_set(&mut self, fields: &Set, old: PieceSet, piece: Piece, state: &mut State) -> R<()> {
        if self.layout.coded {
            return Err(Refusal::new("many pieces changed at once where their numbers are kept"));
        }
        if self.signs() {
            self.sign_sweep(fields, old, piece, state);
        }
        let mut boards = Vec::clone(&state.boards);
        for gone in old.iter().filter(|&gone| gone != Piece::NONE) {
            boards[gone.index() - 1] = self.without(&boards[gone.index() - 1].clone(), fields);
            state.changed_boards[gone.index() - 1] = true;
        }
        if piece != Piece::NONE {
            boards[piece.index() - 1] = self.union_of(&boards[piece.index() - 1].clone(), fields);
            state.changed_boards[piece.index() - 1] = true;
        }
        state.boards = Rc::new(boards);
        self.update_unions(fields, old, PieceSet::of(piece), state);
        state.writes.push(Write { field: None, old, new: PieceSet::of(piece) });
        state.known_contents.clear();
        state.behind = None;
        Ok(())
    }

    /// What a whole set adds to the signature is not computed before it is needed: sets with the same change are
    /// put together until then.
    fn sign_sweep(&mut self, run: &Set, swept: PieceSet, piece: Piece, state: &mut State) {
        for old in swept.iter() {
            let board = match old {
                Piece::NONE => None,
                _ => Some(state.boards[old.index() - 1].clone()),
            };
            let set = match (swept.len(), board) {
                (1, _) => run.clone(),
                (_, Some(board)) => self.intersection(run, &board),
                (_, None) => {
                    let empty = self.fields_of(PieceSet::of(Piece::NONE), state);
                    self.intersection(run, &empty)
                }
            };
            match state.unsigned.iter().position(|unsigned| (unsigned.old, unsigned.new) == (old, piece)) {
                // A field that has changed twice has not changed.
                Some(known) => {
                    let both = state.unsigned[known].fields.iter().zip(&set);
                    let both = both.map(|(&a, &b)| self.builder.xor(a, b)).collect();
                    state.unsigned[known].fields = both;
                }
                None => state.unsigned.push(Unsigned { old, new: piece, fields: set }),
            }
        }
    }

    /// The sum over the fields of a set, eight fields at a time.
    ///
    /// PERF: how many fields there are is different every time, so a loop over them would be guessed wrong.
    fn sum_by_bytes(&mut self, changes: &[u64], fields: Value) -> Value {
        let mut sum = self.builder.constant(0);
        for (number, eight) in changes.chunks(8).enumerate() {
            let entry = |byte: usize| {
                let chosen = eight.iter().enumerate().filter(|(bit, _)| byte >> bit & 1 != 0);
                chosen.fold(0, |sum, (_, change)| sum ^ change)
            };
            let table = self.tables.add((0..256).map(entry).collect());
            let shift = self.builder.constant(8 * number as u64);
            let byte = self.builder.binary(Binary::ShiftRight, fields, shift);
            let mask = self.builder.constant(255);
            let byte = self.builder.and(byte, mask);
            let part = self.builder.table(&self.tables, table, byte);
            sum = self.builder.xor(sum, part);
        }
        sum
    }

    /// Adds to the signature what has been put off.
    pub(crate) fn sign(&mut self, state: &mut State) -> R<()> {
        for Unsigned { old, new, fields } in std::mem::take(&mut state.unsigned) {
            let board = (0..self.geometry.fields as u16).map(multigame_game::Field);
            let part = |piece: Piece, field| match piece {
                Piece::NONE => 0,
                _ => self.zobrist.piece(piece, field),
            };
            let changes: Vec<u64> = board.map(|field| part(old, field) ^ part(new, field)).collect();
            if let [fields] = fields[..] {
                let sum = self.sum_by_bytes(&changes, fields);
                state.signature = self.builder.xor(state.signature, sum);
                continue;
            }
            let changes = self.tables.add(changes);
            let sum = self.builder.variable();
            self.builder.set(sum, state.signature);
            self.for_each_field(&fields, &mut |lowering, index| {
                let change = lowering.builder.table(&lowering.tables, changes, index);
                let before = lowering.builder.get(sum);
                let signature = lowering.builder.xor(before, change);
                lowering.builder.set(sum, signature);
                Ok(())
            })?;
            state.signature = self.builder.get(sum);
        }
        Ok(())
    }
}
