//! What goes wrong, as Python exceptions: every failure becomes one of them, with the words that the command
//! line has for it.

use std::io::ErrorKind;

use multigame_game::RulesError;
use multigame_search::SearchError;
use multigame_simulator::SimulationError;
use multigame_syntax::{Diagnostic, Span, Style, render, to_json};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// The rules that are being run, as far as errors need them.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What messages call the file.
    pub file: String,
    /// The text.
    pub text: String,
}

/// Rules that cannot be played, with everything to say about them.
#[derive(Debug, thiserror::Error)]
#[error("the rules have errors")]
pub struct WrongRules(pub Vec<Diagnostic>);

/// Work that panicked: a bug of ours, not of the caller.
#[derive(Debug, thiserror::Error)]
#[error("multigame failed by a bug of its own ({0}); please report it with what you called")]
pub struct Bug(pub String);

/// The exception for a failure.
pub fn exception(py: Python<'_>, error: anyhow::Error, rules: &Rules) -> PyErr {
    if let Some(WrongRules(diagnostics)) = error.downcast_ref() {
        return rules_error(py, diagnostics, rules);
    }
    if let Some(error) = run_time(&error) {
        let span = Span::new(error.span.0, error.span.1);
        let message = format!("{} (in rule `{}`, line {})", error.message, error.rule, error.line);
        return rules_error(
            py,
            &[Diagnostic::error("run-time", span, message).label("while this was running")],
            rules,
        );
    }
    let text = format!("{error:#}");
    if error.is::<Bug>() {
        return PyRuntimeError::new_err(text);
    }
    match error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>()).map(|error| error.kind()) {
        Some(ErrorKind::NotFound) => PyFileNotFoundError::new_err(text),
        Some(_) => PyOSError::new_err(text),
        None => PyValueError::new_err(text),
    }
}

/// The run-time error of the rules that an error is about.
fn run_time(error: &anyhow::Error) -> Option<&RulesError> {
    error.chain().find_map(|cause| {
        let searched = cause.downcast_ref::<SearchError>().and_then(|error| match error {
            SearchError::Rules(error) => Some(&**error),
            _ => None,
        });
        let simulated = cause.downcast_ref::<SimulationError>().and_then(|error| match error {
            SimulationError::Rules(error) => Some(&**error),
            _ => None,
        });
        cause.downcast_ref::<RulesError>().or(searched).or(simulated)
    })
}

/// `multigame.RulesError`, which is a class of Python, because it has attributes.
fn rules_error(py: Python<'_>, diagnostics: &[Diagnostic], rules: &Rules) -> PyErr {
    let rendered = render(diagnostics, &rules.file, &rules.text, Style::Plain);
    let data = to_json(diagnostics, &rules.file, &rules.text).to_string();
    let class = py.import("multigame._errors").and_then(|module| module.getattr("RulesError"));
    match class.and_then(|class| class.call1((rendered, data))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Diagnostics as JSON.
pub fn diagnostics_json(diagnostics: &[Diagnostic], rules: &Rules) -> String {
    to_json(diagnostics, &rules.file, &rules.text).to_string()
}
