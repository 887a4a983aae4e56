//! One statement after the other: on sets where it can be, else for each finger, as a choice or as a loop.

use multigame_ir::{FunctionId, Op, Stmt};

use crate::analysis::live::Live;
use crate::emission::split::Crowd;
use crate::lowering::Lowering;
use crate::lowering::attempt::AfterAttempt;
use crate::lowering::rest::{Left, Rest, Step};
use crate::lowering::state::{Finger, State};
use crate::refusal::{self, R, Refusal};
use crate::{Binary, Brevity, Value};

/// Tests of more statements than this are functions of their own, which end with the first result.
const HEAVY: usize = 100;

/// Tests of more statements than this become functions where there would be too much code.
const COSTLY: usize = 8;

impl<'p> Lowering<'p> {
    /// Runs one statement; the state after it, or nothing if what remains has been taken care of.
    pub(crate) fn statement(&mut self, stmt: &'p Stmt, after: &Rest<'p>, state: State) -> R<Option<State>> {
        self.statement_here(stmt, after, state).map_err(|refusal| refusal.inside(stmt.origin))
    }

    fn statement_here(&mut self, stmt: &'p Stmt, after: &Rest<'p>, state: State) -> R<Option<State>> {
        if self.facts.runs_on_sets(stmt) {
            return self.on_sets(stmt, after, state);
        }
        // A statement that does not run on sets runs for one finger with one direction, if it asks for
        // either.
        let needs = self.facts.live(stmt, Live::default());
        if (needs.finger || needs.direction)
            && matches!(state.finger, Finger::Many(_))
            && (self.is_costly_choice(stmt, &state) || !is_structure(&stmt.op))
        {
            self.split(&Rest::then(Step::Do(stmt), after), state)?;
            return Ok(None);
        }
        match &stmt.op {
            Op::Try(first, second) => return self.try_else(first, second, after, state),
            Op::Sequence(parts) => self.run(&after.after_all(parts.iter()), state)?,
            Op::Call(function) => self.call(*function, after, state)?,
            Op::Either(parts) => {
                for part in parts {
                    self.run(&Rest::then(Step::Do(part), after), state.clone())?;
                }
            }
            Op::Repeat { low, high: Some(high), body } if high == low => {
                self.run(&after.after_all((0..*low).map(|_| &**body)), state)?;
            }
            Op::Greatest(value, body) => self.greatest(value, body, after, state)?,
            _ => match self.attempt_statement(stmt, &AfterAttempt::of(after), state.clone())? {
                Some((condition, state)) => {
                    self.when(condition, &mut |lowering| lowering.run(after, state.clone()))?;
                }
                None => self.enter_loop(stmt, after, state)?,
            },
        }
        Ok(None)
    }

    /// A statement that runs on sets.
    fn on_sets(&mut self, stmt: &'p Stmt, after: &Rest<'p>, mut state: State) -> R<Option<State>> {
        let live_after = self.live(after);
        if !live_after.any() && !matches!(state.finger, Finger::Many(_)) {
            let threat = self.threat(stmt).filter(|threat| self.only_blocks(threat, &state, false));
            let succeeds = match threat {
                Some(threat) => self.no_threat(threat, &state)?,
                None => self.exists(stmt, &state)?,
            };
            state.finger = Finger::Nowhere;
            self.when(succeeds, &mut |lowering| lowering.run(after, state.clone()))?;
            return Ok(None);
        }
        // A single finger that stays where it is needs no set.
        if matches!(state.finger, Finger::One(_)) && self.facts.stays(stmt) {
            let exists = self.exists(stmt, &state)?;
            narrow(stmt, &mut state);
            self.when(exists, &mut |lowering| lowering.run(after, state.clone()))?;
            return Ok(None);
        }
        self.run_on_sets(stmt, &mut state)?;
        Ok(Some(state))
    }

    /// Another function of the rules: followed into, unless it is recursive.
    fn call(&mut self, function: FunctionId, after: &Rest<'p>, state: State) -> R<()> {
        if !self.facts.recursive(function) {
            return self.run(&Rest::then(Step::Do(self.facts.body(function)), after), state);
        }
        let one = self.code.constant(1);
        let depth = self.code.binary(Binary::Add, self.here.depth, one);
        self.run(&Rest::then(Step::Enter(function, depth), after), state)
    }

    /// Alternatives that would be too much code for each of many fingers and directions.
    fn is_costly_choice(&self, stmt: &Stmt, state: &State) -> bool {
        self.size.brevity > Brevity::Fast
            && matches!(stmt.op, Op::Either(_))
            && self.facts.weight(stmt) > COSTLY
            && state.changed()
    }

    /// Whether a costly test and all that remains after it should be a function, because many places lead
    /// there.
    pub(crate) fn pays_as_function(&self, stmt: &Stmt, state: &State) -> bool {
        self.size.brevity > Brevity::Fast
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
        let found = self.code.cleared();
        let shorter = self.size.brevity.max(Brevity::Functions);
        let outer = std::mem::replace(&mut self.size.brevity, shorter);
        let rest = Rest::then(Step::Do(stmt), &Rest::then(Step::Found(found), &Rest::End));
        let done = self.outline(&rest, state.clone());
        self.size.brevity = outer;
        done?;
        Ok(self.code.get(found))
    }

    /// Begins a loop whose rounds may have several results.
    pub(crate) fn enter_loop(&mut self, stmt: &'p Stmt, after: &Rest<'p>, mut state: State) -> R<()> {
        if matches!(state.finger, Finger::Many(_)) {
            return self.split(&Rest::then(Step::Do(stmt), after), state);
        }
        let step = match &stmt.op {
            Op::While { .. } | Op::Repeat { .. } => Step::Round(stmt, self.code.constant(0)),
            Op::ForEachField(pieces, _) => {
                let fields = self.code.fields_of(*pieces, &mut state);
                let finger = state.finger_index().ok();
                Step::Fields(stmt, Left { fields, finger, direction: state.direction })
            }
            op => return Err(Refusal::new(&format!("{} with {}", name(op), refusal::DEPENDENT))),
        };
        self.run(&Rest::then(step, after), state)
    }

    fn try_else(
        &mut self,
        first: &'p Stmt,
        second: &'p Stmt,
        after: &Rest<'p>,
        state: State,
    ) -> R<Option<State>> {
        if matches!(state.finger, Finger::Many(_)) {
            let live = self.facts.live(first, Live::default()).or(self.facts.live(second, Live::default()));
            if live.finger || self.live(after).finger {
                self.try_each(first, second, after, state)?;
                return Ok(None);
            }
        }
        let attempted = self.attempt_choice(first, second, &AfterAttempt::of(after), state.clone())?;
        let Some((condition, merged)) = attempted else {
            self.try_in_turn(first, second, after, state)?;
            return Ok(None);
        };
        if self.code.known(condition).is_some_and(|known| known != 0) {
            return Ok(Some(merged));
        }
        self.when(condition, &mut |lowering| lowering.run(after, merged.clone()))?;
        Ok(None)
    }

    /// Each finger decides for itself.
    fn try_each(&mut self, first: &'p Stmt, second: &'p Stmt, after: &Rest<'p>, state: State) -> R<()> {
        self.split_into(state, &mut |_, set, _, _| Ok(Crowd::Each(set.clone())), &mut |lowering, state| {
            match lowering.try_else(first, second, after, state)? {
                Some(next) => lowering.run(after, next),
                None => Ok(()),
            }
        })
    }

    /// The second only where the first has turned out to have no result.
    fn try_in_turn(&mut self, first: &'p Stmt, second: &'p Stmt, after: &Rest<'p>, state: State) -> R<()> {
        let succeeded = self.code.cleared();
        let marked = Rest::then(Step::Mark(succeeded), after);
        let mut this_way = state.clone();
        this_way.ways.push((succeeded, true));
        self.run(&Rest::then(Step::Do(first), &marked), this_way)?;
        let mut other_way = state;
        other_way.ways.push((succeeded, false));
        let succeeded = self.code.get(succeeded);
        let failed = self.code.is_zero(succeeded);
        self.when(failed, &mut |lowering| {
            lowering.run(&Rest::then(Step::Do(second), after), other_way.clone())
        })
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
        let found = self.code.cleared();
        let rest = Rest::then(Step::Found(found), &Rest::End);
        self.run(&Rest::then(Step::Do(stmt), &rest), state.clone())?;
        Ok(self.code.get(found))
    }

    /// The same, but only computed if the condition holds; else 0.
    pub(crate) fn finds_if(&mut self, condition: Value, stmt: &'p Stmt, state: &State) -> R<Value> {
        if self.facts.runs_on_sets(stmt) || self.code.known(condition).is_some_and(|known| known != 0) {
            let found = self.finds(stmt, state)?;
            return Ok(self.code.and(condition, found));
        }
        let found = self.code.cleared();
        self.when(condition, &mut |lowering| {
            let rest = Rest::then(Step::Found(found), &Rest::End);
            lowering.run(&Rest::then(Step::Do(stmt), &rest), state.clone())
        })?;
        Ok(self.code.get(found))
    }
}

/// What a test on the spot tells about the field under the finger.
fn narrow(stmt: &Stmt, state: &mut State) {
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

/// Statements that hand their finger on to their parts. `greatest` is not one of them: each finger has its
/// own best.
fn is_structure(op: &Op) -> bool {
    matches!(op, Op::Sequence(_) | Op::Either(_) | Op::Try(..) | Op::Call(_) | Op::Repeat { .. })
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
