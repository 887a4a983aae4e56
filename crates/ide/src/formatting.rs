//! The usual form of a text, as the smallest changes of the blanks between its tokens.

use multigame_syntax::{Span, SyntaxKind, parse};

use crate::Edit;
use crate::rules::Rules;
use crate::tree::token_span;

/// The changes that lay a text out; an error if it has syntax errors, because its structure is not known
/// then.
pub fn format(rules: &Rules) -> Result<Vec<Edit>, String> {
    let text = &rules.own().text;
    let formatted = multigame_syntax::format(text).map_err(|errors| match errors.first() {
        Some(first) => format!("rules with syntax errors are not formatted: {}", first.message),
        None => "these rules cannot be formatted".to_string(),
    })?;
    Ok(changes(text, &formatted))
}

/// Those changes that touch a part of the text.
pub fn format_part(rules: &Rules, part: Span) -> Result<Vec<Edit>, String> {
    let edits = format(rules)?.into_iter();
    Ok(edits.filter(|edit| edit.span.start <= part.end && part.start <= edit.span.end).collect())
}

/// Everything but blanks, and the blanks before it.
fn pieces(text: &str) -> Vec<(Span, Span)> {
    let mut pieces = Vec::new();
    let mut end = 0;
    let root = parse(text).syntax();
    for token in root.descendants_with_tokens().filter_map(|element| element.into_token()) {
        if token.kind() != SyntaxKind::Whitespace {
            let span = token_span(&token);
            pieces.push((Span::new(end, span.start), span));
            end = span.end;
        }
    }
    let last = text.len() as u32;
    pieces.push((Span::new(end, last), Span::new(last, last)));
    pieces
}

/// The formatter changes blanks only, and those at the end of a comment, so the tokens of both texts go
/// together one by one.
fn changes(old: &str, new: &str) -> Vec<Edit> {
    let (before, after) = (pieces(old), pieces(new));
    if before.len() != after.len() {
        return vec![Edit { span: Span::new(0, old.len() as u32), text: new.to_string() }];
    }
    let at = |text: &str, span: Span| text[span.start as usize..span.end as usize].to_string();
    let mut edits = Vec::new();
    for ((blank, token), (new_blank, new_token)) in before.into_iter().zip(after) {
        for (span, wanted) in [(blank, at(new, new_blank)), (token, at(new, new_token))] {
            if at(old, span) != wanted {
                edits.push(Edit { span, text: wanted });
            }
        }
    }
    edits
}
