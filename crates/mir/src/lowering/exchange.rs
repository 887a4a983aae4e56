//! What the code around a call and the function that is called hand to each other: the state, and what is
//! found out.

use multigame_game::{Direction, Piece};

use crate::lowering::Lowering;
use crate::lowering::rest::{Rest, Step};
use crate::lowering::state::{Finger, Hand, Place, Set, State, Write};
use crate::program::builder::Builder;
use crate::refusal::{R, Refusal};
use crate::sets::code::Code;
use crate::{Binary, Stmt, Value, Variable};

/// The variables that count results.
pub(crate) const COUNTS: u32 = 2;

/// What is known about a state while compiling.
#[derive(Clone, PartialEq)]
pub(crate) struct Shape {
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
    pub fn of(state: &State) -> R<Shape> {
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

/// How what a function reports is put together with what is known already.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Combine {
    Any,
    /// All bits; none may come twice.
    Apart,
    Greatest,
    Sum,
}

/// What a call hands over besides the state.
pub(crate) struct Exchange {
    /// Where the caller wants what is found out.
    pub targets: Vec<Variable>,
    /// How that is put together, one for each target.
    pub exports: Vec<Combine>,
    /// Values that what remains refers to.
    pub passed: Vec<Value>,
}

impl Exchange {
    /// What the function of a rest is handed, and hands back; with the fields its results leave, if they are
    /// collected.
    pub fn of(rest: &Rest<'_>, left_fields: Option<&Vec<Variable>>) -> Exchange {
        let mut exchange = Exchange { targets: Vec::new(), exports: Vec::new(), passed: Vec::new() };
        for step in rest.steps() {
            match step {
                Step::Mark(variable) | Step::Found(variable) => exchange.report(variable, Combine::Any),
                Step::Best(variable, _) => exchange.report(variable, Combine::Greatest),
                Step::Tally(variable) => exchange.report(variable, Combine::Sum),
                Step::Equals(_, value) | Step::Round(_, value) | Step::Enter(_, value) => {
                    exchange.passed.push(value);
                }
                Step::Fields(_, left) => {
                    exchange.passed.extend(&left.fields);
                    exchange.passed.extend(left.finger);
                }
                Step::Do(_) => {}
            }
        }
        for &variable in left_fields.into_iter().flatten() {
            exchange.report(variable, Combine::Apart);
        }
        exchange
    }

    fn report(&mut self, variable: Variable, how: Combine) {
        self.targets.push(variable);
        self.exports.push(how);
    }
}

impl Code {
    /// Puts what has been reported together with what a variable holds.
    pub(crate) fn combine(&mut self, how: Combine, variable: Variable, value: Value) {
        let before = self.get(variable);
        let after = match how {
            Combine::Any => self.or(before, value),
            Combine::Apart => {
                let both = self.and(before, value);
                let twice = self.is_nonzero(both);
                self.push(Stmt::FailIf(twice));
                self.or(before, value)
            }
            Combine::Sum => self.binary(Binary::Add, before, value),
            Combine::Greatest => {
                let less = self.binary(Binary::Less, before, value);
                self.select(less, value, before)
            }
        };
        self.set(variable, after);
    }
}

impl Lowering<'_> {
    /// The parameters of a function and the state made of them.
    ///
    /// **Invariant:** [`Lowering::arguments`] lists the same things in the same order.
    pub(crate) fn parameters(&mut self, shape: &Shape, passed: usize) -> (Vec<Value>, State, Vec<Value>) {
        let mut parameters = Vec::new();
        let mut parameter = |builder: &mut Builder| {
            let value = builder.fresh();
            parameters.push(value);
            value
        };
        let (builder, layout) = (&mut self.code.builder, &self.facts.layout);
        let mut sets = |number: usize| -> Vec<Set> {
            (0..number).map(|_| (0..layout.set_words).map(|_| parameter(builder)).collect()).collect()
        };
        let boards = sets(layout.boards());
        let planes = sets(layout.planes.iter().map(|planes| planes.bits).sum());
        let kept = self.facts.slots().map(|slot| layout.planes_at(slot).is_none());
        let values = kept.map(|kept| kept.then(|| parameter(builder))).collect();
        let finger = if shape.finger { Finger::One(parameter(builder)) } else { Finger::Nowhere };
        let hand = match &shape.hand {
            Held::Nothing => Hand::Empty,
            Held::Piece(piece) => Hand::Piece(*piece),
            Held::OneOf(pieces) => {
                Hand::OneOf(pieces.iter().map(|piece| (*piece, parameter(builder))).collect())
            }
        };
        let header = std::array::from_fn(|_| parameter(builder));
        let passed = (0..passed).map(|_| parameter(builder)).collect();
        let inside = State {
            finger,
            direction: shape.direction,
            hand,
            ..State::new(layout, boards, planes, values, header)
        };
        let mut state = self.anything_changed(inside);
        self.prepare_unions(&mut state);
        (parameters, state, passed)
    }

    /// A state of which only the caller knows what has changed.
    fn anything_changed(&self, mut state: State) -> State {
        let everything = self.facts.layout.anything();
        state.changed_planes.fill(true);
        state.changed_boards.fill(true);
        state.changed_values =
            self.facts.slots().map(|slot| self.facts.layout.scalar(slot).is_some()).collect();
        state.writes = vec![Write { field: None, old: everything, new: everything }];
        // The caller has made choices that nothing here tells about.
        state.places = vec![Place { field: state.signature, reach: None, follows: false }];
        state
    }

    /// What a function is called with.
    pub(crate) fn arguments(&mut self, exchange: &Exchange, mut state: State) -> R<Vec<Value>> {
        self.sign(&mut state)?;
        let mut arguments: Vec<Value> = state.boards.iter().flatten().copied().collect();
        arguments.extend(state.planes.iter().flatten());
        for slot in self.facts.slots() {
            if self.facts.layout.planes_at(slot).is_none() {
                arguments.push(self.value(slot, &mut state));
            }
        }
        if let Finger::One(index) = state.finger {
            arguments.push(index);
        }
        if let Hand::OneOf(held) = &state.hand {
            arguments.extend(held.iter().map(|(_, value)| *value));
        }
        arguments.extend(state.header());
        arguments.extend(&exchange.passed);
        Ok(arguments)
    }
}

/// What remains, with the variables and values of its function.
pub(crate) fn renamed<'p>(rest: &Rest<'p>, passed: &[Value]) -> Rest<'p> {
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
