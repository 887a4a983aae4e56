//! The positions near the root that a worker has in its own hands: the way down to where it searches in one
//! go.
//!
//! Each has the moves that are still to be tried. What is known about the moves that were goes up when the
//! last one is done, as in the sequential search, and into the table: with one worker exactly its positions
//! are visited. Moves that were given away report to nobody; what was found without them says nothing about a
//! position as a whole.

use multigame_game::{Game, Signature};
use multigame_search::{Evaluator, Interrupt, NEVER};

use super::PuzzleWorker;
use super::path::Path;
use super::protocol::{PuzzleMessage, State};
use crate::worker::{Mail, WorkerId};

/// A position on the way down.
#[derive(Clone, Debug)]
pub(super) struct Level<G: Game> {
    position: G::Position,
    signature: Signature,
    /// Where it came from, which is not gone back to.
    back: Option<Signature>,
    /// Moves that are left.
    left: u32,
    moves: Vec<G::Move>,
    /// How many of them have been tried.
    tried: usize,
    /// The next one that is worth it, if it was looked for ahead: its place and where it leads to.
    next: Option<(usize, G::Position)>,
    /// Moves that are certainly needed from here, by those tried.
    least: u32,
    /// Whether nothing below was given away.
    whole: bool,
    /// Whether the table or its home knew something about it.
    pub known: bool,
}

/// A position whose home is asked about it, or whose turn it is.
#[derive(Clone, Debug)]
pub(super) struct Sought<G: Game> {
    position: G::Position,
    pub signature: Signature,
    back: Option<Signature>,
    left: u32,
    pub waits: bool,
}

impl<G: Game> Level<G> {
    /// The position a move leads to, unless it goes back or more moves are needed from there than are left.
    fn child<E: Evaluator<G>>(
        &mut self,
        (game, evaluator): (&G, &E),
        index: usize,
        leaves: &mut u64,
    ) -> Option<G::Position> {
        let mut position = self.position.clone();
        game.apply(&self.position, &self.moves[index], &mut position);
        if Some(game.signature(&position)) == self.back {
            // As in the sequential search: if the parent cannot be solved in time, going back to it needs
            // even more.
            self.least = self.least.min(self.left + 3);
            return None;
        }
        let needed = 1 + evaluator.lower_bound(game, &position);
        if needed > self.left {
            *leaves += 1;
            self.least = self.least.min(needed);
            return None;
        }
        Some(position)
    }

    /// The next move that is worth it: its place and where it leads to.
    fn take_next<E: Evaluator<G>>(
        &mut self,
        known: (&G, &E),
        leaves: &mut u64,
    ) -> Option<(usize, G::Position)> {
        if let Some(next) = self.next.take() {
            return Some(next);
        }
        while self.tried < self.moves.len() {
            self.tried += 1;
            if let Some(position) = self.child(known, self.tried - 1, leaves) {
                return Some((self.tried - 1, position));
            }
        }
        None
    }

    /// The last move that nobody has tried, to be given away.
    fn take_last<E: Evaluator<G>>(
        &mut self,
        known: (&G, &E),
        leaves: &mut u64,
    ) -> Option<(usize, G::Position)> {
        while self.tried < self.moves.len() {
            let index = self.moves.len() - 1;
            let child = self.child(known, index, leaves);
            self.moves.pop();
            if let Some(position) = child {
                return Some((index, position));
            }
        }
        self.next.take()
    }

    /// Hears that something below was given away.
    pub fn split(&mut self) {
        self.whole = false;
    }
}

impl<G: Game, E: Evaluator<G>> PuzzleWorker<'_, G, E> {
    /// Begins with a position of the stack.
    pub(super) fn take_up(&mut self, state: State<G::Position>, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        self.path = state.path.moves();
        self.open(state.position, state.back, state.left, mail);
    }

    /// Tries the next move of the lowest level, or leaves it.
    pub(super) fn advance(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        let known = (self.game, self.evaluator);
        let Some(level) = self.levels.last_mut() else { return };
        let Some((index, position)) = level.take_next(known, &mut self.statistics.leaves) else {
            self.close(mail);
            return;
        };
        let (back, left) = (Some(level.signature), level.left - 1);
        if self.spread.asks_ahead() && self.spread.asks(left) {
            level.next = level.take_next(known, &mut self.statistics.leaves);
            let next = level.next.as_ref().map(|(_, position)| self.game.signature(position));
            if let Some(next) = next {
                self.look_ahead(next, left, mail);
            }
        }
        self.path.push(index as u16);
        self.open(position, back, left, mail);
    }

    /// Searches the position at the end of the path: in one go, or as a new level when its home has been
    /// asked.
    fn open(
        &mut self,
        position: G::Position,
        back: Option<Signature>,
        left: u32,
        mail: &mut dyn Mail<PuzzleMessage<G>>,
    ) {
        let signature = self.game.signature(&position);
        if self.dives(left) {
            let from = back.map_or(0, |father| father ^ signature);
            match self.dive((&position, from), left, mail) {
                Ok(needed) if needed <= left => {
                    let path = std::mem::take(&mut self.path);
                    self.solved_below(position, path, mail);
                }
                Ok(needed) => self.needs(left, needed),
                Err(Interrupt::Rules(error)) => self.fail(*error, mail),
                Err(Interrupt::Stopped | Interrupt::Unwind(_)) => self.drop_all(),
            }
            return;
        }
        let waits = self.look_up(signature, left, mail);
        let sought = Sought { position, signature, back, left, waits };
        if waits {
            self.sought = Some(sought);
        } else {
            self.enter(sought, mail);
        }
    }

    /// Makes a level of a position, unless the table says that it is not worth it.
    pub(super) fn enter(&mut self, sought: Sought<G>, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        let Sought { position, signature, back, left, .. } = sought;
        self.statistics.nodes += 1;
        let entry = self.known(signature);
        if let Some(known) = entry.filter(|&known| known > left) {
            self.statistics.table_cutoffs += 1;
            self.needs(left, known);
            return;
        }
        let mut moves = Vec::new();
        match self.game.moves(&position, &mut moves) {
            Err(error) => self.fail(error, mail),
            Ok(Some(outcome)) if outcome.winner() == Some(multigame_game::Side::White) => {
                let path = std::mem::take(&mut self.path);
                self.solved(path, mail);
            }
            Ok(Some(_)) => self.needs(left, NEVER),
            Ok(None) => {
                // Nothing is known above a position that came from elsewhere.
                let known = entry.is_some() || self.levels.is_empty();
                let (tried, next, least, whole) = (0, None, NEVER, true);
                self.levels.push(Level {
                    position,
                    signature,
                    back,
                    left,
                    moves,
                    tried,
                    next,
                    least,
                    whole,
                    known,
                });
            }
        }
    }

    /// The lowest level is done.
    fn close(&mut self, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        let Some(level) = self.levels.pop() else { return };
        if level.whole {
            self.learn(level.signature, (level.left, level.least), mail);
        } else if let Some(father) = self.levels.last_mut() {
            father.whole = false;
        }
        self.needs(level.left, level.least);
    }

    /// The position at the end of the path needs at least this many moves, more than are left.
    fn needs(&mut self, left: u32, needed: u32) {
        match self.levels.last_mut() {
            Some(father) => {
                self.path.pop();
                father.least = father.least.min((1 + needed).min(NEVER));
            }
            None => self.least = self.least.min((self.limit - left).saturating_add(needed)),
        }
    }

    fn known(&mut self, signature: Signature) -> Option<u32> {
        let table = self.table?;
        self.statistics.table_probes += 1;
        let known = self.pursuit.known(table, signature)?;
        self.statistics.table_hits += 1;
        Some(known)
    }

    /// Gives a move away that has not been tried, of the level nearest the root that has one, or lets the
    /// search in one go give something.
    pub(super) fn give(&mut self, thief: WorkerId, mail: &mut dyn Mail<PuzzleMessage<G>>) {
        let known = (self.game, self.evaluator);
        for level in &mut self.levels {
            let Some((index, position)) = level.take_last(known, &mut self.statistics.leaves) else {
                continue;
            };
            level.whole = false;
            let mut path = Path::of(&self.path[..(self.limit - level.left) as usize]);
            path.push(index as u16);
            let state = State { position, back: Some(level.signature), left: level.left - 1, bound: 0, path };
            self.sent += 1;
            mail.send(thief, PuzzleMessage::States { limit: self.limit, states: vec![state] });
            return;
        }
        match &mut self.asked {
            Some(asked) => asked.push(thief),
            None => mail.send(thief, PuzzleMessage::NoWork),
        }
    }
}
