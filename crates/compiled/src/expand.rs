//! What a position leads to: children, or the outcome where there are none.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use multigame_game::{Game, NoMoves, Outcome, RulesError, Side, Weights};
use multigame_ir::RulesGame;
use multigame_mir::{HEADER, Header, SIGNATURE};

use crate::code::Words;
use crate::frame::Frame;
use crate::game::side_of;
use crate::merge::merge;
use crate::words::{self, same_matter};
use crate::{Code, CompiledGame, Failed, Kept, Positions};

/// What one run of `main` gives; the moves are in the frame.
pub(crate) enum Results {
    None,
    Final(Outcome),
    Moves,
}

impl<C: Code> CompiledGame<C> {
    /// How the game ended, or nothing; then the children are in the frame.
    #[inline]
    pub(crate) fn expand(
        &self,
        words: &Words<C>,
        frame: &mut Frame<C>,
    ) -> Result<Option<Outcome>, RulesError> {
        match self.results(words, frame) {
            Ok(Results::Moves) => Ok(None),
            others => self.expand_without_moves(others, words, frame),
        }
    }

    /// The same for what may be something else than moves.
    pub(crate) fn expand_without_moves(
        &self,
        results: Result<Results, Failed>,
        words: &Words<C>,
        frame: &mut Frame<C>,
    ) -> Result<Option<Outcome>, RulesError> {
        match results {
            Ok(Results::Moves) => Ok(None),
            Ok(_) if self.lacks_chance(words) => self.interpret(words, frame),
            Ok(Results::Final(outcome)) => Ok(Some(outcome)),
            Ok(Results::None) => match self.code.goal(words) {
                Ok(true) => Ok(Some(Outcome::Wins(Side::White))),
                Ok(false) => self.without_moves(words, frame),
                Err(Failed) => self.interpret(words, frame),
            },
            Err(Failed) => self.interpret(words, frame),
        }
    }

    /// Whether nature moves in a position that is not final, so that something has to happen.
    fn lacks_chance(&self, words: &Words<C>) -> bool {
        let Some(chance) = self.description().chance else { return false };
        let waits = self.words.value(words.as_ref(), chance.slot) == chance.waiting;
        waits && words::outcome(words.as_ref()).is_none()
    }

    /// Applies `main` unless the game has ended; equal results become one.
    #[inline(always)]
    pub(crate) fn results(&self, words: &Words<C>, frame: &mut Frame<C>) -> Result<Results, Failed> {
        let before = words.as_ref();
        if let Some(outcome) = words::outcome(before) {
            return Ok(Results::Final(outcome));
        }
        let side = side_of(before[HEADER]);
        frame.children.clear(before.len());
        self.code.generate(side, words, &mut frame.children)?;
        if frame.children.is_empty() {
            return Ok(Results::None);
        }
        if let Some(outcome) = ending_without_move(side, before, &frame.children) {
            return Ok(Results::Final(outcome));
        }
        if self.code.may_repeat() {
            merge(&mut frame.children, &mut frame.slots);
        }
        Ok(Results::Moves)
    }

    /// Whether `main` has a result that is a move; what it generates is lost.
    fn has_moves(&self, words: &Words<C>, frame: &mut Frame<C>) -> Result<bool, Failed> {
        match self.code.count_at_hand(side_of(words.as_ref()[HEADER]), words) {
            Ok([moves, _]) => Ok(moves > 0),
            Err(Failed) => Ok(matches!(self.results(words, frame)?, Results::Moves)),
        }
    }

    #[cold]
    fn without_moves(&self, words: &Words<C>, frame: &mut Frame<C>) -> Result<Option<Outcome>, RulesError> {
        let side = side_of(words.as_ref()[HEADER]);
        match self.description().no_moves {
            NoMoves::Loss => Ok(Some(Outcome::Wins(side.opponent()))),
            NoMoves::Draw => Ok(Some(Outcome::Draw)),
            NoMoves::Error => self.interpret(words, frame),
            NoMoves::Pass if self.description().players == 2 => self.pass(words, frame),
            NoMoves::Pass => self.finish(side, words, frame),
        }
    }

    /// The turn passes to the opponent, or the game is over if they cannot move either.
    fn pass(&self, words: &Words<C>, frame: &mut Frame<C>) -> Result<Option<Outcome>, RulesError> {
        let length = words.as_ref().len();
        let mut passed = C::Kept::of(words);
        words::hand_over(passed.room(length).as_mut());
        match self.has_moves(passed.words(), frame) {
            Ok(true) => {
                frame.children.clear(length);
                frame.children.add(passed.words());
                Ok(None)
            }
            Ok(false) => self.finish(side_of(words.as_ref()[HEADER]), words, frame),
            Err(Failed) => self.interpret(words, frame),
        }
    }

    /// How a game ends in which the player to move cannot move.
    fn finish(
        &self,
        side: Side,
        words: &Words<C>,
        frame: &mut Frame<C>,
    ) -> Result<Option<Outcome>, RulesError> {
        if self.program().last.is_none() {
            return Ok(Some(Outcome::Draw));
        }
        frame.children.clear(words.as_ref().len());
        if self.code.last(side, words, &mut frame.children).is_err() {
            return self.interpret(words, frame);
        }
        let outcomes = frame.children.iter().filter_map(|child| words::outcome(child.as_ref()));
        let best = outcomes.max_by_key(|outcome| outcome.worth_to(side));
        Ok(Some(best.unwrap_or(Outcome::Draw)))
    }

    /// Generates the moves that take something by code for them alone, and perhaps others; false where that
    /// does not do.
    pub(crate) fn take(&self, words: &Words<C>, weights: &Weights, frame: &mut Frame<C>) -> bool {
        let before = words.as_ref();
        let side = side_of(before[HEADER]);
        if before[HEADER] & Header::OUTCOME_MASK != 0 || !self.words.weighs_only(weights, side.opponent()) {
            return false;
        }
        frame.children.clear(before.len());
        let taken = self.code.take(side, words, &mut frame.children).is_ok();
        if taken && self.code.may_repeat() {
            merge(&mut frame.children, &mut frame.slots);
        }
        taken
    }

    /// Lets the interpreter expand a position.
    #[cold]
    fn interpret(&self, words: &Words<C>, frame: &mut Frame<C>) -> Result<Option<Outcome>, RulesError> {
        let length = words.as_ref().len();
        frame.children.clear(length);
        let mut kept = C::Kept::zeroed(length);
        self.ask().children(&self.read(words), &mut |child| {
            let diagram = self.rules.diagram(child);
            let (irreversible, outcome) = (self.rules.is_irreversible(child), self.rules.ended(child));
            let written = kept.room(length).as_mut();
            self.words.layout().write(&diagram, written);
            written[SIGNATURE] = self.rules.signature(child);
            written[HEADER] = Header { side: diagram.side, irreversible, outcome }.word();
            frame.children.add(kept.words());
            ControlFlow::Continue(())
        })
    }

    /// Lets the interpreter say whether the game is over, which it may know without all moves.
    #[cold]
    pub(crate) fn interpret_outcome(&self, words: &Words<C>) -> Result<Option<Outcome>, RulesError> {
        self.ask().outcome(&self.read(words))
    }

    /// The interpreter, to expand a position.
    fn ask(&self) -> &RulesGame {
        self.interpreted.fetch_add(1, Ordering::Relaxed);
        &self.rules
    }
}

/// The best outcome for a player if all results leave the position as it is and end the game.
#[inline(always)]
fn ending_without_move(side: Side, before: &[u64], children: &impl Positions) -> Option<Outcome> {
    let mut best: Option<Outcome> = None;
    for child in children.iter() {
        let child = child.as_ref();
        if child[HEADER] & Header::OUTCOME_MASK == 0 || !same_matter(child, before) {
            return None;
        }
        let outcomes = best.into_iter().chain(words::outcome(child));
        best = outcomes.max_by_key(|outcome| outcome.worth_to(side));
    }
    best
}
