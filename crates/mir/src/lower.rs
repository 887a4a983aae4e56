//! From the move program to the machine program.
//!
//! A function is lowered by following its statements with a symbolic state. What remains to be done is an explicit list,
//! so that at every point the compiler can ask whether finger and direction still matter. Statements that only move
//! the finger run on sets; the set is split into single fields only where a statement changes something under the finger.

use std::rc::Rc;

use multigame_game::{Direction, Outcome, PieceSet, Side, Zobrist};
use multigame_ir::{FunctionId as IrFunction, Op, Program, Stmt};
use rustc_hash::FxHashMap;

use crate::builder::{Builder, Tables};
use crate::facts::Facts;
use crate::geometry::{Geometry, Mask};
use crate::parts::Parts;
use crate::rest::{Rest, Step};
use crate::sites::{Class, Site};
use crate::state::{Finger, Hand, Set, State};
use crate::threats::Threat;
use crate::vector::anything;
use crate::{Brevity, Function, FunctionId, Header, Kind, Layout, Options, Pass, TableId, Value, Variable};

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

/// Why rules are tried again with more functions.
pub(crate) const TOO_MUCH: &str = "the rules give too much code";

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
    /// What is done for less code.
    pub brevity: Brevity,
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
    /// Where own fields that results have left are collected, if that is what tells them apart.
    pub(crate) left_fields: Option<Vec<Variable>>,
    /// Whether the code at hand runs only for the result that is wanted.
    pub(crate) picked: bool,
    /// The pieces of which some have to be moved or taken in results that are wanted; nothing if all are.
    pub(crate) prey: Option<PieceSet>,
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
            brevity: parts.brevity,
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
            left_fields: None,
            picked: false,
            prey: None,
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
            Op::Try(first, second) if self.is_never_wanted(second) => self.run_main(first, state),
            Op::Try(first, second) if self.makes_classes(first, second) => {
                let succeeded = self.builder.variable();
                self.class.push(true);
                let done = if self.is_counted() {
                    let marked = Rest::then(Step::Mark(succeeded), &Rest::End);
                    self.run(&Rest::then(Step::Do(first), &marked), state.clone())
                } else if self.count_apart(first, Some(succeeded), &state)? {
                    Ok(())
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
            _ if self.count_apart(stmt, None, &state)? => Ok(()),
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
        let found = match self.anybody_moves(stmt, state)? {
            Some(found) => found,
            None if !self.facts.writes(stmt) => self.finds_here(stmt, state)?,
            None => self.finds_by_function(stmt, state)?,
        };
        self.builder.push(crate::Stmt::FailIf(found));
        Ok(())
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
