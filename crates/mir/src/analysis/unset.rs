//! Rules that may look where the finger points while it points nowhere are left to the interpreter, which
//! says so.
//!
//! **Invariant:** in rules that are lowered nothing asks for the finger before it is set. So
//! `Finger::Nowhere` may stand for any field that is never looked at. A finger that is set stays set, so one
//! answer is enough: whether it may be unset.

use multigame_ir::{Expr, ExprOp, FunctionId, Op, Program, Slot, Stmt};

use crate::refusal::{self, R, Refusal};

/// Refuses a function that may use the finger before it is set.
pub(crate) fn finger_is_set(program: &Program, function: FunctionId) -> R<()> {
    Unset { program, open: Vec::new() }.statement(&program.function(function).body, true).map(|_| ())
}

struct Unset<'p> {
    program: &'p Program,
    /// The functions that are being followed with the finger unset.
    open: Vec<FunctionId>,
}

impl Unset<'_> {
    /// Whether the finger may be unset after a statement, if it may be before.
    fn statement(&mut self, stmt: &Stmt, unset: bool) -> R<bool> {
        if !unset {
            return Ok(false);
        }
        let mut expressions = Vec::new();
        stmt.for_each_expression(&mut |expr| expressions.push(expr));
        if let Op::Greatest(value, body) = &stmt.op {
            let after = self.statement(body, true)?;
            self.expression(value, after)?;
            return Ok(after);
        }
        expressions.into_iter().try_for_each(|expr| self.expression(expr, true))?;
        match &stmt.op {
            Op::Sequence(parts) => parts.iter().try_fold(true, |unset, part| self.statement(part, unset)),
            Op::Either(parts) => {
                parts.iter().try_fold(false, |any, part| Ok(self.statement(part, true)? || any))
            }
            Op::Try(a, b) => Ok(self.statement(a, true)? | self.statement(b, true)?),
            Op::Test(a) | Op::Not(a) | Op::ForEachDirection(_, a) => self.statement(a, true).map(|_| true),
            Op::Repeat { low: 0, body, .. } => self.statement(body, true).map(|_| true),
            Op::Repeat { body, .. } => self.statement(body, true),
            Op::While { condition, body } => {
                let goes_on = self.statement(condition, true)?;
                self.statement(body, goes_on).map(|_| true)
            }
            Op::Call(function) if self.open.contains(function) => Ok(true),
            Op::Call(function) => {
                self.open.push(*function);
                let after = self.statement(&self.program.function(*function).body, true);
                self.open.pop();
                after
            }
            Op::Find(_) | Op::Place(_) | Op::MoveTo { .. } => Ok(false),
            Op::PointsAt(_) | Op::Replace(_) | Op::PickUp | Op::PutDown => refused(),
            Op::Step | Op::StepBackward => refused(),
            _ => Ok(true),
        }
    }

    fn expression(&mut self, expr: &Expr, unset: bool) -> R<()> {
        if !unset {
            return Ok(());
        }
        match &expr.op {
            ExprOp::Row(_) | ExprOp::Column(_) => refused(),
            ExprOp::Load(Slot::AtFinger(_))
            | ExprOp::Store(Slot::AtFinger(_), _)
            | ExprOp::PostAdd(Slot::AtFinger(_), _) => refused(),
            ExprOp::Count(body) => self.statement(body, true).map(|_| ()),
            ExprOp::Sum(value, body) => {
                let after = self.statement(body, true)?;
                self.expression(value, after)
            }
            _ => expr.operands().into_iter().try_for_each(|operand| self.expression(operand, true)),
        }
    }
}

fn refused<T>() -> R<T> {
    Err(Refusal::new(refusal::NOWHERE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BOARD, program, refusal};

    #[test]
    fn the_finger_must_be_set_before_it_is_used() {
        assert!(
            refusal(BOARD, "try [ find own man ] else nothing, replace by rock")
                .contains("may point nowhere")
        );
        assert!(
            refusal(BOARD, "either [ find own man ] or [ assert (seen == 1) ], replace by rock")
                .contains("may point nowhere")
        );
    }

    #[test]
    fn a_finger_that_is_set_on_every_way_is_fine() {
        let rules = "either [ find own man ] or [ find rock ], replace by empty field";
        assert!(finger_is_set(&program(BOARD, rules), program(BOARD, rules).main[0]).is_ok());
    }
}
