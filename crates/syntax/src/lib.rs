//! From text to tree: lexer, lossless parser, abstract tree, formatter, and the diagnostics shown to people.
//!
//! **Invariant:** nothing here fails. Any text gives a tree and a list of diagnostics.
//! **Invariant:** this crate does not know what a rule means; it reads no files and prints nothing.

pub mod ast;
mod codes;
mod diagnostic;
mod format;
mod lexer;
mod line_index;
mod parser;
mod render;
mod syntax_kind;
mod words;

pub use codes::CODES;
pub use diagnostic::{Diagnostic, Fix, Label, Severity};
pub use format::format;
pub use line_index::{LineColumn, LineIndex};
pub use render::{Style, render, to_json};
pub use syntax_kind::{Multigame, SyntaxKind, SyntaxNode, SyntaxToken};
pub use words::{closest, is_reserved};

/// A range of bytes in the source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// From `start` up to, not including, `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }

    /// The least span that covers both.
    pub fn cover(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// The longest text that is read. No game needs more, and a limit keeps all offsets and times small.
pub const MAX_LENGTH: usize = 1 << 20;

/// The result of parsing a text.
#[derive(Clone, Debug)]
pub struct Parse {
    /// The program.
    pub program: ast::Program,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    green: rowan::GreenNode,
}

impl Parse {
    /// The lossless tree: its text is the text that was parsed, byte for byte.
    pub fn syntax(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    /// Whether nothing is wrong.
    pub fn is_ok(&self) -> bool {
        self.diagnostics.is_empty()
    }
}

/// Parses a text. Never fails: what cannot be read is missing in the program and named in the diagnostics.
pub fn parse(text: &str) -> Parse {
    if text.len() > MAX_LENGTH {
        return too_large(text);
    }
    let (tokens, mut diagnostics) = lexer::lex(text);
    diagnostics.truncate(parser::MAX_ERRORS);
    let (program, green, errors) = parser::parse_tokens(text, tokens);
    diagnostics.extend(errors);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    Parse { program, diagnostics, green }
}

fn too_large(text: &str) -> Parse {
    let mut builder = rowan::GreenNodeBuilder::new();
    builder.start_node(SyntaxKind::Root.into());
    builder.token(SyntaxKind::Unknown.into(), text);
    builder.finish_node();
    let message = format!("the text has {} bytes; more than {MAX_LENGTH} are not read", text.len());
    let diagnostics = vec![Diagnostic::error("file-too-large", Span::default(), message)];
    Parse { program: ast::Program::default(), diagnostics, green: builder.finish() }
}
