//! The `Game` trait: where compiled rules, hand-written games and search engines meet.

use std::ops::ControlFlow;

use crate::{
    Description, Diagram, Evaluation, Field, FieldWeights, Goal, Network, Outcome, Piece, PieceSet, Portable,
    Puzzle, RulesError, Side, Signature, Tuple, Weights,
};

/// A game that can be searched.
///
/// A position is a value: [`apply`](Game::apply) writes the position after a move into one that the caller
/// already has, so a search that keeps one position for each ply allocates nothing for each node. There is no
/// `unmake`: copying was measured to be at least as fast, and it needs no code to undo.
///
/// Generation answers `Some(outcome)` instead of moves where the position is final. What depends on the way a
/// position was reached (repetition) is not the game's business: see [`crate::History`] and [`crate::Line`].
///
/// **Invariant:** a method has a default only if the default is right for every game, because it follows from
/// the other methods (`count` from `visit`) or says that nothing is known faster (`leaves`). A game that
/// passes questions on to another one may then forget a method and become slower, but the compiler refuses it
/// where it would become another game. [`moves_alone!`](crate::moves_alone) states the other answers for
/// games that consist of their moves alone.
pub trait Game: Send + Sync {
    /// A position, whose turn and how it ended included.
    type Position: Clone + PartialEq + std::fmt::Debug + Send + Sync;

    /// A move: what it takes to get from a position to the next.
    type Move: Clone + PartialEq + std::fmt::Debug + Send + Sync;

    /// Board, pieces, properties, conventions.
    fn description(&self) -> &Description;

    /// The position a game starts from.
    fn initial(&self) -> Self::Position {
        self.position(&self.description().initial)
    }

    /// The position shown by a diagram.
    fn position(&self, diagram: &Diagram) -> Self::Position;

    /// The diagram of a position.
    fn diagram(&self, position: &Self::Position) -> Diagram;

    /// Whose turn it is.
    fn side_to_move(&self, position: &Self::Position) -> Side;

    /// Whether nature moves here, unless the game is over: the moves are what may happen, and the position
    /// after each has its [`weight`](Game::weight).
    fn is_chance(&self, position: &Self::Position) -> bool {
        match self.description().chance {
            Some(chance) => self.value(position, chance.slot) == chance.waiting,
            None => false,
        }
    }

    /// The weight of the move of nature that led here, at least 1: its probability is its share of the
    /// weights of all that could have happened. Means nothing after a player's move.
    fn weight(&self, position: &Self::Position) -> u64 {
        let place = self.description().chance.and_then(|chance| chance.weight);
        place.map_or(1, |slot| self.value(position, slot).max(1) as u64)
    }

    /// The position's fingerprint, kept up to date move by move.
    fn signature(&self, position: &Self::Position) -> Signature;

    /// Whether the move that led here can never be undone, so that no earlier position can come back.
    fn is_irreversible(&self, position: &Self::Position) -> bool;

    /// Visits each move with the position it leads to until the visitor breaks.
    ///
    /// Where the position is final, nothing is visited and the outcome is returned.
    fn visit(
        &self,
        position: &Self::Position,
        visitor: &mut Visitor<'_, Self>,
    ) -> Result<Option<Outcome>, RulesError>;

    /// Visits the position that each move leads to until the visitor breaks: [`visit`](Game::visit) for those
    /// who do not need the moves, which may cost something to describe.
    fn children(
        &self,
        position: &Self::Position,
        visitor: &mut dyn FnMut(&Self::Position) -> ControlFlow<()>,
    ) -> Result<Option<Outcome>, RulesError> {
        self.visit(position, &mut |_, child| visitor(child))
    }

    /// Writes all moves into a buffer, which is cleared first. Where the position is final, the buffer stays
    /// empty and the outcome is returned.
    fn moves(
        &self,
        position: &Self::Position,
        moves: &mut Vec<Self::Move>,
    ) -> Result<Option<Outcome>, RulesError> {
        moves.clear();
        self.visit(position, &mut |mv, _| {
            moves.push(mv.clone());
            ControlFlow::Continue(())
        })
    }

    /// Writes the moves into a buffer after which the position weighs less: captures, where `weights` are
    /// those of the opponent's pieces. Otherwise like [`moves`](Game::moves); the buffer may stay empty
    /// though there are moves. Without `endings` the outcome of a position that the last move did not end may
    /// be missing: then other moves need not be looked for.
    fn takes(
        &self,
        position: &Self::Position,
        weights: &Weights,
        _endings: bool,
        moves: &mut Vec<Self::Move>,
    ) -> Result<Option<Outcome>, RulesError> {
        let outcome = self.moves(position, moves)?;
        moves.retain(|mv| self.weigh_move(position, mv, weights) < 0);
        Ok(outcome)
    }

    /// Those of the [moves that take something](Game::takes) that go to a field, counted from 1 as by
    /// [`ends`](Game::ends).
    fn takes_on(
        &self,
        position: &Self::Position,
        weights: &Weights,
        field: usize,
        moves: &mut Vec<Self::Move>,
    ) -> Result<(), RulesError> {
        self.takes(position, weights, false, moves)?;
        moves.retain(|mv| self.ends(position, mv).1 == field);
        Ok(())
    }

    /// Writes one of the moves into a buffer, as the only one: `choose` is told how many there are, at least
    /// one, and says which. The outcome instead if the position is final.
    fn pick(
        &self,
        position: &Self::Position,
        choose: &mut dyn FnMut(usize) -> usize,
        picked: &mut Vec<Self::Move>,
    ) -> Result<Option<Outcome>, RulesError> {
        let outcome = self.moves(position, picked)?;
        if outcome.is_none() {
            let chosen = choose(picked.len());
            picked.swap(0, chosen);
            picked.truncate(1);
        }
        Ok(outcome)
    }

    /// Number of moves; 0 where the position is final.
    fn count(&self, position: &Self::Position) -> Result<u64, RulesError> {
        let mut count = 0;
        self.visit(position, &mut |_, _| {
            count += 1;
            ControlFlow::Continue(())
        })?;
        Ok(count)
    }

    /// Number of sequences of `depth` moves, at least two, whatever the rules say on repetition; nothing
    /// where that is not known faster than by going through [`children`](Game::children).
    fn leaves(&self, _position: &Self::Position, _depth: u32) -> Result<Option<u64>, RulesError> {
        Ok(None)
    }

    /// The end of the game, or nothing if it goes on.
    fn outcome(&self, position: &Self::Position) -> Result<Option<Outcome>, RulesError> {
        self.visit(position, &mut |_, _| ControlFlow::Break(()))
    }

    /// The end that the move to this position gave the game; nothing where only the rules can tell. Engines
    /// that keep endings with positions answer at once; then equal fingerprints of a position that was won
    /// and one where the game goes on do no harm.
    fn ended(&self, position: &Self::Position) -> Option<Outcome>;

    /// The end that a move gives the game; nothing where only the rules can tell, as for
    /// [`ended`](Game::ended).
    fn ending(&self, mv: &Self::Move) -> Option<Outcome>;

    /// The names that the rules give to the moves of a position, the preferred names first; nothing where
    /// they do not name them. Asked by people's tools only, so it may be slow.
    fn called(&self, position: &Self::Position) -> Result<Vec<Called>, RulesError>;

    /// The end of the game because a position has come back as often as [`Repetition::Judge`] says; the first
    /// of these occurrences was `cycle` moves ago.
    ///
    /// [`Repetition::Judge`]: crate::Repetition::Judge
    fn judge(&self, position: &Self::Position, cycle: u32) -> Result<Outcome, RulesError>;

    /// Writes the position after a move of `position` into `child`, whose old content does not matter.
    fn apply(&self, position: &Self::Position, mv: &Self::Move, child: &mut Self::Position);

    /// Writes the position in which the opponent is to move instead into `child`, as if the player to move
    /// had passed, whether the rules allow that or not.
    fn hand_over(&self, position: &Self::Position, child: &mut Self::Position) {
        let mut diagram = self.diagram(position);
        diagram.side = diagram.side.opponent();
        *child = self.position(&diagram);
    }

    /// A fingerprint of the move itself: the same change of a position has the same key wherever it is made.
    /// Different moves in one position have different keys.
    fn move_key(&self, mv: &Self::Move) -> u64;

    /// From which field to which a move goes, counted from 1. Where nothing moves, one of the two is the
    /// field that changes and the other 0.
    fn ends(&self, position: &Self::Position, mv: &Self::Move) -> (usize, usize) {
        let mut child = position.clone();
        self.apply(position, mv, &mut child);
        let (before, after) = (self.diagram(position), self.diagram(&child));
        let own = self.description().pieces_of(before.side);
        let cells = before.cells.iter().zip(&after.cells).enumerate().filter(|(_, (old, new))| old != new);
        let (mut from, mut to) = (0, 0);
        for (field, (&old, &new)) in cells {
            from = if own.contains(old) { field + 1 } else { from };
            to = if own.contains(new) { field + 1 } else { to };
        }
        (from, to)
    }

    /// Whose move it is and from which field to which it goes, as one number: the same for all pieces and
    /// captures.
    fn route(&self, position: &Self::Position, mv: &Self::Move) -> u64 {
        let (from, to) = self.ends(position, mv);
        let [side, from, to] = [self.side_to_move(position).index(), from, to].map(|number| number as u64);
        crate::signature::mix((side << 40 | from << 20 | to) + 1)
    }

    /// Which kind of the player's pieces leaves its field by a move; nothing where none does. Where several
    /// do, any of them.
    fn mover(&self, position: &Self::Position, mv: &Self::Move) -> Option<Piece> {
        let mut child = position.clone();
        self.apply(position, mv, &mut child);
        let (before, after) = (self.diagram(position), self.diagram(&child));
        let own = self.description().pieces_of(before.side);
        let mut cells = before.cells.iter().zip(&after.cells);
        cells.find(|(old, new)| old != new && own.contains(**old)).map(|(&old, _)| old)
    }

    /// Facts about a puzzle that need no running of its rules; nothing for other games and where that is
    /// unknown.
    fn puzzle(&self) -> Option<Puzzle>;

    /// The fields on which a piece (not the empty field) stands, as bits. Only for boards of at most 64
    /// fields.
    fn fields_of(&self, position: &Self::Position, piece: Piece) -> u64 {
        let cells = self.diagram(position).cells;
        let fields = cells.iter().enumerate().filter(|(_, found)| **found == piece);
        fields.fold(0, |set, (field, _)| set | 1 << field)
    }

    /// Visits the pieces on the fields. Where searches are to be fast, engines answer without
    /// a diagram.
    #[inline]
    fn for_each_piece(&self, position: &Self::Position, mut visit: impl FnMut(Piece, usize)) {
        let cells = self.diagram(position).cells;
        let pieces = cells.iter().enumerate().filter(|(_, piece)| **piece != Piece::NONE);
        pieces.for_each(|(field, &piece)| visit(piece, field));
    }

    /// One of the values that [`Diagram::values`] has of a position.
    fn value(&self, position: &Self::Position, slot: usize) -> i32 {
        self.diagram(position).values[slot]
    }

    /// The total weight of the pieces and values of a position. Where searches are to be fast, engines answer
    /// without a diagram.
    fn weigh(&self, position: &Self::Position, weights: &Weights) -> i32 {
        weights.sum(&self.diagram(position))
    }

    /// By how much a move of a position changes what it weighs.
    fn weigh_move(&self, position: &Self::Position, mv: &Self::Move, weights: &Weights) -> i32 {
        let mut child = position.clone();
        self.apply(position, mv, &mut child);
        self.weigh(&child, weights) - self.weigh(position, weights)
    }

    /// The total weight of the pieces of a position on their fields, in the opening and at the end of the
    /// game, White's positive.
    fn weigh_fields(&self, position: &Self::Position, weights: &FieldWeights) -> [i32; 2] {
        weights.sum(&self.diagram(position))
    }

    /// Puts a piece on a field on which another stands, either of which may be the empty field. The game has
    /// not ended in that position.
    fn replace(&self, position: &mut Self::Position, field: Field, _before: Piece, after: Piece) {
        let mut diagram = self.diagram(position);
        diagram.cells[field.index()] = after;
        *position = self.position(&diagram);
    }

    /// Ways to turn or reflect the board that change nothing about how games go on from positions that have
    /// none but these pieces, and all properties that are hashed at their least values: where each field
    /// goes. They are proved from the rules, so some may be missing.
    fn symmetries(&self, _pieces: PieceSet) -> Vec<Vec<Field>> {
        Vec::new()
    }

    /// Where pieces have to get for their owners to win, as far as that is known.
    fn goals(&self) -> Vec<Goal>;

    /// The evaluations that come with the game; the first one is used unless another is chosen.
    fn evaluations(&self) -> &[Evaluation];

    /// Learned patterns of groups of fields: added to the evaluation, unless an evaluation
    /// is chosen.
    fn patterns(&self) -> &[Tuple];

    /// The learned network: added to the evaluation instead of patterns, unless
    /// an evaluation is chosen.
    fn network(&self) -> Option<&Network>;

    /// Whether the player to move may count on the value of a position by an evaluation, because nothing
    /// serious such as check is threatened; nothing where the evaluation does not say.
    fn is_calm(&self, position: &Self::Position, evaluation: usize) -> Option<bool>;

    /// The counts of the counted terms of an evaluation in a position: own things minus the opponent's, as
    /// the player to move sees them. The answer is the phase, within its range, and means nothing where there
    /// is none.
    ///
    /// `evaluation` counts [`evaluations`](Game::evaluations), `counts` has one entry for each counted term.
    fn features(
        &self,
        position: &Self::Position,
        evaluation: usize,
        counts: &mut [i32],
    ) -> Result<i32, RulesError>;
}

/// The methods of [`Game`] that a game answers with nothing if it consists of its moves alone: the moves have
/// no names of their own, repetition is not judged, and there are no evaluations, goals, patterns or
/// networks. Written inside of `impl Game`; the game itself says how [`ended`](Game::ended) and
/// [`ending`](Game::ending) answer.
#[macro_export]
macro_rules! moves_alone {
    () => {
        fn called(&self, _: &Self::Position) -> Result<Vec<$crate::Called>, $crate::RulesError> {
            Ok(Vec::new())
        }

        fn judge(&self, _: &Self::Position, _: u32) -> Result<$crate::Outcome, $crate::RulesError> {
            Ok($crate::Outcome::Draw)
        }

        fn puzzle(&self) -> Option<$crate::Puzzle> {
            None
        }

        fn goals(&self) -> Vec<$crate::Goal> {
            Vec::new()
        }

        fn evaluations(&self) -> &[$crate::Evaluation] {
            &[]
        }

        fn patterns(&self) -> &[$crate::Tuple] {
            &[]
        }

        fn network(&self) -> Option<&$crate::Network> {
            None
        }

        fn is_calm(&self, _: &Self::Position, _: usize) -> Option<bool> {
            None
        }

        fn features(
            &self,
            _: &Self::Position,
            _: usize,
            counts: &mut [i32],
        ) -> Result<i32, $crate::RulesError> {
            counts.fill(0);
            Ok(0)
        }
    };
}

/// A name that the rules give to a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The position after the move.
    pub after: Diagram,
    /// Its name.
    pub name: String,
}

/// Called with each move and the position it leads to; `Break` stops the generation.
pub type Visitor<'a, G> = dyn FnMut(&<G as Game>::Move, &<G as Game>::Position) -> ControlFlow<()> + 'a;

/// Code for a game of any type. It is compiled for each type, so nothing is slower than
/// it would be for that game alone.
pub trait WithGame {
    /// The result.
    type Output;

    /// Does it.
    fn run<G: Portable + 'static>(self, game: G) -> Self::Output;
}
