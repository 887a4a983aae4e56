//! Expressions: C's, over integers, with operator precedence by binding powers.

use super::Parser;
use crate::Diagnostic;
use crate::Span;
use crate::ast::{BinaryOp, Expr, ExprKind, Owner, Stmt, UnaryOp};
use crate::syntax_kind::SyntaxKind::{self, *};
use crate::words::{begins_statement, is_reserved};

/// The binding power of `+` and `-`: a `const` has no operators that bind weaker.
const ADDITIVE: u8 = 9;

/// An infix operator other than assignment, `?:` and comma.
#[derive(Clone, Copy)]
enum Infix {
    Computed(BinaryOp),
    And,
    Or,
}

/// C's precedences; all of these are left-associative.
fn infix(kind: SyntaxKind) -> Option<(u8, Infix)> {
    use Infix::Computed;
    Some(match kind {
        OrOr => (1, Infix::Or),
        AndAnd => (2, Infix::And),
        Bar => (3, Computed(BinaryOp::BitOr)),
        Caret => (4, Computed(BinaryOp::BitXor)),
        Ampersand => (5, Computed(BinaryOp::BitAnd)),
        EqualEqual => (6, Computed(BinaryOp::Equal)),
        NotEqual => (6, Computed(BinaryOp::NotEqual)),
        Less => (7, Computed(BinaryOp::Less)),
        LessEqual => (7, Computed(BinaryOp::LessEqual)),
        Greater => (7, Computed(BinaryOp::Greater)),
        GreaterEqual => (7, Computed(BinaryOp::GreaterEqual)),
        ShiftLeft => (8, Computed(BinaryOp::ShiftLeft)),
        ShiftRight => (8, Computed(BinaryOp::ShiftRight)),
        Plus => (ADDITIVE, Computed(BinaryOp::Add)),
        Minus => (ADDITIVE, Computed(BinaryOp::Subtract)),
        Star => (10, Computed(BinaryOp::Multiply)),
        Slash => (10, Computed(BinaryOp::Divide)),
        Percent => (10, Computed(BinaryOp::Remainder)),
        _ => return None,
    })
}

/// The operation an assignment operator does first.
fn assignment(kind: SyntaxKind) -> Option<Option<BinaryOp>> {
    Some(match kind {
        Equal => None,
        PlusEqual => Some(BinaryOp::Add),
        MinusEqual => Some(BinaryOp::Subtract),
        StarEqual => Some(BinaryOp::Multiply),
        SlashEqual => Some(BinaryOp::Divide),
        PercentEqual => Some(BinaryOp::Remainder),
        ShiftLeftEqual => Some(BinaryOp::ShiftLeft),
        ShiftRightEqual => Some(BinaryOp::ShiftRight),
        AmpersandEqual => Some(BinaryOp::BitAnd),
        CaretEqual => Some(BinaryOp::BitXor),
        BarEqual => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

/// Whether this is an operator between two operands; assignments are such too.
pub(super) fn joins_operands(kind: SyntaxKind) -> bool {
    infix(kind).is_some() || assignment(kind).is_some()
}

/// Whether an expression is a variable without parentheses around it.
fn is_plain_variable(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Variable(_, name) if name.span.end == expr.span.end)
}

impl Parser<'_> {
    /// `asgn {"," asgn}`
    pub(super) fn expression(&mut self) -> Expr {
        let checkpoint = self.checkpoint();
        let saved = std::mem::take(&mut self.height);
        let mut left = self.assignment_expression();
        while self.at(Comma) && !self.statement_follows_comma() {
            self.bump();
            let right = self.assignment_expression();
            let span = left.span.cover(right.span);
            self.wrap(checkpoint, CommaExpr);
            left = Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), span };
            if !self.grow() {
                break;
            }
        }
        self.height = saved.max(self.height);
        left
    }

    /// Whether the comma here separates statements, because the parenthesis before it was not closed.
    fn statement_follows_comma(&self) -> bool {
        begins_statement(self.word_at(1)) || matches!(self.kind_at(1), OpenBracket | CloseBracket | Dot)
    }

    /// `cond | var assignment-operator asgn`
    pub(super) fn assignment_expression(&mut self) -> Expr {
        let checkpoint = self.checkpoint();
        let start = self.here_start();
        if !self.enter() {
            return self.missing_expression(start);
        }
        let left = self.conditional();
        let expr = match assignment(self.kind()) {
            None => left,
            Some(operator) => {
                if !is_plain_variable(&left) && !matches!(left.kind, ExprKind::Missing) {
                    let diagnostic = Diagnostic::error(
                        "assignment-target",
                        left.span,
                        "only a variable can be assigned to",
                    )
                    .help("to compare, write `==`");
                    self.error(diagnostic);
                }
                self.bump();
                let right = self.assignment_expression();
                self.wrap(checkpoint, AssignExpr);
                self.height += 1;
                let kind = match &left.kind {
                    ExprKind::Variable(..) => ExprKind::Assign(Box::new(left), operator, Box::new(right)),
                    _ => ExprKind::Missing,
                };
                Expr { kind, span: self.span_from(start) }
            }
        };
        self.leave();
        expr
    }

    /// `a ? b : c` and everything that binds stronger; also the values in `setup`.
    pub(super) fn conditional(&mut self) -> Expr {
        let checkpoint = self.checkpoint();
        let start = self.here_start();
        let saved = std::mem::take(&mut self.height);
        let condition = self.binary(0);
        let mut expr = condition;
        if self.at(Question) && self.enter() {
            let question = self.bump();
            let yes = self.expression();
            if self.eat(Colon) {
                let no = self.conditional();
                self.wrap(checkpoint, ConditionalExpr);
                let kind = ExprKind::Conditional(Box::new(expr), Box::new(yes), Box::new(no));
                expr = Expr { kind, span: self.span_from(start) };
            } else {
                let diagnostic = self
                    .expected_next("expected-token", "`:`")
                    .related(question, "the other half of this `?`");
                self.error(diagnostic);
                expr = Expr { kind: ExprKind::Missing, span: self.span_from(start) };
            }
            self.height += 1;
            self.leave();
        }
        self.height = saved.max(self.height);
        expr
    }

    /// A constant: numbers, names and arithmetic, so that parameters can be computed with.
    pub(super) fn constant(&mut self) -> Expr {
        self.binary(ADDITIVE)
    }

    /// Operators that bind at least as strong as `minimum`.
    fn binary(&mut self, minimum: u8) -> Expr {
        let checkpoint = self.checkpoint();
        let saved = std::mem::take(&mut self.height);
        let mut left = self.unary();
        while let Some((power, operator)) = infix(self.kind()) {
            if power < minimum {
                break;
            }
            self.bump();
            let right = self.binary(power + 1);
            self.wrap(checkpoint, BinaryExpr);
            let span = left.span.cover(right.span);
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            let kind = match operator {
                Infix::Computed(operator) => ExprKind::Binary(operator, left_box, right_box),
                Infix::And => ExprKind::And(left_box, right_box),
                Infix::Or => ExprKind::Or(left_box, right_box),
            };
            left = Expr { kind, span };
            if !self.grow() {
                break;
            }
        }
        self.height = saved.max(self.height);
        left
    }

    /// Counts one more level of a tree that grows to the left; `false` if it has become too high.
    fn grow(&mut self) -> bool {
        self.height += 1;
        if self.height <= super::MAX_NESTING {
            return true;
        }
        self.report_nesting();
        false
    }

    fn unary(&mut self) -> Expr {
        let start = self.here_start();
        if !self.enter() {
            return self.missing_expression(start);
        }
        let operator = match self.kind() {
            Plus => Some(UnaryOp::Plus),
            Minus => Some(UnaryOp::Minus),
            Exclamation => Some(UnaryOp::Not),
            Tilde => Some(UnaryOp::Complement),
            _ => None,
        };
        let expr = if let Some(operator) = operator {
            self.start(UnaryExpr);
            self.bump();
            let operand = self.unary();
            self.finish();
            self.height += 1;
            Expr { kind: ExprKind::Unary(operator, Box::new(operand)), span: self.span_from(start) }
        } else if matches!(self.kind(), PlusPlus | MinusMinus) {
            self.start(StepExpr);
            let by = if self.at(PlusPlus) { 1 } else { -1 };
            self.bump();
            let operand = self.unary();
            self.finish();
            self.stepped(operand, by, false, start)
        } else {
            self.postfix()
        };
        self.leave();
        expr
    }

    fn postfix(&mut self) -> Expr {
        let checkpoint = self.checkpoint();
        let start = self.here_start();
        let operand = self.primary();
        if !matches!(self.kind(), PlusPlus | MinusMinus) {
            return operand;
        }
        let by = if self.at(PlusPlus) { 1 } else { -1 };
        self.bump();
        self.wrap(checkpoint, StepExpr);
        self.stepped(operand, by, true, start)
    }

    /// `++` or `--` beside an operand, which must be a variable.
    fn stepped(&mut self, operand: Expr, by: i64, postfix: bool, start: u32) -> Expr {
        self.height += 1;
        let span = self.span_from(start);
        if is_plain_variable(&operand) {
            return Expr { kind: ExprKind::Step { variable: Box::new(operand), by, postfix }, span };
        }
        let shown = if by > 0 { "++" } else { "--" };
        if !matches!(operand.kind, ExprKind::Missing) {
            let diagnostic = Diagnostic::error(
                "step-target",
                operand.span,
                format!("`{shown}` needs a variable beside it"),
            );
            self.report(diagnostic);
        }
        Expr { kind: ExprKind::Missing, span }
    }

    fn primary(&mut self) -> Expr {
        let start = self.here_start();
        match self.kind() {
            Int => self.number(),
            OpenParen => {
                self.start(ParenExpr);
                let open = self.bump();
                let inner = self.expression();
                self.close_paren(open);
                self.finish();
                self.height += 1;
                Expr { kind: inner.kind, span: self.span_from(start) }
            }
            Opponents => self.owned_variable(Owner::Opponents),
            Ident => self.word_expression(),
            _ => {
                let diagnostic = self.expected("expected-expression", "an expression");
                self.error(diagnostic);
                self.missing_expression(start)
            }
        }
    }

    fn word_expression(&mut self) -> Expr {
        let start = self.here_start();
        match self.word() {
            "own" => self.owned_variable(Owner::Own),
            "opponents" | "opponent" if self.is_name(1) && !self.begins_line(1) => {
                self.report_opponents();
                self.owned_variable(Owner::Opponents)
            }
            "count" if self.kind_at(1) == OpenBracket => {
                self.start(CountExpr);
                self.bump();
                let body = self.statement();
                self.finish();
                self.height += 1;
                Expr { kind: ExprKind::Count(Box::new(body)), span: self.span_from(start) }
            }
            "count" if self.kind_at(1) == OpenParen && !self.begins_line(1) => {
                self.count_in_parentheses(start)
            }
            "sum" if self.kind_at(1) == OpenParen => self.sum(start),
            word if self.statement_in_expression(word) => {
                self.report_statement_in_expression();
                self.missing_expression(start)
            }
            word if is_reserved(word)
                && !matches!(word, "row" | "column")
                && !self.misnamed.iter().any(|name| name == word) =>
            {
                let diagnostic = self
                    .expected("expected-expression", "an expression")
                    .help(format!("`{word}` is a word of the language and cannot be a property"));
                self.error(diagnostic);
                if joins_operands(self.kind_at(1)) || self.kind_at(1) == CloseParen {
                    self.bump_as_error();
                }
                self.missing_expression(start)
            }
            _ => {
                self.start(VariableExpr);
                let name = self.bump_name();
                self.finish();
                let span = name.span;
                Expr { kind: ExprKind::Variable(Owner::Plain, name), span }
            }
        }
    }

    /// `sum (e) [A]`
    fn sum(&mut self, start: u32) -> Expr {
        self.start(SumExpr);
        self.bump();
        let open = self.bump();
        let term = self.expression();
        self.close_paren(open);
        let body = if self.at(OpenBracket) {
            self.statement()
        } else {
            let diagnostic =
                self.expected("expected-token", "`[`").help("as in `sum (value) [find own piece]`");
            self.error(diagnostic);
            Stmt { kind: crate::ast::StmtKind::Missing, span: self.after_previous() }
        };
        self.finish();
        self.height += 1;
        Expr { kind: ExprKind::Sum(Box::new(term), Box::new(body)), span: self.span_from(start) }
    }

    /// `own p`, `opponent's p`
    fn owned_variable(&mut self, owner: Owner) -> Expr {
        let start = self.here_start();
        self.start(VariableExpr);
        self.bump();
        let kind = if self.at_name() {
            ExprKind::Variable(owner, self.bump_name())
        } else {
            let diagnostic = self.expected("expected-name", "a property's name");
            self.error(diagnostic);
            ExprKind::Missing
        };
        self.finish();
        Expr { kind, span: self.span_from(start) }
    }

    fn number(&mut self) -> Expr {
        self.start(LiteralExpr);
        let (value, span) = self.bump_integer();
        self.finish();
        Expr { kind: value.map_or(ExprKind::Missing, ExprKind::Int), span }
    }

    /// Consumes a number, which may be too large.
    pub(super) fn bump_integer(&mut self) -> (Option<i64>, Span) {
        let value = self.token_text(0).parse().ok();
        if value.is_none() {
            let diagnostic = Diagnostic::error("number-too-large", self.here(), "this number is too large")
                .help(format!("the greatest number is {}", i64::MAX));
            self.error(diagnostic);
        }
        (value, self.bump())
    }

    fn missing_expression(&self, start: u32) -> Expr {
        Expr { kind: ExprKind::Missing, span: self.span_from(start) }
    }

    /// Consumes the `)` that closes a parenthesis. If something else comes first, it is skipped up to the
    /// `)`, but never beyond what can be in an expression.
    pub(super) fn close_paren(&mut self, open: Span) {
        if self.eat(CloseParen) {
            return;
        }
        let mut diagnostic =
            self.expected_next("unclosed-parenthesis", "`)`").related(open, "this `(` is not closed");
        if self.at_expression_end() {
            diagnostic = diagnostic.fix("insert `)`", self.after_previous(), ")");
        }
        self.error(diagnostic);
        self.skip_to_close_paren();
    }

    fn skip_to_close_paren(&mut self) {
        if self.at_expression_end() {
            return;
        }
        self.start(Error);
        let mut open = 0;
        while !self.at_expression_end() {
            match self.kind() {
                OpenParen => open += 1,
                CloseParen if open == 0 => break,
                CloseParen => open -= 1,
                _ => {}
            }
            self.bump();
        }
        self.finish();
        self.eat(CloseParen);
    }

    /// Whether no `)` that belongs to this expression can follow.
    fn at_expression_end(&self) -> bool {
        match self.kind() {
            Comma => self.statement_follows_comma(),
            CloseBracket | OpenBracket | Dot | EndOfFile | CloseBrace | OpenBrace => true,
            _ => {
                let word = self.word();
                let statement = begins_statement(word) || matches!(word, "or" | "else");
                statement || self.at_new_item()
            }
        }
    }
}
