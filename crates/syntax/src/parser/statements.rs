//! Statements and sequences of them.

use super::Parser;
use crate::ast::{Compass, Expr, ExprKind, OutcomeWord, RepeatHigh, Stmt, StmtKind};
use crate::syntax_kind::SyntaxKind::*;
use crate::words::closest;
use crate::{Diagnostic, Span};

/// What ends a sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SequenceEnd {
    FullStop,
    Bracket,
}

/// Words that people expect here and that other languages have.
const FOREIGN_WORDS: [(&str, &str); 4] = [
    (
        "if",
        "there is no `if`: a statement that fails ends its sequence; to go on in any case write `try [...] else ...`",
    ),
    ("then", "there is no `then`: statements that follow each other are separated by `,`"),
    ("and", "statements that all must succeed are separated by `,`"),
    ("forall", "write `for each P do A`"),
];

impl Parser<'_> {
    /// `stmt {"," stmt} [","]`, without what ends it.
    pub(super) fn sequence(&mut self, end: SequenceEnd) -> Vec<Stmt> {
        let outer = std::mem::take(&mut self.awaited);
        let mut statements = Vec::new();
        loop {
            statements.push(self.statement());
            if !self.separator(end) {
                break;
            }
        }
        self.awaited = outer;
        statements
    }

    /// Reads what stands between two statements; `false` if no statement follows.
    fn separator(&mut self, end: SequenceEnd) -> bool {
        loop {
            match self.kind() {
                EndOfFile => return false,
                Comma => {
                    self.bump();
                    return !self.sequence_ends(end);
                }
                Semicolon => {
                    let diagnostic = Diagnostic::error(
                        "semicolon",
                        self.here(),
                        "statements are separated by `,`",
                    )
                    .fix("write `,`", self.here(), ",");
                    self.error(diagnostic);
                    self.bump();
                    return !self.sequence_ends(end);
                }
                Dot if end == SequenceEnd::FullStop || self.full_stop_ends_rule() => return false,
                Dot => {
                    let diagnostic = Diagnostic::error(
                        "full-stop-in-bracket",
                        self.here(),
                        "the full stop ends a rule; inside brackets statements are separated by `,`",
                    )
                    .fix("write `,`", self.here(), ",");
                    self.error(diagnostic);
                    self.bump();
                    return !self.sequence_ends(end);
                }
                CloseBracket if end == SequenceEnd::Bracket => return false,
                _ if self.at_item_start() => return false,
                CloseBracket | CloseParen | CloseBrace => {
                    let diagnostic = Diagnostic::error(
                        "unopened-bracket",
                        self.here(),
                        format!("nothing is open that {} could close", self.found()),
                    )
                    .fix("remove it", self.here(), "");
                    self.error(diagnostic);
                    self.bump_as_error();
                }
                Ident if matches!(self.word(), "or" | "else" | "times") => {
                    self.report_stray_word();
                    self.bump_as_error();
                    return !self.sequence_ends(end);
                }
                Ident | OpenBracket => {
                    self.report_missing_comma();
                    return true;
                }
                _ => {
                    let expected = if end == SequenceEnd::Bracket { "`,` or `]`" } else { "`,` or `.`" };
                    let diagnostic = self.expected("expected-separator", expected);
                    self.error(diagnostic);
                    self.skip_statement();
                }
            }
        }
    }

    /// Whether after a separator the sequence is over: the last comma may be followed by its end.
    fn sequence_ends(&self, end: SequenceEnd) -> bool {
        match self.kind() {
            EndOfFile => true,
            Dot => end == SequenceEnd::FullStop || self.full_stop_ends_rule(),
            CloseBracket => end == SequenceEnd::Bracket,
            _ => self.at_item_start(),
        }
    }

    /// Whether behind the full stop here a new rule or declaration begins, so that it cannot be meant as a comma.
    fn full_stop_ends_rule(&self) -> bool {
        self.kind_at(1) == EndOfFile || self.is_item_start(1)
    }

    fn report_missing_comma(&mut self) {
        let word = self.word();
        let mut diagnostic = Diagnostic::error(
            "missing-comma",
            self.after_previous(),
            format!("expected `,` between statements, found {}", self.found()),
        )
        .label("expected `,`")
        .fix("insert `,`", self.after_previous(), ",");
        if let Some((_, advice)) = FOREIGN_WORDS.iter().find(|(foreign, _)| *foreign == word) {
            diagnostic = diagnostic.help(*advice);
        }
        self.error(diagnostic);
    }

    fn report_stray_word(&mut self) {
        let word = self.word();
        let message = match word {
            "or" => "`or` without `either`",
            "else" => "`else` without `try`",
            _ => "`times` without `repeat`",
        };
        let mut diagnostic = Diagnostic::error("stray-word", self.here(), message);
        if word == "or" {
            diagnostic = diagnostic
                .help("write `either A or B`; alternatives of a pattern stand in brackets: `[P or Q]`");
        }
        if word == "else" {
            diagnostic = diagnostic
                .help("a comma ends `try A`; several statements need brackets: `try [A, B] else C`");
        }
        self.error(diagnostic);
    }

    /// One statement.
    pub(super) fn statement(&mut self) -> Stmt {
        let start = self.here_start();
        if !self.enter() {
            return Stmt { kind: StmtKind::Missing, span: self.span_from(start) };
        }
        let saved = std::mem::take(&mut self.height);
        let kind = self.statement_kind();
        self.height = saved.max(self.height + 1);
        self.leave();
        Stmt { kind, span: self.span_from(start) }
    }

    fn boxed(&mut self) -> Box<Stmt> {
        Box::new(self.statement())
    }

    fn statement_kind(&mut self) -> StmtKind {
        if self.at(OpenBracket) {
            return self.bracket();
        }
        if self.at_item_start() {
            return self.missing_statement();
        }
        match self.word() {
            "either" => self.either(),
            "try" => self.try_statement(),
            "optionally" => self.prefix(1, StmtKind::Optionally),
            "test" => self.prefix(1, StmtKind::Test),
            "not" => self.prefix(1, StmtKind::Not),
            "repeat" => self.repeat(),
            "while" => self.while_statement(),
            "do" => self.do_statement(),
            "find" => self.with_pattern(None, StmtKind::Find),
            "points" => self.with_pattern(Some("at"), StmtKind::PointsAt),
            "replace" => self.with_pattern(Some("by"), StmtKind::ReplaceBy),
            "move" => self.move_to(),
            "match" => self.match_statement(),
            "pick" => self.words(Some("up"), StmtKind::PickUp),
            "put" => self.words(Some("down"), StmtKind::PutDown),
            "pickup" => self.words(None, StmtKind::PickUp),
            "putdown" => self.words(None, StmtKind::PutDown),
            "step" => self.step(),
            "any" => self.words(Some("direction"), StmtKind::AnyDirection),
            "alldir" => self.words(None, StmtKind::AnyDirection),
            "orthogonal" => self.words(None, StmtKind::Orthogonal),
            "diagonal" => self.words(None, StmtKind::Diagonal),
            "turn" | "rotate" => self.turn(),
            "assert" => self.with_expression(StmtKind::Assert),
            "assign" => self.with_expression(StmtKind::Assign),
            "white" => self.to_move(StmtKind::WhiteToMove),
            "black" => self.to_move(StmtKind::BlackToMove),
            "nothing" => self.words(None, StmtKind::Nothing),
            "irreversible" => self.words(None, StmtKind::Irreversible),
            "win" => self.words(None, StmtKind::Outcome(OutcomeWord::Win)),
            "lose" => self.words(None, StmtKind::Outcome(OutcomeWord::Lose)),
            "draw" => self.words(None, StmtKind::Outcome(OutcomeWord::Draw)),
            word => match compass(word) {
                Some(direction) => self.words(None, StmtKind::Compass(direction)),
                None if self.at_name() => self.named_statement(),
                None => self.missing_statement(),
            },
        }
    }

    /// A statement that begins with a word that is not reserved: one of the extensions, or a rule's name.
    fn named_statement(&mut self) -> StmtKind {
        let next = self.word_at(1);
        match self.word() {
            "greatest" if self.kind_at(1) == OpenParen => self.greatest(),
            "score" if self.kind_at(1) == OpenParen => self.with_expression(StmtKind::Score),
            // `keep turn 45` is a call of `keep` without its comma.
            "keep" if next == "turn" && !matches!(self.kind_at(2), Int | Minus) => {
                self.words(Some("turn"), StmtKind::KeepTurn)
            }
            "as" if next == "opponent" => self.prefix(2, StmtKind::AsOpponent),
            "as" if next == "opponents" || self.kind_at(1) == Opponents => {
                self.report_second_word("as", "opponent");
                self.prefix(2, StmtKind::AsOpponent)
            }
            "for" if next == "each" => self.for_each(),
            "point" if next == "at" => {
                let diagnostic = Diagnostic::error(
                    "unknown-word",
                    self.here(),
                    "`point at` is written `points at`",
                )
                .fix("write `points`", self.here(), "points");
                self.error(diagnostic);
                self.with_pattern(Some("at"), StmtKind::PointsAt)
            }
            word @ ("keep" | "as" | "for") if !self.begins_line(1) && self.is_name(1) => {
                let second = match word {
                    "keep" => "turn",
                    "as" => "opponent",
                    _ => "each",
                };
                if closest(next, [second]).is_none() && !matches!((word, next), ("for", "all" | "every")) {
                    return self.call();
                }
                self.report_second_word(word, second);
                match word {
                    "keep" => {
                        self.start(WordStmt);
                        self.bump();
                        self.bump();
                        self.finish();
                        StmtKind::KeepTurn
                    }
                    "as" => self.prefix(2, StmtKind::AsOpponent),
                    _ => self.for_each(),
                }
            }
            _ => self.call(),
        }
    }

    /// Reports that the second of two words is misspelled.
    fn report_second_word(&mut self, first: &str, second: &str) {
        let span = self.look(1).token.span;
        let diagnostic = Diagnostic::error(
            "unknown-word",
            span,
            format!("`{first}` is followed by `{second}`, found `{}`", self.token_text(1)),
        )
        .fix(format!("write `{second}`"), span, second);
        self.error(diagnostic);
    }

    fn call(&mut self) -> StmtKind {
        self.start(CallStmt);
        let name = self.bump_name();
        if self.at(OpenParen) && !self.begins_line(0) {
            let diagnostic = Diagnostic::error("call-arguments", self.here(), "a rule has no arguments")
                .label(format!("`{}` is called by its name alone", name.text));
            self.error(diagnostic);
            let open = self.bump();
            if !self.at(CloseParen) {
                self.expression();
            }
            self.close_paren(open);
        }
        self.finish();
        StmtKind::Call(name.text)
    }

    fn missing_statement(&mut self) -> StmtKind {
        let word = self.word();
        let mut diagnostic = self.expected("expected-statement", "a statement");
        if self.at_item_start() && self.previous_is(Comma) {
            diagnostic = Diagnostic::error(
                "missing-full-stop",
                self.previous_span(),
                "the last statement of a rule is followed by `.`",
            )
            .fix("write `.`", self.previous_span(), ".");
        } else if matches!(word, "own" | "empty" | "piece" | "field") || self.at(Opponents) {
            diagnostic = diagnostic
                .help("patterns follow `find`, `points at` and `replace by`; alternatives stand in brackets: `[P or Q]`");
        } else if word == "else" {
            diagnostic = diagnostic.help("`else` belongs to the innermost open `try`");
        }
        self.error(diagnostic);
        self.skip_statement();
        StmtKind::Missing
    }

    fn previous_is(&self, kind: crate::SyntaxKind) -> bool {
        self.position > 0 && self.significant[self.position - 1].token.kind == kind
    }

    /// `[A, B]`
    pub(super) fn bracket(&mut self) -> StmtKind {
        self.start(BracketStmt);
        let open = self.bump();
        let statements = if self.at(CloseBracket) {
            let diagnostic =
                Diagnostic::error("empty-brackets", open.cover(self.here()), "nothing stands in brackets")
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
    fn either(&mut self) -> StmtKind {
        self.start(EitherStmt);
        let either = self.bump();
        self.awaited.or += 1;
        let mut alternatives = vec![self.statement()];
        while self.eat_word("or") {
            alternatives.push(self.statement());
        }
        self.awaited.or -= 1;
        if alternatives.len() == 1 {
            let diagnostic = self
                .expected("expected-word", "`or`")
                .related(either, "`either` needs at least two alternatives");
            self.error(diagnostic);
        }
        self.finish();
        StmtKind::Either(alternatives)
    }

    /// `try A else B`
    fn try_statement(&mut self) -> StmtKind {
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
                // What follows is the body of the `try` that was meant.
                let start = self.here_start();
                let kind = if self.enter() { self.nested_try() } else { StmtKind::Missing };
                Some(Box::new(Stmt { kind, span: self.span_from(start) }))
            } else {
                None
            };
        self.finish();
        StmtKind::Try(body, otherwise)
    }

    fn nested_try(&mut self) -> StmtKind {
        let kind = self.try_statement();
        self.height += 1;
        self.leave();
        kind
    }

    /// Some words before one statement.
    fn prefix(&mut self, words: usize, make: fn(Box<Stmt>) -> StmtKind) -> StmtKind {
        self.start(PrefixStmt);
        for _ in 0..words {
            self.bump();
        }
        let body = self.boxed();
        self.finish();
        make(body)
    }

    /// `repeat N .. M times A`
    fn repeat(&mut self) -> StmtKind {
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
    fn while_statement(&mut self) -> StmtKind {
        self.start(WhileStmt);
        self.bump();
        self.awaited.body += 1;
        let condition = self.boxed();
        self.awaited.body -= 1;
        self.expect_word("do");
        let body = self.boxed();
        self.finish();
        StmtKind::While { condition, body }
    }

    /// `do A while C`
    fn do_statement(&mut self) -> StmtKind {
        self.start(DoWhileStmt);
        self.bump();
        self.awaited.condition += 1;
        let body = self.boxed();
        self.awaited.condition -= 1;
        let found = self.expect_word("while");
        let condition = if found {
            self.boxed()
        } else {
            Box::new(Stmt { kind: StmtKind::Missing, span: self.after_previous() })
        };
        self.finish();
        StmtKind::DoWhile { body, condition }
    }

    /// `find P`, `points at P`, `replace by P`
    fn with_pattern(&mut self, second: Option<&str>, make: fn(crate::ast::Pattern) -> StmtKind) -> StmtKind {
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
    fn replace_word(&mut self, word: &str) {
        let diagnostic = self.expected("expected-word", &format!("`{word}`")).fix(
            format!("write `{word}`"),
            self.here(),
            word,
        );
        self.error(diagnostic);
        self.bump();
    }

    /// `move to (x, y)`
    fn move_to(&mut self) -> StmtKind {
        self.start(MoveToStmt);
        self.bump();
        self.expect_word("to");
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
    fn match_statement(&mut self) -> StmtKind {
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
    fn words(&mut self, second: Option<&str>, kind: StmtKind) -> StmtKind {
        self.start(WordStmt);
        self.bump();
        if let Some(word) = second {
            self.expect_word(word);
        }
        self.finish();
        kind
    }

    fn step(&mut self) -> StmtKind {
        self.start(WordStmt);
        self.bump();
        let mut kind = StmtKind::Step;
        if self.eat_word("backward") {
            kind = StmtKind::StepBackward;
        } else if !self.begins_line(0) && matches!(self.word(), "back" | "backwards" | "backward_") {
            self.replace_word("backward");
            kind = StmtKind::StepBackward;
        }
        self.finish();
        kind
    }

    /// `turn 45`, `turn -45`
    fn turn(&mut self) -> StmtKind {
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
    fn to_move(&mut self, kind: StmtKind) -> StmtKind {
        self.start(WordStmt);
        self.bump();
        self.to_move_rest();
        self.finish();
        kind
    }

    /// `to move` behind a colour.
    pub(super) fn to_move_rest(&mut self) {
        if self.expect_word("to") {
            self.expect_word("move");
        }
    }

    /// `assert (e)`, `assign (e)`, `score (e)`
    fn with_expression(&mut self, make: fn(Expr) -> StmtKind) -> StmtKind {
        self.start(ExprStmt);
        self.bump();
        let expr = self.parenthesised();
        self.finish();
        make(expr)
    }

    /// `(e)`; without parentheses the expression is read all the same.
    fn parenthesised(&mut self) -> Expr {
        if self.at(OpenParen) {
            let open = self.bump();
            let inner = self.expression();
            self.close_paren(open);
            return inner;
        }
        let diagnostic = self.expected("expected-token", "`(`").help("the expression stands in parentheses");
        self.error(diagnostic);
        if self.at_statement_end() && !self.at(Ident) {
            return Expr { kind: ExprKind::Missing, span: self.after_previous() };
        }
        let expr = self.assignment_expression();
        if self.at(CloseParen) {
            self.bump_as_error();
        }
        expr
    }

    /// `greatest (e) A`
    fn greatest(&mut self) -> StmtKind {
        self.start(GreatestStmt);
        self.bump();
        let expr = self.parenthesised();
        let body = self.boxed();
        self.finish();
        StmtKind::Greatest(expr, body)
    }

    /// `for each P do A`, `for each direction do A`
    fn for_each(&mut self) -> StmtKind {
        self.start(ForEachStmt);
        self.bump();
        self.bump();
        let pattern = if self.at_word("direction") && self.word_at(1) == "do" {
            self.bump();
            None
        } else {
            Some(self.pattern())
        };
        self.expect_word("do");
        let body = self.boxed();
        self.finish();
        match pattern {
            Some(pattern) => StmtKind::ForEachField(pattern, body),
            None => StmtKind::ForEachDirection(body),
        }
    }
}

fn compass(word: &str) -> Option<Compass> {
    Some(match word {
        "north" => Compass::North,
        "northeast" => Compass::Northeast,
        "east" => Compass::East,
        "southeast" => Compass::Southeast,
        "south" => Compass::South,
        "southwest" => Compass::Southwest,
        "west" => Compass::West,
        "northwest" => Compass::Northwest,
        _ => return None,
    })
}
