//! What a position leads to: children, the outcome where there are none, and how many leaves there are below.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use multigame_game::{Game, NoMoves, Outcome, RulesError, Side};
use multigame_mir::{HEADER, Header, SIGNATURE};
use multigame_native::words::{self, same_matter};
use multigame_native::{Patience, merge};
use smallvec::SmallVec;

use crate::frame::{Borrowed, Frame};
use crate::game::JitGame;
use crate::later::Counts;
use crate::native::{Children, Context, Failed};

/// What one run of `main` gives; the moves are in the frame.
pub(crate) enum Results {
    None,
    Final(Outcome),
    Moves,
}

/// What counts without making positions.
pub(crate) struct Counting<'g> {
    counts: Option<&'g Counts>,
    context: Context,
    /// Whether it has been worth counting several plies at once.
    plies: Patience,
    /// Whether it has been worth counting the moves of a position.
    single: Patience,
}

impl JitGame {
    /// How the game ended, or nothing; then the children are in the frame.
    #[inline]
    pub(crate) fn expand(&self, words: &[u64], frame: &mut Frame) -> Result<Option<Outcome>, RulesError> {
        match self.results(words, frame) {
            Ok(Results::Moves) => Ok(None),
            others => self.expand_without_moves(others, words, frame),
        }
    }

    /// The same for what may be something else than moves.
    pub(crate) fn expand_without_moves(
        &self,
        results: Result<Results, Failed>,
        words: &[u64],
        frame: &mut Frame,
    ) -> Result<Option<Outcome>, RulesError> {
        match results {
            Ok(Results::Moves) => Ok(None),
            Ok(Results::Final(outcome)) => Ok(Some(outcome)),
            Ok(Results::None) => match self.is_solved(words) {
                Ok(true) => Ok(Some(Outcome::Wins(Side::White))),
                Ok(false) => self.without_moves(words, frame),
                Err(Failed) => self.interpret(words, &mut frame.children),
            },
            Err(Failed) => self.interpret(words, &mut frame.children),
        }
    }

    /// Whether a position without moves is a solved puzzle.
    fn is_solved(&self, words: &[u64]) -> Result<bool, Failed> {
        match self.goal {
            Some(goal) => Ok(self.native.evaluate(goal, words)? != [0, 0]),
            None => Ok(false),
        }
    }

    /// Applies `main` unless the game has ended; equal results become one.
    #[inline(always)]
    pub(crate) fn results(&self, words: &[u64], frame: &mut Frame) -> Result<Results, Failed> {
        if let Some(outcome) = words::outcome(words) {
            return Ok(Results::Final(outcome));
        }
        let side = (words[HEADER] & Header::BLACK) as usize;
        self.native.generate(self.generate[side], words, &mut frame.children)?;
        if frame.children.is_empty() {
            return Ok(Results::None);
        }
        let side = Side::BOTH[side];
        let mut best: Option<Outcome> = None;
        for child in frame.children.iter() {
            if child[HEADER] & Header::OUTCOME_MASK == 0 || !same_matter(child, words) {
                best = None;
                break;
            }
            let outcomes = best.into_iter().chain(words::outcome(child));
            best = outcomes.max_by_key(|outcome| outcome.worth_to(side));
        }
        if let Some(outcome) = best {
            return Ok(Results::Final(outcome));
        }
        if self.may_repeat {
            merge(&mut frame.children, &mut frame.slots);
        }
        Ok(Results::Moves)
    }

    /// Whether `main` has a result that is a move; what it generates is lost.
    fn has_moves(&self, words: &[u64], frame: &mut Frame) -> Result<bool, Failed> {
        match self.later.counts_at_hand().map(|counts| counts.count(words)) {
            Some(Ok([moves, _])) => Ok(moves > 0),
            _ => Ok(matches!(self.results(words, frame)?, Results::Moves)),
        }
    }

    fn without_moves(&self, words: &[u64], frame: &mut Frame) -> Result<Option<Outcome>, RulesError> {
        let side = Header::of(words[HEADER]).side;
        match self.description().no_moves {
            NoMoves::Loss => return Ok(Some(Outcome::Wins(side.opponent()))),
            NoMoves::Draw => return Ok(Some(Outcome::Draw)),
            NoMoves::Error => return self.interpret(words, &mut frame.children),
            NoMoves::Pass => {}
        }
        if self.description().players == 2 {
            let mut passed: SmallVec<[u64; 32]> = SmallVec::from_slice(words);
            words::hand_over(&mut passed);
            match self.has_moves(&passed, frame) {
                Ok(true) => {
                    frame.children.clear(self.layout.words());
                    frame.children.push().copy_from_slice(&passed);
                    return Ok(None);
                }
                Ok(false) => {}
                Err(Failed) => return self.interpret(words, &mut frame.children),
            }
        }
        match self.last[side.index()] {
            None if self.program().last.is_none() => Ok(Some(Outcome::Draw)),
            Some(last) if self.native.generate(last, words, &mut frame.children).is_ok() => {
                let outcomes = frame.children.iter().filter_map(words::outcome);
                let best = outcomes.max_by_key(|outcome| outcome.worth_to(side));
                Ok(Some(best.unwrap_or(Outcome::Draw)))
            }
            _ => self.interpret(words, &mut frame.children),
        }
    }

    /// Lets the interpreter expand a position.
    fn interpret(&self, words: &[u64], children: &mut Children) -> Result<Option<Outcome>, RulesError> {
        self.interpreted.fetch_add(1, Ordering::Relaxed);
        children.clear(self.layout.words());
        let position = self.rules.position(&self.layout.read(words));
        self.rules.visit(&position, &mut |_, child| {
            let diagram = self.rules.diagram(child);
            // Positions say how they ended only if they were reached by a move that ended the game; then `outcome`
            // does not look any further.
            let ended = *child != self.rules.position(&diagram);
            let outcome = if ended { self.rules.outcome(child).ok().flatten() } else { None };
            let words = children.push();
            self.layout.write(&diagram, words);
            words[SIGNATURE] = self.rules.signature(child);
            words[HEADER] =
                Header { side: diagram.side, irreversible: self.rules.is_irreversible(child), outcome }
                    .word();
            ControlFlow::Continue(())
        })
    }

    /// Number of moves, which are made.
    #[cold]
    pub(crate) fn made_moves(&self, words: &[u64]) -> Result<u64, RulesError> {
        let mut frame = Frame::borrow();
        let frame = &mut *frame;
        Ok(self.expand(words, frame)?.map_or(frame.children.len() as u64, |_| 0))
    }

    /// Number of sequences of moves, one more than there are frames, of which there is one at least. Children are
    /// expanded where they were generated.
    pub(crate) fn count_leaves(
        &self,
        words: &[u64],
        frames: &mut [Borrowed],
        counting: &mut Counting<'_>,
    ) -> Result<u64, RulesError> {
        let [frame, frames @ ..] = frames else { return Ok(1) };
        if let Some(leaves) = counting.leaves(words, frames.len() + 2) {
            return Ok(leaves);
        }
        let frame = &mut **frame;
        if self.expand(words, frame)?.is_some() {
            return Ok(0);
        }
        let mut leaves = 0;
        for child in frame.children.iter() {
            leaves += if !frames.is_empty() {
                self.count_leaves(child, frames, counting)?
            } else if let Some(moves) = counting.moves(child) {
                moves
            } else {
                self.made_moves(child)?
            };
        }
        Ok(leaves)
    }

    /// What counts moves.
    pub(crate) fn counting(&self) -> Counting<'_> {
        let counts = self.later.counts(self.program());
        let context = counts.map_or_else(|| self.native.silent(), Counts::silent);
        Counting { counts, context, plies: Patience::new(), single: Patience::new() }
    }
}

impl Counting<'_> {
    /// Number of moves, where counting them is enough. Whoever counts also looks for the goal.
    #[inline(always)]
    pub fn moves(&mut self, words: &[u64]) -> Option<u64> {
        if words[HEADER] & Header::OUTCOME_MASK != 0 {
            return Some(0);
        }
        let counts = self.counts?;
        self.single.attempt(|| match counts.count_in(&mut self.context, words) {
            Ok([0, 0]) | Err(Failed) => None,
            Ok([0, _]) => Some(0),
            Ok([moves, endings]) => Some(moves + endings),
        })
    }

    /// Number of sequences of so many moves, where counting them at once is enough.
    #[inline(always)]
    fn leaves(&mut self, words: &[u64], plies: usize) -> Option<u64> {
        let counts = self.counts?;
        if plies > counts.plies() || words[HEADER] & Header::OUTCOME_MASK != 0 {
            return None;
        }
        self.plies.attempt(|| counts.leaves_in(&mut self.context, plies, words))
    }
}
