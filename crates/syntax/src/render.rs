//! Diagnostics for people (the source line with the place marked) and for tools (JSON).

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use serde_json::{Value, json};

use crate::{Diagnostic, LineIndex, Severity, Span};

/// The decoration of text for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// ASCII only.
    Plain,
    /// With the escape sequences of a terminal.
    Colour,
}

/// Shows diagnostics to people, in the order given, with a blank line between them.
pub fn render(diagnostics: &[Diagnostic], file_name: &str, text: &str, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let mut shown = String::new();
    for diagnostic in diagnostics {
        if !shown.is_empty() {
            shown.push('\n');
        }
        shown.push_str(&renderer.render(&report(diagnostic, file_name, text)));
        shown.push('\n');
    }
    shown
}

/// The message with its places, then the fix.
fn report<'d>(diagnostic: &'d Diagnostic, file_name: &'d str, text: &'d str) -> Vec<Group<'d>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let places = diagnostic.related.iter().map(|label| label.span);
    let excerpt = Excerpt::around(text, places.fold(diagnostic.span, Span::cover));
    let primary = AnnotationKind::Primary.span(excerpt.bytes(diagnostic.span));
    let primary =
        if diagnostic.label.is_empty() { primary } else { primary.label(diagnostic.label.as_str()) };
    let mut snippet = excerpt.snippet().path(file_name).annotation(primary);
    for related in &diagnostic.related {
        let place = AnnotationKind::Context.span(excerpt.bytes(related.span)).label(related.message.as_str());
        snippet = snippet.annotation(place);
    }
    let mut group = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code).element(snippet);
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let mut groups = vec![group];
    if let Some(fix) = &diagnostic.fix {
        let excerpt = Excerpt::around(text, fix.span);
        let patch = Patch::new(excerpt.bytes(fix.span), fix.replacement.as_str());
        let snippet = excerpt.snippet().path(file_name).patch(patch);
        groups.push(Level::HELP.secondary_title(fix.message.as_str()).element(snippet));
    }
    groups
}

/// Some whole lines of a text.
///
/// PERF: the renderer reads all of the source it is given; without this, many diagnostics of a long text take
/// seconds.
struct Excerpt<'t> {
    text: &'t str,
    start: usize,
    first_line: usize,
}

impl<'t> Excerpt<'t> {
    fn around(text: &'t str, span: Span) -> Self {
        let (start, end) = (boundary(text, span.start), boundary(text, span.end.max(span.start)));
        let start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[end..].find('\n').map_or(text.len(), |newline| end + newline + 1);
        let first_line = text[..start].matches('\n').count() + 1;
        Excerpt { text: &text[start..end], start, first_line }
    }

    fn snippet<T: Clone>(&self) -> Snippet<'t, T> {
        Snippet::source(self.text).line_start(self.first_line)
    }

    /// A span as a range that surely is in the excerpt and between characters, whoever made it.
    fn bytes(&self, span: Span) -> Range<usize> {
        let inside = |offset: u32| boundary(self.text, offset.saturating_sub(self.start as u32));
        let start = inside(span.start);
        start..inside(span.end).max(start)
    }
}

/// The nearest place between two characters that is not behind an offset.
fn boundary(text: &str, offset: u32) -> usize {
    let mut offset = (offset as usize).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Diagnostics as an array of objects. Lines and columns count from 1, columns in characters; `span` is in
/// bytes.
pub fn to_json(diagnostics: &[Diagnostic], file_name: &str, text: &str) -> Value {
    let index = LineIndex::new(text);
    diagnostics.iter().map(|diagnostic| diagnostic_to_json(diagnostic, file_name, &index)).collect()
}

fn diagnostic_to_json(diagnostic: &Diagnostic, file_name: &str, index: &LineIndex) -> Value {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let related: Vec<Value> = diagnostic
        .related
        .iter()
        .map(|label| {
            let mut value = place_to_json(label.span, index);
            value["message"] = json!(label.message);
            value
        })
        .collect();
    let fix = diagnostic.fix.as_ref().map(|fix| {
        let mut value = place_to_json(fix.span, index);
        value["message"] = json!(fix.message);
        value["replacement"] = json!(fix.replacement);
        value
    });
    let mut value = place_to_json(diagnostic.span, index);
    value["severity"] = json!(severity);
    value["code"] = json!(diagnostic.code);
    value["message"] = json!(diagnostic.message);
    value["file"] = json!(file_name);
    value["label"] = json!(diagnostic.label);
    value["related"] = json!(related);
    value["help"] = json!(diagnostic.help);
    value["fix"] = json!(fix);
    value
}

fn place_to_json(span: Span, index: &LineIndex) -> Value {
    let (start, end) = (index.line_column(span.start), index.line_column(span.end));
    json!({
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        "span": [span.start, span.end],
    })
}
