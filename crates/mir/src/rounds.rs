//! Rounds of loops that may have several results each: another round is another call of the function around it.

use multigame_ir::{Expr, Op, Stmt};

use crate::lower::{Lowering, R, Refusal};
use crate::outline::{Combine, MAX_ROUNDS};
use crate::rest::{Left, Rest, Step};
use crate::state::{Finger, Set, State};
use crate::vector::anything;
use crate::{Binary, Value, Variable};

impl<'p> Lowering<'p> {
    /// The results with the greatest value: found out first, then made.
    pub(crate) fn greatest(
        &mut self,
        value: &'p Expr,
        body: &'p Stmt,
        after: &Rest<'p>,
        state: State,
    ) -> R<Option<State>> {
        let best = self.builder.variable();
        let lowest = self.builder.constant(i64::MIN as u64);
        self.builder.set(best, lowest);
        let search = Rest::then(Step::Best(best, value), &Rest::End);
        self.run(&Rest::then(Step::Do(body), &search), state.clone())?;
        let best = self.builder.get(best);
        let found = self.builder.binary(Binary::NotEqual, best, lowest);
        let chosen = Rest::then(Step::Equals(value, best), after);
        self.when(found, &mut |lowering| lowering.run(&Rest::then(Step::Do(body), &chosen), state.clone()))?;
        Ok(None)
    }

    pub(crate) fn remember_best(&mut self, variable: Variable, value: &'p Expr, mut state: State) -> R<()> {
        let value = self.evaluate(value, &mut state)?;
        self.combine(Combine::Greatest, variable, value);
        Ok(())
    }

    /// One round of a loop, or its end.
    pub(crate) fn round(&mut self, stmt: &'p Stmt, rounds: Value, after: &Rest<'p>, state: State) -> R<()> {
        let most = self.builder.constant(MAX_ROUNDS);
        let one = self.builder.constant(1);
        let next = self.builder.binary(Binary::Add, rounds, one);
        let again = Rest::then(Step::Round(stmt, next), after);
        let too_many = self.builder.binary(Binary::LessEqual, most, rounds);
        match &stmt.op {
            Op::While { condition, body } => {
                self.builder.push(crate::Stmt::FailIf(too_many));
                let goes_on = self.builder.variable();
                let zero = self.builder.constant(0);
                self.builder.set(goes_on, zero);
                let again = Rest::then(Step::Mark(goes_on), &Rest::then(Step::Do(body), &again));
                self.run(&Rest::then(Step::Do(condition), &again), state.clone())?;
                let goes_on = self.builder.get(goes_on);
                let ends = self.builder.is_zero(goes_on);
                self.when(ends, &mut |lowering| lowering.run(after, state.clone()))
            }
            Op::Repeat { low, high, body } => {
                let goes_on = match high {
                    Some(high) => {
                        let high = self.builder.constant(u64::from(*high));
                        self.builder.binary(Binary::Less, rounds, high)
                    }
                    None => {
                        self.builder.push(crate::Stmt::FailIf(too_many));
                        one
                    }
                };
                let again = Rest::then(Step::Do(body), &again);
                self.when(goes_on, &mut |lowering| lowering.run(&again, state.clone()))?;
                let low = self.builder.constant(u64::from(*low));
                let enough = self.builder.binary(Binary::LessEqual, low, rounds);
                self.when(enough, &mut |lowering| lowering.run(after, state.clone()))
            }
            _ => Err(Refusal::new("a round of no loop")),
        }
    }

    /// The next field of a `for each`, or its end.
    pub(crate) fn next_field(
        &mut self,
        stmt: &'p Stmt,
        left: &Left,
        after: &Rest<'p>,
        state: State,
    ) -> R<()> {
        let Op::ForEachField(_, body) = &stmt.op else {
            return Err(Refusal::new("a field of no `for each`"));
        };
        let more = self.is_inhabited(&left.fields);
        let (index, fields) = self.take_lowest(&left.fields);
        let rest = Rest::then(Step::Fields(stmt, Left { fields, ..left.clone() }), after);
        let there = State {
            finger: Finger::One(index),
            direction: left.direction,
            content: anything(self.layout.pieces),
            ..state.clone()
        };
        self.when(more, &mut |lowering| {
            let succeeded = lowering.builder.variable();
            let zero = lowering.builder.constant(0);
            lowering.builder.set(succeeded, zero);
            let marked = Rest::then(Step::Mark(succeeded), &rest);
            lowering.run(&Rest::then(Step::Do(body), &marked), there.clone())?;
            let succeeded = lowering.builder.get(succeeded);
            let failed = lowering.builder.is_zero(succeeded);
            lowering.when(failed, &mut |lowering| lowering.run(&rest, there.clone()))
        })?;
        let done = self.builder.is_zero(more);
        let finger = left.finger.map_or(Finger::Nowhere, Finger::One);
        let back =
            State { finger, direction: left.direction, content: anything(self.layout.pieces), ..state };
        self.when(done, &mut |lowering| lowering.run(after, back.clone()))
    }

    /// The lowest field of a set, and the others. Of an empty set it is any field.
    pub(crate) fn take_lowest(&mut self, set: &Set) -> (Value, Set) {
        let zero = self.builder.constant(0);
        let mut index = zero;
        let mut left = set.clone();
        let mut before = self.builder.constant(1);
        for (number, &word) in set.iter().enumerate() {
            let here = self.builder.is_nonzero(word);
            let first = self.builder.and(before, here);
            let lowest = self.builder.unary(crate::Unary::TrailingZeros, word);
            let start = self.builder.constant(64 * number as u64);
            let field = self.builder.binary(Binary::Add, start, lowest);
            index = self.builder.select(first, field, index);
            let one = self.builder.constant(1);
            let less = self.builder.binary(Binary::Subtract, word, one);
            let without = self.builder.and(word, less);
            left[number] = self.builder.select(first, without, word);
            let gone = self.builder.is_zero(here);
            before = self.builder.and(before, gone);
        }
        (index, left)
    }
}
