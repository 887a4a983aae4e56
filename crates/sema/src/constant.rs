//! Constants: numbers that must be known before a game starts, such as sizes, ranges and counts.

use multigame_syntax::ast::{Expr, ExprKind, Owner};
use multigame_syntax::{Diagnostic, Span};

use crate::checker::Checker;
use crate::fold::{self, Trouble};
use crate::suggest::shown;

/// Deeper expressions are refused; nobody writes them.
pub(crate) const DEEPEST: u32 = 400;

impl<'a> Checker<'a> {
    /// The value of an expression over numbers and parameters; reports why there is none.
    pub fn constant(&mut self, expr: &'a Expr) -> Option<i64> {
        if !self.enter(expr.span) {
            return None;
        }
        let value = self.constant_inside(expr);
        self.leave();
        value
    }

    fn constant_inside(&mut self, expr: &'a Expr) -> Option<i64> {
        match &expr.kind {
            ExprKind::Missing => {
                self.incomplete = true;
                None
            }
            ExprKind::Int(value) => Some(*value),
            ExprKind::Variable(Owner::Plain, name) if self.parameters.contains_key(name.text.as_str()) => {
                Some(self.parameters[name.text.as_str()].0)
            }
            ExprKind::Unary(op, a) => {
                let a = self.constant(a)?;
                self.folded(fold::unary(*op, a), expr.span)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.constant(a), self.constant(b));
                self.folded(fold::binary(*op, a?, b?), expr.span)
            }
            ExprKind::And(a, b) => match self.constant(a)? {
                0 => Some(0),
                _ => self.constant(b).map(|b| i64::from(b != 0)),
            },
            ExprKind::Or(a, b) => match self.constant(a)? {
                0 => self.constant(b).map(|b| i64::from(b != 0)),
                _ => Some(1),
            },
            ExprKind::Conditional(c, a, b) => {
                let chosen = if self.constant(c)? != 0 { a } else { b };
                self.constant(chosen)
            }
            ExprKind::Variable(_, name) if !self.property_names.contains_key(name.text.as_str()) => {
                let known: Vec<&str> = self.parameters.keys().copied().collect();
                let diagnostic = self.undefined("not-constant", "parameter", &name.text, name.span, known);
                self.report(
                    diagnostic.help("a number that is fixed before the game starts is expected here"),
                );
                None
            }
            ExprKind::Variable(_, name) => {
                let message = format!("`{}` changes during the game", shown(&name.text));
                self.not_constant(expr.span, message)
            }
            _ => self.not_constant(expr.span, "this is not a constant".to_string()),
        }
    }

    fn not_constant(&mut self, span: Span, message: String) -> Option<i64> {
        let label = "a number that is fixed before the game starts is expected here";
        self.report(Diagnostic::error("not-constant", span, message).label(label));
        None
    }

    /// The value of constant arithmetic; reports trouble unless the place is never reached.
    pub fn folded(&mut self, value: Result<i64, Trouble>, span: Span) -> Option<i64> {
        let trouble = match value {
            Ok(value) => return Some(value),
            Err(trouble) => trouble,
        };
        if self.dead == 0 {
            let (code, message) = match trouble {
                Trouble::DivisionByZero => ("division-by-zero", "division by zero"),
                Trouble::Overflow => ("overflow", "the result does not fit into 64 bits"),
                Trouble::BadShift => ("overflow", "numbers can be shifted by 0 to 63 places only"),
            };
            self.report(Diagnostic::error(code, span, message));
        }
        None
    }

    /// Goes one level deeper; false (and reported) if that is too deep.
    pub fn enter(&mut self, span: Span) -> bool {
        if self.depth >= DEEPEST {
            let message = format!("statements and expressions can be nested {DEEPEST} levels deep");
            self.report(Diagnostic::error("too-deep", span, message).label("give a part of it its own rule"));
            return false;
        }
        self.depth += 1;
        true
    }

    /// Comes back from one level deeper.
    pub fn leave(&mut self) {
        self.depth -= 1;
    }
}
