//! Expressions: values of properties, arithmetic, and the errors that must not go unnoticed.

use std::rc::Rc;

use multigame_game::Field;
use multigame_ir::{BinaryOp, Expr, ExprOp, Slot, Stmt};

use crate::analysis::facts::Depends;
use crate::analysis::live::Live;
use crate::lowering::Lowering;
use crate::lowering::rest::{Rest, Step};
use crate::lowering::state::{Finger, State};
use crate::refusal::{self, R, Refusal};
use crate::sets::code::Code;
use crate::{Binary, Unary, Value};

impl Code {
    fn arithmetic(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        if op == BinaryOp::ShiftIn {
            let shifted = self.binary(Binary::ShiftLeft, a, b);
            let room = self.constant((1 << BinaryOp::ROOM) - 1);
            return self.and(shifted, room);
        }
        let (op, a, b) = match op {
            BinaryOp::Multiply => (Binary::Multiply, a, b),
            BinaryOp::Divide => (Binary::Divide, a, b),
            BinaryOp::Remainder => (Binary::Remainder, a, b),
            BinaryOp::Add => (Binary::Add, a, b),
            BinaryOp::Subtract => (Binary::Subtract, a, b),
            BinaryOp::ShiftLeft | BinaryOp::ShiftIn => (Binary::ShiftLeft, a, b),
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
        self.binary(op, a, b)
    }
}

impl<'p> Lowering<'p> {
    /// The value of an expression; what it assigns is changed in the state.
    pub(crate) fn evaluate(&mut self, expr: &'p Expr, state: &mut State) -> R<Value> {
        self.evaluate_here(expr, state).map_err(|refusal| refusal.inside(expr.origin))
    }

    fn evaluate_here(&mut self, expr: &'p Expr, state: &mut State) -> R<Value> {
        match &expr.op {
            ExprOp::Const(value) => Ok(self.code.constant(*value as u64)),
            ExprOp::Load(slot) => self.load(*slot, state),
            ExprOp::Row(_) | ExprOp::Column(_) => self.coordinate(expr, state),
            ExprOp::Negate(a) => {
                self.fits(expr)?;
                self.unary(Unary::Negate, a, state)
            }
            ExprOp::Complement(a) => self.unary(Unary::Not, a, state),
            ExprOp::Not(a) => {
                let a = self.evaluate(a, state)?;
                Ok(self.code.is_zero(a))
            }
            ExprOp::And(a, b) => self.logical(Binary::And, a, b, state),
            ExprOp::Or(a, b) => self.logical(Binary::Or, a, b, state),
            ExprOp::Conditional(condition, a, b) => self.conditional(condition, a, b, state),
            ExprOp::Binary(op, a, b) => {
                self.fits(expr)?;
                let a = self.evaluate(a, state)?;
                let b = self.evaluate(b, state)?;
                Ok(self.code.arithmetic(*op, a, b))
            }
            ExprOp::Store(slot, a) => self.assign(*slot, a, state),
            ExprOp::PostAdd(slot, by) => self.post_add(*slot, *by, state),
            ExprOp::Comma(a, b) => {
                self.evaluate(a, state)?;
                self.evaluate(b, state)
            }
            ExprOp::Count(body) => {
                let inner = self.counting_from(expr, body, state)?;
                self.count(body, inner)
            }
            ExprOp::Sum(value, body) => self.sum(expr, value, body, state),
        }
    }

    /// The finger's row or column.
    fn coordinate(&mut self, expr: &Expr, state: &State) -> R<Value> {
        let index = state.finger_index()?;
        let fields = (0..self.facts.geometry.fields as u16).map(Field);
        let entries: R<Vec<u64>> = fields.map(|field| Ok(self.facts.at_place(expr, field)? as u64)).collect();
        Ok(self.code.entry(entries?, index))
    }

    fn unary(&mut self, op: Unary, a: &'p Expr, state: &mut State) -> R<Value> {
        let a = self.evaluate(a, state)?;
        Ok(self.code.unary(op, a))
    }

    /// Both ways are computed, so neither must do anything.
    fn conditional(&mut self, condition: &'p Expr, a: &'p Expr, b: &'p Expr, state: &mut State) -> R<Value> {
        let condition = self.evaluate(condition, state)?;
        let (a, b) = (self.pure(a, state)?, self.pure(b, state)?);
        Ok(self.code.select(condition, a, b))
    }

    /// `&&` and `||`: both sides are computed, so the second must not do anything.
    fn logical(&mut self, op: Binary, a: &'p Expr, b: &'p Expr, state: &mut State) -> R<Value> {
        let a = self.evaluate(a, state)?;
        let a = self.code.is_nonzero(a);
        let b = self.pure(b, state)?;
        let b = self.code.is_nonzero(b);
        Ok(self.code.binary(op, a, b))
    }

    /// Changes a property; the value is the new one.
    fn assign(&mut self, slot: Slot, value: &'p Expr, state: &mut State) -> R<Value> {
        let assigned = self.evaluate(value, state)?;
        let interval = self.facts.interval(value).ok_or_else(|| self.facts.unbounded(value))?;
        self.store(slot, assigned, interval, state)?;
        Ok(assigned)
    }

    /// Adds to a property; the value is the old one.
    fn post_add(&mut self, slot: Slot, by: i64, state: &mut State) -> R<Value> {
        let before = self.load(slot, state)?;
        let by_value = self.code.constant(by as u64);
        let after = self.code.binary(Binary::Add, before, by_value);
        let (low, high) = self.facts.range(slot);
        self.store(slot, after, (low + by, high + by), state)?;
        Ok(before)
    }

    /// The one state from which the results of a statement are counted.
    ///
    /// **Invariant:** a count belongs to one state. A set of fingers represents many, so it may only be
    /// counted from there if neither finger nor direction matters, and then from nowhere, once.
    fn counting_from(&self, expr: &Expr, body: &Stmt, state: &State) -> R<State> {
        if self.facts.forgets_direction(body) {
            return Err(Refusal::new(refusal::TURNED));
        }
        let live = self.facts.live_in_expr(expr);
        let mut inner = state.clone();
        match (&state.finger, live) {
            (Finger::Many(_), Live { finger: false, direction: false }) => {
                inner.finger = Finger::Nowhere;
                inner.direction = None;
            }
            (Finger::Many(_), _) => {
                return Err(Refusal::new(refusal::MANY_FINGERS));
            }
            (Finger::Nowhere, Live { finger: true, .. }) => {
                return Err(Refusal::new(refusal::NOWHERE));
            }
            _ => {}
        }
        Ok(inner)
    }

    /// How many states a statement gives.
    fn count(&mut self, body: &'p Stmt, mut state: State) -> R<Value> {
        if !self.facts.runs_on_sets(body) {
            return self.tally(body, state);
        }
        self.run_on_sets(body, &mut state)?;
        let Finger::Many(branches) = state.finger else { return Err(Refusal::new("`count` of nothing")) };
        let mut sum = self.code.constant(0);
        for branch in &branches {
            for word in self.code.as_set(&branch.fingers) {
                let count = self.code.unary(Unary::CountOnes, word);
                sum = self.code.binary(Binary::Add, sum, count);
            }
        }
        Ok(sum)
    }

    /// How many states a statement gives that ends with tests of single states.
    fn tally(&mut self, body: &'p Stmt, state: State) -> R<Value> {
        if !self.facts.distinct(body) {
            return Err(Refusal::new(refusal::TWICE));
        }
        let number = self.code.cleared();
        let rest = Rest::then(Step::Tally(number), &Rest::End);
        self.run(&Rest::then(Step::Do(body), &rest), state)?;
        Ok(self.code.get(number))
    }

    /// The sum of an expression over the states that a statement on sets gives.
    fn sum(&mut self, expr: &Expr, value: &'p Expr, body: &'p Stmt, state: &State) -> R<Value> {
        if !self.facts.runs_on_sets(body) || has_effects(value) {
            return Err(Refusal::new(refusal::SUM));
        }
        let mut inner = self.counting_from(expr, body, state)?;
        self.run_on_sets(body, &mut inner)?;
        if let (Finger::Many(branches), Depends::Place) = (&inner.finger, self.facts.depends(value)) {
            let mut sum = self.code.constant(0);
            for branch in branches {
                let set = self.code.as_set(&branch.fingers);
                let part = self.sum_by_place(value, &set)?;
                sum = self.code.binary(Binary::Add, sum, part);
            }
            return Ok(sum);
        }
        self.sum_one_by_one(value, inner)
    }

    /// The sum over fingers that are looked at one after the other.
    fn sum_one_by_one(&mut self, value: &'p Expr, state: State) -> R<Value> {
        let sum = self.code.cleared();
        self.split_into(
            state,
            &mut |_, set, _, _| Ok(crate::emission::split::Crowd::Each(set.clone())),
            &mut |lowering, mut state| {
                let part = lowering.evaluate(value, &mut state)?;
                let before = lowering.code.get(sum);
                let after = lowering.code.binary(Binary::Add, before, part);
                lowering.code.set(sum, after);
                Ok(())
            },
        )?;
        Ok(self.code.get(sum))
    }

    /// An expression that is computed although its value may not be wanted: it must not do anything.
    fn pure(&mut self, expr: &'p Expr, state: &State) -> R<Value> {
        if has_effects(expr) {
            return Err(Refusal::new(refusal::SOMETIMES));
        }
        self.evaluate(expr, &mut state.clone())
    }

    fn fits(&self, expr: &Expr) -> R<()> {
        match self.facts.interval(expr) {
            Some(_) => Ok(()),
            None => Err(self.facts.unbounded(expr)),
        }
    }

    fn load(&mut self, slot: Slot, state: &mut State) -> R<Value> {
        match slot {
            Slot::Value(number) => match self.facts.layout.planes_at(usize::from(number)) {
                Some((planes, field)) => {
                    let index = self.code.constant(field as u64);
                    Ok(self.value_at(planes, index, state))
                }
                None => Ok(self.value(usize::from(number), state)),
            },
            Slot::AtFinger(base) => {
                let index = state.finger_index()?;
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
        let kept = self.facts.program.description.value_count();
        let value = match self.facts.layout.scalar(number) {
            Some(scalar) => self.code.property(scalar),
            None => {
                debug_assert!(number >= kept, "properties of fields are not kept here");
                self.code.constant(i64::from(self.facts.program.move_properties[number - kept].low) as u64)
            }
        };
        state.values[number] = Some(value);
        value
    }

    fn store(&mut self, slot: Slot, value: Value, interval: (i64, i64), state: &mut State) -> R<()> {
        let value = self.in_range(slot, value, interval, state)?;
        match slot {
            Slot::AtFinger(base) => {
                let index = state.finger_index()?;
                let (planes, _) = self.planes_at(usize::from(base))?;
                self.set_value_at(planes, index, value, state)
            }
            Slot::Value(number) => {
                let number = usize::from(number);
                if let Some((planes, field)) = self.facts.layout.planes_at(number) {
                    let index = self.code.constant(field as u64);
                    return self.set_value_at(planes, index, value, state);
                }
                state.values[number] = Some(value);
                state.changed_values[number] |= self.facts.layout.scalar(number).is_some();
                Ok(())
            }
        }
    }

    /// A value that is going to be stored, which must be in its range.
    fn in_range(&mut self, slot: Slot, value: Value, interval: (i64, i64), state: &State) -> R<Value> {
        let (low, high) = self.facts.range(slot);
        if interval.0 >= low && interval.1 <= high {
            return Ok(value);
        }
        let lowest = self.code.constant(low as u64);
        let highest = self.code.constant(high as u64);
        let below = self.code.binary(Binary::Less, value, lowest);
        let above = self.code.binary(Binary::Less, highest, value);
        let outside = self.code.or(below, above);
        self.fail_if(outside, state)?;
        // Where it does not count, it is computed for nothing, but with a value that exists.
        Ok(self.code.select(outside, lowest, value))
    }

    fn planes_at(&self, slot: usize) -> R<(usize, usize)> {
        self.facts
            .layout
            .planes_at(slot)
            .ok_or_else(|| Refusal::new("a property of fields that has no place"))
    }

    /// Where the bitboards of a property of fields begin among those of a state.
    fn first_plane(&self, planes: usize) -> usize {
        self.facts.layout.planes[..planes].iter().map(|planes| planes.bits).sum()
    }

    /// The value of a property of fields on a field.
    fn value_at(&mut self, planes: usize, index: Value, state: &State) -> Value {
        let (low, first) = (self.facts.layout.planes[planes].low, self.first_plane(planes));
        let mut value = self.code.constant(0);
        for bit in 0..self.facts.layout.planes[planes].bits {
            let plane = state.planes[first + bit].clone();
            let there = self.code.contains(&plane, index);
            let shift = self.code.constant(bit as u64);
            let part = self.code.binary(Binary::ShiftLeft, there, shift);
            value = self.code.or(value, part);
        }
        let low = self.code.constant(i64::from(low) as u64);
        self.code.binary(Binary::Add, value, low)
    }

    fn set_value_at(&mut self, planes: usize, index: Value, value: Value, state: &mut State) -> R<()> {
        if self.code.signs {
            for value in [self.value_at(planes, index, state), value] {
                let part = self.field_value_signature(planes, index, value)?;
                state.signature = self.code.xor(state.signature, part);
            }
        }
        let first = self.first_plane(planes);
        let low = self.code.constant(i64::from(self.facts.layout.planes[planes].low) as u64);
        let stored = self.code.binary(Binary::Subtract, value, low);
        let field = self.code.single(index);
        let one = self.code.constant(1);
        let mut all = Vec::clone(&state.planes);
        for bit in 0..self.facts.layout.planes[planes].bits {
            let shift = self.code.constant(bit as u64);
            let set = self.code.binary(Binary::ShiftRight, stored, shift);
            let set = self.code.and(set, one);
            let there = self.code.only_if(set, &field);
            let without = self.code.without(&all[first + bit], &field);
            all[first + bit] = self.code.union_of(&without, &there);
        }
        state.planes = Rc::new(all);
        state.changed_planes[planes] = true;
        Ok(())
    }

    /// An error of the rules, if there is a state at all in which it would happen.
    fn fail_if(&mut self, condition: Value, state: &State) -> R<()> {
        let there = self.code.is_there(state);
        let condition = self.code.and(condition, self.here.guard);
        let condition = self.code.and(condition, there);
        if self.code.known(condition) != Some(0) {
            self.code.push(crate::Stmt::FailIf(condition));
        }
        Ok(())
    }
}

/// Whether an expression assigns something.
fn has_effects(expr: &Expr) -> bool {
    matches!(expr.op, ExprOp::Store(..) | ExprOp::PostAdd(..)) || expr.operands().into_iter().any(has_effects)
}
