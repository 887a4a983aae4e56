//! The commands that have to do with how the computer thinks.

use std::io::{IsTerminal, Write};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use multigame_game::{Game, notation};
use multigame_player::{
    Limits, Origin, Progress, Thought, explain, iteration_text, line_names, live_text, parse_clock,
    parse_time, speed, value_text,
};
use multigame_progress::Progress as Display;
use multigame_search::Root;

use crate::Shell;

/// Lines are shown up to this length.
const LONGEST_LINE: usize = 16;
/// Deep searches need more than threads usually have.
const PONDER_STACK: usize = 64 << 20;

impl<G: Game> Shell<'_, G> {
    /// Lets the computer think about the position, with a sign of life on a terminal.
    fn think(&mut self, out: &mut dyn Write) -> anyhow::Result<Thought<G::Move>> {
        if self.outcome()?.is_some() {
            bail!("the game is over; `undo` or `new`");
        }
        let (game, position) = (self.game(), self.line.position());
        let mut news = (std::io::stdin().is_terminal() && multigame_progress::is_live()).then(Display::news);
        let tells = self.verbosity > 1;
        let (mut value, mut line) = (String::from("?"), String::new());
        let mut report = |progress: &Progress<'_, G::Move>| {
            if progress.finished && (news.is_some() || tells) {
                let names = line_names(game, position, progress.pv, LONGEST_LINE).unwrap_or_default();
                (value, line) = (value_text(progress.bounds, progress.proved), notation::listed(&names));
                if tells {
                    let mut tell = || drop(writeln!(out, "{}", iteration_text(progress, &names)));
                    match &news {
                        Some(news) => news.aside(tell),
                        None => tell(),
                    }
                }
            }
            if let Some(news) = &mut news {
                news.say(&live_text(progress, &value, &line));
            }
        };
        let _thinking = self.manner.interrupt.thinking();
        let thought = self.player.think(&self.line, &mut report)?;
        self.thought = Some((self.line.position().clone(), thought.clone()));
        Ok(thought)
    }

    /// The move that came of thinking; a puzzle may not have been solved.
    fn chosen(&mut self, out: &mut dyn Write) -> anyhow::Result<G::Move> {
        let thought = self.think(out)?;
        if let Some(mv) = thought.best {
            return Ok(mv);
        }
        match thought.proved.bounds().upper.plies() {
            _ if thought.proved.is_loss() => bail!("there is no solution from here; `undo` or `new`"),
            Some(moves) => {
                bail!("no solution found; it takes at least {moves} moves. Give more `time`, or other limits")
            }
            None => bail!("no solution found; give more `time`, or other limits"),
        }
    }

    pub(super) fn hint(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mv = self.chosen(out)?;
        let name = notation::name_of(self.game(), self.line.position(), &mv);
        writeln!(out, "{}", name?)?;
        Ok(())
    }

    pub(super) fn computer_move(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let side = self.side();
        let mv = self.chosen(out)?;
        if let (Some(clock), Some((_, thought))) = (&mut self.player.limits.clock, &self.thought) {
            clock.moved(side, thought.time);
        }
        self.play(&mv, out)
    }

    pub(super) fn selfplay(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        // Puzzles and games without a rule against it may go on for ever.
        for _ in 0..10_000 {
            if self.outcome()?.is_some() {
                return Ok(());
            }
            self.computer_move(out)?;
            if self.manner.interrupt.take() {
                writeln!(out, "stopped")?;
                return Ok(());
            }
        }
        writeln!(out, "stopped after 10000 moves")?;
        Ok(())
    }

    pub(super) fn configuration(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let description = self.game().description();
        let board = &description.board;
        writeln!(out, "game      {}", description.name)?;
        writeln!(out, "board     {} x {}, {} fields", board.columns(), board.rows(), board.fields().count())?;
        writeln!(out, "pieces    {}", description.pieces.len() - 1)?;
        for (side, computer) in ["white", "black"].iter().zip(self.computer).take(description.players.into())
        {
            writeln!(out, "{side}     {}", if computer { "the computer" } else { "you" })?;
        }
        writeln!(out, "limits    {}", limits_text(&self.player.limits))?;
        writeln!(out, "book      {} positions", self.player.book.positions())?;
        let options = self.player.configuration().values().map(|(name, value)| format!("{name}={value}"));
        writeln!(out, "options   {}", options.collect::<Vec<_>>().join(" "))?;
        Ok(())
    }

    pub(super) fn option(&mut self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        if text.is_empty() {
            for (name, value) in self.player.configuration().values() {
                writeln!(out, "{name}={value}")?;
            }
            return Ok(());
        }
        self.player.change_options(text)
    }

    pub(super) fn increment(&mut self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        if text.is_empty() {
            writeln!(out, "increment {}", self.player.options().deepening)?;
            return Ok(());
        }
        self.player.change_options(&format!("deepening={text}"))
    }

    pub(super) fn ponder(&mut self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        match text {
            "" => writeln!(out, "ponder {}", if self.pondering { "on" } else { "off" })?,
            "on" => self.pondering = true,
            "off" => self.pondering = false,
            other => bail!("`{other}` is neither `on` nor `off`"),
        }
        Ok(())
    }

    /// Does something that waits for the user, and thinks meanwhile if it is wanted and it is the user's
    /// turn.
    pub(super) fn while_pondering<T>(&self, wait: impl FnOnce() -> T) -> T {
        let opponent = self.side().opponent();
        if !self.pondering || !self.computer[opponent.index()] || !matches!(self.outcome(), Ok(None)) {
            return wait();
        }
        let (root, stop) = (Root::of_line(&self.line), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(PONDER_STACK);
            // Without a thread there is no pondering, and nothing else is lost.
            let _thread = thread.spawn_scoped(scope, || self.player.ponder(&root, &stop));
            let waited = wait();
            stop.store(true, Ordering::Relaxed);
            waited
        })
    }

    pub(super) fn reset(&mut self) {
        self.player.forget();
        self.thought = None;
    }

    pub(super) fn time(&mut self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        let time = match text {
            "" => return self.show_limits(out),
            "off" => None,
            text => Some(parse_time(text).map_err(anyhow::Error::msg)?),
        };
        self.player.limits = Limits { time, ..self.player.limits }.or_usual();
        self.show_limits(out)
    }

    pub(super) fn clock(&mut self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        let clock = match text {
            "" => return self.show_limits(out),
            "off" => None,
            text => Some(parse_clock(text).map_err(anyhow::Error::msg)?),
        };
        // A clock replaces the usual time for a move.
        let time =
            self.player.limits.time.filter(|&time| clock.is_none() || Some(time) != Limits::usual().time);
        self.player.limits = Limits { clock, time, ..self.player.limits }.or_usual();
        self.show_limits(out)
    }

    pub(super) fn depth(&mut self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        let Some(depth) = number(text, "a number of plies")? else { return self.show_limits(out) };
        self.player.limits = Limits { depth, ..self.player.limits }.or_usual();
        self.show_limits(out)
    }

    pub(super) fn nodes(&mut self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        let Some(nodes) = number(text, "a number of positions")? else { return self.show_limits(out) };
        self.player.limits = Limits { nodes, ..self.player.limits }.or_usual();
        self.show_limits(out)
    }

    fn show_limits(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "limits {}", limits_text(&self.player.limits))?;
        Ok(())
    }

    pub(super) fn pv(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Some((position, thought)) = &self.thought else {
            bail!("nothing has been thought about yet; try `hint`")
        };
        let names = line_names(self.game(), position, &thought.pv, usize::MAX)?;
        match thought.origin {
            Origin::Book => writeln!(out, "{} (from the book)", notation::listed(&names))?,
            Origin::Chance => writeln!(out, "{} (thrown)", notation::listed(&names))?,
            Origin::Only => writeln!(out, "{} (the only move)", notation::listed(&names))?,
            Origin::Solution => {
                writeln!(out, "{} (from the solution found before)", notation::listed(&names))?
            }
            Origin::Search => writeln!(
                out,
                "depth {}, value {}: {}",
                thought.depth,
                value_text(thought.bounds, thought.proved),
                notation::listed(&names)
            )?,
        }
        Ok(())
    }

    pub(super) fn statistics(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Some((_, thought)) = &self.thought else {
            bail!("nothing has been thought about yet; try `hint`")
        };
        writeln!(out, "engine                {}", thought.engine)?;
        writeln!(out, "time                  {:.3} s", thought.time.as_secs_f64())?;
        writeln!(out, "speed                 {}", speed(thought.statistics.nodes, thought.time))?;
        for (name, count) in thought.statistics.entries().filter(|&(_, count)| count > 0) {
            writeln!(out, "{:<21} {count}", name.replace('_', " "))?;
        }
        if let Some(rate) = thought.statistics.first_move_rate() {
            writeln!(out, "cut by the first move {:.1} %", 100.0 * rate)?;
        }
        Ok(())
    }

    pub(super) fn evaluate(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let explained = explain(self.game(), self.line.position(), self.player.evaluator())?;
        write!(out, "{}", explained.text())?;
        Ok(())
    }

    pub(super) fn opening(&mut self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        let (game, position) = (self.game(), self.line.position());
        if !text.is_empty() {
            let mv = self.find(text)?;
            if !self.player.book.add(game, position, &mv)? {
                writeln!(out, "it is in the book already")?;
            }
            return Ok(());
        }
        for mv in self.player.book.moves(game, game.signature(position), &self.legal_moves()?) {
            let name = notation::name_of(game, position, &mv);
            writeln!(out, "{}", name?)?;
        }
        Ok(())
    }
}

/// A limit: nothing where it is only asked for, `off`, or a number from 1 on.
fn number<T: FromStr + PartialEq + Default>(text: &str, what: &str) -> anyhow::Result<Option<Option<T>>> {
    match text {
        "" => Ok(None),
        "off" => Ok(Some(None)),
        _ => match text.parse().ok().filter(|number| *number != T::default()) {
            Some(number) => Ok(Some(Some(number))),
            None => bail!("`{text}` is not {what}; write a number from 1 on, or `off`"),
        },
    }
}

fn limits_text(limits: &Limits) -> String {
    let mut texts = Vec::new();
    if let Some(depth) = limits.depth {
        texts.push(format!("depth {depth}"));
    }
    if let Some(nodes) = limits.nodes {
        texts.push(format!("nodes {nodes}"));
    }
    if let Some(time) = limits.time {
        texts.push(format!("time {} s a move", time.as_secs_f64()));
    }
    if let Some(clock) = limits.clock {
        let [white, black] = clock.left.map(|time| time.as_secs_f64());
        let increment = clock.increment.as_secs_f64();
        texts.push(format!(
            "clock {white:.1} s for white, {black:.1} s for black, {increment} s added a move"
        ));
    }
    texts.join(", ")
}
