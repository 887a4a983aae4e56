//! Patterns: the content of a field.

use super::Parser;
use crate::ast::{Owner, Pattern, PatternKind};
use crate::syntax_kind::SyntaxKind::{self, *};
use crate::words::closest;
use crate::{Diagnostic, Span};

impl Parser<'_> {
    /// `[P or Q]`, `empty field`, `own pawn` and so on.
    pub(super) fn pattern(&mut self) -> Pattern {
        let start = self.here_start();
        if !self.enter() {
            return Pattern { kind: PatternKind::Missing, span: self.span_from(start) };
        }
        let saved = std::mem::take(&mut self.height);
        let kind = self.pattern_kind();
        self.height = saved.max(self.height + 1);
        self.leave();
        Pattern { kind, span: self.span_from(start) }
    }

    fn pattern_kind(&mut self) -> PatternKind {
        if self.at(OpenBracket) {
            return self.alternatives();
        }
        if self.at(Opponents) {
            return self.owned(Owner::Opponents, PatternKind::OpponentsPiece);
        }
        if matches!(self.word(), "opponents" | "opponent") && self.names_a_piece(1) {
            self.report_opponents();
            return self.owned(Owner::Opponents, PatternKind::OpponentsPiece);
        }
        match self.word() {
            "own" => self.owned(Owner::Own, PatternKind::OwnPiece),
            "empty" => {
                self.start(WordPattern);
                self.bump();
                self.expect_word("field");
                self.finish();
                PatternKind::EmptyField
            }
            "any" => self.any(),
            "piece" => self.bare_piece(),
            "field" => self.bare_field(),
            word if self.at_name() && self.word_at(1) == "field" && !self.begins_line(1) => {
                let meant = if closest(word, ["any", "all", "every"]).is_some() { "any" } else { "empty" };
                let diagnostic =
                    Diagnostic::error("unknown-word", self.here(), format!("there is no `{word} field`"))
                        .fix(format!("write `{meant} field`"), self.here(), meant);
                self.error(diagnostic);
                self.start(WordPattern);
                self.bump();
                self.bump();
                self.finish();
                if meant == "any" { PatternKind::AnyField } else { PatternKind::EmptyField }
            }
            _ if self.at_name() => {
                self.start(PiecePattern);
                let name = self.bump_name();
                self.finish();
                PatternKind::Piece(Owner::Plain, name)
            }
            _ => {
                let diagnostic = self.expected("expected-pattern", "a pattern").help(
                    "a pattern is a piece's name, `own`/`opponent's` with one, `own piece`, `any piece`, \
                     `empty field`, `any field`, or `[P or Q]`",
                );
                self.error(diagnostic);
                PatternKind::Missing
            }
        }
    }

    /// `[P or Q]`
    fn alternatives(&mut self) -> PatternKind {
        self.start(AnyPattern);
        let open = self.bump();
        let mut patterns = vec![self.pattern()];
        loop {
            if self.eat_word("or") {
                patterns.push(self.pattern());
            } else if self.at(Comma) && self.begins_pattern(1) {
                let diagnostic = Diagnostic::error(
                    "comma-in-pattern",
                    self.here(),
                    "the alternatives of a pattern are joined by `or`",
                )
                .fix("write `or`", self.here(), " or");
                self.error(diagnostic);
                self.bump();
                patterns.push(self.pattern());
            } else {
                break;
            }
        }
        self.close_bracket(open, "pattern");
        self.finish();
        PatternKind::Any(patterns)
    }

    /// `own pawn`, `opponent's piece`
    fn owned(&mut self, owner: Owner, anything: PatternKind) -> PatternKind {
        self.start(PiecePattern);
        self.bump();
        let kind = if self.eat_word("piece") {
            anything
        } else if self.at_name() {
            PatternKind::Piece(owner, self.bump_name())
        } else {
            let diagnostic = self.expected("expected-pattern", "`piece` or a piece's name");
            self.error(diagnostic);
            PatternKind::Missing
        };
        self.finish();
        kind
    }

    /// `any field`, `any piece`
    fn any(&mut self) -> PatternKind {
        self.start(WordPattern);
        self.bump();
        let kind = match self.word() {
            "field" => PatternKind::AnyField,
            "piece" => PatternKind::AnyPiece,
            _ => PatternKind::Missing,
        };
        if matches!(kind, PatternKind::Missing) {
            let diagnostic = self.expected("expected-word", "`field` or `piece`");
            self.error(diagnostic);
        } else {
            self.bump();
        }
        self.finish();
        kind
    }

    fn bare_piece(&mut self) -> PatternKind {
        let diagnostic = Diagnostic::error("whose-piece", self.here(), "whose piece?")
            .help("write `own piece`, `opponent's piece` or `any piece`")
            .fix("write `any piece`", self.here(), "any piece");
        self.bare_word(diagnostic, PatternKind::AnyPiece)
    }

    fn bare_field(&mut self) -> PatternKind {
        let diagnostic = Diagnostic::error("which-field", self.here(), "which field?")
            .help("write `empty field` or `any field`")
            .fix("write `any field`", self.here(), "any field");
        self.bare_word(diagnostic, PatternKind::AnyField)
    }

    fn bare_word(&mut self, diagnostic: Diagnostic, kind: PatternKind) -> PatternKind {
        self.error(diagnostic);
        self.start(WordPattern);
        self.bump();
        self.finish();
        kind
    }

    pub(super) fn begins_pattern(&self, ahead: usize) -> bool {
        let kind: SyntaxKind = self.kind_at(ahead);
        matches!(kind, OpenBracket | Opponents)
            || matches!(self.word_at(ahead), "own" | "empty" | "any" | "piece" | "field")
            || self.is_name(ahead)
    }

    /// Whether a word that can follow `own` comes next, on the same line.
    pub(super) fn names_a_piece(&self, ahead: usize) -> bool {
        !self.begins_line(ahead) && (self.is_name(ahead) || self.word_at(ahead) == "piece")
    }

    /// Reports `opponent` or `opponents` without apostrophe.
    pub(super) fn report_opponents(&mut self) {
        let word = self.word();
        let diagnostic = Diagnostic::error(
            "opponents-apostrophe",
            self.here(),
            format!("`{word}` lacks the apostrophe of `opponent's`"),
        )
        .fix("write `opponent's`", self.here(), "opponent's");
        self.error(diagnostic);
    }

    /// Consumes the `]` that closes a bracket, or says that it is missing.
    pub(super) fn close_bracket(&mut self, open: Span, of_what: &str) -> bool {
        if self.eat(CloseBracket) {
            return true;
        }
        // Before a new rule the full stop is missing too.
        let missing = if self.at_item_start() { "]." } else { "]" };
        let diagnostic = self
            .expected_next("unclosed-bracket", &format!("`]` at the end of this {of_what}"))
            .label("expected `]`")
            .related(open, "this `[` is not closed")
            .fix(format!("insert `{missing}`"), self.after_previous(), missing);
        self.error(diagnostic);
        false
    }
}
