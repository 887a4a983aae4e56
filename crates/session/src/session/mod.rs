//! One game being played, whatever type of game plays it.
//!
//! A session lives on a thread of its own and works through its [`Mailbox`]: requests are answered one after
//! the other, events are told on the way. [`Hosted`] hides the type of the game.

mod clock;
mod endgame;
mod garden;
pub mod gestures;
mod simulate;
pub mod state;
mod think;
mod tree;

use std::hash::{BuildHasher, RandomState};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use multigame_endgame::Endgames;
use multigame_game::notation::{self, MoveTextError};
use multigame_game::{
    Field, Game, Line, Outcome, Portable, Random, Side, Signature, chance, parse_position, position_text,
};
use multigame_ir::RulesGame;
use multigame_player::Player;
use multigame_player::ranks::{EvaluatorSpec, OtherRanks, Ranks, Rulebook, Turn};
use rustc_hash::FxHashMap;

use crate::describe::side_name;
use crate::failure::Failure;
use crate::protocol::{Answer, Event, Mailbox, Opening, Reply, Request};
use clock::Clocks;
use gestures::{Candidate, MoveInfo};
use state::{Played, State};
use tree::Tree;

/// Where more moves are legal, the interpreter takes too long to tell how each is made.
const MOST_TRACED: usize = 500;
/// Moves of positions that the search talks about; more are not remembered.
const MOST_KNOWN: usize = 20_000;

/// No list of moves is longer.
const MOST_MOVES: usize = 10_000;

/// Told whether a session could begin.
pub type Opened = Box<dyn FnOnce(Result<(), Failure>) + Send>;

/// A faster way to play the same game, once there is one.
pub type Next = OnceLock<Arc<dyn Hosted>>;

/// A session that has begun, for those who ask it themselves.
pub trait Ongoing {
    /// Does what is asked for and answers.
    fn handle(&mut self, request: &Request) -> Reply;
}

impl<G: Portable> Ongoing for Session<'_, G> {
    fn handle(&mut self, request: &Request) -> Reply {
        Session::handle(self, request)
    }
}

/// A game that sessions can be opened for.
pub trait Hosted: Send + Sync {
    /// Begins a session that its owner asks; events and stops go through the mailbox.
    fn begin<'s>(&'s self, opening: &Opening, mailbox: &'s Mailbox)
    -> Result<Box<dyn Ongoing + 's>, Failure>;

    /// Works through a mailbox until nobody can write to it any more, or until there is something to do and a
    /// faster way to do it: then the session moves there.
    fn serve(&self, start: Start<'_>, mailbox: &Mailbox, next: Option<&Next>) -> Option<Box<Luggage>>;
}

/// How a session comes to a game.
pub enum Start<'s> {
    /// It begins.
    Open(&'s Opening, Opened),
    /// It comes from a slower way to play the same game.
    Move(Box<Luggage>),
}

/// What a session takes with it when it moves.
pub struct Luggage {
    start: String,
    names: Vec<String>,
    ply: usize,
    played: Vec<Played>,
    clocks: Option<Clocks>,
    version: u64,
    dice: Random,
    table_mib: usize,
    /// What it was about to do.
    request: (Request, Answer),
}

/// Runs a session from its opening to its end, faster as soon as that is possible.
pub fn run(first: &dyn Hosted, next: &Next, opening: &Opening, mailbox: &Mailbox, opened: Opened) {
    let luggage = first.serve(Start::Open(opening, opened), mailbox, Some(next));
    if let (Some(luggage), Some(next)) = (luggage, next.get()) {
        next.serve(Start::Move(luggage), mailbox, None);
    }
}

/// A game with its rules in the interpreter, which tells how moves are made.
pub struct HostedGame<G> {
    /// What plays.
    pub game: G,
    /// The same rules.
    pub tracer: RulesGame,
    /// The ranks that search it, too, if there are any.
    pub shared: Option<Shared>,
    /// The values of positions that are known.
    pub endgames: Option<Arc<Endgames>>,
}

/// The ranks of a job, and what they are told to play a game.
#[derive(Debug)]
pub struct Shared {
    /// Where all of them are reached.
    pub ranks: &'static Ranks,
    /// The rules.
    pub book: Arc<Rulebook>,
}

impl<G: Portable + 'static> Hosted for HostedGame<G> {
    fn begin<'s>(
        &'s self,
        opening: &Opening,
        mailbox: &'s Mailbox,
    ) -> Result<Box<dyn Ongoing + 's>, Failure> {
        let mut session = Session::new(self, mailbox, opening.table_mib);
        session.open(opening)?;
        Ok(Box::new(session))
    }

    fn serve(&self, start: Start<'_>, mailbox: &Mailbox, next: Option<&Next>) -> Option<Box<Luggage>> {
        let mut session = match start {
            Start::Open(opening, opened) => {
                let mut session = Session::new(self, mailbox, opening.table_mib);
                let result = session.open(opening);
                let failed = result.is_err();
                opened(result);
                if failed {
                    return None;
                }
                session
            }
            Start::Move(luggage) => {
                let mut session = Session::new(self, mailbox, luggage.table_mib);
                let (request, answer) = match session.unpack(*luggage) {
                    Ok(request) => request,
                    Err((failure, answer)) => {
                        answer(Err(failure));
                        return None;
                    }
                };
                answer(session.handle(&request));
                session
            }
        };
        while let Ok((request, answer)) = mailbox.requests.recv() {
            if !request.only_reads() && next.is_some_and(|next| next.get().is_some()) {
                return Some(Box::new(session.pack((request, answer))));
            }
            answer(session.handle(&request));
        }
        None
    }
}

/// A legal move with what clients are told about it.
struct Legal<M> {
    mv: M,
    info: MoveInfo,
}

/// How the game stands.
enum Status<M> {
    Playing(Rc<Vec<Legal<M>>>),
    Over(Outcome, &'static str),
}

/// A game being played.
struct Session<'s, G: Game> {
    game: &'s G,
    tracer: &'s RulesGame,
    shared: Option<&'s Shared>,
    endgames: Option<&'s Arc<Endgames>>,
    mailbox: &'s Mailbox,
    line: Line<'s, G>,
    status: Status<G::Move>,
    /// What databases know about the position.
    endgame: Option<serde_json::Value>,
    /// Where the game began, as text.
    start: String,
    /// All moves with those taken back.
    moves: Vec<G::Move>,
    played: Vec<Played>,
    clocks: Option<Clocks>,
    /// How often the state has changed.
    version: u64,
    /// Since when the player to move thinks.
    since: Instant,
    table_mib: usize,
    player: Option<Player<'s, G>>,
    tree: Option<Tree<G>>,
    /// The moves of positions that the search talks about.
    known: FxHashMap<Signature, Rc<Vec<Legal<G::Move>>>>,
    /// How many these are.
    known_moves: usize,
    /// Throws the dice.
    dice: Random,
}

impl<'s, G: Portable> Session<'s, G> {
    fn new(hosted: &'s HostedGame<G>, mailbox: &'s Mailbox, table_mib: usize) -> Session<'s, G> {
        let HostedGame { game, tracer, shared, endgames } = hosted;
        Session {
            game,
            tracer,
            shared: shared.as_ref(),
            endgames: endgames.as_ref(),
            mailbox,
            line: Line::new(game, game.initial()),
            status: Status::Over(Outcome::Draw, "rules"),
            endgame: None,
            start: String::new(),
            moves: Vec::new(),
            played: Vec::new(),
            clocks: None,
            version: 0,
            since: Instant::now(),
            table_mib,
            player: None,
            tree: None,
            known: FxHashMap::default(),
            known_moves: 0,
            dice: Random::new(0),
        }
    }

    fn open(&mut self, opening: &Opening) -> Result<(), Failure> {
        self.dice = Random::new(opening.seed.unwrap_or_else(|| RandomState::new().hash_one(())));
        self.clocks = opening.clock.map(Clocks::new);
        self.begin(opening.position.as_deref())?;
        for name in &opening.moves {
            self.play(name)?;
        }
        if let (Some(clocks), Some(left)) = (&mut self.clocks, opening.clock.and_then(|clock| clock.left)) {
            clocks.set_left(left);
        }
        self.throw()?;
        self.tell_state();
        Ok(())
    }

    /// Lets nature move where it is its turn.
    fn throw(&mut self) -> Result<(), Failure> {
        while self.game.is_chance(self.line.position()) {
            let Status::Playing(legal) = &self.status else { break };
            let moves: Vec<G::Move> = legal.iter().map(|legal| legal.mv.clone()).collect();
            let thrown = chance::throw(self.game, self.line.position(), &moves, &mut self.dice);
            self.make(&moves[thrown])?;
        }
        Ok(())
    }

    /// Everything that another way to play the same game needs to go on.
    fn pack(self, request: (Request, Answer)) -> Luggage {
        Luggage {
            start: self.start,
            names: self.played.iter().map(|played| played.info.name.clone()).collect(),
            ply: self.line.moves().len(),
            played: self.played,
            clocks: self.clocks,
            version: self.version,
            dice: self.dice.clone(),
            table_mib: self.table_mib,
            request,
        }
    }

    fn unpack(&mut self, luggage: Luggage) -> Result<(Request, Answer), (Failure, Answer)> {
        let Luggage { start, names, ply, played, clocks, version, dice, request, .. } = luggage;
        let (request, answer) = request;
        let again = |session: &mut Self| {
            session.begin(Some(&start))?;
            for name in &names {
                let named = notation::names(session.game, session.line.position())?;
                let mv = named.into_iter().find(|named| named.name == *name).ok_or_else(|| illegal(name))?.mv;
                session.line.play(&mv);
                session.moves.push(mv);
            }
            session.jump(ply)
        };
        if let Err(failure) = again(self) {
            return Err((failure, answer));
        }
        (self.played, self.clocks, self.version, self.dice) = (played, clocks, version, dice);
        Ok((request, answer))
    }

    fn begin(&mut self, position: Option<&str>) -> Result<(), Failure> {
        let description = self.game.description();
        let diagram = match position {
            Some(text) => parse_position(description, text)
                .map_err(|error| Failure::new(422, "position", format!("the position is wrong: {error}")))?,
            None => description.initial.clone(),
        };
        let line = Line::new(self.game, self.game.position(&diagram));
        let before = std::mem::replace(&mut self.line, line);
        if let Err(failure) = self.look() {
            self.line = before;
            return Err(failure);
        }
        self.start = position_text(description, &diagram);
        self.moves.clear();
        self.played.clear();
        Ok(())
    }

    fn handle(&mut self, request: &Request) -> Reply {
        match request {
            Request::State => {}
            Request::Play(name) => {
                self.changed(|session| session.play(name).and_then(|()| session.throw()))?
            }
            Request::Undo(count) => self.changed(|session| session.undo(*count))?,
            Request::Redo(count) => self.changed(|session| session.redo(*count))?,
            Request::Jump(ply) => self.changed(|session| session.jump(*ply))?,
            Request::Reset(position) => {
                self.changed(|session| session.begin(position.as_deref()).and_then(|()| session.throw()))?;
            }
            Request::Think(think) => return self.think(think),
            Request::Evaluate(think) => return self.evaluate(think),
            Request::Simulate(wish) => return self.simulate(wish),
            Request::Tree(grow) => return self.grow(grow),
            Request::Node(number) => return self.node(*number),
        }
        Ok(self.state_text())
    }

    /// Does something to the game and tells everybody.
    fn changed(&mut self, change: impl FnOnce(&mut Self) -> Result<(), Failure>) -> Result<(), Failure> {
        change(self)?;
        self.tell_state();
        Ok(())
    }

    /// The other ranks of the job, if there are any.
    fn others(&self) -> Option<Box<dyn OtherRanks<G> + 's>> {
        let Shared { ranks, book } = self.shared?;
        Some(ranks.others_in_turn(self.game, book, EvaluatorSpec::default()))
    }

    /// Waits until no other session uses the ranks. Searches get their turns before they are asked for, so that
    /// nobody waits here unless a session did not end its search when it should.
    fn turn(&self) -> Option<Turn<'s>> {
        self.shared.map(|shared| shared.ranks.turn())
    }

    fn side(&self) -> Side {
        self.game.side_to_move(self.line.position())
    }

    /// Makes a move that a client has named.
    fn play(&mut self, name: &str) -> Result<(), Failure> {
        let legal = self.legal()?;
        let exact = legal.iter().find(|legal| legal.info.name == name);
        let mv = match exact {
            Some(legal) => legal.mv.clone(),
            None => self.find(name, &legal)?,
        };
        self.make(&mv)
    }

    /// A move by another of its names.
    fn find(&self, name: &str, legal: &[Legal<G::Move>]) -> Result<G::Move, Failure> {
        let found = notation::find(self.game, self.line.position(), name).map_err(|error| match error {
            MoveTextError::Rules(error) => error.into(),
            MoveTextError::Ambiguous { .. } => Failure::new(409, "ambiguous-move", error.to_string()),
            MoveTextError::Unknown(_) => illegal(name),
        })?;
        let key = self.game.move_key(&found);
        let allowed = legal.iter().any(|legal| self.game.move_key(&legal.mv) == key);
        if allowed { Ok(found) } else { Err(illegal(name)) }
    }

    /// The legal moves of a game that goes on.
    fn legal(&mut self) -> Result<Rc<Vec<Legal<G::Move>>>, Failure> {
        if let (Some(clocks), Status::Playing(_)) = (&mut self.clocks, &self.status)
            && let Some(side) = clocks.fallen()
        {
            clocks.stop();
            self.status = Status::Over(Outcome::Wins(side.opponent()), "time");
            self.tell_state();
        }
        match &self.status {
            Status::Playing(legal) => Ok(Rc::clone(legal)),
            Status::Over(..) => {
                Err(Failure::new(409, "game-over", "the game is over; `undo` or `reset` goes on"))
            }
        }
    }

    /// Makes a legal move; what was taken back is forgotten unless it is the next of these moves.
    fn make(&mut self, mv: &G::Move) -> Result<(), Failure> {
        let (ply, key) = (self.line.moves().len(), self.game.move_key(mv));
        let time = self.since.elapsed().as_millis() as u64;
        if self.moves.get(ply).is_none_or(|next| self.game.move_key(next) != key) {
            let legal = self.legal()?;
            let info = legal.iter().find(|legal| self.game.move_key(&legal.mv) == key);
            let Some(info) = info.map(|legal| legal.info.clone()) else { return Err(illegal("this")) };
            self.moves.truncate(ply);
            self.played.truncate(ply);
            self.moves.push(mv.clone());
            self.played.push(Played { info, side: side_name(self.side()), value: None, time });
        }
        let mover = self.side();
        self.line.play(mv);
        if let Err(failure) = self.look() {
            self.line.undo();
            return Err(failure);
        }
        let next = matches!(self.status, Status::Playing(_)).then(|| self.side());
        if let Some(clocks) = &mut self.clocks {
            clocks.moved(mover, next);
        }
        Ok(())
    }

    fn undo(&mut self, count: usize) -> Result<(), Failure> {
        let ply = self.line.moves().len();
        if count > ply {
            return Err(Failure::new(409, "nothing-to-undo", format!("only {ply} moves can be taken back")));
        }
        self.jump(ply - count)
    }

    fn redo(&mut self, count: usize) -> Result<(), Failure> {
        let (ply, length) = (self.line.moves().len(), self.moves.len());
        if count > length - ply {
            let message = format!("only {} moves can be made again", length - ply);
            return Err(Failure::new(409, "nothing-to-redo", message));
        }
        self.jump(ply + count)
    }

    /// Goes to a point of the history. Time is not given back; clocks of a game lost on time stop for good.
    fn jump(&mut self, ply: usize) -> Result<(), Failure> {
        if ply > self.moves.len() {
            let length = self.moves.len();
            return Err(Failure::bad_request(format!("`ply` is {ply}, but the game has {length} moves")));
        }
        if matches!(self.status, Status::Over(_, "time")) {
            self.clocks = None;
        }
        while self.line.moves().len() > ply {
            self.line.undo();
        }
        for mv in &self.moves[self.line.moves().len()..ply] {
            self.line.play(mv);
        }
        if let Some(clocks) = &mut self.clocks {
            clocks.stop();
        }
        self.look()
    }

    /// Finds out how the game stands after a change.
    fn look(&mut self) -> Result<(), Failure> {
        self.tree = None;
        self.since = Instant::now();
        let mut moves = Vec::new();
        self.status = match self.line.legal_moves(&mut moves)? {
            Some(outcome) => Status::Over(outcome, "rules"),
            None => match self.line.repetition()?.outcome() {
                Some(outcome) => Status::Over(outcome, "repetition"),
                None if moves.len() > MOST_MOVES => {
                    let message = format!("more than {MOST_MOVES} legal moves are too many for a list");
                    return Err(Failure::new(422, "rules-failed", message));
                }
                None => {
                    let mut legal = self.moves_of(self.line.position())?;
                    let keys: rustc_hash::FxHashSet<u64> =
                        moves.iter().map(|mv| self.game.move_key(mv)).collect();
                    legal.retain(|legal| keys.contains(&self.game.move_key(&legal.mv)));
                    // However the rules are run, the list is the same.
                    legal.sort_by(|a, b| a.info.name.cmp(&b.info.name));
                    Status::Playing(Rc::new(legal))
                }
            },
        };
        self.endgame = self.known()?;
        Ok(())
    }

    /// The moves of a position as clients see them.
    fn moves_of(&self, position: &G::Position) -> Result<Vec<Legal<G::Move>>, Failure> {
        let named = notation::names(self.game, position)?;
        let mut child = position.clone();
        let mut candidates = Vec::with_capacity(named.len());
        for mv in &named {
            self.game.apply(position, &mv.mv, &mut child);
            candidates.push(Candidate { name: mv.name.clone(), after: self.game.diagram(&child) });
        }
        let before = self.game.diagram(position);
        // Rules that fail only in the interpreter are played by the guesses.
        let trails: Vec<(_, Vec<Field>)> = match candidates.len() <= MOST_TRACED {
            true => self.tracer.trails(&before).unwrap_or_default(),
            false => Vec::new(),
        };
        let infos = gestures::moves(self.game.description(), &before, &candidates, &trails);
        Ok(named.into_iter().zip(infos).map(|(named, info)| Legal { mv: named.mv, info }).collect())
    }

    /// The same for positions that a search talks about, which come again and again.
    fn known_moves(&mut self, position: &G::Position) -> Result<Rc<Vec<Legal<G::Move>>>, Failure> {
        let signature = self.game.signature(position);
        if let Some(known) = self.known.get(&signature) {
            return Ok(Rc::clone(known));
        }
        let moves = Rc::new(self.moves_of(position)?);
        self.known_moves += moves.len();
        if self.known_moves > MOST_KNOWN {
            self.known.clear();
            self.known_moves = moves.len();
        }
        self.known.insert(signature, Rc::clone(&moves));
        Ok(moves)
    }

    /// The state as JSON.
    fn state_text(&self) -> String {
        let description = self.game.description();
        let diagram = self.game.diagram(self.line.position());
        let ply = self.line.moves().len();
        let fallen = self.clocks.as_ref().and_then(Clocks::fallen);
        let (moves, outcome) = match (&self.status, fallen) {
            (Status::Playing(_), Some(side)) => {
                (Vec::new(), Some(state::outcome(description, Outcome::Wins(side.opponent()), "time")))
            }
            (Status::Playing(legal), None) => (legal.iter().map(|legal| &legal.info).collect(), None),
            (Status::Over(outcome, reason), _) => {
                (Vec::new(), Some(state::outcome(description, *outcome, reason)))
            }
        };
        let state = State {
            version: self.version,
            ply,
            length: self.moves.len(),
            picture: state::picture(description, &diagram),
            start: &self.start,
            moves,
            last: ply.checked_sub(1).and_then(|last| self.played.get(last)),
            history: &self.played,
            endgame: self.endgame.as_ref().filter(|_| outcome.is_none()),
            outcome,
            clock: self.clocks.as_ref().map(Clocks::to_json),
        };
        serde_json::to_string(&state).expect("a state has string keys only")
    }

    /// Tells everybody that something has changed.
    fn tell_state(&mut self) {
        self.version += 1;
        self.tell("state", self.state_text());
    }

    fn tell(&self, name: &'static str, data: String) {
        (self.mailbox.events)(Event { name, data: Arc::from(data) });
    }
}

fn illegal(name: &str) -> Failure {
    let shown: String = name.chars().take(60).collect();
    Failure::new(
        409,
        "illegal-move",
        format!("`{shown}` is not a legal move here; `moves` of the state lists them"),
    )
}
