//! The formatter: one layout for every rules file.
//!
//! Three steps. [`items`] lists the tokens with the comments and line breaks around them; [`layout`] (with
//! [`lists`] for declarations in braces) walks the lossless tree and says where a line may break; [`printer`]
//! decides where it does. Like gofmt it takes the author's line breaks as a hint: a sequence, an `either` or
//! a list that was written on several lines stays so, one on a single line stays there if it fits; rules of
//! one line stay together if they were.
//!
//! **Invariant:** tokens are never added, removed or changed, so the meaning stays.
//! **Invariant:** formatting twice gives the same as formatting once.

mod items;
mod layout;
mod lists;
mod printer;

use crate::{Diagnostic, Severity, SyntaxNode};

/// More are never needed; a bound keeps a mistake in here from going on for ever.
const MAX_PASSES: usize = 50;

/// Lays a rules file out. A text with errors is not touched, because its structure is not known; they are
/// returned.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let parse = crate::parse(text);
    let errors: Vec<Diagnostic> = parse
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .cloned()
        .collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut formatted = pass(&parse.syntax());
    // A line that was broken because it was too long is a hint the next time, and can leave more room
    // elsewhere. A broken line stays broken, so this comes to an end; nearly always the second pass changes
    // nothing.
    for _ in 0..MAX_PASSES {
        let again = pass(&crate::parse(&formatted).syntax());
        if again == formatted {
            break;
        }
        formatted = again;
    }
    Ok(formatted)
}

fn pass(root: &SyntaxNode) -> String {
    let items = items::items(root);
    let docs = layout::layout(root, &items);
    printer::print(&docs, &items)
}
