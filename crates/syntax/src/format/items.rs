//! The tokens of a text with what stands between them: comments, line breaks, blank lines.

use rowan::NodeOrToken;

use crate::syntax_kind::{SyntaxKind, SyntaxNode};

/// A comment on a line of its own.
pub(super) struct Comment {
    pub(super) text: String,
    pub(super) blank_before: bool,
}

/// A token with what stands before it.
pub(super) struct Item {
    pub(super) kind: SyntaxKind,
    pub(super) text: String,
    /// Comments on lines of their own before the token.
    pub(super) comments: Vec<Comment>,
    /// A comment behind the token on its line.
    pub(super) trailing: Option<String>,
    /// Whether a line break comes before the token (and before its comments).
    pub(super) newline_before: bool,
    /// Whether a blank line comes directly before the token, behind its comments.
    pub(super) blank_before: bool,
}

/// All tokens in order; the last one is the end of the file.
pub(super) fn items(root: &SyntaxNode) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut comments = Vec::new();
    let mut newlines = 0;
    let mut newline_before = false;
    for token in root.descendants_with_tokens().filter_map(NodeOrToken::into_token) {
        match token.kind() {
            SyntaxKind::Whitespace => {
                newlines += token.text().matches('\n').count();
                newline_before |= newlines > 0;
            }
            SyntaxKind::Comment => {
                let text = token.text().trim_end().to_owned();
                match items.last_mut() {
                    Some(item) if newlines == 0 && comments.is_empty() => item.trailing = Some(text),
                    _ => comments.push(Comment { text, blank_before: newlines > 1 }),
                }
                newlines = 0;
            }
            kind => {
                items.push(Item {
                    kind,
                    text: token.text().to_owned(),
                    comments: std::mem::take(&mut comments),
                    trailing: None,
                    newline_before,
                    blank_before: newlines > 1,
                });
                newlines = 0;
                newline_before = false;
            }
        }
    }
    items.push(Item {
        kind: SyntaxKind::EndOfFile,
        text: String::new(),
        comments,
        trailing: None,
        newline_before: true,
        blank_before: false,
    });
    items
}
