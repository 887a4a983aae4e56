//! Arithmetic on constants: 64 bits, never wrapping.

use multigame_syntax::ast::{BinaryOp, UnaryOp};

/// Why a constant has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    DivisionByZero,
    Overflow,
    BadShift,
}

/// Computes an operator with one operand.
pub(crate) fn unary(op: UnaryOp, a: i64) -> Result<i64, Trouble> {
    match op {
        UnaryOp::Plus => Ok(a),
        UnaryOp::Minus => a.checked_neg().ok_or(Trouble::Overflow),
        UnaryOp::Not => Ok(i64::from(a == 0)),
        UnaryOp::Complement => Ok(!a),
    }
}

/// Computes an operator with two operands.
pub(crate) fn binary(op: BinaryOp, a: i64, b: i64) -> Result<i64, Trouble> {
    let value = match op {
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide | BinaryOp::Remainder if b == 0 => return Err(Trouble::DivisionByZero),
        BinaryOp::Divide => a.checked_div(b),
        BinaryOp::Remainder => a.checked_rem(b),
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight if !(0..64).contains(&b) => return Err(Trouble::BadShift),
        BinaryOp::ShiftLeft => Some(a << b).filter(|shifted| shifted >> b == a),
        BinaryOp::ShiftRight => Some(a >> b),
        BinaryOp::Less => Some(i64::from(a < b)),
        BinaryOp::LessEqual => Some(i64::from(a <= b)),
        BinaryOp::Greater => Some(i64::from(a > b)),
        BinaryOp::GreaterEqual => Some(i64::from(a >= b)),
        BinaryOp::Equal => Some(i64::from(a == b)),
        BinaryOp::NotEqual => Some(i64::from(a != b)),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::BitOr => Some(a | b),
    };
    value.ok_or(Trouble::Overflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_wraps() {
        assert_eq!(binary(BinaryOp::Add, i64::MAX, 1), Err(Trouble::Overflow));
        assert_eq!(binary(BinaryOp::Divide, i64::MIN, -1), Err(Trouble::Overflow));
        assert_eq!(binary(BinaryOp::Remainder, 1, 0), Err(Trouble::DivisionByZero));
        assert_eq!(binary(BinaryOp::ShiftLeft, 1, 64), Err(Trouble::BadShift));
        assert_eq!(binary(BinaryOp::ShiftLeft, 1, 63), Err(Trouble::Overflow));
        assert_eq!(binary(BinaryOp::Divide, -7, 2), Ok(-3));
        assert_eq!(unary(UnaryOp::Minus, i64::MIN), Err(Trouble::Overflow));
    }
}
