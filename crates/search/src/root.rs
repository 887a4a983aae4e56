//! Where a search starts, and what counts as an ending there besides the rules of the position: repetition.

use multigame_game::portable::{take_bool, take_bytes, take_u64};
use multigame_game::{
    Game, History, Line, NoMoves, Outcome, Portable, Repetition, RulesError, Side, Signature, Unreadable,
};

use crate::RepetitionMode;

/// A position with the way that led to it.
#[derive(Clone, Debug)]
pub struct Root<G: Game> {
    /// The position to search.
    pub position: G::Position,
    history: History,
    /// The keys of the moves that may be played from it, if not all.
    allowed: Option<Vec<u64>>,
}

impl<G: Game> Root<G> {
    /// A position without past.
    pub fn new(game: &G, position: G::Position) -> Root<G> {
        let mut history = History::new();
        history.push(game.signature(&position), true);
        Root { position, history, allowed: None }
    }

    /// The last position of a game being played.
    pub fn of_line(line: &Line<'_, G>) -> Root<G> {
        let game = line.game();
        let mut history = History::new();
        for (number, position) in line.positions().iter().enumerate() {
            history.push(game.signature(position), number == 0 || game.is_irreversible(position));
        }
        Root { position: line.position().clone(), history, allowed: None }
    }

    /// The same root where only some moves are looked at. Moves that are not legal are not looked at either.
    pub fn only(mut self, game: &G, moves: &[G::Move]) -> Root<G> {
        self.allowed = Some(moves.iter().map(|mv| game.move_key(mv)).collect());
        self
    }

    /// Whether some moves are not to be looked at.
    pub fn is_limited(&self) -> bool {
        self.allowed.is_some()
    }

    /// Takes the moves away that are not to be looked at.
    pub(crate) fn limit(&self, game: &G, moves: &mut Vec<G::Move>) {
        if let Some(allowed) = &self.allowed {
            moves.retain(|mv| allowed.contains(&game.move_key(mv)));
        }
    }
}

impl<G: Portable> Root<G> {
    /// As bytes, for another process.
    pub fn pack(&self, game: &G) -> Vec<u8> {
        let mut bytes = Vec::new();
        game.pack_position(&self.position, &mut bytes);
        bytes.extend((self.history.len() as u32).to_le_bytes());
        for (signature, irreversible) in self.history.entries() {
            bytes.extend(signature.to_le_bytes());
            bytes.push(u8::from(irreversible));
        }
        bytes.push(u8::from(self.allowed.is_some()));
        bytes.extend(self.allowed.iter().flatten().flat_map(|key| key.to_le_bytes()));
        bytes
    }

    /// From bytes.
    pub fn unpack(game: &G, mut bytes: &[u8]) -> Result<Root<G>, Unreadable> {
        let bytes = &mut bytes;
        let position = game.unpack_position(bytes)?;
        let mut history = History::new();
        for _ in 0..take_bytes(bytes).map(u32::from_le_bytes)? {
            history.push(take_u64(bytes)?, take_bool(bytes)?);
        }
        let allowed = match take_bool(bytes)? {
            false => None,
            true => Some(keys(bytes)?),
        };
        if bytes.is_empty() { Ok(Root { position, history, allowed }) } else { Err(Unreadable("a root")) }
    }
}

fn keys(bytes: &mut &[u8]) -> Result<Vec<u64>, Unreadable> {
    let mut keys = Vec::new();
    while !bytes.is_empty() {
        keys.push(take_u64(bytes)?);
    }
    Ok(keys)
}

/// The path from the start of the game to the node being searched, and the rule on repetition.
#[derive(Debug)]
pub(crate) struct Path {
    history: History,
    /// Length of the history up to the root.
    root: usize,
    rule: Rule,
    no_moves: NoMoves,
    /// The root's moves that are looked at, if not all.
    allowed: Option<Vec<u64>>,
    /// Moves of the root that are left out: the first ones of better lines.
    left_out: Vec<u64>,
}

/// The aim of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Nothing,
    /// At that occurrence the game is over; the meaning is the description's.
    At(u32, Repetition),
    Forbidden,
}

impl Path {
    pub fn new<G: Game>(game: &G, root: &Root<G>, mode: RepetitionMode) -> Path {
        let repetition = game.description().repetition;
        let rule = match (repetition, mode) {
            (_, RepetitionMode::Off) | (Repetition::Ignored, _) => Rule::Nothing,
            (Repetition::Forbidden, _) => Rule::Forbidden,
            (
                Repetition::Draw(count)
                | Repetition::Win(count)
                | Repetition::Loss(count)
                | Repetition::Judge(count),
                _,
            ) => {
                let first = mode == RepetitionMode::First;
                Rule::At(if first { count.min(2) } else { count }, repetition)
            }
        };
        let history = root.history.clone();
        Path {
            root: history.len(),
            history,
            rule,
            no_moves: game.description().no_moves,
            allowed: root.allowed.clone(),
            left_out: Vec::new(),
        }
    }

    /// Leaves a move of the root out.
    pub fn leave_out(&mut self, key: u64) {
        self.left_out.push(key);
    }

    /// Looks at all moves of the root again.
    pub fn leave_nothing_out(&mut self) {
        self.left_out.clear();
    }

    /// Whether a search of the root says something about the position itself.
    #[inline]
    pub fn is_limited(&self) -> bool {
        self.allowed.is_some() || !self.left_out.is_empty()
    }

    /// Takes the root's moves away that are not looked at.
    pub fn limit<G: Game>(&self, game: &G, moves: &mut Vec<G::Move>) {
        if self.is_limited() {
            moves.retain(|mv| {
                let key = game.move_key(mv);
                !self.left_out.contains(&key) && self.allowed.as_ref().is_none_or(|keys| keys.contains(&key))
            });
        }
    }

    /// Whether positions have to be entered at all.
    #[inline]
    pub fn is_watched(&self) -> bool {
        self.rule != Rule::Nothing
    }

    /// Whether moves that bring a position back are not legal.
    #[inline]
    pub fn forbids(&self) -> bool {
        self.rule == Rule::Forbidden
    }

    /// Goes to a child.
    #[inline]
    pub fn enter(&mut self, signature: Signature, irreversible: bool) {
        if self.is_watched() {
            self.history.push(signature, irreversible);
        }
    }

    /// Goes back to a node.
    #[inline]
    pub fn back_to(&mut self, ply: usize) {
        if self.is_watched() {
            while self.history.len() > self.root + ply {
                self.history.pop();
            }
        }
    }

    /// The end of the game by the last move, made by `mover`. The last position has been entered.
    pub fn ending<G: Game>(&self, game: &G, position: &G::Position, mover: Side) -> Option<Outcome> {
        let Rule::At(count, rule) = self.rule else { return None };
        let signature = game.signature(position);
        if game.is_irreversible(position) || self.history.occurrences(signature) < count {
            return None;
        }
        Some(match rule {
            Repetition::Win(_) => Outcome::Wins(mover),
            Repetition::Loss(_) => Outcome::Wins(mover.opponent()),
            Repetition::Judge(_) => {
                let cycle = self.history.cycle(signature, count).unwrap_or(0);
                // An error of the rules comes out where the game is really played.
                game.judge(position, cycle).unwrap_or(Outcome::Draw)
            }
            _ => Outcome::Draw,
        })
    }

    /// Whether moving to a position would be an ending or forbidden. It has not been entered.
    pub fn would_repeat(&self, signature: Signature, irreversible: bool) -> bool {
        match self.rule {
            Rule::Nothing => false,
            Rule::At(count, _) => !irreversible && self.history.occurrences(signature) + 1 >= count,
            Rule::Forbidden => !irreversible && self.history.occurrences(signature) > 0,
        }
    }

    /// Writes the legal moves into `moves`, or tells the outcome. `child` is room for a position.
    #[inline]
    pub fn moves<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
        moves: &mut Vec<G::Move>,
        child: &mut G::Position,
    ) -> Result<Option<Outcome>, RulesError> {
        let outcome = game.moves(position, moves)?;
        if outcome.is_some() || self.rule != Rule::Forbidden {
            debug_assert!(
                outcome.is_some() || !moves.is_empty(),
                "a game without moves must say how it ended"
            );
            return Ok(outcome);
        }
        moves.retain(|mv| {
            game.apply(position, mv, child);
            !self.would_repeat(game.signature(child), game.is_irreversible(child))
        });
        if !moves.is_empty() {
            return Ok(None);
        }
        Ok(Some(match self.no_moves {
            NoMoves::Loss | NoMoves::Error => Outcome::Wins(game.side_to_move(position).opponent()),
            NoMoves::Draw | NoMoves::Pass => Outcome::Draw,
        }))
    }

    /// The end of the game, or nothing if it goes on. `moves` and `child` are room to work in.
    #[inline]
    pub fn outcome<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
        moves: &mut Vec<G::Move>,
        child: &mut G::Position,
    ) -> Result<Option<Outcome>, RulesError> {
        if self.rule == Rule::Forbidden {
            self.moves(game, position, moves, child)
        } else {
            game.outcome(position)
        }
    }
}
