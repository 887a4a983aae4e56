//! What a position leads to: children, the outcome where there are none, and how many leaves there are below.

use std::ops::ControlFlow;

use multigame_game::{Game, NoMoves, Outcome, RulesError, Side, Weights};
use multigame_mir::{HEADER, Header, SIGNATURE};

use crate::frame::{Borrowed, Frame};
use crate::game::{NativeGame, side_of};
use crate::merge::merge;
use crate::position::NativePosition;
use crate::words::{self, same_matter};
use crate::{Code, Failed, Patience};

/// What one run of `main` gives; the moves are in the frame.
enum Results {
    None,
    Final(Outcome),
    Moves,
}

/// What is tried to count without making positions.
#[derive(Default)]
pub(crate) struct Counting {
    /// Several plies at once.
    plies: Patience,
    /// The moves of a position.
    moves: Patience,
}

impl<C: Code<WORDS>, const WORDS: usize> NativeGame<C, WORDS> {
    /// How the game ended, or nothing; then the children are in the frame.
    #[inline]
    pub(crate) fn expand(
        &self,
        words: &[u64; WORDS],
        frame: &mut Frame<WORDS>,
    ) -> Result<Option<Outcome>, RulesError> {
        if words[HEADER] & Header::OUTCOME_MASK != 0 {
            return Ok(Header::of(words[HEADER]).outcome);
        }
        match Self::results(words, frame) {
            Ok(Results::Moves) => Ok(None),
            Ok(Results::Final(outcome)) => Ok(Some(outcome)),
            Ok(Results::None) => match C::goal(words) {
                Some(Ok(true)) => Ok(Some(Outcome::Wins(Side::White))),
                Some(Err(Failed)) => self.interpret(words, frame),
                Some(Ok(false)) | None => self.without_moves(words, frame),
            },
            Err(Failed) => self.interpret(words, frame),
        }
    }

    /// Applies `main`; equal results become one.
    #[inline(always)]
    fn results(words: &[u64; WORDS], frame: &mut Frame<WORDS>) -> Result<Results, Failed> {
        let side = side_of(words);
        frame.children.0.clear();
        C::generate(side, words, &mut frame.children)?;
        if frame.children.0.is_empty() {
            return Ok(Results::None);
        }
        let mut best: Option<Outcome> = None;
        for NativePosition { words: child } in &frame.children.0 {
            if child[HEADER] & Header::OUTCOME_MASK == 0 || !same_matter(child, words) {
                best = None;
                break;
            }
            let outcomes = best.into_iter().chain(Header::of(child[HEADER]).outcome);
            best = outcomes.max_by_key(|outcome| outcome.worth_to(side));
        }
        if let Some(outcome) = best {
            return Ok(Results::Final(outcome));
        }
        if C::MAY_REPEAT {
            merge(&mut frame.children, &mut frame.slots);
        }
        Ok(Results::Moves)
    }

    /// Whether `main` has a result that is a move; what it generates is lost.
    fn has_moves(words: &[u64; WORDS], frame: &mut Frame<WORDS>) -> Result<bool, Failed> {
        match C::count(side_of(words), words) {
            Some(Ok([moves, _])) => Ok(moves > 0),
            _ => Ok(matches!(Self::results(words, frame)?, Results::Moves)),
        }
    }

    #[cold]
    fn without_moves(
        &self,
        words: &[u64; WORDS],
        frame: &mut Frame<WORDS>,
    ) -> Result<Option<Outcome>, RulesError> {
        let side = side_of(words);
        match self.description().no_moves {
            NoMoves::Loss => return Ok(Some(Outcome::Wins(side.opponent()))),
            NoMoves::Draw => return Ok(Some(Outcome::Draw)),
            NoMoves::Error => return self.interpret(words, frame),
            NoMoves::Pass => {}
        }
        if self.description().players == 2 {
            let mut passed = *words;
            crate::words::hand_over(&mut passed);
            match Self::has_moves(&passed, frame) {
                Ok(true) => {
                    frame.children.0.clear();
                    frame.children.add(&passed);
                    return Ok(None);
                }
                Ok(false) => {}
                Err(Failed) => return self.interpret(words, frame),
            }
        }
        if self.rules.program().last.is_none() {
            return Ok(Some(Outcome::Draw));
        }
        frame.children.0.clear();
        match C::last(side, words, &mut frame.children) {
            Some(Ok(())) => {
                let outcomes = frame.children.0.iter().filter_map(|child| words::outcome(&child.words));
                let best = outcomes.max_by_key(|outcome| outcome.worth_to(side));
                Ok(Some(best.unwrap_or(Outcome::Draw)))
            }
            _ => self.interpret(words, frame),
        }
    }

    /// Generates the moves that take something by code for them alone, and perhaps others; false where that does not do.
    pub(crate) fn take(&self, words: &[u64; WORDS], weights: &Weights, frame: &mut Frame<WORDS>) -> bool {
        let side = side_of(words);
        let fits =
            words[HEADER] & Header::OUTCOME_MASK == 0 && self.words.weighs_only(weights, side.opponent());
        if !fits || !matches!(C::take(side, words, &mut frame.children), Some(Ok(()))) {
            return false;
        }
        if C::MAY_REPEAT {
            merge(&mut frame.children, &mut frame.slots);
        }
        true
    }

    /// Lets the interpreter expand a position.
    #[cold]
    fn interpret(
        &self,
        words: &[u64; WORDS],
        frame: &mut Frame<WORDS>,
    ) -> Result<Option<Outcome>, RulesError> {
        frame.children.0.clear();
        let position = self.rules.position(&self.words.layout().read(words));
        self.rules.visit(&position, &mut |_, child| {
            let diagram = self.rules.diagram(child);
            // Positions say how they ended only if they were reached by a move that ended the game; then `outcome`
            // does not look any further.
            let ended = *child != self.rules.position(&diagram);
            let outcome = if ended { self.rules.outcome(child).ok().flatten() } else { None };
            let mut words = [0; WORDS];
            self.words.layout().write(&diagram, &mut words);
            words[SIGNATURE] = self.rules.signature(child);
            let irreversible = self.rules.is_irreversible(child);
            words[HEADER] = Header { side: diagram.side, irreversible, outcome }.word();
            frame.children.add(&words);
            ControlFlow::Continue(())
        })
    }

    /// Number of moves, where counting them is enough. Whoever counts also looks for the goal.
    #[inline(always)]
    pub(crate) fn counted_moves(words: &[u64; WORDS]) -> Option<u64> {
        if words[HEADER] & Header::OUTCOME_MASK != 0 {
            return Some(0);
        }
        match C::count(side_of(words), words) {
            None | Some(Ok([0, 0]) | Err(Failed)) => None,
            Some(Ok([0, _])) => Some(0),
            Some(Ok([moves, endings])) => Some(moves + endings),
        }
    }

    /// Number of moves, which are made.
    pub(crate) fn made_moves(&self, words: &[u64; WORDS]) -> Result<u64, RulesError> {
        let mut frame = Frame::borrow();
        let outcome = self.expand(words, &mut frame)?;
        Ok(if outcome.is_some() { 0 } else { frame.children.0.len() as u64 })
    }

    /// Number of sequences of moves, one more than there are frames, of which there is one at least. Children are
    /// expanded where they were generated.
    pub(crate) fn count_leaves(
        &self,
        words: &[u64; WORDS],
        frames: &mut [Borrowed<WORDS>],
        counting: &mut Counting,
    ) -> Result<u64, RulesError> {
        let [frame, frames @ ..] = frames else { return Ok(1) };
        let plies = frames.len() + 2;
        if plies <= C::PLIES
            && words[HEADER] & Header::OUTCOME_MASK == 0
            && let Some(leaves) = counting.plies.attempt(|| match C::leaves(plies, side_of(words), words) {
                Ok(leaves @ 1..) => Some(leaves),
                _ => None,
            })
        {
            return Ok(leaves);
        }
        let frame = &mut **frame;
        if self.expand(words, frame)?.is_some() {
            return Ok(0);
        }
        let mut leaves = 0;
        for child in &frame.children.0 {
            leaves += if !frames.is_empty() {
                self.count_leaves(&child.words, frames, counting)?
            } else if let Some(moves) = counting.moves.attempt(|| Self::counted_moves(&child.words)) {
                moves
            } else {
                self.made_moves(&child.words)?
            };
        }
        Ok(leaves)
    }
}
