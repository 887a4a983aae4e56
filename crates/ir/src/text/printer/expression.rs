//! Writing expressions, with all their brackets.

use multigame_game::{Field, Property, Scope, Side};

use super::body::{Body, Layout};
use super::quoted_unless_word;
use crate::text::{BINARY, RESERVED, is_word};
use crate::{BinaryOp, Expr, ExprOp, OriginId, Slot};

impl Body<'_> {
    /// A word and an expression whose outermost brackets belong to the statement, so that its origin can
    /// follow.
    pub(super) fn bracketed(&mut self, word: &str, expr: &Expr, layout: Layout) {
        self.out.push_str(word);
        self.out.push(' ');
        if is_infix(&expr.op) && expr.origin == OriginId::default() {
            return self.expression(expr, layout);
        }
        self.out.push('(');
        self.expression(expr, layout);
        self.out.push(')');
    }

    pub(super) fn expression(&mut self, expr: &Expr, layout: Layout) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expression_here(expr, layout));
    }

    fn expression_here(&mut self, expr: &Expr, layout: Layout) {
        let is_marked = expr.origin != OriginId::default();
        // Without brackets the origin would be the operand's.
        let is_prefix = matches!(expr.op, ExprOp::Negate(_) | ExprOp::Not(_) | ExprOp::Complement(_));
        let brackets = is_infix(&expr.op) || (is_prefix && is_marked);
        if brackets {
            self.out.push('(');
        }
        self.operation(expr, layout);
        if brackets {
            self.out.push(')');
        }
        if is_marked {
            self.write(format_args!("@{}", expr.origin.0));
        }
    }

    fn operation(&mut self, expr: &Expr, layout: Layout) {
        match &expr.op {
            ExprOp::Const(value) => self.write(format_args!("{value}")),
            ExprOp::Load(slot) => self.slot(*slot),
            ExprOp::Row(view) => self.write(format_args!("row.{view}")),
            ExprOp::Column(view) => self.write(format_args!("column.{view}")),
            ExprOp::Negate(a) => self.negate(a, layout),
            ExprOp::Not(a) => self.prefix('!', a, layout),
            ExprOp::Complement(a) => self.prefix('~', a, layout),
            ExprOp::Binary(op, a, b) => self.infix(a, &format!(" {} ", sign(*op)), b, layout),
            ExprOp::And(a, b) => self.infix(a, " && ", b, layout),
            ExprOp::Or(a, b) => self.infix(a, " || ", b, layout),
            ExprOp::Conditional(condition, a, b) => {
                self.infix(condition, " ? ", a, layout);
                self.out.push_str(" : ");
                self.expression(b, layout);
            }
            ExprOp::Store(slot, value) => {
                self.slot(*slot);
                self.out.push_str(" = ");
                self.expression(value, layout);
            }
            ExprOp::PostAdd(slot, by @ (1 | -1)) => {
                self.slot(*slot);
                self.out.push_str(if *by == 1 { "++" } else { "--" });
            }
            ExprOp::PostAdd(slot, by) => {
                self.out.push_str("post (");
                self.slot(*slot);
                self.write(format_args!(", {by})"));
            }
            ExprOp::Comma(a, b) => self.infix(a, ", ", b, layout),
            ExprOp::Count(body) => {
                self.out.push_str("count");
                self.block(body, layout);
            }
            ExprOp::Sum(value, body) => {
                self.bracketed("sum", value, layout);
                self.block(body, layout);
            }
        }
    }

    fn prefix(&mut self, sign: char, operand: &Expr, layout: Layout) {
        self.out.push(sign);
        self.expression(operand, layout);
    }

    /// Always with brackets: `-5` is a number and `--` a sign of its own.
    fn negate(&mut self, operand: &Expr, layout: Layout) {
        self.out.push('-');
        let start = self.out.len();
        self.expression(operand, layout);
        if !self.out[start..].starts_with('(') {
            self.out.insert(start, '(');
            self.out.push(')');
        }
    }

    fn infix(&mut self, a: &Expr, sign: &str, b: &Expr, layout: Layout) {
        self.expression(a, layout);
        self.out.push_str(sign);
        self.expression(b, layout);
    }

    fn slot(&mut self, slot: Slot) {
        let text = self.slot_text(slot).unwrap_or_else(|| match slot {
            Slot::Value(number) => format!("${number}"),
            Slot::AtFinger(base) => format!("${base}[finger]"),
        });
        self.out.push_str(&text);
    }

    /// The readable name of a slot, if it has one.
    fn slot_text(&self, slot: Slot) -> Option<String> {
        let description = &self.program.description;
        let (Slot::Value(number) | Slot::AtFinger(number)) = slot;
        let number = usize::from(number);
        if let (Slot::Value(_), Some(number)) = (slot, number.checked_sub(description.value_count())) {
            let name = &self.program.move_properties.get(number)?.name;
            return Some(format!("move.{}", quoted_unless_word(name)));
        }
        let is_in = |p: &&Property| (p.offset..p.offset + p.length(&description.board)).contains(&number);
        let property = description.properties.iter().find(is_in)?;
        let index = number - property.offset;
        let is_plain = is_word(&property.name) && !RESERVED.contains(&property.name.as_str());
        let name = if is_plain { property.name.clone() } else { format!("{:?}", property.name) };
        match (slot, property.scope) {
            (Slot::AtFinger(_), Scope::Field) if index == 0 => Some(format!("{name}[finger]")),
            (Slot::AtFinger(_), _) => None,
            (_, Scope::Board) => Some(name),
            (_, Scope::Player) => Some(format!("{name}.{}", Side::BOTH[index])),
            (_, Scope::Field) => {
                let field = Field(index as u16);
                let is_field = description.board.is_field(field);
                is_field.then(|| format!("{name}[{}]", description.board.field_name(field)))
            }
        }
    }
}

/// Whether an expression is written in brackets of its own.
fn is_infix(op: &ExprOp) -> bool {
    use ExprOp::{And, Binary, Comma, Conditional, Or, Store};
    matches!(op, Binary(..) | And(..) | Or(..) | Conditional(..) | Store(..) | Comma(..))
}

fn sign(op: BinaryOp) -> &'static str {
    BINARY.iter().find(|(candidate, _)| *candidate == op).map_or("?", |(_, sign)| sign)
}
