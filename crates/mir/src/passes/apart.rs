//! Telling results apart while they are counted.
//!
//! Where nothing proves that results differ, they usually do all the same: each moves another piece. Results
//! that have left own fields, each of them others than the rest, cannot be equal. So the fields that have
//! been left are collected while counting, and only where one is left twice the caller has to make all
//! results and to compare them.

use multigame_ir::{Op, Stmt};

use crate::analysis::facts::Facts;
use crate::lowering::Lowering;
use crate::lowering::exchange::Combine;
use crate::lowering::rest::{Rest, Step};
use crate::lowering::state::State;
use crate::refusal::R;
use crate::{Kind, Pass, Variable};

impl<'p> Facts<'p> {
    /// Whether results come out of rounds that change something, of which nothing is known afterwards, and
    /// each of them counts as it is.
    fn jumps_on(&self, stmt: &Stmt) -> bool {
        self.has(stmt, &|stmt| matches!(stmt.op, Op::While { .. }) && !self.runs_on_sets(stmt))
            && !self.has(stmt, &|stmt| matches!(stmt.op, Op::Greatest(..)))
    }

    fn has(&self, stmt: &Stmt, wanted: &dyn Fn(&Stmt) -> bool) -> bool {
        wanted(stmt)
            || match &stmt.op {
                Op::Call(function) => !self.recursive(*function) && self.has(self.body(*function), wanted),
                _ => stmt.children().into_iter().any(|child| self.has(child, wanted)),
            }
    }
}

impl<'p> Lowering<'p> {
    /// Counts the results of a statement and marks that there are any, or gives up; false if it is better not
    /// to try.
    ///
    /// PERF: atomic chess lost a fifth, where most pieces have several moves and counting is given up at the
    /// second.
    pub(crate) fn count_apart(
        &mut self,
        stmt: &'p Stmt,
        succeeded: Option<Variable>,
        state: &State,
    ) -> R<bool> {
        let counts =
            self.aim.kind == Kind::Count && self.aim.wanted.is_none() && self.options.has(Pass::Counting);
        if !counts || self.facts.layout.coded || !self.facts.jumps_on(stmt) {
            return Ok(false);
        }
        let left = (0..self.facts.layout.set_words).map(|_| self.code.variable()).collect();
        self.here.left_fields = Some(left);
        let rest = succeeded.map_or(Rest::End, |mark| Rest::then(Step::Mark(mark), &Rest::End));
        let done = self.run(&Rest::then(Step::Do(stmt), &rest), state.clone());
        self.here.left_fields = None;
        done.map(|()| true)
    }

    /// Notes which own fields a result has left, if that is asked for; gives up if that does not tell it
    /// apart.
    pub(crate) fn tell_apart(&mut self, state: &mut State) -> R<()> {
        let Some(seen) = self.here.left_fields.clone() else { return Ok(()) };
        let own = self.own_pieces();
        let mut before = self.code.empty();
        for piece in own.iter() {
            let first = self.facts.layout.board(piece);
            let fields =
                (first..first + self.facts.layout.set_words).map(|word| self.code.word(word)).collect();
            before = self.code.union_of(&before, &fields);
        }
        let after = self.code.fields_of(own, state);
        let left = self.code.without(&before, &after);
        let any = self.code.is_inhabited(&left);
        let none = self.code.is_zero(any);
        self.code.push(crate::Stmt::FailIf(none));
        for (variable, word) in seen.into_iter().zip(left) {
            self.code.combine(Combine::Apart, variable, word);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::Options;
    use crate::testing::{BOARD, function, module};

    #[test]
    fn results_that_leave_a_field_twice_end_the_count() {
        let rules = "try either [ find own man, pick up, jump, while jump do nothing, put down ]
                or [ find rock, pick up, jump, put down ]
            else [ find own man, pick up, north, step, points at empty field, put down ].
            jump = any direction, step, points at opponent's man, replace by empty field, step,
                points at empty field";
        let module = module(BOARD, rules, &Options::default());
        assert!(module.may_repeat);
        let count = function(&module, "main_white_count").to_string();
        // Where a result is counted it has been noted which field it leaves, and a field that is left twice
        // is a failure.
        let (noted, counted) = (count.matches("fail if").count(), count.matches("x0 = ").count());
        assert!(counted > 0 && noted >= counted, "{count}");
    }

    #[test]
    fn steps_that_may_be_equal_are_not_counted() {
        let rules = "find own man, replace by rock, any direction, step, points at own man, replace by rock";
        assert_eq!(module(BOARD, rules, &Options::default()).count, [None, None]);
    }
}
