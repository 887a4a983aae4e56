//! Which functions call which, and how far calls may go.
//!
//! Rules may nest without end where no player ever sees it: loops that come to no result, rules that call themselves.
//! Machine code gives up at these limits, and the interpreter, which notices that it comes to the same states again,
//! answers instead. Back ends must keep both.

use crate::{Block, FunctionId, Module, Stmt};

/// So many calls are made in one position at most.
pub const MOST_CALLS: u64 = 1 << 18;

/// So many calls of functions that can come back to themselves are nested in each other at most: more could be too
/// much for the stack of a thread.
pub const DEEPEST_CALLS: u64 = 150;

impl Module {
    /// Which functions each function calls itself.
    pub fn calls(&self) -> Vec<Vec<FunctionId>> {
        fn look(block: &Block, called: &mut Vec<FunctionId>) {
            for stmt in block {
                match stmt {
                    Stmt::If(_, yes, no) => {
                        look(yes, called);
                        look(no, called);
                    }
                    Stmt::ForBits { body, .. } | Stmt::Loop(body) => look(body, called),
                    Stmt::Call { function, .. } if !called.contains(function) => called.push(*function),
                    _ => {}
                }
            }
        }
        let calls = self.functions.iter().map(|function| {
            let mut called = Vec::new();
            look(&function.body, &mut called);
            called
        });
        calls.collect()
    }

    /// Which functions can come back to themselves.
    pub fn recursive(&self) -> Vec<bool> {
        let calls = self.calls();
        let comes_back = |start: usize| {
            let mut seen = vec![false; calls.len()];
            let mut open = vec![start];
            while let Some(number) = open.pop() {
                for called in &calls[number] {
                    let called = called.0 as usize;
                    if called == start {
                        return true;
                    }
                    if !std::mem::replace(&mut seen[called], true) {
                        open.push(called);
                    }
                }
            }
            false
        };
        (0..calls.len()).map(comes_back).collect()
    }
}
