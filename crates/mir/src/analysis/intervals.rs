//! Between which numbers expressions lie, and whether what is assigned surely fits.

use multigame_ir::{Expr, ExprOp, Slot};

use crate::analysis::facts::Facts;
use crate::refusal::{self, Refusal};

/// Numbers are shifted by at most this many places.
const MOST_PLACES: i64 = 62;

impl Facts<'_> {
    /// Least and greatest value of an expression, if they can be told.
    pub fn interval(&self, expr: &Expr) -> Option<(i64, i64)> {
        let board = &self.program.description.board;
        match &expr.op {
            ExprOp::Const(value) => Some((*value, *value)),
            ExprOp::Row(_) => Some((1, i64::from(board.rows()))),
            ExprOp::Column(_) => Some((1, i64::from(board.columns()))),
            ExprOp::Load(slot) | ExprOp::PostAdd(slot, _) => Some(self.range(*slot)),
            ExprOp::Store(_, a) | ExprOp::Comma(_, a) => self.interval(a),
            ExprOp::Not(_) | ExprOp::And(..) | ExprOp::Or(..) => Some((0, 1)),
            ExprOp::Count(_) => Some((0, 8 * board.size() as i64 * board.direction_count() as i64)),
            ExprOp::Negate(a) => {
                let (low, high) = self.interval(a)?;
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            ExprOp::Conditional(_, a, b) => {
                let (a, b) = (self.interval(a)?, self.interval(b)?);
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            ExprOp::Binary(op, a, b) => binary_interval(*op, self.interval(a)?, self.interval(b)?),
            ExprOp::Sum(a, _) => {
                let (low, high) = self.interval(a)?;
                let most = 8 * board.size() as i64 * board.direction_count() as i64;
                Some((low.min(0).checked_mul(most)?, high.max(0).checked_mul(most)?))
            }
            ExprOp::Complement(a) => {
                let (low, high) = self.interval(a)?;
                Some((!high, !low))
            }
        }
    }

    /// Why the value of an expression cannot be bounded: what is wrong with its innermost part that cannot.
    pub fn unbounded(&self, expr: &Expr) -> Refusal {
        use multigame_ir::BinaryOp as B;
        let open = |operand: &&Expr| self.interval(operand).is_none();
        if let Some(inner) = expr.operands().into_iter().find(open) {
            return self.unbounded(inner);
        }
        let reason = match &expr.op {
            ExprOp::Binary(B::Divide | B::Remainder, _, b) if self.interval(b).is_some_and(|b| b.0 <= 0) => {
                refusal::DIVISOR
            }
            ExprOp::Binary(B::ShiftLeft | B::ShiftIn | B::ShiftRight, _, b)
                if self.interval(b).is_some_and(|b| b.0 < 0 || b.1 > MOST_PLACES) =>
            {
                refusal::SHIFT
            }
            ExprOp::Binary(B::BitAnd | B::BitOr | B::BitXor, ..) => refusal::SIGNED_BITS,
            _ => refusal::OVERFLOW,
        };
        Refusal::new(reason).inside(expr.origin)
    }

    /// Least and greatest value of a property.
    pub fn range(&self, slot: Slot) -> (i64, i64) {
        let number = usize::from(match slot {
            Slot::Value(number) | Slot::AtFinger(number) => number,
        });
        let description = &self.program.description;
        let kept = description.value_count();
        if number >= kept {
            let property = &self.program.move_properties[number - kept];
            return (property.low.into(), property.high.into());
        }
        let mut before = description.properties.iter().take_while(|property| property.offset <= number);
        before.by_ref().last().map_or((0, 0), |property| (property.low.into(), property.high.into()))
    }

    /// Whether all assignments in an expression surely stay in range, and nothing else can go wrong.
    pub fn surely_fits(&self, expr: &Expr) -> bool {
        let fine = match &expr.op {
            ExprOp::Store(slot @ Slot::Value(_), a) => {
                let (low, high) = self.range(*slot);
                self.interval(a).is_some_and(|(least, greatest)| least >= low && greatest <= high)
                    || saturates(*slot, a, high)
            }
            ExprOp::Store(..) | ExprOp::PostAdd(..) | ExprOp::Sum(..) | ExprOp::Load(Slot::AtFinger(_)) => {
                false
            }
            ExprOp::Count(body) => self.runs_on_sets(body),
            ExprOp::Binary(op, ..) => {
                use multigame_ir::BinaryOp::{Divide, Remainder, ShiftIn, ShiftLeft, ShiftRight};
                !matches!(op, Divide | Remainder | ShiftIn | ShiftLeft | ShiftRight)
                    && self.interval(expr).is_some()
            }
            _ => true,
        };
        fine && expr.operands().into_iter().all(|operand| self.surely_fits(operand))
    }
}

/// `p + (p < high)`: cannot leave the range upward.
fn saturates(slot: Slot, expr: &Expr, high: i64) -> bool {
    let is_load = |e: &Expr| e.op == ExprOp::Load(slot);
    let ExprOp::Binary(multigame_ir::BinaryOp::Add, a, b) = &expr.op else { return false };
    let ExprOp::Binary(multigame_ir::BinaryOp::Less, c, limit) = &b.op else { return false };
    is_load(a) && is_load(c) && matches!(limit.op, ExprOp::Const(limit) if limit <= high)
}

fn binary_interval(op: multigame_ir::BinaryOp, a: (i64, i64), b: (i64, i64)) -> Option<(i64, i64)> {
    use multigame_ir::BinaryOp as B;
    match op {
        B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual => Some((0, 1)),
        B::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
        B::Subtract => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
        B::Multiply => {
            let corners =
                [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
            Some((*corners.iter().min()?, *corners.iter().max()?))
        }
        B::BitAnd if a.0 >= 0 && b.0 >= 0 => Some((0, a.1.min(b.1))),
        B::BitOr | B::BitXor if a.0 >= 0 && b.0 >= 0 => {
            let bits = 64 - (a.1 | b.1).leading_zeros();
            Some((0, (1i64.checked_shl(bits)?).checked_sub(1)?))
        }
        B::Divide if b.0 > 0 => {
            Some((a.0 / if a.0 < 0 { b.0 } else { b.1 }, a.1 / if a.1 < 0 { b.1 } else { b.0 }))
        }
        // The sign is that of the dividend.
        B::Remainder if b.0 > 0 => Some((a.0.max(1 - b.1).min(0), a.1.min(b.1 - 1).max(0))),
        B::ShiftLeft if b.0 >= 0 && b.1 <= MOST_PLACES => {
            let shifted = |a: i64, places: i64| a.checked_mul(1 << places);
            let (least, greatest) = (if a.0 < 0 { b.1 } else { b.0 }, if a.1 < 0 { b.0 } else { b.1 });
            Some((shifted(a.0, least)?, shifted(a.1, greatest)?))
        }
        B::ShiftIn if b.0 >= 0 && b.1 <= MOST_PLACES => Some((0, (1 << multigame_ir::BinaryOp::ROOM) - 1)),
        B::ShiftRight if b.0 >= 0 && b.1 <= MOST_PLACES => {
            let (least, greatest) = (if a.0 < 0 { b.0 } else { b.1 }, if a.1 < 0 { b.1 } else { b.0 });
            Some((a.0 >> least, a.1 >> greatest))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BOARD, program};

    #[test]
    fn bounds_of_expressions() {
        let interval = |value: &str| {
            let program = program(BOARD, &format!("find own man, assign (tried = {value}), replace by rock"));
            let facts = Facts::new(&program);
            let body = facts.body(program.main[0]);
            let mut found = None;
            for stmt in body.children() {
                stmt.for_each_expression(&mut |expr| found = found.or(facts.interval(expr)));
            }
            found
        };
        assert_eq!(interval("row + column"), Some((2, 8)));
        assert_eq!(interval("seen * 2 - row"), Some((-4, 5)));
        assert_eq!(interval("row > 2 ? 3 : seen"), Some((0, 3)));
        assert_eq!(interval("(row + column) % 2"), Some((0, 1)));
        assert_eq!(interval("(row - 3) % column"), Some((-2, 1)));
        assert_eq!(interval("(0 - row) / column"), Some((-4, 0)));
        assert_eq!(interval("(row - 2) / column"), Some((-1, 2)));
        assert_eq!(interval("~row"), Some((-5, -2)));
        assert_eq!(interval("row << seen"), Some((1, 32)));
        assert_eq!(interval("(seen - 2) << seen"), Some((-16, 8)));
        assert_eq!(interval("(seen - 2) >> seen"), Some((-2, 1)));
        // A division by something that may be 0 is an error where it is.
        assert_eq!(interval("row / seen"), None);
        assert_eq!(interval("row << (seen - 1)"), None);
    }
}
