//! Loops whose rounds have at most one result: machine loops over a state that is kept in variables.

use std::rc::Rc;

use multigame_game::PieceSet;
use multigame_ir::{Op, Stmt};

use crate::lowering::Lowering;
use crate::lowering::attempt::{AfterAttempt, Attempt};
use crate::lowering::outline::MAX_ROUNDS;
use crate::lowering::state::{Finger, Hand, Set, State, Write};
use crate::refusal::R;
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
    /// Whether rounds may change the board.
    writes: bool,
    /// The state at the beginning of a round.
    state: State,
}

/// How far a loop has come.
struct Progress {
    rounds: Variable,
    /// 1 as long as no round has failed.
    fine: Variable,
}

impl<'p> Lowering<'p> {
    /// `while` without branching; nothing if a round may have several results.
    pub(crate) fn attempt_while(
        &mut self,
        stmt: &'p Stmt,
        after: &AfterAttempt<'_, 'p>,
        mut state: State,
    ) -> R<Attempt> {
        let Op::While { condition, body } = &stmt.op else { return Ok(None) };
        if !self.facts.may_attempt(condition) || !self.facts.may_attempt(body) {
            return Ok(None);
        }
        if !self.facts.live(stmt, self.live_after(after)).direction {
            state.direction = None;
        }
        let writes = self.facts.writes(condition) || self.facts.writes(body);
        self.sign(&mut state)?;
        let Some(mut kept) = self.keep(state, writes) else { return Ok(None) };
        let (zero, one) = (self.code.constant(0), self.code.constant(1));
        let progress = Progress { rounds: self.code.kept(zero), fine: self.code.kept(one) };
        let round = self.looped(&mut |lowering| lowering.while_round(stmt, after, &mut kept, &progress))?;
        if !round {
            return Ok(None);
        }
        let state = self.reload(&kept);
        Ok(Some((self.code.get(progress.fine), state)))
    }

    /// A loop of the machine, unless its round is given up.
    fn looped(&mut self, round: &mut dyn FnMut(&mut Self) -> R<bool>) -> R<bool> {
        self.code.open();
        let done = round(self);
        let block = self.code.close();
        if !done? {
            return Ok(false);
        }
        self.code.push(crate::Stmt::Loop(block));
        Ok(true)
    }

    fn while_round(
        &mut self,
        stmt: &'p Stmt,
        after: &AfterAttempt<'_, 'p>,
        kept: &mut Kept,
        progress: &Progress,
    ) -> R<bool> {
        let Op::While { condition, body } = &stmt.op else { return Ok(false) };
        let start = self.reload(kept);
        kept.state = start.clone();
        let before_body: Vec<&'p Stmt> =
            [&**body, stmt].into_iter().chain(after.parts.iter().copied()).collect();
        let before_end = &before_body[1..];
        let goes_on = self.attempt_statement(condition, &after.with(&before_body), start)?;
        let Some((goes_on, state)) = goes_on else { return Ok(false) };
        let ends = self.code.is_zero(goes_on);
        self.code.push(crate::Stmt::BreakIf(ends));
        self.count_round(progress);
        let done = self.attempt_statement(body, &after.with(before_end), state)?;
        let Some((succeeds, mut state)) = done else { return Ok(false) };
        self.sign(&mut state)?;
        self.code.set(progress.fine, succeeds);
        if !self.update(kept, &state) {
            return Ok(false);
        }
        let failed = self.code.is_zero(succeeds);
        self.code.push(crate::Stmt::BreakIf(failed));
        Ok(true)
    }

    /// More rounds than the most that are followed are a failure, if the code counts here; the loop ends in
    /// any case.
    fn count_round(&mut self, progress: &Progress) {
        let number = self.code.get(progress.rounds);
        let most = self.code.constant(MAX_ROUNDS);
        let too_many = self.code.binary(Binary::LessEqual, most, number);
        let fails = self.code.and(too_many, self.here.guard);
        self.code.push(crate::Stmt::FailIf(fails));
        self.code.push(crate::Stmt::BreakIf(too_many));
        let one = self.code.constant(1);
        let number = self.code.binary(Binary::Add, number, one);
        self.code.set(progress.rounds, number);
    }

    /// `for each` without branching; nothing if the body may have several results.
    pub(crate) fn attempt_for_each(
        &mut self,
        pieces: PieceSet,
        body: &'p Stmt,
        mut state: State,
    ) -> R<Attempt> {
        if !self.facts.may_attempt(body) {
            return Ok(None);
        }
        let fields = self.code.fields_of(pieces, &mut state);
        // PERF: where what comes before has failed, the state does not matter, and no round is needed.
        let fields = self.code.only_if(self.here.guard, &fields);
        let writes = self.facts.writes(body);
        self.sign(&mut state)?;
        let Some(mut kept) = self.keep(state, writes) else { return Ok(None) };
        let left = self.code.kept_set(&fields);
        if !self.looped(&mut |lowering| lowering.for_each_round(body, &left, &mut kept))? {
            return Ok(None);
        }
        let always = self.code.constant(1);
        Ok(Some((always, self.reload(&kept))))
    }

    fn for_each_round(&mut self, body: &'p Stmt, left: &[Variable], kept: &mut Kept) -> R<bool> {
        let index = self.code.next_or_break(left);
        let start = self.reload(kept);
        kept.state = start.clone();
        let content = self.facts.layout.anything();
        let there = State { finger: Finger::One(index), content, ..start.clone() };
        let done = self.attempt_statement(body, &AfterAttempt::nothing(), there)?;
        let Some((succeeds, then)) = done else { return Ok(false) };
        let mut then = State { finger: start.finger, direction: start.direction, ..then };
        self.sign(&mut then)?;
        let mut fits = true;
        self.when(succeeds, &mut |lowering| {
            fits = lowering.update(kept, &then);
            Ok(())
        })?;
        Ok(fits)
    }

    /// Puts a state into variables; nothing if it describes several.
    fn keep(&mut self, mut state: State, writes: bool) -> Option<Kept> {
        let finger = match state.finger {
            Finger::Nowhere => None,
            Finger::One(index) => Some(self.code.kept(index)),
            Finger::Many(_) => return None,
        };
        let held = match &state.hand {
            Hand::OneOf(pieces) => pieces.iter().map(|(_, value)| self.code.kept(*value)).collect(),
            Hand::Coded(_) => return None,
            _ => Vec::new(),
        };
        let mut sets = |sets: &[Set]| -> Vec<Vec<Variable>> {
            sets.iter().map(|set| set.iter().map(|&word| self.code.kept(word)).collect()).collect()
        };
        let (boards, planes) = (sets(&state.boards), sets(&state.planes));
        let mut values = Vec::new();
        for slot in self.facts.slots() {
            let kept = self.facts.layout.planes_at(slot).is_none();
            values.push(kept.then(|| {
                let value = self.value(slot, &mut state);
                self.code.kept(value)
            }));
        }
        let header = state.header().map(|value| self.code.kept(value));
        Some(Kept { boards, planes, values, finger, held, header, writes, state })
    }

    /// The state as it is in the variables. What was known about it may not hold any more.
    fn reload(&mut self, kept: &Kept) -> State {
        let mut state = kept.state.clone();
        if kept.writes {
            self.reload_boards(kept, &mut state);
        }
        state.planes = Rc::new(self.code.get_sets(&kept.planes));
        state.changed_planes.fill(true);
        for (slot, variable) in kept.values.iter().enumerate() {
            if let Some(variable) = variable {
                state.values[slot] = Some(self.code.get(*variable));
                state.changed_values[slot] = self.facts.layout.scalar(slot).is_some();
            }
        }
        if let Some(variable) = kept.finger {
            state.finger = Finger::One(self.code.get(variable));
        }
        if let Hand::OneOf(pieces) = &mut state.hand {
            for ((_, value), &variable) in pieces.iter_mut().zip(&kept.held) {
                *value = self.code.get(variable);
            }
        }
        let [signature, outcome, irreversible, keep_turn] = kept.header.map(|word| self.code.get(word));
        state.content = self.facts.layout.anything();
        state.behind = None;
        state.known_contents.clear();
        State { signature, outcome, irreversible, keep_turn, ..state }
    }

    fn reload_boards(&mut self, kept: &Kept, state: &mut State) {
        state.boards = Rc::new(self.code.get_sets(&kept.boards));
        state.changed_boards.fill(true);
        state.unions = Rc::new(Vec::new());
        let everything = self.facts.layout.anything();
        // Earlier writes may have been written over.
        state.writes.iter_mut().for_each(|write| write.field = None);
        state.writes.push(Write { field: None, old: everything, new: everything });
    }

    /// Puts what a round has changed into the variables; false if it has changed what is known while
    /// compiling.
    fn update(&mut self, kept: &Kept, state: &State) -> bool {
        let old = &kept.state;
        let Some(pointed) = pointed(kept, state) else { return false };
        let Some(held) = held(kept, state) else { return false };
        if old.direction != state.direction {
            return false;
        }
        let boards = sets(&kept.boards, &old.boards, &state.boards);
        let planes = sets(&kept.planes, &old.planes, &state.planes);
        let values = kept.values.iter().zip(old.values.iter().zip(&state.values));
        let values = values.filter_map(|(&variable, (&old, &new))| Some((variable?, old?, new?)));
        let header = kept.header.into_iter().zip(old.header().into_iter().zip(state.header()));
        let header = header.map(|(variable, (old, new))| (variable, old, new));
        let changes = boards.chain(planes).chain(values).chain(pointed).chain(held).chain(header);
        for (variable, old, new) in changes {
            if old != new {
                self.code.set(variable, new);
            }
        }
        true
    }
}

/// A variable, what it held at the beginning of a round, and what it has to hold at the end.
type Change = (Variable, Value, Value);

fn sets<'a>(
    variables: &'a [Vec<Variable>],
    old: &'a [Set],
    new: &'a [Set],
) -> impl Iterator<Item = Change> + 'a {
    let words = variables.iter().flatten().zip(old.iter().flatten().zip(new.iter().flatten()));
    words.map(|(&variable, (&old, &new))| (variable, old, new))
}

/// What a round does to the finger; nothing if it points somewhere else in another way.
fn pointed(kept: &Kept, state: &State) -> Option<Option<Change>> {
    match (kept.finger, &kept.state.finger, &state.finger) {
        (Some(variable), Finger::One(old), Finger::One(new)) => Some(Some((variable, *old, *new))),
        (None, _, Finger::Nowhere) => Some(None),
        _ => None,
    }
}

/// What a round does to the hand; nothing if it may hold other pieces.
fn held(kept: &Kept, state: &State) -> Option<Vec<Change>> {
    match (&kept.state.hand, &state.hand) {
        (Hand::OneOf(old), Hand::OneOf(new))
            if old.iter().map(|held| held.0).eq(new.iter().map(|held| held.0)) =>
        {
            let held = kept.held.iter().zip(old.iter().zip(new));
            Some(held.map(|(&variable, (old, new))| (variable, old.1, new.1)).collect())
        }
        (old, new) if old == new => Some(Vec::new()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::Options;
    use crate::lowering::outline::MAX_ROUNDS;
    use crate::testing::{BOARD, function, module};

    #[test]
    fn a_loop_with_one_result_a_round_keeps_its_state_in_variables() {
        let rules = "find own man, north, while [ step, points at rock ] do replace by empty field,
            step backward, replace by man";
        let generate =
            function(&module(BOARD, rules, &Options::default()), "main_white_generate").to_string();
        assert!(generate.contains("loop {") && !generate.contains("call"), "{generate}");
        // More rounds than the most that are followed end the loop, and fail if the code counts.
        assert!(
            generate.contains(&format!("{:#x} <= ", MAX_ROUNDS))
                || generate.contains(&format!("{MAX_ROUNDS} <= ")),
            "{generate}"
        );
    }
}
