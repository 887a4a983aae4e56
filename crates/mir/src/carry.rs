//! Pieces that are picked up, carried a few steps and put down: where the way is there for whoever can be picked up, the
//! number of moves is the number of fingers.

use multigame_game::{Direction, Piece};
use multigame_ir::{Op, Stmt};

use crate::geometry::{Mask, bits};
use crate::lower::Lowering;
use crate::rest::{Rest, Step};
use crate::state::{Finger, Fingers, Hand, Set, State};

impl<'p> Lowering<'p> {
    /// If what remains begins by picking up, fingers on empty fields have no result: they are left out.
    pub(crate) fn keep_occupied(&mut self, rest: &Rest<'p>, state: &mut State) {
        let picks_up = matches!(rest.steps().first(), Some(Step::Do(Stmt { op: Op::PickUp, .. })));
        let Finger::Many(branches) = &state.finger else { return };
        let are_sets = branches.iter().all(|branch| matches!(branch.fingers, Fingers::Set(_)));
        if !picks_up || !are_sets || !state.content.contains(Piece::NONE) {
            return;
        }
        let mut branches = branches.clone();
        let occupied = (1..=self.layout.pieces).map(|piece| Piece(piece as u8)).collect();
        let fields = self.fields_of(occupied, state);
        for branch in &mut branches {
            if let Fingers::Set(set) = &mut branch.fingers {
                *set = self.intersection(set, &fields);
            }
        }
        state.finger = Finger::Many(branches);
        state.content = state.content.iter().filter(|&piece| piece != Piece::NONE).collect();
    }

    /// Whether each finger of a set picks up a piece, can surely carry it elsewhere and puts it down, and nothing
    /// prevents the move any more.
    pub(crate) fn carries_each(
        &self,
        steps: &[Step<'p>],
        set: &Set,
        direction: Option<Direction>,
        state: &State,
    ) -> bool {
        let (Some(facing), [Step::Do(Stmt { op: Op::PickUp, .. }), after @ ..]) = (direction, steps) else {
            return false;
        };
        if state.hand != Hand::Empty || state.content.contains(Piece::NONE) {
            return false;
        }
        let possible: Mask = set.iter().map(|&word| self.builder.possible_bits(word)).collect();
        // For each field a piece may be picked up from, where it is carried.
        let mut ways: Vec<(usize, usize)> = bits(&possible)
            .filter(|&field| field < self.geometry.fields)
            .map(|field| (field, field))
            .collect();
        for (number, step) in after.iter().enumerate() {
            let Step::Do(stmt) = step else { return false };
            let way = match &stmt.op {
                Op::Step => Some(facing),
                Op::StepBackward => self.geometry.opposite[facing.index()],
                Op::PutDown => {
                    let moves = ways.iter().all(|(from, to)| from != to);
                    return moves && self.nothing_prevents(&after[number + 1..]);
                }
                _ => None,
            };
            let Some(way) = way else { return false };
            for (_, field) in &mut ways {
                let Some(next) = self.geometry.next[way.index()][*field] else { return false };
                *field = next.index();
            }
        }
        false
    }

    fn nothing_prevents(&self, steps: &[Step<'p>]) -> bool {
        steps.iter().all(|step| match step {
            Step::Do(stmt) => self.facts.surely_one(stmt),
            step => matches!(step, Step::Mark(_)),
        })
    }
}
