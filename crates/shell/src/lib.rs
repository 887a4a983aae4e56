//! The shell: type moves, let the computer play, look around.
//!
//! Commands are those of the original Multigame's user interface. A line that is not a command is taken for a
//! move. Each command writes to one sink, so that `legal > file` works for all of them.

#![allow(clippy::disallowed_methods, reason = "a front end does input and output")]

mod commands;
mod prompt;
mod redirect;
mod thinking;

use std::io::{IsTerminal, Write};

use anyhow::anyhow;
use multigame_game::{DrawStyle, Game, Line, Outcome, Random, Side, Status, draw, notation};
use multigame_input::{Heard, LONGEST_LINE};
use multigame_player::{Interrupt, Player, Thought, outcome_text};
use prompt::Prompt;

/// A game in progress and who plays it.
pub struct Shell<'l, G: Game> {
    game: &'l G,
    manner: Manner<'l>,
    line: Line<'l, G>,
    /// For White and Black: whether the computer plays them.
    computer: [bool; 2],
    random: Random,
    /// Who thinks for the computer.
    player: Player<'l, G>,
    /// What came of thinking last, and about which position.
    thought: Option<(G::Position, Thought<G::Move>)>,
    /// Whether the computer thinks while the user does.
    pondering: bool,
    /// How much is said: 0 only what was asked for, 1 the board after each move, 2 how the computer thinks.
    verbosity: u32,
    /// Files that are being executed, to stop one that executes itself.
    executing: usize,
}

/// How the shell looks.
pub struct Manner<'l> {
    /// How boards are drawn.
    pub draw: DrawStyle,
    /// Says when the user wants a search to stop.
    pub interrupt: &'l Interrupt,
    /// Tells what is wrong with a line that was typed.
    pub report: &'l (dyn Fn(anyhow::Error) + Sync),
}

/// Whether the shell goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Read the next line.
    Continue,
    /// The user is done.
    Quit,
}

impl<'l, G: Game> Shell<'l, G> {
    /// A shell for a game that starts from a position; nobody's side is played by the computer.
    pub fn new(
        game: &'l G,
        start: G::Position,
        mut player: Player<'l, G>,
        seed: u64,
        manner: Manner<'l>,
    ) -> Shell<'l, G> {
        player.set_seed(seed);
        Shell {
            game,
            manner,
            line: Line::new(game, start),
            computer: [false, false],
            random: Random::new(seed),
            player,
            thought: None,
            pondering: false,
            verbosity: 1,
            executing: 0,
        }
    }

    /// Says which sides the computer plays.
    pub fn set_computer(&mut self, white: bool, black: bool) {
        self.computer = [white, black];
    }

    /// The computer plays the side that is not to move; a puzzle is the user's alone.
    pub fn computer_answers(&mut self) {
        if self.game().description().players == 2 {
            let side = self.game().side_to_move(self.line.position()).opponent();
            self.computer[side.index()] = true;
        }
    }

    fn game(&self) -> &'l G {
        self.game
    }

    fn side(&self) -> Side {
        self.game().side_to_move(self.line.position())
    }

    fn status(&self) -> anyhow::Result<Status> {
        Ok(self.line.status()?)
    }

    /// The outcome of a game that is over.
    fn outcome(&self) -> anyhow::Result<Option<Outcome>> {
        Ok(self.status()?.outcome())
    }

    fn show(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let diagram = self.game().diagram(self.line.position());
        write!(out, "{}", draw(self.game().description(), &diagram, self.manner.draw))?;
        self.show_status(out)
    }

    fn show_status(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let description = self.game().description();
        match self.status()? {
            Status::Playing => {}
            Status::Over(outcome) => writeln!(out, "game over: {}", outcome_text(description, outcome))?,
            Status::Repeated(outcome) => {
                writeln!(out, "game over: {} by repetition", outcome_text(description, outcome))?;
            }
        }
        Ok(())
    }

    /// Plays a move that is known to be legal and says so.
    fn play(&mut self, mv: &G::Move, out: &mut dyn Write) -> anyhow::Result<()> {
        let name = notation::name_of(self.game(), self.line.position(), mv)?;
        let who = match self.game().description().players {
            _ if self.game().is_chance(self.line.position()) => "chance: ".to_string(),
            1 => String::new(),
            _ => format!("{}: ", self.side()),
        };
        self.line.play(mv);
        writeln!(out, "{who}{name}")?;
        if self.verbosity > 0 { self.show(out) } else { self.show_status(out) }
    }

    /// Lets the computer move as long as it is its turn.
    fn let_computer_play(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        loop {
            let thrown = self.game().is_chance(self.line.position());
            if !thrown && !self.computer[self.side().index()] || self.outcome()?.is_some() {
                break;
            }
            self.computer_move(out)?;
            // Where the computer plays both sides, somebody has to be able to stop it.
            if self.manner.interrupt.take() && self.computer == [true, true] {
                self.computer = [false, false];
                writeln!(out, "stopped; `play both` goes on")?;
            }
        }
        Ok(())
    }
}

/// Reads commands from standard input until the user is done.
pub fn interact<G: Game>(shell: &mut Shell<'_, G>) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    let terminal = std::io::stdin().is_terminal();
    if terminal {
        let name = &shell.game().description().name;
        writeln!(
            out,
            "Multigame: {name}. Type a move such as one of `legal`, `help` for help, `quit` to leave."
        )?;
    }
    shell.show(&mut out)?;
    shell.let_computer_play(&mut out)?;
    let mut prompt = Prompt::new(&shell.game().description().name)?;
    while let Some(heard) = shell.while_pondering(|| prompt.line())? {
        let after = match heard {
            Heard::Line(line) => shell.execute(&line, &mut out),
            Heard::TooLong => Err(anyhow!("a line has more than {LONGEST_LINE} bytes and is left out")),
        };
        match after {
            Ok(After::Continue) => {}
            Ok(After::Quit) => return Ok(()),
            // A wrong line loses nothing: say what is wrong and go on.
            Err(error) => (shell.manner.report)(error),
        }
    }
    Ok(())
}
