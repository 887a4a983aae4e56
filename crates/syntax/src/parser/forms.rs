//! The forms of statements, one method each.

use super::Parser;
use super::statements::SequenceEnd;
use crate::ast::{Expr, ExprKind, NamePart, Pattern, RepeatHigh, Stmt, StmtKind};
use crate::syntax_kind::SyntaxKind::*;
use crate::words::is_compass;
use crate::{Diagnostic, Span};

/// What `for each` goes through.
enum Over {
    Fields(Pattern),
    Directions(Box<Stmt>),
}

impl Parser<'_> {
    /// `[A, B]`
    pub(super) fn bracket(&mut self) -> StmtKind {
        self.start(BracketStmt);
        let open = self.bump();
        let statements =
            if self.at(CloseBracket) {
                let diagnostic =
                    Diagnostic::error("empty-brackets", open.cover(self.here()), "the brackets are empty")
                        .fix("write `nothing`", self.after_previous(), "nothing");
                self.error(diagnostic);
                Vec::new()
            } else {
                self.sequence(SequenceEnd::Bracket)
            };
        self.close_bracket(open, "sequence");
        self.finish();
        StmtKind::Sequence(statements)
    }

    /// `either A or B`
    pub(super) fn either(&mut self) -> StmtKind {
        self.start(EitherStmt);
        let either = self.bump();
        self.awaited.or += 1;
        let mut alternatives = vec![self.alternative(either)];
        while self.eat_word("or") {
            alternatives.push(self.alternative(either));
        }
        self.awaited.or -= 1;
        if alternatives.len() == 1 {
            let diagnostic = self
                .expected_next("expected-word", "`or`")
                .related(either, "`either` needs at least two alternatives");
            self.error(diagnostic);
        }
        self.finish();
        StmtKind::Either(alternatives)
    }

    /// `try A else B`
    pub(super) fn try_statement(&mut self) -> StmtKind {
        self.start(TryStmt);
        self.bump();
        self.awaited.otherwise += 1;
        let body = self.boxed();
        self.awaited.otherwise -= 1;
        let otherwise =
            if self.eat_word("else") {
                Some(self.boxed())
            } else if matches!(self.word(), "elseif" | "elsif" | "elif" | "elsetry") {
                let diagnostic =
                    Diagnostic::error("unknown-word", self.here(), format!("there is no `{}`", self.word()))
                        .fix("write `else try`", self.here(), "else try");
                self.error(diagnostic);
                // The body of the intended `try` follows.
                let start = self.here_start();
                let kind = if self.enter() { self.nested_try() } else { StmtKind::Missing };
                Some(Box::new(Stmt { kind, span: self.span_from(start) }))
            } else {
                None
            };
        self.finish();
        StmtKind::Try(body, otherwise)
    }

    pub(super) fn nested_try(&mut self) -> StmtKind {
        let kind = self.try_statement();
        self.height += 1;
        self.leave();
        kind
    }

    /// Some words before one statement.
    pub(super) fn prefix(&mut self, words: usize, make: fn(Box<Stmt>) -> StmtKind) -> StmtKind {
        self.start(PrefixStmt);
        for _ in 0..words {
            self.bump();
        }
        let body = self.boxed();
        self.finish();
        make(body)
    }

    /// `repeat N .. M times A`
    pub(super) fn repeat(&mut self) -> StmtKind {
        self.start(RepeatStmt);
        self.bump();
        let low = self.constant();
        let high = if !self.eat(DotDot) {
            RepeatHigh::Same
        } else if self.eat_word("infinity") {
            RepeatHigh::Infinity
        } else {
            RepeatHigh::To(self.constant())
        };
        self.expect_word("times");
        let body = self.boxed();
        self.finish();
        StmtKind::Repeat { low, high, body }
    }

    /// `while C do A`
    pub(super) fn while_statement(&mut self) -> StmtKind {
        self.start(WhileStmt);
        self.bump();
        self.awaited.body += 1;
        let condition = self.boxed();
        self.awaited.body -= 1;
        if !self.at_word("do") && self.at_statement_end() {
            let diagnostic = self
                .expected_next("expected-word", "`do`")
                .help("`while C do A` does A as long as C has a result")
                .fix("insert `do nothing`", self.after_previous(), " do nothing");
            self.error(diagnostic);
        } else {
            self.expect_word("do");
        }
        let body = self.boxed();
        self.finish();
        StmtKind::While { condition, body }
    }

    /// `do A while C`
    pub(super) fn do_statement(&mut self) -> StmtKind {
        self.start(DoWhileStmt);
        self.bump();
        self.awaited.condition += 1;
        let body = self.boxed();
        self.awaited.condition -= 1;
        let found = if !self.at_word("while") && self.at_statement_end() {
            let diagnostic = self
                .expected_next("expected-word", "`while`")
                .help("`do A while C` does A again as long as C has a result");
            self.error(diagnostic);
            false
        } else {
            self.expect_word("while")
        };
        let condition = if found {
            self.boxed()
        } else {
            Box::new(Stmt { kind: StmtKind::Missing, span: self.after_previous() })
        };
        self.finish();
        StmtKind::DoWhile { body, condition }
    }

    /// `find P`, `points at P`, `replace by P`
    pub(super) fn with_pattern(
        &mut self,
        second: Option<&str>,
        make: fn(crate::ast::Pattern) -> StmtKind,
    ) -> StmtKind {
        self.start(PatternStmt);
        self.bump();
        match second {
            Some("by") if self.at_word("with") => self.replace_word("by"),
            Some("at") if self.at_word("to") => self.replace_word("at"),
            Some(word) => {
                self.expect_word(word);
            }
            None => {}
        }
        let pattern = self.pattern();
        self.finish();
        make(pattern)
    }

    /// Reports that another word is used here, and takes it for that one.
    pub(super) fn replace_word(&mut self, word: &str) {
        let diagnostic = self.expected("expected-word", &format!("`{word}`")).fix(
            format!("write `{word}`"),
            self.here(),
            word,
        );
        self.error(diagnostic);
        self.bump();
    }

    /// `move to (x, y)`
    pub(super) fn move_to(&mut self) -> StmtKind {
        self.start(MoveToStmt);
        self.bump();
        self.expect_word("to");
        if let Some(kind) = self.coordinate() {
            self.finish();
            return kind;
        }
        let missing = |span: Span| Expr { kind: ExprKind::Missing, span };
        let mut column = missing(self.after_previous());
        let mut row = missing(self.after_previous());
        if self.at(OpenParen) {
            let open = self.bump();
            column = self.assignment_expression();
            self.expect(Comma, ",");
            row = self.assignment_expression();
            self.close_paren(open);
        } else {
            let diagnostic =
                self.expected("expected-token", "`(`").help("as in `move to (1, 8)`: column and row");
            self.error(diagnostic);
        }
        self.finish();
        StmtKind::MoveTo(column, row)
    }

    /// `match (P, Q)`
    pub(super) fn match_statement(&mut self) -> StmtKind {
        self.start(MatchStmt);
        self.bump();
        let mut patterns = Vec::new();
        if self.at(OpenParen) {
            let open = self.bump();
            patterns.push(self.pattern());
            while self.eat(Comma) {
                patterns.push(self.pattern());
            }
            self.close_paren(open);
        } else {
            let diagnostic = self
                .expected("expected-token", "`(`")
                .help("`match` takes a pattern for each field of the board, in parentheses");
            self.error(diagnostic);
        }
        self.finish();
        StmtKind::Match(patterns)
    }

    /// One word, or two.
    pub(super) fn words(&mut self, second: Option<&str>, kind: StmtKind) -> StmtKind {
        self.start(WordStmt);
        self.bump();
        if let Some(word) = second {
            self.expect_word(word);
        }
        self.finish();
        kind
    }

    pub(super) fn step(&mut self) -> StmtKind {
        self.start(WordStmt);
        self.bump();
        let mut kind = StmtKind::Step;
        if self.eat_word("backward") {
            kind = StmtKind::StepBackward;
        } else if !self.begins_line(0) && matches!(self.word(), "back" | "backwards" | "backward_") {
            self.replace_word("backward");
            kind = StmtKind::StepBackward;
        } else if let Some(other) = self.step_with_direction().or_else(|| self.counted_step()) {
            kind = other;
        }
        self.finish();
        kind
    }

    /// `turn 45`, `turn -45`
    pub(super) fn turn(&mut self) -> StmtKind {
        self.start(WordStmt);
        self.bump();
        let negative = self.eat(Minus);
        let kind = if self.at(Int) {
            let (value, _) = self.bump_integer();
            value.map_or(StmtKind::Missing, |value| StmtKind::Turn(if negative { -value } else { value }))
        } else {
            let diagnostic = self
                .expected("expected-angle", "an angle in degrees")
                .help("as in `turn 45` (clockwise) or `turn -45`; the angle is a constant");
            self.error(diagnostic);
            StmtKind::Missing
        };
        self.finish();
        kind
    }

    /// `white to move`
    pub(super) fn side_to_move(&mut self, kind: StmtKind) -> StmtKind {
        self.start(WordStmt);
        self.bump();
        self.words_to_move();
        self.finish();
        kind
    }

    /// `to move` behind a colour.
    pub(super) fn words_to_move(&mut self) {
        if self.expect_word("to") {
            self.expect_word("move");
        } else {
            self.eat_word("move");
        }
    }

    /// `assert (e)`, `assign (e)`, `score (e)`
    pub(super) fn with_expression(&mut self, make: fn(Expr) -> StmtKind) -> StmtKind {
        self.start(ExprStmt);
        self.bump();
        let expr = self.parenthesised();
        self.finish();
        make(expr)
    }

    /// `(e)`; without parentheses the expression is read all the same.
    pub(super) fn parenthesised(&mut self) -> Expr {
        if self.at(OpenParen) {
            let open = self.bump();
            let inner = self.expression();
            self.close_paren(open);
            return inner;
        }
        let mut diagnostic =
            self.expected("expected-token", "`(`").help("put the expression into parentheses");
        if self.at_statement_end() && !self.at(Ident) {
            self.error(diagnostic);
            return Expr { kind: ExprKind::Missing, span: self.after_previous() };
        }
        let expr = self.assignment_expression();
        if !matches!(expr.kind, ExprKind::Missing) {
            let written = &self.text[super::range(expr.span)];
            diagnostic = diagnostic.fix("put it in parentheses", expr.span, format!("({written})"));
        }
        self.report(diagnostic);
        if self.at(CloseParen) {
            self.bump_as_error();
        }
        expr
    }

    /// `greatest (e) A`
    pub(super) fn greatest(&mut self) -> StmtKind {
        self.start(GreatestStmt);
        self.bump();
        let expr = self.parenthesised();
        let body = self.boxed();
        self.finish();
        StmtKind::Greatest(expr, body)
    }

    /// `for each P do A`, `for each orthogonal do A`; `words` stand before the pattern.
    pub(super) fn for_each(&mut self, words: usize) -> StmtKind {
        self.start(ForEachStmt);
        for _ in 0..words {
            self.bump();
        }
        let over = self.for_each_what();
        if self.at(Comma) {
            let diagnostic = self.expected("expected-word", "`do`").fix("write `do`", self.here(), " do");
            self.error(diagnostic);
            self.bump_as_error();
        } else {
            self.expect_word("do");
        }
        let body = self.boxed();
        self.finish();
        match over {
            Over::Fields(pattern) => StmtKind::ForEachField(pattern, body),
            Over::Directions(directions) => StmtKind::ForEachDirection(directions, body),
        }
    }

    /// Fields or directions; whether a plain name is that of a piece or of a rule, the checker knows.
    fn for_each_what(&mut self) -> Over {
        if self.at_word("direction") && self.word_at(1) == "do" {
            let span = self.bump();
            return Over::Directions(Box::new(Stmt { kind: StmtKind::AnyDirection, span }));
        }
        let sets_direction = match self.word() {
            "orthogonal" | "diagonal" | "alldir" | "either" => true,
            "any" => self.word_at(1) == "direction",
            word => is_compass(word),
        };
        if sets_direction { Over::Directions(self.boxed()) } else { Over::Fields(self.pattern()) }
    }

    /// `called "P@" field (e)`
    pub(super) fn called(&mut self) -> StmtKind {
        self.start(CalledStmt);
        self.bump();
        let mut parts = Vec::new();
        loop {
            parts.push(match self.kind() {
                Text => NamePart::Text(self.bump_string().0),
                OpenParen => NamePart::Number(self.parenthesised()),
                _ if self.at_word("field") => NamePart::Field(self.bump()),
                _ => break,
            });
        }
        self.finish();
        StmtKind::Called(parts)
    }
}
