//! One function of a machine program as Cranelift code.
//!
//! The structure of the program maps directly to basic blocks; Cranelift's middle end folds constants, shares
//! what is computed twice and moves what does not change out of loops.
//!
//! Every function is `extern "C" fn(*const u64, *mut Context) -> u64`; the answer is one of [`DONE`],
//! [`FAILED`] and [`BROKEN`]. The position is read-only while a function runs, and no table ever changes:
//! their loads say so.

mod emission;
mod operations;

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, AbiParam, BlockArg, InstBuilder, MemFlagsData, SigRef, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use multigame_mir::{Block, Function, FunctionId, Module, Stmt, Value};

pub(crate) use self::operations::PADDING;
use crate::machine_code::Context;

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
    /// Which functions can come back to themselves.
    pub recursive: Vec<bool>,
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

/// Loads from fixed places of the position: nothing writes there, and they are always valid, wherever they
/// are moved.
const POSITION: MemFlagsData =
    MemFlagsData::new().with_notrap().with_aligned().with_readonly().with_can_move();

/// Everything else that is accessed with 8 bytes or less.
const MEMORY: MemFlagsData = MemFlagsData::new().with_notrap().with_aligned();

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

    /// Calls a function through the context's list; what it reports is read from the context.
    fn call(&mut self, function: FunctionId, arguments: &[Value], results: &[Value]) {
        let left = self.field(offset_of!(Context, calls));
        let left = self.builder.ins().iadd_imm_s(left, -1);
        self.builder.ins().store(MEMORY, left, self.context, offset_of!(Context, calls) as i32);
        let none = self.builder.ins().icmp_imm_s(IntCC::Equal, left, 0);
        self.leave(none, self.failed);
        let recursive = self.surroundings.recursive[function.0 as usize];
        if recursive {
            let deeper = self.add_to_depth(-1);
            let too_deep = self.builder.ins().icmp_imm_s(IntCC::Equal, deeper, 0);
            self.leave(too_deep, self.failed);
        }
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
        if self.surroundings.checked {
            let broken = self.constant(BROKEN);
            let broken = self.builder.ins().icmp(IntCC::Equal, answer, broken);
            self.leave(broken, self.broken);
        }
        self.leave(answer, self.failed);
        if recursive {
            self.add_to_depth(1);
        }
        for (number, result) in results.iter().enumerate() {
            let bits = self.field(offset_of!(Context, variables) + number * 8);
            self.values[result.0 as usize] = Some(Word { bits, truth: None, limit: u64::MAX });
        }
    }

    /// Changes how many calls may still be nested.
    fn add_to_depth(&mut self, by: i64) -> ir::Value {
        let depth = self.field(offset_of!(Context, depth));
        let changed = self.builder.ins().iadd_imm_s(depth, by);
        self.builder.ins().store(MEMORY, changed, self.context, offset_of!(Context, depth) as i32);
        changed
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
