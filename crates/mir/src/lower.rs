//! From the move program to the machine program.
//!
//! A function is lowered by following its statements with a symbolic state. What remains to be done is an explicit list,
//! so that at every point the compiler can ask whether finger and direction still matter. Statements that only move
//! the finger run on sets; the set is split into single fields only where a statement changes something under the finger.

use std::rc::Rc;

use multigame_game::{Direction, Outcome, PieceSet, Side, Zobrist};
use multigame_ir::{Expr, FunctionId as IrFunction, Op, Program, Stmt};
use rustc_hash::FxHashMap;

use crate::builder::{Builder, Tables};
use crate::facts::{Facts, Live};
use crate::geometry::{Geometry, Mask};
use crate::parts::Parts;
use crate::sites::{Class, Site};
use crate::state::{Branch, Finger, Hand, Set, State};
use crate::threats::Threat;
use crate::vector::anything;
use crate::{Function, FunctionId, Header, Kind, Layout, Options, Pass, TableId, Value, Variable};

/// Why a program cannot be lowered: the interpreter plays it instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(String);

impl Refusal {
    pub(crate) fn new(reason: &str) -> Refusal {
        Refusal(reason.to_string())
    }

    pub(crate) fn is(&self, reason: &str) -> bool {
        self.0 == reason
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not compiled: {}", self.0)
    }
}

impl std::error::Error for Refusal {}

pub(crate) type R<T> = Result<T, Refusal>;

/// With more code than this in a function, costly parts become functions of their own.
const LARGE: usize = 40_000;

/// Back ends follow nested code by recursion.
const DEEPEST: u32 = 400;

/// More code than this is not worth compiling.
const MAX_SIZE: usize = 150_000;

/// Tests of more statements than this are functions of their own, which end with the first result.
const HEAVY: usize = 100;

/// Tests of more statements than this become functions where there would be too much code.
const COSTLY: usize = 8;

pub(crate) const TOO_MUCH: &str = "the rules give too much code";

/// What remains to be done.
#[derive(Clone)]
pub(crate) enum Rest<'p> {
    /// A result.
    End,
    Then(Rc<(Step<'p>, Rest<'p>)>),
}

#[derive(Clone)]
pub(crate) enum Step<'p> {
    Do(&'p Stmt),
    /// Remember that it came this far, and go on.
    Mark(Variable),
    /// Remember that it came this far; nothing else is wanted.
    Found(Variable),
    /// Remember the greatest value of an expression; nothing else is wanted.
    Best(Variable, &'p Expr),
    /// Go on if an expression has this value.
    Equals(&'p Expr, Value),
    /// Count the states that come this far; nothing else is wanted.
    Tally(Variable),
    /// A recursive rule, so deep inside itself.
    Enter(IrFunction, Value),
    /// Another round of a loop, after so many.
    Round(&'p Stmt, Value),
    /// The other fields of a `for each`.
    Fields(&'p Stmt, Left),
}

/// What a `for each` has left to do.
#[derive(Clone)]
pub(crate) struct Left {
    pub fields: Set,
    /// Where the finger was, and will be.
    pub finger: Option<Value>,
    pub direction: Option<Direction>,
}

impl<'p> Rest<'p> {
    pub fn then(step: Step<'p>, rest: &Rest<'p>) -> Rest<'p> {
        Rest::Then(Rc::new((step, rest.clone())))
    }

    pub fn steps(&self) -> Vec<Step<'p>> {
        let mut steps = Vec::new();
        let mut rest = self;
        while let Rest::Then(cell) = rest {
            steps.push(cell.0.clone());
            rest = &cell.1;
        }
        steps
    }
}

/// Lowers one function.
pub(crate) struct Lowering<'p> {
    pub program: &'p Program,
    pub facts: Facts<'p>,
    pub geometry: Geometry,
    pub layout: Layout,
    pub tables: Tables,
    pub functions: Vec<Function>,
    /// Rests that have a function, or are getting one.
    pub outlined: Vec<(crate::outline::Key, crate::outline::Outlined)>,
    /// How deep inside recursive rules the function at hand is.
    pub depth: Value,
    /// The variable that is all the function at hand is for, so that it ends when that is set.
    pub answer: Option<Variable>,
    pub options: Options,
    /// Whether costly tests become functions, so that there is less code.
    pub compact: bool,
    /// Whether the next step is done here, not in another function.
    pub stay: bool,
    /// How deep the code at hand is nested.
    pub nesting: u32,
    /// How much code there is in functions that are finished.
    pub finished_size: usize,
    pub builder: Builder,
    /// The table that leads every field to itself.
    pub identity: Rc<Vec<Mask>>,
    /// Where statements lead at most, as far as that has been found out.
    pub(crate) widest: FxHashMap<(*const Stmt, Option<Direction>), Rc<Vec<Mask>>>,
    /// For each threat the pieces it asks for.
    pub(crate) asked: std::cell::RefCell<FxHashMap<*const Stmt, Rc<Vec<PieceSet>>>>,
    /// For each piece the table of what it adds to the signature.
    pub(crate) piece_tables: Vec<Option<TableId>>,
    /// 1 where the code at hand counts: errors elsewhere are none.
    pub guard: Value,
    pub(crate) kind: Kind,
    pub(crate) side: Side,
    pub(crate) zobrist: Zobrist,
    pub(crate) sites: Vec<Site>,
    /// The class of the results at hand, and the classes that are not counted.
    pub(crate) class: Class,
    doubtful: Vec<Class>,
    /// The number of results that are still to be passed over before the one that is wanted; nothing if all are.
    pub(crate) wanted: Option<Variable>,
    /// Whether the code at hand runs only for the result that is wanted.
    pub(crate) picked: bool,
    /// Whether the results of the function at hand have been told apart where it is called.
    pub(crate) told_apart: bool,
    /// Fields that follow from others: which, and by which table.
    pub(crate) derived: FxHashMap<Value, (Value, Vec<Option<usize>>)>,
    /// What is known about the threats of the rules.
    pub(crate) threats: Vec<Threat<'p>>,
}

impl<'p> Lowering<'p> {
    /// Lowers a rule: the function and, where it emits positions, where it does.
    pub(crate) fn function(
        program: &'p Program,
        parts: &mut Parts,
        function: IrFunction,
        side: Side,
        kind: Kind,
    ) -> R<(FunctionId, Vec<Site>)> {
        let mut lowering = Lowering::new(program, parts, side, kind, 2);
        let mut state = lowering.beginning();
        lowering.look_for_threats(&mut state)?;
        let body = lowering.facts.body(function);
        let done = if kind == Kind::Test {
            let found = Rest::then(Step::Found(Variable(0)), &Rest::End);
            lowering.run(&Rest::then(Step::Do(body), &found), state)
        } else {
            lowering.stop_if_solved(&state)?;
            lowering.run_main(body, state)
        };
        done?;
        let name = format!("{}_{side}_{kind:?}", program.function(function).name).to_lowercase();
        let sites = std::mem::take(&mut lowering.sites);
        Ok((lowering.finish(name, Vec::new(), parts), sites))
    }

    /// The function that is lowered becomes one of the parts.
    pub(crate) fn finish(mut self, name: String, parameters: Vec<Value>, parts: &mut Parts) -> FunctionId {
        let kind = self.kind;
        let (body, values, variables) = self.builder.finish();
        self.functions.push(Function { name, kind, parameters, results: 2, variables, values, body });
        parts.tables = self.tables;
        parts.functions = self.functions;
        FunctionId(parts.functions.len() as u32 - 1)
    }

    /// A solved puzzle has no moves; it counts as an ending.
    fn stop_if_solved(&mut self, state: &State) -> R<()> {
        let Some(goal) = self.program.goal else { return Ok(()) };
        let solved = self.finds(self.facts.body(goal), state)?;
        if self.kind == Kind::Count {
            self.builder.set(Variable(1), solved);
        }
        self.builder.push(crate::Stmt::ReturnIf(solved));
        Ok(())
    }

    /// Nothing lowered yet; `results` variables mean something to the caller. The parts are taken out and must be put
    /// back.
    pub(crate) fn new(
        program: &'p Program,
        parts: &mut Parts,
        side: Side,
        kind: Kind,
        results: u32,
    ) -> Lowering<'p> {
        let mut builder = Builder::new(results);
        let guard = builder.constant(1);
        let geometry = Geometry::new(&program.description.board);
        let identity = Rc::new((0..geometry.fields).map(|field| geometry.single(field)).collect());
        let depth = builder.constant(0);
        Lowering {
            program,
            facts: Facts::new(program),
            geometry,
            identity,
            piece_tables: vec![None; program.description.pieces.len()],
            layout: Layout::new(program),
            tables: std::mem::take(&mut parts.tables),
            functions: std::mem::take(&mut parts.functions),
            outlined: Vec::new(),
            depth,
            answer: (kind == Kind::Test).then_some(Variable(0)),
            options: parts.options.clone(),
            compact: parts.compact,
            stay: false,
            nesting: 0,
            finished_size: 0,
            builder,
            guard,
            kind,
            side,
            zobrist: Zobrist::new(&program.description),
            sites: Vec::new(),
            class: Class::new(),
            doubtful: parts.doubtful.clone(),
            wanted: None,
            picked: false,
            told_apart: false,
            derived: FxHashMap::default(),
            widest: FxHashMap::default(),
            asked: std::cell::RefCell::default(),
            threats: Vec::new(),
        }
    }

    /// The state a move begins with.
    pub(crate) fn beginning(&mut self) -> State {
        let zero = self.builder.constant(0);
        let boards = (0..self.layout.boards())
            .map(|board| {
                let first = self.layout.board_word(board);
                (0..self.layout.set_words).map(|word| self.builder.word(first + word)).collect()
            })
            .collect();
        let mut state = State {
            finger: Finger::Nowhere,
            direction: None,
            hand: Hand::Empty,
            content: anything(self.layout.pieces),
            boards: Rc::new(boards),
            unions: Rc::new(Vec::new()),
            planes: Rc::new(self.planes_of_position()),
            changed_planes: vec![false; self.layout.planes.len()],
            values: vec![None; self.program.slot_count()],
            changed_values: vec![false; self.program.slot_count()],
            changed_boards: vec![false; self.layout.boards()],
            writes: Vec::new(),
            places: Vec::new(),
            behind: None,
            known_contents: Vec::new(),
            ways: Vec::new(),
            signature: zero,
            unsigned: Vec::new(),
            outcome: zero,
            irreversible: zero,
            keep_turn: zero,
        };
        self.prepare_unions(&mut state);
        state
    }

    fn planes_of_position(&mut self) -> Vec<Set> {
        let words = self.layout.set_words;
        let boards = (self.layout.first_plane_word()..self.layout.first_value_word()).step_by(words);
        boards.map(|first| (first..first + words).map(|word| self.builder.word(word)).collect()).collect()
    }

    /// Computed once at the top, these unions are at hand everywhere inside.
    pub(crate) fn prepare_unions(&mut self, state: &mut State) {
        let mut patterns: Vec<PieceSet> = Vec::new();
        for function in self.program.functions.iter().filter(|function| function.view == self.side) {
            collect_patterns(&function.body, &mut patterns);
        }
        for pattern in patterns {
            self.fields_of(pattern, state);
        }
    }

    /// The whole of `main`: its outermost alternatives give classes of results that exclude each other.
    pub(crate) fn run_main(&mut self, stmt: &'p Stmt, state: State) -> R<()> {
        match &stmt.op {
            Op::Call(function) if !self.facts.recursive(*function) => {
                self.run_main(self.facts.body(*function), state)
            }
            Op::Try(first, second) if self.makes_classes(first, second) => {
                let succeeded = self.builder.variable();
                self.class.push(true);
                let done = if self.is_counted() {
                    let marked = Rest::then(Step::Mark(succeeded), &Rest::End);
                    self.run(&Rest::then(Step::Do(first), &marked), state.clone())
                } else {
                    self.give_up_if_found(first, &state)
                };
                self.class.pop();
                done?;
                let succeeded = self.builder.get(succeeded);
                let failed = self.builder.is_zero(succeeded);
                self.class.push(false);
                let done = self.when(failed, &mut |lowering| lowering.run_main(second, state.clone()));
                self.class.pop();
                done
            }
            _ if self.is_counted() => self.run(&Rest::then(Step::Do(stmt), &Rest::End), state),
            _ => self.give_up_if_found(stmt, &state),
        }
    }

    /// Whether alternatives have results that are worth telling apart.
    fn makes_classes(&self, first: &Stmt, second: &Stmt) -> bool {
        self.options.has(Pass::Classes) && !(self.may_attempt(first) && self.may_attempt(second))
    }

    /// Whether results of the class at hand can be made, or counted without comparing them.
    fn is_counted(&self) -> bool {
        let all = self.kind != Kind::Count && self.wanted.is_none();
        all || !self.doubtful.iter().any(|class| class.starts_with(&self.class))
    }

    /// Leaves it to the caller to make the results of a statement and to compare them, if there are any.
    fn give_up_if_found(&mut self, stmt: &'p Stmt, state: &State) -> R<()> {
        let found = self.finds_by_function(stmt, state)?;
        self.builder.push(crate::Stmt::FailIf(found));
        Ok(())
    }

    /// Which of finger and direction matter to what remains.
    pub(crate) fn live(&self, rest: &Rest<'p>) -> Live {
        rest.steps().iter().rev().fold(Live::default(), |live, step| match step {
            Step::Do(stmt) => self.facts.live(stmt, live),
            Step::Mark(_) => live,
            Step::Found(_) => Live::default(),
            Step::Best(_, value) => self.facts.live_in_expr(value),
            Step::Equals(value, _) => live.or(self.facts.live_in_expr(value)),
            Step::Tally(_) | Step::Enter(..) => Live { finger: true, direction: true },
            Step::Round(stmt, _) | Step::Fields(stmt, _) => self.facts.live(stmt, live),
        })
    }

    /// Generates code for what remains, from a state. The stack grows on the heap where needed.
    pub(crate) fn run(&mut self, rest: &Rest<'p>, state: State) -> R<()> {
        if self.nesting > DEEPEST {
            return Err(Refusal::new("rules that are nested too deeply"));
        }
        self.nesting += 1;
        let done = stacker::maybe_grow(256 << 10, 4 << 20, || self.run_here(rest, state));
        self.nesting -= 1;
        done
    }

    fn run_here(&mut self, rest: &Rest<'p>, mut state: State) -> R<()> {
        let most = if self.compact { MAX_SIZE } else { LARGE };
        if self.finished_size + self.builder.size() > most {
            return Err(Refusal::new(TOO_MUCH));
        }
        let mut rest = rest.clone();
        loop {
            let stay = std::mem::take(&mut self.stay);
            let live = self.live(&rest);
            if !live.direction {
                self.forget_direction(&mut state);
            }
            if let Finger::Many(branches) = &state.finger
                && !live.finger
            {
                return self.collapse(&rest, branches.clone(), live, state);
            }
            let Rest::Then(cell) = &rest else { return self.result(&mut state) };
            let (step, after) = (cell.0.clone(), cell.1.clone());
            match step {
                Step::Mark(variable) => {
                    self.mark(variable, &state);
                    rest = after;
                }
                Step::Found(variable) => {
                    self.mark(variable, &state);
                    if self.answer == Some(variable) {
                        let found = self.builder.get(variable);
                        self.builder.push(crate::Stmt::ReturnIf(found));
                    }
                    return Ok(());
                }
                Step::Best(..) | Step::Equals(..) | Step::Round(..) | Step::Fields(..) | Step::Enter(..)
                    if matches!(state.finger, Finger::Many(_)) =>
                {
                    return self.split(&rest, state);
                }
                Step::Best(variable, value) => return self.remember_best(variable, value, state),
                Step::Equals(value, wanted) => {
                    let value = self.evaluate(value, &mut state)?;
                    let equal = self.builder.binary(crate::Binary::Equal, value, wanted);
                    return self.when(equal, &mut |lowering| lowering.run(&after, state.clone()));
                }
                Step::Tally(variable) => return self.add_to_tally(variable, &state),
                Step::Round(..) | Step::Fields(..) | Step::Enter(..) => return self.outline(&rest, state),
                Step::Do(stmt) if !stay && self.pays_as_function(stmt, &state) => {
                    return self.outline(&rest, state);
                }
                Step::Do(stmt) => match self.statement(stmt, &after, state)? {
                    Some(next) => {
                        rest = after;
                        state = next;
                    }
                    None => return Ok(()),
                },
            }
        }
    }

    /// Remembers that there is a state here: with a set of fingers, if it is not empty.
    fn mark(&mut self, variable: Variable, state: &State) {
        let there = self.is_there(state);
        let marked = match self.builder.known(there) {
            Some(1) => there,
            _ => {
                let before = self.builder.get(variable);
                self.builder.or(before, there)
            }
        };
        self.builder.set(variable, marked);
    }

    /// 1 if the state stands for any state at all.
    pub(crate) fn is_there(&mut self, state: &State) -> Value {
        let Finger::Many(branches) = &state.finger else { return self.builder.constant(1) };
        let mut any = self.builder.constant(0);
        for branch in branches {
            let set = self.as_set(&branch.fingers);
            let inhabited = self.is_inhabited(&set);
            any = self.builder.or(any, inhabited);
        }
        any
    }

    /// Counts the states that have come this far.
    fn add_to_tally(&mut self, variable: Variable, state: &State) -> R<()> {
        let mut sum = self.builder.get(variable);
        let mut add = |lowering: &mut Self, number: Value| {
            sum = lowering.builder.binary(crate::Binary::Add, sum, number);
        };
        match &state.finger {
            Finger::Many(branches) => {
                for branch in branches {
                    for word in self.as_set(&branch.fingers) {
                        let ones = self.builder.unary(crate::Unary::CountOnes, word);
                        add(self, ones);
                    }
                }
            }
            _ => {
                let one = self.builder.constant(1);
                add(self, one);
            }
        }
        self.builder.set(variable, sum);
        Ok(())
    }

    fn forget_direction(&mut self, state: &mut State) {
        state.direction = None;
        if let Finger::Many(branches) = &mut state.finger
            && branches.iter().any(|branch| branch.direction.is_some())
        {
            let mut branches = std::mem::take(branches);
            branches.iter_mut().for_each(|branch| branch.direction = None);
            state.finger = Finger::Many(self.merge(branches));
        }
    }

    /// The finger does not matter any more: what remains is done once for each direction that has a finger.
    fn collapse(&mut self, rest: &Rest<'p>, branches: Vec<Branch>, live: Live, state: State) -> R<()> {
        debug_assert!(live.direction || branches.len() <= 1);
        for branch in branches {
            let set = self.as_set(&branch.fingers);
            let inhabited = self.is_inhabited(&set);
            let state = State { finger: Finger::Nowhere, direction: branch.direction, ..state.clone() };
            self.when(inhabited, &mut |lowering| lowering.run(rest, state.clone()))?;
        }
        Ok(())
    }

    /// Code that is run only if the condition holds.
    pub(crate) fn when(&mut self, condition: Value, code: &mut dyn FnMut(&mut Self) -> R<()>) -> R<()> {
        match self.builder.known(condition) {
            Some(0) => return Ok(()),
            Some(_) => return code(self),
            None => {}
        }
        self.builder.open();
        let done = code(self);
        let block = self.builder.close();
        done?;
        self.builder.push(crate::Stmt::If(condition, block, Vec::new()));
        Ok(())
    }

    /// Runs one statement; the state after it, or nothing if what remains has been taken care of.
    fn statement(&mut self, stmt: &'p Stmt, after: &Rest<'p>, mut state: State) -> R<Option<State>> {
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
        let costly = self.compact
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
    fn pays_as_function(&self, stmt: &Stmt, state: &State) -> bool {
        self.compact
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
    fn finds_by_function(&mut self, stmt: &'p Stmt, state: &State) -> R<Value> {
        let found = self.builder.variable();
        let zero = self.builder.constant(0);
        self.builder.set(found, zero);
        let outer = std::mem::replace(&mut self.compact, true);
        let rest = Rest::then(Step::Do(stmt), &Rest::then(Step::Found(found), &Rest::End));
        let done = self.outline(&rest, state.clone());
        self.compact = outer;
        done?;
        Ok(self.builder.get(found))
    }

    /// Begins a loop whose rounds may have several results.
    fn enter_loop(&mut self, stmt: &'p Stmt, after: &Rest<'p>, mut state: State) -> R<()> {
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
            op => return Err(Refusal(format!("{} with effects that depend on each other", name(op)))),
        };
        self.run(&Rest::then(step, after), state)
    }

    /// What a test on the spot tells about the field under the finger.
    fn narrow(&self, stmt: &Stmt, state: &mut State) {
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
                // Each finger decides for itself.
                self.split_into(
                    state,
                    &mut |_, set, _, _| Ok(crate::results::Crowd::Each(set.clone())),
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

    fn attempt(&mut self, stmt: &'p Stmt, after: &Rest<'p>, state: State) -> R<Option<(Value, State)>> {
        self.attempt_statement(stmt, &AfterAttempt { parts: &[], rest: after }, state)
    }

    fn attempt_try(
        &mut self,
        first: &'p Stmt,
        second: &'p Stmt,
        after: &Rest<'p>,
        state: State,
    ) -> R<Option<(Value, State)>> {
        self.attempt_choice(first, second, &AfterAttempt { parts: &[], rest: after }, state)
    }

    /// The pieces of the player to move.
    pub(crate) fn own_pieces(&self) -> PieceSet {
        self.program.description.pieces_of(self.side)
    }

    pub(crate) fn is_own_view(&self, function: &multigame_ir::Function) -> bool {
        function.view == self.side
    }

    /// Whether signatures are wanted.
    pub(crate) fn signs(&self) -> bool {
        self.kind == Kind::Generate
    }

    pub(crate) fn outcome_bits(&mut self, outcome: Outcome) -> Value {
        self.builder.constant(Header::outcome_bits(Some(outcome)))
    }

    pub(crate) fn faced(&self, direction: Option<Direction>) -> R<Direction> {
        direction.ok_or_else(|| Refusal::new("a direction that may not be set"))
    }
}

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

/// Statements that hand their finger on to their parts.
fn is_structure(op: &Op) -> bool {
    let nested =
        matches!(op, Op::Sequence(_) | Op::Either(_) | Op::Try(..) | Op::Call(_) | Op::Repeat { .. });
    nested || matches!(op, Op::Greatest(..))
}

fn collect_patterns(stmt: &Stmt, patterns: &mut Vec<PieceSet>) {
    if let Op::Find(pieces) | Op::PointsAt(pieces) = &stmt.op
        && !patterns.contains(pieces)
    {
        patterns.push(*pieces);
    }
    stmt.for_each_expression(&mut |expr| {
        expr.for_each_statement(&mut |inner| collect_patterns(inner, patterns))
    });
    stmt.children().into_iter().for_each(|child| collect_patterns(child, patterns));
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
