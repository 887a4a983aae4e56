//! Only the moves that take something from the opponent: searches below their horizon need no others.
//!
//! A result is left out where nothing that belongs to the opponent has changed. What leads to such results only then has no
//! effect and is taken out.

use multigame_game::{PieceSet, Side};
use multigame_ir::{Op, Program, Stmt};

use crate::lower::{Lowering, R, Refusal};
use crate::parts::Parts;
use crate::rest::{Rest, Step};
use crate::state::{Set, State};
use crate::unused::remove_unused;
use crate::{FunctionId, Kind};

impl<'p> Lowering<'p> {
    /// A function that emits the results of `main` after which the opponent's pieces stand elsewhere, and perhaps some
    /// others; it does not notice how a game without moves ends.
    pub(crate) fn takes(program: &'p Program, parts: &mut Parts, side: Side) -> R<FunctionId> {
        let mut lowering = Lowering::new(program, parts, side, Kind::Generate, 2);
        if lowering.layout.coded || program.description.players != 2 {
            return Err(Refusal::new("pieces that cannot be told apart by their boards"));
        }
        lowering.prey = Some(program.description.pieces_of(side.opponent()));
        lowering.told_apart = true;
        let mut state = lowering.beginning();
        lowering.look_for_threats(&mut state)?;
        let body = lowering.facts.body(program.main[side.index()]);
        lowering.run_main(body, state)?;
        let function = lowering.finish(format!("main_{side}_take").to_lowercase(), Vec::new(), parts);
        remove_unused(&mut parts.functions[function.0 as usize]);
        Ok(function)
    }

    /// Whether a result is wanted, as far as what has changed tells.
    pub(crate) fn is_prey_changed(&self, state: &State) -> bool {
        let Some(prey) = self.prey else { return true };
        prey.iter().any(|piece| state.changed_boards[piece.index() - 1])
    }

    /// Whether results of a statement at the end of a move are never wanted.
    pub(crate) fn is_never_wanted(&self, stmt: &Stmt) -> bool {
        self.prey.is_some() && !self.facts.writes(stmt)
    }

    /// Those fingers of a set that lead to results that are wanted: where the next step is all that changes the board, it
    /// has to take something there.
    pub(crate) fn on_prey(&mut self, rest: &Rest<'p>, set: Set, state: &State) -> Set {
        let Some(prey) = self.prey.filter(|_| !self.is_prey_changed(state)) else { return set };
        let steps = rest.steps();
        let Some((Step::Do(Stmt { op: Op::PutDown | Op::Replace(_), .. }), others)) = steps.split_first()
        else {
            return set;
        };
        if !others.iter().all(|step| matches!(step, Step::Do(stmt) if !self.facts.writes(stmt))) {
            return set;
        }
        let there: PieceSet = prey.iter().filter(|&piece| state.content.contains(piece)).collect();
        let fields = self.fields_of(there, &mut state.clone());
        set.iter().zip(&fields).map(|(&set, &fields)| self.builder.and(set, fields)).collect()
    }
}
