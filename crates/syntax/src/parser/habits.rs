//! What people write before they know the grammar well: several statements without brackets, a size without
//! parentheses, a range without brackets, a declaration that does not exist.
//!
//! As with the [habits from other languages](super::foreign), each is read as what was meant, or skipped as a
//! whole, so that one mistake is one message.

use super::Parser;
use super::declarations::DECLARATION_WORDS;
use super::statements::SequenceEnd;
use crate::ast::{Expr, ExprKind, Name, RepeatHigh, Stmt, StmtKind};
use crate::syntax_kind::SyntaxKind::*;
use crate::words::{begins_statement, closest, is_compass};
use crate::{Diagnostic, Span};

/// How far to look for the `or` that a comma has cut off.
const FARTHEST_OR: usize = 64;

/// Words of games of chance.
const CHANCE: [&str; 6] = ["roll", "dice", "die", "random", "shuffle", "flip"];

/// What there is to declare, for a message.
pub(super) fn known_declarations() -> String {
    let words = DECLARATION_WORDS.map(|word| match word {
        "no" => "`no moves`".to_owned(),
        "based" => "`based on`".to_owned(),
        word => format!("`{word}`"),
    });
    format!("declarations: {}", words.join(", "))
}

impl Parser<'_> {
    // Alternatives.

    /// One alternative of `either`; several statements without brackets are reported and taken together.
    pub(super) fn alternative(&mut self, either: Span) -> Stmt {
        let start = self.here_start();
        let first = self.statement();
        if !self.at(Comma) || !self.or_follows_comma() {
            return first;
        }
        let diagnostic = Diagnostic::error(
            "expected-word",
            self.here(),
            "a comma ends `either`: alternatives of several statements need brackets",
        )
        .label("expected `or`")
        .related(either, "this `either` is still open")
        .help("write `either [A, B] or [C, D]`");
        self.error(diagnostic);
        let mut parts = vec![first];
        while self.eat(Comma) {
            parts.push(self.statement());
        }
        Stmt { kind: StmtKind::Sequence(parts), span: self.span_from(start) }
    }

    /// Whether an `or` that belongs to no other `either` comes before the brackets or the rule end.
    fn or_follows_comma(&self) -> bool {
        let mut open = 0;
        for ahead in 1..FARTHEST_OR {
            match self.kind_at(ahead) {
                OpenBracket | OpenParen => open += 1,
                CloseBracket | CloseParen if open == 0 => return false,
                CloseBracket | CloseParen => open -= 1,
                Dot | EndOfFile | OpenBrace | CloseBrace => return false,
                Ident if open > 0 => {}
                Ident if self.word_at(ahead) == "or" => return true,
                Ident if self.word_at(ahead) == "either" => return false,
                Ident if self.is_item_start(ahead) => return false,
                _ => {}
            }
        }
        false
    }

    // Symbols.

    /// `"P" "p"` for `'P' 'p'`
    pub(super) fn quoted_symbols(&mut self, name: &Name) -> Vec<(char, Span)> {
        let mut symbols = Vec::new();
        let mut shown = Vec::new();
        let mut ahead = 0;
        while self.kind_at(ahead) == Text {
            let text = self.token_text(ahead).trim_matches('"');
            let mut characters = text.chars();
            let (Some(character), None) = (characters.next(), characters.next()) else { break };
            symbols.push((character, self.look(ahead).token.span));
            shown.push(format!("'{character}'"));
            ahead += 1;
        }
        let (Some(first), Some(last)) = (symbols.first(), symbols.last()) else { return symbols };
        let span = first.1.cover(last.1);
        let message = format!("the symbol of the piece `{}` is in double quotes", name.text);
        let diagnostic = Diagnostic::error("expected-symbol", span, message)
            .label("expected single quotes")
            .fix("write single quotes", span, shown.join(" "));
        self.error(diagnostic);
        for _ in 0..ahead {
            self.bump();
        }
        symbols.truncate(2);
        symbols
    }

    // Statements where an expression is expected.

    /// Whether `assert (` is followed by a statement.
    pub(super) fn asserts_statement(&self) -> bool {
        let goes_on = self.kind_at(3) == Comma && (self.word_at(2) == "step" || is_compass(self.word_at(2)));
        self.kind_at(1) == OpenParen && (goes_on || self.is_statement_in_expression(2))
    }

    /// `assert (points at P)`: the statement is a condition by itself.
    pub(super) fn asserted_statement(&mut self) -> StmtKind {
        self.start(ExprStmt);
        let assert = self.bump();
        let open = self.bump();
        let position = self.position;
        let statements = self.sequence(SequenceEnd::Parenthesis);
        let inside = Span::new(open.end, self.previous_end());
        self.close_paren(open);
        self.finish();
        if self.last_error.is_none_or(|error| error < position) {
            let message = "`assert` takes an expression; a statement that fails is a condition by itself";
            let shown = self.text_of(inside).trim().to_owned();
            let replaced = if statements.len() > 1 { format!("[{shown}]") } else { shown };
            let diagnostic = Diagnostic::error("expected-expression", inside, message)
                .label("this is a statement")
                .fix("write the statement alone", assert.cover(self.previous_span()), replaced);
            self.report(diagnostic);
        }
        StmtKind::Sequence(statements)
    }

    /// Whether the word here begins a statement although an expression is expected.
    pub(super) fn statement_in_expression(&self, word: &str) -> bool {
        !word.is_empty() && !self.begins_line(0) && self.is_statement_in_expression(0)
    }

    fn is_statement_in_expression(&self, ahead: usize) -> bool {
        let word = self.word_at(ahead);
        let next = self.kind_at(ahead + 1);
        let operand_follows = matches!(next, OpenBracket | Opponents) || next == Ident;
        let alone = next == CloseParen && matches!(word, "step" | "pickup" | "putdown" | "nothing");
        begins_statement(word)
            && (operand_follows || alone)
            && !self.misnamed.iter().any(|name| name == word)
            && !matches!(self.word_at(ahead + 1), "or" | "else" | "times")
    }

    /// Says what to do with a statement inside an expression, and skips it.
    pub(super) fn report_statement_in_expression(&mut self) {
        let word = self.word();
        let diagnostic = self.expected("expected-expression", "an expression").help(format!(
            "`{word}` begins a statement: put it before or behind as a condition of its own, or ask for the \
             number of its results: `count [...]`"
        ));
        self.error(diagnostic);
        let silent = std::mem::replace(&mut self.silent, true);
        self.start(Error);
        self.statement();
        self.finish();
        self.silent = silent;
    }

    // Single statements.

    /// The number behind `step`, which goes one field.
    pub(super) fn counted_step(&mut self) -> Option<StmtKind> {
        if !self.at(Int) || self.begins_line(0) {
            return None;
        }
        let step = self.previous_span();
        let span = step.cover(self.here());
        let statement = format!("repeat {} times step", self.token_text(0));
        let diagnostic = Diagnostic::error("expected-separator", self.here(), "`step` goes one field")
            .label("expected `,` or `.`")
            .fix(format!("write `{statement}`"), span, statement);
        self.error(diagnostic);
        let number = self.here();
        let value = self.bump_integer().0?;
        let low = Expr { kind: ExprKind::Int(value), span: number };
        let body = Box::new(Stmt { kind: StmtKind::Step, span: step });
        Some(StmtKind::Repeat { low, high: RepeatHigh::Same, body })
    }

    /// `pick up` and `put down`, behind which no piece is named.
    pub(super) fn hand_statement(&mut self, second: &str, kind: StmtKind) -> StmtKind {
        let start = self.here_start();
        if self.word_at(1) == second && self.kind_at(2) == OpenParen {
            return self.some_pieces(2, kind);
        }
        let kind = self.words(Some(second), kind);
        let names_piece = match self.word() {
            "own" | "piece" => true,
            "any" => self.word_at(1) == "piece",
            word => self.at_name() && !self.is_called(word) && self.ends_statement(1),
        };
        if self.begins_line(0) || !(names_piece || self.at(Opponents)) || self.is_reported() {
            return kind;
        }
        let at = self.here_start();
        let found = self.here();
        let position = self.position;
        let silent = std::mem::replace(&mut self.silent, true);
        self.pattern();
        self.silent = silent;
        let pattern = self.text_of(Span::new(at, self.previous_end())).to_owned();
        let all = self.span_from(start);
        let diagnostic = if matches!(kind, StmtKind::PutDown) {
            let message = "`put down` puts down what the hand holds, so it names no piece";
            let diagnostic = Diagnostic::error("expected-separator", found, message);
            diagnostic.fix(format!("write `replace by {pattern}`"), all, format!("replace by {pattern}"))
        } else {
            let message = "`pick up` takes what is on the field under the finger, so it names no piece";
            let diagnostic = Diagnostic::error("expected-separator", found, message);
            let asked = format!("points at {pattern}, pick up");
            diagnostic.fix(format!("write `{asked}`"), all, asked)
        };
        self.last_error = Some(position);
        self.report(diagnostic.label("expected `,` or `.`"));
        kind
    }

    /// `pick up (e)`, `put down (e)`: one word or two before the number.
    pub(super) fn some_pieces(&mut self, words: usize, kind: StmtKind) -> StmtKind {
        self.start(ExprStmt);
        (0..words).for_each(|_| {
            self.bump();
        });
        let number = self.parenthesised();
        self.finish();
        match kind {
            StmtKind::PickUp => StmtKind::PickUpSome(number),
            _ => StmtKind::PutDownSome(number),
        }
    }

    /// Whether a rule of this text may have that name.
    fn is_called(&self, name: &str) -> bool {
        self.rule_names.is_empty() || self.rule_names.contains(name)
    }

    fn ends_statement(&self, ahead: usize) -> bool {
        let joins = matches!(self.word_at(ahead), "or" | "else" | "while" | "do");
        matches!(self.kind_at(ahead), Comma | Dot | CloseBracket | EndOfFile) || joins
    }

    /// Whether a word that does not name a rule is followed by another one: `roll die`, `is empty field`.
    pub(super) fn at_unknown_words(&self) -> bool {
        let joins = matches!(
            self.word_at(1),
            "or" | "else"
                | "do"
                | "while"
                | "times"
                | "then"
                | "and"
                | "if"
                | "elseif"
                | "elsif"
                | "elif"
                | "elsetry"
        );
        let word_follows = matches!(self.kind_at(1), Ident | Opponents) && !self.begins_line(1) && !joins;
        let asks = matches!(self.word(), "is" | "at" | "on") && self.begins_pattern(1);
        let unknown = self.is_name(1) || asks;
        word_follows && unknown && !self.is_called(self.word()) && !self.is_rule_start(1)
    }

    /// Reports words that are not a statement, and skips them.
    pub(super) fn unknown_words(&mut self) -> StmtKind {
        let word = self.word();
        let span = self.here();
        let pattern_follows = matches!(self.word_at(1), "own" | "empty" | "any" | "piece" | "field")
            || self.kind_at(1) == Opponents;
        if matches!(word, "is" | "at" | "on") && (pattern_follows || self.ends_statement(2)) {
            let diagnostic =
                Diagnostic::error("unknown-word", span, format!("there is no statement `{word}`"))
                    .help("`points at` asks about the field under the finger, as in `points at empty field`")
                    .fix("write `points at`", span, "points at");
            self.error(diagnostic);
            self.start(PatternStmt);
            self.bump();
            let pattern = self.pattern();
            self.finish();
            return StmtKind::PointsAt(pattern);
        }
        let both = span.cover(self.look(1).token.span);
        let message = format!("there is no statement `{}`", self.text_of(both));
        let diagnostic = Diagnostic::error("unknown-word", both, message);
        let diagnostic = if CHANCE.contains(&word) {
            diagnostic.help("dice and cards cannot be written: the language has games without chance only")
        } else {
            diagnostic.label("no rule has this name").help(
                "a statement is made of words of the language or is a rule's name; statements are separated \
                 by `,`",
            )
        };
        self.error(diagnostic);
        self.skip_statement();
        StmtKind::Missing
    }

    // Declarations.

    /// `=`, which is inserted where its value follows.
    pub(super) fn expect_equals(&mut self) -> bool {
        let value_follows = matches!(self.kind(), Int | Ident) && !self.begins_line(0) || self.at(Colon);
        if self.at(Equal) || !value_follows {
            return self.expect(Equal, "=");
        }
        let diagnostic = self.expected("expected-token", "`=`");
        let diagnostic = if self.at(Colon) {
            diagnostic.fix("write `=`", self.after_previous().cover(self.here()), " =")
        } else {
            diagnostic.fix("insert `=`", self.after_previous(), " =")
        };
        self.report(diagnostic);
        if self.at(Colon) {
            self.bump_as_error();
        }
        true
    }

    /// `5x5`, `5 x 5`, `5, 5` behind `dimensions`.
    pub(super) fn size_without_parentheses(&mut self) -> Option<(Expr, Expr)> {
        if !self.at(Int) {
            return None;
        }
        let start = self.here();
        let joined = self.word_at(1).strip_prefix(['x', 'X']).unwrap_or_default();
        let (rows, tokens) = match (self.kind_at(1), self.kind_at(2)) {
            (Ident, Int) if matches!(self.word_at(1), "x" | "X" | "by") => (self.token_text(2), 3),
            (Comma | Star, Int) => (self.token_text(2), 3),
            (Ident, _) if !joined.is_empty() => (joined, 2),
            _ => return None,
        };
        let (Ok(columns), Ok(rows)) = (self.token_text(0).parse(), rows.parse::<i64>()) else { return None };
        let span = start.cover(self.look(tokens - 1).token.span);
        let size = format!("({columns}, {rows})");
        let diagnostic = Diagnostic::error("expected-token", span, "the size of the board is in parentheses")
            .label("columns and rows are expected")
            .fix(format!("write `{size}`"), span, size);
        self.error(diagnostic);
        for _ in 0..tokens {
            self.bump();
        }
        let number = |value: i64| Expr { kind: ExprKind::Int(value), span };
        Some((number(columns), number(rows)))
    }

    /// `0..5`, `(0 .. 5)` or `: 0..5` for `[0 .. 5]`.
    pub(super) fn range_without_brackets(&mut self) -> Option<(Expr, Expr)> {
        let skipped = usize::from(matches!(self.kind(), Colon | OpenParen));
        let sign = usize::from(self.kind_at(skipped) == Minus);
        let bound = matches!(self.kind_at(skipped + sign), Int | Ident);
        if !bound || self.kind_at(skipped + sign + 1) != DotDot {
            return None;
        }
        let position = self.position;
        let start = self.here_start();
        for _ in 0..skipped {
            self.bump_as_error();
        }
        let low = self.constant();
        self.eat(DotDot);
        let high = self.constant();
        if skipped == 1 {
            self.eat(CloseParen);
        }
        let range = format!("[{} .. {}]", self.text_of(low.span), self.text_of(high.span));
        let span = self.span_from(start);
        let diagnostic = Diagnostic::error("expected-token", span, "a range is in brackets").fix(
            format!("write `{range}`"),
            span,
            range,
        );
        if self.last_error.is_none_or(|error| error < position) {
            self.report(diagnostic);
        }
        Some((low, high))
    }

    /// The number of occurrences behind `repetition = draw`.
    pub(super) fn occurrences(&mut self) -> Expr {
        if !self.begins_line(0) && !self.at(EndOfFile) {
            return self.constant();
        }
        let place = self.after_previous();
        let diagnostic = self
            .expected_next("expected-expression", "the number of occurrences")
            .help("as in `repetition = draw 3`: the third occurrence of a position ends the game")
            .fix("insert 3", place, " 3");
        self.error(diagnostic);
        Expr { kind: ExprKind::Missing, span: place }
    }

    /// Whether `name = value` here is meant as a declaration: a number, or a name with another declaration
    /// behind it and no full stop.
    pub(super) fn at_unknown_declaration(&self) -> bool {
        if !self.at_name() || self.kind_at(1) != Equal {
            return false;
        }
        match self.kind_at(2) {
            Int => matches!(self.kind_at(3), EndOfFile | Dot) || self.begins_line(3) && self.is_item_start(3),
            Ident if begins_statement(self.word_at(2)) => false,
            Ident => {
                self.begins_line(3)
                    && self.is_declaration_start(3)
                    && !self.rule_names.contains(self.word_at(2))
            }
            _ => false,
        }
    }

    /// Reports a declaration that does not exist, and skips it.
    pub(super) fn unknown_declaration(&mut self) {
        let word = self.word();
        let message = format!("there is no declaration `{word}`");
        let mut diagnostic = Diagnostic::error("unknown-declaration", self.here(), message);
        diagnostic = match closest(word, DECLARATION_WORDS) {
            Some(meant) => diagnostic.fix(format!("write `{meant}`"), self.here(), meant),
            None => diagnostic.help(known_declarations()),
        };
        self.error(diagnostic);
        self.start(Error);
        for _ in 0..3 {
            self.bump();
        }
        self.eat(Dot);
        self.finish();
    }
}
