//! Statements without an effect are taken out, with the values that only serve them.

use crate::program::visit::{blocks, operands, uses};
use crate::{Block, Function, Op, Stmt, Value, Variable};

/// Takes out what has no effect.
pub(crate) fn remove_unused(function: &mut Function) {
    let mut needed = Needed {
        values: vec![false; function.values as usize],
        variables: (0..function.variables).map(|variable| variable < function.results).collect(),
    };
    // A variable may be read before, in a loop, or after it is found to be needed: until nothing is added.
    while needed.mark(&function.body).1 {}
    needed.sweep(&mut function.body);
}

struct Needed {
    values: Vec<bool>,
    variables: Vec<bool>,
}

impl Needed {
    /// Marks what the effects of a block need, from behind: whether it has any, and whether something was
    /// marked anew.
    fn mark(&mut self, block: &Block) -> (bool, bool) {
        let (mut effects, mut news) = (false, false);
        for stmt in block.iter().rev() {
            if let Stmt::Let(value, op) = stmt {
                if self.values[value.0 as usize] {
                    if let Op::Get(variable) = op {
                        news |= !std::mem::replace(&mut self.variables[variable.0 as usize], true);
                    }
                    operands(op, &mut |operand| news |= self.need(operand));
                }
                continue;
            }
            let mut has_effect = self.has_effect(stmt);
            for inside in blocks(stmt) {
                let (inner, new) = self.mark(inside);
                has_effect |= inner;
                news |= new;
            }
            if has_effect {
                uses(stmt, &mut |value| news |= self.need(value));
            }
            effects |= has_effect;
        }
        (effects, news)
    }

    fn need(&mut self, value: Value) -> bool {
        !std::mem::replace(&mut self.values[value.0 as usize], true)
    }

    /// Whether a statement has an effect by itself. Loops end by what is inside of them, so they stay.
    fn has_effect(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Set(Variable(variable), _) => self.variables[*variable as usize],
            Stmt::Let(..) | Stmt::If(..) | Stmt::ForBits { .. } => false,
            Stmt::Loop(_) | Stmt::BreakIf(_) | Stmt::ReturnIf(_) => true,
            Stmt::Emit(_) | Stmt::Call { .. } | Stmt::FailIf(_) => true,
        }
    }

    fn sweep(&self, block: &mut Block) {
        for stmt in block.iter_mut() {
            match stmt {
                Stmt::If(_, yes, no) => {
                    self.sweep(yes);
                    self.sweep(no);
                }
                Stmt::ForBits { body, .. } | Stmt::Loop(body) => self.sweep(body),
                _ => {}
            }
        }
        block.retain(|stmt| match stmt {
            Stmt::Let(value, _) => self.values[value.0 as usize],
            Stmt::If(_, yes, no) => !yes.is_empty() || !no.is_empty(),
            Stmt::ForBits { body, .. } => !body.is_empty(),
            stmt => self.has_effect(stmt),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn what_leads_to_nothing_is_taken_out_with_what_it_needs() {
        let [read, bits, index, unread] = [0, 1, 2, 3].map(Value);
        let body = vec![
            Stmt::Let(bits, Op::Word(2)),
            Stmt::Let(read, Op::Get(Variable(2))),
            // Nothing reads the variable that is set in here.
            Stmt::ForBits { set: bits, index, body: vec![Stmt::Set(Variable(3), index)] },
            Stmt::Let(unread, Op::Get(Variable(3))),
            Stmt::Set(Variable(0), read),
        ];
        let mut function = Function {
            name: "test".into(),
            kind: Kind::Count,
            parameters: Vec::new(),
            results: 2,
            variables: 4,
            values: 4,
            body,
        };
        remove_unused(&mut function);
        assert_eq!(function.body, [Stmt::Let(read, Op::Get(Variable(2))), Stmt::Set(Variable(0), read)]);
    }
}
