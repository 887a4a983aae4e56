//! Tokens to trees: recursive descent that never fails.
//!
//! One walk builds both trees. Every production is a method that emits tokens and nodes of the lossless tree
//! and returns its part of the abstract one; a part it could not read is `Missing`, and has been reported.
//!
//! **Invariant:** every loop consumes a token in each round or ends, and looks ahead only a bounded number of
//! tokens, so the work is linear in the text. **Invariant:** no tree is higher than about twice
//! [`MAX_NESTING`], so nothing that walks one overflows the stack.

mod arguments;
mod blocks;
mod declarations;
mod evaluation;
mod expressions;
mod foreign;
mod forms;
mod habits;
mod patterns;
mod recovery;
mod statements;

use std::collections::HashSet;

use rowan::{Checkpoint, GreenNode, GreenNodeBuilder};

use crate::ast::{Name, Program};
use crate::lexer::Token;
use crate::syntax_kind::SyntaxKind::{self, *};
use crate::words::is_reserved;
use crate::{Diagnostic, Span};

/// Greatest nesting depth of statements, patterns and expressions.
pub(crate) const MAX_NESTING: u32 = 200;

/// After this many errors the rest are not worth reading.
pub(crate) const MAX_ERRORS: usize = 200;

/// Parses a whole file.
pub(crate) fn parse_tokens(text: &str, tokens: Vec<Token>) -> (Program, GreenNode, Vec<Diagnostic>) {
    let mut parser = Parser::new(text, tokens);
    parser.builder.start_node(Root.into());
    let mut program = parser.program();
    program.has_arguments = parser.met_arguments;
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
    /// Whether meaningless characters come before it, which the lexer has reported.
    after_unknown: bool,
}

/// Number of unfinished statements that wait for a word, up to the innermost open bracket.
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
    /// Current depth inside statements, patterns and expressions.
    depth: u32,
    /// Height of the highest finished tree of the current node; bounds chains of left-associative
    /// operators.
    height: u32,
    /// After nesting too deep nothing is reported up to the next rule.
    silent: bool,
    /// Where the last error was reported: one is enough for each place.
    last_error: Option<usize>,
    /// Reserved words that were declared as names: reported once, then taken for what was meant.
    misnamed: Vec<String>,
    awaited: Awaited,
    /// The words before `=`: the rules of this text, and more. Empty where other names may be called too,
    /// because the text has a base or directions of its own.
    rule_names: HashSet<&'t str>,
    /// Whether a rule was called with arguments.
    met_arguments: bool,
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
            misnamed: Vec::new(),
            awaited: Awaited::default(),
            rule_names: HashSet::new(),
            met_arguments: false,
        }
        .with_rule_names()
    }

    fn with_rule_names(mut self) -> Self {
        let open_ended = ["based", "directions", "uses"];
        let names = (0..self.significant.len())
            .filter(|&at| self.kind_at(at + 1) == Equal || self.parameter_count(at) > 0);
        if !(0..self.significant.len()).any(|at| open_ended.contains(&self.word_at(at))) {
            // Behind a name with parameters come those: they may stand for rules.
            let parameters = |at: usize| 2 * self.parameter_count(at);
            self.rule_names =
                names.flat_map(|at| (at..=at + parameters(at)).map(|at| self.word_at(at))).collect();
        }
        self
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

    /// Whether the next word is not reserved.
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
        while !matches!(self.kind(), EndOfFile | Dot) && !self.at_new_item() {
            self.bump();
        }
        self.finish();
    }
}

/// The bytes of a span.
pub(crate) fn range(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}
