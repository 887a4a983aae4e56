//! The arithmetic of machine programs, and what follows from one comparison for another.

use crate::{Binary, Unary};

/// The comparison that holds where another does not.
pub(crate) fn opposite(op: Binary) -> Option<Binary> {
    match op {
        Binary::Equal => Some(Binary::NotEqual),
        Binary::NotEqual => Some(Binary::Equal),
        _ => None,
    }
}

impl Binary {
    /// The result for two numbers; nothing where the machine has none, such as a division by 0.
    ///
    /// This is the one arithmetic of machine programs: the builder folds by it, and whatever runs them has to
    /// agree.
    pub fn apply(self, a: u64, b: u64) -> Option<u64> {
        let (signed_a, signed_b) = (a as i64, b as i64);
        let shift = u32::try_from(b).ok();
        Some(match self {
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::AndNot => a & !b,
            Binary::Add => a.wrapping_add(b),
            Binary::Subtract => a.wrapping_sub(b),
            Binary::Multiply => a.wrapping_mul(b),
            Binary::Divide => signed_a.checked_div(signed_b)? as u64,
            Binary::Remainder => signed_a.checked_rem(signed_b)? as u64,
            Binary::ShiftLeft => a.checked_shl(shift?)?,
            Binary::ShiftRight => a.checked_shr(shift?)?,
            Binary::ShiftRightSigned => signed_a.checked_shr(shift?)? as u64,
            Binary::Equal => u64::from(a == b),
            Binary::NotEqual => u64::from(a != b),
            Binary::Less => u64::from(signed_a < signed_b),
            Binary::LessEqual => u64::from(signed_a <= signed_b),
        })
    }

    /// Whether the operands may change places.
    pub(crate) fn commutes(self) -> bool {
        use Binary::{Add, And, Equal, Multiply, NotEqual, Or, Xor};
        matches!(self, And | Or | Xor | Add | Multiply | Equal | NotEqual)
    }
}

impl Unary {
    /// The result for a number.
    pub fn apply(self, a: u64) -> u64 {
        match self {
            Unary::Not => !a,
            Unary::Negate => a.wrapping_neg(),
            Unary::CountOnes => u64::from(a.count_ones()),
            Unary::TrailingZeros => u64::from(a.trailing_zeros()),
            Unary::LeadingZeros => u64::from(a.leading_zeros()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_machine_cannot_do_has_no_result() {
        for op in [Binary::Divide, Binary::Remainder] {
            assert_eq!(op.apply(7, 0), None);
            assert_eq!(op.apply(i64::MIN as u64, -1_i64 as u64), None);
        }
        for op in [Binary::ShiftLeft, Binary::ShiftRight, Binary::ShiftRightSigned] {
            assert_eq!(op.apply(1, 64), None);
            assert_eq!(op.apply(1, 1 << 40), None);
        }
    }

    #[test]
    fn numbers_are_signed_where_it_matters() {
        let minus = |number: i64| -number as u64;
        assert_eq!(Binary::Divide.apply(minus(7), 2), Some(minus(3)));
        assert_eq!(Binary::Remainder.apply(minus(7), 2), Some(minus(1)));
        assert_eq!(Binary::Less.apply(minus(1), 0), Some(1));
        assert_eq!(Binary::ShiftRightSigned.apply(minus(8), 1), Some(minus(4)));
        assert_eq!(Binary::ShiftRight.apply(minus(1), 63), Some(1));
        assert_eq!(Unary::TrailingZeros.apply(0), 64);
    }

    #[test]
    fn what_commutes_gives_the_same_both_ways() {
        let all = [
            Binary::And,
            Binary::Or,
            Binary::Xor,
            Binary::AndNot,
            Binary::Add,
            Binary::Subtract,
            Binary::Multiply,
            Binary::Divide,
            Binary::Remainder,
            Binary::ShiftLeft,
            Binary::ShiftRight,
            Binary::ShiftRightSigned,
            Binary::Equal,
            Binary::NotEqual,
            Binary::Less,
            Binary::LessEqual,
        ];
        for op in all {
            let same = [(2, 5), (9, 4)].iter().all(|&(a, b)| op.apply(a, b) == op.apply(b, a));
            assert_eq!(same, op.commutes(), "{op:?}");
        }
    }

    #[test]
    fn an_opposite_is_never_the_same() {
        for op in [Binary::Equal, Binary::NotEqual] {
            let opposite = opposite(op).unwrap();
            for (a, b) in [(1, 1), (1, 2)] {
                assert_ne!(op.apply(a, b), opposite.apply(a, b));
            }
        }
        assert_eq!(opposite(Binary::Less), None);
    }
}
