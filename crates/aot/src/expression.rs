//! Values as Rust expressions, with no more parentheses than people would write.

use multigame_mir::{Binary, Unary};

/// How tightly an expression holds together; the operators of Rust from loose to tight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tie {
    /// `if a { b } else { c }`
    Choice,
    /// `==`, `<`
    Compare,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `&`
    And,
    /// `<<`, `>>`
    Shift,
    /// `*`, `/`
    Product,
    /// `as`
    Cast,
    /// `!a`
    Unary,
    /// Names, numbers, calls.
    Whole,
}

/// A Rust expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expression {
    pub text: String,
    pub tie: Tie,
    /// Whether it is a `bool`, which means 0 or 1.
    pub truth: bool,
    /// Its value if it is a constant.
    pub constant: Option<u64>,
}

impl Expression {
    /// A name, an index or a call.
    pub fn whole(text: impl Into<String>) -> Expression {
        Expression { text: text.into(), tie: Tie::Whole, truth: false, constant: None }
    }

    pub fn constant(value: u64) -> Expression {
        Expression { constant: Some(value), ..Expression::whole(number(value)) }
    }

    fn of(text: String, tie: Tie, truth: bool) -> Expression {
        Expression { text, tie, truth, constant: None }
    }

    /// As an operand of something that holds together as tightly as `tie`.
    fn within(&self, tie: Tie) -> String {
        if self.tie < tie { format!("({})", self.text) } else { self.text.clone() }
    }

    /// As a word.
    pub fn word(&self) -> Expression {
        if self.truth { Expression::whole(format!("u64::from({})", self.text)) } else { self.clone() }
    }

    /// As a condition.
    pub fn condition(&self) -> Expression {
        match (self.truth, self.constant) {
            (true, _) => self.clone(),
            (false, Some(value)) => Expression::of((value != 0).to_string(), Tie::Whole, true),
            (false, None) => Expression::of(format!("{} != 0", self.within(Tie::Or)), Tie::Compare, true),
        }
    }

    /// As an index below a power of two, without a check at run time.
    pub fn index_below(&self, size: usize) -> String {
        match self.constant {
            Some(value) => (value as usize & (size - 1)).to_string(),
            None => format!("({} & {}) as usize", self.word().within(Tie::And), size - 1),
        }
    }

    /// As something whose type must be seen at once: what a method is called on, or what is shifted.
    fn typed(&self, tie: Tie) -> String {
        match self.constant {
            Some(value) if value <= u64::MAX - 64 => format!("{}_u64", self.text),
            Some(value) => format!("0x{value:x}_u64"),
            None => self.within(tie),
        }
    }

    /// As a signed number.
    fn signed(&self) -> String {
        match self.constant {
            Some(value) => (value as i64).to_string(),
            None => format!("({} as i64)", self.word().within(Tie::Cast)),
        }
    }

    pub fn unary(operator: Unary, a: &Expression) -> Expression {
        let word = a.word();
        let call = |name: &str| Expression::whole(format!("u64::from({}.{name}())", word.typed(Tie::Whole)));
        match operator {
            Unary::Not => Expression::of(format!("!{}", word.within(Tie::Unary)), Tie::Unary, false),
            Unary::Negate => Expression::whole(format!("{}.wrapping_neg()", word.typed(Tie::Whole))),
            Unary::CountOnes => call("count_ones"),
            Unary::TrailingZeros => call("trailing_zeros"),
            Unary::LeadingZeros => call("leading_zeros"),
        }
    }

    pub fn binary(operator: Binary, a: &Expression, b: &Expression) -> Expression {
        if a.constant.is_some() && b.constant.is_none() && commutes(operator) {
            return Expression::binary(operator, b, a);
        }
        if let Some(simpler) = simpler(operator, a, b) {
            return simpler;
        }
        let (x, y) = (a.word(), b.word());
        // Operators of the same kind in a row need no parentheses on the left.
        let infix = |sign: &str, tie: Tie, above: Tie| {
            Expression::of(format!("{} {sign} {}", x.within(tie), y.within(above)), tie, false)
        };
        let method = |name: &str| Expression::whole(format!("{}.{name}({})", x.typed(Tie::Whole), y.text));
        let signed = |sign: &str| {
            Expression::of(format!("({} {sign} {}) as u64", a.signed(), b.signed()), Tie::Cast, false)
        };
        let shift = |sign: &str| {
            // After `as u64` Rust reads `<<` as the beginning of a type.
            let tie = if x.tie == Tie::Cast { Tie::Unary } else { Tie::Shift };
            let text = format!("{} {sign} {}", x.typed(tie), y.within(Tie::Product));
            Expression::of(text, Tie::Shift, false)
        };
        let compare =
            |sign: &str, x: String, y: String| Expression::of(format!("{x} {sign} {y}"), Tie::Compare, true);
        match operator {
            Binary::And => infix("&", Tie::And, Tie::And),
            Binary::Or => infix("|", Tie::Or, Tie::Or),
            Binary::Xor => infix("^", Tie::Xor, Tie::Xor),
            Binary::AndNot => {
                Expression::of(format!("{} & !{}", x.within(Tie::And), y.within(Tie::Unary)), Tie::And, false)
            }
            Binary::Add => method("wrapping_add"),
            Binary::Subtract => method("wrapping_sub"),
            Binary::Multiply => method("wrapping_mul"),
            Binary::Divide => signed("/"),
            Binary::Remainder => signed("%"),
            Binary::ShiftLeft => shift("<<"),
            Binary::ShiftRight => shift(">>"),
            Binary::ShiftRightSigned => {
                // Nothing else tells the type of a number.
                let shifted = match a.constant {
                    Some(value) if value == 1 << 63 => "i64::MIN".to_string(),
                    Some(value) => format!("{}_i64", value as i64),
                    None => a.signed(),
                };
                let text = format!("({shifted} >> {}) as u64", y.within(Tie::Product));
                Expression::of(text, Tie::Cast, false)
            }
            Binary::Equal => compare("==", x.within(Tie::Or), y.within(Tie::Or)),
            Binary::NotEqual => compare("!=", x.within(Tie::Or), y.within(Tie::Or)),
            Binary::Less => compare("<", a.signed(), b.signed()),
            Binary::LessEqual => compare("<=", a.signed(), b.signed()),
        }
    }

    pub fn select(condition: &Expression, yes: &Expression, no: &Expression) -> Expression {
        let (condition, truth) = (condition.condition(), yes.truth && no.truth);
        let (yes, no) = if truth { (yes.clone(), no.clone()) } else { (yes.word(), no.word()) };
        // Between two numbers nothing else tells the type.
        let first = if !truth && no.constant.is_some() { yes.typed(Tie::Choice) } else { yes.text.clone() };
        let text = format!("if {} {{ {first} }} else {{ {} }}", condition.text, no.text);
        Expression::of(text, Tie::Choice, truth)
    }
}

/// Whether operands can be exchanged.
fn commutes(operator: Binary) -> bool {
    use Binary::{Add, And, Equal, Multiply, NotEqual, Or, Xor};
    matches!(operator, And | Or | Xor | Add | Multiply | Equal | NotEqual)
}

/// The expression that people would write instead. A constant operand goes to the right where that is
/// possible.
fn simpler(operator: Binary, a: &Expression, b: &Expression) -> Option<Expression> {
    let negated = |a: &Expression| Expression::of(format!("!{}", a.within(Tie::Unary)), Tie::Unary, a.truth);
    if let (Some(x), Some(y)) = (a.constant, b.constant) {
        match operator {
            Binary::And => return Some(Expression::constant(x & y)),
            Binary::Or => return Some(Expression::constant(x | y)),
            Binary::Xor => return Some(Expression::constant(x ^ y)),
            _ => {}
        }
    }
    if operator == Binary::AndNot && a.constant == Some(u64::MAX) && !b.truth {
        return Some(negated(b));
    }
    if !a.truth {
        return None;
    }
    if b.truth && matches!(operator, Binary::And | Binary::Or) {
        let (sign, tie) = if operator == Binary::And { ("&", Tie::And) } else { ("|", Tie::Or) };
        return Some(Expression::of(format!("{} {sign} {}", a.within(tie), b.within(tie)), tie, true));
    }
    match (operator, b.constant?) {
        (Binary::And | Binary::Equal, 1) | (Binary::NotEqual | Binary::Or, 0) => Some(a.clone()),
        (Binary::Equal, 0) | (Binary::Xor, 1) => Some(negated(a)),
        _ => None,
    }
}

/// A number as people read it: small ones are numbers, large ones are sets of bits.
fn number(value: u64) -> String {
    if value < 1024 {
        return value.to_string();
    }
    if value > u64::MAX - 64 {
        return match u64::MAX - value {
            0 => "u64::MAX".to_string(),
            rest => format!("!{rest}"),
        };
    }
    let digits = format!("{value:x}");
    let mut text = String::from("0x");
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(4) {
            text.push('_');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Expression {
        Expression::whole(text)
    }

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let and = Expression::binary(Binary::And, &name("a"), &name("b"));
        let or = Expression::binary(Binary::Or, &and, &name("c"));
        assert_eq!(or.text, "a & b | c");
        assert_eq!(Expression::binary(Binary::And, &or, &name("d")).text, "(a & b | c) & d");
        let shift = Expression::binary(Binary::ShiftLeft, &and, &Expression::constant(8));
        assert_eq!(shift.text, "(a & b) << 8");
        assert_eq!(
            Expression::binary(Binary::ShiftRight, &shift, &Expression::constant(1)).text,
            "(a & b) << 8 >> 1"
        );
        assert_eq!(Expression::binary(Binary::AndNot, &name("a"), &or).text, "a & !(a & b | c)");
        assert_eq!(or.condition().text, "a & b | c != 0");
    }

    #[test]
    fn a_cast_that_is_shifted_has_parentheses() {
        let cast = Expression::binary(Binary::ShiftRightSigned, &name("a"), &Expression::constant(2));
        let shifted = Expression::binary(Binary::ShiftLeft, &cast, &Expression::constant(1));
        assert_eq!(shifted.text, "(((a as i64) >> 2) as u64) << 1");
    }

    #[test]
    fn truths_stay_truths() {
        let less = Expression::binary(Binary::Less, &name("a"), &Expression::constant(u64::MAX));
        assert_eq!(less.text, "(a as i64) < -1");
        assert_eq!(less.word().text, "u64::from((a as i64) < -1)");
        let equal = Expression::binary(Binary::Equal, &name("a"), &name("b"));
        let both = Expression::binary(Binary::And, &less, &equal);
        assert_eq!(both.text, "((a as i64) < -1) & (a == b)");
        assert_eq!(
            Expression::binary(Binary::Equal, &both, &Expression::constant(0)).text,
            "!(((a as i64) < -1) & (a == b))"
        );
        assert_eq!(
            Expression::select(&both, &name("x"), &equal).text,
            "if ((a as i64) < -1) & (a == b) { x } else { u64::from(a == b) }"
        );
    }

    #[test]
    fn sets_of_bits_are_hexadecimal() {
        assert_eq!(number(63), "63");
        assert_eq!(number(0x0101_0101_0101_0101), "0x101_0101_0101_0101");
        assert_eq!(number(u64::MAX), "u64::MAX");
        assert_eq!(number(u64::MAX - 1), "!1");
    }
}
