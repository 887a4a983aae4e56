//! From the move program to the machine program.
//!
//! A function is lowered by following its statements with a symbolic state. What remains to be done is an
//! explicit list, so that at every point the compiler can ask whether finger and direction still matter.
//! Statements that only move the finger run on sets; the set is split into single fields only where a
//! statement changes something under the finger.

pub(crate) mod attempt;
pub(crate) mod beginning;
pub(crate) mod exchange;
pub(crate) mod expression;
pub(crate) mod functions;
pub(crate) mod loops;
pub(crate) mod outline;
pub(crate) mod rest;
pub(crate) mod rounds;
pub(crate) mod run;
pub(crate) mod select;
pub(crate) mod simple;
pub(crate) mod state;
pub(crate) mod statement;

use multigame_game::{PieceSet, Side};
use multigame_ir::Program;
use rustc_hash::FxHashMap;

use crate::analysis::facts::Facts;
use crate::analysis::sites::{Class, Site};
use crate::parts::Parts;
use crate::passes::threats::Threat;
use crate::sets::code::Code;
use crate::{Brevity, Function, Kind, Options, Pass, Value, Variable};

/// Lowers one function of the rules.
///
/// What can be said about the rules is a question to `facts`, what only makes code a method of `code`. Only
/// what needs both is done here, in the files of `lowering`, `sets`, `emission` and `passes`.
pub(crate) struct Lowering<'p> {
    pub facts: Facts<'p>,
    pub options: Options,
    pub code: Code,
    pub here: Here<'p>,
    pub aim: Aim,
    pub made: Made,
    pub size: Size,
}

/// What holds in the function of the machine program that is being made. Every function begins with one of
/// its own.
pub(crate) struct Here<'p> {
    /// 1 where the code at hand counts: elsewhere an error is not an error.
    pub guard: Value,
    /// How deep inside recursive rules the function is.
    pub depth: Value,
    /// The only variable the function is called for, so that it ends when that is set.
    pub answer: Option<Variable>,
    /// What is known about the threats of the rules.
    pub threats: Vec<Threat<'p>>,
    /// Fields that follow from others: which, and by which table.
    pub derived: FxHashMap<Value, (Value, Vec<Option<usize>>)>,
    /// Whether the results of the function have been told apart where it is called.
    pub told_apart: bool,
    /// Where own fields that results have left are collected, if that is what tells them apart.
    pub left_fields: Option<Vec<Variable>>,
}

/// Which results are wanted, and what for.
pub(crate) struct Aim {
    pub kind: Kind,
    /// The player to move.
    pub side: Side,
    /// The class of the results at hand.
    pub class: Class,
    /// The classes of results that are not counted.
    pub doubtful: Vec<Class>,
    /// The number of results that are still to be passed over before the one that is wanted; nothing if all
    /// are.
    pub wanted: Option<Variable>,
    /// Whether the code at hand runs only for the result that is wanted.
    pub picked: bool,
    /// The pieces of which some have to be moved or taken in results that are wanted; nothing if all are.
    pub prey: Option<PieceSet>,
    /// Where results are made, as far as it is not known yet that they differ.
    pub sites: Vec<Site>,
}

/// The functions of the module.
pub(crate) struct Made {
    pub functions: Vec<Function>,
    /// Rests that have a function, or are getting one.
    pub outlined: Vec<(outline::Key, outline::Outlined)>,
}

/// How much code there is, and what is done for less of it.
pub(crate) struct Size {
    pub brevity: Brevity,
    /// How deep the code at hand is nested.
    pub nesting: u32,
    /// How much code there is in functions that are finished.
    pub finished: usize,
}

impl<'p> Here<'p> {
    /// The beginning of a function that always counts, so deep inside recursive rules.
    pub fn new(guard: Value, depth: Value) -> Here<'p> {
        Here {
            guard,
            depth,
            answer: None,
            threats: Vec::new(),
            derived: FxHashMap::default(),
            told_apart: false,
            left_fields: None,
        }
    }
}

impl<'p> Lowering<'p> {
    /// Nothing lowered yet; `results` variables mean something to the caller. The parts are taken out and
    /// must be put back.
    pub fn new(
        program: &'p Program,
        parts: &mut Parts,
        side: Side,
        kind: Kind,
        results: u32,
    ) -> Lowering<'p> {
        let facts = Facts::new(program);
        let mut code = Code::new(&facts, std::mem::take(&mut parts.tables), results);
        code.signs = kind == Kind::Generate;
        code.slides = parts.options.has(Pass::Slides);
        let mut here = Here::new(code.constant(1), code.constant(0));
        here.answer = (kind == Kind::Test).then_some(Variable(0));
        let aim = Aim {
            kind,
            side,
            class: Class::new(),
            doubtful: parts.doubtful.clone(),
            wanted: None,
            picked: false,
            prey: None,
            sites: Vec::new(),
        };
        let made = Made { functions: std::mem::take(&mut parts.functions), outlined: Vec::new() };
        let size = Size { brevity: parts.brevity, nesting: 0, finished: 0 };
        Lowering { facts, options: parts.options.clone(), code, here, aim, made, size }
    }
}
