//! What each token of a text is: colours that know what names name.

use multigame_syntax::{Span, SyntaxKind, SyntaxToken};

use crate::names::{NameKind, Occurrence};
use crate::rules::Rules;
use crate::tree::token_span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    /// A word of the language.
    Keyword,
    /// A comment.
    Comment,
    /// A text or a symbol.
    Text,
    /// A number.
    Number,
    /// An operator.
    Operator,
    /// A name.
    Name(NameKind),
}

/// A token with its place; it may have several lines if a text is not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// The place.
    pub span: Span,
    /// Whether a name is declared here.
    pub declares: bool,
}

/// The tokens that have a colour, in the order of the text.
pub fn tokens(rules: &Rules) -> Vec<Token> {
    let source = rules.own();
    let mut names = source.occurrences.iter().peekable();
    let root = source.parse.syntax();
    let all = root.descendants_with_tokens().filter_map(|element| element.into_token());
    all.filter_map(|token| {
        let span = token_span(&token);
        while names.next_if(|name| name.span.end <= span.start).is_some() {}
        let name = names.peek().filter(|name| name.span.start <= span.start && span.end <= name.span.end);
        let kind = kind(&token, name.copied())?;
        let declares = matches!(kind, TokenKind::Name(_)) && name.is_some_and(|name| name.declares);
        Some(Token { kind, span, declares })
    })
    .collect()
}

fn kind(token: &SyntaxToken, name: Option<&Occurrence>) -> Option<TokenKind> {
    Some(match token.kind() {
        SyntaxKind::Comment => TokenKind::Comment,
        SyntaxKind::Ident => match name {
            Some(name) => TokenKind::Name(name.kind),
            None if is_coordinate(token) => TokenKind::Text,
            None => TokenKind::Keyword,
        },
        SyntaxKind::Opponents => TokenKind::Keyword,
        SyntaxKind::Int => TokenKind::Number,
        SyntaxKind::Symbol | SyntaxKind::Text => match name {
            Some(name) => TokenKind::Name(name.kind),
            None => TokenKind::Text,
        },
        kind if kind >= SyntaxKind::Plus && kind < SyntaxKind::EndOfFile => TokenKind::Operator,
        _ => return None,
    })
}

/// Fields in chains of directions.
fn is_coordinate(token: &SyntaxToken) -> bool {
    token.parent().is_some_and(|parent| parent.kind() == SyntaxKind::Chain)
}
