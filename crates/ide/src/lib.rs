//! What an editor wants to know about rules: text in, answers out.
//!
//! The language server and the page's editor ask the same functions. Each feature is a file; all of them
//! start from [`Rules`], which is one text, those it is based on, and every name in them. Places are bytes of
//! UTF-8, and a place that is not in the text or not between two characters is moved to one that is.
//!
//! **Invariant:** nothing here fails, waits, reads files or prints: any text gives an answer, if need be an
//! empty one.

pub mod completion;
pub mod diagnostics;
pub mod effects;
pub mod folding;
pub mod formatting;
pub mod hints;
pub mod hover;
pub mod lenses;
mod names;
pub mod navigation;
pub mod rename;
mod rules;
pub mod selection;
pub mod signature;
pub mod symbols;
pub mod tokens;
mod tree;
pub mod words;

pub use names::{NameKind, Occurrence};
pub use rules::{Place, Rules, Source};

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub span: multigame_syntax::Span,
    /// The replacement.
    pub text: String,
}

/// The text after changes that do not overlap, in any order.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.span);
    let (mut result, mut done) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        result.push_str(text.get(done..edit.span.start as usize).unwrap_or_default());
        result.push_str(&edit.text);
        done = edit.span.end as usize;
    }
    result.push_str(text.get(done..).unwrap_or_default());
    result
}
