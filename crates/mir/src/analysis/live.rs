//! Which of finger and direction matter to what follows.

use multigame_ir::{Expr, ExprOp, Op, Slot, Stmt};

use crate::analysis::facts::Facts;

/// Whether finger and direction matter to what follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Live {
    pub finger: bool,
    pub direction: bool,
}

impl Live {
    /// The finger only.
    pub const FINGER: Live = Live { finger: true, direction: false };

    pub fn any(self) -> bool {
        self.finger || self.direction
    }

    pub fn or(self, other: Live) -> Live {
        Live { finger: self.finger || other.finger, direction: self.direction || other.direction }
    }
}

impl Facts<'_> {
    /// Which of finger and direction matter before a statement, given what matters after it.
    pub fn live(&self, stmt: &Stmt, after: Live) -> Live {
        let key = (std::ptr::from_ref(stmt), after);
        if let Some(&live) = self.live.borrow().get(&key) {
            return live;
        }
        let live = self.find_live(stmt, after);
        self.live.borrow_mut().insert(key, live);
        live
    }

    fn find_live(&self, stmt: &Stmt, after: Live) -> Live {
        let nothing = Live::default();
        match &stmt.op {
            Op::Sequence(parts) => parts.iter().rev().fold(after, |live, part| self.live(part, live)),
            Op::Either(parts) => parts.iter().fold(nothing, |live, part| live.or(self.live(part, after))),
            Op::Try(a, b) => self.live(a, after).or(self.live(b, after)),
            Op::Test(a) | Op::Not(a) => self.live(a, nothing).or(after),
            Op::Repeat { low, body, .. } => {
                let again = self.live(body, after.or(self.live(body, after)));
                if *low == 0 { again.or(after) } else { again }
            }
            Op::While { condition, body } => {
                let round = |after: Live| self.live(condition, self.live(body, after));
                let live = after.or(self.live(condition, nothing));
                live.or(round(live.or(round(live))))
            }
            Op::Greatest(value, a) => self.live(a, after.or(self.live_in_expr(value))),
            Op::ForEachField(_, a) => after.or(Live { finger: false, ..self.live(a, nothing) }),
            Op::ForEachDirection(_, a) => after.or(Live { direction: false, ..self.live(a, nothing) }),
            Op::Call(function) if self.recursive(*function) => Live { finger: true, direction: true },
            Op::Call(function) => self.live(self.body(*function), after),
            Op::Find(_) | Op::Place(_) => Live { finger: false, ..after },
            Op::PointsAt(_) | Op::Replace(_) | Op::PickUp | Op::PutDown => Live { finger: true, ..after },
            Op::Face(_) => Live { direction: false, ..after },
            Op::Turn(_) => Live { direction: true, ..after },
            Op::Step | Op::StepBackward => Live { finger: true, direction: true },
            Op::MoveTo { column, row, .. } => {
                let after = Live { finger: false, ..after };
                after.or(self.live_in_expr(column)).or(self.live_in_expr(row))
            }
            Op::Assert(value) | Op::Assign(value) | Op::Score(value, _) => after.or(self.live_in_expr(value)),
            Op::Match(_) | Op::Unchanged => after,
            Op::Irreversible | Op::Outcome(_) | Op::KeepTurn | Op::Called(_) => after,
        }
    }

    pub fn live_in_expr(&self, expr: &Expr) -> Live {
        match &expr.op {
            ExprOp::Row(_) | ExprOp::Column(_) => Live { finger: true, direction: false },
            ExprOp::Load(Slot::AtFinger(_)) | ExprOp::PostAdd(Slot::AtFinger(_), _) => {
                Live { finger: true, direction: false }
            }
            ExprOp::Store(Slot::AtFinger(_), a) => {
                Live { finger: true, direction: false }.or(self.live_in_expr(a))
            }
            ExprOp::Count(body) => self.live(body, Live::default()).or(self.blurs(body)),
            ExprOp::Sum(value, body) => self.live(body, self.live_in_expr(value)).or(self.blurs(body)),
            _ => expr.operands().into_iter().fold(Live::default(), |live, a| live.or(self.live_in_expr(a))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BOARD, program};

    #[test]
    fn what_matters_before_a_statement() {
        let live = |rules: &str| {
            let program =
                program(BOARD, &format!("find own man, north, {rules}, find own man, replace by rock"));
            let facts = Facts::new(&program);
            let Op::Sequence(parts) = &facts.body(program.main[0]).op else { panic!("one statement") };
            facts.live(&parts[2], Live::FINGER)
        };
        let both = Live { finger: true, direction: true };
        assert_eq!(live("step"), both);
        assert_eq!(live("east"), Live::FINGER);
        assert_eq!(live("find rock"), Live::default());
        // The second way steps in the direction from before.
        assert_eq!(live("try [ east, step, points at rock ] else step"), both);
        assert_eq!(live("while points at rock do step"), both);
    }
}
