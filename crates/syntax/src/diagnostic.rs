//! Diagnostics of the front end about a program: a message, places, remedies.

use crate::Span;

/// The severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The program has no meaning.
    Error,
    /// The program has a meaning, but probably not the intended one.
    Warning,
    /// Nothing is wrong; something about how the program is run is worth knowing.
    Note,
}

/// A second place that matters, with what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The remark about it.
    pub message: String,
}

/// A change of the text that would mend the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The purpose of the change, as an imperative: "write `own pawn`".
    pub message: String,
    /// The text to replace (empty to insert).
    pub span: Span,
    /// The replacement.
    pub replacement: String,
}

/// One thing to say about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// A stable name for tools and for the reference, such as `undefined-rule`.
    pub code: &'static str,
    /// Lower case, without full stop: what is wrong.
    pub message: String,
    /// The place.
    pub span: Span,
    /// Said under the marked place; may be empty.
    pub label: String,
    /// Other places.
    pub related: Vec<Label>,
    /// General advice, shown as `help:`.
    pub help: Vec<String>,
    /// A change of the text that would mend it.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message.into())
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message.into())
    }

    /// A note at a place.
    pub fn note(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, span, message.into())
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: String) -> Self {
        Diagnostic {
            severity,
            code,
            message,
            span,
            label: String::new(),
            related: Vec::new(),
            help: Vec::new(),
            fix: None,
        }
    }

    /// Says something under the marked place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// Adds a second place.
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Label { span, message: message.into() });
        self
    }

    /// Adds general advice.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Offers a change of the text.
    pub fn fix(mut self, message: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Fix { message: message.into(), span, replacement: replacement.into() });
        self
    }
}
