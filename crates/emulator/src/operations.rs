//! The operators, checked: what they compute is the arithmetic of machine programs (`Binary::apply`).

use multigame_mir::Binary;

/// Panics where lowering has broken its promise about divisors and shifts.
pub(crate) fn binary(operator: Binary, a: u64, b: u64) -> u64 {
    let divides = matches!(operator, Binary::Divide | Binary::Remainder);
    assert!(!divides || b != u64::MAX, "a divisor of -1");
    operator.apply(a, b).unwrap_or_else(|| panic!("{operator:?} of {a} and {b}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promises_of_lowering_are_checked() {
        assert_eq!(binary(Binary::Divide, -7_i64 as u64, 2), -3_i64 as u64);
        for (operator, second) in [
            (Binary::Divide, 0),
            (Binary::Remainder, u64::MAX),
            (Binary::ShiftLeft, 64),
            (Binary::ShiftRightSigned, u64::MAX),
        ] {
            assert!(std::panic::catch_unwind(|| binary(operator, 1, second)).is_err(), "{operator:?}");
        }
    }
}
