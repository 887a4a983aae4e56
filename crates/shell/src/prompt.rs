//! Where lines come from: a terminal with its history, or a file or a pipe.

use std::io::{BufReader, ErrorKind, IsTerminal, Stdin, Write, stdin, stdout};

use multigame_input::{Heard, hear};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

/// What the user types, or wrote down before.
pub enum Prompt {
    /// A terminal, and what it shows before each line.
    Terminal(Box<DefaultEditor>, String),
    /// Everything else.
    Stream(BufReader<Stdin>),
}

impl Prompt {
    /// Reads standard input.
    pub fn new(game: &str) -> anyhow::Result<Prompt> {
        Ok(match stdin().is_terminal() {
            true => Prompt::Terminal(Box::new(DefaultEditor::new()?), format!("{game}> ")),
            false => Prompt::Stream(BufReader::new(stdin())),
        })
    }

    /// The next line; nothing when the user is done.
    pub fn line(&mut self) -> anyhow::Result<Option<Heard>> {
        match self {
            Prompt::Terminal(editor, prompt) => typed(editor, prompt),
            Prompt::Stream(input) => Ok(hear(input)?),
        }
    }
}

fn typed(editor: &mut DefaultEditor, prompt: &str) -> anyhow::Result<Option<Heard>> {
    loop {
        match editor.readline(prompt) {
            Ok(line) => {
                let _ = editor.add_history_entry(&line);
                return Ok(Some(Heard::Line(line)));
            }
            Err(ReadlineError::Eof) => return Ok(None),
            Err(ReadlineError::Interrupted) => writeln!(stdout(), "`quit` or Ctrl-D leaves")?,
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                writeln!(stdout(), "the line has a byte that is not UTF-8, and is left out")?;
            }
            Err(error) => return Err(error.into()),
        }
    }
}
