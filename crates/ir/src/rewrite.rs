//! Changing statements at any place of a program.

use crate::{Expr, ExprOp, Op, Program, Stmt};

impl Program {
    /// Changes every statement, those inside before those around them.
    pub(crate) fn rewrite(&mut self, change: &mut dyn FnMut(&mut Stmt)) {
        for function in &mut self.functions {
            in_statement(&mut function.body, change);
        }
    }
}

fn in_statement(stmt: &mut Stmt, change: &mut dyn FnMut(&mut Stmt)) {
    match &mut stmt.op {
        Op::Sequence(parts) | Op::Either(parts) => {
            parts.iter_mut().for_each(|part| in_statement(part, change))
        }
        Op::Try(a, b) | Op::While { condition: a, body: b } => {
            in_statement(a, change);
            in_statement(b, change);
        }
        Op::Greatest(value, a) => {
            in_expression(value, change);
            in_statement(a, change);
        }
        Op::Test(a) | Op::Not(a) | Op::ForEachField(_, a) | Op::ForEachDirection(_, a) => {
            in_statement(a, change)
        }
        Op::Repeat { body, .. } => in_statement(body, change),
        Op::Assert(value) | Op::Assign(value) | Op::Score(value, _) => in_expression(value, change),
        Op::MoveTo { column, row, .. } => {
            in_expression(column, change);
            in_expression(row, change);
        }
        _ => {}
    }
    change(stmt);
}

fn in_expression(expr: &mut Expr, change: &mut dyn FnMut(&mut Stmt)) {
    match &mut expr.op {
        ExprOp::Negate(a) | ExprOp::Not(a) | ExprOp::Complement(a) | ExprOp::Store(_, a) => {
            in_expression(a, change)
        }
        ExprOp::Binary(_, a, b) | ExprOp::And(a, b) | ExprOp::Or(a, b) | ExprOp::Comma(a, b) => {
            in_expression(a, change);
            in_expression(b, change);
        }
        ExprOp::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|part| in_expression(part, change)),
        ExprOp::Count(body) => in_statement(body, change),
        ExprOp::Sum(value, body) => {
            in_expression(value, change);
            in_statement(body, change);
        }
        ExprOp::Const(_) | ExprOp::Load(_) | ExprOp::Row(_) | ExprOp::Column(_) | ExprOp::PostAdd(..) => {}
    }
}
