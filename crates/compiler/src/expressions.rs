//! Expressions as one player sees them.

use multigame_game::Side;
use multigame_ir::{BinaryOp, Expr, ExprOp, Slot};
use multigame_sema::model::{self, ExprKind, Variable};
use multigame_syntax::ast::{self, UnaryOp};

use crate::lower::Body;

impl<'l, 'm> Body<'l, 'm> {
    /// Lowers an expression.
    pub fn expression(&mut self, expr: &'m model::Expr) -> Expr {
        let op = self.expression_operation(expr);
        match op {
            ExprOp::Const(_) => Expr { op, origin: Default::default() },
            _ => Expr { op, origin: self.origin(expr.span) },
        }
    }

    fn boxed_expression(&mut self, expr: &'m model::Expr) -> Box<Expr> {
        Box::new(self.expression(expr))
    }

    fn expression_operation(&mut self, expr: &'m model::Expr) -> ExprOp {
        match &expr.kind {
            ExprKind::Unknown => ExprOp::Const(0),
            ExprKind::Const { value, .. } => ExprOp::Const(*value),
            ExprKind::Load(variable) => ExprOp::Load(self.slot(*variable)),
            ExprKind::Row => ExprOp::Row(self.view),
            ExprKind::Column => ExprOp::Column(self.view),
            ExprKind::Unary(op, a) => {
                let a = self.boxed_expression(a);
                match op {
                    UnaryOp::Plus => a.op,
                    UnaryOp::Minus => ExprOp::Negate(a),
                    UnaryOp::Not => ExprOp::Not(a),
                    UnaryOp::Complement => ExprOp::Complement(a),
                }
            }
            ExprKind::Binary(op, a, b) => {
                ExprOp::Binary(binary(*op), self.boxed_expression(a), self.boxed_expression(b))
            }
            ExprKind::And(a, b) => ExprOp::And(self.boxed_expression(a), self.boxed_expression(b)),
            ExprKind::Or(a, b) => ExprOp::Or(self.boxed_expression(a), self.boxed_expression(b)),
            ExprKind::Conditional(c, a, b) => ExprOp::Conditional(
                self.boxed_expression(c),
                self.boxed_expression(a),
                self.boxed_expression(b),
            ),
            ExprKind::Store(variable, op, value) => self.store(*variable, *op, value, expr),
            ExprKind::PostAdd(variable, by) => ExprOp::PostAdd(self.slot(*variable), *by),
            ExprKind::Comma(a, b) => ExprOp::Comma(self.boxed_expression(a), self.boxed_expression(b)),
            ExprKind::Count(body) => ExprOp::Count(Box::new(self.statement(body))),
            ExprKind::Sum(e, body) => {
                let e = self.boxed_expression(e);
                ExprOp::Sum(e, Box::new(self.statement(body)))
            }
        }
    }

    /// `v += e` reads v before e is computed.
    fn store(
        &mut self,
        variable: Variable,
        op: Option<ast::BinaryOp>,
        value: &'m model::Expr,
        whole: &'m model::Expr,
    ) -> ExprOp {
        let slot = self.slot(variable);
        let value = self.boxed_expression(value);
        let Some(op) = op else { return ExprOp::Store(slot, value) };
        let origin = self.origin(whole.span);
        let before = Box::new(Expr { op: ExprOp::Load(slot), origin });
        let after = Expr { op: ExprOp::Binary(binary(op), before, value), origin };
        ExprOp::Store(slot, Box::new(after))
    }

    pub(crate) fn slot(&self, variable: Variable) -> Slot {
        let properties = &self.lowering.model.description.properties;
        let of_player = |property: usize, side: Side| {
            // The only player of a puzzle has the first value, whoever looks.
            let player = if self.lowering.model.description.players == 1 { 0 } else { side.index() };
            Slot::Value((properties[property].offset + player) as u16)
        };
        match variable {
            Variable::Board(property) => Slot::Value(properties[property].offset as u16),
            Variable::Own(property) => of_player(property, self.view),
            Variable::Opponents(property) => of_player(property, self.view.opponent()),
            Variable::Field(property) => Slot::AtFinger(properties[property].offset as u16),
            Variable::Move(property) => Slot::Value((self.lowering.value_count + property) as u16),
        }
    }
}

fn binary(op: ast::BinaryOp) -> BinaryOp {
    match op {
        ast::BinaryOp::Multiply => BinaryOp::Multiply,
        ast::BinaryOp::Divide => BinaryOp::Divide,
        ast::BinaryOp::Remainder => BinaryOp::Remainder,
        ast::BinaryOp::Add => BinaryOp::Add,
        ast::BinaryOp::Subtract => BinaryOp::Subtract,
        ast::BinaryOp::ShiftLeft => BinaryOp::ShiftLeft,
        ast::BinaryOp::ShiftRight => BinaryOp::ShiftRight,
        ast::BinaryOp::Less => BinaryOp::Less,
        ast::BinaryOp::LessEqual => BinaryOp::LessEqual,
        ast::BinaryOp::Greater => BinaryOp::Greater,
        ast::BinaryOp::GreaterEqual => BinaryOp::GreaterEqual,
        ast::BinaryOp::Equal => BinaryOp::Equal,
        ast::BinaryOp::NotEqual => BinaryOp::NotEqual,
        ast::BinaryOp::BitAnd => BinaryOp::BitAnd,
        ast::BinaryOp::BitXor => BinaryOp::BitXor,
        ast::BinaryOp::BitOr => BinaryOp::BitOr,
    }
}
