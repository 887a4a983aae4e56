//! Expressions: names resolved, constants computed.

use multigame_syntax::ast::{self, BinaryOp, Owner, Scope, UnaryOp};
use multigame_syntax::{Diagnostic, Span};

use crate::checker::Checker;
use crate::fold;
use crate::model::{Expr, ExprKind, Variable};
use crate::suggest::shown;

impl<'a> Checker<'a> {
    /// Resolves an expression; what cannot be resolved is reported and becomes `Unknown`.
    pub fn expression(&mut self, expr: &'a ast::Expr) -> Expr {
        if !self.enter(expr.span) {
            return Expr { kind: ExprKind::Unknown, span: expr.span };
        }
        let kind = self.expression_kind(expr);
        self.leave();
        Expr { kind, span: expr.span }
    }

    fn boxed_expression(&mut self, expr: &'a ast::Expr) -> Box<Expr> {
        Box::new(self.expression(expr))
    }

    fn expression_kind(&mut self, expr: &'a ast::Expr) -> ExprKind {
        match &expr.kind {
            ast::ExprKind::Missing => {
                self.incomplete = true;
                ExprKind::Unknown
            }
            ast::ExprKind::Int(value) => ExprKind::Const { value: *value, adjustable: false },
            ast::ExprKind::Variable(owner, name) => self.variable_value(*owner, name, expr.span),
            ast::ExprKind::Unary(op, a) => self.unary(*op, a, expr.span),
            ast::ExprKind::Step { variable, by, postfix } => {
                self.step_variable(variable, *by, *postfix, expr.span)
            }
            ast::ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expr.span),
            ast::ExprKind::And(a, b) => self.short_circuit(a, b, false),
            ast::ExprKind::Or(a, b) => self.short_circuit(a, b, true),
            ast::ExprKind::Conditional(c, a, b) => self.conditional(c, a, b),
            ast::ExprKind::Assign(target, op, value) => self.assignment(target, *op, value),
            ast::ExprKind::Comma(a, b) => {
                let a = self.boxed_expression(a);
                ExprKind::Comma(a, self.boxed_expression(b))
            }
            ast::ExprKind::Count(body) => ExprKind::Count(Box::new(self.statement(body))),
            ast::ExprKind::Sum(e, body) => {
                let e = self.boxed_expression(e);
                ExprKind::Sum(e, Box::new(self.statement(body)))
            }
        }
    }

    fn variable_value(&mut self, owner: Owner, name: &'a ast::Name, span: Span) -> ExprKind {
        match (owner, name.text.as_str()) {
            (Owner::Plain, "row") => return ExprKind::Row,
            (Owner::Plain, "column") => return ExprKind::Column,
            (Owner::Plain, text) if self.parameters.contains_key(text) => {
                return ExprKind::Const { value: self.parameters[text].0, adjustable: true };
            }
            (Owner::Plain, text) if self.stack_variable(text).is_some() => {
                return self.stack_variable(text).map_or(ExprKind::Unknown, ExprKind::Load);
            }
            (Owner::Plain, "rank") if !self.property_names.contains_key("rank") => return self.rank(span),
            _ => {}
        }
        self.variable(owner, name, span).map_or(ExprKind::Unknown, |(variable, ..)| ExprKind::Load(variable))
    }

    /// The property of that name with its range.
    fn variable(&mut self, owner: Owner, name: &'a ast::Name, span: Span) -> Option<(Variable, i32, i32)> {
        let Some(entry) = self.property_names.get(name.text.as_str()).copied() else {
            let mut known: Vec<&str> = Vec::new();
            if !self.is_flooded() {
                known.extend(self.property_names.keys().chain(self.parameters.keys()).copied());
                known.extend(["row", "column", "rank"]);
                known.extend(["height", "carried"].into_iter().filter(|_| self.stacks.is_some()));
            }
            if owner != Owner::Plain && known.contains(&name.text.as_str()) {
                self.not_a_player_property(name, span, None);
                return None;
            }
            let mut diagnostic =
                self.undefined("undefined-property", "property", &name.text, name.span, known);
            if self.piece_names.contains_key(name.text.as_str()) {
                let name = &name.text;
                diagnostic = diagnostic.help(format!("`{name}` is a piece: `count [find {name}]` counts it"));
            }
            self.report(diagnostic);
            return None;
        };
        self.used_properties.insert(&name.text);
        if owner == Owner::Opponents && self.players == 1 {
            self.no_opponent(span);
            return None;
        }
        if owner != Owner::Plain && entry.scope != Scope::Player {
            self.not_a_player_property(name, span, Some(entry.span));
            return None;
        }
        let variable = match (entry.scope, owner) {
            (Scope::Board, _) => Variable::Board(entry.index),
            (Scope::Player, Owner::Opponents) => Variable::Opponents(entry.index),
            (Scope::Player, _) => Variable::Own(entry.index),
            (Scope::Field, _) => Variable::Field(entry.index),
            (Scope::Move, _) => Variable::Move(entry.index),
        };
        Some((variable, entry.low, entry.high))
    }

    fn not_a_player_property(&mut self, name: &ast::Name, span: Span, declared: Option<Span>) {
        let message = format!("`{}` is the same for both players", shown(&name.text));
        let mut diagnostic = Diagnostic::error("not-a-player-property", span, message)
            .label("the plain name is expected")
            .fix(format!("write `{}`", shown(&name.text)), span, name.text.as_str());
        if let Some(declared) = declared {
            diagnostic = diagnostic.related(declared, "declared here");
        }
        self.report(diagnostic);
    }

    /// The property that is assigned to; reports what cannot be assigned to.
    fn target(&mut self, target: &'a ast::Expr) -> Option<(Variable, i32, i32)> {
        let ast::ExprKind::Variable(owner, name) = &target.kind else {
            self.incomplete = true;
            return None;
        };
        if self.is_read_only(target) {
            let diagnostic = self.read_only(target);
            self.report(match name.text.as_str() {
                "row" | "column" => diagnostic.help("the finger moves by `step`, `find` and `move to`"),
                "height" | "carried" => diagnostic.help("`pick up`, `put down` and `replace by` change it"),
                "rank" => {
                    diagnostic.help("it is the piece under the finger: `replace by` puts another there")
                }
                _ => diagnostic.label("a parameter is fixed before the game starts"),
            });
            return None;
        }
        self.variable(*owner, name, target.span)
    }

    /// Whether this is `row`, `column` or a parameter.
    pub fn is_read_only(&self, target: &ast::Expr) -> bool {
        let ast::ExprKind::Variable(_, name) = &target.kind else { return false };
        let text = name.text.as_str();
        let kept = self.stack_variable(text).is_some();
        let fixed = kept || matches!(text, "row" | "column" | "rank") || self.parameters.contains_key(text);
        fixed && !self.property_names.contains_key(text)
    }

    /// The error about an assignment to what is read-only.
    pub fn read_only(&self, target: &ast::Expr) -> Diagnostic {
        let ast::ExprKind::Variable(_, name) = &target.kind else {
            return Diagnostic::error("read-only", target.span, "this cannot be assigned to");
        };
        let message = format!("`{}` cannot be assigned to", shown(&name.text));
        Diagnostic::error("read-only", target.span, message)
    }

    fn unary(&mut self, op: UnaryOp, a: &'a ast::Expr, span: Span) -> ExprKind {
        let a = self.boxed_expression(a);
        if let ExprKind::Const { value, adjustable } = a.kind
            && let Some(value) = self.folded(fold::unary(op, value), span)
        {
            return ExprKind::Const { value, adjustable };
        }
        if op == UnaryOp::Plus { a.kind } else { ExprKind::Unary(op, a) }
    }

    fn binary(&mut self, op: BinaryOp, a: &'a ast::Expr, b: &'a ast::Expr, span: Span) -> ExprKind {
        self.chained_comparison(op, a, span);
        let (a, b) = (self.boxed_expression(a), self.boxed_expression(b));
        self.fixed_size(op, &a, &b);
        if let (
            &ExprKind::Const { value: x, adjustable: left },
            &ExprKind::Const { value: y, adjustable: right },
        ) = (&a.kind, &b.kind)
        {
            if let Ok(value) = fold::binary(op, x, y) {
                return ExprKind::Const { value, adjustable: left || right };
            }
            self.folded(fold::binary(op, x, y), span);
        } else if let Some(divisor @ 0) = b.constant()
            && matches!(op, BinaryOp::Divide | BinaryOp::Remainder)
        {
            self.folded(fold::binary(op, 1, divisor), span);
        }
        ExprKind::Binary(op, a, b)
    }

    /// `&&` (decided by 0) and `||` (decided by anything else).
    fn short_circuit(&mut self, a: &'a ast::Expr, b: &'a ast::Expr, decided_by: bool) -> ExprKind {
        let a = self.boxed_expression(a);
        let decided = a.constant().is_some_and(|value| (value != 0) == decided_by);
        self.dead += u32::from(decided);
        let b = self.boxed_expression(b);
        self.dead -= u32::from(decided);
        match (&a.kind, &b.kind) {
            (&ExprKind::Const { adjustable, .. }, _) if decided => {
                ExprKind::Const { value: i64::from(decided_by), adjustable }
            }
            (&ExprKind::Const { adjustable: left, .. }, &ExprKind::Const { value, adjustable: right }) => {
                ExprKind::Const { value: i64::from(value != 0), adjustable: left || right }
            }
            _ if decided_by => ExprKind::Or(a, b),
            _ => ExprKind::And(a, b),
        }
    }

    fn conditional(&mut self, c: &'a ast::Expr, a: &'a ast::Expr, b: &'a ast::Expr) -> ExprKind {
        let c = self.boxed_expression(c);
        let chosen = c.constant().map(|value| value != 0);
        self.dead += u32::from(chosen == Some(false));
        let a = self.boxed_expression(a);
        self.dead -= u32::from(chosen == Some(false));
        self.dead += u32::from(chosen == Some(true));
        let b = self.boxed_expression(b);
        self.dead -= u32::from(chosen == Some(true));
        let kind = match chosen {
            Some(true) => a.kind,
            Some(false) => b.kind,
            None => return ExprKind::Conditional(c, a, b),
        };
        match (kind, c.kind) {
            (ExprKind::Const { value, adjustable }, ExprKind::Const { adjustable: choice, .. }) => {
                ExprKind::Const { value, adjustable: adjustable || choice }
            }
            (kind, _) => kind,
        }
    }

    fn assignment(&mut self, target: &'a ast::Expr, op: Option<BinaryOp>, value: &'a ast::Expr) -> ExprKind {
        let resolved = self.target(target);
        let value = self.boxed_expression(value);
        let Some((variable, low, high)) = resolved else { return ExprKind::Unknown };
        match (op, value.constant()) {
            (None, Some(number))
                if self.dead == 0 && !(i64::from(low)..=i64::from(high)).contains(&number) =>
            {
                let message = format!("{number} is outside the range {low} .. {high}");
                self.report(
                    Diagnostic::error("out-of-range", value.span, message)
                        .label("this assignment always fails")
                        .related(target.span, "assigned here"),
                );
            }
            (Some(op @ (BinaryOp::Divide | BinaryOp::Remainder)), Some(0)) => {
                self.folded(fold::binary(op, 1, 0), value.span);
            }
            _ => {}
        }
        ExprKind::Store(variable, op, value)
    }

    fn step_variable(&mut self, target: &'a ast::Expr, by: i64, postfix: bool, span: Span) -> ExprKind {
        let Some((variable, ..)) = self.target(target) else { return ExprKind::Unknown };
        if postfix {
            return ExprKind::PostAdd(variable, by);
        }
        let one = Expr { kind: ExprKind::Const { value: by, adjustable: false }, span };
        ExprKind::Store(variable, Some(BinaryOp::Add), Box::new(one))
    }
}
