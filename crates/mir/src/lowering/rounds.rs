//! Rounds of loops that may have several results each: another round is another call of the function around
//! it.

use multigame_ir::{Expr, Op, Stmt};

use crate::lowering::Lowering;
use crate::lowering::exchange::Combine;
use crate::lowering::outline::MAX_ROUNDS;
use crate::lowering::rest::{Left, Rest, Step};
use crate::lowering::state::{Finger, State};
use crate::refusal::{R, Refusal};
use crate::{Binary, Value, Variable};

impl<'p> Lowering<'p> {
    /// The results with the greatest value: found out first, then made.
    pub(crate) fn greatest(
        &mut self,
        value: &'p Expr,
        body: &'p Stmt,
        after: &Rest<'p>,
        state: State,
    ) -> R<()> {
        let best = self.code.variable();
        let lowest = self.code.constant(i64::MIN as u64);
        self.code.set(best, lowest);
        let search = Rest::then(Step::Best(best, value), &Rest::End);
        self.run(&Rest::then(Step::Do(body), &search), state.clone())?;
        let best = self.code.get(best);
        let found = self.code.binary(Binary::NotEqual, best, lowest);
        let chosen = Rest::then(Step::Equals(value, best), after);
        self.when(found, &mut |lowering| lowering.run(&Rest::then(Step::Do(body), &chosen), state.clone()))
    }

    pub(crate) fn remember_best(&mut self, variable: Variable, value: &'p Expr, mut state: State) -> R<()> {
        let value = self.evaluate(value, &mut state)?;
        self.code.combine(Combine::Greatest, variable, value);
        Ok(())
    }

    /// One round of a loop, or its end.
    pub(crate) fn round(&mut self, stmt: &'p Stmt, rounds: Value, after: &Rest<'p>, state: State) -> R<()> {
        let most = self.code.constant(MAX_ROUNDS);
        let one = self.code.constant(1);
        let next = self.code.binary(Binary::Add, rounds, one);
        let again = Rest::then(Step::Round(stmt, next), after);
        let too_many = self.code.binary(Binary::LessEqual, most, rounds);
        match &stmt.op {
            Op::While { condition, body } => {
                self.code.push(crate::Stmt::FailIf(too_many));
                self.round_of_while(condition, &Rest::then(Step::Do(body), &again), after, state)
            }
            Op::Repeat { low, high, body } => {
                let goes_on = match high {
                    Some(high) => {
                        let high = self.code.constant(u64::from(*high));
                        self.code.binary(Binary::Less, rounds, high)
                    }
                    None => {
                        self.code.push(crate::Stmt::FailIf(too_many));
                        one
                    }
                };
                let again = Rest::then(Step::Do(body), &again);
                self.when(goes_on, &mut |lowering| lowering.run(&again, state.clone()))?;
                let low = self.code.constant(u64::from(*low));
                let enough = self.code.binary(Binary::LessEqual, low, rounds);
                self.when(enough, &mut |lowering| lowering.run(after, state.clone()))
            }
            _ => Err(Refusal::new("a round of no loop")),
        }
    }

    /// `again` where the condition has results; where it has none the loop ends.
    fn round_of_while(
        &mut self,
        condition: &'p Stmt,
        again: &Rest<'p>,
        after: &Rest<'p>,
        state: State,
    ) -> R<()> {
        let goes_on = self.code.cleared();
        let again = Rest::then(Step::Mark(goes_on), again);
        self.run(&Rest::then(Step::Do(condition), &again), state.clone())?;
        let goes_on = self.code.get(goes_on);
        let ends = self.code.is_zero(goes_on);
        self.when(ends, &mut |lowering| lowering.run(after, state.clone()))
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
        let more = self.code.is_inhabited(&left.fields);
        let (index, fields) = self.code.take_lowest(&left.fields);
        let rest = Rest::then(Step::Fields(stmt, Left { fields, ..left.clone() }), after);
        let there = State {
            finger: Finger::One(index),
            direction: left.direction,
            content: self.facts.layout.anything(),
            ..state.clone()
        };
        self.when(more, &mut |lowering| lowering.field_or_unchanged(body, &rest, &there))?;
        let done = self.code.is_zero(more);
        let finger = left.finger.map_or(Finger::Nowhere, Finger::One);
        let back =
            State { finger, direction: left.direction, content: self.facts.layout.anything(), ..state };
        self.when(done, &mut |lowering| lowering.run(after, back.clone()))
    }

    /// The results of the body of a `for each` at a field; where it has none, the state as it is.
    fn field_or_unchanged(&mut self, body: &'p Stmt, rest: &Rest<'p>, there: &State) -> R<()> {
        let succeeded = self.code.cleared();
        let marked = Rest::then(Step::Mark(succeeded), rest);
        self.run(&Rest::then(Step::Do(body), &marked), there.clone())?;
        let succeeded = self.code.get(succeeded);
        let failed = self.code.is_zero(succeeded);
        self.when(failed, &mut |lowering| lowering.run(rest, there.clone()))
    }
}

#[cfg(test)]
mod tests {
    use crate::Options;
    use crate::testing::{BOARD, function, module};

    #[test]
    fn a_loop_with_several_results_is_a_function_that_calls_itself() {
        let rules = "find own man, pick up, while jump do nothing, put down.
            jump = any direction, step, points at opponent's man, replace by empty field, step,
                points at empty field";
        let module = module(BOARD, rules, &Options::default());
        let recursive = module.recursive();
        let rounds: Vec<usize> = (0..recursive.len()).filter(|&number| recursive[number]).collect();
        assert!(!rounds.is_empty());
        for function in rounds.into_iter().map(|number| &module.functions[number]) {
            assert!(function.name.starts_with("rest_"), "{function}");
            assert!(function.to_string().contains("fail if"), "{function}");
        }
    }

    #[test]
    fn the_greatest_is_found_before_it_is_made() {
        let rules = "greatest (row) [ find own man, north, step, points at empty field ], replace by rock";
        let generate =
            function(&module(BOARD, rules, &Options::default()), "main_white_generate").to_string();
        assert_eq!(generate.matches("for v").count(), 2, "{generate}");
    }
}
