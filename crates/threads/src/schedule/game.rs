//! A game that lets other threads go on whenever a search asks it something, and an evaluator for it.

use multigame_game::{
    Called, Description, Diagram, Evaluation, Game, Goal, Network, Outcome, Puzzle, RulesError, Side,
    Signature, Tuple, Visitor,
};
use multigame_search::{Evaluator, Value};

use super::baton::point;

/// The game of that name, interleaved.
#[derive(Debug)]
pub(super) struct Interleaved<G>(pub G);

impl<G: Game> Game for Interleaved<G> {
    type Position = G::Position;
    type Move = G::Move;

    fn description(&self) -> &Description {
        self.0.description()
    }

    fn position(&self, diagram: &Diagram) -> G::Position {
        self.0.position(diagram)
    }

    fn diagram(&self, position: &G::Position) -> Diagram {
        self.0.diagram(position)
    }

    fn side_to_move(&self, position: &G::Position) -> Side {
        self.0.side_to_move(position)
    }

    fn signature(&self, position: &G::Position) -> Signature {
        point();
        self.0.signature(position)
    }

    fn is_irreversible(&self, position: &G::Position) -> bool {
        self.0.is_irreversible(position)
    }

    fn visit(
        &self,
        position: &G::Position,
        visitor: &mut Visitor<'_, Self>,
    ) -> Result<Option<Outcome>, RulesError> {
        point();
        let outcome = self.0.visit(position, visitor);
        point();
        outcome
    }

    fn outcome(&self, position: &G::Position) -> Result<Option<Outcome>, RulesError> {
        point();
        self.0.outcome(position)
    }

    fn ended(&self, position: &G::Position) -> Option<Outcome> {
        self.0.ended(position)
    }

    fn ending(&self, mv: &G::Move) -> Option<Outcome> {
        self.0.ending(mv)
    }

    fn apply(&self, position: &G::Position, mv: &G::Move, child: &mut G::Position) {
        point();
        self.0.apply(position, mv, child);
    }

    fn move_key(&self, mv: &G::Move) -> u64 {
        self.0.move_key(mv)
    }

    fn puzzle(&self) -> Option<Puzzle> {
        self.0.puzzle()
    }

    fn called(&self, position: &G::Position) -> Result<Vec<Called>, RulesError> {
        self.0.called(position)
    }

    fn judge(&self, position: &G::Position, cycle: u32) -> Result<Outcome, RulesError> {
        self.0.judge(position, cycle)
    }

    fn goals(&self) -> Vec<Goal> {
        self.0.goals()
    }

    fn evaluations(&self) -> &[Evaluation] {
        self.0.evaluations()
    }

    fn patterns(&self) -> &[Tuple] {
        self.0.patterns()
    }

    fn network(&self) -> Option<&Network> {
        self.0.network()
    }

    fn is_calm(&self, position: &G::Position, evaluation: usize) -> Option<bool> {
        self.0.is_calm(position, evaluation)
    }

    fn features(
        &self,
        position: &G::Position,
        evaluation: usize,
        counts: &mut [i32],
    ) -> Result<i32, RulesError> {
        self.0.features(position, evaluation, counts)
    }
}

/// The evaluator of the game inside.
#[derive(Debug)]
pub(super) struct Inside<E>(pub E);

impl<G: Game, E: Evaluator<G>> Evaluator<Interleaved<G>> for Inside<E> {
    fn evaluate(&self, game: &Interleaved<G>, position: &G::Position) -> Value {
        point();
        self.0.evaluate(&game.0, position)
    }

    fn is_quiet(
        &self,
        game: &Interleaved<G>,
        position: &G::Position,
        mv: &G::Move,
        child: &G::Position,
    ) -> bool {
        self.0.is_quiet(&game.0, position, mv, child)
    }

    fn extension(
        &self,
        game: &Interleaved<G>,
        position: &G::Position,
        mv: &G::Move,
        child: &G::Position,
    ) -> u32 {
        self.0.extension(&game.0, position, mv, child)
    }

    fn pass(&self, game: &Interleaved<G>, position: &G::Position, child: &mut G::Position) -> bool {
        self.0.pass(&game.0, position, child)
    }

    fn lower_bound(&self, game: &Interleaved<G>, position: &G::Position) -> u32 {
        self.0.lower_bound(&game.0, position)
    }
}
