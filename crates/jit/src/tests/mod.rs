//! A back end against a tiny evaluator of machine programs: the one that `under_test` names.

mod operations;
mod passes;
mod play;
mod random;
mod statements;

use multigame_mir::{Binary, Block, Function, FunctionId, Kind, Layout, Module, Op, Stmt, Value, Variable};

use multigame_compiled::{Failed, Machine, Positions, WordList};
use multigame_emulator::{Answer, evaluate};

use crate::under_test::{self, Tested};

/// Signature, header, boards of two pieces, three properties: six words.
const LAYOUT: Layout = Layout {
    fields: 64,
    set_words: 1,
    pieces: 2,
    coded: false,
    planes: Vec::new(),
    values: 3,
    slots: Vec::new(),
};

const POSITION: [u64; 6] =
    [0x1234_5678_9abc_def0, 1, 0x0000_00ff_0000_ff01, 0x8000_0000_0000_0002, 0xffff_fffd_0000_0007, 41];

/// A module whose function 1 reports its first two variables; function 0 is a generator that emits nothing.
fn module(kind: Kind, variables: u32, body: Block) -> Module {
    let test = function(kind, &[], variables.min(2), variables, body);
    Module {
        layout: LAYOUT,
        tables: vec![vec![7, 8], (0..64).map(|i| 1u64 << i).collect(), vec![u64::MAX]],
        functions: vec![function(Kind::Generate, &[], 0, 0, Vec::new()), test],
        generate: [FunctionId(0); 2],
        count: [None; 2],
        leaves: Vec::new(),
        pick: [None; 2],
        take: [None; 2],
        last: [None; 2],
        goal: None,
        features: Vec::new(),
        may_repeat: false,
        doubtful: Vec::new(),
        brevity: multigame_mir::Brevity::Fast,
        checked: true,
    }
}

fn function(kind: Kind, parameters: &[u32], results: u32, variables: u32, body: Block) -> Function {
    let parameters: Vec<Value> = parameters.iter().map(|&parameter| Value(parameter)).collect();
    let values = body.iter().map(values_of).chain(parameters.iter().map(|value| value.0 + 1)).max();
    let values = values.unwrap_or(0);
    Function { name: "test".to_string(), kind, parameters, results, variables, values, body }
}

/// How many values a statement makes necessary.
fn values_of(stmt: &Stmt) -> u32 {
    let most = |block: &Block| block.iter().map(values_of).max().unwrap_or(0);
    match stmt {
        Stmt::Let(value, _) => value.0 + 1,
        Stmt::If(_, yes, no) => most(yes).max(most(no)),
        Stmt::ForBits { index, body, .. } => most(body).max(index.0 + 1),
        Stmt::Loop(body) => most(body),
        Stmt::Call { results, .. } => results.iter().map(|value| value.0 + 1).max().unwrap_or(0),
        _ => 0,
    }
}

/// Runs function 1 of a module natively.
fn run(native: &Tested, kind: Kind, position: &[u64]) -> Result<Answer, Failed> {
    let id = FunctionId(1);
    if kind != Kind::Generate {
        let variables = native.evaluate(&mut Tested::scratch(), id, position)?;
        return Ok(Answer { variables, children: Vec::new() });
    }
    let mut children = WordList::default();
    native.generate(id, position, &mut children)?;
    let children = (0..children.len()).map(|number| children.get(number).to_vec()).collect();
    Ok(Answer { variables: [0; 2], children })
}

/// Compiles a module.
fn compile(module: &Module) -> Tested {
    let functions: Vec<_> = (0..module.functions.len() as u32).map(FunctionId).collect();
    under_test::compile(module, &functions)
}

/// Runs a function natively and by the evaluator, which must agree, on one position.
fn check(kind: Kind, variables: u32, body: Block) -> Result<Answer, Failed> {
    let module = module(kind, variables, body);
    let found = run(&compile(&module), kind, &POSITION);
    assert_eq!(found, evaluate(&module, FunctionId(1), &POSITION), "{:#?}", module.functions[1].body);
    found
}

fn let_(value: u32, op: Op) -> Stmt {
    Stmt::Let(Value(value), op)
}

fn set(variable: u32, value: u32) -> Stmt {
    Stmt::Set(Variable(variable), Value(value))
}

fn get(variable: u32) -> Op {
    Op::Get(Variable(variable))
}

fn binary(operator: Binary, a: u32, b: u32) -> Op {
    Op::Binary(operator, Value(a), Value(b))
}
