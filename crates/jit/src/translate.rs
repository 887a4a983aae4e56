//! One function of a machine program as Cranelift code.
//!
//! The structure of the program maps directly to basic blocks; Cranelift's middle end folds constants, shares what is
//! computed twice and moves what does not change out of loops.
//!
//! Every function is `extern "C" fn(*const u64, *mut Context) -> u64`; the answer is one of [`DONE`], [`FAILED`] and
//! [`BROKEN`]. The position is read-only while a function runs, and no table ever changes: their loads say so.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, AbiParam, BlockArg, InstBuilder, MemFlagsData, SigRef, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use multigame_mir::{Binary, Block, Emission, Function, FunctionId, Module, Op, Stmt, Unary, Value};

use crate::native::Context;

/// The function ran to its end.
pub(crate) const DONE: u64 = 0;

/// The rules made an error.
pub(crate) const FAILED: u64 = 1;

/// The lowering broke its promise about an index, a divisor or a shift; only checked code finds out.
pub(crate) const BROKEN: u64 = 2;

/// Everything besides the function itself.
pub(crate) struct Surroundings<'m> {
    /// The program it belongs to.
    pub module: &'m Module,
    /// Where each table begins, in bytes from the beginning of all.
    pub tables: Vec<i32>,
    /// What the machine wants to know.
    pub config: TargetFrontendConfig,
    /// The signature of [`Context`]'s `grow`.
    pub grow: ir::Signature,
    /// Whether promises of the lowering are checked while the code runs.
    pub checked: bool,
}

/// Translates one function, which must have passed the check.
pub(crate) fn translate(
    surroundings: &Surroundings<'_>,
    function: &Function,
    target: &mut ir::Function,
    context: &mut FunctionBuilderContext,
) {
    let mut builder = FunctionBuilder::new(target, context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    builder.seal_block(entry);
    let parameters = builder.block_params(entry).to_vec();
    let (position, machine) = (parameters[0], parameters[1]);
    let zero = builder.ins().iconst(types::I64, 0);
    // PERF: the address as a value takes one register; as a constant it would be loaded anew for each access.
    let offset = offset_of!(Context, tables) as i32;
    let tables = builder.ins().load(types::I64, POSITION, machine, offset);
    let variables = (0..function.variables).map(|_| {
        let variable = builder.declare_var(types::I64);
        builder.def_var(variable, zero);
        variable
    });
    let variables = variables.collect();
    let grow = builder.import_signature(surroundings.grow.clone());
    let [done, failed, broken] = [(); 3].map(|()| builder.create_block());
    let mut translator = Translator {
        surroundings,
        builder,
        position,
        context: machine,
        tables,
        values: vec![None; function.values as usize],
        variables,
        loops: Vec::new(),
        done,
        failed,
        broken,
        grow,
    };
    for (value, bits) in function.parameters.iter().zip(&parameters[2..]) {
        translator.values[value.0 as usize] = Some(Word { bits: *bits, truth: None, limit: u64::MAX });
    }
    translator.block(&function.body);
    translator.finish(function.results);
}

/// A value and what is known about it.
#[derive(Clone, Copy)]
struct Word {
    bits: ir::Value,
    /// The same as a truth value of 8 bits if it came from a comparison: branches like that better.
    truth: Option<ir::Value>,
    /// It is never greater than this, whatever path leads to it.
    limit: u64,
}

impl Word {
    fn condition(self) -> ir::Value {
        self.truth.unwrap_or(self.bits)
    }
}

struct Translator<'m, 'f> {
    surroundings: &'m Surroundings<'m>,
    builder: FunctionBuilder<'f>,
    position: ir::Value,
    context: ir::Value,
    tables: ir::Value,
    values: Vec<Option<Word>>,
    variables: Vec<Variable>,
    /// Where a break goes, the innermost loop last.
    loops: Vec<ir::Block>,
    done: ir::Block,
    failed: ir::Block,
    broken: ir::Block,
    grow: SigRef,
}

/// Loads from fixed places of the position: nobody writes there, and they are always valid, wherever they are moved.
const POSITION: MemFlagsData =
    MemFlagsData::new().with_notrap().with_aligned().with_readonly().with_can_move();

/// Loads with an index: an `If` around them may be what makes the index valid, so they stay where they are.
const INDEXED: MemFlagsData = MemFlagsData::new().with_notrap().with_aligned().with_readonly();

/// Words that follow the last table, so that a small index into any table reads memory that is there, even where the
/// program would not come to use it.
pub(crate) const PADDING: usize = 128;

/// Everything else that is accessed with 8 bytes or less.
const MEMORY: MemFlagsData = MemFlagsData::new().with_notrap().with_aligned();

/// Copies of 16 bytes, which begin at any word.
const UNALIGNED: MemFlagsData = MemFlagsData::new().with_notrap();

impl Translator<'_, '_> {
    fn block(&mut self, block: &Block) {
        for stmt in block {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(value, op) => {
                let word = self.operation(op);
                self.values[value.0 as usize] = Some(word);
            }
            Stmt::Set(variable, value) => {
                let bits = self.bits(*value);
                self.builder.def_var(self.variables[variable.0 as usize], bits);
            }
            Stmt::If(condition, yes, no) => self.choice(*condition, yes, no),
            Stmt::ForBits { set, index, body } => self.for_bits(*set, *index, body),
            Stmt::Loop(body) => self.endless(body),
            Stmt::BreakIf(value) => {
                let condition = self.condition(*value);
                let target = *self.loops.last().expect("checked: inside a loop");
                self.leave(condition, target);
            }
            Stmt::ReturnIf(value) => {
                let condition = self.condition(*value);
                self.leave(condition, self.done);
            }
            Stmt::FailIf(value) => {
                let condition = self.condition(*value);
                self.leave(condition, self.failed);
            }
            Stmt::Emit(emission) => self.emit(emission),
            Stmt::Call { function, arguments, results } => self.call(*function, arguments, results),
        }
    }

    /// Calls another function through the context's list; what it reports is read from the context.
    fn call(&mut self, function: FunctionId, arguments: &[Value], results: &[Value]) {
        let mut signature = ir::Signature::new(self.surroundings.config.default_call_conv);
        signature.params.extend(vec![AbiParam::new(types::I64); 2 + arguments.len()]);
        signature.returns.push(AbiParam::new(types::I64));
        let signature = self.builder.import_signature(signature);
        let functions = self.field(offset_of!(Context, functions));
        let callee = self.builder.ins().load(types::I64, MEMORY, functions, function.0 as i32 * 8);
        let mut values = vec![self.position, self.context];
        values.extend(arguments.iter().map(|argument| self.bits(*argument)));
        let call = self.builder.ins().call_indirect(signature, callee, &values);
        let answer = self.builder.inst_results(call)[0];
        self.leave(answer, self.failed);
        for (number, result) in results.iter().enumerate() {
            let bits = self.field(offset_of!(Context, variables) + number * 8);
            self.values[result.0 as usize] = Some(Word { bits, truth: None, limit: u64::MAX });
        }
    }

    /// Goes to another block if the condition holds.
    fn leave(&mut self, condition: ir::Value, target: ir::Block) {
        let next = self.builder.create_block();
        self.builder.ins().brif(condition, target, &[], next, &[]);
        self.enter(next);
    }

    /// Goes on with a block all of whose predecessors are known.
    fn enter(&mut self, block: ir::Block) {
        self.builder.switch_to_block(block);
        self.builder.seal_block(block);
    }

    fn choice(&mut self, condition: Value, yes: &Block, no: &Block) {
        let condition = self.condition(condition);
        let [first, second, join] = [(); 3].map(|()| self.builder.create_block());
        self.builder.ins().brif(condition, first, &[], second, &[]);
        for (block, body) in [(first, yes), (second, no)] {
            self.enter(block);
            self.block(body);
            self.builder.ins().jump(join, &[]);
        }
        self.enter(join);
    }

    fn for_bits(&mut self, set: Value, index: Value, body: &Block) {
        let set = self.bits(set);
        let [each, after] = [(); 2].map(|()| self.builder.create_block());
        let bits = self.builder.append_block_param(each, types::I64);
        self.builder.ins().brif(set, each, &[BlockArg::Value(set)], after, &[]);
        self.builder.switch_to_block(each);
        let number = self.builder.ins().ctz(bits);
        self.values[index.0 as usize] = Some(Word { bits: number, truth: None, limit: 63 });
        self.block(body);
        let minus_one = self.constant(u64::MAX);
        let below = self.builder.ins().iadd(bits, minus_one);
        let rest = self.builder.ins().band(bits, below);
        self.builder.ins().brif(rest, each, &[BlockArg::Value(rest)], after, &[]);
        self.builder.seal_block(each);
        self.enter(after);
    }

    fn endless(&mut self, body: &Block) {
        let [again, after] = [(); 2].map(|()| self.builder.create_block());
        self.builder.ins().jump(again, &[]);
        self.builder.switch_to_block(again);
        self.loops.push(after);
        self.block(body);
        self.loops.pop();
        self.builder.ins().jump(again, &[]);
        self.builder.seal_block(again);
        self.enter(after);
    }

    fn emit(&mut self, emission: &Emission) {
        let next = self.field(offset_of!(Context, next));
        let end = self.field(offset_of!(Context, end));
        let full = self.builder.ins().icmp(IntCC::Equal, next, end);
        let [grow, ready] = [(); 2].map(|()| self.builder.create_block());
        let child = self.builder.append_block_param(ready, types::I64);
        self.builder.ins().brif(full, grow, &[], ready, &[BlockArg::Value(next)]);

        self.enter(grow);
        self.builder.set_cold_block(grow);
        let callee = self.field(offset_of!(Context, grow));
        self.builder.ins().call_indirect(self.grow, callee, &[self.context]);
        let next = self.field(offset_of!(Context, next));
        self.builder.ins().jump(ready, &[BlockArg::Value(next)]);

        self.enter(ready);
        self.write_child(child, emission);
        let stride = self.constant(self.surroundings.module.layout.words() as u64 * 8);
        let next = self.builder.ins().iadd(child, stride);
        self.builder.ins().store(MEMORY, next, self.context, offset_of!(Context, next) as i32);
    }

    fn write_child(&mut self, child: ir::Value, emission: &Emission) {
        let layout = &self.surroundings.module.layout;
        let mut words: Vec<Content> = vec![Content::Copied; layout.words()];
        for pair in 0..layout.values / 2 {
            let written = |value: usize| emission.values.iter().any(|&(number, _)| number as usize == value);
            if written(2 * pair) && written(2 * pair + 1) {
                words[layout.first_value_word() + pair] = Content::WrittenLater;
            }
        }
        for &(word, value) in &emission.words {
            words[word as usize] = Content::Changed(self.bits(value));
        }
        let mut word = 0;
        while word < words.len() {
            let offset = word as i32 * 8;
            match words[word] {
                Content::WrittenLater => {}
                Content::Changed(value) => {
                    self.builder.ins().store(MEMORY, value, child, offset);
                }
                Content::Copied => {
                    let wide = matches!(words.get(word + 1), Some(Content::Copied));
                    let (ty, flags) = if wide { (types::I8X16, UNALIGNED) } else { (types::I64, MEMORY) };
                    let old = self.builder.ins().load(ty, flags, self.position, offset);
                    self.builder.ins().store(flags, old, child, offset);
                    word += usize::from(wide);
                }
            }
            word += 1;
        }
        for &(number, value) in &emission.values {
            let value = self.bits(value);
            let offset = layout.value_byte(number as usize) as i32;
            self.builder.ins().istore32(MEMORY, value, child, offset);
        }
    }

    fn operation(&mut self, op: &Op) -> Word {
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
            Op::PropertyAt(base, index) => {
                let index = self.bits(index);
                self.promise_below(index, (layout.values - base as usize) as u64);
                let address = self.indexed(self.position, index, 2);
                let offset = layout.value_byte(base as usize) as i32;
                self.builder.ins().sload32(INDEXED, address, offset)
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

    fn constant(&mut self, value: u64) -> ir::Value {
        self.builder.ins().iconst(types::I64, value as i64)
    }

    /// A field of the context.
    fn field(&mut self, offset: usize) -> ir::Value {
        self.builder.ins().load(types::I64, MEMORY, self.context, offset as i32)
    }

    fn word(&self, value: Value) -> Word {
        self.values[value.0 as usize].expect("checked: defined before")
    }

    fn bits(&self, value: Value) -> ir::Value {
        self.word(value).bits
    }

    fn condition(&self, value: Value) -> ir::Value {
        self.word(value).condition()
    }

    /// Writes the ends of the function.
    fn finish(mut self, results: u32) {
        self.builder.ins().jump(self.done, &[]);
        self.enter(self.done);
        for (index, variable) in self.variables.iter().take(results as usize).enumerate() {
            let value = self.builder.use_var(*variable);
            let offset = offset_of!(Context, variables) + index * 8;
            self.builder.ins().store(MEMORY, value, self.context, offset as i32);
        }
        for (block, answer) in [(self.done, DONE), (self.failed, FAILED), (self.broken, BROKEN)] {
            if block != self.done {
                self.enter(block);
                self.builder.set_cold_block(block);
            }
            let answer = self.constant(answer);
            self.builder.ins().return_(&[answer]);
        }
        self.builder.finalize(self.surroundings.config);
    }
}

/// What becomes of a word of an emitted position.
#[derive(Clone, Copy)]
enum Content {
    Copied,
    Changed(ir::Value),
    /// Both of its values are changed.
    WrittenLater,
}
