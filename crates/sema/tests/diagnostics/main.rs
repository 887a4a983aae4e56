//! The diagnostics of small programs, one case for each mistake.

mod declarations;
mod directions;
mod evaluation;
mod flow;
mod hostile;
mod misreadings;
mod models;
mod parameters;
mod rules;
mod setup;
mod warnings;

use expect_test::Expect;
use multigame_sema::{Analysis, CODES};
use multigame_syntax::{Diagnostic, Severity, Span};

/// Enough for a program without diagnostics when a rule `main` follows.
const BOARD: &str = "dimensions (3, 3) no moves = loss pieces { man 'M' 'm' rock '#' }\n";

fn analyze(text: &str, parameters: &[(&str, i64)]) -> Analysis {
    let parse = multigame_syntax::parse(text);
    assert!(parse.diagnostics.is_empty(), "the test must parse: {:?}", parse.diagnostics);
    let parameters: Vec<_> = parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    multigame_sema::analyze(&parse.program, &parameters)
}

/// One paragraph for each diagnostic: code, marked text, message, label, then other places, help and fix.
fn short(text: &str, diagnostics: &[Diagnostic]) -> String {
    let marked = |span: Span| text[span.start as usize..span.end as usize].replace('\n', " ");
    let mut lines = String::new();
    for found in diagnostics {
        assert!(CODES.iter().any(|(code, _)| *code == found.code), "`{}` is not explained", found.code);
        let severity = if found.severity == Severity::Error { "error" } else { "warning" };
        lines += &format!("{severity}[{}] <{}> {}\n", found.code, marked(found.span), found.message);
        if !found.label.is_empty() {
            lines += &format!("    ^ {}\n", found.label);
        }
        for label in &found.related {
            lines += &format!("    at <{}>: {}\n", marked(label.span), label.message);
        }
        for help in &found.help {
            lines += &format!("    help: {help}\n");
        }
        if let Some(fix) = &found.fix {
            lines += &format!("    fix: {}: <{}> -> <{}>\n", fix.message, marked(fix.span), fix.replacement);
        }
    }
    lines
}

/// Analyses a whole program.
fn check(text: &str, expect: Expect) {
    check_with(text, &[], expect);
}

fn check_with(text: &str, parameters: &[(&str, i64)], expect: Expect) {
    let analysis = analyze(text, parameters);
    let has_errors = analysis.diagnostics.iter().any(|found| found.severity == Severity::Error);
    assert_eq!(analysis.model.is_none(), has_errors, "a model exists exactly where there is no error");
    expect.assert_eq(&short(text, &analysis.diagnostics));
}

/// Analyses rules on a small board.
fn check_rules(rules: &str, expect: Expect) {
    check(&format!("{BOARD}{rules}"), expect);
}
