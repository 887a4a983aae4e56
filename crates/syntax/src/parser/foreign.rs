//! Habits from other languages: `if`, `then`, a bare comparison, `step north`,
//! `move to a3`.
//!
//! Each is read as what was meant, so that one mistake is one message.

use super::statements::{SequenceEnd, compass};
use super::{Parser, range};
use crate::ast::{Expr, ExprKind, Stmt, StmtKind};
use crate::syntax_kind::SyntaxKind::{self, *};
use crate::words::begins_statement;
use crate::{Diagnostic, Span};

impl Parser<'_> {
    /// Whether the place here has its message already, so that another one would be noise.
    pub(super) fn is_reported(&self) -> bool {
        self.last_error == Some(self.position) || self.look(0).after_unknown
    }

    pub(super) fn text_of(&self, span: Span) -> &str {
        &self.text[range(span)]
    }

    // Words between statements.

    /// Whether `then` or `and` is in the place of a comma.
    pub(super) fn at_joining_word(&self) -> bool {
        let statement_follows =
            self.is_name(1) || begins_statement(self.word_at(1)) || self.kind_at(1) == OpenBracket;
        matches!(self.word(), "then" | "and") && statement_follows && !self.is_item_start(1)
    }

    /// Reports `A then B` and skips the word.
    pub(super) fn report_joining_word(&mut self) {
        let word = self.word();
        let place = self.after_previous().cover(self.here());
        let message = format!("statements are separated by `,` and not by `{word}`");
        let diagnostic = Diagnostic::error("unknown-word", self.here(), message).fix("write `,`", place, ",");
        self.error(diagnostic);
        self.bump_as_error();
    }

    /// Reports `A, then B` and skips the word.
    pub(super) fn skip_joining_words(&mut self) {
        while self.at_joining_word() {
            let word = self.word();
            let place = Span::new(self.here_start(), self.look(1).token.span.start);
            let message = format!("there is no `{word}`: the comma separates statements");
            let diagnostic =
                Diagnostic::error("unknown-word", self.here(), message).fix("remove it", place, "");
            self.error(diagnostic);
            self.bump_as_error();
        }
    }

    // Statements.

    /// A statement of another language, read as the one that does the same here.
    pub(super) fn foreign_statement(&mut self) -> Option<StmtKind> {
        if self.at_bare_expression() {
            return Some(self.bare_expression());
        }
        if self.at_if() {
            return Some(self.if_statement());
        }
        if self.at_word("forall") && self.begins_pattern(1) && !self.begins_line(1) {
            let diagnostic = Diagnostic::error("unknown-word", self.here(), "`forall` is written `for each`")
                .help("as in `for each own pawn do A`")
                .fix("write `for each`", self.here(), "for each");
            self.error(diagnostic);
            return Some(self.for_each(1));
        }
        None
    }

    /// Whether `if` follows and is not the name of a rule.
    pub(super) fn at_if(&self) -> bool {
        let follows = match self.kind_at(1) {
            Ident => !matches!(self.word_at(1), "or" | "else" | "do" | "while" | "times"),
            OpenParen | OpenBracket => true,
            _ => false,
        };
        self.at_word("if") && follows && !self.begins_line(1)
    }

    /// `if A then B else C`: `try [A, B] else C`
    fn if_statement(&mut self) -> StmtKind {
        let is_reported = self.is_reported();
        self.start(TryStmt);
        let word = self.bump();
        self.awaited.otherwise += 1;
        let (condition, shown) = self.condition();
        self.eat_word("then");
        let body = (!self.at_statement_end()).then(|| self.statement());
        self.awaited.otherwise -= 1;
        if !is_reported {
            let mut diagnostic = Diagnostic::error("unknown-word", word, "there is no `if`").help(
                "a statement that fails ends its sequence; to go on in any case write `try [A, B] else C`",
            );
            let replaced = word.cover(body.as_ref().map_or(condition.span, |body| body.span));
            let is_missing = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Missing);
            diagnostic = match &body {
                _ if is_missing(&condition) || body.as_ref().is_some_and(is_missing) => diagnostic,
                Some(body) => {
                    let tried = format!("try [{shown}, {}]", self.text_of(body.span));
                    diagnostic.fix("write `try`", replaced, tried)
                }
                None => diagnostic.fix("leave it out", replaced, shown),
            };
            self.report(diagnostic);
        }
        let otherwise = if self.eat_word("else") { Some(self.boxed()) } else { None };
        self.finish();
        let span = condition.span;
        let parts = std::iter::once(condition).chain(body).collect();
        let tried = Stmt { kind: StmtKind::Sequence(parts), span };
        StmtKind::Try(Box::new(tried), otherwise)
    }

    /// The condition after `if`, and its form as a statement.
    fn condition(&mut self) -> (Stmt, String) {
        let start = self.here_start();
        if self.at(OpenParen) && begins_statement(self.word_at(1)) {
            let open = self.bump();
            let statements = self.sequence(SequenceEnd::Parenthesis);
            let inside = Span::new(open.end, self.previous_end());
            self.close_paren(open);
            let stmt = Stmt { kind: StmtKind::Sequence(statements), span: self.span_from(start) };
            return (stmt, self.text_of(inside).trim().to_owned());
        }
        let parenthesised = self.at(OpenParen);
        if !parenthesised && !self.at_bare_expression() {
            let stmt = self.statement();
            let shown = self.text_of(stmt.span).to_owned();
            return (stmt, shown);
        }
        self.start(ExprStmt);
        let expr = self.assignment_expression();
        self.finish();
        let span = self.span_from(start);
        let shown = self.text_of(expr.span);
        let shown = if parenthesised && shown.starts_with('(') && shown.ends_with(')') {
            format!("assert {shown}")
        } else {
            format!("assert ({shown})")
        };
        (Stmt { kind: StmtKind::Assert(expr), span }, shown)
    }

    /// Whether an expression is in the place of a statement.
    fn at_bare_expression(&self) -> bool {
        let next = self.kind_at(1);
        if self.begins_line(1) {
            return false;
        }
        match self.word() {
            "count" if next == OpenBracket => true,
            "count" if next == OpenParen => begins_statement(self.word_at(2)),
            "sum" if next == OpenParen => true,
            // `score -5` lacks its parentheses only.
            "score" if self.number_follows() => false,
            "row" | "column" => is_operator(next),
            _ => self.at_name() && is_operator(next),
        }
    }

    /// `row == 8` for `assert (row == 8)`
    fn bare_expression(&mut self) -> StmtKind {
        let is_reported = self.is_reported();
        self.start(ExprStmt);
        let expr = self.assignment_expression();
        self.finish();
        let changes = matches!(expr.kind, ExprKind::Assign(..) | ExprKind::Step { .. });
        if !is_reported && !matches!(expr.kind, ExprKind::Missing) {
            let word = if changes { "assign" } else { "assert" };
            let statement = format!("{word} ({})", self.text_of(expr.span));
            let message = "an expression alone is not a statement";
            let diagnostic = Diagnostic::error("expected-statement", expr.span, message)
                .label(format!("expected `{word} (...)`"))
                .fix(format!("put it in `{word} (...)`"), expr.span, statement);
            self.report(diagnostic);
        }
        if changes { StmtKind::Assign(expr) } else { StmtKind::Assert(expr) }
    }

    /// Whether the number after `score` lacks its parentheses.
    pub(super) fn number_follows(&self) -> bool {
        let number = matches!(self.kind_at(1), Int | Minus | Opponents);
        !self.begins_line(1) && (number || self.word_at(1) == "own" || self.is_name(1))
    }

    // Parts of statements.

    /// The direction behind `step`, which belongs before it.
    pub(super) fn step_with_direction(&mut self) -> Option<StmtKind> {
        let (direction, count) = match self.word() {
            "orthogonal" => (StmtKind::Orthogonal, 1),
            "diagonal" => (StmtKind::Diagonal, 1),
            "alldir" => (StmtKind::AnyDirection, 1),
            "any" if self.word_at(1) == "direction" => (StmtKind::AnyDirection, 2),
            word => (StmtKind::Compass(compass(word)?), 1),
        };
        // In `step east, step` the comma is missing.
        let goes_on = self.kind_at(count) == Comma && self.word_at(count + 1) == "step";
        if self.begins_line(0) || goes_on {
            return None;
        }
        let step = self.previous_span();
        let span = self.here().cover(self.look(count - 1).token.span);
        let mut both = format!("{}, step", self.text_of(span));
        let before = self.position.checked_sub(2).map_or(EndOfFile, |at| self.significant[at].token.kind);
        if !matches!(before, Comma | OpenBracket | Equal) {
            both = format!("[{both}]");
        }
        let diagnostic = Diagnostic::error("unknown-word", span, "the direction is set before `step`").fix(
            format!("write `{both}`"),
            step.cover(span),
            both,
        );
        self.error(diagnostic);
        for _ in 0..count {
            self.bump();
        }
        let parts = [(direction, span), (StmtKind::Step, step)];
        Some(StmtKind::Sequence(parts.map(|(kind, span)| Stmt { kind, span }).into()))
    }

    /// `a3` or `(a3)` behind `move to`.
    pub(super) fn coordinate(&mut self) -> Option<StmtKind> {
        let parenthesised = self.at(OpenParen);
        let ahead = usize::from(parenthesised);
        let (column, row) = field_of(self.word_at(ahead))?;
        if parenthesised && self.kind_at(2) != CloseParen {
            return None;
        }
        let span = self.here().cover(self.look(2 * ahead).token.span);
        let field = format!("({column}, {row})");
        let message = "a field is given by the numbers of its column and row";
        let diagnostic = Diagnostic::error("expected-token", span, message)
            .label(format!("expected `{field}`"))
            .fix(format!("write `{field}`"), span, field);
        self.error(diagnostic);
        for _ in 0..=2 * ahead {
            self.bump();
        }
        let number = |value: i64| Expr { kind: ExprKind::Int(value), span };
        Some(StmtKind::MoveTo(number(column), number(row)))
    }

    /// `count (A)` for `count [A]`
    pub(super) fn count_in_parentheses(&mut self, start: u32) -> Expr {
        let is_reported = self.is_reported();
        self.start(CountExpr);
        let count = self.bump();
        let open = self.bump();
        let statements = self.sequence(SequenceEnd::Parenthesis);
        let inside = Span::new(open.end, self.previous_end());
        let is_closed = self.at(CloseParen);
        self.close_paren(open);
        let all = self.span_from(open.start);
        self.finish();
        self.height += 1;
        if !is_reported {
            let counted = format!("[{}]", self.text_of(inside));
            let mut diagnostic = Diagnostic::error("expected-token", count, "`count` takes brackets")
                .label("expected `[` behind it");
            if is_closed {
                diagnostic = diagnostic.fix("write brackets", all, counted);
            }
            self.report(diagnostic);
        }
        let body = Stmt { kind: StmtKind::Sequence(statements), span: all };
        Expr { kind: ExprKind::Count(Box::new(body)), span: self.span_from(start) }
    }
}

/// Whether an expression goes on with this behind a name.
fn is_operator(kind: SyntaxKind) -> bool {
    matches!(kind, PlusPlus | MinusMinus) || super::expressions::joins_operands(kind)
}

/// The column and row of a field written as `a3`.
fn field_of(word: &str) -> Option<(i64, i64)> {
    let mut letters = word.chars();
    let letter = letters.next().filter(char::is_ascii_lowercase)?;
    let row: u8 = letters.as_str().parse().ok()?;
    Some((i64::from(u32::from(letter) - u32::from('a')) + 1, i64::from(row)))
}
