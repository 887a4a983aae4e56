//! What a computation is where more is known about its operands than that they are values: an operand, a
//! constant, or something shorter.

use crate::program::arithmetic::opposite;
use crate::program::builder::Builder;
use crate::{Binary, Op, Unary, Value};

impl Builder {
    pub fn unary(&mut self, op: Unary, a: Value) -> Value {
        match self.known(a) {
            Some(a) => self.constant(op.apply(a)),
            None => self.op(Op::Unary(op, a)),
        }
    }

    pub fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let (known_a, known_b) = (self.known(a), self.known(b));
        if let (Some(a), Some(b)) = (known_a, known_b)
            && let Some(folded) = op.apply(a, b)
        {
            return self.constant(folded);
        }
        if let (Binary::And, None, Some(mask)) | (Binary::And, Some(mask), None) = (op, known_a, known_b)
            && let Some(same) = self.masked(if known_a.is_none() { a } else { b }, mask)
        {
            return same;
        }
        if let Some(same) = self.without_effect(op, a, b).or_else(|| same_operands(op, a, b)) {
            return match same {
                Same::As(value) => value,
                Same::Constant(number) => self.constant(number),
            };
        }
        if let Some(answer) = self.about_answer(op, a, known_b) {
            return answer;
        }
        let (a, b) = if op.commutes() && b < a { (b, a) } else { (a, b) };
        self.op(Op::Binary(op, a, b))
    }

    /// An operator that does nothing to one of its operands, or gives the same for all values of the other.
    fn without_effect(&self, op: Binary, a: Value, b: Value) -> Option<Same> {
        let (bits_a, bits_b) = (self.possible_bits(a), self.possible_bits(b));
        Some(match (op, self.known(a), self.known(b)) {
            (Binary::And, ..) if bits_a & bits_b == 0 => Same::Constant(0),
            (Binary::Or, Some(all), _) if bits_b & !all == 0 => Same::As(a),
            (Binary::Or, _, Some(all)) if bits_a & !all == 0 => Same::As(b),
            (Binary::NotEqual, _, Some(0)) if bits_a & !1 == 0 => Same::As(a),
            (Binary::And, Some(0), _) | (Binary::And | Binary::Multiply, _, Some(0)) => Same::Constant(0),
            (Binary::And, Some(u64::MAX), _) | (Binary::Multiply, Some(1), _) => Same::As(b),
            (Binary::Multiply, _, Some(1)) => Same::As(a),
            (Binary::And, _, Some(mask)) if bits_a & !mask == 0 => Same::As(a),
            (Binary::And, Some(mask), _) if bits_b & !mask == 0 => Same::As(b),
            (Binary::Or | Binary::Xor | Binary::Add, Some(0), _) => Same::As(b),
            (Binary::Or | Binary::Xor | Binary::Add | Binary::Subtract, _, Some(0)) => Same::As(a),
            (Binary::AndNot, Some(0), _) | (Binary::AndNot, _, Some(0)) => Same::As(a),
            (Binary::AndNot, _, Some(u64::MAX)) => Same::Constant(0),
            (Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned, _, Some(0)) => Same::As(a),
            (Binary::ShiftLeft | Binary::ShiftRight, Some(0), _) => Same::As(a),
            _ => return None,
        })
    }

    /// Whether something is 0 (or is not) that is itself an answer, or is only there under a condition.
    fn about_answer(&mut self, op: Binary, a: Value, known_b: Option<u64>) -> Option<Value> {
        if known_b != Some(0) || !matches!(op, Binary::NotEqual | Binary::Equal) {
            return None;
        }
        if let Some(condition) = self.nonzero_if(a) {
            return Some(match op {
                Binary::NotEqual => self.is_nonzero(condition),
                _ => self.is_zero(condition),
            });
        }
        match (op, self.made(a)) {
            (Binary::Equal, Some(Op::Binary(compared, x, y))) => {
                opposite(compared).map(|opposite| self.binary(opposite, x, y))
            }
            _ => None,
        }
    }

    /// A value under a mask, without the parts that the mask hides: a digit that was put together with others
    /// is that digit.
    fn masked(&mut self, value: Value, mask: u64) -> Option<Value> {
        let (inner, by) = match self.made(value)? {
            Op::Binary(Binary::ShiftRight, inner, by) => (inner, self.known(by)?),
            _ => (value, 0),
        };
        let seen = mask.checked_shl(u32::try_from(by).ok()?).filter(|seen| seen >> by == mask)?;
        let mut part = inner;
        while let Some(Op::Binary(Binary::Or, a, b)) = self.made(part) {
            part = match [a, b].map(|half| self.possible_bits(half) & seen == 0) {
                [true, _] => b,
                [_, true] => a,
                _ => break,
            };
        }
        if part == inner {
            return None;
        }
        let shift = self.constant(by);
        let moved = match self.made(part) {
            Some(Op::Binary(Binary::ShiftLeft, digit, back)) if back == shift => digit,
            _ => self.binary(Binary::ShiftRight, part, shift),
        };
        let mask = self.constant(mask);
        Some(self.and(moved, mask))
    }

    pub fn select(&mut self, condition: Value, a: Value, b: Value) -> Value {
        match self.known(condition) {
            _ if a == b => a,
            Some(0) => b,
            Some(_) => a,
            None => match self.change_of(b, a) {
                // PERF: what is added or taken away is selected once for all boards it is added to or taken
                // from.
                Some((op, change)) => {
                    let zero = self.constant(0);
                    let change = self.select(condition, change, zero);
                    self.binary(op, b, change)
                }
                None => self.op(Op::Select(condition, a, b)),
            },
        }
    }

    /// How a value was made from another by adding or taking away bits.
    fn change_of(&self, before: Value, after: Value) -> Option<(Binary, Value)> {
        match self.made(after)? {
            Op::Binary(op @ (Binary::Or | Binary::Xor | Binary::AndNot), a, b) if a == before => {
                Some((op, b))
            }
            Op::Binary(op @ (Binary::Or | Binary::Xor), a, b) if b == before => Some((op, a)),
            _ => None,
        }
    }

    /// The condition under which a value is not 0, where that is all there is to it: a field, or a field or a
    /// number that is selected.
    fn nonzero_if(&mut self, value: Value) -> Option<Value> {
        let is_field = |builder: &Builder, value: Value| match builder.made(value) {
            Some(Op::Binary(Binary::ShiftLeft, one, _)) => builder.known(one) == Some(1),
            _ => false,
        };
        let is_something = |builder: &Builder, value: Value| builder.known(value).is_some_and(|it| it != 0);
        match self.made(value)? {
            Op::Select(condition, a, b)
                if self.known(b) == Some(0) && (is_field(self, a) || is_something(self, a)) =>
            {
                Some(condition)
            }
            _ if is_field(self, value) => Some(self.constant(1)),
            _ => None,
        }
    }
}

/// What something is the same as.
enum Same {
    As(Value),
    Constant(u64),
}

/// An operator with the same value on both sides.
fn same_operands(op: Binary, a: Value, b: Value) -> Option<Same> {
    match op {
        _ if a != b => None,
        Binary::And | Binary::Or => Some(Same::As(a)),
        Binary::Xor | Binary::AndNot | Binary::Subtract | Binary::NotEqual | Binary::Less => {
            Some(Same::Constant(0))
        }
        Binary::Equal | Binary::LessEqual => Some(Same::Constant(1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::program::builder::Builder;

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
