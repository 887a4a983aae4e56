//! What operators give for constants, and what follows from one comparison for another.

use crate::Binary;

/// The comparison that holds where another does not.
pub(crate) fn opposite(op: Binary) -> Option<Binary> {
    match op {
        Binary::Equal => Some(Binary::NotEqual),
        Binary::NotEqual => Some(Binary::Equal),
        _ => None,
    }
}

/// The result of an operator, unless there is none.
pub(crate) fn fold(op: Binary, a: u64, b: u64) -> Option<u64> {
    Some(match op {
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::AndNot => a & !b,
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide => (a as i64).checked_div(b as i64)? as u64,
        Binary::Remainder => (a as i64).checked_rem(b as i64)? as u64,
        Binary::ShiftLeft => a.checked_shl(u32::try_from(b).ok()?)?,
        Binary::ShiftRight => a.checked_shr(u32::try_from(b).ok()?)?,
        Binary::ShiftRightSigned => (a as i64).checked_shr(u32::try_from(b).ok()?)? as u64,
        Binary::Equal => u64::from(a == b),
        Binary::NotEqual => u64::from(a != b),
        Binary::Less => u64::from((a as i64) < b as i64),
        Binary::LessEqual => u64::from(a as i64 <= b as i64),
    })
}

#[cfg(test)]
mod tests {
    use crate::builder::Builder;

    #[test]
    fn what_bits_cannot_be_is_folded() {
        let mut builder = Builder::new(0);
        let [word, one, four, zero] =
            [builder.word(2), builder.constant(1), builder.constant(4), builder.constant(0)];
        let truth = builder.is_nonzero(word);
        let selected = builder.select(truth, four, zero);
        // Bits that are never set together, and bits that are set already.
        let together = builder.and(selected, one);
        assert_eq!(builder.known(together), Some(0));
        assert_eq!(builder.or(one, truth), one);
        // Questions about answers are questions.
        assert_eq!(builder.is_nonzero(truth), truth);
        assert_eq!(builder.is_nonzero(selected), truth);
        let opposite = builder.is_zero(truth);
        assert_eq!(opposite, builder.is_zero(word));
        assert_eq!(builder.is_zero(opposite), truth);
    }
}
