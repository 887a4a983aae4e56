//! Generated code as a game.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use multigame_game::{
    Called, Description, Diagram, Evaluation, FieldWeights, Game, Goal, MAX_TERMS, Network, Outcome, Piece,
    Puzzle, RulesError, Side, Signature, Tuple, Visitor, Weights, Zobrist,
};
use multigame_ir::{Program, RulesGame};
use multigame_mir::{HEADER, Header, Layout, MAX_RESULTS, SIGNATURE};

use crate::expand::Counting;
use crate::frame::Frame;
use crate::position::{NativeMove, NativePosition};
use crate::words::{self, Words};
use crate::{Code, Failed, Single};

/// A game given by rules and played by Rust that was generated from them.
#[derive(Debug)]
pub struct NativeGame<C, const WORDS: usize> {
    zobrist: Zobrist,
    pub(crate) words: Words,
    /// Answers what generated code does not: errors of the rules, and what is asked too rarely to be compiled.
    pub(crate) rules: RulesGame,
    code: PhantomData<C>,
}

impl<C: Code<WORDS>, const WORDS: usize> NativeGame<C, WORDS> {
    /// The game of a program, whose code was generated before. Nothing if positions of the program have another size:
    /// then the code was generated from other rules.
    pub fn new(program: Program) -> Option<Self> {
        let layout = Layout::new(&program);
        (layout.words() == WORDS).then(|| NativeGame {
            zobrist: Zobrist::new(&program.description),
            words: Words::new(&program.description, &layout),
            rules: RulesGame::new(program),
            code: PhantomData,
        })
    }

    /// The moves that take something and whose children are wanted.
    #[inline]
    fn taking(
        &self,
        words: &[u64; WORDS],
        weights: &Weights,
        endings: bool,
        moves: &mut Vec<NativeMove<WORDS>>,
        wanted: impl Fn(&[u64; WORDS]) -> bool,
    ) -> Result<Option<Outcome>, RulesError> {
        moves.clear();
        let mut frame = Frame::borrow();
        let outcome = match endings || !self.take(words, weights, &mut frame) {
            true => self.expand(words, &mut frame)?,
            false => None,
        };
        if outcome.is_none() {
            let taking = frame.children.0.iter().filter(|NativePosition { words: child }| {
                wanted(child) && self.words.weigh_move(words, child, weights) < 0
            });
            moves.extend(taking.map(|child| self.describe(words, child)));
        }
        Ok(outcome)
    }

    #[inline]
    fn describe(&self, before: &[u64; WORDS], child: &NativePosition<WORDS>) -> NativeMove<WORDS> {
        NativeMove { child: *child, key: self.words.key(before, &child.words) }
    }
}

#[inline]
pub(crate) fn side_of<const WORDS: usize>(words: &[u64; WORDS]) -> Side {
    if words[HEADER] & Header::BLACK == 0 { Side::White } else { Side::Black }
}

impl<C: Code<WORDS>, const WORDS: usize> Game for NativeGame<C, WORDS> {
    type Position = NativePosition<WORDS>;
    type Move = NativeMove<WORDS>;

    #[inline]
    fn description(&self) -> &Description {
        self.rules.description()
    }

    fn position(&self, diagram: &Diagram) -> Self::Position {
        let mut words = [0; WORDS];
        self.words.layout().write(diagram, &mut words);
        words[SIGNATURE] = self.zobrist.signature(diagram);
        NativePosition { words }
    }

    fn diagram(&self, position: &Self::Position) -> Diagram {
        self.words.layout().read(&position.words)
    }

    #[inline]
    fn side_to_move(&self, position: &Self::Position) -> Side {
        side_of(&position.words)
    }

    #[inline]
    fn signature(&self, position: &Self::Position) -> Signature {
        position.words[SIGNATURE]
    }

    #[inline]
    fn is_irreversible(&self, position: &Self::Position) -> bool {
        position.words[HEADER] & Header::IRREVERSIBLE != 0
    }

    fn visit(
        &self,
        position: &Self::Position,
        visitor: &mut Visitor<'_, Self>,
    ) -> Result<Option<Outcome>, RulesError> {
        let mut frame = Frame::borrow();
        let outcome = self.expand(&position.words, &mut frame)?;
        if outcome.is_none() {
            for child in &frame.children.0 {
                let mv = self.describe(&position.words, child);
                if visitor(&mv, &mv.child).is_break() {
                    break;
                }
            }
        }
        Ok(outcome)
    }

    fn children(
        &self,
        position: &Self::Position,
        visitor: &mut dyn FnMut(&Self::Position) -> ControlFlow<()>,
    ) -> Result<Option<Outcome>, RulesError> {
        let mut frame = Frame::borrow();
        let outcome = self.expand(&position.words, &mut frame)?;
        if outcome.is_none() {
            for child in &frame.children.0 {
                if visitor(child).is_break() {
                    break;
                }
            }
        }
        Ok(outcome)
    }

    fn moves(
        &self,
        position: &Self::Position,
        moves: &mut Vec<Self::Move>,
    ) -> Result<Option<Outcome>, RulesError> {
        moves.clear();
        let mut frame = Frame::borrow();
        let outcome = self.expand(&position.words, &mut frame)?;
        if outcome.is_none() {
            moves.extend(frame.children.0.iter().map(|child| self.describe(&position.words, child)));
        }
        Ok(outcome)
    }

    fn takes(
        &self,
        position: &Self::Position,
        weights: &Weights,
        endings: bool,
        moves: &mut Vec<Self::Move>,
    ) -> Result<Option<Outcome>, RulesError> {
        self.taking(&position.words, weights, endings, moves, |_| true)
    }

    fn takes_on(
        &self,
        position: &Self::Position,
        weights: &Weights,
        field: usize,
        moves: &mut Vec<Self::Move>,
    ) -> Result<(), RulesError> {
        let (words, side) = (&position.words, side_of(&position.words));
        self.taking(words, weights, false, moves, |child| self.words.goes_to(words, child, side, field))?;
        Ok(())
    }

    fn pick(
        &self,
        position: &Self::Position,
        choose: &mut dyn FnMut(usize) -> usize,
        picked: &mut Vec<Self::Move>,
    ) -> Result<Option<Outcome>, RulesError> {
        let (words, side) = (&position.words, side_of(&position.words));
        let mut chosen = None;
        if C::PICKS
            && words[HEADER] & Header::OUTCOME_MASK == 0
            && let Some(Ok([moves, endings])) = C::count(side, words)
            && moves > 0
        {
            let number = choose((moves + endings) as usize);
            picked.resize(1, NativeMove { child: *position, key: 0 });
            let mv = &mut picked[0];
            let mut child = Single::at(&mut mv.child.words);
            if C::pick(side, words, number as u64, &mut child) == Some(Ok(())) && child.is_made() {
                mv.key = self.words.key(words, &mv.child.words);
                return Ok(None);
            }
            chosen = Some(number);
        }
        picked.clear();
        let mut frame = Frame::borrow();
        let outcome = self.expand(words, &mut frame)?;
        if outcome.is_none() {
            let chosen = chosen.unwrap_or_else(|| choose(frame.children.0.len()));
            picked.push(self.describe(words, &frame.children.0[chosen]));
        }
        Ok(outcome)
    }

    fn count(&self, position: &Self::Position) -> Result<u64, RulesError> {
        Self::counted_moves(&position.words).map_or_else(|| self.made_moves(&position.words), Ok)
    }

    fn leaves(&self, position: &Self::Position, depth: u32) -> Result<Option<u64>, RulesError> {
        let mut frames: Vec<_> = (1..depth).map(|_| Frame::borrow()).collect();
        self.count_leaves(&position.words, &mut frames, &mut Counting::default()).map(Some)
    }

    fn outcome(&self, position: &Self::Position) -> Result<Option<Outcome>, RulesError> {
        let words = &position.words;
        if words[HEADER] & Header::OUTCOME_MASK == 0
            && let Some(Ok([moves, _])) = C::count(side_of(words), words)
            && moves > 0
        {
            return Ok(None);
        }
        self.expand(words, &mut Frame::borrow())
    }

    #[inline]
    fn ended(&self, position: &Self::Position) -> Option<Outcome> {
        words::outcome(&position.words)
    }

    #[inline]
    fn ending(&self, mv: &Self::Move) -> Option<Outcome> {
        words::outcome(&mv.child.words)
    }

    #[inline]
    fn apply(&self, _: &Self::Position, mv: &Self::Move, child: &mut Self::Position) {
        *child = mv.child;
    }

    #[inline]
    fn hand_over(&self, position: &Self::Position, child: &mut Self::Position) {
        *child = *position;
        crate::words::hand_over(&mut child.words);
    }

    #[inline]
    fn move_key(&self, mv: &Self::Move) -> u64 {
        mv.key
    }

    fn called(&self, position: &Self::Position) -> Result<Vec<Called>, RulesError> {
        self.rules.called(&self.rules.position(&self.diagram(position)))
    }

    #[inline]
    fn ends(&self, position: &Self::Position, mv: &Self::Move) -> (usize, usize) {
        self.words.ends(&position.words, &mv.child.words, side_of(&position.words))
    }

    fn mover(&self, position: &Self::Position, mv: &Self::Move) -> Option<Piece> {
        self.words.mover(&position.words, &mv.child.words, side_of(&position.words))
    }

    fn puzzle(&self) -> Option<Puzzle> {
        self.rules.puzzle()
    }

    #[inline]
    fn fields_of(&self, position: &Self::Position, piece: Piece) -> u64 {
        self.words.layout().fields_of(&position.words, piece, 0)
    }

    #[inline]
    fn for_each_piece(&self, position: &Self::Position, visit: impl FnMut(Piece, usize)) {
        self.words.for_each_piece(&position.words, visit);
    }

    #[inline]
    fn value(&self, position: &Self::Position, slot: usize) -> i32 {
        self.words.value(&position.words, slot)
    }

    #[inline]
    fn weigh(&self, position: &Self::Position, weights: &Weights) -> i32 {
        self.words.weigh(&position.words, weights)
    }

    #[inline]
    fn weigh_move(&self, position: &Self::Position, mv: &Self::Move, weights: &Weights) -> i32 {
        self.words.weigh_move(&position.words, &mv.child.words, weights)
    }

    #[inline]
    fn weigh_fields(&self, position: &Self::Position, weights: &FieldWeights) -> [i32; 2] {
        self.words.weigh_fields(&position.words, weights)
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

    fn goals(&self) -> Vec<Goal> {
        self.rules.goals()
    }

    fn is_calm(&self, position: &Self::Position, evaluation: usize) -> Option<bool> {
        self.rules.program().evaluations[evaluation].calm?;
        let words = &position.words;
        match C::calm(evaluation, words) {
            Ok(both) => Some(both[side_of(words).index()] != 0),
            Err(Failed) => {
                self.rules.is_calm(&self.rules.position(&self.words.layout().read(words)), evaluation)
            }
        }
    }

    fn features(
        &self,
        position: &Self::Position,
        evaluation: usize,
        counts: &mut [i32],
    ) -> Result<i32, RulesError> {
        let mut numbers = [0; 2 * MAX_TERMS + MAX_RESULTS + 1];
        let words = &position.words;
        if let Ok(()) = C::features(evaluation, words, &mut numbers)
            && let Some(phase) =
                words::counts(self.rules.program(), evaluation, words[HEADER], &numbers, counts)
        {
            return Ok(phase);
        }
        self.rules.features(&self.rules.position(&self.words.layout().read(words)), evaluation, counts)
    }
}
