//! What is wrong with rules, and the changes that mend them.

use multigame_compiler::{Compilation, Options, compile};
use multigame_syntax::{Diagnostic, Fix, Span};

use crate::Edit;

/// Compiles rules as every command does, with the usual parameters.
pub fn check(name: &str, text: &str) -> Compilation {
    compile(text, &Options { name: name.to_string(), parameters: Vec::new() })
}

/// The fixes of what is said about a part of the text.
pub fn fixes(diagnostics: &[Diagnostic], part: Span) -> impl Iterator<Item = (&Diagnostic, &Fix)> {
    diagnostics.iter().filter_map(move |diagnostic| {
        let touches = diagnostic.span.start <= part.end && part.start <= diagnostic.span.end;
        Some((diagnostic, diagnostic.fix.as_ref().filter(|_| touches)?))
    })
}

/// The changes of all fixes at once; of fixes for the same place only the first.
pub fn all_fixes(diagnostics: &[Diagnostic]) -> Vec<Edit> {
    let mut fixes: Vec<&Fix> = diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref()).collect();
    fixes.sort_by_key(|fix| fix.span);
    let mut edits: Vec<Edit> = Vec::new();
    for fix in fixes {
        let behind = edits.last().is_none_or(|last| {
            last.span.end < fix.span.start || last.span.end == fix.span.start && last.span != fix.span
        });
        if behind {
            edits.push(edit(fix));
        }
    }
    edits
}

/// A fix as a change of the text.
pub fn edit(fix: &Fix) -> Edit {
    Edit { span: fix.span, text: fix.replacement.clone() }
}
