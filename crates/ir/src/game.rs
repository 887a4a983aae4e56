//! Rules as a game: positions, moves and endings on top of the interpreter.

use std::ops::ControlFlow;
use std::rc::Rc;

use multigame_game::{
    Called, Description, Diagram, Evaluation, Field, Game, Goal, Network, NoMoves, Outcome, Piece, PieceSet,
    Puzzle, RulesError, Side, Signature, Tuple, Visitor, Weights, Zobrist,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::state::{Matter, State, Trail};
use crate::{Coverage, Interpreter, Program};

/// A game given by rules and played by the interpreter.
#[derive(Debug)]
pub struct RulesGame {
    interpreter: Interpreter,
    zobrist: Zobrist,
    /// Number of values that belong to the position; the rest live only while a move is built.
    kept: usize,
    /// Whether the rules name moves.
    pub(crate) names_moves: bool,
    /// Those of the program, one after the other.
    evaluations: Vec<Evaluation>,
}

/// A position of a [`RulesGame`].
#[derive(Debug)]
pub struct RulesPosition {
    pub(crate) matter: Matter,
    pub(crate) side: Side,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) irreversible: bool,
    pub(crate) signature: Signature,
}

impl Clone for RulesPosition {
    fn clone(&self) -> Self {
        RulesPosition { matter: self.matter.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.matter.cells.clone_from(&source.matter.cells);
        self.matter.values.clone_from(&source.matter.values);
        self.side = source.side;
        self.outcome = source.outcome;
        self.irreversible = source.irreversible;
        self.signature = source.signature;
    }
}

/// Positions are equal if the game goes on from them in the same way.
impl PartialEq for RulesPosition {
    fn eq(&self, other: &Self) -> bool {
        self.side == other.side && self.outcome == other.outcome && self.matter == other.matter
    }
}

/// A move of a [`RulesGame`]: what it changes.
#[derive(Clone, Debug, PartialEq)]
pub struct RulesMove {
    pub(crate) changes: SmallVec<[Change; 6]>,
    /// Signature of the position before xor signature of the position after.
    pub(crate) difference: Signature,
    pub(crate) key: u64,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) irreversible: bool,
    pub(crate) passes_turn: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Cell(Field, Piece),
    Value(u16, i32),
}

/// What one run of `main` gives.
enum Expansion {
    Final(Outcome),
    Moves(Vec<RulesPosition>),
}

impl RulesGame {
    /// A game from its program.
    pub fn new(program: Program) -> RulesGame {
        let zobrist = Zobrist::new(&program.description);
        let kept = program.description.value_count();
        let names_moves = program.names_moves();
        let evaluations = program.evaluations.iter().map(|judgement| judgement.evaluation.clone()).collect();
        RulesGame { interpreter: Interpreter::new(program), zobrist, kept, names_moves, evaluations }
    }

    /// A game that counts which parts of its rules are used.
    pub fn counting(program: Program) -> RulesGame {
        let mut game = RulesGame::new(program);
        game.interpreter.count_usage();
        game
    }

    /// What was used of the rules of a [`counting`](RulesGame::counting) game.
    pub fn coverage(&self) -> Option<Coverage> {
        self.interpreter.coverage()
    }

    /// The same game, which gives up on a move after this many statements: for rules nobody knows anything
    /// about.
    pub fn with_most_steps(mut self, steps: u64) -> RulesGame {
        self.interpreter.most_steps = steps;
        self
    }

    /// The program behind the game.
    #[inline]
    pub fn program(&self) -> &Program {
        self.interpreter.program()
    }

    /// The signature of a position computed anew, for checking the one that is kept up to date.
    pub fn recomputed_signature(&self, position: &RulesPosition) -> Signature {
        self.zobrist.signature(&self.diagram(position))
    }

    /// What `main` gives in a position, each result with the fields that were changed on the way to it, in
    /// that order. Where several ways lead to a result, each may be there or only one.
    pub fn trails(&self, diagram: &Diagram) -> Result<Vec<(Diagram, Vec<Field>)>, RulesError> {
        let mut position = self.position(diagram);
        position.matter.trail = Trail::recording();
        let main = self.program().main[position.side.index()];
        let states = self.interpreter.results(main, &position.matter).map_err(|error| *error)?;
        let trails = states.iter().map(|state| {
            let child = self.child(&position, state);
            (self.diagram(&child), state.matter.trail.fields())
        });
        Ok(trails.collect())
    }

    fn expand(&self, position: &RulesPosition) -> Result<Expansion, Box<RulesError>> {
        if let Some(outcome) = position.outcome {
            return Ok(Expansion::Final(outcome));
        }
        if let Some(goal) = self.program().goal
            && self.interpreter.succeeds(goal, &position.matter)?
        {
            return Ok(Expansion::Final(Outcome::Wins(Side::White)));
        }
        match self.results(position)? {
            Results::None | Results::Final(_) if self.is_chance(position) => {
                Err(self.without_chance(position))
            }
            Results::None => self.without_moves(position),
            Results::Final(outcome) => Ok(Expansion::Final(outcome)),
            Results::Moves(children) => Ok(Expansion::Moves(children)),
        }
    }

    /// Applies `main`; equal results become one.
    fn results(&self, position: &RulesPosition) -> Result<Results, Box<RulesError>> {
        let main = self.program().main[position.side.index()];
        let states = self.interpreter.results(main, &position.matter)?;
        let mut children: Vec<RulesPosition> = Vec::with_capacity(states.len());
        let mut met: FxHashMap<u64, SmallVec<[u32; 1]>> = FxHashMap::default();
        let mut all_final = true;
        let mut best: Option<Outcome> = None;
        for state in &states {
            if state.registers.hand.is_some() {
                let origin = self.program().function(main).body.origin;
                return Err(self
                    .interpreter
                    .error(origin, "the move ends with a piece in hand; `put down` is missing"));
            }
            let child = self.child(position, state);
            let unchanged = child.matter == position.matter;
            match child.outcome {
                Some(outcome) if unchanged => {
                    let worth = |outcome: Outcome| outcome.worth_to(position.side);
                    best =
                        Some(best.map_or(outcome, |b| if worth(outcome) > worth(b) { outcome } else { b }));
                }
                _ => all_final = false,
            }
            let same = met.entry(child.signature).or_default();
            if let Some(&number) = same.iter().find(|&&number| children[number as usize] == child) {
                children[number as usize].irreversible &= child.irreversible;
                continue;
            }
            same.push(children.len() as u32);
            children.push(child);
        }
        Ok(match best {
            _ if children.is_empty() => Results::None,
            Some(outcome) if all_final => Results::Final(outcome),
            _ => Results::Moves(children),
        })
    }

    /// The positions that `main` leads to, each with what the rules call the move there.
    pub(crate) fn named_children(
        &self,
        position: &RulesPosition,
    ) -> Result<Vec<(RulesPosition, Rc<str>)>, Box<RulesError>> {
        let main = self.program().main[position.side.index()];
        let states = self.interpreter.named_results(main, &position.matter)?;
        Ok(states.into_iter().map(|(state, name)| (self.child(position, &state), name)).collect())
    }

    fn child(&self, position: &RulesPosition, state: &State) -> RulesPosition {
        let mut matter = Matter::clone(&state.matter);
        matter.values.truncate(self.kept);
        matter.trail = Trail::default();
        let side = if state.registers.keep_turn { position.side } else { self.next(position.side) };
        let mut child = RulesPosition {
            matter,
            side,
            outcome: state.registers.outcome,
            irreversible: state.registers.irreversible,
            signature: position.signature,
        };
        child.signature ^= self.difference(position, &child);
        child
    }

    /// Signature before xor signature after, from the changes alone.
    fn difference(&self, before: &RulesPosition, after: &RulesPosition) -> Signature {
        let mut difference = if before.side == after.side { 0 } else { Zobrist::BLACK_TO_MOVE };
        for change in changes(before, after) {
            difference ^= match change {
                Change::Cell(field, piece) => {
                    self.zobrist.piece(before.matter.cells[field.index()], field)
                        ^ self.zobrist.piece(piece, field)
                }
                Change::Value(index, value) => {
                    let index = usize::from(index);
                    self.zobrist.value(index, before.matter.values[index]) ^ self.zobrist.value(index, value)
                }
            };
        }
        difference
    }

    fn next(&self, side: Side) -> Side {
        if self.program().description.players == 1 { side } else { side.opponent() }
    }

    /// Nature must have something to do, and what it does must change something.
    fn without_chance(&self, position: &RulesPosition) -> Box<RulesError> {
        let origin = self.program().function(self.program().main[position.side.index()]).body.origin;
        let message = "nothing can happen: the rule `chance` has no result that changes the position";
        self.interpreter.error(origin, message)
    }

    fn without_moves(&self, position: &RulesPosition) -> Result<Expansion, Box<RulesError>> {
        let side = position.side;
        match self.program().description.no_moves {
            NoMoves::Loss => Ok(Expansion::Final(Outcome::Wins(side.opponent()))),
            NoMoves::Draw => Ok(Expansion::Final(Outcome::Draw)),
            NoMoves::Error => {
                let origin = self.program().function(self.program().main[side.index()]).body.origin;
                let message = format!("{side} has no move, which `no moves = error` forbids");
                Err(self.interpreter.error(origin, message))
            }
            NoMoves::Pass => {
                let mut passed = position.clone();
                passed.side = self.next(side);
                passed.irreversible = false;
                passed.signature ^= self.difference(position, &passed);
                if passed.side != side && matches!(self.results(&passed)?, Results::Moves(_)) {
                    return Ok(Expansion::Moves(vec![passed]));
                }
                let Some(last) = self.program().last else { return Ok(Expansion::Final(Outcome::Draw)) };
                let outcome = self.interpreter.best_outcome(last[side.index()], &position.matter, side)?;
                Ok(Expansion::Final(outcome.unwrap_or(Outcome::Draw)))
            }
        }
    }

    fn describe_move(&self, before: &RulesPosition, after: &RulesPosition) -> RulesMove {
        let changes = changes(before, after);
        let difference = before.signature ^ after.signature;
        let mut key = difference;
        for change in &changes {
            // Unhashed properties are not in the signature, but they tell moves apart.
            if let Change::Value(index, value) = *change
                && self.zobrist.value(usize::from(index), value) == 0
            {
                let old = before.matter.values[usize::from(index)];
                key ^= Zobrist::change(usize::from(index), old, value);
            }
        }
        key ^= after.outcome.map_or(0, Outcome::key);
        RulesMove {
            changes,
            difference,
            key,
            outcome: after.outcome,
            irreversible: after.irreversible,
            passes_turn: before.side != after.side,
        }
    }
}

enum Results {
    None,
    Final(Outcome),
    Moves(Vec<RulesPosition>),
}

fn changes(before: &RulesPosition, after: &RulesPosition) -> SmallVec<[Change; 6]> {
    let cells = before.matter.cells.iter().zip(&after.matter.cells).enumerate();
    let cells = cells.filter(|(_, (old, new))| old != new);
    let values = before.matter.values.iter().zip(&after.matter.values).enumerate();
    let values = values.filter(|(_, (old, new))| old != new);
    cells
        .map(|(field, (_, &new))| Change::Cell(Field(field as u16), new))
        .chain(values.map(|(index, (_, &new))| Change::Value(index as u16, new)))
        .collect()
}

impl Game for RulesGame {
    type Position = RulesPosition;
    type Move = RulesMove;

    #[inline]
    fn description(&self) -> &Description {
        &self.program().description
    }

    fn position(&self, diagram: &Diagram) -> RulesPosition {
        RulesPosition {
            matter: Matter {
                cells: SmallVec::from_slice(&diagram.cells),
                values: SmallVec::from_slice(&diagram.values),
                trail: Trail::default(),
            },
            side: diagram.side,
            outcome: None,
            irreversible: false,
            signature: self.zobrist.signature(diagram),
        }
    }

    fn diagram(&self, position: &RulesPosition) -> Diagram {
        Diagram {
            cells: position.matter.cells.to_vec(),
            values: position.matter.values.to_vec(),
            side: position.side,
        }
    }

    fn side_to_move(&self, position: &RulesPosition) -> Side {
        position.side
    }

    fn signature(&self, position: &RulesPosition) -> Signature {
        position.signature
    }

    fn is_irreversible(&self, position: &RulesPosition) -> bool {
        position.irreversible
    }

    fn visit(
        &self,
        position: &RulesPosition,
        visitor: &mut Visitor<'_, Self>,
    ) -> Result<Option<Outcome>, RulesError> {
        match self.expand(position).map_err(|error| *error)? {
            Expansion::Final(outcome) => Ok(Some(outcome)),
            Expansion::Moves(children) => {
                for child in &children {
                    if let ControlFlow::Break(()) = visitor(&self.describe_move(position, child), child) {
                        break;
                    }
                }
                Ok(None)
            }
        }
    }

    fn children(
        &self,
        position: &RulesPosition,
        visitor: &mut dyn FnMut(&RulesPosition) -> ControlFlow<()>,
    ) -> Result<Option<Outcome>, RulesError> {
        match self.expand(position).map_err(|error| *error)? {
            Expansion::Final(outcome) => Ok(Some(outcome)),
            Expansion::Moves(children) => {
                let _ = children.iter().try_for_each(visitor);
                Ok(None)
            }
        }
    }

    fn outcome(&self, position: &RulesPosition) -> Result<Option<Outcome>, RulesError> {
        if position.outcome.is_none() && self.program().goal.is_none() {
            // One move is enough to know that the game goes on; errors are for those who want all moves.
            let main = self.program().main[position.side.index()];
            if self.interpreter.moves_on(main, &position.matter).is_ok_and(|goes_on| goes_on) {
                return Ok(None);
            }
        }
        self.visit(position, &mut |_, _| ControlFlow::Break(()))
    }

    fn judge(&self, position: &RulesPosition, cycle: u32) -> Result<Outcome, RulesError> {
        let Some(judge) = self.program().judge else { return Ok(Outcome::Draw) };
        let function = judge.rule[position.side.index()];
        let given = judge.cycle.map(|number| (usize::from(number), cycle));
        let outcome = self.interpreter.judgement(function, &position.matter, given, position.side);
        Ok(outcome.map_err(|error| *error)?.unwrap_or(Outcome::Draw))
    }

    fn called(&self, position: &RulesPosition) -> Result<Vec<Called>, RulesError> {
        self.called_moves(position)
    }

    fn count(&self, position: &RulesPosition) -> Result<u64, RulesError> {
        match self.expand(position).map_err(|error| *error)? {
            Expansion::Final(_) => Ok(0),
            Expansion::Moves(children) => Ok(children.len() as u64),
        }
    }

    fn ended(&self, position: &RulesPosition) -> Option<Outcome> {
        position.outcome
    }

    fn ending(&self, mv: &RulesMove) -> Option<Outcome> {
        mv.outcome
    }

    fn puzzle(&self) -> Option<Puzzle> {
        crate::puzzle::puzzle(self.program())
    }

    fn fields_of(&self, position: &RulesPosition, piece: Piece) -> u64 {
        let fields = position.matter.cells.iter().enumerate().filter(|(_, found)| **found == piece);
        fields.fold(0, |set, (field, _)| set | 1 << field)
    }

    fn apply(&self, position: &RulesPosition, mv: &RulesMove, child: &mut RulesPosition) {
        child.clone_from(position);
        for change in &mv.changes {
            match *change {
                Change::Cell(field, piece) => child.matter.cells[field.index()] = piece,
                Change::Value(index, value) => child.matter.values[usize::from(index)] = value,
            }
        }
        if mv.passes_turn {
            child.side = child.side.opponent();
        }
        child.outcome = mv.outcome;
        child.irreversible = mv.irreversible;
        child.signature ^= mv.difference;
    }

    fn move_key(&self, mv: &RulesMove) -> u64 {
        mv.key
    }

    fn weigh_move(&self, position: &RulesPosition, mv: &RulesMove, weights: &Weights) -> i32 {
        let value = |index: u16| weights.values.get(usize::from(index)).copied().unwrap_or(0);
        let changes = mv.changes.iter().map(|change| match *change {
            Change::Cell(field, piece) => {
                let before = position.matter.cells[field.index()];
                weights.pieces[piece.index()] - weights.pieces[before.index()]
            }
            Change::Value(index, after) => {
                value(index) * (after - position.matter.values[usize::from(index)])
            }
        });
        changes.sum()
    }

    fn symmetries(&self, pieces: PieceSet) -> Vec<Vec<Field>> {
        crate::symmetry::symmetries(self.program(), pieces)
    }

    fn goals(&self) -> Vec<Goal> {
        crate::goals::goals(self.program())
    }

    fn evaluations(&self) -> &[Evaluation] {
        &self.evaluations
    }

    fn patterns(&self) -> &[Tuple] {
        &self.interpreter.program().patterns
    }

    fn network(&self) -> Option<&Network> {
        self.interpreter.program().network.as_ref()
    }

    fn for_each_piece(&self, position: &RulesPosition, mut visit: impl FnMut(Piece, usize)) {
        let cells = position.matter.cells.iter().enumerate().filter(|(_, piece)| **piece != Piece::NONE);
        cells.for_each(|(field, &piece)| visit(piece, field));
    }

    fn value(&self, position: &RulesPosition, slot: usize) -> i32 {
        position.matter.values[slot]
    }

    fn is_calm(&self, position: &RulesPosition, evaluation: usize) -> Option<bool> {
        let calm = self.program().evaluations[evaluation].calm?[position.side.index()];
        self.interpreter.counted(calm, &position.matter).ok().map(|calm| calm != 0)
    }

    fn features(
        &self,
        position: &RulesPosition,
        evaluation: usize,
        counts: &mut [i32],
    ) -> Result<i32, RulesError> {
        let judgement = &self.program().evaluations[evaluation];
        let one_player = self.program().description.players == 1;
        let own = position.side.index();
        let compute = |function| self.interpreter.counted(function, &position.matter).map_err(|error| *error);
        let fit = |value: i64| value.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        for (count, counted) in counts.iter_mut().zip(&judgement.counted) {
            let value = compute(counted.functions[own])?;
            let minus = if counted.mover || one_player { 0 } else { compute(counted.functions[1 - own])? };
            *count = fit(value.saturating_sub(minus));
        }
        match (judgement.phase, judgement.evaluation.phase) {
            (Some(phase), Some((low, high))) => Ok(fit(compute(phase)?).clamp(low, high)),
            _ => Ok(0),
        }
    }
}

/// Runs the rule named by `apply` in a setup on the initial position, which becomes its only result.
pub fn apply_setup(program: &mut Program, setup: crate::FunctionId) -> Result<(), RulesError> {
    let game = RulesGame::new(program.clone());
    let results = game.interpreter.results(setup, &game.initial().matter).map_err(|error| *error)?;
    let origin = program.function(setup).body.origin;
    for state in &results {
        let registers = &state.registers;
        let message = if registers.hand.is_some() {
            "it ends with a piece in hand; `put down` is missing"
        } else if registers.outcome.is_some() {
            "it ends the game, which has not begun"
        } else if registers.keep_turn {
            "`keep turn` has no meaning here; write `white to move` or `black to move` in the setup"
        } else {
            continue;
        };
        return Err(*game.interpreter.error(origin, message));
    }
    let mut boards: Vec<(&[Piece], &[i32])> =
        results.iter().map(|state| (&state.matter.cells[..], &state.matter.values[..game.kept])).collect();
    boards.sort();
    boards.dedup();
    let &[(cells, values)] = &boards[..] else {
        let message = format!("the setup must have exactly one result, it has {}", boards.len());
        return Err(*game.interpreter.error(origin, message));
    };
    program.description.initial.cells = cells.to_vec();
    program.description.initial.values = values.to_vec();
    Ok(())
}
