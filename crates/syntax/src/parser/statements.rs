//! Statements and sequences of them.

use super::Parser;
use crate::Diagnostic;
use crate::ast::{Compass, OutcomeWord, Stmt, StmtKind};
use crate::syntax_kind::SyntaxKind::*;
use crate::words::{closest, is_compass};

/// The end of a sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SequenceEnd {
    FullStop,
    Bracket,
    /// Where brackets were meant.
    Parenthesis,
}

/// Words that begin a statement and are followed by more than a comma.
const KEYWORDS_WITH_OPERANDS: [&str; 21] = [
    "either",
    "try",
    "optionally",
    "test",
    "not",
    "repeat",
    "while",
    "find",
    "points",
    "replace",
    "move",
    "match",
    "pick",
    "put",
    "any",
    "turn",
    "rotate",
    "assert",
    "assign",
    "white",
    "black",
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
                CloseParen if end == SequenceEnd::Parenthesis => return false,
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
                    // `find P or Q` was meant as one pattern; what is wrong has been said.
                    if !matches!(self.word(), "own" | "empty" | "piece" | "field") && !self.at(Opponents) {
                        return !self.sequence_ends(end);
                    }
                    self.skip_statement();
                }
                Ident if self.at_joining_word() => {
                    self.report_joining_word();
                    return true;
                }
                Ident | OpenBracket => {
                    self.report_missing_comma();
                    return true;
                }
                _ => {
                    let expected = match end {
                        SequenceEnd::FullStop => "`,` or `.`",
                        SequenceEnd::Bracket => "`,` or `]`",
                        SequenceEnd::Parenthesis => "`,` or `)`",
                    };
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
            CloseParen => end == SequenceEnd::Parenthesis,
            _ => self.at_item_start(),
        }
    }

    /// Whether behind the full stop here a new rule or declaration begins, so that it cannot be meant as a
    /// comma.
    fn full_stop_ends_rule(&self) -> bool {
        self.kind_at(1) == EndOfFile || self.is_item_start(1)
    }

    fn report_missing_comma(&mut self) {
        let mut diagnostic = Diagnostic::error(
            "missing-comma",
            self.after_previous(),
            format!("expected `,` between statements, found {}", self.found()),
        )
        .label("expected `,`")
        .fix("insert `,`", self.after_previous(), ",");
        if self.at_if() {
            diagnostic = diagnostic.help(
                "there is no `if`: a statement that fails ends its sequence; to go on in any case write `try [A, B] else C`",
            );
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
                .help("write `either A or B`; put alternatives of a pattern into brackets: `[P or Q]`");
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

    pub(super) fn boxed(&mut self) -> Box<Stmt> {
        Box::new(self.statement())
    }

    fn statement_kind(&mut self) -> StmtKind {
        self.skip_joining_words();
        if self.at(OpenBracket) {
            return self.bracket();
        }
        if self.at_item_start() {
            return self.missing_statement();
        }
        if let Some(kind) = self.foreign_statement() {
            return kind;
        }
        let meant = self.misspelled_keyword();
        match meant.unwrap_or(self.word()) {
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
            "pick" => self.hand_statement("up", StmtKind::PickUp),
            "put" => self.hand_statement("down", StmtKind::PutDown),
            "pickup" if self.kind_at(1) == OpenParen => self.some_pieces(1, StmtKind::PickUp),
            "putdown" if self.kind_at(1) == OpenParen => self.some_pieces(1, StmtKind::PutDown),
            "pickup" => self.words(None, StmtKind::PickUp),
            "putdown" => self.words(None, StmtKind::PutDown),
            "step" => self.step(),
            "any" => self.words(Some("direction"), StmtKind::AnyDirection),
            "alldir" => self.words(None, StmtKind::AnyDirection),
            "orthogonal" => self.words(None, StmtKind::Orthogonal),
            "diagonal" => self.words(None, StmtKind::Diagonal),
            "turn" | "rotate" => self.turn(),
            "assert" if self.asserts_statement() => self.asserted_statement(),
            "assert" => self.with_expression(StmtKind::Assert),
            "assign" => self.with_expression(StmtKind::Assign),
            "white" => self.side_to_move(StmtKind::WhiteToMove),
            "black" => self.side_to_move(StmtKind::BlackToMove),
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

    /// A word that is almost one of the language and is followed by something that cannot follow a call.
    fn misspelled_keyword(&mut self) -> Option<&'static str> {
        let word = self.word();
        let follows = match self.kind_at(1) {
            Ident => !matches!(self.word_at(1), "or" | "else" | "do" | "while" | "times"),
            OpenParen | OpenBracket | Int | Opponents => true,
            _ => false,
        };
        let extension = matches!(word, "greatest" | "score" | "keep" | "as" | "for" | "point" | "called");
        if !self.at_name() || !follows || self.begins_line(1) || extension || word.len() < 3 {
            return None;
        }
        let meant = closest(word, KEYWORDS_WITH_OPERANDS)?;
        let diagnostic =
            Diagnostic::error("unknown-word", self.here(), format!("there is no statement `{word}`"))
                .label("a rule's name would be followed by `,` or `.`")
                .fix(format!("write `{meant}`"), self.here(), meant);
        self.error(diagnostic);
        Some(meant)
    }

    /// A statement that begins with a word that is not reserved: one of the extensions, or a rule's name.
    fn named_statement(&mut self) -> StmtKind {
        let next = self.word_at(1);
        match self.word() {
            "greatest" if self.kind_at(1) == OpenParen => self.greatest(),
            "score" if self.kind_at(1) == OpenParen || self.number_follows() => {
                self.with_expression(StmtKind::Score)
            }
            // `keep turn 45` is a call of `keep` without its comma.
            "keep" if next == "turn" && !matches!(self.kind_at(2), Int | Minus) => {
                self.words(Some("turn"), StmtKind::KeepTurn)
            }
            "as" if next == "opponent" => self.prefix(2, StmtKind::AsOpponent),
            "as" if next == "opponents" || self.kind_at(1) == Opponents => {
                self.report_second_word("as", "opponent");
                self.prefix(2, StmtKind::AsOpponent)
            }
            "for" if next == "each" => self.for_each(2),
            "facing" if self.names_direction(1) => self.prefix(1, StmtKind::Facing),
            "holds" if self.begins_pattern(1) && !self.is_rule_start(1) => {
                self.with_pattern(None, StmtKind::Holds)
            }
            "add" if self.begins_pattern(1) && !self.is_rule_start(1) => {
                self.with_pattern(None, StmtKind::Add)
            }
            "board" if next == "unchanged" && !self.is_rule_start(1) => {
                self.words(Some("unchanged"), StmtKind::BoardUnchanged)
            }
            "called" if next == "field" || matches!(self.kind_at(1), Text | OpenParen) => self.called(),
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
                    _ => self.for_each(2),
                }
            }
            _ => self.call(),
        }
    }

    /// Whether something that sets a direction comes next.
    fn names_direction(&self, ahead: usize) -> bool {
        match self.word_at(ahead) {
            "orthogonal" | "diagonal" | "alldir" | "any" | "either" => true,
            word => is_compass(word) || self.is_name(ahead) && !self.is_rule_start(ahead),
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
        if self.at_unknown_words() {
            return self.unknown_words();
        }
        self.start(CallStmt);
        let name = self.bump_name();
        if self.at(OpenParen) && !self.begins_line(0) {
            let arguments = self.arguments(&name);
            self.finish();
            return StmtKind::CallWith(name, arguments);
        }
        self.finish();
        StmtKind::Call(name.text)
    }

    fn missing_statement(&mut self) -> StmtKind {
        let word = self.word();
        let mut diagnostic = self.expected("expected-statement", "a statement");
        if matches!(word, "own" | "empty" | "piece" | "field") || self.at(Opponents) {
            diagnostic = diagnostic
                .help("patterns follow `find`, `points at` and `replace by`; put alternatives into brackets: `[P or Q]`");
        } else if word == "else" {
            diagnostic = diagnostic.help("`else` belongs to the innermost open `try`");
        }
        self.error(diagnostic);
        self.skip_statement();
        StmtKind::Missing
    }
}

pub(super) fn compass(word: &str) -> Option<Compass> {
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
