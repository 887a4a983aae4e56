//! Looking around in the lossless tree.

use multigame_syntax::{Parse, Span, SyntaxNode, SyntaxToken};

/// The place of a token.
pub(crate) fn token_span(token: &SyntaxToken) -> Span {
    Span::new(token.text_range().start().into(), token.text_range().end().into())
}

/// The place of a node.
pub(crate) fn node_span(node: &SyntaxNode) -> Span {
    Span::new(node.text_range().start().into(), node.text_range().end().into())
}

/// The nearest place between two characters of a text that is not behind an offset.
pub(crate) fn inside(text: &str, offset: u32) -> u32 {
    let mut offset = (offset as usize).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset as u32
}

/// The text at a place; nothing if it is not in the text.
pub(crate) fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize).unwrap_or_default()
}

/// The token at a place: at a border a word, if one of the two is one, else the one before it.
pub(crate) fn token_at(parse: &Parse, offset: u32) -> Option<SyntaxToken> {
    let found = parse.syntax().token_at_offset(offset.into());
    let is_word = |token: &SyntaxToken| {
        token.text().starts_with(|c: char| c.is_alphanumeric() || c == '_') && !token.kind().is_trivia()
    };
    let (left, right) = (found.clone().left_biased(), found.right_biased());
    match (left, right) {
        (Some(left), Some(right)) if is_word(&right) && !is_word(&left) => Some(right),
        (left, _) => left,
    }
}

/// The next token before this one that the parser sees.
pub(crate) fn before(token: &SyntaxToken) -> Option<SyntaxToken> {
    std::iter::successors(token.prev_token(), SyntaxToken::prev_token).find(|token| !token.kind().is_trivia())
}

/// The next token behind this one that the parser sees.
pub(crate) fn behind(token: &SyntaxToken) -> Option<SyntaxToken> {
    std::iter::successors(token.next_token(), SyntaxToken::next_token).find(|token| !token.kind().is_trivia())
}
