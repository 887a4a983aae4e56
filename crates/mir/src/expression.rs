//! Expressions: values of properties, arithmetic, and the errors that must not go unnoticed.

use std::rc::Rc;

use multigame_ir::{BinaryOp, Expr, ExprOp, Slot};

use crate::facts::Depends;
use crate::lower::{Lowering, R, Refusal};
use crate::rest::{Rest, Step};
use crate::state::{Finger, State};
use crate::{Binary, Stmt, Unary, Value};

impl<'p> Lowering<'p> {
    /// The value of an expression; what it assigns is changed in the state.
    pub(crate) fn evaluate(&mut self, expr: &'p Expr, state: &mut State) -> R<Value> {
        Ok(match &expr.op {
            ExprOp::Const(value) => self.builder.constant(*value as u64),
            ExprOp::Load(slot) => self.load(*slot, state)?,
            ExprOp::Row(view) | ExprOp::Column(view) => {
                let index = self.finger_index(state)?;
                let board = &self.program.description.board;
                let is_row = matches!(expr.op, ExprOp::Row(_));
                let entries = (0..self.geometry.fields as u16).map(|field| {
                    let seen = board.seen_by(*view, multigame_game::Field(field));
                    u64::from(if is_row { board.row(seen) } else { board.column(seen) })
                });
                let table = self.tables.add(entries.collect());
                self.builder.table(&self.tables, table, index)
            }
            ExprOp::Negate(a) => {
                self.fits(expr)?;
                let a = self.evaluate(a, state)?;
                self.builder.unary(Unary::Negate, a)
            }
            ExprOp::Not(a) => {
                let a = self.evaluate(a, state)?;
                self.builder.is_zero(a)
            }
            ExprOp::Complement(a) => {
                let a = self.evaluate(a, state)?;
                self.builder.unary(Unary::Not, a)
            }
            ExprOp::And(a, b) | ExprOp::Or(a, b) => {
                let a = self.evaluate(a, state)?;
                let a = self.builder.is_nonzero(a);
                let b = self.pure(b, state)?;
                let b = self.builder.is_nonzero(b);
                let op = if matches!(expr.op, ExprOp::And(..)) { Binary::And } else { Binary::Or };
                self.builder.binary(op, a, b)
            }
            ExprOp::Conditional(condition, a, b) => {
                let condition = self.evaluate(condition, state)?;
                let (a, b) = (self.pure(a, state)?, self.pure(b, state)?);
                self.builder.select(condition, a, b)
            }
            ExprOp::Binary(op, a, b) => {
                self.fits(expr)?;
                let a = self.evaluate(a, state)?;
                let b = self.evaluate(b, state)?;
                self.arithmetic(*op, a, b)?
            }
            ExprOp::Store(slot, a) => {
                let value = self.evaluate(a, state)?;
                let interval = self.facts.interval(a);
                self.store(*slot, value, interval, state)?;
                value
            }
            ExprOp::PostAdd(slot, by) => {
                let before = self.load(*slot, state)?;
                let by_value = self.builder.constant(*by as u64);
                let after = self.builder.binary(Binary::Add, before, by_value);
                let (low, high) = self.facts.range(*slot);
                self.store(*slot, after, Some((low + by, high + by)), state)?;
                before
            }
            ExprOp::Comma(a, b) => {
                self.evaluate(a, state)?;
                self.evaluate(b, state)?
            }
            ExprOp::Count(body) if !self.facts.runs_on_sets(body) => self.tally(body, state)?,
            ExprOp::Count(body) => {
                let mut inner = state.clone();
                self.run_on_sets(body, &mut inner)?;
                let Finger::Many(branches) = inner.finger else {
                    return Err(Refusal::new("`count` of nothing"));
                };
                let mut sum = self.builder.constant(0);
                for branch in &branches {
                    for word in self.as_set(&branch.fingers) {
                        let count = self.builder.unary(Unary::CountOnes, word);
                        sum = self.builder.binary(Binary::Add, sum, count);
                    }
                }
                sum
            }
            ExprOp::Sum(value, body) => self.sum(value, body, state)?,
        })
    }

    /// How many states a statement gives that ends with tests of single states.
    fn tally(&mut self, body: &'p multigame_ir::Stmt, state: &State) -> R<Value> {
        if !self.facts.distinct(body) {
            return Err(Refusal::new("`count` of statements that may come to the same state twice"));
        }
        let number = self.builder.variable();
        let zero = self.builder.constant(0);
        self.builder.set(number, zero);
        let rest = Rest::then(Step::Tally(number), &Rest::End);
        self.run(&Rest::then(Step::Do(body), &rest), state.clone())?;
        Ok(self.builder.get(number))
    }

    /// The sum of an expression over the states that a statement on sets gives.
    fn sum(&mut self, value: &'p Expr, body: &'p multigame_ir::Stmt, state: &State) -> R<Value> {
        if !self.facts.runs_on_sets(body) || has_effects(value) {
            return Err(Refusal::new("`sum` over statements that do not run on sets"));
        }
        let mut inner = state.clone();
        self.run_on_sets(body, &mut inner)?;
        if let (Finger::Many(branches), Depends::Place) = (&inner.finger, self.facts.depends(value)) {
            let mut sum = self.builder.constant(0);
            for branch in branches {
                let set = self.as_set(&branch.fingers);
                let part = self.sum_by_place(value, &set)?;
                sum = self.builder.binary(Binary::Add, sum, part);
            }
            return Ok(sum);
        }
        let sum = self.builder.variable();
        let zero = self.builder.constant(0);
        self.builder.set(sum, zero);
        self.split_into(
            inner,
            &mut |_, set, _, _| Ok(crate::results::Crowd::Each(set.clone())),
            &mut |lowering, mut state| {
                let part = lowering.evaluate(value, &mut state)?;
                let before = lowering.builder.get(sum);
                let after = lowering.builder.binary(Binary::Add, before, part);
                lowering.builder.set(sum, after);
                Ok(())
            },
        )?;
        Ok(self.builder.get(sum))
    }

    /// An expression that is computed although its value may not be wanted: it must not do anything.
    fn pure(&mut self, expr: &'p Expr, state: &State) -> R<Value> {
        if has_effects(expr) {
            return Err(Refusal::new("an assignment that is not always made, inside an expression"));
        }
        self.evaluate(expr, &mut state.clone())
    }

    fn fits(&self, expr: &Expr) -> R<()> {
        match self.facts.interval(expr) {
            Some(_) => Ok(()),
            None => {
                Err(Refusal::new("arithmetic whose result may not fit, or a division by something unknown"))
            }
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Value, b: Value) -> R<Value> {
        let (op, a, b) = match op {
            BinaryOp::Multiply => (Binary::Multiply, a, b),
            BinaryOp::Divide => (Binary::Divide, a, b),
            BinaryOp::Remainder => (Binary::Remainder, a, b),
            BinaryOp::Add => (Binary::Add, a, b),
            BinaryOp::Subtract => (Binary::Subtract, a, b),
            BinaryOp::ShiftLeft => (Binary::ShiftLeft, a, b),
            BinaryOp::ShiftRight => (Binary::ShiftRightSigned, a, b),
            BinaryOp::Less => (Binary::Less, a, b),
            BinaryOp::LessEqual => (Binary::LessEqual, a, b),
            BinaryOp::Greater => (Binary::Less, b, a),
            BinaryOp::GreaterEqual => (Binary::LessEqual, b, a),
            BinaryOp::Equal => (Binary::Equal, a, b),
            BinaryOp::NotEqual => (Binary::NotEqual, a, b),
            BinaryOp::BitAnd => (Binary::And, a, b),
            BinaryOp::BitXor => (Binary::Xor, a, b),
            BinaryOp::BitOr => (Binary::Or, a, b),
        };
        Ok(self.builder.binary(op, a, b))
    }

    fn load(&mut self, slot: Slot, state: &mut State) -> R<Value> {
        match slot {
            Slot::Value(number) => match self.layout.planes_at(usize::from(number)) {
                Some((planes, field)) => {
                    let index = self.builder.constant(field as u64);
                    Ok(self.value_at(planes, index, state))
                }
                None => Ok(self.value(usize::from(number), state)),
            },
            Slot::AtFinger(base) => {
                let index = self.finger_index(state)?;
                let (planes, _) = self.planes_at(usize::from(base))?;
                Ok(self.value_at(planes, index, state))
            }
        }
    }

    /// The value of a property in a state.
    pub(crate) fn value(&mut self, number: usize, state: &mut State) -> Value {
        if let Some(value) = state.values[number] {
            return value;
        }
        let kept = self.program.description.value_count();
        let value = match self.layout.scalar(number) {
            Some(scalar) => self.builder.property(scalar),
            None => {
                debug_assert!(number >= kept, "properties of fields are not kept here");
                self.builder.constant(i64::from(self.program.move_properties[number - kept].low) as u64)
            }
        };
        state.values[number] = Some(value);
        value
    }

    fn store(&mut self, slot: Slot, value: Value, interval: Option<(i64, i64)>, state: &mut State) -> R<()> {
        let (low, high) = self.facts.range(slot);
        let mut value = value;
        let interval = interval.ok_or_else(|| Refusal::new("an assignment of something unbounded"))?;
        if interval.0 < low || interval.1 > high {
            let lowest = self.builder.constant(low as u64);
            let highest = self.builder.constant(high as u64);
            let below = self.builder.binary(Binary::Less, value, lowest);
            let above = self.builder.binary(Binary::Less, highest, value);
            let outside = self.builder.or(below, above);
            self.fail_if(outside, state)?;
            // Where it does not count, it is computed for nothing, but with a value that exists.
            value = self.builder.select(outside, lowest, value);
        }
        match slot {
            Slot::AtFinger(base) => {
                let index = self.finger_index(state)?;
                let (planes, _) = self.planes_at(usize::from(base))?;
                self.set_value_at(planes, index, value, state)
            }
            Slot::Value(number) => {
                let number = usize::from(number);
                if let Some((planes, field)) = self.layout.planes_at(number) {
                    let index = self.builder.constant(field as u64);
                    return self.set_value_at(planes, index, value, state);
                }
                state.values[number] = Some(value);
                state.changed_values[number] |= self.layout.scalar(number).is_some();
                Ok(())
            }
        }
    }

    fn planes_at(&self, slot: usize) -> R<(usize, usize)> {
        self.layout.planes_at(slot).ok_or_else(|| Refusal::new("a property of fields that has no place"))
    }

    /// Where the bitboards of a property of fields begin among those of a state.
    fn first_plane(&self, planes: usize) -> usize {
        self.layout.planes[..planes].iter().map(|planes| planes.bits).sum()
    }

    /// The value of a property of fields on a field.
    fn value_at(&mut self, planes: usize, index: Value, state: &State) -> Value {
        let (low, first) = (self.layout.planes[planes].low, self.first_plane(planes));
        let mut value = self.builder.constant(0);
        for bit in 0..self.layout.planes[planes].bits {
            let plane = state.planes[first + bit].clone();
            let there = self.contains(&plane, index);
            let shift = self.builder.constant(bit as u64);
            let part = self.builder.binary(Binary::ShiftLeft, there, shift);
            value = self.builder.or(value, part);
        }
        let low = self.builder.constant(i64::from(low) as u64);
        self.builder.binary(Binary::Add, value, low)
    }

    fn set_value_at(&mut self, planes: usize, index: Value, value: Value, state: &mut State) -> R<()> {
        if self.signs() {
            for value in [self.value_at(planes, index, state), value] {
                let part = self.field_value_signature(planes, index, value)?;
                state.signature = self.builder.xor(state.signature, part);
            }
        }
        let first = self.first_plane(planes);
        let low = self.builder.constant(i64::from(self.layout.planes[planes].low) as u64);
        let stored = self.builder.binary(Binary::Subtract, value, low);
        let field = self.single(index);
        let one = self.builder.constant(1);
        let mut all = Vec::clone(&state.planes);
        for bit in 0..self.layout.planes[planes].bits {
            let shift = self.builder.constant(bit as u64);
            let set = self.builder.binary(Binary::ShiftRight, stored, shift);
            let set = self.builder.and(set, one);
            let there = self.only_if(set, &field);
            let without = self.without(&all[first + bit], &field);
            all[first + bit] = self.union_of(&without, &there);
        }
        state.planes = Rc::new(all);
        state.changed_planes[planes] = true;
        Ok(())
    }

    /// What the value of a property of fields adds to the signature.
    fn field_value_signature(&mut self, planes: usize, index: Value, value: Value) -> R<Value> {
        let slot = self.layout.planes[planes].slot;
        let (low, high) = self.facts.range(Slot::Value(slot as u16));
        let range = (high - low + 1) as usize;
        if range * self.geometry.fields > 1 << 16 {
            return Err(Refusal::new("a property of fields with too many values"));
        }
        let fields = 0..self.geometry.fields;
        let entries = fields.flat_map(|field| (low..=high).map(move |value| (field, value)));
        let entries = entries.map(|(field, value)| self.zobrist.value(slot + field, value as i32)).collect();
        let table = self.tables.add(entries);
        let range = self.builder.constant(range as u64);
        let row = self.builder.binary(Binary::Multiply, index, range);
        let low = self.builder.constant(low as u64);
        let column = self.builder.binary(Binary::Subtract, value, low);
        let place = self.builder.binary(Binary::Add, row, column);
        Ok(self.builder.table(&self.tables, table, place))
    }

    /// An error of the rules, if there is a state at all in which it would happen.
    fn fail_if(&mut self, condition: Value, state: &State) -> R<()> {
        let there = self.is_there(state);
        let condition = self.builder.and(condition, self.guard);
        let condition = self.builder.and(condition, there);
        if self.builder.known(condition) != Some(0) {
            self.builder.push(Stmt::FailIf(condition));
        }
        Ok(())
    }

    pub(crate) fn finger_index(&self, state: &State) -> R<Value> {
        match state.finger {
            Finger::One(index) => Ok(index),
            _ => Err(Refusal::new("the finger is needed where it may point nowhere")),
        }
    }
}

/// Whether an expression assigns something.
fn has_effects(expr: &Expr) -> bool {
    matches!(expr.op, ExprOp::Store(..) | ExprOp::PostAdd(..)) || expr.operands().into_iter().any(has_effects)
}
