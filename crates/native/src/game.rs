//! Generated code as a game.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use multigame_game::{
    Called, Description, Diagram, Evaluation, FieldWeights, Game, Goal, MAX_TERMS, NoMoves, Outcome, Piece,
    Puzzle, RulesError, Side, Signature, Visitor, Weights, Zobrist,
};
use multigame_ir::{Program, RulesGame};
use multigame_mir::{HEADER, Header, Layout, MAX_RESULTS, SIGNATURE};

use crate::frame::{Borrowed, Frame};
use crate::merge::merge;
use crate::position::{NativeMove, NativePosition};
use crate::words::{self, Words, same_matter};
use crate::{Code, Failed};

/// A game given by rules and played by Rust that was generated from them.
#[derive(Debug)]
pub struct NativeGame<C, const WORDS: usize> {
    zobrist: Zobrist,
    words: Words,
    /// Answers what generated code does not: errors of the rules, and what is asked too rarely to be compiled.
    rules: RulesGame,
    code: PhantomData<C>,
}

/// What one run of `main` gives; the moves are in the frame.
enum Results {
    None,
    Final(Outcome),
    Moves,
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

    /// How the game ended, or nothing; then the children are in the frame.
    #[inline]
    fn expand(&self, words: &[u64; WORDS], frame: &mut Frame<WORDS>) -> Result<Option<Outcome>, RulesError> {
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
    #[inline]
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
            passed[HEADER] = Header { side: side.opponent(), irreversible: false, outcome: None }.word();
            passed[SIGNATURE] ^= Zobrist::BLACK_TO_MOVE;
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
    fn counted_moves(words: &[u64; WORDS]) -> Option<u64> {
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
    fn made_moves(&self, words: &[u64; WORDS]) -> Result<u64, RulesError> {
        let mut frame = Frame::borrow();
        let outcome = self.expand(words, &mut frame)?;
        Ok(if outcome.is_some() { 0 } else { frame.children.0.len() as u64 })
    }

    /// Number of sequences of moves, one more than there are frames, of which there is one at least. Children are
    /// expanded where they were generated.
    fn count_leaves(&self, words: &[u64; WORDS], frames: &mut [Borrowed<WORDS>]) -> Result<u64, RulesError> {
        let [frame, frames @ ..] = frames else { return Ok(1) };
        let frame = &mut **frame;
        if self.expand(words, frame)?.is_some() {
            return Ok(0);
        }
        let mut leaves = 0;
        for child in &frame.children.0 {
            leaves += if !frames.is_empty() {
                self.count_leaves(&child.words, frames)?
            } else if let Some(moves) = Self::counted_moves(&child.words) {
                moves
            } else {
                self.made_moves(&child.words)?
            };
        }
        Ok(leaves)
    }

    #[inline]
    fn describe(&self, before: &[u64; WORDS], child: &NativePosition<WORDS>) -> NativeMove<WORDS> {
        NativeMove { child: *child, key: self.words.key(before, &child.words) }
    }
}

#[inline]
fn side_of<const WORDS: usize>(words: &[u64; WORDS]) -> Side {
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
        moves: &mut Vec<Self::Move>,
    ) -> Result<Option<Outcome>, RulesError> {
        moves.clear();
        let mut frame = Frame::borrow();
        let outcome = self.expand(&position.words, &mut frame)?;
        if outcome.is_none() {
            let less = |child: &&NativePosition<WORDS>| {
                self.words.weigh_move(&position.words, &child.words, weights) < 0
            };
            let taking = frame.children.0.iter().filter(less);
            moves.extend(taking.map(|child| self.describe(&position.words, child)));
        }
        Ok(outcome)
    }

    fn pick(
        &self,
        position: &Self::Position,
        choose: &mut dyn FnMut(usize) -> usize,
        picked: &mut Vec<Self::Move>,
    ) -> Result<Option<Outcome>, RulesError> {
        let mut frame = Frame::borrow();
        let (words, side) = (&position.words, side_of(&position.words));
        picked.clear();
        let mut chosen = None;
        if C::PICKS
            && words[HEADER] & Header::OUTCOME_MASK == 0
            && let Some(Ok([moves, endings])) = C::count(side, words)
            && moves > 0
        {
            let number = choose((moves + endings) as usize);
            frame.children.0.clear();
            if C::pick(side, words, number as u64, &mut frame.children) == Some(Ok(()))
                && let [child] = &frame.children.0[..]
            {
                picked.push(self.describe(words, child));
                return Ok(None);
            }
            chosen = Some(number);
        }
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
        self.count_leaves(&position.words, &mut frames).map(Some)
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
    fn move_key(&self, mv: &Self::Move) -> u64 {
        mv.key
    }

    fn called(&self, position: &Self::Position) -> Result<Vec<Called>, RulesError> {
        self.rules.called(&self.rules.position(&self.diagram(position)))
    }

    fn route(&self, position: &Self::Position, mv: &Self::Move) -> u64 {
        self.words.route(&position.words, &mv.child.words, side_of(&position.words))
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
