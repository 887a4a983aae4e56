//! Looking at all parts of a machine program, whatever they are.

use crate::{Block, Op, Stmt, Value};

/// The blocks inside of a statement, the last first.
pub fn blocks(stmt: &Stmt) -> impl Iterator<Item = &Block> {
    let (first, second) = match stmt {
        Stmt::If(_, yes, no) => (Some(no), Some(yes)),
        Stmt::ForBits { body, .. } | Stmt::Loop(body) => (Some(body), None),
        _ => (None, None),
    };
    first.into_iter().chain(second)
}

/// Calls `take` with each value that a statement other than a definition uses itself.
pub fn uses(stmt: &Stmt, take: &mut dyn FnMut(Value)) {
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

/// Calls `take` with each operand.
pub fn operands(op: &Op, take: &mut dyn FnMut(Value)) {
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
