//! The interpreter: the executable meaning of the language.
//!
//! It is deliberately simple, because every other way to run rules is tested against it. A statement is run
//! for one state at a time and hands each of its results to a continuation; states are never changed in
//! place, so there is nothing to undo. Loops and recursive rules collect their results in sets and stop at
//! the least fixed point.

mod expression;
mod naming;
mod run;

use multigame_game::{Outcome, RulesError, Side};

use crate::coverage::{Counts, Coverage};
use crate::state::{Matter, Registers, State};
use crate::{FunctionId, Op, OriginId, Program, Stmt};
use run::Run;

/// Calls nested deeper than this are an error.
pub const MAX_DEPTH: u32 = 1_000;

/// Statements run while one move is built, unless another number is asked for; more are an error.
pub const MAX_STEPS: u64 = 50_000_000;

/// States in one set; more are an error.
pub const MAX_STATES: usize = 1_000_000;

/// Runs the functions of a program.
#[derive(Debug)]
pub struct Interpreter {
    program: Program,
    /// For each function whether it can reach itself: only those can meet a state again.
    recursive: Vec<bool>,
    /// Least and greatest value of each slot.
    ranges: Vec<(i32, i32)>,
    /// Counts what is used, if that was asked for.
    counts: Option<Counts>,
    /// Statements that may be run while one move is built.
    pub(crate) most_steps: u64,
}

impl Interpreter {
    /// Prepares a program.
    pub fn new(program: Program) -> Interpreter {
        let recursive = recursive_functions(&program);
        let mut ranges = Vec::with_capacity(program.slot_count());
        for property in &program.description.properties {
            let range = (property.low, property.high);
            ranges.extend(std::iter::repeat_n(range, property.length(&program.description.board)));
        }
        ranges.extend(program.move_properties.iter().map(|property| (property.low, property.high)));
        Interpreter { program, recursive, ranges, counts: None, most_steps: MAX_STEPS }
    }

    /// From now on counts which parts of the rules are used.
    pub fn count_usage(&mut self) {
        self.counts = Some(Counts::new(&self.program));
    }

    /// What was used of the rules since [`count_usage`](Interpreter::count_usage); nothing if that was not
    /// called.
    pub fn coverage(&self) -> Option<Coverage> {
        self.counts.as_ref().map(|counts| Coverage::new(&self.program, counts))
    }

    /// The program being run.
    #[inline]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// All results of a function, started as a move starts.
    pub(crate) fn results(
        &self,
        function: FunctionId,
        matter: &Matter,
    ) -> Result<Vec<State>, Box<RulesError>> {
        let beginning = self.beginning(matter);
        let mut run = Run::new(self, &beginning);
        let body = &self.program.function(function).body;
        run.collect(body, &State { matter: beginning, registers: Registers::default() })
            .map(|set| set.into_vec())
    }

    /// Whether a function has a result, started as a move starts.
    pub(crate) fn succeeds(&self, function: FunctionId, matter: &Matter) -> Result<bool, Box<RulesError>> {
        let beginning = self.beginning(matter);
        let mut run = Run::new(self, &beginning);
        run.any(&self.program.function(function).body, &beginning, Registers::default())
    }

    /// Whether a function has a result that lets the game go on or changes something, started as a move
    /// starts. It ends with the first of them, so it need not meet every error that all results would.
    pub(crate) fn moves_on(&self, function: FunctionId, matter: &Matter) -> Result<bool, Box<RulesError>> {
        let beginning = self.beginning(matter);
        let kept = matter.values.len();
        let is_move = |after: &Matter, registers: Registers| {
            let changes = || after.cells != matter.cells || after.values[..kept] != matter.values[..];
            registers.hand.is_none() && (registers.outcome.is_none() || changes())
        };
        Run::new(self, &beginning).any_such(&self.program.function(function).body, &beginning, &is_move)
    }

    /// What a function of an evaluation computes.
    pub(crate) fn counted(&self, function: FunctionId, matter: &Matter) -> Result<i64, Box<RulesError>> {
        match self.program.counted(function) {
            Some(expr) => {
                let mut beginning = self.beginning(matter);
                Run::new(self, &beginning).evaluate(expr, &mut beginning, Registers::default())
            }
            None => Err(self.error(self.program.function(function).body.origin, "this computes nothing")),
        }
    }

    /// The best outcome for a player that a function sets, if it sets any.
    pub(crate) fn best_outcome(
        &self,
        function: FunctionId,
        matter: &Matter,
        side: Side,
    ) -> Result<Option<Outcome>, Box<RulesError>> {
        self.judgement(function, matter, None, side)
    }

    /// The best outcome for a player that a function sets; `given` is a move property and the value it starts
    /// with, as far as its range allows.
    pub(crate) fn judgement(
        &self,
        function: FunctionId,
        matter: &Matter,
        given: Option<(usize, u32)>,
        side: Side,
    ) -> Result<Option<Outcome>, Box<RulesError>> {
        let mut start = self.beginning(matter);
        if let Some((number, value)) = given {
            let slot = self.program.description.value_count() + number;
            let (low, high) = self.ranges[slot];
            let value = i32::try_from(value).unwrap_or(i32::MAX).clamp(low, high);
            std::rc::Rc::make_mut(&mut start).values[slot] = value;
        }
        let start = State { matter: start, registers: Registers::default() };
        let results =
            Run::new(self, &start.matter).collect(&self.program.function(function).body, &start)?.into_vec();
        let outcomes = results.iter().filter_map(|state| state.registers.outcome);
        Ok(outcomes.max_by_key(|outcome| outcome.worth_to(side)))
    }

    /// The matter with the move properties at their least values.
    fn beginning(&self, matter: &Matter) -> std::rc::Rc<Matter> {
        let mut matter = matter.clone();
        matter.values.extend(self.program.move_properties.iter().map(|property| property.low));
        std::rc::Rc::new(matter)
    }

    /// An error at a place in the rules.
    pub(crate) fn error(&self, origin: OriginId, message: impl Into<String>) -> Box<RulesError> {
        let origin = &self.program.origins[origin.0 as usize];
        Box::new(RulesError {
            message: message.into(),
            rule: origin.rule.clone(),
            line: origin.line,
            span: origin.span,
        })
    }
}

/// For each function whether it can reach itself through calls.
pub fn recursive_functions(program: &Program) -> Vec<bool> {
    let calls: Vec<Vec<u32>> = program
        .functions
        .iter()
        .map(|function| {
            let mut called = Vec::new();
            collect_calls(&function.body, &mut called);
            called
        })
        .collect();
    (0..calls.len() as u32)
        .map(|start| {
            let mut seen = vec![false; calls.len()];
            let mut waiting = calls[start as usize].clone();
            while let Some(function) = waiting.pop() {
                if !std::mem::replace(&mut seen[function as usize], true) {
                    waiting.extend(&calls[function as usize]);
                }
            }
            seen[start as usize]
        })
        .collect()
}

fn collect_calls(stmt: &Stmt, called: &mut Vec<u32>) {
    if let Op::Call(function) = &stmt.op {
        called.push(function.0);
    }
    stmt.for_each_expression(&mut |expr| expr.for_each_statement(&mut |inner| collect_calls(inner, called)));
    for child in stmt.children() {
        collect_calls(child, called);
    }
}
