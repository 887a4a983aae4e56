//! The commands of the shell.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use multigame_game::notation::{self, MoveTextError};
use multigame_game::{Game, Line, parse_position, position_text};
use multigame_input::{MOST_TEXT, read_text};

use crate::{After, Shell, redirect};

/// Files may execute files, but not for ever.
const MAX_EXECUTING: usize = 16;
/// Bytes of a file that holds a position.
const MOST_POSITION: u64 = 1 << 20;

/// Name, arguments and meaning of each command, in the order of `help`.
const HELP: &[(&str, &str, &str)] = &[
    ("MOVE", "", "play a move, in the game's notation or as `a3 -> c5`"),
    ("board", "", "draw the position"),
    ("clock", "[TIME+INCREMENT|off]", "give the computer a time for the whole game, such as `300+2`"),
    ("configuration", "", "show the game, who plays it, limits and options"),
    ("depth", "[PLIES|off]", "show or limit how deep the computer thinks"),
    ("echo", "TEXT", "print TEXT"),
    ("evaluate", "", "say what the position is worth without thinking"),
    ("execute", "FILE", "run the commands in FILE"),
    ("help", "[COMMAND]", "say what the commands do"),
    ("hint", "", "say what the computer would play"),
    ("increment", "[0|1|2]", "show or set by how many plies each iteration is deeper"),
    ("legal", "", "list the legal moves"),
    ("move", "[MOVE]", "play MOVE, or let the computer play one move"),
    ("new", "", "start again"),
    ("nodes", "[NUMBER|off]", "show or limit how many positions the computer looks at"),
    ("opening", "[MOVE]", "let the computer play MOVE here without thinking; without MOVE list such moves"),
    (
        "option",
        "NAME=VALUE",
        "set an option of the search, such as `engine=mcts` or `tt=off`; `tt=default` takes it back",
    ),
    ("play", "[white|black|both|off]", "say which side the computer plays; without argument the one to move"),
    ("ponder", "[on|off]", "show or say whether the computer thinks while you do"),
    ("pv", "", "show the line the computer expected when it last thought"),
    ("quit", "", "leave (or Ctrl-D)"),
    ("random", "", "play a random move"),
    ("read", "[FILE]", "read a position from FILE; without it from the rest of the line after `<`"),
    ("reset", "", "forget what the computer learned by thinking"),
    ("selfplay", "", "let the computer play both sides to the end; Ctrl-C stops it"),
    ("shell", "COMMAND", "run COMMAND in the system's shell"),
    ("statistics", "", "show what was counted when the computer last thought"),
    ("time", "[TIME|off]", "show or limit how long the computer thinks about a move: seconds, or `500ms`"),
    ("undo", "", "take back your last move, and the computer's answer"),
    (
        "verbose",
        "[LEVEL]",
        "show or set how much is said: 0 moves, 1 also the board, 2 also how the computer thinks",
    ),
    ("write", "[FILE]", "write the position, to FILE"),
];

impl<G: Game> Shell<'_, G> {
    /// Executes one line: a command or a move, with its redirections.
    pub fn execute(&mut self, line: &str, out: &mut dyn Write) -> anyhow::Result<After> {
        let parts = self.parts(line)?;
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

    /// A line taken apart. Where moves are named with `<` or `>`, the name of a legal move is no redirection.
    fn parts<'t>(&self, line: &'t str) -> anyhow::Result<redirect::Parts<'t>> {
        let split = redirect::split(line).map_err(anyhow::Error::msg);
        if split.as_ref().is_ok_and(|parts| parts.output.is_none() && parts.input.is_none()) {
            return split;
        }
        let line = line.trim();
        let text = ["move ", "opening "].iter().find_map(|word| line.strip_prefix(word)).unwrap_or(line);
        let is_move = match notation::find(self.game(), self.line.position(), text.trim()) {
            Ok(_) | Err(MoveTextError::Ambiguous { .. }) => true,
            Err(_) => false,
        };
        if is_move { Ok(redirect::Parts { command: line, ..redirect::Parts::default() }) } else { split }
    }

    fn command(&mut self, word: &str, rest: &str, line: &str, out: &mut dyn Write) -> anyhow::Result<After> {
        match word {
            "quit" | "exit" => return Ok(After::Quit),
            "board" => self.show(out)?,
            "clock" => self.clock(rest, out)?,
            "configuration" => self.configuration(out)?,
            "depth" => self.depth(rest, out)?,
            "echo" => writeln!(out, "{rest}")?,
            "evaluate" => self.evaluate(out)?,
            "execute" => return self.execute_file(rest, out),
            "help" | "?" => help(rest, out)?,
            "hint" => self.hint(out)?,
            "increment" => self.increment(rest, out)?,
            "legal" => self.legal(out)?,
            "move" if rest.is_empty() => self.computer_move(out)?,
            "move" => self.user_move(rest, out)?,
            "new" => self.start(self.line.positions()[0].clone(), out)?,
            "nodes" => self.nodes(rest, out)?,
            "opening" => self.opening(rest, out)?,
            "option" => self.option(rest, out)?,
            "play" => self.play_side(rest, out)?,
            "ponder" => self.ponder(rest, out)?,
            "pv" => self.pv(out)?,
            "random" => self.random_move(out)?,
            "read" => self.read(rest, out)?,
            "reset" => self.reset(),
            "selfplay" => self.selfplay(out)?,
            "shell" => system_shell(rest, out)?,
            "statistics" => self.statistics(out)?,
            "time" => self.time(rest, out)?,
            "undo" => self.undo(out)?,
            "verbose" => self.verbose(rest, out)?,
            "write" => self.write(rest, out)?,
            _ => self.user_move(line, out)?,
        }
        Ok(After::Continue)
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
        let text = read_text(file, MOST_TEXT).with_context(|| format!("cannot read `{file}`"))?;
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

    /// Lists what may be played: moves that repeat a position where that is forbidden may not.
    fn legal(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let legal = self.legal_moves()?;
        let named = notation::names(self.game(), self.line.position());
        let named = named?;
        let mut names: Vec<String> =
            named.into_iter().filter(|named| legal.contains(&named.mv)).map(|named| named.name).collect();
        names.sort();
        for name in names {
            writeln!(out, "{name}")?;
        }
        self.show_status(out)
    }

    /// The move that a text names; it must be allowed here.
    pub(super) fn find(&self, text: &str) -> anyhow::Result<G::Move> {
        let mv = match notation::find(self.game(), self.line.position(), text) {
            Ok(mv) => mv,
            Err(notation::MoveTextError::Rules(error)) => return Err(error.into()),
            Err(notation::MoveTextError::Unknown(text)) => {
                bail!(
                    "`{text}` is neither a command nor a legal move here; `legal` lists the moves, `help` \
                     the commands"
                )
            }
            Err(error) => return Err(error.into()),
        };
        if !self.legal_moves()?.contains(&mv) {
            bail!("`{text}` would repeat an earlier position, which these rules forbid");
        }
        Ok(mv)
    }

    pub(super) fn legal_moves(&self) -> anyhow::Result<Vec<G::Move>> {
        let mut legal = Vec::new();
        self.line.legal_moves(&mut legal)?;
        Ok(legal)
    }

    fn user_move(&mut self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.outcome()?.is_some() {
            bail!("the game is over; `undo` or `new`");
        }
        let mv = self.find(text)?;
        self.play(&mv, out)?;
        self.let_computer_play(out)
    }

    fn random_move(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.outcome()?.is_some() {
            bail!("the game is over; `undo` or `new`");
        }
        let mut moves = self.legal_moves()?;
        let mv = moves.swap_remove(self.random.below(moves.len()));
        self.play(&mv, out)?;
        self.let_computer_play(out)
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
            other => bail!("`{other}` is not a side: `play white`, `play black`, `play both` or `play off`"),
        }
        self.let_computer_play(out)
    }

    fn read(&mut self, file: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        if file.is_empty() {
            bail!("`read` needs a file that holds a position, such as `write` makes");
        }
        let text = read_text(file, MOST_POSITION).with_context(|| format!("cannot read `{file}`"))?;
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

    fn undo(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        if !self.line.undo() {
            bail!("there is no move to take back");
        }
        let mut undone = 1;
        let decides = |shell: &Self| {
            let thrown = shell.game().is_chance(shell.line.position());
            !thrown && (shell.computer == [true, true] || !shell.computer[shell.side().index()])
        };
        while !decides(self) && self.line.undo() {
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
            Ok(level @ 0..=2) => self.verbosity = level,
            _ => bail!("`{level}` is not a level: 0, 1 or 2"),
        }
        Ok(())
    }

    fn write(&self, file: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        let text = position_text(self.game().description(), &self.game().diagram(self.line.position()));
        if file.is_empty() {
            writeln!(out, "{text}")?;
            return Ok(());
        }
        Ok(multigame_files::write(Path::new(file), (text + "\n").as_bytes())?)
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
