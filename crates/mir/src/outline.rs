//! Loops that change the board, and comparisons between results: code that must be entered more than once.
//!
//! `while C do A` with effects becomes a function of its own that calls itself for another round. What the loop works on
//! is handed over as parameters; what it finds out comes back in its first variables. Each round must use something
//! up, or the loop might never end: a piece that is taken and never put back.

use std::rc::Rc;

use multigame_game::{Piece, PieceSet};
use multigame_ir::{Expr, Op, Stmt};

use crate::builder::Builder;
use crate::lower::{Lowering, R, Refusal, Rest, Step};
use crate::state::{Finger, Hand, Set, State, Write};
use crate::vector::anything;
use crate::{Binary, Function, FunctionId, MAX_RESULTS, Value, Variable};

/// A loop whose function is being made.
#[derive(Clone)]
pub(crate) struct Around {
    function: FunctionId,
    /// What comes back besides the counts: how it is combined.
    exports: Vec<Combine>,
    /// Values of the caller that are handed through.
    passed: Vec<Value>,
    hand: Hand,
}

/// What makes two loops the same: the statement, what follows it, and what the hand may hold.
#[derive(PartialEq)]
pub(crate) struct LoopKey {
    condition: *const Stmt,
    after: Vec<(u8, usize)>,
    hand: Vec<Piece>,
}

impl LoopKey {
    fn new(condition: &Stmt, after: &Rest<'_>, hand: &Hand) -> LoopKey {
        let step = |step: Step<'_>| match step {
            Step::Do(stmt) => (0, std::ptr::from_ref(stmt) as usize),
            Step::Mark(_) => (1, 0),
            Step::Found(_) => (2, 0),
            Step::Best(_, value) => (3, std::ptr::from_ref(value) as usize),
            Step::Equals(value, _) => (4, std::ptr::from_ref(value) as usize),
            Step::Again => (5, 0),
        };
        let hand = match hand {
            Hand::Empty => Vec::new(),
            Hand::Piece(piece) => vec![*piece],
            // Two or more, so never the same as a single piece.
            Hand::OneOf(pieces) => pieces.iter().map(|(piece, _)| *piece).collect(),
        };
        LoopKey { condition, after: after.steps().into_iter().map(step).collect(), hand }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Combine {
    Any,
    Greatest,
}

/// The variables that count results.
const COUNTS: u32 = 2;

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

    fn combine(&mut self, how: Combine, variable: Variable, value: Value) {
        let before = self.builder.get(variable);
        let after = match how {
            Combine::Any => self.builder.or(before, value),
            Combine::Greatest => {
                let less = self.builder.binary(Binary::Less, before, value);
                self.builder.select(less, value, before)
            }
        };
        self.builder.set(variable, after);
    }

    /// Makes a function of a loop and calls it.
    pub(crate) fn outline_loop(
        &mut self,
        condition: &'p Stmt,
        body: &'p Stmt,
        after: &Rest<'p>,
        state: State,
    ) -> R<()> {
        if self.around.is_some() {
            return Err(Refusal::new("a loop with effects inside another"));
        }
        if !self.uses_up(condition, body) {
            return Err(Refusal::new("`while` whose rounds may go on for ever"));
        }
        let Finger::One(_) = state.finger else {
            return Err(Refusal::new("a loop with effects without a finger"));
        };
        let round = Rest::then(Step::Do(condition), &Rest::then(Step::Do(body), &Rest::End));
        if self.live(&round).direction || self.live(after).direction {
            return Err(Refusal::new("a loop with effects that goes on in the same direction"));
        }
        let mut targets = Vec::new();
        let mut exports = Vec::new();
        let mut passed = Vec::new();
        for step in after.steps() {
            match step {
                Step::Mark(variable) | Step::Found(variable) => {
                    targets.push(variable);
                    exports.push(Combine::Any);
                }
                Step::Best(variable, _) => {
                    targets.push(variable);
                    exports.push(Combine::Greatest);
                }
                Step::Equals(_, value) => passed.push(value),
                Step::Do(_) | Step::Again => {}
            }
        }
        if exports.len() + COUNTS as usize > MAX_RESULTS {
            return Err(Refusal::new("a loop deep inside alternatives"));
        }
        let key = LoopKey::new(condition, after, &state.hand);
        if let Some((_, around)) = self.loops.iter().find(|(known, _)| *known == key) {
            let around = around.clone();
            return self.call_loop(&around, &passed, &targets, state);
        }
        let function = FunctionId(self.functions.len() as u32);
        let hand = state.hand.clone();
        let around = Around { function, exports, passed: passed.clone(), hand };
        self.make_function(&around, condition, body, after)?;
        self.loops.push((key, around.clone()));
        self.call_loop(&around, &passed, &targets, state)
    }

    fn make_function(
        &mut self,
        around: &Around,
        condition: &'p Stmt,
        body: &'p Stmt,
        after: &Rest<'p>,
    ) -> R<()> {
        let placeholder = Function {
            name: format!("loop_{}", around.function.0),
            kind: self.kind,
            parameters: Vec::new(),
            results: COUNTS + around.exports.len() as u32,
            variables: 0,
            values: 0,
            body: Vec::new(),
        };
        self.functions.push(placeholder);
        let outer_builder =
            std::mem::replace(&mut self.builder, Builder::new(COUNTS + around.exports.len() as u32));
        let outer_guard = std::mem::replace(&mut self.guard, Value(0));
        let outer_safe = std::mem::take(&mut self.safe);
        let outer_derived = std::mem::take(&mut self.derived);
        self.guard = self.builder.constant(1);
        for (number, export) in around.exports.iter().enumerate() {
            if *export == Combine::Greatest {
                let lowest = self.builder.constant(i64::MIN as u64);
                self.builder.set(Variable(COUNTS + number as u32), lowest);
            }
        }
        let (parameters, state, passed) = self.parameters(around);
        self.around = Some(Around { passed: passed.clone(), ..around.clone() });
        let done = self.loop_body(condition, body, &renamed(after, &passed), state);
        self.around = None;
        let builder = std::mem::replace(&mut self.builder, outer_builder);
        (self.guard, self.safe, self.derived) = (outer_guard, outer_safe, outer_derived);
        done?;
        let (body, values, variables) = builder.finish();
        let made = &mut self.functions[around.function.0 as usize];
        (made.parameters, made.body, made.values, made.variables) = (parameters, body, values, variables);
        Ok(())
    }

    fn loop_body(&mut self, condition: &'p Stmt, body: &'p Stmt, after: &Rest<'p>, state: State) -> R<()> {
        let goes_on = self.builder.variable();
        let again = Rest::then(Step::Do(body), &Rest::then(Step::Again, &Rest::End));
        let marked = Rest::then(Step::Mark(goes_on), &again);
        self.run(&Rest::then(Step::Do(condition), &marked), state.clone())?;
        let goes_on = self.builder.get(goes_on);
        let ends = self.builder.is_zero(goes_on);
        self.when(ends, &mut |lowering| lowering.run(after, state.clone()))
    }

    /// The parameters of a loop's function and the state made of them.
    fn parameters(&mut self, around: &Around) -> (Vec<Value>, State, Vec<Value>) {
        let mut parameters = Vec::new();
        let mut parameter = |builder: &mut Builder| {
            let value = builder.fresh();
            parameters.push(value);
            value
        };
        let builder = &mut self.builder;
        let mut boards: Vec<Set> = Vec::new();
        for _ in 0..self.layout.pieces {
            boards.push((0..self.layout.set_words).map(|_| parameter(builder)).collect());
        }
        let slots = self.program.slot_count();
        let values: Vec<Option<Value>> = (0..slots).map(|_| Some(parameter(builder))).collect();
        let finger = parameter(builder);
        let hand = match &around.hand {
            Hand::OneOf(pieces) => {
                Hand::OneOf(pieces.iter().map(|(piece, _)| (*piece, parameter(builder))).collect())
            }
            other => other.clone(),
        };
        let [signature, outcome, irreversible, keep_turn] = std::array::from_fn(|_| parameter(builder));
        let passed = around.passed.iter().map(|_| parameter(builder)).collect();
        let everything = anything(self.layout.pieces);
        let mut state = State {
            finger: Finger::One(finger),
            direction: None,
            hand,
            content: everything,
            boards: Rc::new(boards),
            unions: Rc::new(Vec::new()),
            values,
            changed_values: (0..slots).map(|slot| slot < self.layout.values).collect(),
            changed_boards: vec![true; self.layout.pieces],
            writes: vec![Write { field: None, old: everything, new: everything }],
            places: Vec::new(),
            behind: None,
            known_contents: Vec::new(),
            ways: Vec::new(),
            signature,
            outcome,
            irreversible,
            keep_turn,
        };
        self.prepare_unions(&mut state);
        (parameters, state, passed)
    }

    /// Another round of the loop whose function is being made.
    pub(crate) fn another_round(&mut self, state: State) -> R<()> {
        let Some(around) = self.around.clone() else { return Err(Refusal::new("a round of no loop")) };
        let targets: Vec<Variable> =
            (0..around.exports.len() as u32).map(|number| Variable(COUNTS + number)).collect();
        let passed = around.passed.clone();
        self.call_loop(&around, &passed, &targets, state)
    }

    fn call_loop(
        &mut self,
        around: &Around,
        passed: &[Value],
        targets: &[Variable],
        mut state: State,
    ) -> R<()> {
        let index = self.finger_index(&state)?;
        let mut arguments: Vec<Value> = state.boards.iter().flatten().copied().collect();
        for slot in 0..self.program.slot_count() {
            arguments.push(self.value(slot, &mut state));
        }
        arguments.push(index);
        match (&state.hand, &around.hand) {
            (Hand::OneOf(held), Hand::OneOf(wanted)) if held.len() == wanted.len() => {
                arguments.extend(held.iter().map(|(_, value)| *value));
            }
            (held, wanted) if held == wanted => {}
            _ => return Err(Refusal::new("a loop that changes what the hand may hold")),
        }
        arguments.extend([state.signature, state.outcome, state.irreversible, state.keep_turn]);
        arguments.extend(passed);
        let results: Vec<Value> =
            (0..COUNTS as usize + targets.len()).map(|_| self.builder.fresh()).collect();
        self.builder.push(crate::Stmt::Call {
            function: around.function,
            arguments,
            results: results.clone(),
        });
        for number in 0..COUNTS {
            let before = self.builder.get(Variable(number));
            let after = self.builder.binary(Binary::Add, before, results[number as usize]);
            self.builder.set(Variable(number), after);
        }
        for (number, target) in targets.iter().enumerate() {
            self.combine(around.exports[number], *target, results[COUNTS as usize + number]);
        }
        Ok(())
    }

    /// Whether each round takes a piece that no round puts back.
    fn uses_up(&self, condition: &'p Stmt, body: &'p Stmt) -> bool {
        let mut parts = Vec::new();
        self.flatten(condition, &mut parts);
        self.flatten(body, &mut parts);
        let mut put = PieceSet::EMPTY;
        let mut plain = true;
        for part in &parts {
            self.collect_put(part, &mut put, &mut plain);
        }
        plain
            && parts.windows(2).any(|pair| match (&pair[0].op, &pair[1].op) {
                (Op::PointsAt(taken), Op::Replace(_)) => taken.iter().all(|piece| !put.contains(piece)),
                _ => false,
            })
    }

    fn collect_put(&self, stmt: &Stmt, put: &mut PieceSet, plain: &mut bool) {
        match &stmt.op {
            Op::Replace(piece) => put.insert(*piece),
            Op::PickUp | Op::PutDown => *plain = false,
            Op::Call(function) if self.facts.recursive(*function) => *plain = false,
            Op::Call(function) => self.collect_put(self.facts.body(*function), put, plain),
            _ => stmt.children().into_iter().for_each(|child| self.collect_put(child, put, plain)),
        }
    }
}

/// What remains, with the variables and values of the loop's function.
fn renamed<'p>(after: &Rest<'p>, passed: &[Value]) -> Rest<'p> {
    let mut exported = COUNTS;
    let mut passed = passed.iter();
    let mut next = || {
        exported += 1;
        Variable(exported - 1)
    };
    let steps: Vec<Step<'p>> = after
        .steps()
        .into_iter()
        .map(|step| match step {
            Step::Mark(_) => Step::Mark(next()),
            Step::Found(_) => Step::Found(next()),
            Step::Best(_, value) => Step::Best(next(), value),
            Step::Equals(expr, value) => Step::Equals(expr, passed.next().copied().unwrap_or(value)),
            other => other,
        })
        .collect();
    steps.into_iter().rev().fold(Rest::End, |rest, step| Rest::then(step, &rest))
}
