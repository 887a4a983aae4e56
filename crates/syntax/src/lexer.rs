//! Text to tokens. Every byte is in exactly one token, and nothing fails: what is wrong becomes a token too.
//!
//! Words are not told apart here. Most words of the language are contextual, so the parser decides.

use crate::syntax_kind::SyntaxKind::{self, *};
use crate::{Diagnostic, Span};

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: SyntaxKind,
    pub(crate) span: Span,
}

/// Splits a text into tokens that cover it without gaps.
pub(crate) fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { text, position: 0, tokens: Vec::new(), diagnostics: Vec::new() };
    while lexer.position < text.len() {
        let start = lexer.position;
        let kind = lexer.token();
        debug_assert!(lexer.position > start);
        lexer.push(kind, start);
    }
    (lexer.tokens, lexer.diagnostics)
}

/// Whether a character may be part of a name; other alphabets are included and reported as a whole.
fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn is_single_quote(c: char) -> bool {
    matches!(c, '\'' | '\u{2018}' | '\u{2019}')
}

fn is_double_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}')
}

/// Characters that word processors and people write instead of operators, with the operators they mean.
const LOOKALIKES: [(char, SyntaxKind, &str); 9] = [
    ('\u{2212}', Minus, "-"),
    ('\u{2013}', Minus, "-"),
    ('\u{2014}', Minus, "-"),
    ('\u{2010}', Minus, "-"),
    ('\u{2264}', LessEqual, "<="),
    ('\u{2265}', GreaterEqual, ">="),
    ('\u{2260}', NotEqual, "!="),
    ('\u{2026}', DotDot, ".."),
    ('\u{00d7}', Star, "*"),
];

/// Operators and punctuation, longest first.
const OPERATORS: [(&str, SyntaxKind); 44] = [
    ("<<=", ShiftLeftEqual),
    (">>=", ShiftRightEqual),
    ("..", DotDot),
    ("<<", ShiftLeft),
    (">>", ShiftRight),
    ("<=", LessEqual),
    (">=", GreaterEqual),
    ("==", EqualEqual),
    ("!=", NotEqual),
    ("&&", AndAnd),
    ("||", OrOr),
    ("+=", PlusEqual),
    ("-=", MinusEqual),
    ("*=", StarEqual),
    ("/=", SlashEqual),
    ("%=", PercentEqual),
    ("&=", AmpersandEqual),
    ("^=", CaretEqual),
    ("|=", BarEqual),
    ("++", PlusPlus),
    ("--", MinusMinus),
    (".", Dot),
    (",", Comma),
    (";", Semicolon),
    (":", Colon),
    ("?", Question),
    ("(", OpenParen),
    (")", CloseParen),
    ("[", OpenBracket),
    ("]", CloseBracket),
    ("{", OpenBrace),
    ("}", CloseBrace),
    ("+", Plus),
    ("-", Minus),
    ("*", Star),
    ("/", Slash),
    ("%", Percent),
    ("<", Less),
    (">", Greater),
    ("&", Ampersand),
    ("^", Caret),
    ("|", Bar),
    ("!", Exclamation),
    ("~", Tilde),
];

struct Lexer<'t> {
    text: &'t str,
    position: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Lexer<'t> {
    /// Reads one token and says what it is.
    fn token(&mut self) -> SyntaxKind {
        let start = self.position;
        let Some(first) = self.peek() else { return Unknown };
        if first.is_whitespace() || first == '\u{feff}' {
            self.take_while(|c| c.is_whitespace() || c == '\u{feff}');
            return Whitespace;
        }
        if first == '#' {
            self.take_while(|c| c != '\n');
            return Comment;
        }
        if first.is_ascii_digit() {
            self.take_while(|c| c.is_ascii_digit());
            return Int;
        }
        if is_word(first) {
            return self.word();
        }
        if is_single_quote(first) {
            return self.symbol(first);
        }
        if is_double_quote(first) {
            return self.string(first);
        }
        if let Some(kind) = self.foreign_comment() {
            return kind;
        }
        if first == '=' && !self.rest().starts_with("==") {
            self.position += 1;
            return Equal;
        }
        if let Some((operator, kind)) =
            OPERATORS.iter().find(|(operator, _)| self.rest().starts_with(operator))
        {
            self.position += operator.len();
            return *kind;
        }
        self.position += first.len_utf8();
        if let Some((_, kind, ascii)) = LOOKALIKES.iter().find(|(c, ..)| *c == first) {
            let span = self.span(start);
            self.report(
                Diagnostic::error("typographic-character", span, format!("`{first}` is not `{ascii}`"))
                    .label("a typographic character")
                    .fix(format!("write `{ascii}`"), span, *ascii),
            );
            return *kind;
        }
        self.unknown(first, start)
    }

    /// A character that begins no token; a run of equal ones is reported once.
    fn unknown(&mut self, first: char, start: usize) -> SyntaxKind {
        self.take_while(|c| c == first);
        let shown: String =
            if first.is_control() { first.escape_unicode().collect() } else { first.to_string() };
        self.report(Diagnostic::error(
            "unknown-character",
            self.span(start),
            format!("the character `{shown}` has no meaning here"),
        ));
        Unknown
    }

    /// A name, a keyword, or `opponent's`.
    fn word(&mut self) -> SyntaxKind {
        let start = self.position;
        self.take_while(is_word);
        let word = &self.text[start..self.position];
        if word == "opponent" {
            let mut following = self.rest().chars();
            let quote = following.next().filter(|c| is_single_quote(*c));
            let s = following.next() == Some('s');
            if let (Some(quote), true, false) = (quote, s, following.next().is_some_and(is_word)) {
                self.position += quote.len_utf8() + 1;
                return Opponents;
            }
        }
        if word == "opponents" && self.peek().is_some_and(is_single_quote) {
            let quote = self.peek().map_or(0, char::len_utf8);
            self.position += quote;
            let span = self.span(start);
            self.report(
                Diagnostic::error("opponents-apostrophe", span, "the apostrophe stands before the `s`").fix(
                    "write `opponent's`",
                    span,
                    "opponent's",
                ),
            );
            return Opponents;
        }
        if !word.is_ascii() {
            self.report(
                Diagnostic::error("name-character", self.span(start), format!("`{word}` cannot be a name"))
                    .help("names consist of the letters a-z and A-Z, digits and `_`"),
            );
        }
        Ident
    }

    /// `'x'`, also with the quotes of word processors or with a wrong number of characters between them.
    fn symbol(&mut self, quote: char) -> SyntaxKind {
        let start = self.position;
        self.position += quote.len_utf8();
        let mut following = self.rest().chars();
        let (inner, close) = (following.next(), following.next());
        if let (Some(inner), Some(close)) = (inner, close)
            && inner != '\n'
            && is_single_quote(close)
        {
            self.position += inner.len_utf8() + close.len_utf8();
            if quote != '\'' || close != '\'' {
                let span = self.span(start);
                self.report(
                    Diagnostic::error("typographic-character", span, "typographic quotes around a symbol")
                        .label("the quotes must be `'`")
                        .fix(format!("write `'{inner}'`"), span, format!("'{inner}'")),
                );
            }
            return Symbol;
        }
        if inner.is_some_and(is_single_quote) {
            self.position += inner.map_or(0, char::len_utf8);
            self.report(
                Diagnostic::error(
                    "empty-symbol",
                    self.span(start),
                    "there is no character between the quotes",
                )
                .help("a symbol is one character between single quotes, as in `'P'`"),
            );
            return Unknown;
        }
        let inside = self.position;
        self.take_while(is_word);
        if self.position > inside && self.peek().is_some_and(is_single_quote) {
            self.position += self.peek().map_or(0, char::len_utf8);
            self.report(
                Diagnostic::error("long-symbol", self.span(start), "a symbol is one character")
                    .help("between single quotes stands one character, as in `'P'`"),
            );
            return Symbol;
        }
        // Only the quote is wrong then; what follows may be sound.
        self.position = inside;
        self.report(
            Diagnostic::error("unclosed-symbol", self.span(start), "this quote begins no symbol")
                .help("a symbol is one character between single quotes, as in `'P'`"),
        );
        Unknown
    }

    /// `"..."` on one line.
    fn string(&mut self, quote: char) -> SyntaxKind {
        let start = self.position;
        self.position += quote.len_utf8();
        self.take_while(|c| !is_double_quote(c) && c != '\n');
        let Some(close) = self.peek().filter(|c| is_double_quote(*c)) else {
            let end = start + self.text[start..self.position].trim_end().len();
            let here = Span::new(end as u32, end as u32);
            self.report(
                Diagnostic::error(
                    "unclosed-string",
                    self.span(start),
                    "the string is not closed on its line",
                )
                .fix("close it", here, "\""),
            );
            return Text;
        };
        let inside = self.text[start + quote.len_utf8()..self.position].to_owned();
        self.position += close.len_utf8();
        if quote != '"' || close != '"' {
            let span = self.span(start);
            self.report(
                Diagnostic::error("typographic-character", span, "typographic quotes around a string")
                    .label("the quotes must be `\"`")
                    .fix("write straight quotes", span, format!("\"{inside}\"")),
            );
        }
        Text
    }

    /// Comments as other languages write them: no expression contains `//` or `/*`, so they can only be meant
    /// so.
    fn foreign_comment(&mut self) -> Option<SyntaxKind> {
        let start = self.position;
        if self.rest().starts_with("//") {
            let mark = Span::new(start as u32, start as u32 + 2);
            self.take_while(|c| c != '\n');
            self.report(Diagnostic::error("foreign-comment", mark, "a comment begins with `#`").fix(
                "write `#`",
                mark,
                "#",
            ));
            return Some(Comment);
        }
        if self.rest().starts_with("/*") {
            let length = self.rest().find("*/").map_or(self.rest().len(), |end| end + 2);
            self.position += length;
            let mark = Span::new(start as u32, start as u32 + 2);
            self.report(
                Diagnostic::error("foreign-comment", mark, "a comment begins with `#`")
                    .help("a comment runs from `#` to the end of the line"),
            );
            return Some(Comment);
        }
        None
    }

    fn push(&mut self, kind: SyntaxKind, start: usize) {
        self.tokens.push(Token { kind, span: self.span(start) });
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn span(&self, start: usize) -> Span {
        Span::new(start as u32, self.position as u32)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.position += rest.find(|c| !belongs(c)).unwrap_or(rest.len());
    }
}
