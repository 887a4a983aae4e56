//! Output to the terminal: colours, and messages about failures.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use multigame_game::{DrawStyle, RulesError};
use multigame_syntax::{Diagnostic, Span, Style, render};

use multigame_progress::terminal;

/// The input is wrong and everything to say about it has been said.
#[derive(Debug, thiserror::Error)]
#[error("the rules have errors")]
pub struct AlreadyReported;

/// Whether standard output is a terminal that wants colours.
pub fn draw_style() -> DrawStyle {
    if wants_colour(terminal::sees_output()) { DrawStyle::Colour } else { DrawStyle::Plain }
}

/// The style of diagnostics, which go to standard error.
pub fn diagnostic_style() -> Style {
    if wants_colour(terminal::sees_errors()) { Style::Colour } else { Style::Plain }
}

fn wants_colour(terminal: bool) -> bool {
    terminal && std::env::var_os("NO_COLOR").is_none()
}

/// Tells what went wrong and gives the exit code: 1 if the input is wrong, 2 if the command line is.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let closed_pipe = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    if closed_pipe.into_iter().any(|cause| cause.kind() == io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    if let Some(usage) = error.downcast_ref::<clap::Error>() {
        // Help and the version come this way as well; a closed pipe is nobody's fault.
        let _ = usage.print();
        return ExitCode::from(usage.exit_code().clamp(0, 255) as u8);
    }
    if !error.is::<AlreadyReported>() {
        let _ = writeln!(io::stderr(), "error: {error:#}");
    }
    ExitCode::from(1)
}

/// Writes a file as a whole.
pub fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    Ok(multigame_files::write(file, text.as_bytes())?)
}

/// Prints a value as JSON.
pub fn json(value: &serde_json::Value) -> anyhow::Result<()> {
    writeln!(io::stdout(), "{}", serde_json::to_string_pretty(value)?)?;
    Ok(())
}

/// Renders diagnostics of a file on standard error.
pub fn show_diagnostics(file: &str, text: &str, diagnostics: &[Diagnostic]) -> anyhow::Result<()> {
    write!(io::stderr(), "{}", render(diagnostics, file, text, diagnostic_style()))?;
    Ok(())
}

/// An error after what can be shown of it has been: a run-time error of the rules, with the place in the
/// text.
pub fn shown(file: &str, text: &str, error: anyhow::Error) -> anyhow::Error {
    let Some(error) = error.downcast_ref::<RulesError>() else { return error };
    let span = Span::new(error.span.0, error.span.1);
    let message = format!("{} (in rule `{}`, line {})", error.message, error.rule, error.line);
    let diagnostic = Diagnostic::error("run-time", span, message).label("while this was running");
    match show_diagnostics(file, text, &[diagnostic]) {
        Ok(()) => AlreadyReported.into(),
        Err(failure) => failure,
    }
}
