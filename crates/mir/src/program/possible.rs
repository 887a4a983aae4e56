//! Which bits of a value may be set, and which numbers an index may be: what follows from how they were
//! computed.
//!
//! A finger that has just stepped north cannot be in the first row, so stepping south again is always
//! possible: the question and the table that answers it disappear.

use crate::{Binary, Op, Unary, Value};

/// What is known about the values of a function.
#[derive(Default)]
pub(crate) struct Possible {
    /// For each value the bits that may be set.
    bits: Vec<u64>,
    /// For each value that numbers fields, the fields it may be; 0 for all others.
    numbers: Vec<u64>,
}

impl Possible {
    /// The bits of a value that may be set.
    pub fn bits(&self, value: Value) -> u64 {
        self.bits.get(value.0 as usize).copied().unwrap_or(u64::MAX)
    }

    /// The numbers below 64 that a value may be, as bits; nothing if that is not known.
    pub fn numbers(&self, value: Value) -> Option<u64> {
        self.numbers.get(value.0 as usize).copied().filter(|&numbers| numbers != 0)
    }

    /// A value that is the number of one of these bits.
    pub fn is_one_of(&mut self, value: Value, numbers: u64) {
        self.note(value, u64::MAX, numbers);
    }

    /// A value that was computed; `known` tells constants.
    pub fn computed(&mut self, value: Value, op: Op, known: impl Fn(Value) -> Option<u64>) {
        let bits = self.bits_of(op, &known);
        let numbers = self.numbers_of(op, &known);
        if bits != u64::MAX || numbers != 0 {
            self.note(value, bits, numbers);
        }
    }

    fn note(&mut self, value: Value, bits: u64, numbers: u64) {
        let place = value.0 as usize;
        if self.bits.len() <= place {
            self.bits.resize(place + 1, u64::MAX);
            self.numbers.resize(place + 1, 0);
        }
        (self.bits[place], self.numbers[place]) = (bits, numbers);
    }

    fn bits_of(&self, op: Op, known: &impl Fn(Value) -> Option<u64>) -> u64 {
        match op {
            Op::Const(number) => number,
            Op::Binary(Binary::And, a, b) => self.bits(a) & self.bits(b),
            Op::Binary(Binary::Or | Binary::Xor, a, b) | Op::Select(_, a, b) => self.bits(a) | self.bits(b),
            Op::Binary(Binary::AndNot, a, b) => self.bits(a) & !known(b).unwrap_or(0),
            Op::Binary(Binary::ShiftLeft, a, by) => match (known(a), known(by), self.numbers(by)) {
                (_, Some(by @ 0..64), _) => self.bits(a) << by,
                (Some(1), None, Some(numbers)) => numbers,
                _ => u64::MAX,
            },
            Op::Binary(Binary::ShiftRight, a, by) => match known(by) {
                Some(by @ 0..64) => self.bits(a) >> by,
                _ => u64::MAX,
            },
            Op::Binary(Binary::Equal | Binary::NotEqual | Binary::Less | Binary::LessEqual, ..) => 1,
            Op::Unary(Unary::CountOnes | Unary::TrailingZeros | Unary::LeadingZeros, _) => 127,
            _ => u64::MAX,
        }
    }

    /// Indices that are moved by a constant stay within 64 bits, or nothing is known about them.
    fn numbers_of(&self, op: Op, known: &impl Fn(Value) -> Option<u64>) -> u64 {
        let (numbers, by) = match op {
            Op::Binary(Binary::Add, a, b) => match (known(a), known(b)) {
                (None, Some(by)) => (self.numbers(a), by as i64),
                (Some(by), None) => (self.numbers(b), by as i64),
                _ => return 0,
            },
            Op::Binary(Binary::Subtract, a, b) => match known(b) {
                Some(by) => (self.numbers(a), (by as i64).wrapping_neg()),
                None => return 0,
            },
            _ => return 0,
        };
        let Some(numbers) = numbers else { return 0 };
        match by {
            0..64 if numbers << by >> by == numbers => numbers << by,
            -63..0 if numbers >> -by << -by == numbers => numbers >> -by,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::program::builder::{Builder, Tables};
    use crate::{Binary, Op, Stmt};

    /// A builder with a set of fields of the upper three rows of a board of 4 by 4.
    fn shifted(builder: &mut Builder) -> crate::Value {
        let board = builder.word(2);
        let all = builder.constant(0xfff);
        let lower = builder.and(board, all);
        let four = builder.constant(4);
        builder.binary(Binary::ShiftLeft, lower, four)
    }

    #[test]
    fn what_a_mask_leaves_needs_no_other() {
        let mut builder = Builder::new(0);
        let set = shifted(&mut builder);
        let wider = builder.constant(0xffff);
        assert_eq!(builder.and(set, wider), set);
        let narrower = builder.constant(0xff);
        assert_ne!(builder.and(set, narrower), set);
    }

    #[test]
    fn the_way_back_is_always_there() {
        let mut builder = Builder::new(0);
        let mut tables = Tables::default();
        let set = shifted(&mut builder);
        let index = builder.index_in(set);
        let exists = tables.add((0..16).map(|field| u64::from(field >= 4)).collect());
        let south = tables.add((0..16).map(|field: u64| field.saturating_sub(4)).collect());
        let twice = tables.add((0..16).map(|field| u64::from(field >= 8)).collect());
        let answer = builder.table(&tables, exists, index);
        assert_eq!(builder.known(answer), Some(1));
        let back = builder.table(&tables, south, index);
        let by = builder.constant(4_u64.wrapping_neg());
        assert_eq!(back, builder.binary(Binary::Add, index, by));
        // Back where it came from it may be in any row but the last.
        let once_more = builder.table(&tables, exists, back);
        assert_eq!(builder.known(once_more), None);
        let answer = builder.table(&tables, twice, index);
        assert_eq!(builder.known(answer), None);
    }

    #[test]
    fn a_digit_of_a_number_is_the_digit() {
        let mut builder = Builder::new(0);
        let one = builder.constant(1);
        let [a, b] = [2, 3].map(|word| {
            let board = builder.word(word);
            builder.and(board, one)
        });
        let high = builder.binary(Binary::ShiftLeft, b, one);
        let number = builder.or(a, high);
        assert_eq!(builder.and(number, one), a);
        let upper = builder.binary(Binary::ShiftRight, number, one);
        assert_eq!(builder.and(upper, one), b);
    }

    #[test]
    fn numbers_of_other_words_are_not_known() {
        let mut builder = Builder::new(0);
        let mut tables = Tables::default();
        let set = shifted(&mut builder);
        let bit = builder.index_in(set);
        let second = builder.constant(64);
        let index = builder.binary(Binary::Add, bit, second);
        let table = tables.add((0..128).map(|field| u64::from(field < 64)).collect());
        let entry = builder.table(&tables, table, index);
        assert_eq!(builder.known(entry), None);
        let (body, ..) = builder.finish();
        assert!(body.iter().any(|stmt| matches!(stmt, Stmt::Let(_, Op::Table(..)))));
    }
}
