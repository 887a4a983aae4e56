//! Who uses each value of a function, so that values used once can stand where they are used.

use multigame_mir::{Block, Function, Op, Stmt, Value};

/// What is known about the uses of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Use {
    /// How often it is used.
    pub count: u32,
    /// Whether the use, if it is the only one, stands in the block of the definition itself.
    pub here: bool,
}

/// Counts the uses of all values by what has an effect; what only serves unused values does not count.
pub(crate) fn uses(function: &Function) -> Vec<Use> {
    let count = function.values as usize;
    let mut needed = vec![false; count];
    mark(&function.body, &mut needed);
    let mut counter =
        Counter { needed, uses: vec![Use::default(); count], defined: vec![0; count], blocks: 0 };
    counter.block(&function.body);
    counter.uses
}

/// Marks the values that are needed. Values are defined before they are used, so one look from behind is enough.
fn mark(block: &Block, needed: &mut [bool]) {
    for stmt in block.iter().rev() {
        if let Stmt::Let(value, op) = stmt {
            if needed[value.0 as usize] {
                operands(op, &mut |operand| needed[operand.0 as usize] = true);
            }
            continue;
        }
        blocks(stmt).for_each(|inside| mark(inside, needed));
        direct(stmt, &mut |value| needed[value.0 as usize] = true);
    }
}

/// The blocks inside of a statement, the last first.
fn blocks(stmt: &Stmt) -> impl Iterator<Item = &Block> {
    let (first, second) = match stmt {
        Stmt::If(_, yes, no) => (Some(no), Some(yes)),
        Stmt::ForBits { body, .. } | Stmt::Loop(body) => (Some(body), None),
        _ => (None, None),
    };
    first.into_iter().chain(second)
}

/// Calls `take` with each value that a statement other than a definition uses itself.
fn direct(stmt: &Stmt, take: &mut dyn FnMut(Value)) {
    match stmt {
        Stmt::Let(..) | Stmt::Loop(_) => {}
        Stmt::Set(_, value)
        | Stmt::If(value, ..)
        | Stmt::ForBits { set: value, .. }
        | Stmt::BreakIf(value)
        | Stmt::ReturnIf(value)
        | Stmt::FailIf(value) => take(*value),
        Stmt::Emit(emission) => {
            emission.words.iter().chain(&emission.values).for_each(|(_, value)| take(*value));
        }
        Stmt::Call { arguments, .. } => arguments.iter().for_each(|value| take(*value)),
    }
}

struct Counter {
    needed: Vec<bool>,
    uses: Vec<Use>,
    /// The block in which each value is defined.
    defined: Vec<u32>,
    blocks: u32,
}

impl Counter {
    fn block(&mut self, block: &Block) {
        self.blocks += 1;
        let number = self.blocks;
        for stmt in block {
            if let Stmt::Let(value, op) = stmt {
                if self.needed[value.0 as usize] {
                    operands(op, &mut |operand| self.used(operand, number));
                }
                self.defined[value.0 as usize] = number;
                continue;
            }
            direct(stmt, &mut |value| self.used(value, number));
            let inside: Vec<&Block> = blocks(stmt).collect();
            inside.into_iter().rev().for_each(|block| self.block(block));
        }
    }

    fn used(&mut self, value: Value, block: u32) {
        let index = value.0 as usize;
        self.uses[index].count += 1;
        self.uses[index].here = self.defined[index] == block;
    }
}

/// Calls `take` with each operand.
pub(crate) fn operands(op: &Op, take: &mut dyn FnMut(Value)) {
    match *op {
        Op::Const(_) | Op::Word(_) | Op::Property(_) | Op::Get(_) => {}
        Op::Table(_, a) | Op::Unary(_, a) => take(a),
        Op::Binary(_, a, b) => {
            take(a);
            take(b);
        }
        Op::Select(a, b, c) => {
            take(a);
            take(b);
            take(c);
        }
    }
}
