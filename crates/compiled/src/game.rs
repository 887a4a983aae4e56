//! A game and what it is made of.

use std::sync::atomic::{AtomicU64, Ordering};

use multigame_game::{Game, Outcome, RulesError, Side, Weights, Zobrist};
use multigame_ir::{Program, RulesGame, RulesPosition};
use multigame_mir::{Header, Layout};

use crate::code::Words as WordsOf;
use crate::frame::Frame;
use crate::words::{self, Words};
use crate::{Code, Move, Positions};

/// A game given by rules and played by the code that a back end made of them.
#[derive(Debug)]
pub struct CompiledGame<C> {
    pub(crate) code: C,
    pub(crate) zobrist: Zobrist,
    pub(crate) words: Words,
    /// Answers what code does not: errors of the rules, and what is asked too rarely to be compiled.
    pub(crate) rules: RulesGame,
    /// How many positions the interpreter expanded.
    pub(crate) interpreted: AtomicU64,
}

impl<C: Code> CompiledGame<C> {
    /// The game of a program.
    pub fn new(program: Program) -> Result<Self, C::Error> {
        let code = C::new(&program)?;
        Ok(CompiledGame::with_code(program, code))
    }

    /// A game whose code is at hand: that of the program.
    pub fn with_code(program: Program, code: C) -> Self {
        CompiledGame {
            code,
            zobrist: Zobrist::new(&program.description),
            words: Words::new(&program.description, &Layout::new(&program)),
            rules: RulesGame::new(program),
            interpreted: AtomicU64::new(0),
        }
    }

    /// The same game; where the interpreter answers, it gives up after so many steps.
    pub fn with_most_steps(mut self, steps: u64) -> Self {
        self.rules = self.rules.with_most_steps(steps);
        self
    }

    /// The program behind the game.
    pub fn program(&self) -> &Program {
        self.rules.program()
    }

    /// How many positions were expanded by the interpreter: those where the rules make an error, and where
    /// code does not know the outcome. Many of them make a game slow.
    pub fn interpreted(&self) -> u64 {
        self.interpreted.load(Ordering::Relaxed)
    }

    /// A position as the interpreter sees it.
    pub(crate) fn read(&self, words: &WordsOf<C>) -> RulesPosition {
        self.rules.position(&self.words.layout().read(words.as_ref()))
    }

    /// The moves that take something and whose children are wanted.
    #[inline]
    pub(crate) fn taking(
        &self,
        before: &WordsOf<C>,
        weights: &Weights,
        endings: bool,
        moves: &mut Vec<Move<C::Kept>>,
        wanted: impl Fn(&[u64]) -> bool,
    ) -> Result<Option<Outcome>, RulesError> {
        let mut frame = Frame::borrow();
        let frame = &mut *frame;
        if endings || !self.take(before, weights, frame) {
            let outcome = self.expand(before, frame)?;
            if outcome.is_some() {
                moves.clear();
                return Ok(outcome);
            }
        }
        let mut count = 0;
        for child in frame.children.iter() {
            let after = child.as_ref();
            if wanted(after) && self.words.weigh_move(before.as_ref(), after, weights) < 0 {
                Move::put(moves, count, &self.words, before, child);
                count += 1;
            }
        }
        moves.truncate(count);
        Ok(None)
    }

    /// What an evaluation counts, by code; nothing where that cannot tell.
    pub(crate) fn counted(&self, words: &WordsOf<C>, evaluation: usize, counts: &mut [i32]) -> Option<i32> {
        let mut numbers = crate::Numbers::new();
        self.code.features(evaluation, words, &mut numbers).ok()?;
        words::counts(self.program(), evaluation, words.as_ref()[multigame_mir::HEADER], &numbers, counts)
    }
}

/// The player to move by the header of a position.
#[inline]
pub(crate) fn side_of(header: u64) -> Side {
    if header & Header::BLACK == 0 { Side::White } else { Side::Black }
}
