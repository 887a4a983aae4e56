//! Loops whose rounds have at most one result: machine loops over a state that is kept in variables.

use std::rc::Rc;

use multigame_game::PieceSet;
use multigame_ir::{Op, Stmt};
use smallvec::SmallVec;

use crate::lower::{Lowering, R};
use crate::outline::MAX_ROUNDS;
use crate::state::{Finger, Hand, Set, State, Write};
use crate::statement::AfterAttempt;
use crate::vector::anything;
use crate::{Binary, Value, Variable};

/// The variables in which a loop keeps its state.
struct Kept {
    boards: Vec<Vec<Variable>>,
    planes: Vec<Vec<Variable>>,
    values: Vec<Option<Variable>>,
    finger: Option<Variable>,
    held: Vec<Variable>,
    /// Signature, outcome, irreversible, keep turn.
    header: [Variable; 4],
    /// The state at the beginning of a round.
    state: State,
}

impl<'p> Lowering<'p> {
    /// `while` without branching; nothing if a round may have several results.
    pub(crate) fn attempt_while(
        &mut self,
        stmt: &'p Stmt,
        after: &AfterAttempt<'_, 'p>,
        mut state: State,
    ) -> R<Option<(Value, State)>> {
        let Op::While { condition, body } = &stmt.op else { return Ok(None) };
        if !self.may_attempt(condition) || !self.may_attempt(body) {
            return Ok(None);
        }
        if !self.facts.live(stmt, self.live_after(after)).direction {
            state.direction = None;
        }
        let writes = self.facts.writes(condition) || self.facts.writes(body);
        self.sign(&mut state)?;
        let Some(mut kept) = self.keep(state) else { return Ok(None) };
        let rounds = self.builder.variable();
        let fine = self.builder.variable();
        let [zero, one] = [0, 1].map(|number| self.builder.constant(number));
        self.builder.set(rounds, zero);
        self.builder.set(fine, one);
        self.builder.open();
        let round = self.while_round(condition, body, stmt, after, &mut kept, [rounds, fine], writes);
        let block = self.builder.close();
        if !round? {
            return Ok(None);
        }
        self.builder.push(crate::Stmt::Loop(block));
        let state = self.reload(&kept, writes);
        Ok(Some((self.builder.get(fine), state)))
    }

    #[allow(clippy::too_many_arguments)]
    fn while_round(
        &mut self,
        condition: &'p Stmt,
        body: &'p Stmt,
        whole: &'p Stmt,
        after: &AfterAttempt<'_, 'p>,
        kept: &mut Kept,
        [rounds, fine]: [Variable; 2],
        writes: bool,
    ) -> R<bool> {
        let start = self.reload(kept, writes);
        kept.state = start.clone();
        let before_body: Vec<&'p Stmt> =
            [body, whole].into_iter().chain(after.parts.iter().copied()).collect();
        let before_end = &before_body[1..];
        let Some((goes_on, state)) = self.attempt_statement(condition, &after.with(&before_body), start)?
        else {
            return Ok(false);
        };
        let ends = self.builder.is_zero(goes_on);
        self.builder.push(crate::Stmt::BreakIf(ends));
        let number = self.builder.get(rounds);
        let most = self.builder.constant(MAX_ROUNDS);
        let too_many = self.builder.binary(Binary::LessEqual, most, number);
        let fails = self.builder.and(too_many, self.guard);
        self.builder.push(crate::Stmt::FailIf(fails));
        self.builder.push(crate::Stmt::BreakIf(too_many));
        let one = self.builder.constant(1);
        let number = self.builder.binary(Binary::Add, number, one);
        self.builder.set(rounds, number);
        let Some((succeeds, mut state)) = self.attempt_statement(body, &after.with(before_end), state)?
        else {
            return Ok(false);
        };
        self.sign(&mut state)?;
        self.builder.set(fine, succeeds);
        if !self.update(kept, &state) {
            return Ok(false);
        }
        let failed = self.builder.is_zero(succeeds);
        self.builder.push(crate::Stmt::BreakIf(failed));
        Ok(true)
    }

    /// `for each` without branching; nothing if the body may have several results.
    pub(crate) fn attempt_for_each(
        &mut self,
        pieces: PieceSet,
        body: &'p Stmt,
        mut state: State,
    ) -> R<Option<(Value, State)>> {
        if !self.may_attempt(body) {
            return Ok(None);
        }
        let fields = self.fields_of(pieces, &mut state);
        let writes = self.facts.writes(body);
        self.sign(&mut state)?;
        let Some(mut kept) = self.keep(state) else { return Ok(None) };
        let left: SmallVec<[Variable; 2]> = fields
            .iter()
            .map(|&word| {
                let variable = self.builder.variable();
                self.builder.set(variable, word);
                variable
            })
            .collect();
        self.builder.open();
        let round = self.for_each_round(body, &left, &mut kept, writes);
        let block = self.builder.close();
        if !round? {
            return Ok(None);
        }
        self.builder.push(crate::Stmt::Loop(block));
        let always = self.builder.constant(1);
        Ok(Some((always, self.reload(&kept, writes))))
    }

    fn for_each_round(
        &mut self,
        body: &'p Stmt,
        left: &[Variable],
        kept: &mut Kept,
        writes: bool,
    ) -> R<bool> {
        let index = self.next_or_break(left);
        let start = self.reload(kept, writes);
        kept.state = start.clone();
        let there =
            State { finger: Finger::One(index), content: anything(self.layout.pieces), ..start.clone() };
        let Some((succeeds, then)) = self.attempt_statement(body, &AfterAttempt::nothing(), there)? else {
            return Ok(false);
        };
        let mut then = State { finger: start.finger, direction: start.direction, ..then };
        self.sign(&mut then)?;
        let mut fits = true;
        self.when(succeeds, &mut |lowering| {
            fits = lowering.update(kept, &then);
            Ok(())
        })?;
        Ok(fits)
    }

    /// Puts a state into variables; nothing if it stands for several.
    fn keep(&mut self, mut state: State) -> Option<Kept> {
        let finger = match state.finger {
            Finger::Nowhere => None,
            Finger::One(index) => Some(self.kept_in_variable(index)),
            Finger::Many(_) => return None,
        };
        let held = match &state.hand {
            Hand::OneOf(pieces) => pieces.iter().map(|(_, value)| self.kept_in_variable(*value)).collect(),
            Hand::Coded(_) => return None,
            _ => Vec::new(),
        };
        let mut sets = |sets: &[Set]| -> Vec<Vec<Variable>> {
            sets.iter().map(|set| set.iter().map(|&word| self.kept_in_variable(word)).collect()).collect()
        };
        let (boards, planes) = (sets(&state.boards), sets(&state.planes));
        let mut values = Vec::new();
        for slot in 0..self.program.slot_count() {
            let kept = self.layout.planes_at(slot).is_none();
            values.push(kept.then(|| {
                let value = self.value(slot, &mut state);
                self.kept_in_variable(value)
            }));
        }
        let header = [state.signature, state.outcome, state.irreversible, state.keep_turn];
        let header = header.map(|value| self.kept_in_variable(value));
        Some(Kept { boards, planes, values, finger, held, header, state })
    }

    fn kept_in_variable(&mut self, value: Value) -> Variable {
        let variable = self.builder.variable();
        self.builder.set(variable, value);
        variable
    }

    /// The state as it stands in the variables. What was known about it may not hold any more.
    fn reload(&mut self, kept: &Kept, writes: bool) -> State {
        let mut sets = |sets: &[Vec<Variable>]| -> Vec<Set> {
            sets.iter().map(|set| set.iter().map(|&word| self.builder.get(word)).collect()).collect()
        };
        let mut state = kept.state.clone();
        if writes {
            state.boards = Rc::new(sets(&kept.boards));
            state.changed_boards = vec![true; self.layout.boards()];
            state.unions = Rc::new(Vec::new());
            let everything = anything(self.layout.pieces);
            // What was written before may have been written over.
            state.writes.iter_mut().for_each(|write| write.field = None);
            state.writes.push(Write { field: None, old: everything, new: everything });
        }
        state.planes = Rc::new(sets(&kept.planes));
        state.changed_planes.fill(true);
        for (slot, variable) in kept.values.iter().enumerate() {
            if let Some(variable) = variable {
                state.values[slot] = Some(self.builder.get(*variable));
                state.changed_values[slot] = self.layout.scalar(slot).is_some();
            }
        }
        if let Some(variable) = kept.finger {
            state.finger = Finger::One(self.builder.get(variable));
        }
        if let Hand::OneOf(pieces) = &mut state.hand {
            for ((_, value), &variable) in pieces.iter_mut().zip(&kept.held) {
                *value = self.builder.get(variable);
            }
        }
        let [signature, outcome, irreversible, keep_turn] = kept.header.map(|word| self.builder.get(word));
        state.content = anything(self.layout.pieces);
        state.behind = None;
        state.known_contents.clear();
        State { signature, outcome, irreversible, keep_turn, ..state }
    }

    /// Puts what a round has changed into the variables; false if it has changed what is known while compiling.
    fn update(&mut self, kept: &Kept, state: &State) -> bool {
        let old = &kept.state;
        let mut changes: Vec<(Variable, Value, Value)> = Vec::new();
        for (variables, (old, new)) in
            [(&kept.boards, (&old.boards, &state.boards)), (&kept.planes, (&old.planes, &state.planes))]
        {
            for (variables, (old, new)) in variables.iter().zip(old.iter().zip(new.iter())) {
                changes.extend(
                    variables.iter().zip(old.iter().zip(new)).map(|(&v, (&old, &new))| (v, old, new)),
                );
            }
        }
        for (slot, variable) in kept.values.iter().enumerate() {
            if let (Some(variable), Some(old), Some(new)) = (variable, old.values[slot], state.values[slot]) {
                changes.push((*variable, old, new));
            }
        }
        match (kept.finger, &old.finger, &state.finger) {
            (Some(variable), Finger::One(old), Finger::One(new)) => changes.push((variable, *old, *new)),
            (None, _, Finger::Nowhere) => {}
            _ => return false,
        }
        match (&old.hand, &state.hand) {
            (Hand::OneOf(old), Hand::OneOf(new))
                if old.iter().map(|held| held.0).eq(new.iter().map(|held| held.0)) =>
            {
                let held = kept.held.iter().zip(old.iter().zip(new));
                changes.extend(held.map(|(&variable, (old, new))| (variable, old.1, new.1)));
            }
            (old, new) if old == new => {}
            _ => return false,
        }
        if old.direction != state.direction {
            return false;
        }
        let header = |state: &State| [state.signature, state.outcome, state.irreversible, state.keep_turn];
        for (variable, (old, new)) in kept.header.into_iter().zip(header(old).into_iter().zip(header(state)))
        {
            changes.push((variable, old, new));
        }
        for (variable, old, new) in changes {
            if old != new {
                self.builder.set(variable, new);
            }
        }
        true
    }
}
