//! What the operators compute.

use multigame_mir::{Binary, Unary};

/// Panics where lowering has broken its promise about divisors and shifts.
pub(crate) fn binary(operator: Binary, a: u64, b: u64) -> u64 {
    let (signed_a, signed_b) = (a as i64, b as i64);
    match operator {
        Binary::Divide | Binary::Remainder => assert!(!matches!(signed_b, 0 | -1), "a divisor of {signed_b}"),
        Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned => {
            assert!(b < 64, "a shift by {b}")
        }
        _ => {}
    }
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

pub(crate) fn unary(operator: Unary, a: u64) -> u64 {
    match operator {
        Unary::Not => !a,
        Unary::Negate => a.wrapping_neg(),
        Unary::CountOnes => u64::from(a.count_ones()),
        Unary::TrailingZeros => u64::from(a.trailing_zeros()),
        Unary::LeadingZeros => u64::from(a.leading_zeros()),
    }
}
