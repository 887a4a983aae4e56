//! Code that must be entered more than once: what remains at some point becomes a function of its own.
//!
//! The function is handed the whole state as parameters; what it finds out comes back in its first variables. Loops
//! whose rounds may have several results call themselves for another round: the round is part of what remains, so
//! meeting the same rest again is what makes a loop of it.

use std::rc::Rc;

use multigame_game::{Direction, Piece};

use crate::builder::Builder;
use crate::lower::{Lowering, R, Refusal};
use crate::rest::{Rest, Step};
use crate::sites::{Class, Site};
use crate::state::{Finger, Hand, Place, Set, State, Write};
use crate::vector::anything;
use crate::{Binary, Function, FunctionId, MAX_RESULTS, Value, Variable};

/// More rounds of a loop than this are left to the interpreter, which knows whether they come to an end.
pub(crate) const MAX_ROUNDS: u64 = 120;

/// So many functions are enough for any rules that do not nest without end.
const MAX_FUNCTIONS: usize = 300;

/// A rest that has become a function.
#[derive(Clone)]
pub(crate) struct Outlined {
    function: FunctionId,
    /// What comes back besides the counts: how it is combined.
    exports: Vec<Combine>,
    shape: Shape,
}

/// What makes two rests the same function: the steps, and what is known while compiling.
#[derive(PartialEq)]
pub(crate) struct Key {
    steps: Vec<(u8, usize, usize)>,
    shape: Shape,
    /// Functions that have results belong to one class of them.
    class: Option<Class>,
}

/// What is known about a state while compiling.
#[derive(Clone, PartialEq)]
struct Shape {
    finger: bool,
    direction: Option<Direction>,
    hand: Held,
}

#[derive(Clone, PartialEq)]
enum Held {
    Nothing,
    Piece(Piece),
    OneOf(Vec<Piece>),
}

impl Shape {
    fn of(state: &State) -> R<Shape> {
        let finger = match &state.finger {
            Finger::Nowhere => false,
            Finger::One(_) => true,
            Finger::Many(_) => return Err(Refusal::new("a loop with effects for many fingers at once")),
        };
        let hand = match &state.hand {
            Hand::Empty => Held::Nothing,
            Hand::Piece(piece) => Held::Piece(*piece),
            Hand::OneOf(pieces) => Held::OneOf(pieces.iter().map(|(piece, _)| *piece).collect()),
            Hand::Coded(_) => return Err(Refusal::new("a loop that carries a piece by its number")),
        };
        Ok(Shape { finger, direction: state.direction, hand })
    }
}

fn address<T>(it: &T) -> usize {
    std::ptr::from_ref(it) as usize
}

fn key_of(step: &Step<'_>) -> (u8, usize, usize) {
    match step {
        Step::Do(stmt) => (0, address(*stmt), 0),
        Step::Mark(_) => (1, 0, 0),
        Step::Found(_) => (2, 0, 0),
        Step::Best(_, value) => (3, address(*value), 0),
        Step::Equals(value, _) => (4, address(*value), 0),
        Step::Tally(_) => (7, 0, 0),
        Step::Enter(function, _) => (8, function.0 as usize, 0),
        Step::Round(stmt, _) => (5, address(*stmt), 0),
        Step::Fields(stmt, left) => {
            let facing = left.direction.map_or(0, |direction| direction.index() + 1);
            (6, address(*stmt), 2 * facing + usize::from(left.finger.is_some()))
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Combine {
    Any,
    /// All bits; none may come twice.
    Apart,
    Greatest,
    Sum,
}

/// The variables that count results.
const COUNTS: u32 = 2;

impl<'p> Lowering<'p> {
    pub(crate) fn combine(&mut self, how: Combine, variable: Variable, value: Value) {
        let before = self.builder.get(variable);
        let after = match how {
            Combine::Any => self.builder.or(before, value),
            Combine::Apart => {
                let both = self.builder.and(before, value);
                let twice = self.builder.is_nonzero(both);
                self.builder.push(crate::Stmt::FailIf(twice));
                self.builder.or(before, value)
            }
            Combine::Sum => self.builder.binary(Binary::Add, before, value),
            Combine::Greatest => {
                let less = self.builder.binary(Binary::Less, before, value);
                self.builder.select(less, value, before)
            }
        };
        self.builder.set(variable, after);
    }

    /// Makes a function of what remains, unless there is one already, and calls it.
    pub(crate) fn outline(&mut self, rest: &Rest<'p>, mut state: State) -> R<()> {
        let live = self.live(rest);
        if !live.finger {
            state.finger = Finger::Nowhere;
        }
        if !live.direction {
            state.direction = None;
        }
        let mut targets = Vec::new();
        let mut exports = Vec::new();
        let mut passed = Vec::new();
        for step in rest.steps() {
            match step {
                Step::Mark(variable) | Step::Found(variable) => {
                    targets.push(variable);
                    exports.push(Combine::Any);
                }
                Step::Best(variable, _) => {
                    targets.push(variable);
                    exports.push(Combine::Greatest);
                }
                Step::Tally(variable) => {
                    targets.push(variable);
                    exports.push(Combine::Sum);
                }
                Step::Equals(_, value) | Step::Round(_, value) | Step::Enter(_, value) => passed.push(value),
                Step::Fields(_, left) => {
                    passed.extend(&left.fields);
                    passed.extend(left.finger);
                }
                Step::Do(_) => {}
            }
        }
        let ends = matches!(rest.steps().last(), Some(Step::Found(_) | Step::Best(..) | Step::Tally(_)));
        if let Some(left) = self.left_fields.as_ref().filter(|_| !ends) {
            targets.extend(left);
            exports.extend(left.iter().map(|_| Combine::Apart));
        }
        if exports.len() + COUNTS as usize > MAX_RESULTS {
            return Err(Refusal::new("a loop deep inside alternatives"));
        }
        let shape = Shape::of(&state)?;
        // Where what remains only judges what has been done, results differ by what has been done.
        let judges = rest.steps().iter().all(|step| match step {
            Step::Do(stmt) => self.facts.only_judges(stmt),
            step => matches!(step, Step::Mark(_)),
        });
        if judges && self.kind == crate::Kind::Generate && !self.told_apart {
            self.sites.push(Site::of(&state, &self.class, &self.builder));
        }
        if self.wanted.is_some() && !ends {
            return Err(Refusal::new("results of a function, which are not numbered"));
        }
        let class = (!ends).then(|| self.class.clone());
        let key = Key { steps: rest.steps().iter().map(key_of).collect(), shape: shape.clone(), class };
        let known =
            self.outlined.iter().find(|(known, _)| *known == key).map(|(_, outlined)| outlined.clone());
        let outlined = match known {
            Some(outlined) => outlined,
            None if self.outlined.len() > MAX_FUNCTIONS => {
                return Err(Refusal::new("recursive rules that would need too many functions"));
            }
            None => {
                let function = FunctionId(self.functions.len() as u32);
                let outlined = Outlined { function, exports, shape };
                self.outlined.push((key, outlined.clone()));
                self.make_function(&outlined, rest, passed.len(), judges)?;
                outlined
            }
        };
        self.call_outlined(&outlined, &passed, &targets, state)
    }

    fn make_function(&mut self, outlined: &Outlined, rest: &Rest<'p>, passed: usize, judges: bool) -> R<()> {
        let results = COUNTS + outlined.exports.len() as u32;
        self.functions.push(Function {
            name: format!("rest_{}", outlined.function.0),
            kind: self.kind,
            parameters: Vec::new(),
            results,
            variables: 0,
            values: 0,
            body: Vec::new(),
        });
        let outer_builder = std::mem::replace(&mut self.builder, Builder::new(results));
        let outer_guard = std::mem::replace(&mut self.guard, Value(0));
        let outer_threats = std::mem::take(&mut self.threats);
        let outer_derived = std::mem::take(&mut self.derived);
        let outer_depth = self.depth;
        let outer_told = self.told_apart;
        let outer_answer = self.answer;
        let collected = (COUNTS..).map(Variable).zip(&outlined.exports);
        let collected = collected.filter(|(_, how)| **how == Combine::Apart).map(|(variable, _)| variable);
        let collected: Vec<Variable> = collected.collect();
        let outer_left =
            std::mem::replace(&mut self.left_fields, (!collected.is_empty()).then_some(collected));
        let steps = rest.steps();
        let marks =
            steps.iter().filter(|step| !matches!(step, Step::Do(_) | Step::Enter(..) | Step::Round(..)));
        self.answer = match (marks.count(), steps.last()) {
            (1, Some(Step::Found(_))) => Some(Variable(COUNTS)),
            _ => None,
        };
        self.told_apart |= judges;
        self.depth = self.builder.constant(0);
        self.guard = self.builder.constant(1);
        for (number, export) in outlined.exports.iter().enumerate() {
            if *export == Combine::Greatest {
                let lowest = self.builder.constant(i64::MIN as u64);
                self.builder.set(Variable(COUNTS + number as u32), lowest);
            }
        }
        let (parameters, state, passed) = self.parameters(&outlined.shape, passed);
        let done = self.enter(&renamed(rest, &passed), state);
        let builder = std::mem::replace(&mut self.builder, outer_builder);
        (self.guard, self.threats, self.derived, self.depth) =
            (outer_guard, outer_threats, outer_derived, outer_depth);
        self.told_apart = outer_told;
        self.answer = outer_answer;
        self.left_fields = outer_left;
        self.finished_size += builder.size();
        done?;
        let (body, values, variables) = builder.finish();
        let made = &mut self.functions[outlined.function.0 as usize];
        (made.parameters, made.body, made.values, made.variables) = (parameters, body, values, variables);
        Ok(())
    }

    /// The body of the function of a rest: its first step is done here, not in another function.
    fn enter(&mut self, rest: &Rest<'p>, state: State) -> R<()> {
        let Rest::Then(cell) = rest else { return self.run(rest, state) };
        let after = &cell.1;
        match &cell.0 {
            Step::Round(stmt, rounds) => self.round(stmt, *rounds, after, state),
            Step::Fields(stmt, left) => self.next_field(stmt, left, after, state),
            Step::Enter(function, depth) => {
                let most = self.builder.constant(MAX_ROUNDS);
                let too_deep = self.builder.binary(Binary::LessEqual, most, *depth);
                self.builder.push(crate::Stmt::FailIf(too_deep));
                self.depth = *depth;
                self.run(&Rest::then(Step::Do(self.facts.body(*function)), after), state)
            }
            _ => {
                self.stay = true;
                self.run(rest, state)
            }
        }
    }

    /// The parameters of a function and the state made of them.
    fn parameters(&mut self, shape: &Shape, passed: usize) -> (Vec<Value>, State, Vec<Value>) {
        let mut parameters = Vec::new();
        let mut parameter = |builder: &mut Builder| {
            let value = builder.fresh();
            parameters.push(value);
            value
        };
        let builder = &mut self.builder;
        let words = self.layout.set_words;
        let mut sets = |number: usize| -> Vec<Set> {
            (0..number).map(|_| (0..words).map(|_| parameter(builder)).collect()).collect()
        };
        let boards = sets(self.layout.boards());
        let planes = sets(self.layout.planes.iter().map(|planes| planes.bits).sum());
        let slots = self.program.slot_count();
        let kept: Vec<bool> = (0..slots).map(|slot| self.layout.planes_at(slot).is_none()).collect();
        let values = kept.iter().map(|kept| kept.then(|| parameter(builder))).collect();
        let finger = if shape.finger { Finger::One(parameter(builder)) } else { Finger::Nowhere };
        let hand = match &shape.hand {
            Held::Nothing => Hand::Empty,
            Held::Piece(piece) => Hand::Piece(*piece),
            Held::OneOf(pieces) => {
                Hand::OneOf(pieces.iter().map(|piece| (*piece, parameter(builder))).collect())
            }
        };
        let [signature, outcome, irreversible, keep_turn] = std::array::from_fn(|_| parameter(builder));
        let passed = (0..passed).map(|_| parameter(builder)).collect();
        let everything = anything(self.layout.pieces);
        let mut state = State {
            finger,
            direction: shape.direction,
            hand,
            content: everything,
            boards: Rc::new(boards),
            unions: Rc::new(Vec::new()),
            planes: Rc::new(planes),
            changed_planes: vec![true; self.layout.planes.len()],
            values,
            changed_values: (0..slots).map(|slot| self.layout.scalar(slot).is_some()).collect(),
            changed_boards: vec![true; self.layout.boards()],
            writes: vec![Write { field: None, old: everything, new: everything }],
            // Who calls has made choices that nothing here tells about.
            places: vec![Place { field: signature, reach: None, follows: false }],
            behind: None,
            known_contents: Vec::new(),
            ways: Vec::new(),
            signature,
            unsigned: Vec::new(),
            outcome,
            irreversible,
            keep_turn,
        };
        self.prepare_unions(&mut state);
        (parameters, state, passed)
    }

    fn call_outlined(
        &mut self,
        outlined: &Outlined,
        passed: &[Value],
        targets: &[Variable],
        mut state: State,
    ) -> R<()> {
        self.sign(&mut state)?;
        let mut arguments: Vec<Value> = state.boards.iter().flatten().copied().collect();
        arguments.extend(state.planes.iter().flatten());
        for slot in 0..self.program.slot_count() {
            if self.layout.planes_at(slot).is_none() {
                arguments.push(self.value(slot, &mut state));
            }
        }
        if let Finger::One(index) = state.finger {
            arguments.push(index);
        }
        if let Hand::OneOf(held) = &state.hand {
            arguments.extend(held.iter().map(|(_, value)| *value));
        }
        arguments.extend([state.signature, state.outcome, state.irreversible, state.keep_turn]);
        arguments.extend(passed);
        let results: Vec<Value> =
            (0..COUNTS as usize + targets.len()).map(|_| self.builder.fresh()).collect();
        let function = outlined.function;
        self.builder.push(crate::Stmt::Call { function, arguments, results: results.clone() });
        for number in 0..COUNTS {
            let before = self.builder.get(Variable(number));
            let after = self.builder.binary(Binary::Add, before, results[number as usize]);
            self.builder.set(Variable(number), after);
        }
        for (number, target) in targets.iter().enumerate() {
            self.combine(outlined.exports[number], *target, results[COUNTS as usize + number]);
            if self.answer == Some(*target) {
                let found = self.builder.get(*target);
                self.builder.push(crate::Stmt::ReturnIf(found));
            }
        }
        Ok(())
    }
}

/// What remains, with the variables and values of its function.
fn renamed<'p>(rest: &Rest<'p>, passed: &[Value]) -> Rest<'p> {
    let mut exported = COUNTS;
    let mut passed = passed.iter().copied();
    let mut next = || {
        exported += 1;
        Variable(exported - 1)
    };
    let mut steps: Vec<Step<'p>> = rest.steps();
    for step in &mut steps {
        match step {
            Step::Mark(variable)
            | Step::Found(variable)
            | Step::Best(variable, _)
            | Step::Tally(variable) => {
                *variable = next();
            }
            Step::Equals(_, value) | Step::Round(_, value) | Step::Enter(_, value) => {
                *value = passed.next().unwrap_or(*value)
            }
            Step::Fields(_, left) => {
                let places = left.fields.iter_mut().chain(&mut left.finger);
                places.for_each(|value| *value = passed.next().unwrap_or(*value));
            }
            Step::Do(_) => {}
        }
    }
    steps.into_iter().rev().fold(Rest::End, |rest, step| Rest::then(step, &rest))
}
