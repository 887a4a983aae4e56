//! The parser's messages about errors, and the way it continues.

use super::{MAX_ERRORS, Parser};
use crate::Diagnostic;
use crate::ast::Name;
use crate::syntax_kind::SyntaxKind::{self, *};
use crate::words::closest;

impl Parser<'_> {
    // Reporting.

    /// Reports an error at the current token, unless one was reported there already.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        let cascades = self.last_error == Some(self.position) || self.look(0).after_unknown;
        self.last_error = Some(self.position);
        if !cascades {
            self.report(diagnostic);
        }
    }

    /// Reports an error that nothing else can be the cause of.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.silent || self.diagnostics.len() > MAX_ERRORS {
            return;
        }
        if self.diagnostics.len() == MAX_ERRORS {
            self.diagnostics.push(Diagnostic::error(
                "too-many-errors",
                diagnostic.span,
                "too many errors; the rest is not reported",
            ));
            return;
        }
        self.diagnostics.push(diagnostic);
    }

    /// The next token, for a message.
    pub(super) fn found(&self) -> String {
        let text = self.token_text(0);
        match self.kind() {
            EndOfFile => "the end of the file".to_owned(),
            Int => format!("the number `{text}`"),
            Text => "a string".to_owned(),
            Symbol => format!("the symbol `{text}`"),
            _ if text.chars().count() > 40 => "a very long word".to_owned(),
            _ => format!("`{text}`"),
        }
    }

    /// The usual message at the current token.
    pub(super) fn expected(&self, code: &'static str, what: &str) -> Diagnostic {
        let span = if self.at(EndOfFile) { self.after_previous() } else { self.here() };
        Diagnostic::error(code, span, format!("expected {what}, found {}", self.found()))
            .label(format!("expected {what}"))
    }

    /// The message for something missing: behind the previous token if nothing follows on the line, because
    /// there people will put it.
    pub(super) fn expected_next(&self, code: &'static str, what: &str) -> Diagnostic {
        let mut diagnostic = self.expected(code, what);
        if self.begins_line(0) && self.position > 0 {
            diagnostic.span = self.after_previous();
        }
        diagnostic
    }

    /// Consumes a word that must follow, or reports it missing, offering to insert it or to replace a
    /// misspelled one.
    pub(super) fn expect_word(&mut self, word: &str) -> bool {
        if self.eat_word(word) {
            return true;
        }
        let mut diagnostic = self.expected_next("expected-word", &format!("`{word}`"));
        let misspelled = self.at_name() && !self.begins_line(0) && closest(self.word(), [word]).is_some();
        if misspelled {
            diagnostic = diagnostic.fix(format!("write `{word}`"), self.here(), word);
        } else {
            diagnostic =
                diagnostic.fix(format!("insert `{word}`"), self.after_previous(), format!(" {word}"));
        }
        self.error(diagnostic);
        if misspelled {
            self.bump();
        }
        misspelled
    }

    /// Consumes punctuation that must follow, or reports it missing.
    pub(super) fn expect(&mut self, kind: SyntaxKind, shown: &str) -> bool {
        if self.eat(kind) {
            return true;
        }
        let diagnostic = self.expected_next("expected-token", &format!("`{shown}`"));
        self.error(diagnostic);
        false
    }

    /// Reads a name, or reports the token in its place; a reserved word is consumed, as it was meant as a
    /// name.
    pub(super) fn expect_name(&mut self, what: &str) -> Option<Name> {
        if self.at_name() {
            return Some(self.bump_name());
        }
        let word = self.word();
        if word.is_empty() {
            let diagnostic = self.expected("expected-name", what);
            self.error(diagnostic);
            return None;
        }
        self.report_reserved(what);
        Some(self.bump_name())
    }

    /// Says that the word here is reserved and cannot be `what`.
    pub(super) fn report_reserved(&mut self, what: &str) {
        let word = self.word();
        let diagnostic = Diagnostic::error(
            "reserved-word",
            self.here(),
            format!("`{word}` is a word of the language and cannot be {what}"),
        )
        .label("reserved")
        .fix("choose another name", self.here(), format!("my_{word}"));
        self.misnamed.push(word.to_owned());
        self.error(diagnostic);
    }

    // Recovery.

    /// Skips a broken statement: up to `,`, `]`, `.`, a word that an unfinished statement waits for, or a new
    /// item. Brackets that open inside are skipped as a whole.
    pub(super) fn skip_statement(&mut self) {
        if self.at_statement_end() {
            return;
        }
        self.start(Error);
        let mut open = 0;
        while !matches!(self.kind(), EndOfFile | Dot) && !self.at_new_item() {
            match self.kind() {
                OpenBracket | OpenParen => open += 1,
                CloseBracket if open == 0 => break,
                CloseBracket | CloseParen if open > 0 => open -= 1,
                _ if open == 0 && self.at_statement_end() => break,
                _ => {}
            }
            self.bump();
        }
        self.finish();
    }

    /// Whether the next token ends a statement.
    pub(super) fn at_statement_end(&self) -> bool {
        match self.kind() {
            Comma | CloseBracket | Dot | EndOfFile => true,
            _ => self.at_awaited_word() || self.at_new_item(),
        }
    }

    pub(super) fn at_awaited_word(&self) -> bool {
        match self.word() {
            "or" => self.awaited.or > 0,
            "else" => self.awaited.otherwise > 0,
            "do" => self.awaited.body > 0,
            "while" => self.awaited.condition > 0,
            _ => false,
        }
    }

    /// Whether a rule or a declaration begins here. Only for places of statements: in an
    /// expression `name =` is an assignment.
    pub(super) fn at_item_start(&self) -> bool {
        self.is_item_start(0)
    }

    /// Whether a rule or a declaration begins here, on a line of its own: where skipping ends.
    pub(super) fn at_new_item(&self) -> bool {
        self.begins_line(0) && self.at_item_start()
    }

    pub(super) fn is_item_start(&self, ahead: usize) -> bool {
        self.is_rule_start(ahead) || self.is_declaration_start(ahead)
    }

    pub(super) fn is_rule_start(&self, ahead: usize) -> bool {
        if self.kind_at(ahead) != Ident {
            return false;
        }
        match self.kind_at(ahead + 1) {
            Equal => true,
            OpenParen => self.parameter_count(ahead) > 0,
            EqualEqual => self.begins_line(ahead) && self.is_name(ahead),
            _ => self.begins_line(ahead) && self.blank_rule_name_length(ahead).is_some(),
        }
    }

    /// Number of words before `=` if they look like a rule's name written with blanks.
    pub(super) fn blank_rule_name_length(&self, ahead: usize) -> Option<usize> {
        // Behind the first word any may stand: `knight move`, `three in a row`.
        let is_part = |&offset: &usize| match offset {
            0 => self.is_name(ahead),
            _ => self.kind_at(ahead + offset) == Ident && !self.begins_line(ahead + offset),
        };
        let count = (0..6).take_while(is_part).count();
        (count >= 2 && self.kind_at(ahead + count) == Equal).then_some(count)
    }
}
