//! Telling results apart while they are counted.
//!
//! Where nothing proves that results differ, they usually do all the same: each moves another piece. Results that have
//! left own fields, each of them others than the rest, cannot be equal. So the fields that have been left are collected while
//! counting, and only where one is left twice the caller has to make all results and to compare them.

use multigame_ir::{Op, Stmt};

use crate::lower::{Lowering, R};
use crate::outline::Combine;
use crate::rest::{Rest, Step};
use crate::state::State;
use crate::{Kind, Pass, Variable};

impl<'p> Lowering<'p> {
    /// Counts the results of a statement and marks that there are any, or gives up; false if it is better not to try.
    ///
    /// PERF: atomic chess lost a fifth, where most pieces have several moves and counting is given up at the second.
    pub(crate) fn count_apart(
        &mut self,
        stmt: &'p Stmt,
        succeeded: Option<Variable>,
        state: &State,
    ) -> R<bool> {
        let counts = self.kind == Kind::Count && self.wanted.is_none() && self.options.has(Pass::Counting);
        if !counts || self.layout.coded || !self.jumps_on(stmt) {
            return Ok(false);
        }
        let left = (0..self.layout.set_words).map(|_| self.builder.variable()).collect();
        self.left_fields = Some(left);
        let rest = succeeded.map_or(Rest::End, |mark| Rest::then(Step::Mark(mark), &Rest::End));
        let done = self.run(&Rest::then(Step::Do(stmt), &rest), state.clone());
        self.left_fields = None;
        done.map(|()| true)
    }

    /// Whether results come out of rounds that change something, of which nothing is known afterwards, and each of them
    /// counts as it is.
    fn jumps_on(&self, stmt: &Stmt) -> bool {
        self.has(stmt, &|stmt| matches!(stmt.op, Op::While { .. }) && !self.facts.runs_on_sets(stmt))
            && !self.has(stmt, &|stmt| matches!(stmt.op, Op::Greatest(..)))
    }

    fn has(&self, stmt: &Stmt, wanted: &dyn Fn(&Stmt) -> bool) -> bool {
        wanted(stmt)
            || match &stmt.op {
                Op::Call(function) => {
                    !self.facts.recursive(*function) && self.has(self.facts.body(*function), wanted)
                }
                _ => stmt.children().into_iter().any(|child| self.has(child, wanted)),
            }
    }

    /// Notes which own fields a result has left, if that is asked for; gives up if that does not tell it apart.
    pub(crate) fn tell_apart(&mut self, state: &mut State) -> R<()> {
        let Some(seen) = self.left_fields.clone() else { return Ok(()) };
        let own = self.own_pieces();
        let mut before = self.empty();
        for piece in own.iter() {
            let first = self.layout.board(piece);
            let fields = (first..first + self.layout.set_words).map(|word| self.builder.word(word)).collect();
            before = self.union_of(&before, &fields);
        }
        let after = self.fields_of(own, state);
        let left = self.without(&before, &after);
        let any = self.is_inhabited(&left);
        let none = self.builder.is_zero(any);
        self.builder.push(crate::Stmt::FailIf(none));
        for (variable, word) in seen.into_iter().zip(left) {
            self.combine(Combine::Apart, variable, word);
        }
        Ok(())
    }
}
