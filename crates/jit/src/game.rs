//! Native code as a game: endings, passes and everything else besides generating.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use multigame_game::{
    Called, Description, Diagram, Evaluation, FieldWeights, Game, MAX_TERMS, Network, Outcome, Piece, Puzzle,
    RulesError, Side, Signature, Tuple, Visitor, Weights, Zobrist,
};
use multigame_ir::{Program, RulesGame};
use multigame_mir::{FunctionId, HEADER, Header, Layout, Module, SIGNATURE};
use multigame_native::merge;
use multigame_native::words::{self, Words};
use smallvec::SmallVec;

use crate::JitError;
use crate::expand::Results;
use crate::frame::{Borrowed, Frame};
use crate::later::Later;
use crate::native::{Failed, Native};
use crate::position::{JitMove, JitPosition};

/// A game given by rules and played by native code.
#[derive(Debug)]
pub struct JitGame {
    pub(crate) native: Native,
    pub(crate) generate: [FunctionId; 2],
    pub(crate) last: [Option<FunctionId>; 2],
    pub(crate) goal: Option<FunctionId>,
    pub(crate) may_repeat: bool,
    /// What of the code is made when it is asked for.
    pub(crate) later: Later,
    pub(crate) layout: Layout,
    zobrist: Zobrist,
    words: Words,
    /// Answers what native code does not: errors of the rules, and what is asked too rarely to be compiled.
    pub(crate) rules: RulesGame,
    /// How often it was asked.
    pub(crate) interpreted: AtomicU64,
}

impl JitGame {
    /// Compiles a program.
    pub fn new(program: Program) -> Result<JitGame, JitError> {
        JitGame::with(program, &multigame_mir::Options::default())
    }

    /// Compiles a program with some passes left out.
    pub fn with(program: Program, options: &multigame_mir::Options) -> Result<JitGame, JitError> {
        let (module, native) = Native::of_program(&program, options)?;
        Ok(JitGame::of_parts(program, module, native, options))
    }

    /// A game whose code is at hand: `native` is the code of `module`.
    pub(crate) fn of_parts(
        program: Program,
        module: Module,
        native: Native,
        options: &multigame_mir::Options,
    ) -> JitGame {
        JitGame {
            native,
            generate: module.generate,
            last: module.last,
            goal: module.goal,
            may_repeat: module.may_repeat,
            layout: module.layout.clone(),
            zobrist: Zobrist::new(&program.description),
            words: Words::new(&program.description, &module.layout),
            later: Later::new(module, options.clone()),
            rules: RulesGame::new(program),
            interpreted: AtomicU64::new(0),
        }
    }

    /// The program behind the game.
    pub fn program(&self) -> &Program {
        self.rules.program()
    }

    /// The same game played by the interpreter.
    pub fn rules(&self) -> &RulesGame {
        &self.rules
    }

    /// How many positions were expanded by the interpreter: those where the rules make an error, and where native
    /// code does not know the outcome. Many of them make a game slow.
    pub fn interpreted(&self) -> u64 {
        self.interpreted.load(Ordering::Relaxed)
    }

    /// Generates the moves that take something by code for them alone, and perhaps others; false where that does not do.
    fn take(&self, position: &JitPosition, weights: &Weights, frame: &mut Frame) -> bool {
        let opponent = self.side_to_move(position).opponent();
        let fits =
            position.words[HEADER] & Header::OUTCOME_MASK == 0 && self.words.weighs_only(weights, opponent);
        let taken = match self.later.takes(self.program()).filter(|_| fits) {
            Some(takes) => takes.generate(&position.words, &mut frame.children),
            None => Err(Failed),
        };
        if taken.is_ok() && self.may_repeat {
            merge(&mut frame.children, &mut frame.slots);
        }
        taken.is_ok()
    }

    /// The moves that take something and whose children are wanted.
    #[inline]
    fn taking(
        &self,
        position: &JitPosition,
        weights: &Weights,
        endings: bool,
        moves: &mut Vec<JitMove>,
        wanted: impl Fn(&[u64]) -> bool,
    ) -> Result<Option<Outcome>, RulesError> {
        let mut frame = Frame::borrow();
        let frame = &mut *frame;
        let outcome = match endings || !self.take(position, weights, frame) {
            true => self.expand(&position.words, frame)?,
            false => None,
        };
        if outcome.is_some() {
            frame.children.clear(self.layout.words());
        }
        let mut count = 0;
        for child in frame.children.iter() {
            if wanted(child) && self.words.weigh_move(&position.words, child, weights) < 0 {
                if moves.len() == count {
                    moves.push(JitMove::default());
                }
                moves[count].describe(&self.words, &position.words, child);
                count += 1;
            }
        }
        moves.truncate(count);
        Ok(outcome)
    }

    /// What an evaluation counts, by native code; nothing where that cannot tell.
    fn counted(&self, position: &JitPosition, evaluation: usize, counts: &mut [i32]) -> Option<i32> {
        let (native, features) = self.later.features(self.program(), evaluation)?;
        let mut numbers: SmallVec<[u64; 2 * MAX_TERMS + 1]> = SmallVec::new();
        let mut context = native.silent();
        for &function in &features.functions {
            numbers.extend_from_slice(native.report(&mut context, function, &position.words).ok()?);
        }
        words::counts(self.program(), evaluation, position.words[HEADER], &numbers, counts)
    }
}

impl Game for JitGame {
    type Position = JitPosition;
    type Move = JitMove;

    #[inline]
    fn description(&self) -> &Description {
        self.rules.description()
    }

    fn position(&self, diagram: &Diagram) -> JitPosition {
        let mut words = SmallVec::from_elem(0, self.layout.words());
        self.layout.write(diagram, &mut words);
        words[SIGNATURE] = self.zobrist.signature(diagram);
        JitPosition { words }
    }

    fn diagram(&self, position: &JitPosition) -> Diagram {
        self.layout.read(&position.words)
    }

    #[inline]
    fn side_to_move(&self, position: &JitPosition) -> Side {
        Side::BOTH[(position.words[HEADER] & Header::BLACK) as usize]
    }

    #[inline]
    fn signature(&self, position: &JitPosition) -> Signature {
        position.words[SIGNATURE]
    }

    #[inline]
    fn is_irreversible(&self, position: &JitPosition) -> bool {
        position.words[HEADER] & Header::IRREVERSIBLE != 0
    }

    fn visit(
        &self,
        position: &JitPosition,
        visitor: &mut Visitor<'_, Self>,
    ) -> Result<Option<Outcome>, RulesError> {
        let mut frame = Frame::borrow();
        let frame = &mut *frame;
        if let Some(outcome) = self.expand(&position.words, frame)? {
            return Ok(Some(outcome));
        }
        for words in frame.children.iter() {
            frame.mv.describe(&self.words, &position.words, words);
            frame.child.assign(words);
            if visitor(&frame.mv, &frame.child).is_break() {
                break;
            }
        }
        Ok(None)
    }

    fn children(
        &self,
        position: &JitPosition,
        visitor: &mut dyn FnMut(&JitPosition) -> ControlFlow<()>,
    ) -> Result<Option<Outcome>, RulesError> {
        let mut frame = Frame::borrow();
        let frame = &mut *frame;
        // PERF: `expand` would write its answer to memory in small pieces and have it read as a whole, which has to wait
        // for them: a fifteenth of the time of IDA*.
        match self.results(&position.words, frame) {
            Ok(Results::Moves) => {}
            others => {
                if let Some(outcome) = self.expand_without_moves(others, &position.words, frame)? {
                    return Ok(Some(outcome));
                }
            }
        }
        for words in frame.children.iter() {
            frame.child.assign(words);
            if visitor(&frame.child).is_break() {
                break;
            }
        }
        Ok(None)
    }

    fn moves(&self, position: &JitPosition, moves: &mut Vec<JitMove>) -> Result<Option<Outcome>, RulesError> {
        let mut frame = Frame::borrow();
        let frame = &mut *frame;
        if let Some(outcome) = self.expand(&position.words, frame)? {
            moves.clear();
            return Ok(Some(outcome));
        }
        // What was there is written over: large moves have memory of their own.
        moves.resize_with(frame.children.len(), JitMove::default);
        for (mv, child) in moves.iter_mut().zip(frame.children.iter()) {
            mv.describe(&self.words, &position.words, child);
        }
        Ok(None)
    }

    fn takes(
        &self,
        position: &JitPosition,
        weights: &Weights,
        endings: bool,
        moves: &mut Vec<JitMove>,
    ) -> Result<Option<Outcome>, RulesError> {
        self.taking(position, weights, endings, moves, |_| true)
    }

    fn takes_on(
        &self,
        position: &JitPosition,
        weights: &Weights,
        field: usize,
        moves: &mut Vec<JitMove>,
    ) -> Result<(), RulesError> {
        let (words, side) = (&position.words, self.side_to_move(position));
        self.taking(position, weights, false, moves, |child| self.words.goes_to(words, child, side, field))?;
        Ok(())
    }

    fn pick(
        &self,
        position: &JitPosition,
        choose: &mut dyn FnMut(usize) -> usize,
        picked: &mut Vec<JitMove>,
    ) -> Result<Option<Outcome>, RulesError> {
        let words = &position.words;
        picked.resize_with(1, JitMove::default);
        let mv = &mut picked[0];
        let mut chosen = None;
        if words[HEADER] & Header::OUTCOME_MASK == 0
            && let Some(picks) = self.later.picks(self.program())
        {
            let mut context = picks.context();
            if let Some(moves) = picks.choices(&mut context, words) {
                let number = choose(moves);
                if picks.make(&mut context, number, words, mv.room(words.len())) {
                    mv.written(&self.words, words);
                    return Ok(None);
                }
                chosen = Some(number);
            }
        }
        let mut frame = Frame::borrow();
        let frame = &mut *frame;
        let outcome = self.expand(words, frame)?;
        if outcome.is_none() {
            let chosen = chosen.unwrap_or_else(|| choose(frame.children.len()));
            mv.describe(&self.words, words, frame.children.get(chosen));
        }
        Ok(outcome)
    }

    fn count(&self, position: &JitPosition) -> Result<u64, RulesError> {
        self.counting().moves(&position.words).map_or_else(|| self.made_moves(&position.words), Ok)
    }

    fn leaves(&self, position: &JitPosition, depth: u32) -> Result<Option<u64>, RulesError> {
        let mut frames: Vec<Borrowed> = (1..depth).map(|_| Frame::borrow()).collect();
        self.count_leaves(&position.words, &mut frames, &mut self.counting()).map(Some)
    }

    fn outcome(&self, position: &JitPosition) -> Result<Option<Outcome>, RulesError> {
        let mut frame = Frame::borrow();
        let frame = &mut *frame;
        if position.words[HEADER] & Header::OUTCOME_MASK == 0
            && let Some(counts) = self.later.counts_at_hand()
            && matches!(counts.count(&position.words), Ok([moves, _]) if moves > 0)
        {
            return Ok(None);
        }
        self.expand(&position.words, frame)
    }

    #[inline]
    fn ended(&self, position: &JitPosition) -> Option<Outcome> {
        words::outcome(&position.words)
    }

    #[inline]
    fn ending(&self, mv: &JitMove) -> Option<Outcome> {
        words::outcome(mv.words())
    }

    fn judge(&self, position: &JitPosition, cycle: u32) -> Result<Outcome, RulesError> {
        self.rules.judge(&self.rules.position(&self.diagram(position)), cycle)
    }

    fn called(&self, position: &JitPosition) -> Result<Vec<Called>, RulesError> {
        self.rules.called(&self.rules.position(&self.diagram(position)))
    }

    #[inline]
    fn apply(&self, _position: &JitPosition, mv: &JitMove, child: &mut JitPosition) {
        child.assign(mv.words());
    }

    #[inline]
    fn hand_over(&self, position: &JitPosition, child: &mut JitPosition) {
        child.assign(&position.words);
        words::hand_over(&mut child.words);
    }

    #[inline]
    fn move_key(&self, mv: &JitMove) -> u64 {
        mv.key
    }

    #[inline]
    fn ends(&self, position: &JitPosition, mv: &JitMove) -> (usize, usize) {
        self.words.ends(&position.words, mv.words(), self.side_to_move(position))
    }

    fn mover(&self, position: &JitPosition, mv: &JitMove) -> Option<Piece> {
        self.words.mover(&position.words, mv.words(), self.side_to_move(position))
    }

    fn puzzle(&self) -> Option<Puzzle> {
        self.rules.puzzle()
    }

    #[inline]
    fn fields_of(&self, position: &JitPosition, piece: Piece) -> u64 {
        self.layout.fields_of(&position.words, piece, 0)
    }

    #[inline]
    fn for_each_piece(&self, position: &JitPosition, visit: impl FnMut(Piece, usize)) {
        self.words.for_each_piece(&position.words, visit);
    }

    #[inline]
    fn value(&self, position: &JitPosition, slot: usize) -> i32 {
        self.words.value(&position.words, slot)
    }

    #[inline]
    fn weigh(&self, position: &JitPosition, weights: &Weights) -> i32 {
        self.words.weigh(&position.words, weights)
    }

    #[inline]
    fn weigh_move(&self, position: &JitPosition, mv: &JitMove, weights: &Weights) -> i32 {
        self.words.weigh_move(&position.words, mv.words(), weights)
    }

    #[inline]
    fn weigh_fields(&self, position: &JitPosition, weights: &FieldWeights) -> [i32; 2] {
        self.words.weigh_fields(&position.words, weights)
    }

    fn goals(&self) -> Vec<multigame_game::Goal> {
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

    fn is_calm(&self, position: &JitPosition, evaluation: usize) -> Option<bool> {
        self.program().evaluations[evaluation].calm?;
        let black = position.words[HEADER] & Header::BLACK != 0;
        let calm = self
            .later
            .features(self.program(), evaluation)
            .and_then(|(native, features)| features.calm.map(|calm| native.evaluate(calm, &position.words)));
        match calm {
            Some(Ok(both)) => Some(both[usize::from(black)] != 0),
            _ => self.rules.is_calm(&self.rules.position(&self.layout.read(&position.words)), evaluation),
        }
    }

    fn features(
        &self,
        position: &JitPosition,
        evaluation: usize,
        counts: &mut [i32],
    ) -> Result<i32, RulesError> {
        match self.counted(position, evaluation, counts) {
            Some(phase) => Ok(phase),
            None => {
                let position = self.rules.position(&self.layout.read(&position.words));
                self.rules.features(&position, evaluation, counts)
            }
        }
    }
}
