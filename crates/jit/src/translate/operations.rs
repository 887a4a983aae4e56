//! How values are computed.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData, types};
use multigame_mir::{Binary, Op, Unary, Value};

use super::{POSITION, Translator, Word};

/// Words that follow the last table, so that a small index into any table reads memory that is there, even
/// where the program would not come to use it.
pub(crate) const PADDING: usize = 128;

/// Loads with an index: an `If` around them may be what makes the index valid, so they stay where they are.
const INDEXED: MemFlagsData = MemFlagsData::new().with_notrap().with_aligned().with_readonly();

impl Translator<'_, '_> {
    pub(super) fn operation(&mut self, op: &Op) -> Word {
        let layout = &self.surroundings.module.layout;
        let mut limit = u64::MAX;
        let bits = match *op {
            Op::Const(value) => {
                limit = value;
                self.constant(value)
            }
            Op::Word(word) => self.builder.ins().load(types::I64, POSITION, self.position, word as i32 * 8),
            Op::Property(property) => {
                let offset = layout.value_byte(property as usize) as i32;
                let value = self.builder.ins().load(types::I32, POSITION, self.position, offset);
                self.builder.ins().sextend(types::I64, value)
            }
            Op::Table(table, index) => {
                let table = table.0 as usize;
                let entries = &self.surroundings.module.tables[table];
                limit = entries.iter().copied().max().unwrap_or(0);
                // PERF: loads that may move are made where they are needed, which takes far fewer registers.
                let movable = self.word(index).limit < PADDING as u64;
                let flags = if movable { INDEXED.with_can_move() } else { INDEXED };
                let index = self.bits(index);
                self.promise_below(index, entries.len() as u64);
                let address = self.indexed(self.tables, index, 3);
                self.builder.ins().load(types::I64, flags, address, self.surroundings.tables[table])
            }
            Op::Get(variable) => self.builder.use_var(self.variables[variable.0 as usize]),
            Op::Binary(operator, a, b) => return self.binary(operator, a, b),
            Op::Unary(operator, a) => {
                let a = self.bits(a);
                if !matches!(operator, Unary::Not | Unary::Negate) {
                    limit = 64;
                }
                let ins = self.builder.ins();
                match operator {
                    Unary::Not => ins.bnot(a),
                    Unary::Negate => ins.ineg(a),
                    Unary::CountOnes => ins.popcnt(a),
                    Unary::TrailingZeros => ins.ctz(a),
                    Unary::LeadingZeros => ins.clz(a),
                }
            }
            Op::Select(condition, yes, no) => {
                limit = self.word(yes).limit.max(self.word(no).limit);
                let [condition, yes, no] = [self.condition(condition), self.bits(yes), self.bits(no)];
                self.builder.ins().select(condition, yes, no)
            }
        };
        Word { bits, truth: None, limit }
    }

    fn binary(&mut self, operator: Binary, first: Value, second: Value) -> Word {
        let (a, b) = (self.bits(first), self.bits(second));
        match operator {
            Binary::Divide | Binary::Remainder => self.promise_divisor(b),
            Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned => self.promise_below(b, 64),
            _ => {}
        }
        let ins = self.builder.ins();
        let bits = match operator {
            Binary::And => ins.band(a, b),
            Binary::Or => ins.bor(a, b),
            Binary::Xor => ins.bxor(a, b),
            Binary::AndNot => ins.band_not(a, b),
            Binary::Add => ins.iadd(a, b),
            Binary::Subtract => ins.isub(a, b),
            Binary::Multiply => ins.imul(a, b),
            Binary::Divide => ins.sdiv(a, b),
            Binary::Remainder => ins.srem(a, b),
            Binary::ShiftLeft => ins.ishl(a, b),
            Binary::ShiftRight => ins.ushr(a, b),
            Binary::ShiftRightSigned => ins.sshr(a, b),
            Binary::Equal => return self.comparison(IntCC::Equal, a, b),
            Binary::NotEqual => return self.comparison(IntCC::NotEqual, a, b),
            Binary::Less => return self.comparison(IntCC::SignedLessThan, a, b),
            Binary::LessEqual => return self.comparison(IntCC::SignedLessThanOrEqual, a, b),
        };
        let (first, second) = (self.word(first), self.word(second));
        let limit = match operator {
            Binary::And => first.limit.min(second.limit),
            Binary::Or | Binary::Xor => {
                let bits = first.limit | second.limit;
                u64::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0)
            }
            Binary::AndNot | Binary::ShiftRight => first.limit,
            Binary::Add => first.limit.saturating_add(second.limit),
            _ => u64::MAX,
        };
        let truth = match (operator, (first.truth, second.truth)) {
            (Binary::And, (Some(a), Some(b))) => Some(self.builder.ins().band(a, b)),
            (Binary::Or, (Some(a), Some(b))) => Some(self.builder.ins().bor(a, b)),
            _ => None,
        };
        Word { bits, truth, limit }
    }

    fn comparison(&mut self, condition: IntCC, a: ir::Value, b: ir::Value) -> Word {
        let truth = self.builder.ins().icmp(condition, a, b);
        Word { bits: self.builder.ins().uextend(types::I64, truth), truth: Some(truth), limit: 1 }
    }

    /// `base + (index << shift)`
    fn indexed(&mut self, base: ir::Value, index: ir::Value, shift: u64) -> ir::Value {
        let shift = self.constant(shift);
        let distance = self.builder.ins().ishl(index, shift);
        self.builder.ins().iadd(base, distance)
    }

    fn promise_below(&mut self, index: ir::Value, limit: u64) {
        if self.surroundings.checked {
            let limit = self.constant(limit);
            let outside = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, index, limit);
            self.leave(outside, self.broken);
        }
    }

    /// Neither 0 nor -1.
    fn promise_divisor(&mut self, divisor: ir::Value) {
        if self.surroundings.checked {
            let one = self.constant(1);
            let more = self.builder.ins().iadd(divisor, one);
            let bad = self.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, more, one);
            self.leave(bad, self.broken);
        }
    }
}
