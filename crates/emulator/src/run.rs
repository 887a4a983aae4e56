//! One statement after the other.

use multigame_compiled::Failed;
use multigame_mir::{
    Block, DEEPEST_CALLS, Emission, Function, FunctionId, Kind, MOST_CALLS, Module, Op, Stmt, Value, Variable,
};

use crate::operations::binary;

/// What a function gives.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// The first two variables of a function that emits nothing.
    pub variables: [u64; 2],
    /// What a generator emitted.
    pub children: Vec<Vec<u64>>,
}

/// Runs a function without parameters on a position.
pub fn evaluate(module: &Module, id: FunctionId, position: &[u64]) -> Result<Answer, Failed> {
    let mut memory = Memory::default();
    run(module, &module.recursive(), id, position, &[], &mut memory, u64::MAX)?;
    let result = |number: usize| memory.results.get(number).copied().unwrap_or(0);
    let is_generator = module.function(id).kind == Kind::Generate;
    let variables = if is_generator { [0; 2] } else { [result(0), result(1)] };
    let children = memory.children.chunks(position.len()).map(<[u64]>::to_vec).collect();
    Ok(Answer { variables, children })
}

/// How many statements a function without parameters does on a position.
pub fn statements(module: &Module, id: FunctionId, position: &[u64]) -> u64 {
    let mut memory = Memory::default();
    let _ = run(module, &module.recursive(), id, position, &[], &mut memory, u64::MAX);
    memory.statements
}

/// What functions work on besides the position.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// Values of all functions that are running, those of the innermost last.
    values: Vec<u64>,
    /// Their variables.
    variables: Vec<u64>,
    /// What the last function reported.
    pub results: Vec<u64>,
    /// The words of what was emitted, one position after the other.
    pub children: Vec<u64>,
    statements: u64,
}

/// Runs a function on a position for no more than `most` statements; `memory` then holds what it reported and
/// emitted.
pub(crate) fn run(
    module: &Module,
    recursive: &[bool],
    id: FunctionId,
    position: &[u64],
    arguments: &[u64],
    memory: &mut Memory,
    most: u64,
) -> Result<(), Failed> {
    assert_eq!(position.len(), module.layout.words());
    memory.values.clear();
    memory.variables.clear();
    memory.children.clear();
    memory.statements = 0;
    let (calls, depth) = (MOST_CALLS, DEEPEST_CALLS);
    let mut runner =
        Runner { module, recursive, position, memory, values: 0, variables: 0, calls, depth, most };
    if runner.function(module.function(id), arguments) { Ok(()) } else { Err(Failed) }
}

/// What is done next.
#[derive(PartialEq)]
enum Flow {
    On,
    Break,
    Return,
    Fail,
}

/// A function that is running.
struct Runner<'m> {
    module: &'m Module,
    /// Which functions can come back to themselves.
    recursive: &'m [bool],
    position: &'m [u64],
    memory: &'m mut Memory,
    /// Where its values begin.
    values: usize,
    /// Where its variables begin.
    variables: usize,
    /// How many more calls may be made.
    calls: u64,
    /// How many more calls of functions that come back to themselves may be nested.
    depth: u64,
    /// How many statements the function and those it calls may do.
    most: u64,
}

impl<'m> Runner<'m> {
    /// Runs a function to its end: whether it did not fail.
    fn function(&mut self, function: &'m Function, arguments: &[u64]) -> bool {
        let outer = (self.values, self.variables);
        (self.values, self.variables) = (self.memory.values.len(), self.memory.variables.len());
        self.memory.values.resize(self.values + function.values as usize, 0);
        self.memory.variables.resize(self.variables + function.variables as usize, 0);
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            self.define(*parameter, *argument);
        }
        let flow = self.block(&function.body);
        let results = &self.memory.variables[self.variables..][..function.results as usize];
        self.memory.results.clear();
        self.memory.results.extend_from_slice(results);
        self.memory.values.truncate(self.values);
        self.memory.variables.truncate(self.variables);
        (self.values, self.variables) = outer;
        flow != Flow::Fail
    }

    fn block(&mut self, block: &'m Block) -> Flow {
        for stmt in block {
            self.memory.statements += 1;
            if self.memory.statements > self.most {
                return Flow::Fail;
            }
            let flow = self.statement(stmt);
            if flow != Flow::On {
                return flow;
            }
        }
        Flow::On
    }

    fn statement(&mut self, stmt: &'m Stmt) -> Flow {
        let flow = |holds: bool, flow: Flow| if holds { flow } else { Flow::On };
        match stmt {
            Stmt::Let(value, op) => {
                let computed = self.operation(op);
                self.define(*value, computed);
            }
            Stmt::Set(variable, value) => {
                let value = self.value(*value);
                self.memory.variables[self.variables + variable.0 as usize] = value;
            }
            Stmt::If(condition, yes, no) => {
                return if self.value(*condition) != 0 { self.block(yes) } else { self.block(no) };
            }
            Stmt::ForBits { set, index, body } => return self.for_bits(self.value(*set), *index, body),
            Stmt::Loop(body) => loop {
                match self.block(body) {
                    Flow::On => {}
                    Flow::Break => break,
                    other => return other,
                }
            },
            Stmt::BreakIf(value) => return flow(self.value(*value) != 0, Flow::Break),
            Stmt::ReturnIf(value) => return flow(self.value(*value) != 0, Flow::Return),
            Stmt::FailIf(value) => return flow(self.value(*value) != 0, Flow::Fail),
            Stmt::Call { function, arguments, results } => {
                return flow(!self.call(*function, arguments, results), Flow::Fail);
            }
            Stmt::Emit(emission) => self.emit(emission),
        }
        Flow::On
    }

    fn for_bits(&mut self, mut set: u64, index: Value, body: &'m Block) -> Flow {
        while set != 0 {
            self.define(index, u64::from(set.trailing_zeros()));
            let flow = self.block(body);
            if flow != Flow::On {
                return flow;
            }
            set &= set - 1;
        }
        Flow::On
    }

    /// Whether a call does not fail.
    fn call(&mut self, id: FunctionId, arguments: &[Value], results: &[Value]) -> bool {
        let recursive = u64::from(self.recursive[id.0 as usize]);
        self.calls -= 1;
        self.depth -= recursive;
        if self.calls == 0 || self.depth == 0 {
            return false;
        }
        let arguments: Vec<u64> = arguments.iter().map(|argument| self.value(*argument)).collect();
        if !self.function(self.module.function(id), &arguments) {
            return false;
        }
        self.depth += recursive;
        for (number, result) in results.iter().enumerate() {
            self.define(*result, self.memory.results[number]);
        }
        true
    }

    fn emit(&mut self, emission: &Emission) {
        let begin = self.memory.children.len();
        self.memory.children.extend_from_slice(self.position);
        for &(word, value) in &emission.words {
            self.memory.children[begin + word as usize] = self.value(value);
        }
        for &(number, value) in &emission.values {
            let byte = self.module.layout.value_byte(number as usize);
            let (shift, value) = (byte % 8 * 8, self.value(value));
            let word = &mut self.memory.children[begin + byte / 8];
            *word &= !(0xffff_ffff << shift);
            *word |= u64::from(value as u32) << shift;
        }
    }

    fn define(&mut self, value: Value, bits: u64) {
        self.memory.values[self.values + value.0 as usize] = bits;
    }

    fn value(&self, value: Value) -> u64 {
        self.memory.values[self.values + value.0 as usize]
    }

    fn variable(&self, variable: Variable) -> u64 {
        self.memory.variables[self.variables + variable.0 as usize]
    }

    fn property(&self, number: usize) -> u64 {
        let byte = self.module.layout.value_byte(number);
        (self.position[byte / 8] >> (byte % 8 * 8)) as u32 as i32 as u64
    }

    fn operation(&self, op: &Op) -> u64 {
        match *op {
            Op::Const(value) => value,
            Op::Word(word) => self.position[word as usize],
            Op::Property(number) => self.property(number as usize),
            Op::Table(table, index) => self.module.tables[table.0 as usize][self.value(index) as usize],
            Op::Get(variable) => self.variable(variable),
            Op::Binary(operator, a, b) => binary(operator, self.value(a), self.value(b)),
            Op::Unary(operator, a) => operator.apply(self.value(a)),
            Op::Select(condition, yes, no) => self.value(if self.value(condition) != 0 { yes } else { no }),
        }
    }
}

#[cfg(test)]
mod tests {
    use multigame_compiler::{Options, compile};

    use super::*;

    #[test]
    fn a_run_ends_after_so_many_statements() {
        let text =
            "dimensions (3, 3) no moves = loss pieces { man 'M' 'm' } setup { \"M..\" \"...\" \"..m\" }
            main = find own man, pick up, any direction, step, points at empty field, put down.";
        let program = compile(text, &Options::default()).program.expect("these rules are right");
        let module = multigame_mir::lower(&program).expect("they are compiled");
        let mut position = vec![0; module.layout.words()];
        module.layout.write(&program.description.initial, &mut position);
        let (white, recursive) = (module.generate[0], module.recursive());
        let needed = statements(&module, white, &position);
        let mut memory = Memory::default();
        let mut within = |most| run(&module, &recursive, white, &position, &[], &mut memory, most);
        assert_eq!((within(needed), within(needed - 1)), (Ok(()), Err(Failed)));
        assert_eq!(evaluate(&module, white, &position).map(|answer| answer.children.len()), Ok(3));
    }
}
