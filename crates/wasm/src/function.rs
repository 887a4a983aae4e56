//! One function of a machine program as a function of WebAssembly.
//!
//! The structure of the program maps directly to that of WebAssembly. Every function is given the addresses
//! of a position and of a [`Context`] and answers one of [`DONE`], [`FAILED`] and [`BROKEN`].

use std::mem::offset_of;

use multigame_mir::{Block, Emission, Function, FunctionId, Module, Stmt, Use, Value, used};
use wasm_encoder::{BlockType, InstructionSink, MemArg, MemArgTarget, ValType};

use crate::context::{BROKEN, Context, DONE, FAILED};
use crate::expression::{Held, Kind};
use crate::module::GROW;
use crate::slots::Slots;

/// The local with the address of the position.
pub(crate) const POSITION: u32 = 0;

/// The local with the address of the context.
const CONTEXT: u32 = 1;

/// Everything besides the function itself.
pub(crate) struct Surroundings<'m> {
    /// The program it belongs to.
    pub module: &'m Module,
    /// The address of each table.
    pub tables: Vec<u32>,
    /// The number of each function in the WebAssembly module.
    pub exports: &'m [Option<u32>],
    /// Which functions can come back to themselves.
    pub recursive: Vec<bool>,
    /// Whether promises of the lowering are checked while the code runs.
    pub checked: bool,
}

/// Translates one function, which must have passed the check: the types of its locals, and its instructions.
pub(crate) fn write(surroundings: &Surroundings<'_>, function: &Function) -> (Vec<ValType>, Vec<u8>) {
    let parameters = 2 + function.parameters.len() as u32;
    let mut slots = Slots::new(parameters);
    let child = slots.fresh(ValType::I32);
    let variables = (0..function.variables).map(|_| slots.fresh(ValType::I64)).collect();
    let mut writer = Writer {
        surroundings,
        code: Vec::new(),
        uses: used(function),
        values: vec![Held::Nowhere; function.values as usize],
        left: vec![0; function.values as usize],
        reading: Vec::new(),
        slots,
        child,
        variables,
        depth: 0,
        breaks: Vec::new(),
        ends: Ends::default(),
    };
    for (number, value) in function.parameters.iter().enumerate() {
        writer.values[value.0 as usize] = Held::Parameter(2 + number as u32);
    }
    writer.function(function);
    (writer.slots.types(), writer.code)
}

/// The blocks that end a function, by their depth.
#[derive(Default)]
struct Ends {
    done: u32,
    failed: u32,
    broken: u32,
}

pub(crate) struct Writer<'m> {
    pub surroundings: &'m Surroundings<'m>,
    code: Vec<u8>,
    pub uses: Vec<Use>,
    pub values: Vec<Held>,
    /// How often values that have a local will still be used.
    pub left: Vec<u32>,
    /// Values that are computed where they are used, and read variables.
    pub reading: Vec<Value>,
    pub slots: Slots,
    /// The local for the address of a child.
    child: u32,
    /// The local of each variable.
    pub variables: Vec<u32>,
    /// How many blocks are open.
    depth: u32,
    /// The depths of the blocks that breaks leave, the innermost loop last.
    breaks: Vec<u32>,
    ends: Ends,
}

/// A place in memory that is a multiple of the size of what is there.
pub(crate) fn memory(offset: u64, align: u32) -> MemArg {
    MemArg { offset, align, target: MemArgTarget::Memory(0), ordering: None }
}

/// 8 bytes.
pub(crate) const WORD: u32 = 3;

/// 4 bytes.
pub(crate) const HALF: u32 = 2;

impl Writer<'_> {
    pub(crate) fn ins(&mut self) -> InstructionSink<'_> {
        InstructionSink::new(&mut self.code)
    }

    fn function(&mut self, function: &Function) {
        self.ends.broken = self.open();
        self.ends.failed = self.open();
        self.ends.done = self.open();
        self.block(&function.body);
        self.close();
        for number in 0..function.results as usize {
            let variable = self.variables[number];
            self.ins().local_get(CONTEXT).local_get(variable);
            let place = offset_of!(Context, variables) + 8 * number;
            self.ins().i64_store(memory(place as u64, WORD));
        }
        for answer in [DONE, FAILED] {
            self.ins().i32_const(answer as i32).return_();
            self.close();
        }
        self.ins().i32_const(BROKEN as i32).end();
    }

    /// Begins a block; the answer is what [`Writer::leave_if`] is told to leave it.
    fn open(&mut self) -> u32 {
        self.ins().block(BlockType::Empty);
        self.depth += 1;
        self.depth
    }

    fn close(&mut self) {
        self.ins().end();
        self.depth -= 1;
    }

    /// Goes to the end of a block if what is on the stack is not 0.
    fn leave_if(&mut self, block: u32) {
        let label = self.depth - block;
        self.ins().br_if(label);
    }

    pub(crate) fn broken_if(&mut self) {
        self.leave_if(self.ends.broken);
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(value, op) => self.define(*value, *op),
            Stmt::Set(variable, value) => {
                self.long(*value);
                self.settle(Some(*variable));
                let variable = self.variables[variable.0 as usize];
                self.ins().local_set(variable);
            }
            Stmt::If(condition, yes, no) => self.choice(*condition, yes, no),
            Stmt::ForBits { set, index, body } => self.for_bits(*set, *index, body),
            Stmt::Loop(body) => self.endless(body),
            Stmt::BreakIf(value) => {
                self.condition(*value);
                let target = *self.breaks.last().expect("checked: inside a loop");
                self.leave_if(target);
            }
            Stmt::ReturnIf(value) => {
                self.condition(*value);
                self.leave_if(self.ends.done);
            }
            Stmt::FailIf(value) => {
                self.condition(*value);
                self.leave_if(self.ends.failed);
            }
            Stmt::Emit(emission) => self.emit(emission),
            Stmt::Call { function, arguments, results } => self.call(*function, arguments, results),
        }
    }

    fn choice(&mut self, condition: Value, yes: &Block, no: &Block) {
        self.condition(condition);
        self.settle(None);
        if yes.is_empty() {
            self.ins().i32_eqz();
        }
        let (first, second) = if yes.is_empty() { (no, yes) } else { (yes, no) };
        self.ins().if_(BlockType::Empty);
        self.depth += 1;
        self.block(first);
        if !second.is_empty() {
            self.settle(None);
            self.ins().else_();
            self.block(second);
        }
        self.settle(None);
        self.close();
    }

    fn for_bits(&mut self, set: Value, index: Value, body: &Block) {
        let bits = self.slots.take(ValType::I64);
        self.long(set);
        self.settle(None);
        self.ins().local_tee(bits.local).i64_const(0).i64_ne().if_(BlockType::Empty).loop_(BlockType::Empty);
        self.depth += 2;
        self.slots.open_loop();
        // The bits are the same until the end of a round.
        self.values[index.0 as usize] = Held::Lowest(bits.local);
        if self.uses[index.0 as usize].count > 1 {
            self.ins().local_get(bits.local).i64_ctz();
            self.keep(index, Kind::Long);
        }
        self.block(body);
        self.settle(None);
        self.ins().local_get(bits.local).local_get(bits.local).i64_const(-1).i64_add().i64_and();
        self.ins().local_tee(bits.local).i64_const(0).i64_ne().br_if(0);
        self.close();
        self.close();
        self.slots.close_loop();
        self.slots.give_back(bits);
    }

    fn endless(&mut self, body: &Block) {
        self.settle(None);
        let after = self.open();
        self.ins().loop_(BlockType::Empty);
        self.depth += 1;
        self.slots.open_loop();
        self.breaks.push(after);
        self.block(body);
        self.settle(None);
        self.breaks.pop();
        self.ins().br(0);
        self.close();
        self.close();
        self.slots.close_loop();
    }

    /// Calls a function of the same module; what it reports is read from the context.
    fn call(&mut self, function: FunctionId, arguments: &[Value], results: &[Value]) {
        self.count_down(offset_of!(Context, calls), -1);
        let recursive = self.surroundings.recursive[function.0 as usize];
        if recursive {
            self.count_down(offset_of!(Context, depth), -1);
        }
        self.ins().local_get(POSITION).local_get(CONTEXT);
        arguments.iter().for_each(|argument| self.long(*argument));
        let callee = self.surroundings.exports[function.0 as usize];
        self.ins().call(callee.expect("what is called is wanted"));
        if self.surroundings.checked {
            let answer = self.slots.take(ValType::I32);
            self.ins().local_tee(answer.local).i32_const(BROKEN as i32).i32_eq();
            self.broken_if();
            self.ins().local_get(answer.local);
            self.slots.give_back(answer);
        }
        self.leave_if(self.ends.failed);
        if recursive {
            self.count_down(offset_of!(Context, depth), 1);
        }
        for (number, result) in results.iter().enumerate() {
            if self.uses[result.0 as usize].count > 0 {
                let place = offset_of!(Context, variables) + number * 8;
                self.ins().local_get(CONTEXT).i64_load(memory(place as u64, WORD));
                self.keep(*result, Kind::Long);
            }
        }
    }

    /// Changes a number of the context, which must not become 0.
    fn count_down(&mut self, field: usize, by: i64) {
        let place = memory(field as u64, WORD);
        let changed = self.slots.take(ValType::I64);
        self.ins().local_get(CONTEXT).local_get(CONTEXT).i64_load(place).i64_const(by).i64_add();
        self.ins().local_tee(changed.local).i64_store(place);
        if by < 0 {
            self.ins().local_get(changed.local).i64_eqz();
            self.leave_if(self.ends.failed);
        }
        self.slots.give_back(changed);
    }

    /// Writes a child behind the last one.
    fn emit(&mut self, emission: &Emission) {
        let [next, end, grow] =
            [offset_of!(Context, next), offset_of!(Context, end), offset_of!(Context, grow)]
                .map(|field| memory(field as u64, HALF));
        let child = self.child;
        self.ins().local_get(CONTEXT).i32_load(next).local_tee(child);
        self.ins().local_get(CONTEXT).i32_load(end).i32_eq().if_(BlockType::Empty);
        self.ins().local_get(CONTEXT).local_get(CONTEXT).i32_load(grow).call_indirect(0, GROW);
        self.ins().local_get(CONTEXT).i32_load(next).local_set(child).end();
        self.write_child(emission);
        let stride = self.surroundings.module.layout.words() as i32 * 8;
        self.ins().local_get(CONTEXT).local_get(child).i32_const(stride).i32_add().i32_store(next);
    }

    fn write_child(&mut self, emission: &Emission) {
        let layout = &self.surroundings.module.layout;
        let mut copied = vec![true; layout.words()];
        for pair in 0..layout.values / 2 {
            let written = |value: usize| emission.values.iter().any(|&(number, _)| number as usize == value);
            copied[layout.first_value_word() + pair] = !(written(2 * pair) && written(2 * pair + 1));
        }
        emission.words.iter().for_each(|&(word, _)| copied[word as usize] = false);
        let child = self.child;
        for word in (0..copied.len()).filter(|&word| copied[word]) {
            let place = memory(word as u64 * 8, WORD);
            self.ins().local_get(child).local_get(POSITION).i64_load(place).i64_store(place);
        }
        for &(word, value) in &emission.words {
            self.ins().local_get(child);
            self.long(value);
            self.ins().i64_store(memory(u64::from(word) * 8, WORD));
        }
        for &(number, value) in &emission.values {
            self.ins().local_get(child);
            self.long(value);
            self.ins().i64_store32(memory(layout.value_byte(number as usize) as u64, HALF));
        }
    }
}
