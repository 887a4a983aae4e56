//! Tokens to trees: recursive descent that never fails.
//!
//! One walk builds both trees. Every production is a method that emits tokens and nodes of the lossless tree and
//! returns its part of the abstract one; a part it could not read is `Missing`, and has been reported.
//!
//! **Invariant:** every loop consumes a token in each round or ends, and looks ahead only a bounded number of tokens,
//! so the work is linear in the text.
//! **Invariant:** no tree is higher than about twice [`MAX_NESTING`], so nothing that walks one overflows the stack.

mod blocks;
mod declarations;
mod expressions;
mod patterns;
mod statements;

use rowan::{Checkpoint, GreenNode, GreenNodeBuilder};

use crate::ast::{Name, Program};
use crate::lexer::Token;
use crate::syntax_kind::SyntaxKind::{self, *};
use crate::words::is_reserved;
use crate::{Diagnostic, Span};

/// How deep statements, patterns and expressions may be nested.
pub(crate) const MAX_NESTING: u32 = 200;

/// After so many errors the rest are not worth reading.
pub(crate) const MAX_ERRORS: usize = 200;

/// Parses a whole file.
pub(crate) fn parse_tokens(text: &str, tokens: Vec<Token>) -> (Program, GreenNode, Vec<Diagnostic>) {
    let mut parser = Parser::new(text, tokens);
    parser.builder.start_node(Root.into());
    let program = parser.program();
    parser.flush_all();
    parser.builder.finish_node();
    (program, parser.builder.finish(), parser.diagnostics)
}

/// A token the parser sees.
#[derive(Clone, Copy)]
struct Significant {
    token: Token,
    /// Its place among all tokens.
    index: usize,
    /// Whether it is the first one on its line.
    begins_line: bool,
    /// Whether characters without meaning stand before it, which the lexer has reported.
    after_unknown: bool,
}

/// How many unfinished statements wait for a word, up to the innermost open bracket.
#[derive(Clone, Copy, Default)]
struct Awaited {
    or: u32,
    otherwise: u32,
    body: u32,
    condition: u32,
}

/// The parser's state. `t` is the text's lifetime.
pub(crate) struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    significant: Vec<Significant>,
    /// The next token to parse, in `significant`.
    position: usize,
    /// The next token to put into the tree, in `tokens`.
    emitted: usize,
    builder: GreenNodeBuilder<'static>,
    diagnostics: Vec<Diagnostic>,
    /// How deep the parser is inside statements, patterns and expressions.
    depth: u32,
    /// How high the highest finished tree of the current node is; bounds chains of left-associative operators.
    height: u32,
    /// After nesting too deep nothing is reported up to the next rule.
    silent: bool,
    /// Where the last error was reported: one is enough for each place.
    last_error: Option<usize>,
    awaited: Awaited,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, tokens: Vec<Token>) -> Self {
        let mut significant = Vec::new();
        let (mut begins_line, mut after_unknown) = (true, false);
        for (index, &token) in tokens.iter().enumerate() {
            match token.kind {
                Whitespace => begins_line |= text[range(token.span)].contains('\n'),
                Comment => {}
                Unknown => after_unknown = true,
                _ => {
                    significant.push(Significant { token, index, begins_line, after_unknown });
                    (begins_line, after_unknown) = (false, false);
                }
            }
        }
        let end = text.len() as u32;
        let end_of_file = Token { kind: EndOfFile, span: Span::new(end, end) };
        significant.push(Significant {
            token: end_of_file,
            index: tokens.len(),
            begins_line: true,
            after_unknown,
        });
        Parser {
            text,
            tokens,
            significant,
            position: 0,
            emitted: 0,
            builder: GreenNodeBuilder::new(),
            diagnostics: Vec::new(),
            depth: 0,
            height: 0,
            silent: false,
            last_error: None,
            awaited: Awaited::default(),
        }
    }

    // Looking.

    fn look(&self, ahead: usize) -> &Significant {
        &self.significant[(self.position + ahead).min(self.significant.len() - 1)]
    }

    fn kind(&self) -> SyntaxKind {
        self.look(0).token.kind
    }

    fn kind_at(&self, ahead: usize) -> SyntaxKind {
        self.look(ahead).token.kind
    }

    fn at(&self, kind: SyntaxKind) -> bool {
        self.kind() == kind
    }

    /// The word at a place, or nothing if there is another kind of token.
    fn word_at(&self, ahead: usize) -> &'t str {
        let token = self.look(ahead).token;
        if token.kind == Ident { &self.text[range(token.span)] } else { "" }
    }

    fn word(&self) -> &'t str {
        self.word_at(0)
    }

    fn at_word(&self, word: &str) -> bool {
        self.word() == word
    }

    /// Whether a word that is not reserved stands here.
    fn at_name(&self) -> bool {
        self.is_name(0)
    }

    fn is_name(&self, ahead: usize) -> bool {
        let word = self.word_at(ahead);
        !word.is_empty() && !is_reserved(word)
    }

    fn begins_line(&self, ahead: usize) -> bool {
        self.look(ahead).begins_line
    }

    fn token_text(&self, ahead: usize) -> &'t str {
        &self.text[range(self.look(ahead).token.span)]
    }

    // Places.

    fn here(&self) -> Span {
        self.look(0).token.span
    }

    fn here_start(&self) -> u32 {
        self.here().start
    }

    /// The end of the token before this one.
    fn previous_end(&self) -> u32 {
        if self.position == 0 { 0 } else { self.significant[self.position - 1].token.span.end }
    }

    fn previous_span(&self) -> Span {
        if self.position == 0 { Span::default() } else { self.significant[self.position - 1].token.span }
    }

    /// The empty place behind the token before this one.
    fn after_previous(&self) -> Span {
        Span::new(self.previous_end(), self.previous_end())
    }

    fn span_from(&self, start: u32) -> Span {
        Span::new(start, self.previous_end().max(start))
    }

    // Building.

    fn flush_trivia(&mut self) {
        let end = self.look(0).index;
        self.flush_up_to(end);
    }

    fn flush_all(&mut self) {
        self.flush_up_to(self.tokens.len());
    }

    fn flush_up_to(&mut self, end: usize) {
        while self.emitted < end {
            let token = self.tokens[self.emitted];
            self.builder.token(token.kind.into(), &self.text[range(token.span)]);
            self.emitted += 1;
        }
    }

    /// Begins a node at the next token, so that blanks and comments before it stay outside.
    fn start(&mut self, kind: SyntaxKind) {
        self.flush_trivia();
        self.builder.start_node(kind.into());
    }

    fn finish(&mut self) {
        self.builder.finish_node();
    }

    fn checkpoint(&mut self) -> Checkpoint {
        self.flush_trivia();
        self.builder.checkpoint()
    }

    /// Wraps everything since a checkpoint into a node.
    fn wrap(&mut self, checkpoint: Checkpoint, kind: SyntaxKind) {
        self.builder.start_node_at(checkpoint, kind.into());
        self.builder.finish_node();
    }

    /// Consumes a token and says where it was.
    fn bump(&mut self) -> Span {
        let span = self.here();
        if self.kind() != EndOfFile {
            let index = self.look(0).index;
            self.flush_up_to(index + 1);
            self.position += 1;
        }
        span
    }

    /// Consumes a token that fits nowhere.
    fn bump_as_error(&mut self) {
        if !self.at(EndOfFile) {
            self.start(Error);
            self.bump();
            self.finish();
        }
    }

    fn eat(&mut self, kind: SyntaxKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn bump_name(&mut self) -> Name {
        let text = self.token_text(0).to_owned();
        Name { text, span: self.bump() }
    }

    // Nesting.

    /// Goes one level down; `false` if that is too deep, which then has been reported.
    fn enter(&mut self) -> bool {
        if self.depth < MAX_NESTING {
            self.depth += 1;
            return true;
        }
        self.report_nesting();
        false
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Reports nesting too deep and gives up on the rule.
    fn report_nesting(&mut self) {
        let diagnostic = Diagnostic::error("nested-too-deeply", self.here(), "this is nested too deeply")
            .help(format!("more than {MAX_NESTING} levels cannot be read; give a part of it a name"));
        self.error(diagnostic);
        self.silent = true;
        self.start(Error);
        while !self.at(EndOfFile) && !self.at(Dot) && !(self.begins_line(0) && self.at_item_start()) {
            self.bump();
        }
        self.finish();
    }

    // Reporting.

    /// Reports an error at the current token, unless one was reported there already.
    fn error(&mut self, diagnostic: Diagnostic) {
        let cascades = self.last_error == Some(self.position) || self.look(0).after_unknown;
        self.last_error = Some(self.position);
        if !cascades {
            self.report(diagnostic);
        }
    }

    /// Reports an error that nothing else can be the cause of.
    fn report(&mut self, diagnostic: Diagnostic) {
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

    /// What stands here, for a message.
    fn found(&self) -> String {
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
    fn expected(&self, code: &'static str, what: &str) -> Diagnostic {
        let span = if self.at(EndOfFile) { self.after_previous() } else { self.here() };
        Diagnostic::error(code, span, format!("expected {what}, found {}", self.found()))
            .label(format!("expected {what}"))
    }

    /// Consumes a word that must follow, or reports it missing, offering to insert it or to replace a misspelled one.
    fn expect_word(&mut self, word: &str) -> bool {
        if self.eat_word(word) {
            return true;
        }
        let mut diagnostic = self.expected("expected-word", &format!("`{word}`"));
        let misspelled =
            self.at_name() && !self.begins_line(0) && crate::words::closest(self.word(), [word]).is_some();
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
    fn expect(&mut self, kind: SyntaxKind, shown: &str) -> bool {
        if self.eat(kind) {
            return true;
        }
        let diagnostic = self.expected("expected-token", &format!("`{shown}`"));
        self.error(diagnostic);
        false
    }

    /// Reads a name, or reports what stands in its place; a reserved word is consumed, as it was meant as a name.
    fn expect_name(&mut self, what: &str) -> Option<Name> {
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
    fn report_reserved(&mut self, what: &str) {
        let word = self.word();
        let diagnostic = Diagnostic::error(
            "reserved-word",
            self.here(),
            format!("`{word}` is a word of the language and cannot be {what}"),
        )
        .label("reserved")
        .fix("choose another name", self.here(), format!("my_{word}"));
        self.error(diagnostic);
    }

    // Recovery.

    /// Skips a broken statement: up to `,`, `]`, `.`, a word that an unfinished statement waits for, or a new item.
    /// Brackets that open inside are skipped as a whole.
    fn skip_statement(&mut self) {
        if self.at_statement_end() {
            return;
        }
        self.start(Error);
        let mut open = 0;
        while !self.at(EndOfFile) && !self.at(Dot) && !(self.begins_line(0) && self.at_item_start()) {
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

    /// Whether here something stands that ends a statement.
    fn at_statement_end(&self) -> bool {
        match self.kind() {
            Comma | CloseBracket | Dot | EndOfFile => true,
            _ => self.at_awaited_word() || (self.begins_line(0) && self.at_item_start()),
        }
    }

    fn at_awaited_word(&self) -> bool {
        match self.word() {
            "or" => self.awaited.or > 0,
            "else" => self.awaited.otherwise > 0,
            "do" => self.awaited.body > 0,
            "while" => self.awaited.condition > 0,
            _ => false,
        }
    }

    /// Whether a rule or a declaration begins here. Only for places where a statement could stand: in an expression
    /// `name =` is an assignment.
    fn at_item_start(&self) -> bool {
        self.is_item_start(0)
    }

    fn is_item_start(&self, ahead: usize) -> bool {
        self.is_rule_start(ahead) || self.is_declaration_start(ahead)
    }

    fn is_rule_start(&self, ahead: usize) -> bool {
        if self.kind_at(ahead) != Ident {
            return false;
        }
        match self.kind_at(ahead + 1) {
            Equal => true,
            EqualEqual => self.begins_line(ahead) && self.is_name(ahead),
            _ => self.begins_line(ahead) && self.blank_rule_name_length(ahead).is_some(),
        }
    }

    /// How many words stand before `=` if they look like a rule's name written with blanks.
    fn blank_rule_name_length(&self, ahead: usize) -> Option<usize> {
        let is_part = |&offset: &usize| {
            self.is_name(ahead + offset) && (offset == 0 || !self.begins_line(ahead + offset))
        };
        let count = (0..6).take_while(is_part).count();
        (count >= 2 && self.kind_at(ahead + count) == Equal).then_some(count)
    }
}

/// The bytes of a span.
pub(crate) fn range(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}
