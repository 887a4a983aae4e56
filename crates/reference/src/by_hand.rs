//! The interface of a hand-written game, and the [`Game`] made from it.

use std::fmt::Debug;
use std::ops::ControlFlow;

use multigame_game::{Description, Diagram, Game, Outcome, RulesError, Side, Signature, Visitor};

/// A game written by hand. Positions are small values, so a move gives a new one.
pub trait HandWritten: Send + Sync + 'static {
    /// A position.
    type Position: Clone + PartialEq + Debug + Send + Sync;

    /// A move.
    type Move: Copy + PartialEq + Debug + Send + Sync;

    /// Board, pieces, properties, conventions.
    fn description() -> Description;

    /// The position of a diagram, which must be one that can arise in the game.
    fn read(diagram: &Diagram) -> Self::Position;

    /// The diagram of a position.
    fn show(position: &Self::Position) -> Diagram;

    /// Whose turn it is.
    fn side(position: &Self::Position) -> Side;

    /// The position's fingerprint.
    fn signature(position: &Self::Position) -> Signature;

    /// Whether the move that led here can never be undone.
    fn irreversible(position: &Self::Position) -> bool;

    /// Hands out the moves until told to stop; the outcome instead where the position is final.
    fn each(position: &Self::Position, take: impl FnMut(Self::Move) -> ControlFlow<()>) -> Option<Outcome>;

    /// Number of moves; 0 where the position is final.
    fn count(position: &Self::Position) -> u64;

    /// The position after a move.
    fn play(position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// A fingerprint of the move.
    fn key(mv: Self::Move) -> u64;
}

/// A hand-written game as a [`Game`].
#[derive(Debug)]
pub struct ByHand<R: HandWritten> {
    description: Description,
    rules: std::marker::PhantomData<R>,
}

impl<R: HandWritten> ByHand<R> {
    /// The game.
    pub fn new() -> Self {
        ByHand { description: R::description(), rules: std::marker::PhantomData }
    }
}

impl<R: HandWritten> Default for ByHand<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: HandWritten> Game for ByHand<R> {
    type Position = R::Position;
    type Move = R::Move;

    fn description(&self) -> &Description {
        &self.description
    }

    fn position(&self, diagram: &Diagram) -> R::Position {
        R::read(diagram)
    }

    fn diagram(&self, position: &R::Position) -> Diagram {
        R::show(position)
    }

    fn side_to_move(&self, position: &R::Position) -> Side {
        R::side(position)
    }

    fn signature(&self, position: &R::Position) -> Signature {
        R::signature(position)
    }

    fn is_irreversible(&self, position: &R::Position) -> bool {
        R::irreversible(position)
    }

    fn visit(
        &self,
        position: &R::Position,
        visitor: &mut Visitor<'_, Self>,
    ) -> Result<Option<Outcome>, RulesError> {
        Ok(R::each(position, |mv| visitor(&mv, &R::play(position, mv))))
    }

    fn children(
        &self,
        position: &R::Position,
        visitor: &mut dyn FnMut(&R::Position) -> ControlFlow<()>,
    ) -> Result<Option<Outcome>, RulesError> {
        Ok(R::each(position, |mv| visitor(&R::play(position, mv))))
    }

    fn moves(&self, position: &R::Position, moves: &mut Vec<R::Move>) -> Result<Option<Outcome>, RulesError> {
        moves.clear();
        Ok(R::each(position, |mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        }))
    }

    fn count(&self, position: &R::Position) -> Result<u64, RulesError> {
        Ok(R::count(position))
    }

    fn outcome(&self, position: &R::Position) -> Result<Option<Outcome>, RulesError> {
        Ok(R::each(position, |_| ControlFlow::Break(())))
    }

    fn ended(&self, _: &R::Position) -> Option<Outcome> {
        None
    }

    fn ending(&self, _: &R::Move) -> Option<Outcome> {
        None
    }

    multigame_game::moves_alone!();

    fn apply(&self, position: &R::Position, mv: &R::Move, child: &mut R::Position) {
        *child = R::play(position, *mv);
    }

    fn move_key(&self, mv: &R::Move) -> u64 {
        R::key(*mv)
    }
}
