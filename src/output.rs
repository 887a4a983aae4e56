//! What goes to the terminal: colours where it is one, and how failures are told.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use multigame_game::DrawStyle;
use multigame_syntax::Style;

/// The input is wrong and everything to say about it has been said.
#[derive(Debug, thiserror::Error)]
#[error("the rules have errors")]
pub struct AlreadyReported;

/// Whether standard output is a terminal that wants colours.
pub fn draw_style() -> DrawStyle {
    if wants_colour(io::stdout().is_terminal()) { DrawStyle::Colour } else { DrawStyle::Plain }
}

/// How diagnostics, which go to standard error, are rendered.
pub fn diagnostic_style() -> Style {
    if wants_colour(io::stderr().is_terminal()) { Style::Colour } else { Style::Plain }
}

fn wants_colour(terminal: bool) -> bool {
    terminal && std::env::var_os("NO_COLOR").is_none()
}

/// Tells what went wrong and gives the exit code: 1, the input is wrong.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let closed_pipe = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    if closed_pipe.into_iter().any(|cause| cause.kind() == io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    if !error.is::<AlreadyReported>() {
        let _ = writeln!(io::stderr(), "error: {error:#}");
    }
    ExitCode::from(1)
}

/// Prints a value as JSON.
pub fn json(value: &serde_json::Value) -> anyhow::Result<()> {
    writeln!(io::stdout(), "{}", serde_json::to_string_pretty(value)?)?;
    Ok(())
}
