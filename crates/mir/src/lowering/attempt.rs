//! Statements with at most one result, run without branching: a condition says whether there is one.
//!
//! `try [ assert (...), assign (...) ]` must not double the code of everything that follows it. Here both
//! ways are computed and the state after it is selected.

use multigame_game::{Direction, PieceSet};
use multigame_ir::{Op, Stmt};

use crate::Value;
use crate::analysis::facts::Facts;
use crate::analysis::live::Live;
use crate::lowering::Lowering;
use crate::lowering::rest::Rest;
use crate::lowering::state::{Finger, State};
use crate::refusal::R;

/// The condition under which a statement has its one result, and the state then; nothing if it may have
/// several.
pub(crate) type Attempt = Option<(Value, State)>;

/// What comes after a statement that is attempted: the rest of its sequence, then the rest of the move.
pub(crate) struct AfterAttempt<'a, 'p> {
    pub parts: &'a [&'p Stmt],
    rest: &'a Rest<'p>,
}

impl<'a, 'p> AfterAttempt<'a, 'p> {
    /// This remains.
    pub fn of(rest: &'a Rest<'p>) -> AfterAttempt<'a, 'p> {
        AfterAttempt { parts: &[], rest }
    }

    /// Nothing matters afterwards.
    pub fn nothing() -> AfterAttempt<'static, 'p> {
        AfterAttempt { parts: &[], rest: &Rest::End }
    }

    pub fn with(&self, parts: &'a [&'p Stmt]) -> AfterAttempt<'a, 'p> {
        AfterAttempt { parts, rest: self.rest }
    }
}

impl<'p> Facts<'p> {
    /// Whether it pays to try without branching: code must not be made and thrown away.
    pub(crate) fn may_attempt(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Sequence(parts) => parts.iter().all(|part| self.may_attempt(part)),
            Op::Try(a, b) => self.may_attempt(a) && self.may_attempt(b),
            Op::Call(function) => !self.recursive(*function) && self.may_attempt(self.body(*function)),
            Op::Either(parts) if self.exclusive(parts) => parts.iter().all(|part| self.may_attempt(part)),
            Op::Either(_) | Op::Find(_) => self.runs_on_sets(stmt),
            Op::Repeat { .. } => self.runs_on_sets(stmt),
            Op::While { condition, body } => self.may_attempt(condition) && self.may_attempt(body),
            Op::ForEachField(_, body) => self.may_attempt(body),
            Op::Greatest(..) => false,
            _ => true,
        }
    }
}

impl<'p> Lowering<'p> {
    pub(crate) fn attempt_statement(
        &mut self,
        stmt: &'p Stmt,
        after: &AfterAttempt<'_, 'p>,
        state: State,
    ) -> R<Attempt> {
        if self.facts.runs_on_sets(stmt) {
            return self.attempt_on_sets(stmt, after, state);
        }
        match &stmt.op {
            Op::Sequence(parts) => {
                let parts: Vec<&'p Stmt> = parts.iter().collect();
                self.attempt_sequence(&parts, after, state)
            }
            Op::Call(function) if !self.facts.recursive(*function) => {
                self.attempt_statement(self.facts.body(*function), after, state)
            }
            Op::Try(first, second) => self.attempt_choice(first, second, after, state),
            Op::Either(parts) if self.facts.exclusive(parts) => self.attempt_exclusive(parts, after, state),
            Op::ForEachDirection(directions, body) => self.attempt_directions(directions, body, state),
            Op::ForEachField(pieces, body) => self.attempt_fields(*pieces, body, state),
            Op::While { .. } => match self.facts.sweep(stmt) {
                Some((swept, piece)) => self.sweep(swept, piece, false, after, state).map(Some),
                None => self.attempt_while(stmt, after, state),
            },
            Op::Either(_) | Op::Call(_) | Op::Repeat { .. } | Op::Greatest(..) => Ok(None),
            _ => self.attempt_simple(stmt, state),
        }
    }

    fn attempt_on_sets(&mut self, stmt: &'p Stmt, after: &AfterAttempt<'_, 'p>, state: State) -> R<Attempt> {
        let live = self.live_after(after);
        if self.facts.stays(stmt) || (!live.finger && !live.direction) {
            return self.attempt_test_on_sets(stmt, state).map(Some);
        }
        match &stmt.op {
            Op::Sequence(parts) => {
                let parts: Vec<&'p Stmt> = parts.iter().collect();
                self.attempt_sequence(&parts, after, state)
            }
            Op::Call(function) => self.attempt_statement(self.facts.body(*function), after, state),
            Op::Face(directions) if directions.len() == 1 => {
                let always = self.code.constant(1);
                Ok(Some((always, State { direction: Some(directions[0]), behind: None, ..state })))
            }
            Op::Step => self.code.attempt_step(state).map(Some),
            _ => Ok(None),
        }
    }

    /// A statement that does not move the finger, or after which it does not matter where it is.
    fn attempt_test_on_sets(&mut self, stmt: &'p Stmt, mut state: State) -> R<(Value, State)> {
        let exists = self.exists(stmt, &state)?;
        if !self.facts.stays(stmt) {
            state.finger = Finger::Nowhere;
            state.direction = None;
        } else if let Op::PointsAt(pieces) = &stmt.op {
            state.content = state.content.iter().filter(|&piece| pieces.contains(piece)).collect();
        }
        Ok((exists, state))
    }

    fn attempt_sequence(
        &mut self,
        parts: &[&'p Stmt],
        after: &AfterAttempt<'_, 'p>,
        mut state: State,
    ) -> R<Attempt> {
        let outer = self.here.guard;
        let mut condition = self.code.constant(1);
        let mut left = parts;
        while !left.is_empty() {
            let attempted = self.attempt_next(&mut left, condition, after, state);
            let Ok(Some((part_condition, next))) = attempted else {
                self.here.guard = outer;
                return attempted;
            };
            condition = self.code.and(condition, part_condition);
            self.here.guard = self.code.and(outer, condition);
            state = next;
        }
        self.here.guard = outer;
        Ok(Some((condition, state)))
    }

    /// The next part of a sequence, or the next two; the others are left.
    fn attempt_next(
        &mut self,
        left: &mut &[&'p Stmt],
        condition: Value,
        after: &AfterAttempt<'_, 'p>,
        state: State,
    ) -> R<Attempt> {
        let Some((&part, mut others)) = left.split_first() else { return Ok(None) };
        let swept = others.first().and_then(|next| self.facts.sweep(next));
        let swept = swept.filter(|_| part.op == Op::Step);
        if swept.is_some() {
            others = &others[1..];
        }
        *left = others;
        let rest: Vec<&'p Stmt> = others.iter().chain(after.parts).copied().collect();
        let here = after.with(&rest);
        match (&part.op, swept) {
            (_, Some((swept, piece))) => self.sweep(swept, piece, true, &here, state).map(Some),
            // Costly tests are worth a branch.
            (Op::Test(inner), _) if !self.facts.runs_on_sets(inner) => {
                let found = self.finds_if(condition, inner, &state)?;
                Ok(Some((found, state)))
            }
            _ => self.attempt_statement(part, &here, state),
        }
    }

    /// `try first else second`, where both have at most one result.
    pub(crate) fn attempt_choice(
        &mut self,
        first: &'p Stmt,
        second: &'p Stmt,
        after: &AfterAttempt<'_, 'p>,
        state: State,
    ) -> R<Attempt> {
        if !self.facts.may_attempt(first) || !self.facts.may_attempt(second) {
            return Ok(None);
        }
        let Some(then) = self.attempt_statement(first, after, state.clone())? else { return Ok(None) };
        self.or_else(then, after, &mut |lowering| lowering.attempt_statement(second, after, state.clone()))
    }

    /// Alternatives of which at most one can succeed.
    fn attempt_exclusive(
        &mut self,
        parts: &'p [Stmt],
        after: &AfterAttempt<'_, 'p>,
        state: State,
    ) -> R<Attempt> {
        let [first, others @ ..] = parts else {
            let never = self.code.constant(0);
            return Ok(Some((never, state)));
        };
        let Some(then) = self.attempt_statement(first, after, state.clone())? else { return Ok(None) };
        if others.is_empty() {
            return Ok(Some(then));
        }
        self.or_else(then, after, &mut |lowering| lowering.attempt_exclusive(others, after, state.clone()))
    }

    /// What has been attempted, or, where that fails, something else: whichever it is, in one state.
    fn or_else(
        &mut self,
        (succeeds, then): (Value, State),
        after: &AfterAttempt<'_, 'p>,
        otherwise: &mut dyn FnMut(&mut Self) -> R<Attempt>,
    ) -> R<Attempt> {
        let outer = self.here.guard;
        let fails = self.code.is_zero(succeeds);
        self.here.guard = self.code.and(outer, fails);
        let attempted = otherwise(self);
        self.here.guard = outer;
        let Some((otherwise, other)) = attempted? else { return Ok(None) };
        let live = self.live_after(after);
        let Some(merged) = self.select_state(succeeds, then, other, live) else { return Ok(None) };
        Ok(Some((self.code.or(succeeds, otherwise), merged)))
    }

    fn attempt_fields(&mut self, pieces: PieceSet, body: &'p Stmt, mut state: State) -> R<Attempt> {
        match &body.op {
            Op::Replace(piece) if !pieces.contains(*piece) => {
                self.code.replace_all(pieces, *piece, &mut state)?;
                Ok(Some((self.code.constant(1), state)))
            }
            _ => self.attempt_for_each(pieces, body, state),
        }
    }

    fn attempt_directions(&mut self, directions: &[Direction], body: &'p Stmt, state: State) -> R<Attempt> {
        if !self.facts.at_most_one(body, Live::default()) {
            return Ok(None);
        }
        // The body of an earlier direction may have changed the field under the finger.
        let content = match self.facts.writes(body) {
            true => self.facts.layout.anything(),
            false => state.content,
        };
        let (finger, facing) = (state.finger.clone(), state.direction);
        let mut now = State { behind: None, ..state };
        for &direction in directions {
            let start = State { finger: finger.clone(), direction: Some(direction), content, ..now.clone() };
            let attempted = self.attempt_statement(body, &AfterAttempt::nothing(), start)?;
            let Some((condition, then)) = attempted else { return Ok(None) };
            let Some(merged) = self.select_state(condition, then, now, Live::default()) else {
                return Ok(None);
            };
            now = State { finger: finger.clone(), direction: facing, content, ..merged };
        }
        Ok(Some((self.code.constant(1), now)))
    }

    /// Which of finger and direction matter after a statement that is attempted.
    pub(crate) fn live_after(&self, after: &AfterAttempt<'_, 'p>) -> Live {
        let rest = self.live(after.rest);
        after.parts.iter().rev().fold(rest, |live, part| self.facts.live(part, live))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::Options;
    use crate::testing::{BOARD, check, function, module};

    #[test]
    fn what_may_or_may_not_happen_is_selected() {
        let rules =
            "find own man, try [ assert (row == 4), assign (seen = 1) ], replace by rock, irreversible";
        check(
            rules,
            "main_white_generate",
            expect![[r#"
                main_white_generate() -> x0, x1 {
                  v2 = word 2
                  v3 = word 3
                  v4 = word 4
                  for v5 in v2 {
                    v7 = t0[v5]
                    v8 = 0 != v7
                    v9 = 0 == v7
                    v10 = 1 << v5
                    v11 = property 0
                    v12 = v8 ? 1 : v11
                    v13 = t1[v5]
                    v14 = t2[v5]
                    v15 = v13 ^ v14
                    v16 = v2 &~ v10
                    v17 = v4 | v10
                    v19 = word 0
                    v20 = v15 ^ v19
                    v21 = t3[v11]
                    v22 = v20 ^ v21
                    v23 = t3[v12]
                    v24 = v22 ^ v23
                    v26 = v24 ^ 0x9d39247e33776d41
                    emit word 2 = v16, word 4 = v17, word 1 = 3, word 0 = v26, property 0 = v12
                  }
                }
            "#]],
        );
    }

    #[test]
    fn alternatives_that_exclude_each_other_need_no_branch() {
        let rules = "find own man, replace by rock, irreversible, try either
            [ assert (seen == 1), assign (seen = 2) ] or [ assert (seen == 2), assign (seen = 1) ]";
        let emissions = |rules: &str| {
            let module = module(BOARD, rules, &Options::default());
            function(&module, "main_white_generate").to_string().matches("emit").count()
        };
        assert_eq!(emissions(rules), 1);
        // Both may succeed here.
        assert_eq!(emissions(&rules.replace("seen == 2", "tried == 0")), 3);
    }
}
