//! Loops that ask for nothing but the place: where they lead is known while compiling.
//!
//! `while assert ((row + column) % 2 == 1) do step` leads from each field, facing a direction, to one other
//! field or nowhere, whatever stands on the board. For a whole set of fields that is a shift for each
//! distance.

use std::rc::Rc;

use multigame_game::{Direction, Field};
use multigame_ir::Stmt;
use smallvec::smallvec;

use crate::analysis::facts::Facts;
use crate::analysis::geometry::{Mask, Shift, Table, bits, insert, shifts};
use crate::analysis::walks::{Look, Pointing};
use crate::lowering::Lowering;
use crate::lowering::state::{Branch, Fingers, Reach, Set, State};
use crate::refusal::R;
use crate::sets::code::Code;

/// More distances than this are better followed round by round.
const MOST_SHIFTS: usize = 6;

/// Where a loop leads from each field.
pub(crate) struct Fixed {
    next: Vec<Option<Field>>,
    shifts: Vec<Shift>,
}

impl<'p> Facts<'p> {
    /// Where `while` leads from each field, facing a direction; nothing if that depends on more than the
    /// place.
    pub(crate) fn fixed_while(
        &self,
        condition: &'p Stmt,
        body: &'p Stmt,
        facing: Option<Direction>,
    ) -> Option<Fixed> {
        let next: Option<Vec<Option<Field>>> = (0..self.geometry.fields)
            .map(|field| self.end_of_while(condition, body, field, facing))
            .collect();
        let next = next?;
        let shifts = shifts(&next, &self.geometry.all);
        (shifts.len() <= MOST_SHIFTS).then_some(Fixed { next, shifts })
    }

    /// The field where `while` ends, if there is one.
    fn end_of_while(
        &self,
        condition: &'p Stmt,
        body: &'p Stmt,
        field: usize,
        facing: Option<Direction>,
    ) -> Option<Option<Field>> {
        if self.geometry.all[field / 64] >> (field % 64) & 1 == 0 {
            return Some(None);
        }
        let mut at = (Field(field as u16), facing);
        for _ in 0..self.geometry.fields {
            let goes_on = self.walk(condition, &[at].into(), Look::Forbidden).ok()?;
            if goes_on.is_empty() {
                return Some(Some(at.0));
            }
            let there: Pointing = self.walk(body, &goes_on, Look::Forbidden).ok()?;
            match (there.first(), there.len()) {
                (None, _) => return Some(None),
                (Some(&one), 1) if one.1 == facing => at = one,
                _ => return None,
            }
        }
        None
    }
}

impl Code {
    /// All fingers of a branch go where a loop leads.
    pub(crate) fn follow_fixed(&mut self, branch: &Branch, fixed: &Fixed) -> Branch {
        let through = |table: &Vec<Mask>| -> Table {
            let all = table.iter().map(|mask| {
                let mut there = smallvec![0; mask.len()];
                bits(mask).filter_map(|field| fixed.next[field]).for_each(|field| insert(&mut there, field));
                there
            });
            Rc::new(all.collect())
        };
        let fingers = match &branch.fingers {
            Fingers::From(index, table) => Fingers::From(*index, through(table)),
            other => {
                let set = self.as_set(other);
                Fingers::Set(self.shift_set(&set, &fixed.shifts))
            }
        };
        let reach =
            branch.reach.as_ref().map(|reach| Reach { origin: reach.origin, table: through(&reach.table) });
        Branch { direction: branch.direction, fingers, reach, behind: None }
    }

    /// The fields from which a loop leads into a set.
    pub(crate) fn before_fixed(&mut self, end: &Set, fixed: &Fixed) -> Set {
        self.shift_back_set(end, &fixed.shifts)
    }
}

impl<'p> Lowering<'p> {
    /// Any number of rounds of what keeps the direction, as a loop of the machine: less code, not faster
    /// code.
    pub(crate) fn spread_facing(&mut self, body: &'p Stmt, branch: &Branch, state: &State) -> R<Branch> {
        let start = self.code.as_set(&branch.fingers);
        let reached = self.spread_by(start, body, branch.direction, state)?;
        let reach = match &branch.reach {
            Some(reach) => self.facts.widest(body, branch.direction).ok().map(|round| Reach {
                origin: reach.origin,
                table: Rc::new(reach.table.iter().map(|mask| closure(mask, &round)).collect()),
            }),
            None => None,
        };
        Ok(Branch { direction: branch.direction, fingers: Fingers::Set(reached), reach, behind: None })
    }
}

/// What can be reached from fields in any number of rounds.
fn closure(from: &Mask, round: &[Mask]) -> Mask {
    let mut all = from.clone();
    loop {
        let mut more = all.clone();
        for field in bits(&all) {
            more.iter_mut().zip(&round[field]).for_each(|(word, bits)| *word |= bits);
        }
        if more == all {
            return all;
        }
        all = more;
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::check;

    #[test]
    fn a_loop_that_asks_for_the_place_is_a_shift_for_each_distance() {
        let rules = "find own man, north, while assert (row % 2 == 1) do step, points at empty field,
            replace by rock, irreversible";
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
                  v10 = v2 & 0xf0f
                  v12 = v10 << 4
                  v15 = v2 & 0xf0f0
                  v16 = v12 | v15
                  v17 = v8 & v16
                  v18 = x0
                  v19 = ones v17
                  v20 = v18 + v19
                  x0 = v20
                }
            "#]],
        );
    }
}
