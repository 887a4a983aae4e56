//! Runs machine programs the slow and obvious way.

use multigame_mir::{Binary, Block, FunctionId, Kind, Module, Op, Stmt, Unary, Value};

use multigame_compiled::Failed;

/// What a function gives.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub variables: [u64; 2],
    pub children: Vec<Vec<u64>>,
}

/// What has been done.
#[derive(Default)]
struct Done {
    children: Vec<Vec<u64>>,
    statements: u64,
}

/// How many statements a function does on a position.
pub fn statements(module: &Module, id: FunctionId, position: &[u64]) -> u64 {
    let mut done = Done::default();
    let _ = call(module, id, position, &[], &mut done);
    done.statements
}

/// Runs a function without parameters on a position.
pub fn evaluate(module: &Module, id: FunctionId, position: &[u64]) -> Result<Answer, Failed> {
    let mut done = Done::default();
    let results = call(module, id, position, &[], &mut done)?;
    let result = |number: usize| results.get(number).copied().unwrap_or(0);
    let is_generator = module.function(id).kind == Kind::Generate;
    let variables = if is_generator { [0; 2] } else { [result(0), result(1)] };
    Ok(Answer { variables, children: done.children })
}

/// Runs a function: what it reports.
fn call(
    module: &Module,
    id: FunctionId,
    position: &[u64],
    arguments: &[u64],
    done: &mut Done,
) -> Result<Vec<u64>, Failed> {
    let function = module.function(id);
    let mut values = vec![0; function.values as usize];
    for (parameter, argument) in function.parameters.iter().zip(arguments) {
        values[parameter.0 as usize] = *argument;
    }
    let variables = vec![0; function.variables as usize];
    let mut machine = Machine { module, position, values, variables, done };
    if let Flow::Fail = machine.block(&function.body) {
        return Err(Failed);
    }
    machine.variables.truncate(function.results as usize);
    Ok(machine.variables)
}

#[derive(PartialEq)]
enum Flow {
    On,
    Break,
    Return,
    Fail,
}

struct Machine<'m> {
    module: &'m Module,
    position: &'m [u64],
    values: Vec<u64>,
    variables: Vec<u64>,
    done: &'m mut Done,
}

impl Machine<'_> {
    fn block(&mut self, block: &Block) -> Flow {
        for stmt in block {
            self.done.statements += 1;
            let flow = self.statement(stmt);
            if flow != Flow::On {
                return flow;
            }
        }
        Flow::On
    }

    fn statement(&mut self, stmt: &Stmt) -> Flow {
        let flow = |holds: bool, flow: Flow| if holds { flow } else { Flow::On };
        match stmt {
            Stmt::Let(value, op) => self.values[value.0 as usize] = self.operation(op),
            Stmt::Set(variable, value) => self.variables[variable.0 as usize] = self.value(*value),
            Stmt::If(condition, yes, no) => {
                return if self.value(*condition) != 0 { self.block(yes) } else { self.block(no) };
            }
            Stmt::ForBits { set, index, body } => {
                let set = self.value(*set);
                for bit in (0..64).filter(|bit| set >> bit & 1 != 0) {
                    self.values[index.0 as usize] = bit;
                    let flow = self.block(body);
                    if flow != Flow::On {
                        return flow;
                    }
                }
            }
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
                let arguments: Vec<u64> = arguments.iter().map(|argument| self.value(*argument)).collect();
                match call(self.module, *function, self.position, &arguments, self.done) {
                    Err(Failed) => return Flow::Fail,
                    Ok(found) => {
                        for (result, found) in results.iter().zip(found) {
                            self.values[result.0 as usize] = found;
                        }
                    }
                }
            }
            Stmt::Emit(emission) => {
                let mut child = self.position.to_vec();
                for &(word, value) in &emission.words {
                    child[word as usize] = self.value(value);
                }
                for &(number, value) in &emission.values {
                    let byte = self.module.layout.value_byte(number as usize);
                    let shift = byte % 8 * 8;
                    let word = &mut child[byte / 8];
                    *word &= !(0xffff_ffff << shift);
                    *word |= u64::from(self.values[value.0 as usize] as u32) << shift;
                }
                self.done.children.push(child);
            }
        }
        Flow::On
    }

    fn value(&self, value: Value) -> u64 {
        self.values[value.0 as usize]
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
            Op::Get(variable) => self.variables[variable.0 as usize],
            Op::Binary(operator, a, b) => binary(operator, self.value(a), self.value(b)),
            Op::Unary(operator, a) => unary(operator, self.value(a)),
            Op::Select(condition, yes, no) => self.value(if self.value(condition) != 0 { yes } else { no }),
        }
    }
}

fn binary(operator: Binary, a: u64, b: u64) -> u64 {
    let (signed_a, signed_b) = (a as i64, b as i64);
    match operator {
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::AndNot => a & !b,
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide => (signed_a / signed_b) as u64,
        Binary::Remainder => (signed_a % signed_b) as u64,
        Binary::ShiftLeft => a << b,
        Binary::ShiftRight => a >> b,
        Binary::ShiftRightSigned => (signed_a >> b) as u64,
        Binary::Equal => u64::from(a == b),
        Binary::NotEqual => u64::from(a != b),
        Binary::Less => u64::from(signed_a < signed_b),
        Binary::LessEqual => u64::from(signed_a <= signed_b),
    }
}

fn unary(operator: Unary, a: u64) -> u64 {
    match operator {
        Unary::Not => !a,
        Unary::Negate => a.wrapping_neg(),
        Unary::CountOnes => u64::from(a.count_ones()),
        Unary::TrailingZeros => u64::from(a.trailing_zeros()),
        Unary::LeadingZeros => u64::from(a.leading_zeros()),
    }
}
