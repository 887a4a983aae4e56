//! The file as a whole: which rule or declaration begins where, and the declarations without braces.

use super::Parser;
use super::habits::known_declarations;
use super::statements::SequenceEnd;
use crate::Diagnostic;
use crate::ast::*;
use crate::syntax_kind::SyntaxKind::*;
use crate::words::{begins_declaration, begins_statement, closest};

/// Every word that begins a declaration.
pub(super) const DECLARATION_WORDS: [&str; 19] = [
    "based",
    "uses",
    "players",
    "sides",
    "dimensions",
    "no",
    "pieces",
    "properties",
    "parameter",
    "pattern",
    "topology",
    "directions",
    "setup",
    "repetition",
    "stacks",
    "notation",
    "looks",
    "abstractions",
    "evaluation",
];

impl Parser<'_> {
    /// `{ decl | rule }`
    pub(super) fn program(&mut self) -> Program {
        let mut program = Program::default();
        while !self.at(EndOfFile) {
            self.silent = false;
            self.height = 0;
            self.awaited = Default::default();
            self.item(&mut program);
        }
        program
    }

    fn item(&mut self, program: &mut Program) {
        let word = self.word();
        let topology = word == "topology" && self.is_name(1);
        let begins = begins_declaration(word) || topology || self.is_declaration_start(0);
        if begins || self.at_repetition() || self.at_stacks() {
            return self.declaration(word, program);
        }
        if self.at_unknown_declaration() {
            return self.unknown_declaration();
        }
        if self.is_rule_start(0) || self.lacks_equals_sign() {
            let rule = self.rule();
            program.rules.push(rule);
            return;
        }
        if self.at(Dot) {
            let diagnostic = Diagnostic::error("stray-full-stop", self.here(), "this full stop ends nothing")
                .help("a rule ends with a full stop, a declaration without one")
                .fix("remove it", self.here(), "");
            self.error(diagnostic);
            return self.bump_as_error();
        }
        let meant = closest(word, DECLARATION_WORDS);
        let looks_like_declaration = matches!(self.kind_at(1), OpenBrace | OpenParen | Ident);
        if let (Some(meant), true, true) = (meant, looks_like_declaration, self.at_name()) {
            let diagnostic = Diagnostic::error(
                "unknown-declaration",
                self.here(),
                format!("there is no declaration `{word}`"),
            )
            .fix(format!("write `{meant}`"), self.here(), meant);
            self.error(diagnostic);
            return self.declaration(meant, program);
        }
        self.unexpected_item();
    }

    fn unexpected_item(&mut self) {
        let mut diagnostic = self.expected("expected-item", "a rule or a declaration");
        if self.at_name() && self.kind_at(1) == OpenBrace {
            let span = self.here();
            diagnostic = Diagnostic::error(
                "unknown-declaration",
                span,
                format!("there is no declaration {}", self.found()),
            )
            .help(known_declarations());
        } else if self.previous_end() > 0 && self.previous_text() == "." {
            diagnostic = diagnostic
                .related(self.previous_span(), "the rule before it ended here")
                .help("statements are separated by `,`; a rule is written `name = statements.`");
            if begins_statement(self.word()) || self.at_name() && matches!(self.kind_at(1), Comma | Dot) {
                diagnostic = diagnostic.fix("go on with the rule", self.previous_span(), ",");
            }
        } else {
            diagnostic = diagnostic.help("a rule is written `name = statements.`");
            if self.at_name() {
                diagnostic = diagnostic.help(known_declarations());
            }
        }
        self.error(diagnostic);
        self.skip_item();
    }

    /// Skips up to the next rule or declaration: of stray text only the beginning is worth a message.
    fn skip_item(&mut self) {
        self.start(Error);
        self.bump();
        while !self.at(EndOfFile) && !self.at_new_item() {
            self.bump();
        }
        self.finish();
    }

    fn previous_text(&self) -> &str {
        &self.text[super::range(self.previous_span())]
    }

    /// Whether a declaration begins there, judged by what follows the word.
    pub(super) fn is_declaration_start(&self, ahead: usize) -> bool {
        let next = self.kind_at(ahead + 1);
        match self.word_at(ahead) {
            "players" | "sides" => next == Equal || self.begins_line(ahead),
            "dimensions" => next == OpenParen || self.begins_line(ahead),
            "no" => self.word_at(ahead + 1) == "moves" || self.begins_line(ahead),
            "pieces" | "properties" => next == OpenBrace || self.begins_line(ahead),
            "directions" | "setup" | "notation" | "looks" | "abstractions" => next == OpenBrace,
            "evaluation" => next == OpenBrace || next == Ident && self.kind_at(ahead + 2) == OpenBrace,
            "based" => self.word_at(ahead + 1) == "on",
            "uses" if next == Text => true,
            "uses" => self.is_name(ahead + 1) && !self.begins_line(ahead + 1),
            "topology" => self.begins_line(ahead) && self.is_name(ahead + 1) && !self.begins_line(ahead + 1),
            "parameter" | "pattern" => next == Ident && self.kind_at(ahead + 2) == Equal,
            _ => false,
        }
    }

    /// Whether `repetition =` is the declaration and not a rule of that name.
    fn at_repetition(&self) -> bool {
        if !self.at_word("repetition") {
            return false;
        }
        if self.kind_at(1) != Equal {
            let value = matches!(self.word_at(1), "draw" | "win" | "loss" | "judge" | "forbidden");
            return value && self.begins_line(0) && !self.begins_line(1);
        }
        let new_item = self.is_item_start(3);
        match self.word_at(2) {
            "" => self.kind_at(2) == Int,
            "draw" | "win" | "loss" | "lose" | "judge" => match self.kind_at(3) {
                Int | OpenParen | Minus | EndOfFile => true,
                // A rule of that name that lacks its full stop is less likely than a missing number.
                _ => self.is_name(3) || new_item,
            },
            word => {
                !matches!(self.kind_at(3), Dot | Comma)
                    && closest(word, ["forbidden", "draw", "loss", "judge"]).is_some()
            }
        }
    }

    /// Whether `stacks =` is the declaration and not a rule of that name.
    fn at_stacks(&self) -> bool {
        self.at_word("stacks")
            && self.kind_at(1) == Equal
            && match self.kind_at(2) {
                Int | OpenParen | Minus => true,
                _ => self.is_name(2) && !matches!(self.kind_at(3), Dot | Comma | OpenParen),
            }
    }

    /// Whether a rule follows that lacks only its `=`.
    fn lacks_equals_sign(&self) -> bool {
        let follows = begins_statement(self.word_at(1)) || self.kind_at(1) == OpenBracket;
        // An entry of a list whose brace is missing has a second colon.
        let colon = self.kind_at(1) == Colon
            && matches!(self.kind_at(2), Equal | Ident | OpenBracket)
            && self.kind_at(3) != Colon;
        self.at_name() && self.begins_line(0) && (follows || colon)
    }

    /// `NAME = statements.`
    fn rule(&mut self) -> Rule {
        let start = self.here_start();
        self.start(RuleItem);
        let name = self.rule_name();
        let parameters = if self.at(OpenParen) { self.rule_parameters() } else { Vec::new() };
        self.rule_equals(&name);
        self.start(RuleBody);
        let body_start = self.here_start();
        let mut statements = self.sequence(SequenceEnd::FullStop);
        let body_span = self.span_from(body_start);
        self.finish();
        self.rule_end(&name);
        self.finish();
        let body = match statements.len() {
            1 => statements.remove(0),
            _ => Stmt { kind: StmtKind::Sequence(statements), span: body_span },
        };
        Rule { name, parameters, body, span: self.span_from(start) }
    }

    fn rule_name(&mut self) -> Name {
        if let Some(count) = self.blank_rule_name_length(0) {
            let words: Vec<&str> = (0..count).map(|ahead| self.word_at(ahead)).collect();
            let text = words.join("_");
            let span = self.here().cover(self.look(count - 1).token.span);
            let diagnostic = Diagnostic::error("blank-in-name", span, "a name cannot contain blanks").fix(
                format!("write `{text}`"),
                span,
                text.clone(),
            );
            self.report(diagnostic);
            for _ in 0..count {
                self.bump();
            }
            return Name { text, span };
        }
        if !self.at_name() {
            self.report_reserved("a rule's name");
        }
        self.bump_name()
    }

    fn rule_equals(&mut self, name: &Name) {
        if self.eat(Equal) {
            return;
        }
        let mut diagnostic =
            self.expected("expected-token", &format!("`=` after the rule's name `{}`", name.text));
        match self.kind() {
            EqualEqual => diagnostic = diagnostic.fix("write `=`", self.here(), "="),
            Colon if self.kind_at(1) == Equal => {
                let both = self.here().cover(self.look(1).token.span);
                diagnostic = diagnostic.fix("write `=`", both, "=");
            }
            Colon => {
                let colon = self.after_previous().cover(self.here());
                diagnostic = diagnostic.fix("write `=`", colon, " =");
            }
            _ => diagnostic = diagnostic.fix("insert `=`", self.after_previous(), " ="),
        }
        self.error(diagnostic);
        if self.at(EqualEqual) || self.eat(Colon) && self.at(Equal) {
            self.bump();
        }
    }

    fn rule_end(&mut self, name: &Name) {
        if self.eat(Dot) {
            return;
        }
        let diagnostic = Diagnostic::error(
            "missing-full-stop",
            self.after_previous(),
            format!("expected `.` at the end of the rule `{}`, found {}", name.text, self.found()),
        )
        .label("expected `.`");
        let diagnostic = match self.previous_text() {
            "," => diagnostic.fix("write `.`", self.previous_span(), "."),
            _ => diagnostic.fix("insert `.`", self.after_previous(), "."),
        };
        self.error(diagnostic);
    }

    /// Reads a declaration; `word` is the one that begins it, or was meant to.
    fn declaration(&mut self, word: &str, program: &mut Program) {
        let start = self.here_start();
        let kind = match word {
            "based" => self.based_on(),
            "uses" => self.uses(),
            "players" => self.number_declaration().map(DeclarationKind::Players),
            "sides" => self.number_declaration().map(DeclarationKind::Sides),
            "dimensions" => self.dimensions(),
            "no" => self.no_moves(),
            "pieces" => Some(self.pieces()),
            "properties" => Some(self.properties()),
            "parameter" => self.parameter(),
            "pattern" => self.named_pattern(),
            "topology" => self.topology(),
            "directions" => Some(self.directions()),
            "setup" => Some(self.setup()),
            "repetition" => self.repetition(),
            "stacks" => self.stacks(),
            "notation" => Some(self.notation()),
            "abstractions" => Some(self.abstractions()),
            "evaluation" => Some(self.evaluation()),
            _ => Some(self.looks()),
        };
        if let Some(kind) = kind {
            program.declarations.push(Declaration { kind, span: self.span_from(start) });
        }
    }

    /// `based on chess`, `based on "nine-mens-morris"`
    fn based_on(&mut self) -> Option<DeclarationKind> {
        self.start(BasedDecl);
        self.bump();
        self.expect_word("on");
        let name = self.name_of("a game", "as in `based on chess`");
        self.finish();
        name.map(DeclarationKind::BasedOn)
    }

    /// `uses rows`, `uses "my-rules"`
    fn uses(&mut self) -> Option<DeclarationKind> {
        self.start(BasedDecl);
        self.bump();
        let name = self.name_of("a library", "as in `uses rows`");
        self.finish();
        name.map(DeclarationKind::Uses)
    }

    /// The name of another text, in quotes where it is not a word.
    fn name_of(&mut self, what: &str, example: &str) -> Option<Name> {
        if self.at(Text) {
            let (text, span) = self.bump_string();
            return Some(Name { text, span });
        }
        if self.at_name() && !self.is_rule_start(0) {
            return Some(self.bump_name());
        }
        let diagnostic = self
            .expected("expected-name", &format!("the name of {what}"))
            .help(format!("{example}; put a name with other signs than letters into double quotes"));
        self.error(diagnostic);
        None
    }

    /// `players = 2`
    fn number_declaration(&mut self) -> Option<Expr> {
        self.start(NumberDecl);
        self.bump();
        let value = self.expect_equals().then(|| self.constant());
        self.finish();
        value
    }

    /// `dimensions (8, 8)`
    fn dimensions(&mut self) -> Option<DeclarationKind> {
        self.start(DimensionsDecl);
        self.bump();
        if let Some((columns, rows)) = self.size_without_parentheses() {
            self.finish();
            return Some(DeclarationKind::Dimensions { columns, rows });
        }
        let open = self.here();
        let sizes = self.expect(OpenParen, "(").then(|| {
            let columns = self.constant();
            let both = self.expect(Comma, ",");
            let rows = both.then(|| self.constant());
            self.close_paren(open);
            (columns, rows)
        });
        self.finish();
        let (columns, rows) = sizes?;
        Some(DeclarationKind::Dimensions { columns, rows: rows? })
    }

    /// `no moves = loss`
    fn no_moves(&mut self) -> Option<DeclarationKind> {
        self.start(NoMovesDecl);
        self.bump();
        self.expect_word("moves");
        let value = if self.expect_equals() {
            self.choice("no moves =", &["loss", "draw", "pass", "error"])
        } else {
            None
        };
        self.finish();
        Some(DeclarationKind::NoMoves(match value? {
            "loss" => NoMoves::Loss,
            "draw" => NoMoves::Draw,
            "pass" => NoMoves::Pass,
            _ => NoMoves::Error,
        }))
    }

    /// One of some words; a misspelled one is reported and taken for the one that was meant.
    pub(super) fn choice(&mut self, after: &str, words: &[&'static str]) -> Option<&'static str> {
        let word = self.word();
        if let Some(found) = words.iter().find(|candidate| **candidate == word) {
            self.bump();
            return Some(found);
        }
        let shown: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        let (last, others) = shown.split_last().map_or((String::new(), &shown[..]), |(l, o)| (l.clone(), o));
        let what = format!("{} or {last} after `{after}`", others.join(", "));
        let mut diagnostic = self.expected("unknown-word", &what).label("unknown");
        let meant = if word == "lose" { words.iter().copied().find(|w| *w == "loss") } else { None };
        let meant = meant.or_else(|| closest(word, words.iter().copied()));
        if let Some(meant) = meant {
            diagnostic = diagnostic.fix(format!("write `{meant}`"), self.here(), meant);
        }
        self.error(diagnostic);
        if self.at(Ident) && !self.at_item_start() {
            self.bump();
        }
        meant
    }

    /// `repetition = draw 3`, `repetition = judge 4 (cycle)`, `repetition = forbidden`
    fn repetition(&mut self) -> Option<DeclarationKind> {
        self.start(RepetitionDecl);
        self.bump();
        self.expect_equals();
        let outcome = self.choice("repetition =", &["draw", "win", "loss", "judge", "forbidden"]);
        let repetition = match outcome {
            None => None,
            Some("forbidden") => Some(Repetition::Forbidden),
            Some("judge") => {
                let count = self.occurrences();
                Some(Repetition::Judged { count, cycle: self.cycle() })
            }
            Some(word) => {
                let outcome = match word {
                    "draw" => OutcomeWord::Draw,
                    "win" => OutcomeWord::Win,
                    _ => OutcomeWord::Lose,
                };
                Some(Repetition::Ends { outcome, count: self.occurrences() })
            }
        };
        self.finish();
        repetition.map(DeclarationKind::Repetition)
    }

    /// `(cycle)` behind `repetition = judge 4`
    fn cycle(&mut self) -> Option<Name> {
        if !self.at(OpenParen) {
            return None;
        }
        let open = self.bump();
        let name = if self.at_name() {
            Some(self.bump_name())
        } else {
            let diagnostic = self.expected("expected-name", "the name of a move property");
            self.error(diagnostic);
            None
        };
        self.close_paren(open);
        name
    }

    /// `stacks = 5`, `stacks = 43 (flat, ...)`
    fn stacks(&mut self) -> Option<DeclarationKind> {
        self.start(StacksDecl);
        self.bump();
        let highest = self.expect_equals().then(|| self.constant());
        let mut covered = Vec::new();
        if self.at(OpenParen) {
            let open = self.bump();
            loop {
                if !self.at_name() {
                    let diagnostic = self.expected("expected-name", "a piece that may lie under others");
                    self.error(diagnostic);
                    break;
                }
                covered.push(self.bump_name());
                if !self.eat(Comma) {
                    break;
                }
            }
            self.close_paren(open);
        }
        self.finish();
        highest.map(|highest| DeclarationKind::Stacks(Stacks { highest, covered }))
    }

    /// `parameter columns = 7 [4 .. 26]`
    fn parameter(&mut self) -> Option<DeclarationKind> {
        self.start(ParameterDecl);
        self.bump();
        let name = self.expect_name("a parameter's name");
        self.expect(Equal, "=");
        let default = self.constant();
        let range = self.bounds();
        self.finish();
        let (low, high) = range?;
        Some(DeclarationKind::Parameter { name: name?, default, low, high })
    }

    /// `pattern royal = [own king or own prince]`
    fn named_pattern(&mut self) -> Option<DeclarationKind> {
        self.start(PatternDecl);
        self.bump();
        let name = self.expect_name("a pattern's name");
        self.expect(Equal, "=");
        let pattern = self.pattern();
        if self.at(Dot) {
            let diagnostic =
                Diagnostic::error("stray-full-stop", self.here(), "a declaration ends without a full stop")
                    .fix("remove it", self.here(), "");
            self.error(diagnostic);
            self.bump_as_error();
        }
        self.finish();
        Some(DeclarationKind::Pattern { name: name?, pattern })
    }

    /// `[low .. high]`
    pub(super) fn bounds(&mut self) -> Option<(Expr, Expr)> {
        if let Some(range) = self.range_without_brackets() {
            return Some(range);
        }
        let open = self.here();
        if !self.expect(OpenBracket, "[") {
            return None;
        }
        let low = self.constant();
        let high = self.expect(DotDot, "..").then(|| self.constant());
        if high.is_some() {
            self.close_bracket(open, "range");
        }
        Some((low, high?))
    }

    /// `topology hex`
    fn topology(&mut self) -> Option<DeclarationKind> {
        self.start(TopologyDecl);
        self.bump();
        let name = self.expect_name("a topology");
        self.finish();
        name.map(DeclarationKind::Topology)
    }
}
