//! Which functions call which, and how far calls may go.
//!
//! Rules may nest without end where a player never sees it: loops without a result, rules that call
//! themselves. Machine code gives up at these limits, and the interpreter, which notices that it comes to the
//! same states again, answers instead. Back ends must keep both.

use crate::{Block, FunctionId, Module, Stmt};

/// The most calls that are made in one position.
pub const MOST_CALLS: u64 = 1 << 18;

/// The most calls of recursive functions that are nested in each other: more could be too
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::testing::{BOARD, module};

    #[test]
    fn functions_that_come_back_to_themselves() {
        let module = module(BOARD, "find own man, replace by rock", &Options::default());
        let calls = |function| {
            vec![Stmt::Call { function: FunctionId(function), arguments: Vec::new(), results: Vec::new() }]
        };
        let mut functions: Vec<_> = (0..4).map(|_| module.functions[0].clone()).collect();
        // The first calls a circle of two; the last is called by nobody.
        for (function, called) in functions.iter_mut().zip([1, 2, 1, 0]) {
            function.body = vec![Stmt::Loop(calls(called))];
        }
        let module = Module { functions, ..module };
        assert_eq!(module.recursive(), [false, true, true, false]);
        assert_eq!(module.calls()[3], [FunctionId(0)]);
    }
}
