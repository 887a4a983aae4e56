//! The conversation: a state machine between what is heard, what the search tells, and what is to be done.

use std::collections::VecDeque;
use std::time::Duration;

use multigame_game::{Game, Line, parse_position};
use multigame_input::LONGEST_LINE;
use multigame_player::{Clock, Limits};

use crate::{Command, Go, Place, Settings, find_move};

/// A search without any other limit ends when it is told to.
const FOR_EVER: Duration = Duration::from_secs(10_000_000);

/// Something to do.
#[derive(Debug)]
pub enum Action<'g, G: Game> {
    /// Say this line.
    Say(String),
    /// Play by these settings from now on.
    Configure(Settings),
    /// Do what takes a while, then say `readyok`.
    GetReady,
    /// Forget everything learned.
    Forget,
    /// Search.
    Think(Box<Job<'g, G>>),
    /// End the search.
    Stop,
    /// The clock of the search begins to run.
    Release,
    /// The conversation is over.
    Quit,
}

/// A search to be done.
#[derive(Debug)]
pub struct Job<'g, G: Game> {
    /// The game so far.
    pub line: Line<'g, G>,
    /// When to end.
    pub limits: Limits,
    /// The only moves to look at; all if there are none here.
    pub only: Vec<G::Move>,
    /// The opponent's clock runs: time does not count until [`Action::Release`].
    pub waiting: bool,
    /// Whether lines are numbered.
    pub several: bool,
    /// Whether the game is to be won within the depth: then no move may be left out.
    pub mate: bool,
}

/// What came of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The move to play; none if the game is over.
    pub best: Option<String>,
    /// The answer expected.
    pub answer: Option<String>,
}

/// Whether somebody is thinking.
#[derive(Debug, PartialEq, Eq)]
enum State {
    Idle,
    /// `held` until the other side says `stop` or `ponderhit`, even if the search has come to its end.
    Thinking {
        held: bool,
        told: Option<Told>,
    },
}

/// The player's side of the conversation.
#[derive(Debug)]
pub struct Protocol<'g, G: Game> {
    game: &'g G,
    settings: Settings,
    line: Line<'g, G>,
    /// What `line` was made from: positions come as the whole game again and again.
    place: Place,
    played: Vec<String>,
    state: State,
    /// What was heard while somebody was thinking and has to wait.
    later: VecDeque<Command>,
    leaving: bool,
}

impl<'g, G: Game> Protocol<'g, G> {
    /// A conversation about a game.
    pub fn new(game: &'g G, settings: Settings) -> Protocol<'g, G> {
        Protocol {
            game,
            settings,
            line: Line::new(game, game.initial()),
            place: Place::Start,
            played: Vec::new(),
            state: State::Idle,
            later: VecDeque::new(),
            leaving: false,
        }
    }

    /// The game so far.
    pub fn line(&self) -> &Line<'g, G> {
        &self.line
    }

    /// A line was heard.
    pub fn hear(&mut self, text: &str) -> Vec<Action<'g, G>> {
        match Command::parse(text) {
            Ok(Some(command)) => self.obey(command),
            Ok(None) => Vec::new(),
            Err(message) => vec![complaint(&message)],
        }
    }

    /// A line was heard that is too long for a command.
    pub fn heard_too_much(&self) -> Vec<Action<'g, G>> {
        vec![complaint(&format!("a line has more than {LONGEST_LINE} bytes and is left out"))]
    }

    /// The other side has left without a word. Searches that end by themselves may still tell their results.
    pub fn hung_up(&mut self) -> Vec<Action<'g, G>> {
        self.leaving = true;
        self.leave()
    }

    /// Nobody will say `stop` any more.
    fn leave(&mut self) -> Vec<Action<'g, G>> {
        match &mut self.state {
            State::Idle => vec![Action::Quit],
            State::Thinking { held: false, .. } => Vec::new(),
            State::Thinking { .. } => self.release(true),
        }
    }

    /// The search has come to its end.
    pub fn finished(&mut self, result: Told) -> Vec<Action<'g, G>> {
        match &mut self.state {
            State::Thinking { held: true, told } => {
                *told = Some(result);
                Vec::new()
            }
            _ => self.tell(&result),
        }
    }

    fn tell(&mut self, told: &Told) -> Vec<Action<'g, G>> {
        self.state = State::Idle;
        let best = told.best.as_deref().unwrap_or("(none)");
        let answer = told.answer.as_ref().map_or(String::new(), |answer| format!(" ponder {answer}"));
        let mut actions = vec![Action::Say(format!("bestmove {best}{answer}"))];
        let mut later = std::mem::take(&mut self.later);
        while let Some(command) = later.pop_front_if(|next| self.state == State::Idle || next.is_of_search())
        {
            actions.extend(self.obey(command));
        }
        self.later = later;
        if self.leaving {
            actions.extend(self.leave());
        }
        actions
    }

    fn obey(&mut self, command: Command) -> Vec<Action<'g, G>> {
        let thinking = self.state != State::Idle;
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady if thinking => vec![Action::Say("readyok".to_string())],
            // It is meant for a search that has not begun yet.
            command if thinking && command.is_of_search() && !self.later.is_empty() => {
                self.later.push_back(command);
                Vec::new()
            }
            Command::Stop if thinking => self.release(true),
            Command::PonderHit if thinking => self.release(false),
            Command::Quit => vec![Action::Stop, Action::Quit],
            Command::Nothing | Command::Stop | Command::PonderHit => Vec::new(),
            command if thinking => {
                // Impatient programs do not wait for `bestmove`.
                self.later.push_back(command);
                self.release(true)
            }
            Command::IsReady => vec![Action::GetReady],
            Command::NewGame => vec![Action::Forget],
            Command::SetOption { name, .. } if name.eq_ignore_ascii_case("clear hash") => {
                vec![Action::Forget]
            }
            Command::SetOption { name, value } => match self.settings.set(&name, &value) {
                Ok(()) => vec![Action::Configure(self.settings.clone())],
                Err(message) => vec![complaint(&message)],
            },
            Command::Position { place, moves } => match self.set_position(place, moves) {
                Ok(()) => Vec::new(),
                Err(message) => vec![complaint(&message)],
            },
            Command::Go(go) => self.go(&go),
        }
    }

    fn introduce(&self) -> Vec<Action<'g, G>> {
        let name = &self.game.description().name;
        let mut lines = vec![
            format!("id name Multigame {} ({name})", env!("CARGO_PKG_VERSION")),
            "id author the Multigame developers".to_string(),
        ];
        lines.extend(self.settings.declarations());
        lines.push("uciok".to_string());
        lines.into_iter().map(Action::Say).collect()
    }

    /// The search is no longer held back; `stop` ends it as well.
    fn release(&mut self, stop: bool) -> Vec<Action<'g, G>> {
        let State::Thinking { held, told } = &mut self.state else { return Vec::new() };
        *held = false;
        if let Some(told) = told.take() {
            return self.tell(&told);
        }
        vec![if stop { Action::Stop } else { Action::Release }]
    }

    fn set_position(&mut self, place: Place, moves: Vec<String>) -> Result<(), String> {
        let mut line = self.line.clone();
        let known = if place == self.place {
            self.played.iter().zip(&moves).take_while(|(old, new)| old == new).count()
        } else {
            line = Line::new(self.game, self.start(&place)?);
            0
        };
        while line.moves().len() > known {
            line.undo();
        }
        for text in &moves[known..] {
            let mv = find_move(self.game, line.position(), text).map_err(|error| error.to_string())?;
            line.play(&mv);
        }
        (self.line, self.place, self.played) = (line, place, moves);
        Ok(())
    }

    fn start(&self, place: &Place) -> Result<G::Position, String> {
        match place {
            Place::Start => Ok(self.game.initial()),
            Place::Text(text) => {
                let diagram = parse_position(self.game.description(), text);
                Ok(self.game.position(&diagram.map_err(|error| format!("the position is wrong: {error}"))?))
            }
        }
    }

    fn go(&mut self, go: &Go) -> Vec<Action<'g, G>> {
        let mut only = Vec::new();
        for text in &go.search_moves {
            match find_move(self.game, self.line.position(), text) {
                Ok(mv) => only.push(mv),
                Err(error) => return vec![complaint(&error.to_string()), nothing()],
            }
        }
        let limits = self.limits(go);
        let held = go.ponder || limits.time == Some(FOR_EVER);
        self.state = State::Thinking { held, told: None };
        let several = self.settings.lines > 1;
        let (waiting, mate) = (go.ponder, go.mate.is_some());
        let job = Job { line: self.line.clone(), limits, only, waiting, several, mate };
        vec![Action::Think(Box::new(job))]
    }

    fn limits(&self, go: &Go) -> Limits {
        let side = self.game.side_to_move(self.line.position()).index();
        let clock = go.time[side].map(|left| {
            let mut clock = Clock::new(left, go.increment[side]);
            clock.moves_to_go = go.moves_to_go;
            clock
        });
        let moves = |moves: u32| if self.game.description().players == 2 { 2 * moves - 1 } else { moves };
        let mate = go.mate.map(|mate| moves(mate.min(1 << 20)));
        let depth = go.depth.into_iter().chain(mate).min();
        let mut limits = Limits { depth, nodes: go.nodes, time: go.move_time, clock };
        if go.infinite || limits == Limits::default() {
            limits = Limits { time: Some(FOR_EVER), ..Limits::default() };
        }
        limits
    }
}

fn complaint<'g, G: Game>(message: &str) -> Action<'g, G> {
    Action::Say(format!("info string {}", message.replace('\n', " ")))
}

fn nothing<'g, G: Game>() -> Action<'g, G> {
    Action::Say("bestmove (none)".to_string())
}
