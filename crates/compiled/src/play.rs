//! Code as a [`Game`].

use std::ops::ControlFlow;

use multigame_game::{
    Called, Description, Diagram, Evaluation, Field, FieldWeights, Game, Goal, Network, Outcome, Piece,
    PieceSet, Puzzle, RulesError, Side, Signature, Tuple, Visitor, Weights,
};
use multigame_mir::{HEADER, Header, SIGNATURE};

use crate::counting::Counting;
use crate::expand::Results;
use crate::frame::{Borrowed, Frame};
use crate::game::side_of;
use crate::words;
use crate::{Code, CompiledGame, Failed, Kept, Move, Position, Positions};

impl<C: Code> Game for CompiledGame<C> {
    type Position = Position<C::Kept>;
    type Move = Move<C::Kept>;

    #[inline]
    fn description(&self) -> &Description {
        self.rules.description()
    }

    fn position(&self, diagram: &Diagram) -> Self::Position {
        let length = self.words.layout().words();
        let mut kept = C::Kept::zeroed(length);
        let words = kept.room(length).as_mut();
        self.words.layout().write(diagram, words);
        words[SIGNATURE] = self.zobrist.signature(diagram);
        Position { kept }
    }

    fn diagram(&self, position: &Self::Position) -> Diagram {
        self.words.layout().read(position.words())
    }

    #[inline]
    fn side_to_move(&self, position: &Self::Position) -> Side {
        side_of(position.words()[HEADER])
    }

    #[inline]
    fn signature(&self, position: &Self::Position) -> Signature {
        position.words()[SIGNATURE]
    }

    #[inline]
    fn is_irreversible(&self, position: &Self::Position) -> bool {
        position.words()[HEADER] & Header::IRREVERSIBLE != 0
    }

    fn visit(
        &self,
        position: &Self::Position,
        visitor: &mut Visitor<'_, Self>,
    ) -> Result<Option<Outcome>, RulesError> {
        let before = position.kept.words();
        let mut frame = Frame::borrow();
        let frame = &mut *frame;
        if let Some(outcome) = self.expand(before, frame)? {
            return Ok(Some(outcome));
        }
        let mv = frame.mv.get_or_insert_with(|| Move { child: position.clone(), key: 0 });
        for child in frame.children.iter() {
            mv.describe(&self.words, before, child);
            if visitor(mv, &mv.child).is_break() {
                break;
            }
        }
        Ok(None)
    }

    fn children(
        &self,
        position: &Self::Position,
        visitor: &mut dyn FnMut(&Self::Position) -> ControlFlow<()>,
    ) -> Result<Option<Outcome>, RulesError> {
        let before = position.kept.words();
        let mut frame = Frame::borrow();
        let frame = &mut *frame;
        // PERF: `expand` would write its answer to memory in small pieces and have it read as a whole, which
        // has to wait for them: a fifteenth of the time of IDA*.
        match self.results(before, frame) {
            Ok(Results::Moves) => {}
            others => {
                if let Some(outcome) = self.expand_without_moves(others, before, frame)? {
                    return Ok(Some(outcome));
                }
            }
        }
        frame.children.show(&mut frame.child, visitor);
        Ok(None)
    }

    fn moves(
        &self,
        position: &Self::Position,
        moves: &mut Vec<Self::Move>,
    ) -> Result<Option<Outcome>, RulesError> {
        let before = position.kept.words();
        let mut frame = Frame::borrow();
        let frame = &mut *frame;
        if let Some(outcome) = self.expand(before, frame)? {
            moves.clear();
            return Ok(Some(outcome));
        }
        // The moves in the buffer are written over: large moves have memory of their own.
        moves.truncate(frame.children.len());
        let mut children = frame.children.iter();
        for (mv, child) in moves.iter_mut().zip(&mut children) {
            mv.describe(&self.words, before, child);
        }
        moves.extend(children.map(|child| Move::new(&self.words, before, child)));
        Ok(None)
    }

    fn takes(
        &self,
        position: &Self::Position,
        weights: &Weights,
        endings: bool,
        moves: &mut Vec<Self::Move>,
    ) -> Result<Option<Outcome>, RulesError> {
        self.taking(position.kept.words(), weights, endings, moves, |_| true)
    }

    fn takes_on(
        &self,
        position: &Self::Position,
        weights: &Weights,
        field: usize,
        moves: &mut Vec<Self::Move>,
    ) -> Result<(), RulesError> {
        let (before, side) = (position.words(), self.side_to_move(position));
        let wanted = |child: &[u64]| self.words.goes_to(before, child, side, field);
        self.taking(position.kept.words(), weights, false, moves, wanted)?;
        Ok(())
    }

    fn pick(
        &self,
        position: &Self::Position,
        choose: &mut dyn FnMut(usize) -> usize,
        picked: &mut Vec<Self::Move>,
    ) -> Result<Option<Outcome>, RulesError> {
        let before = position.kept.words();
        let (header, length) = (before.as_ref()[HEADER], before.as_ref().len());
        let side = side_of(header);
        picked.resize_with(1, || Move { child: position.clone(), key: 0 });
        let mv = &mut picked[0];
        let mut chosen = None;
        let mut scratch = self.code.scratch();
        if header & Header::OUTCOME_MASK == 0
            && let Ok([moves, endings]) = self.code.choices(&mut scratch, side, before)
            && moves > 0
        {
            let number = choose((moves + endings) as usize);
            let room = mv.child.kept.room(length);
            if self.code.pick(&mut scratch, side, before, number as u64, room) == Ok(true) {
                mv.key = self.words.key(before.as_ref(), room.as_ref());
                return Ok(None);
            }
            chosen = Some(number);
        }
        let mut frame = Frame::borrow();
        let frame = &mut *frame;
        let outcome = self.expand(before, frame)?;
        if outcome.is_none() {
            let chosen = chosen.unwrap_or_else(|| choose(frame.children.len()));
            mv.describe(&self.words, before, frame.children.get(chosen));
        }
        Ok(outcome)
    }

    fn count(&self, position: &Self::Position) -> Result<u64, RulesError> {
        let words = position.kept.words();
        Counting::new(&self.code).moves(words).map_or_else(|| self.made_moves(words), Ok)
    }

    fn leaves(&self, position: &Self::Position, depth: u32) -> Result<Option<u64>, RulesError> {
        let mut frames: Vec<Borrowed<C>> = (1..depth).map(|_| Frame::borrow()).collect();
        let mut counting = Counting::new(&self.code);
        self.count_leaves(position.kept.words(), &mut frames, &mut counting).map(Some)
    }

    fn outcome(&self, position: &Self::Position) -> Result<Option<Outcome>, RulesError> {
        let (words, header) = (position.kept.words(), position.words()[HEADER]);
        if header & Header::OUTCOME_MASK == 0
            && let Ok([moves, _]) = self.code.count_at_hand(side_of(header), words)
            && moves > 0
        {
            return Ok(None);
        }
        let mut frame = Frame::borrow();
        match self.results(words, &mut frame) {
            Err(Failed) => self.interpret_outcome(words),
            results => self.expand_without_moves(results, words, &mut frame),
        }
    }

    #[inline]
    fn ended(&self, position: &Self::Position) -> Option<Outcome> {
        words::outcome(position.words())
    }

    #[inline]
    fn ending(&self, mv: &Self::Move) -> Option<Outcome> {
        words::outcome(mv.child.words())
    }

    fn judge(&self, position: &Self::Position, cycle: u32) -> Result<Outcome, RulesError> {
        self.rules.judge(&self.read(position.kept.words()), cycle)
    }

    fn called(&self, position: &Self::Position) -> Result<Vec<Called>, RulesError> {
        self.rules.called(&self.read(position.kept.words()))
    }

    #[inline]
    fn apply(&self, _: &Self::Position, mv: &Self::Move, child: &mut Self::Position) {
        child.clone_from(&mv.child);
    }

    #[inline]
    fn hand_over(&self, position: &Self::Position, child: &mut Self::Position) {
        child.clone_from(position);
        words::hand_over(child.kept.room(position.words().len()).as_mut());
    }

    #[inline]
    fn move_key(&self, mv: &Self::Move) -> u64 {
        mv.key
    }

    #[inline]
    fn ends(&self, position: &Self::Position, mv: &Self::Move) -> (usize, usize) {
        self.words.ends(position.words(), mv.child.words(), self.side_to_move(position))
    }

    fn mover(&self, position: &Self::Position, mv: &Self::Move) -> Option<Piece> {
        self.words.mover(position.words(), mv.child.words(), self.side_to_move(position))
    }

    fn puzzle(&self) -> Option<Puzzle> {
        self.rules.puzzle()
    }

    #[inline]
    fn fields_of(&self, position: &Self::Position, piece: Piece) -> u64 {
        self.words.layout().fields_of(position.words(), piece, 0)
    }

    #[inline]
    fn for_each_piece(&self, position: &Self::Position, visit: impl FnMut(Piece, usize)) {
        self.words.for_each_piece(position.words(), visit);
    }

    #[inline]
    fn value(&self, position: &Self::Position, slot: usize) -> i32 {
        self.words.value(position.words(), slot)
    }

    #[inline]
    fn weigh(&self, position: &Self::Position, weights: &Weights) -> i32 {
        self.words.weigh(position.words(), weights)
    }

    #[inline]
    fn weigh_move(&self, position: &Self::Position, mv: &Self::Move, weights: &Weights) -> i32 {
        self.words.weigh_move(position.words(), mv.child.words(), weights)
    }

    #[inline]
    fn weigh_fields(&self, position: &Self::Position, weights: &FieldWeights) -> [i32; 2] {
        self.words.weigh_fields(position.words(), weights)
    }

    #[inline]
    fn replace(&self, position: &mut Self::Position, field: Field, before: Piece, after: Piece) {
        let length = position.words().len();
        let words = position.kept.room(length).as_mut();
        self.words.layout().replace(words, field.index(), before, after);
        words[SIGNATURE] ^= self.zobrist.piece(before, field) ^ self.zobrist.piece(after, field);
    }

    fn symmetries(&self, pieces: PieceSet) -> Vec<Vec<Field>> {
        self.rules.symmetries(pieces)
    }

    fn goals(&self) -> Vec<Goal> {
        self.rules.goals()
    }

    fn evaluations(&self) -> &[Evaluation] {
        self.rules.evaluations()
    }

    fn patterns(&self) -> &[Tuple] {
        self.rules.patterns()
    }

    fn network(&self) -> Option<&Network> {
        self.rules.network()
    }

    fn is_calm(&self, position: &Self::Position, evaluation: usize) -> Option<bool> {
        self.program().evaluations[evaluation].calm?;
        match self.code.calm(evaluation, position.kept.words()) {
            Ok(both) => Some(both[self.side_to_move(position).index()] != 0),
            Err(_) => self.rules.is_calm(&self.read(position.kept.words()), evaluation),
        }
    }

    fn features(
        &self,
        position: &Self::Position,
        evaluation: usize,
        counts: &mut [i32],
    ) -> Result<i32, RulesError> {
        let words = position.kept.words();
        match self.counted(words, evaluation, counts) {
            Some(phase) => Ok(phase),
            None => self.rules.features(&self.read(words), evaluation, counts),
        }
    }
}
