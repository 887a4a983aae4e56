//! How positions are emitted.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlagsData, types};
use multigame_mir::Emission;

use super::{MEMORY, Translator};
use crate::machine_code::Context;

/// Copies of 16 bytes, which begin at any word.
const UNALIGNED: MemFlagsData = MemFlagsData::new().with_notrap();

/// What becomes of a word of an emitted position.
#[derive(Clone, Copy)]
enum Content {
    Copied,
    Changed(ir::Value),
    /// Both of its values are changed.
    WrittenLater,
}

impl Translator<'_, '_> {
    /// Writes a child behind the last one.
    pub(super) fn emit(&mut self, emission: &Emission) {
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
}
