//! A game being played: the positions so far, what may be played next, and whether it is over.

use crate::{Game, History, NoMoves, Outcome, Repetition, RulesError, Side};

/// A sequence of positions from a start, with the rules that depend on the way: repetition.
///
/// PERF: positions and moves that were taken back are kept and written over, so that random games neither
/// take memory nor build what is overwritten at once.
#[derive(Debug)]
pub struct Line<'g, G: Game> {
    game: &'g G,
    /// Number of played moves; entries of the lists beyond that may be overwritten.
    played: usize,
    positions: Vec<G::Position>,
    moves: Vec<G::Move>,
    history: History,
}

impl<G: Game> Clone for Line<'_, G> {
    fn clone(&self) -> Self {
        Line {
            game: self.game,
            played: self.played,
            positions: self.positions().to_vec(),
            moves: self.moves().to_vec(),
            history: self.history.clone(),
        }
    }
}

/// Whether a game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Somebody is to move.
    Playing,
    /// It ended by the rules of the position.
    Over(Outcome),
    /// It ended because a position came back.
    Repeated(Outcome),
}

impl Status {
    /// The outcome of a game that is over.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Status::Playing => None,
            Status::Over(outcome) | Status::Repeated(outcome) => Some(outcome),
        }
    }
}

impl<'g, G: Game> Line<'g, G> {
    /// A game that starts from a position.
    pub fn new(game: &'g G, start: G::Position) -> Self {
        let mut history = History::new();
        history.push(game.signature(&start), true);
        Line { game, played: 0, positions: vec![start], moves: Vec::new(), history }
    }

    /// The game being played.
    #[inline]
    pub fn game(&self) -> &'g G {
        self.game
    }

    /// The position now.
    #[inline]
    pub fn position(&self) -> &G::Position {
        &self.positions[self.played]
    }

    /// All positions from the start.
    pub fn positions(&self) -> &[G::Position] {
        &self.positions[..=self.played]
    }

    /// The moves played.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves[..self.played]
    }

    /// Plays a move, which must be legal.
    #[inline]
    pub fn play(&mut self, mv: &G::Move) {
        if self.played == self.moves.len() {
            self.positions.extend_from_within(self.played..);
            self.moves.push(mv.clone());
        } else {
            self.moves[self.played].clone_from(mv);
        }
        let (before, after) = self.positions.split_at_mut(self.played + 1);
        let child = &mut after[0];
        self.game.apply(&before[self.played], mv, child);
        self.history.push(self.game.signature(child), self.game.is_irreversible(child));
        self.played += 1;
    }

    /// Takes the last move back; false if there is none.
    #[inline]
    pub fn undo(&mut self) -> bool {
        if self.played == 0 {
            return false;
        }
        self.played -= 1;
        self.history.pop();
        true
    }

    /// Goes back to the start.
    pub fn restart(&mut self) {
        while self.undo() {}
    }

    /// Whether the game goes on.
    pub fn status(&self) -> Result<Status, RulesError> {
        if let Some(outcome) = self.legal_moves(&mut Vec::new())? {
            return Ok(Status::Over(outcome));
        }
        self.repetition()
    }

    /// Whether the game goes on as far as repetition is concerned.
    #[inline]
    pub fn repetition(&self) -> Result<Status, RulesError> {
        Ok(self.repeated()?.map_or(Status::Playing, Status::Repeated))
    }

    /// Writes the legal moves into a buffer; the outcome instead if the position is final. A game that is
    /// over by repetition still has moves: people may want to see them.
    pub fn legal_moves(&self, moves: &mut Vec<G::Move>) -> Result<Option<Outcome>, RulesError> {
        let outcome = self.game.moves(self.position(), moves)?;
        let description = self.game.description();
        if outcome.is_some() || description.repetition != Repetition::Forbidden {
            return Ok(outcome);
        }
        let mut child = self.position().clone();
        moves.retain(|mv| {
            self.game.apply(self.position(), mv, &mut child);
            self.game.is_irreversible(&child) || self.history.occurrences(self.game.signature(&child)) == 0
        });
        if !moves.is_empty() {
            return Ok(None);
        }
        let side = self.game.side_to_move(self.position());
        Ok(Some(match description.no_moves {
            NoMoves::Loss | NoMoves::Error => Outcome::Wins(side.opponent()),
            NoMoves::Draw | NoMoves::Pass => Outcome::Draw,
        }))
    }

    /// The outcome by repetition, if the last move brought it about.
    #[inline]
    fn repeated(&self) -> Result<Option<Outcome>, RulesError> {
        if self.game.description().repetition == Repetition::Ignored {
            return Ok(None);
        }
        let signature = self.game.signature(self.position());
        let occurrences = self.history.occurrences(signature);
        let Some(mover) = self.mover() else { return Ok(None) };
        Ok(match self.game.description().repetition {
            Repetition::Draw(count) if occurrences >= count => Some(Outcome::Draw),
            Repetition::Win(count) if occurrences >= count => Some(Outcome::Wins(mover)),
            Repetition::Loss(count) if occurrences >= count => Some(Outcome::Wins(mover.opponent())),
            Repetition::Judge(count) if occurrences >= count => {
                let cycle = self.history.cycle(signature, count).unwrap_or(0);
                Some(self.game.judge(self.position(), cycle)?)
            }
            _ => None,
        })
    }

    /// The player who made the last move.
    #[inline]
    fn mover(&self) -> Option<Side> {
        let before = self.played.checked_sub(1)?;
        Some(self.game.side_to_move(&self.positions[before]))
    }
}
