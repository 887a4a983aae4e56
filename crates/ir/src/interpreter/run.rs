//! Running statements: one state in, each result to the continuation.

use std::ops::ControlFlow;
use std::rc::Rc;

use multigame_game::{Direction, Field, Outcome, Piece, PieceSet, Property, RulesError, Side};
use rustc_hash::FxHashMap;

use super::naming::Names;
use super::{Interpreter, MAX_DEPTH, MAX_STATES};
use crate::state::{Matter, Registers, State, StateSet};
use crate::{FunctionId, Op, OriginId, Stmt};

/// What a continuation answers: go on, or no more results are wanted.
pub(super) type Flow = Result<ControlFlow<()>, Box<RulesError>>;

/// What is done with each result.
type Next<'n, 'p> = &'n mut dyn FnMut(&mut Run<'p>, &Rc<Matter>, Registers) -> Flow;

const GO_ON: Flow = Ok(ControlFlow::Continue(()));

/// One run of a function from the top.
pub(super) struct Run<'p> {
    pub(super) interpreter: &'p Interpreter,
    /// What was there when the move began.
    beginning: Rc<Matter>,
    steps: u64,
    depth: u32,
    /// What is known about the calls of recursive functions.
    calls: FxHashMap<(FunctionId, State), Call>,
    /// Number of the round that computes the calls below the outermost recursive one; 0 outside of it.
    round: u32,
    /// Whether something new was learned in this round.
    learned: bool,
    /// Whether a call was met inside itself in this round.
    met_again: bool,
    /// The names that moves have so far; none if names do not matter.
    pub(super) names: Option<Names>,
}

/// A call of a recursive function in a certain state.
#[derive(Default)]
struct Call {
    /// What it is known to give; grows until it is all.
    known: Vec<State>,
    /// The round in which it was last run.
    round: u32,
    /// Whether it is being run.
    active: bool,
    /// Whether all is known.
    complete: bool,
}

impl<'p> Run<'p> {
    pub(super) fn new(interpreter: &'p Interpreter, beginning: &Rc<Matter>) -> Run<'p> {
        Run {
            interpreter,
            beginning: Rc::clone(beginning),
            steps: 0,
            depth: 0,
            calls: FxHashMap::default(),
            round: 0,
            learned: false,
            met_again: false,
            names: None,
        }
    }

    /// All results as a set.
    pub(super) fn collect(&mut self, stmt: &'p Stmt, state: &State) -> Result<StateSet, Box<RulesError>> {
        let mut set = StateSet::default();
        let origin = stmt.origin;
        let _ = self.run(stmt, &state.matter, state.registers, &mut |run, matter, registers| {
            run.insert(&mut set, State { matter: Rc::clone(matter), registers }, origin)?;
            GO_ON
        })?;
        Ok(set)
    }

    /// Whether there is a result.
    pub(super) fn any(
        &mut self,
        stmt: &'p Stmt,
        matter: &Rc<Matter>,
        registers: Registers,
    ) -> Result<bool, Box<RulesError>> {
        let flow = self.run(stmt, matter, registers, &mut |_, _, _| Ok(ControlFlow::Break(())))?;
        Ok(flow.is_break())
    }

    /// Whether there is a result of that kind; no more are looked for once one is found.
    pub(super) fn any_such(
        &mut self,
        stmt: &'p Stmt,
        matter: &Rc<Matter>,
        wanted: &dyn Fn(&Matter, Registers) -> bool,
    ) -> Result<bool, Box<RulesError>> {
        let flow = self.run(stmt, matter, Registers::default(), &mut |_, matter, registers| {
            Ok(if wanted(matter, registers) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(flow.is_break())
    }

    fn insert(&self, set: &mut StateSet, state: State, origin: OriginId) -> Result<bool, Box<RulesError>> {
        if set.len() >= MAX_STATES {
            let message = format!(
                "more than {MAX_STATES} states in one set: too many ways, or a loop that goes on for too long"
            );
            return Err(self.interpreter.error(origin, message));
        }
        Ok(set.insert(state))
    }

    /// Runs a statement. The stack grows on the heap where needed: how deep rules nest is up to their author.
    fn run(&mut self, stmt: &'p Stmt, matter: &Rc<Matter>, registers: Registers, next: Next<'_, 'p>) -> Flow {
        self.steps += 1;
        let most = self.interpreter.most_steps;
        if self.steps > most {
            let message =
                format!("gave up after {most} steps for one move: the rules loop or try too many ways");
            return Err(self.interpreter.error(stmt.origin, message));
        }
        let interpreter = self.interpreter;
        let Some(counts) = &interpreter.counts else {
            return stacker::maybe_grow(64 * 1024, 2 * 1024 * 1024, || {
                self.dispatch(stmt, matter, registers, next)
            });
        };
        counts.run(stmt.origin);
        let mut counted: &mut dyn FnMut(&mut Run<'p>, &Rc<Matter>, Registers) -> Flow =
            &mut |run, matter, registers| {
                counts.succeeded(stmt.origin);
                next(run, matter, registers)
            };
        stacker::maybe_grow(64 * 1024, 2 * 1024 * 1024, || {
            self.dispatch(stmt, matter, registers, &mut counted)
        })
    }

    fn dispatch(
        &mut self,
        stmt: &'p Stmt,
        matter: &Rc<Matter>,
        registers: Registers,
        next: Next<'_, 'p>,
    ) -> Flow {
        let origin = stmt.origin;
        match &stmt.op {
            Op::Sequence(parts) => self.sequence(parts, matter, registers, next),
            Op::Either(parts) => self.either(parts, matter, registers, next),
            Op::Try(first, second) => self.try_else(first, second, matter, registers, next),
            Op::Test(body) => match self.any(body, matter, registers)? {
                true => next(self, matter, registers),
                false => GO_ON,
            },
            Op::Not(body) => match self.any(body, matter, registers)? {
                true => GO_ON,
                false => next(self, matter, registers),
            },
            Op::Repeat { low, high, body } => {
                let start = State { matter: Rc::clone(matter), registers };
                let results = self.repeat(*low, *high, body, start, origin)?;
                self.hand_on(&results, next)
            }
            Op::While { condition, body } => {
                let start = State { matter: Rc::clone(matter), registers };
                let results = self.while_do(condition, body, start, origin)?;
                self.hand_on(&results, next)
            }
            Op::Greatest(value, body) => {
                let results = self.collect(body, &State { matter: Rc::clone(matter), registers })?.into_vec();
                let mut values = Vec::with_capacity(results.len());
                for state in &results {
                    values.push(self.evaluate(value, &mut Rc::clone(&state.matter), state.registers)?);
                }
                let greatest = values.iter().max().copied();
                let kept = results.into_iter().zip(values).filter(|(_, value)| Some(*value) == greatest);
                self.hand_on(&kept.map(|(state, _)| state).collect::<Vec<_>>(), next)
            }
            Op::ForEachField(set, body) => {
                let fields = self.matching(*set, matter);
                let starts = fields.into_iter().map(|field| (Some(field), registers.direction)).collect();
                self.for_each(starts, body, matter, registers, origin, next)
            }
            Op::ForEachDirection(directions, body) => {
                let starts =
                    directions.iter().map(|&direction| (registers.finger, Some(direction))).collect();
                self.for_each(starts, body, matter, registers, origin, next)
            }
            Op::Call(function) => self.call(*function, matter, registers, origin, next),
            Op::Find(set) => {
                for field in self.matching(*set, matter) {
                    if next(self, matter, Registers { finger: Some(field), ..registers })?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                GO_ON
            }
            Op::PointsAt(set) => {
                let field = self.finger(registers, origin)?;
                if set.contains(matter.cells[field.index()]) { next(self, matter, registers) } else { GO_ON }
            }
            Op::Replace(piece) => {
                let field = self.finger(registers, origin)?;
                next(self, &with_piece(matter, field, *piece), registers)
            }
            Op::PickUp => self.pick_up(matter, registers, origin, next),
            Op::PutDown => {
                let field = self.finger(registers, origin)?;
                let Some(piece) = registers.hand else {
                    return Err(self.error(origin, "`put down` with an empty hand; `pick up` a piece first"));
                };
                next(self, &with_piece(matter, field, piece), Registers { hand: None, ..registers })
            }
            Op::Face(directions) => {
                for &direction in directions {
                    let facing = Registers { direction: Some(direction), ..registers };
                    if next(self, matter, facing)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                GO_ON
            }
            Op::Turn(steps) => {
                let count = self.interpreter.program.description.board.direction_count() as i32;
                let direction = i32::from(self.direction(registers, origin)?.0);
                let turned = Direction((direction + steps).rem_euclid(count) as u8);
                next(self, matter, Registers { direction: Some(turned), ..registers })
            }
            Op::Step => {
                let direction = self.direction(registers, origin)?;
                self.step(direction, matter, registers, origin, next)
            }
            Op::StepBackward => {
                let direction = self.direction(registers, origin)?;
                let Some(opposite) = self.interpreter.program.description.board.opposite(direction) else {
                    let message =
                        "`step backward` in a direction that has no opposite; declare it as `along / back`";
                    return Err(self.error(origin, message));
                };
                self.step(opposite, matter, registers, origin, next)
            }
            Op::Place(field) => next(self, matter, Registers { finger: Some(*field), ..registers }),
            Op::MoveTo { column, row, view } => {
                let mut matter = Rc::clone(matter);
                let column = self.evaluate(column, &mut matter, registers)?;
                let row = self.evaluate(row, &mut matter, registers)?;
                match self.field_at(column, row, *view) {
                    Some(field) => next(self, &matter, Registers { finger: Some(field), ..registers }),
                    None => GO_ON,
                }
            }
            Op::Match(fields) => {
                let matches = fields.iter().all(|(field, set)| set.contains(matter.cells[field.index()]));
                if matches { next(self, matter, registers) } else { GO_ON }
            }
            Op::Assert(value) => {
                let mut matter = Rc::clone(matter);
                match self.evaluate(value, &mut matter, registers)? {
                    0 => GO_ON,
                    _ => next(self, &matter, registers),
                }
            }
            Op::Assign(value) => {
                let mut matter = Rc::clone(matter);
                self.evaluate(value, &mut matter, registers)?;
                next(self, &matter, registers)
            }
            Op::Irreversible => next(self, matter, Registers { irreversible: true, ..registers }),
            Op::Outcome(outcome) => next(self, matter, Registers { outcome: Some(*outcome), ..registers }),
            Op::Score(value, view) => {
                let mut matter = Rc::clone(matter);
                let score = self.evaluate(value, &mut matter, registers)?;
                let white = if *view == Side::White { Some(score) } else { score.checked_neg() };
                let Some(white) = white.and_then(|white| i32::try_from(white).ok()) else {
                    return Err(self.error(origin, format!("the score {score} does not fit into 32 bits")));
                };
                next(self, &matter, Registers { outcome: Some(Outcome::Score(white)), ..registers })
            }
            Op::Unchanged if self.is_same_board(matter) => next(self, matter, registers),
            Op::Unchanged => GO_ON,
            Op::KeepTurn => next(self, matter, Registers { keep_turn: true, ..registers }),
            Op::Called(parts) => {
                let name = self.longer_name(parts, matter, registers)?;
                next(self, matter, Registers { name, ..registers })
            }
        }
    }

    /// Whether every field holds what it held when the move began.
    fn is_same_board(&self, matter: &Matter) -> bool {
        let description = &self.interpreter.program.description;
        let same = |property: &Property| {
            let values = property.offset..property.offset + description.board.size();
            self.beginning.values[values.clone()] == matter.values[values]
        };
        self.beginning.cells == matter.cells && description.stack_properties().all(same)
    }

    fn sequence(
        &mut self,
        parts: &'p [Stmt],
        matter: &Rc<Matter>,
        registers: Registers,
        next: Next<'_, 'p>,
    ) -> Flow {
        match parts {
            [] => next(self, matter, registers),
            [only] => self.run(only, matter, registers, next),
            [first, rest @ ..] => self.run(first, matter, registers, &mut |run, matter, registers| {
                run.sequence(rest, matter, registers, next)
            }),
        }
    }

    fn either(
        &mut self,
        parts: &'p [Stmt],
        matter: &Rc<Matter>,
        registers: Registers,
        next: Next<'_, 'p>,
    ) -> Flow {
        for part in parts {
            if self.run(part, matter, registers, next)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        GO_ON
    }

    fn try_else(
        &mut self,
        first: &'p Stmt,
        second: &'p Stmt,
        matter: &Rc<Matter>,
        registers: Registers,
        next: Next<'_, 'p>,
    ) -> Flow {
        let mut succeeded = false;
        let flow = self.run(first, matter, registers, &mut |run, matter, registers| {
            succeeded = true;
            next(run, matter, registers)
        })?;
        if succeeded { Ok(flow) } else { self.run(second, matter, registers, next) }
    }

    /// Level by level: the states after this many rounds. From `low` rounds on a state met before adds
    /// nothing, because what follows from it has been or will be reached with fewer rounds.
    fn repeat(
        &mut self,
        low: u32,
        high: Option<u32>,
        body: &'p Stmt,
        start: State,
        origin: OriginId,
    ) -> Result<Vec<State>, Box<RulesError>> {
        let mut level = vec![start];
        for _ in 0..low {
            let mut after = StateSet::default();
            self.advance(&level, body, &mut after, origin)?;
            level = after.into_vec();
            if level.is_empty() {
                return Ok(level);
            }
        }
        let mut all = StateSet::default();
        for state in level {
            self.insert(&mut all, state, origin)?;
        }
        let mut expanded = 0;
        let mut rounds = low;
        while expanded < all.len() && high.is_none_or(|high| rounds < high) {
            let level = all.as_slice()[expanded..].to_vec();
            expanded = all.len();
            self.advance(&level, body, &mut all, origin)?;
            rounds += 1;
        }
        Ok(all.into_vec())
    }

    /// Adds to `after` what one more round gives for each state of a level.
    fn advance(
        &mut self,
        level: &[State],
        body: &'p Stmt,
        after: &mut StateSet,
        origin: OriginId,
    ) -> Result<(), Box<RulesError>> {
        for state in level {
            let _ = self.run(body, &state.matter, state.registers, &mut |run, matter, registers| {
                run.insert(after, State { matter: Rc::clone(matter), registers }, origin)?;
                GO_ON
            })?;
        }
        Ok(())
    }

    fn while_do(
        &mut self,
        condition: &'p Stmt,
        body: &'p Stmt,
        start: State,
        origin: OriginId,
    ) -> Result<Vec<State>, Box<RulesError>> {
        let mut met = StateSet::default();
        met.insert(start);
        let mut results = Vec::new();
        let mut number = 0;
        while number < met.len() {
            let state = met.as_slice()[number].clone();
            number += 1;
            let mut goes_on = false;
            let _ = self.run(condition, &state.matter, state.registers, &mut |run, matter, registers| {
                goes_on = true;
                run.run(body, matter, registers, &mut |run, matter, registers| {
                    run.insert(&mut met, State { matter: Rc::clone(matter), registers }, origin)?;
                    GO_ON
                })
            })?;
            if !goes_on {
                results.push(state);
            }
        }
        Ok(results)
    }

    fn for_each(
        &mut self,
        starts: Vec<(Option<Field>, Option<Direction>)>,
        body: &'p Stmt,
        matter: &Rc<Matter>,
        registers: Registers,
        origin: OriginId,
        next: Next<'_, 'p>,
    ) -> Flow {
        let mut level = vec![State { matter: Rc::clone(matter), registers }];
        for (finger, direction) in starts {
            let mut after = StateSet::default();
            for state in &level {
                let mut succeeded = false;
                let there = Registers { finger, direction, ..state.registers };
                let _ = self.run(body, &state.matter, there, &mut |run, matter, result| {
                    succeeded = true;
                    let back =
                        Registers { finger: registers.finger, direction: registers.direction, ..result };
                    run.insert(&mut after, State { matter: Rc::clone(matter), registers: back }, origin)?;
                    GO_ON
                })?;
                if !succeeded {
                    self.insert(&mut after, state.clone(), origin)?;
                }
            }
            level = after.into_vec();
        }
        self.hand_on(&level, next)
    }

    fn call(
        &mut self,
        function: FunctionId,
        matter: &Rc<Matter>,
        registers: Registers,
        origin: OriginId,
        next: Next<'_, 'p>,
    ) -> Flow {
        let interpreter = self.interpreter;
        let body = &interpreter.program.function(function).body;
        if !interpreter.recursive[function.0 as usize] {
            return self.run(body, matter, registers, next);
        }
        if self.depth >= MAX_DEPTH {
            let name = &interpreter.program.function(function).name;
            return Err(
                self.error(origin, format!("rule `{name}` calls itself more than {MAX_DEPTH} times deep"))
            );
        }
        self.depth += 1;
        let state = State { matter: Rc::clone(matter), registers };
        let results = self.recursive_call(function, body, state, origin);
        self.depth -= 1;
        self.hand_on(&results?, next)
    }

    /// The least fixed point of a recursive call. The outermost call runs in rounds; in a round each call is
    /// run once and gives what is known so far when it is met again. Rounds end when nothing new is learned.
    fn recursive_call(
        &mut self,
        function: FunctionId,
        body: &'p Stmt,
        state: State,
        origin: OriginId,
    ) -> Result<Vec<State>, Box<RulesError>> {
        let key = (function, state);
        if self.round > 0 {
            return self.call_in_round(key, body, origin);
        }
        if let Some(call) = self.calls.get(&key).filter(|call| call.complete) {
            return Ok(call.known.clone());
        }
        loop {
            self.round += 1;
            self.learned = false;
            self.met_again = false;
            let results = self.call_in_round(key.clone(), body, origin)?;
            if !(self.learned && self.met_again) {
                self.round = 0;
                self.calls.values_mut().for_each(|call| (call.complete, call.round) = (true, 0));
                return Ok(results);
            }
        }
    }

    fn call_in_round(
        &mut self,
        key: (FunctionId, State),
        body: &'p Stmt,
        origin: OriginId,
    ) -> Result<Vec<State>, Box<RulesError>> {
        let call = self.calls.entry(key.clone()).or_default();
        if call.complete || call.round == self.round {
            self.met_again |= call.active;
            return Ok(call.known.clone());
        }
        (call.round, call.active) = (self.round, true);
        let results = self.collect(body, &key.1)?;
        let name = &self.interpreter.program.function(key.0).name;
        let negative = format!("rule `{name}` calls itself in the same state through `not` or `try`");
        let call = self.calls.entry(key).or_default();
        call.active = false;
        if !call.known.iter().all(|known| results.contains(known)) {
            return Err(self.interpreter.error(origin, negative));
        }
        if results.len() > call.known.len() {
            self.learned = true;
            call.known = results.into_vec();
        }
        Ok(call.known.clone())
    }

    fn pick_up(
        &mut self,
        matter: &Rc<Matter>,
        registers: Registers,
        origin: OriginId,
        next: Next<'_, 'p>,
    ) -> Flow {
        let field = self.finger(registers, origin)?;
        let piece = matter.cells[field.index()];
        if piece == Piece::NONE {
            return GO_ON;
        }
        if registers.hand.is_some() {
            return Err(self.error(origin, "`pick up` with a full hand; `put down` the first piece before"));
        }
        let holding = Registers { hand: Some(piece), ..registers };
        next(self, &with_piece(matter, field, Piece::NONE), holding)
    }

    fn step(
        &mut self,
        direction: Direction,
        matter: &Rc<Matter>,
        registers: Registers,
        origin: OriginId,
        next: Next<'_, 'p>,
    ) -> Flow {
        let field = self.finger(registers, origin)?;
        match self.interpreter.program.description.board.step(field, direction) {
            Some(field) => next(self, matter, Registers { finger: Some(field), ..registers }),
            None => GO_ON,
        }
    }

    fn hand_on(&mut self, states: &[State], next: Next<'_, 'p>) -> Flow {
        for state in states {
            if next(self, &state.matter, state.registers)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        GO_ON
    }

    fn matching(&self, set: PieceSet, matter: &Matter) -> Vec<Field> {
        let board = &self.interpreter.program.description.board;
        board.fields().filter(|field| set.contains(matter.cells[field.index()])).collect()
    }

    fn field_at(&self, column: i64, row: i64, view: Side) -> Option<Field> {
        let board = &self.interpreter.program.description.board;
        // The turned board has the same shape, so looking first and turning then finds holes as well.
        board.field_at(column, row).map(|field| board.seen_by(view, field))
    }

    pub(super) fn finger(&self, registers: Registers, origin: OriginId) -> Result<Field, Box<RulesError>> {
        let message = "the finger points nowhere; `find` or `move to` a field first";
        registers.finger.ok_or_else(|| self.error(origin, message))
    }

    fn direction(&self, registers: Registers, origin: OriginId) -> Result<Direction, Box<RulesError>> {
        let message = "no direction is set; name one first, such as `north` or `any direction`";
        registers.direction.ok_or_else(|| self.error(origin, message))
    }

    pub(super) fn error(&self, origin: OriginId, message: impl Into<String>) -> Box<RulesError> {
        self.interpreter.error(origin, message)
    }
}

fn with_piece(matter: &Rc<Matter>, field: Field, piece: Piece) -> Rc<Matter> {
    let mut changed = Matter::clone(matter);
    changed.cells[field.index()] = piece;
    changed.trail.mark(field);
    Rc::new(changed)
}
