//! The names that rules give to moves: asking for them, and programs without them, which code generators want to see.

use multigame_game::{Called, Game, RulesError};

use crate::{Expr, ExprOp, Op, Program, RulesGame, RulesPosition, Stmt};

impl RulesGame {
    /// What the rules call the moves of a position. Where several names lead to the same position, the shortest is
    /// taken, and of those the first of the alphabet.
    pub(crate) fn called_moves(&self, position: &RulesPosition) -> Result<Vec<Called>, RulesError> {
        if !self.names_moves {
            return Ok(Vec::new());
        }
        let mut called: Vec<Called> = Vec::new();
        for (child, name) in self.named_children(position).map_err(|error| *error)? {
            if !name.is_empty() {
                called.push(Called { after: self.diagram(&child), name: name.to_string() });
            }
        }
        called.sort_by(|a, b| (a.name.len(), &a.name).cmp(&(b.name.len(), &b.name)));
        Ok(called)
    }
}

impl Program {
    /// Whether the rules name moves.
    pub fn names_moves(&self) -> bool {
        fn names(stmt: &Stmt) -> bool {
            matches!(stmt.op, Op::Called(_)) || stmt.children().into_iter().any(names)
        }
        self.functions.iter().any(|function| names(&function.body))
    }

    /// The same program without the names of moves, which mean nothing to whatever only makes them.
    pub fn without_names(&self) -> Program {
        let mut program = self.clone();
        for function in &mut program.functions {
            in_statement(&mut function.body);
        }
        program
    }
}

fn in_statement(stmt: &mut Stmt) {
    match &mut stmt.op {
        Op::Called(_) => stmt.op = Op::Sequence(Vec::new()),
        Op::Sequence(parts) => {
            let before = parts.len();
            parts.iter_mut().for_each(in_statement);
            parts.retain(|part| !matches!(&part.op, Op::Sequence(inside) if inside.is_empty()));
            if parts.len() == 1 && before > 1 {
                *stmt = parts.remove(0);
            }
        }
        Op::Either(parts) => parts.iter_mut().for_each(in_statement),
        Op::Try(a, b) | Op::While { condition: a, body: b } => {
            in_statement(a);
            in_statement(b);
        }
        Op::Greatest(value, a) => {
            in_expression(value);
            in_statement(a);
        }
        Op::Test(a) | Op::Not(a) | Op::ForEachField(_, a) | Op::ForEachDirection(_, a) => in_statement(a),
        Op::Repeat { body, .. } => in_statement(body),
        Op::Assert(value) | Op::Assign(value) | Op::Score(value, _) => in_expression(value),
        Op::MoveTo { column, row, .. } => {
            in_expression(column);
            in_expression(row);
        }
        _ => {}
    }
}

fn in_expression(expr: &mut Expr) {
    match &mut expr.op {
        ExprOp::Negate(a) | ExprOp::Not(a) | ExprOp::Complement(a) | ExprOp::Store(_, a) => in_expression(a),
        ExprOp::Binary(_, a, b) | ExprOp::And(a, b) | ExprOp::Or(a, b) | ExprOp::Comma(a, b) => {
            in_expression(a);
            in_expression(b);
        }
        ExprOp::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|part| in_expression(part)),
        ExprOp::Count(body) => in_statement(body),
        ExprOp::Sum(value, body) => {
            in_expression(value);
            in_statement(body);
        }
        ExprOp::Const(_) | ExprOp::Load(_) | ExprOp::Row(_) | ExprOp::Column(_) | ExprOp::PostAdd(..) => {}
    }
}
