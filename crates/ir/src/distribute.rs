//! What follows a choice belongs to each way: `try A else B, C` is `try [ A, C ] else [ B, C ]` where C never
//! fails.
//!
//! Results of the two ways never occur together, so each way can be proved to have no equal results, and be
//! counted, by itself. That is worth the second copy of C at the top of `main` only.

use crate::{FunctionId, Op, Program, Stmt};

impl Program {
    /// The same program with what follows a `try` at the beginning of `main` inside of it.
    pub fn with_distributed_choices(&self) -> Program {
        let mut program = self.clone();
        for main in self.main {
            let body = &self.function(main).body;
            if let Some(distributed) = self.distributed(body) {
                program.functions[main.0 as usize].body = distributed;
            }
        }
        program
    }

    fn distributed(&self, body: &Stmt) -> Option<Stmt> {
        let Op::Sequence(parts) = &body.op else { return None };
        let [Stmt { op: Op::Try(first, second), origin }, rest @ ..] = &parts[..] else { return None };
        if rest.is_empty() || !rest.iter().all(|stmt| self.surely_succeeds(stmt)) {
            return None;
        }
        let with_rest = |way: &Stmt| {
            let steps = std::iter::once(way).chain(rest).cloned().collect();
            Box::new(Stmt::new(Op::Sequence(steps), way.origin))
        };
        Some(Stmt::new(Op::Try(with_rest(first), with_rest(second)), *origin))
    }

    /// Whether a statement has a result in every state, if it is not an error and comes to an end.
    pub fn surely_succeeds(&self, stmt: &Stmt) -> bool {
        self.never_fails(stmt, &mut Vec::new())
    }

    /// The same; `open` are the functions the statement is part of.
    fn never_fails(&self, stmt: &Stmt, open: &mut Vec<FunctionId>) -> bool {
        match &stmt.op {
            Op::Sequence(parts) => parts.iter().all(|part| self.never_fails(part, open)),
            Op::Either(parts) => parts.iter().any(|part| self.never_fails(part, open)),
            Op::Try(_, otherwise) => self.never_fails(otherwise, open),
            Op::While { body, .. } => self.never_fails(body, open),
            Op::Call(function) if !open.contains(function) => {
                open.push(*function);
                let never = self.never_fails(&self.function(*function).body, open);
                open.pop();
                never
            }
            Op::ForEachField(..)
            | Op::ForEachDirection(..)
            | Op::Replace(_)
            | Op::PutDown
            | Op::Assign(_)
            | Op::Irreversible
            | Op::Outcome(_)
            | Op::Score(..)
            | Op::KeepTurn
            | Op::Called(_) => true,
            _ => false,
        }
    }
}
