//! The uses of each value of a function, so that a value used once can be written where it is used.

use crate::{Block, Function, Stmt, Value, blocks, operands};

/// What is known about the uses of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// How often it is used.
    pub count: u32,
    /// Whether the use, if it is the only one, is in the block of the definition itself.
    pub here: bool,
}

/// Counts the uses of all values by what has an effect; what only serves unused values does not count.
pub fn used(function: &Function) -> Vec<Use> {
    let count = function.values as usize;
    let mut needed = vec![false; count];
    mark(&function.body, &mut needed);
    let mut counter =
        Counter { needed, uses: vec![Use::default(); count], defined: vec![0; count], blocks: 0 };
    counter.block(&function.body);
    counter.uses
}

/// Marks the values that are needed. Values are defined before they are used, so one look from behind is
/// enough.
fn mark(block: &Block, needed: &mut [bool]) {
    for stmt in block.iter().rev() {
        if let Stmt::Let(value, op) = stmt {
            if needed[value.0 as usize] {
                operands(op, &mut |operand| needed[operand.0 as usize] = true);
            }
            continue;
        }
        blocks(stmt).for_each(|inside| mark(inside, needed));
        crate::uses(stmt, &mut |value| needed[value.0 as usize] = true);
    }
}

struct Counter {
    needed: Vec<bool>,
    uses: Vec<Use>,
    /// The block in which each value is defined.
    defined: Vec<u32>,
    blocks: u32,
}

impl Counter {
    fn block(&mut self, block: &Block) {
        self.blocks += 1;
        let number = self.blocks;
        for stmt in block {
            if let Stmt::Let(value, op) = stmt {
                if self.needed[value.0 as usize] {
                    operands(op, &mut |operand| self.used(operand, number));
                }
                self.defined[value.0 as usize] = number;
                continue;
            }
            crate::uses(stmt, &mut |value| self.used(value, number));
            let inside: Vec<&Block> = blocks(stmt).collect();
            inside.into_iter().rev().for_each(|block| self.block(block));
        }
    }

    fn used(&mut self, value: Value, block: u32) {
        let index = value.0 as usize;
        self.uses[index].count += 1;
        self.uses[index].here = self.defined[index] == block;
    }
}
