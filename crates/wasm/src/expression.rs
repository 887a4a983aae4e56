//! How values are computed. What is used once is computed where it is used, on the stack; what is used more
//! often gets a local.

use multigame_mir::{Binary, Op, Unary, Value, Variable, operands};
use wasm_encoder::{InstructionSink, ValType};

use crate::function::{HALF, POSITION, WORD, Writer, memory};
use crate::slots::Slot;

/// Deeper expressions are cut: writing them nests as deeply.
const DEEPEST: u32 = 40;

/// How a value lies on the stack or in a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// 64 bits.
    Long,
    /// 32 bits, which are 0 or 1: comparisons give it and branches want it.
    Truth,
}

impl Kind {
    fn type_(self) -> ValType {
        match self {
            Kind::Long => ValType::I64,
            Kind::Truth => ValType::I32,
        }
    }
}

/// Where a value is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Held {
    /// It is not defined, or not used any more.
    Nowhere,
    Constant(u64),
    Parameter(u32),
    /// The number of the lowest bit in that local.
    Lowest(u32),
    Local(Slot, Kind),
    /// It is computed where it is used, by an expression of this depth.
    Inline(Op, Kind, u32),
}

impl Writer<'_> {
    /// Defines a value, if anything uses it.
    pub(crate) fn define(&mut self, value: Value, op: Op) {
        let number = value.0 as usize;
        let used = self.uses[number];
        if used.count == 0 {
            return;
        }
        if let Op::Const(constant) = op {
            self.values[number] = Held::Constant(constant);
            return;
        }
        let (kind, depth) = (self.kind(op), self.depth_of(op));
        if used.count == 1 && used.here && depth < DEEPEST {
            self.values[number] = Held::Inline(op, kind, depth);
            if self.reads(op, None) {
                self.reading.push(value);
            }
        } else {
            self.operation(op, kind);
            self.keep(value, kind);
        }
    }

    /// Puts what is on the stack into a local for a value.
    pub(crate) fn keep(&mut self, value: Value, kind: Kind) {
        let slot = self.slots.take(kind.type_());
        let number = value.0 as usize;
        self.values[number] = Held::Local(slot, kind);
        self.left[number] = self.uses[number].count;
        self.ins().local_set(slot.local);
    }

    /// Computes what reads a variable that is about to change, or any variable.
    pub(crate) fn settle(&mut self, variable: Option<Variable>) {
        // Later ones may contain earlier ones.
        for place in (0..self.reading.len()).rev() {
            let value = self.reading[place];
            match self.values[value.0 as usize] {
                Held::Inline(op, kind, _) => {
                    if self.reads(op, variable) {
                        self.operation(op, kind);
                        self.keep(value, kind);
                        self.reading.remove(place);
                    }
                }
                _ => {
                    self.reading.remove(place);
                }
            }
        }
    }

    /// Whether an expression reads a variable, or any variable.
    fn reads(&self, op: Op, variable: Option<Variable>) -> bool {
        if let Op::Get(read) = op {
            return variable.is_none_or(|variable| variable == read);
        }
        let mut found = false;
        operands(&op, &mut |operand| {
            if let Held::Inline(inner, ..) = self.values[operand.0 as usize] {
                found |= self.reads(inner, variable);
            }
        });
        found
    }

    fn depth_of(&self, op: Op) -> u32 {
        let mut deepest = 0;
        operands(&op, &mut |operand| {
            if let Held::Inline(_, _, depth) = self.values[operand.0 as usize] {
                deepest = deepest.max(depth);
            }
        });
        deepest + 1
    }

    fn is_truth(&self, value: Value) -> bool {
        let held = self.values[value.0 as usize];
        matches!(held, Held::Local(_, Kind::Truth) | Held::Inline(_, Kind::Truth, _))
    }

    /// Whether it can be had as a truth.
    fn is_bit(&self, value: Value) -> bool {
        self.is_truth(value) || matches!(self.values[value.0 as usize], Held::Constant(0 | 1))
    }

    fn kind(&self, op: Op) -> Kind {
        use Binary::{And, AndNot, Equal, Less, LessEqual, NotEqual, Or, Xor};
        let both = |a, b| {
            let bits = self.is_bit(a) && self.is_bit(b);
            if bits && (self.is_truth(a) || self.is_truth(b)) { Kind::Truth } else { Kind::Long }
        };
        match op {
            Op::Binary(Equal | NotEqual | Less | LessEqual, ..) => Kind::Truth,
            Op::Binary(And | Or | Xor | AndNot, a, b) | Op::Select(_, a, b) => both(a, b),
            _ => Kind::Long,
        }
    }

    /// Puts a value on the stack as 64 bits.
    pub(crate) fn long(&mut self, value: Value) {
        match self.values[value.0 as usize] {
            Held::Constant(constant) => {
                self.ins().i64_const(constant as i64);
            }
            _ => {
                if self.get(value) == Kind::Truth {
                    self.ins().i64_extend_i32_u();
                }
            }
        }
    }

    /// Puts a value that is a truth or the constant 0 or 1 on the stack as 32 bits.
    fn truth(&mut self, value: Value) {
        match self.values[value.0 as usize] {
            Held::Constant(constant) => {
                self.ins().i32_const(constant as i32);
            }
            _ => {
                self.get(value);
            }
        }
    }

    /// Puts something on the stack that is not 0, as 32 bits, if the value is not 0.
    pub(crate) fn condition(&mut self, value: Value) {
        match self.values[value.0 as usize] {
            Held::Constant(constant) => {
                self.ins().i32_const(i32::from(constant != 0));
            }
            _ => {
                if self.get(value) == Kind::Long {
                    self.ins().i64_const(0).i64_ne();
                }
            }
        }
    }

    /// Puts a value that is not a constant on the stack.
    fn get(&mut self, value: Value) -> Kind {
        let number = value.0 as usize;
        match self.values[number] {
            Held::Nowhere | Held::Constant(_) => unreachable!("checked: defined before, and not a constant"),
            Held::Parameter(local) => {
                self.ins().local_get(local);
                Kind::Long
            }
            Held::Lowest(bits) => {
                self.ins().local_get(bits).i64_ctz();
                Kind::Long
            }
            Held::Local(slot, kind) => {
                self.ins().local_get(slot.local);
                self.left[number] -= 1;
                if self.left[number] == 0 {
                    self.slots.give_back(slot);
                }
                kind
            }
            Held::Inline(op, kind, _) => {
                self.operation(op, kind);
                self.values[number] = Held::Nowhere;
                kind
            }
        }
    }

    /// Puts the result of an operation on the stack.
    fn operation(&mut self, op: Op, kind: Kind) {
        let layout = &self.surroundings.module.layout;
        match op {
            Op::Const(_) => unreachable!("constants have no operation"),
            Op::Word(word) => {
                self.ins().local_get(POSITION).i64_load(memory(u64::from(word) * 8, WORD));
            }
            Op::Property(property) => {
                let place = layout.value_byte(property as usize) as u64;
                self.ins().local_get(POSITION).i64_load32_s(memory(place, HALF));
            }
            Op::Table(table, index) => self.entry(table.0 as usize, index),
            Op::Get(variable) => {
                let local = self.variables[variable.0 as usize];
                self.ins().local_get(local);
            }
            Op::Binary(operator, a, b) => self.binary(operator, kind, a, b),
            Op::Unary(operator, a) => self.unary(operator, a),
            Op::Select(condition, yes, no) => {
                for value in [yes, no] {
                    if kind == Kind::Truth { self.truth(value) } else { self.long(value) }
                }
                self.condition(condition);
                self.ins().select();
            }
        }
    }

    fn entry(&mut self, table: usize, index: Value) {
        let place = u64::from(self.surroundings.tables[table]);
        let length = self.surroundings.module.tables[table].len() as u64;
        match self.values[index.0 as usize] {
            Held::Constant(index) if index < length => {
                self.ins().i32_const(0).i64_load(memory(place + index * 8, WORD));
            }
            _ => {
                self.long(index);
                self.promise_below(length);
                self.ins().i32_wrap_i64().i32_const(3).i32_shl().i64_load(memory(place, WORD));
            }
        }
    }

    fn unary(&mut self, operator: Unary, a: Value) {
        if operator == Unary::Negate {
            self.ins().i64_const(0);
        }
        self.long(a);
        let mut ins = self.ins();
        match operator {
            Unary::Not => ins.i64_const(-1).i64_xor(),
            Unary::Negate => ins.i64_sub(),
            Unary::CountOnes => ins.i64_popcnt(),
            Unary::TrailingZeros => ins.i64_ctz(),
            Unary::LeadingZeros => ins.i64_clz(),
        };
    }

    fn binary(&mut self, operator: Binary, kind: Kind, a: Value, b: Value) {
        let zero = matches!(self.values[b.0 as usize], Held::Constant(0));
        match operator {
            Binary::Equal | Binary::NotEqual if zero => {
                self.condition(a);
                if operator == Binary::Equal {
                    self.ins().i32_eqz();
                }
            }
            Binary::And | Binary::Or | Binary::Xor | Binary::AndNot if kind == Kind::Truth => {
                self.truth(a);
                self.truth(b);
                let mut ins = self.ins();
                match operator {
                    Binary::And => ins.i32_and(),
                    Binary::Or => ins.i32_or(),
                    Binary::Xor => ins.i32_xor(),
                    _ => ins.i32_eqz().i32_and(),
                };
            }
            _ => {
                self.long(a);
                self.long(b);
                self.promise_operand(operator, b);
                arithmetic(&mut self.ins(), operator);
            }
        }
    }

    /// Checks the second operand, which is on the stack, where that is asked for.
    fn promise_operand(&mut self, operator: Binary, operand: Value) {
        match operator {
            Binary::Divide | Binary::Remainder => self.promise_divisor(),
            // Most distances are constants.
            _ if matches!(self.values[operand.0 as usize], Held::Constant(1..64)) => {}
            Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned => self.promise_below(64),
            _ => {}
        }
    }

    fn promise_below(&mut self, limit: u64) {
        if self.surroundings.checked {
            let kept = self.slots.take(ValType::I64);
            self.ins().local_tee(kept.local).i64_const(limit as i64).i64_ge_u();
            self.broken_if();
            self.ins().local_get(kept.local);
            self.slots.give_back(kept);
        }
    }

    /// Neither 0 nor -1.
    fn promise_divisor(&mut self) {
        if self.surroundings.checked {
            let kept = self.slots.take(ValType::I64);
            self.ins().local_tee(kept.local).i64_const(1).i64_add().i64_const(1).i64_le_u();
            self.broken_if();
            self.ins().local_get(kept.local);
            self.slots.give_back(kept);
        }
    }
}

/// An operation on two words that are on the stack.
fn arithmetic(ins: &mut InstructionSink<'_>, operator: Binary) {
    match operator {
        Binary::And => ins.i64_and(),
        Binary::Or => ins.i64_or(),
        Binary::Xor => ins.i64_xor(),
        Binary::AndNot => ins.i64_const(-1).i64_xor().i64_and(),
        Binary::Add => ins.i64_add(),
        Binary::Subtract => ins.i64_sub(),
        Binary::Multiply => ins.i64_mul(),
        Binary::Divide => ins.i64_div_s(),
        Binary::Remainder => ins.i64_rem_s(),
        Binary::ShiftLeft => ins.i64_shl(),
        Binary::ShiftRight => ins.i64_shr_u(),
        Binary::ShiftRightSigned => ins.i64_shr_s(),
        Binary::Equal => ins.i64_eq(),
        Binary::NotEqual => ins.i64_ne(),
        Binary::Less => ins.i64_lt_s(),
        Binary::LessEqual => ins.i64_le_s(),
    };
}
