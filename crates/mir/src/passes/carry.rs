//! Pieces that are picked up, carried a few steps and put down: where the way exists from every field, the
//! number of moves is the number of fingers.

use multigame_game::{Direction, Piece};
use multigame_ir::{Op, Stmt};

use crate::analysis::facts::Facts;
use crate::analysis::geometry::{Mask, bits};
use crate::analysis::live::Live;
use crate::lowering::Lowering;
use crate::lowering::rest::{Rest, Step};
use crate::lowering::state::{Finger, Fingers, Hand, Set, State};

impl<'p> Facts<'p> {
    /// The steps after pieces have been put down, if the way there exists from each of some fields and leads
    /// elsewhere.
    fn carried<'s>(
        &self,
        steps: &'s [Step<'p>],
        facing: Direction,
        origins: Vec<usize>,
    ) -> Option<&'s [Step<'p>]> {
        // Where each piece was picked up, and where it has been carried.
        let mut ways: Vec<(usize, usize)> = origins.into_iter().map(|field| (field, field)).collect();
        for (number, step) in steps.iter().enumerate() {
            let Step::Do(stmt) = step else { return None };
            let way = match &stmt.op {
                Op::Step => facing,
                Op::StepBackward => self.geometry.opposite[facing.index()]?,
                Op::PutDown => {
                    let moves = ways.iter().all(|(from, to)| from != to);
                    return moves.then_some(&steps[number + 1..]);
                }
                _ => return None,
            };
            for (_, field) in &mut ways {
                *field = self.geometry.next[way.index()][*field]?.index();
            }
        }
        None
    }
}

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
        let occupied = self.facts.layout.all_pieces().collect();
        let fields = self.code.fields_of(occupied, state);
        for branch in &mut branches {
            if let Fingers::Set(set) = &mut branch.fingers {
                *set = self.code.intersection(set, &fields);
            }
        }
        state.finger = Finger::Many(branches);
        state.content = state.content.iter().filter(|&piece| piece != Piece::NONE).collect();
    }

    /// Whether each finger of a set picks up a piece, can surely carry it elsewhere and puts it down, and
    /// nothing prevents the move any more.
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
        let possible: Mask = set.iter().map(|&word| self.code.possible_bits(word)).collect();
        let origins = bits(&possible).filter(|&field| field < self.facts.geometry.fields);
        self.facts.carried(after, facing, origins.collect()).is_some_and(|left| self.nothing_prevents(left))
    }

    fn nothing_prevents(&self, steps: &[Step<'p>]) -> bool {
        let mut live = Live::default();
        steps.iter().rev().all(|step| match step {
            Step::Do(stmt) => {
                let one = self.facts.surely_one(stmt, live);
                live = self.facts.live(stmt, live);
                one
            }
            step => matches!(step, Step::Mark(_)),
        })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check;

    #[test]
    fn pieces_that_are_carried_one_step_are_counted() {
        let rules = "find empty field, north, step, points at own man, pick up, step backward, put down";
        check(
            rules,
            "main_white_count",
            expect![[r#"
                main_white_count() -> x0, x1 {
                  v2 = word 2
                  v3 = word 3
                  v4 = word 4
                  v5 = v2 | v3
                  v6 = v4 | v5
                  v8 = 0xffff &~ v6
                  v10 = v8 & 0xfff
                  v12 = v10 << 4
                  v14 = v2 & v12
                  v15 = x0
                  v16 = ones v14
                  v17 = v15 + v16
                  x0 = v17
                }
            "#]],
        );
    }

    #[test]
    fn a_way_that_may_end_at_the_edge_is_followed() {
        let rules = "find own man, pick up, north, step, put down";
        check(
            rules,
            "main_white_count",
            expect![[r#"
                main_white_count() -> x0, x1 {
                  v2 = word 2
                  v3 = word 3
                  v4 = word 4
                  for v5 in v2 {
                    v6 = 1 << v5
                    v7 = v2 &~ v6
                    v8 = t1[v5]
                    if v8 {
                      v9 = t2[v5]
                      v10 = 1 << v9
                      v11 = v3 &~ v10
                      v12 = v4 &~ v10
                      v13 = v7 | v10
                      v14 = x0
                      v15 = 1 + v14
                      x0 = v15
                    }
                  }
                }
            "#]],
        );
    }
}
