//! One statement after the other: on sets where it can be, else for each finger, as a choice or as a loop.

use multigame_ir::{Op, Stmt};

use crate::facts::Live;
use crate::lower::{Lowering, R, Refusal};
use crate::rest::{Left, Rest, Step};
use crate::results::Crowd;
use crate::state::{Finger, State};
use crate::{Brevity, Value};

/// Tests of more statements than this are functions of their own, which end with the first result.
const HEAVY: usize = 100;

/// Tests of more statements than this become functions where there would be too much code.
const COSTLY: usize = 8;

/// What comes after a statement that is attempted: the rest of its sequence, then the rest of the move.
pub(crate) struct AfterAttempt<'a, 'p> {
    pub parts: &'a [&'p Stmt],
    rest: &'a Rest<'p>,
}

impl<'a, 'p> AfterAttempt<'a, 'p> {
    /// Nothing matters afterwards.
    pub fn nothing() -> AfterAttempt<'static, 'p> {
        AfterAttempt { parts: &[], rest: &Rest::End }
    }

    pub fn with(&self, parts: &'a [&'p Stmt]) -> AfterAttempt<'a, 'p> {
        AfterAttempt { parts, rest: self.rest }
    }
}

impl<'p> Lowering<'p> {
    /// Runs one statement; the state after it, or nothing if what remains has been taken care of.
    pub(crate) fn statement(
        &mut self,
        stmt: &'p Stmt,
        after: &Rest<'p>,
        mut state: State,
    ) -> R<Option<State>> {
        if self.facts.runs_on_sets(stmt) {
            let live_after = self.live(after);
            if !live_after.finger && !live_after.direction && !matches!(state.finger, Finger::Many(_)) {
                if let Some(threat) =
                    self.threat(stmt).filter(|threat| self.only_blocks(threat, &state, false))
                {
                    let clear = self.no_threat(threat, &state)?;
                    state.finger = Finger::Nowhere;
                    self.when(clear, &mut |lowering| lowering.run(after, state.clone()))?;
                    return Ok(None);
                }
                let exists = self.exists(stmt, &state)?;
                state.finger = Finger::Nowhere;
                self.when(exists, &mut |lowering| lowering.run(after, state.clone()))?;
                return Ok(None);
            }
            // A single finger that stays where it is needs no set.
            if matches!(state.finger, Finger::One(_)) && self.facts.stays(stmt) {
                let exists = self.exists(stmt, &state)?;
                self.narrow(stmt, &mut state);
                self.when(exists, &mut |lowering| lowering.run(after, state.clone()))?;
                return Ok(None);
            }
            self.run_on_sets(stmt, &mut state)?;
            return Ok(Some(state));
        }
        let needs_finger = self.facts.live(stmt, Live::default()).finger;
        let costly = self.brevity > Brevity::Fast
            && matches!(stmt.op, Op::Either(_))
            && self.facts.weight(stmt) > COSTLY
            && state.changed();
        if needs_finger && matches!(state.finger, Finger::Many(_)) && (costly || !is_structure(&stmt.op)) {
            self.split(&Rest::then(Step::Do(stmt), after), state)?;
            return Ok(None);
        }
        match &stmt.op {
            Op::Sequence(parts) => {
                let rest =
                    parts.iter().rev().fold(after.clone(), |rest, part| Rest::then(Step::Do(part), &rest));
                self.run(&rest, state)?;
                Ok(None)
            }
            Op::Call(function) if self.facts.recursive(*function) => {
                let one = self.builder.constant(1);
                let depth = self.builder.binary(crate::Binary::Add, self.depth, one);
                self.run(&Rest::then(Step::Enter(*function, depth), after), state)?;
                Ok(None)
            }
            Op::Call(function) => {
                self.run(&Rest::then(Step::Do(self.facts.body(*function)), after), state)?;
                Ok(None)
            }
            Op::Either(parts) => {
                for part in parts {
                    self.run(&Rest::then(Step::Do(part), after), state.clone())?;
                }
                Ok(None)
            }
            Op::Try(first, second) => self.try_else(first, second, after, state),
            Op::Repeat { low, high: Some(high), body } if high == low => {
                let rest = (0..*low).fold(after.clone(), |rest, _| Rest::then(Step::Do(body), &rest));
                self.run(&rest, state)?;
                Ok(None)
            }
            Op::Greatest(value, body) => self.greatest(value, body, after, state),
            _ => {
                if let Some((condition, state)) = self.attempt(stmt, after, state.clone())? {
                    self.when(condition, &mut |lowering| lowering.run(after, state.clone()))?;
                    return Ok(None);
                }
                self.enter_loop(stmt, after, state).map(|()| None)
            }
        }
    }

    /// Whether what remains from a costly test on should be a function, because it is reached from many places.
    pub(crate) fn pays_as_function(&self, stmt: &Stmt, state: &State) -> bool {
        self.brevity > Brevity::Fast
            && match stmt.op {
                Op::Not(_) | Op::Test(_) => true,
                Op::Either(_) => !self.facts.runs_on_sets(stmt),
                _ => false,
            }
            && !matches!(state.finger, Finger::Many(_))
            && state.changed()
            && self.facts.weight(stmt) > COSTLY
    }

    /// A heavy test as a function that ends with the first result: less code rather than faster code.
    pub(crate) fn finds_by_function(&mut self, stmt: &'p Stmt, state: &State) -> R<Value> {
        let found = self.builder.variable();
        let zero = self.builder.constant(0);
        self.builder.set(found, zero);
        let shorter = self.brevity.max(Brevity::Functions);
        let outer = std::mem::replace(&mut self.brevity, shorter);
        let rest = Rest::then(Step::Do(stmt), &Rest::then(Step::Found(found), &Rest::End));
        let done = self.outline(&rest, state.clone());
        self.brevity = outer;
        done?;
        Ok(self.builder.get(found))
    }

    /// Begins a loop whose rounds may have several results.
    pub(crate) fn enter_loop(&mut self, stmt: &'p Stmt, after: &Rest<'p>, mut state: State) -> R<()> {
        if matches!(state.finger, Finger::Many(_)) {
            return self.split(&Rest::then(Step::Do(stmt), after), state);
        }
        let step = match &stmt.op {
            Op::While { .. } | Op::Repeat { .. } => Step::Round(stmt, self.builder.constant(0)),
            Op::ForEachField(pieces, _) => {
                let fields = self.fields_of(*pieces, &mut state);
                let finger = self.finger_index(&state).ok();
                Step::Fields(stmt, Left { fields, finger, direction: state.direction })
            }
            op => return Err(Refusal::new(&format!("{} with effects that depend on each other", name(op)))),
        };
        self.run(&Rest::then(step, after), state)
    }

    /// What a test on the spot tells about the field under the finger.
    pub(crate) fn narrow(&self, stmt: &Stmt, state: &mut State) {
        match &stmt.op {
            Op::PointsAt(pieces) => {
                state.content = state.content.iter().filter(|&piece| pieces.contains(piece)).collect();
            }
            Op::Not(inner) => {
                if let Op::PointsAt(pieces) = &inner.op {
                    state.content = state.content.iter().filter(|&piece| !pieces.contains(piece)).collect();
                }
            }
            _ => {}
        }
    }

    pub(crate) fn try_else(
        &mut self,
        first: &'p Stmt,
        second: &'p Stmt,
        after: &Rest<'p>,
        state: State,
    ) -> R<Option<State>> {
        if matches!(state.finger, Finger::Many(_)) {
            let live = self.facts.live(first, Live::default()).or(self.facts.live(second, Live::default()));
            if live.finger || self.live(after).finger {
                // Each finger decides for itself.
                self.split_into(
                    state,
                    &mut |_, set, _, _| Ok(Crowd::Each(set.clone())),
                    &mut |lowering, state| match lowering.try_else(first, second, after, state)? {
                        Some(next) => lowering.run(after, next),
                        None => Ok(()),
                    },
                )?;
                return Ok(None);
            }
        }
        if let Some((condition, merged)) = self.attempt_try(first, second, after, state.clone())? {
            if self.builder.known(condition).is_some_and(|known| known != 0) {
                return Ok(Some(merged));
            }
            self.when(condition, &mut |lowering| lowering.run(after, merged.clone()))?;
            return Ok(None);
        }
        let succeeded = self.builder.variable();
        let zero = self.builder.constant(0);
        self.builder.set(succeeded, zero);
        let marked = Rest::then(Step::Mark(succeeded), after);
        let mut this_way = state.clone();
        this_way.ways.push((succeeded, true));
        self.run(&Rest::then(Step::Do(first), &marked), this_way)?;
        let mut other_way = state;
        other_way.ways.push((succeeded, false));
        let succeeded = self.builder.get(succeeded);
        let failed = self.builder.is_zero(succeeded);
        self.when(failed, &mut |lowering| {
            lowering.run(&Rest::then(Step::Do(second), after), other_way.clone())
        })?;
        Ok(None)
    }

    /// A general test: 1 if the statement has a result, whatever it takes.
    pub(crate) fn finds(&mut self, stmt: &'p Stmt, state: &State) -> R<Value> {
        if self.facts.runs_on_sets(stmt) {
            return self.exists(stmt, state);
        }
        if self.facts.weight(stmt) > HEAVY && !matches!(state.finger, Finger::Many(_)) {
            return self.finds_by_function(stmt, state);
        }
        self.finds_here(stmt, state)
    }

    /// The same, as code that is part of the function at hand.
    pub(crate) fn finds_here(&mut self, stmt: &'p Stmt, state: &State) -> R<Value> {
        let found = self.builder.variable();
        let zero = self.builder.constant(0);
        self.builder.set(found, zero);
        let rest = Rest::then(Step::Found(found), &Rest::End);
        self.run(&Rest::then(Step::Do(stmt), &rest), state.clone())?;
        Ok(self.builder.get(found))
    }

    /// The same, but only computed if the condition holds; else 0.
    pub(crate) fn finds_if(&mut self, condition: Value, stmt: &'p Stmt, state: &State) -> R<Value> {
        if self.facts.runs_on_sets(stmt) || self.builder.known(condition).is_some_and(|known| known != 0) {
            let found = self.finds(stmt, state)?;
            return Ok(self.builder.and(condition, found));
        }
        let found = self.builder.variable();
        let zero = self.builder.constant(0);
        self.builder.set(found, zero);
        self.when(condition, &mut |lowering| {
            let rest = Rest::then(Step::Found(found), &Rest::End);
            lowering.run(&Rest::then(Step::Do(stmt), &rest), state.clone())
        })?;
        Ok(self.builder.get(found))
    }

    /// Which of finger and direction matter after a statement that is attempted.
    pub(crate) fn live_after(&self, after: &AfterAttempt<'_, 'p>) -> Live {
        let rest = self.live(after.rest);
        after.parts.iter().rev().fold(rest, |live, part| self.facts.live(part, live))
    }

    pub(crate) fn attempt(
        &mut self,
        stmt: &'p Stmt,
        after: &Rest<'p>,
        state: State,
    ) -> R<Option<(Value, State)>> {
        self.attempt_statement(stmt, &AfterAttempt { parts: &[], rest: after }, state)
    }

    pub(crate) fn attempt_try(
        &mut self,
        first: &'p Stmt,
        second: &'p Stmt,
        after: &Rest<'p>,
        state: State,
    ) -> R<Option<(Value, State)>> {
        self.attempt_choice(first, second, &AfterAttempt { parts: &[], rest: after }, state)
    }
}

/// Statements that hand their finger on to their parts.
fn is_structure(op: &Op) -> bool {
    let nested =
        matches!(op, Op::Sequence(_) | Op::Either(_) | Op::Try(..) | Op::Call(_) | Op::Repeat { .. });
    nested || matches!(op, Op::Greatest(..))
}

fn name(op: &Op) -> &'static str {
    match op {
        Op::While { .. } => "`while`",
        Op::Repeat { .. } => "`repeat`",
        Op::Greatest(..) => "`greatest`",
        Op::ForEachField(..) => "`for each`",
        Op::ForEachDirection(..) => "`for each direction`",
        Op::MoveTo { .. } => "`move to`",
        _ => "a statement",
    }
}
