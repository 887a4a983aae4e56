//! The commands of the shell.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};

use anyhow::{Context, bail};
use multigame_game::{Game, Line, notation, parse_position, position_text};

use super::{After, Shell, redirect};

/// Files may execute files, but not for ever.
const MAX_EXECUTING: usize = 16;

/// Name, arguments and meaning of each command, in the order of `help`.
const HELP: &[(&str, &str, &str)] = &[
    ("MOVE", "", "play a move, in the game's notation or as `a3 -> c5`"),
    ("board", "", "draw the position"),
    ("configuration", "", "show the game and who plays it"),
    ("echo", "TEXT", "print TEXT"),
    ("execute", "FILE", "run the commands in FILE"),
    ("help", "[COMMAND]", "say what the commands do"),
    ("hint", "", "say what the computer would play"),
    ("legal", "", "list the legal moves"),
    ("move", "[MOVE]", "play MOVE, or let the computer play one move"),
    ("new", "", "start again"),
    ("play", "[white|black|both|off]", "say which side the computer plays; without argument the one to move"),
    ("quit", "", "leave (or Ctrl-D)"),
    ("random", "", "play a random move"),
    ("read", "[FILE]", "read a position from FILE; without it from the rest of the line after `<`"),
    ("selfplay", "", "let the computer play both sides to the end"),
    ("shell", "COMMAND", "run COMMAND in the system's shell"),
    ("undo", "", "take back your last move, and the computer's answer"),
    ("verbose", "[LEVEL]", "show or set how much is said: 0 moves, 1 also the board"),
    ("write", "[FILE]", "write the position, to FILE"),
];

impl<G: Game> Shell<'_, G> {
    /// Executes one line: a command or a move, with its redirections.
    pub fn execute(&mut self, line: &str, out: &mut dyn Write) -> anyhow::Result<After> {
        let parts = redirect::split(line).map_err(anyhow::Error::msg)?;
        let (word, rest) = match parts.command.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, rest.trim()),
            None => (parts.command, ""),
        };
        if word.is_empty() || word.starts_with('#') {
            return Ok(After::Continue);
        }
        let rest = parts.input.unwrap_or(rest);
        match parts.output {
            None => self.command(word, rest, parts.command, out),
            Some((file, append)) => {
                let opened =
                    OpenOptions::new().create(true).write(true).append(append).truncate(!append).open(file);
                let mut file = opened.with_context(|| format!("cannot write `{file}`"))?;
                self.command(word, rest, parts.command, &mut file)
            }
        }
    }

    fn command(&mut self, word: &str, rest: &str, line: &str, out: &mut dyn Write) -> anyhow::Result<After> {
        match word {
            "quit" | "exit" => return Ok(After::Quit),
            "board" => self.show(out)?,
            "configuration" => self.configuration(out)?,
            "echo" => writeln!(out, "{rest}")?,
            "execute" => return self.execute_file(rest, out),
            "help" | "?" => help(rest, out)?,
            "hint" => self.hint(out)?,
            "legal" => self.legal(out)?,
            "move" if rest.is_empty() => self.computer_move(out)?,
            "move" => self.user_move(rest, out)?,
            "new" => self.start(self.line.positions()[0].clone(), out)?,
            "play" => self.play_side(rest, out)?,
            "random" => {
                self.computer_move(out)?;
                self.let_computer_play(out)?;
            }
            "read" => self.read(rest, out)?,
            "selfplay" => self.selfplay(out)?,
            "shell" => system_shell(rest, out)?,
            "undo" => self.undo(out)?,
            "verbose" => self.verbose(rest, out)?,
            "write" => self.write(rest, out)?,
            _ => self.user_move(line, out)?,
        }
        Ok(After::Continue)
    }

    fn configuration(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let description = self.game().description();
        let board = &description.board;
        writeln!(out, "game      {}", description.name)?;
        writeln!(out, "board     {} x {}, {} fields", board.columns(), board.rows(), board.fields().count())?;
        writeln!(out, "pieces    {}", description.pieces.len() - 1)?;
        for (side, computer) in ["white", "black"].iter().zip(self.computer).take(description.players.into())
        {
            writeln!(out, "{side}     {}", if computer { "the computer" } else { "you" })?;
        }
        Ok(())
    }

    fn execute_file(&mut self, file: &str, out: &mut dyn Write) -> anyhow::Result<After> {
        if file.is_empty() {
            bail!("`execute` needs a file");
        }
        if self.executing >= MAX_EXECUTING {
            bail!(
                "`{file}` is executed from within {MAX_EXECUTING} other files: one of them executes itself"
            );
        }
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read `{file}`"))?;
        self.executing += 1;
        let mut after = Ok(After::Continue);
        for (number, line) in text.lines().enumerate() {
            after = self.execute(line, out).with_context(|| format!("`{file}`, line {}", number + 1));
            if !matches!(after, Ok(After::Continue)) {
                break;
            }
        }
        self.executing -= 1;
        after
    }

    fn hint(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Some(mv) = self.choose()? else { bail!("the game is over; `undo` or `new`") };
        let name = notation::name_of(self.game(), self.line.position(), &mv);
        writeln!(out, "{}", name.map_err(|error| self.loaded.rules_error(error))?)?;
        Ok(())
    }

    fn legal(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let named = notation::names(self.game(), self.line.position());
        let mut names: Vec<String> = named
            .map_err(|error| self.loaded.rules_error(error))?
            .into_iter()
            .map(|named| named.name)
            .collect();
        names.sort();
        for name in names {
            writeln!(out, "{name}")?;
        }
        self.show_status(out)
    }

    fn user_move(&mut self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.outcome()?.is_some() {
            bail!("the game is over; `undo` or `new`");
        }
        let mv = match notation::find(self.game(), self.line.position(), text) {
            Ok(mv) => mv,
            Err(notation::MoveTextError::Rules(error)) => return Err(self.loaded.rules_error(error)),
            Err(notation::MoveTextError::Unknown(text)) => {
                bail!(
                    "`{text}` is neither a command nor a legal move here; `legal` lists the moves, `help` the commands"
                )
            }
            Err(error) => return Err(error.into()),
        };
        let mut legal = Vec::new();
        self.line.legal_moves(&mut legal).map_err(|error| self.loaded.rules_error(error))?;
        if !legal.contains(&mv) {
            bail!("`{text}` would repeat an earlier position, which these rules forbid");
        }
        self.play(&mv, out)?;
        self.let_computer_play(out)
    }

    fn computer_move(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Some(mv) = self.choose()? else { bail!("the game is over; `undo` or `new`") };
        self.play(&mv, out)
    }

    fn play_side(&mut self, side: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        match side {
            "white" => self.set_computer(true, false),
            "black" => self.set_computer(false, true),
            "both" => self.set_computer(true, true),
            "off" => self.set_computer(false, false),
            "" => {
                self.set_computer(false, false);
                self.computer[self.side().index()] = true;
            }
            other => bail!("`{other}` is no side: `play white`, `play black`, `play both` or `play off`"),
        }
        self.let_computer_play(out)
    }

    fn read(&mut self, file: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        if file.is_empty() {
            bail!("`read` needs a file that holds a position, such as `write` makes");
        }
        let mut text = String::new();
        let opened = File::open(file).with_context(|| format!("cannot read `{file}`"))?;
        // A position is a line; whatever is longer is none.
        opened.take(1 << 20).read_to_string(&mut text).with_context(|| format!("cannot read `{file}`"))?;
        let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
        let Some(line) = line else { bail!("`{file}` holds no position") };
        let diagram = parse_position(self.game().description(), line).context("the position is wrong")?;
        self.start(self.game().position(&diagram), out)
    }

    fn start(&mut self, position: G::Position, out: &mut dyn Write) -> anyhow::Result<()> {
        self.line = Line::new(self.game(), position);
        self.show(out)?;
        self.let_computer_play(out)
    }

    fn selfplay(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        // Puzzles and games without a rule against it may go on for ever.
        for _ in 0..10_000 {
            let Some(mv) = self.choose()? else { return Ok(()) };
            self.play(&mv, out)?;
        }
        writeln!(out, "stopped after 10000 moves")?;
        Ok(())
    }

    fn undo(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        if !self.line.undo() {
            bail!("there is no move to take back");
        }
        let mut undone = 1;
        while self.computer != [true, true] && self.computer[self.side().index()] && self.line.undo() {
            undone += 1;
        }
        writeln!(out, "{undone} taken back")?;
        self.show(out)?;
        self.let_computer_play(out)
    }

    fn verbose(&mut self, level: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        if level.is_empty() {
            writeln!(out, "verbose {}", self.verbosity)?;
            return Ok(());
        }
        match level.parse() {
            Ok(level @ 0..=1) => self.verbosity = level,
            _ => bail!("`{level}` is no level: 0 or 1"),
        }
        Ok(())
    }

    fn write(&self, file: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        let text = position_text(self.game().description(), &self.game().diagram(self.line.position()));
        if file.is_empty() {
            writeln!(out, "{text}")?;
            return Ok(());
        }
        std::fs::write(file, text + "\n").with_context(|| format!("cannot write `{file}`"))
    }
}

fn help(command: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let wanted: Vec<_> = HELP.iter().filter(|entry| command.is_empty() || entry.0 == command).collect();
    if wanted.is_empty() {
        bail!("there is no command `{command}`; `help` lists them");
    }
    for (name, arguments, meaning) in wanted {
        writeln!(out, "{:<32} {meaning}", format!("{name} {arguments}"))?;
    }
    if command.is_empty() {
        writeln!(out, "{:<32} its output goes to FILE (`>>` appends)", "COMMAND > FILE")?;
    }
    Ok(())
}

fn system_shell(command: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    if command.is_empty() {
        bail!("`shell` needs a command");
    }
    let output =
        std::process::Command::new("sh").args(["-c", command]).output().context("cannot start `sh`")?;
    out.write_all(&output.stdout)?;
    out.write_all(&output.stderr)?;
    Ok(())
}
