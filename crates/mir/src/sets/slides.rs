//! Slides: from fields along a direction as long as certain pieces are met.
//!
//! From a single field a slide is a ray up to its first obstacle: a table entry and a little arithmetic. For
//! a whole set it is followed step by step, but each round goes twice as far as the one before: what is
//! passed in two steps, then in four, is found out on the way.

use std::rc::Rc;

use multigame_game::{Direction, PieceSet};
use multigame_ir::{Op, Stmt};
use smallvec::smallvec;

use crate::analysis::facts::Facts;
use crate::lowering::state::{Branch, Fingers, Reach, Set};
use crate::sets::code::Code;
use crate::{Binary, Unary};

impl<'p> Facts<'p> {
    /// What the rounds of a loop go over, if a round is `step, points at P`.
    pub(crate) fn slides_over(&self, body: &'p Stmt) -> Option<PieceSet> {
        let mut parts = Vec::new();
        self.flatten(body, &mut parts);
        match parts[..] {
            [Stmt { op: Op::Step, .. }, Stmt { op: Op::PointsAt(pieces), .. }] => Some(*pieces),
            _ => None,
        }
    }
}

impl Code {
    /// From each finger along a direction as long as the fields are in `over`.
    pub(crate) fn run_along(&mut self, branch: Branch, direction: Direction, over: &Set) -> Branch {
        let reach = branch.reach.as_ref().map(|reach| {
            let extended = reach.table.iter().map(|mask| {
                let mut all = mask.clone();
                for _ in 0..self.geometry.longest[direction.index()] {
                    let stepped = self.geometry.step_mask(&all, direction);
                    all.iter_mut().zip(&stepped).for_each(|(word, more)| *word |= more);
                }
                all
            });
            Reach { origin: reach.origin, table: Rc::new(extended.collect()) }
        });
        let (run, reached) = self.slide(&branch.fingers, direction, over);
        let start = Box::new(branch.fingers);
        let fingers = Fingers::Run { start, with_start: true, run, reach: reached, direction };
        Branch { direction: Some(direction), fingers, reach, behind: None }
    }

    /// Where slides from some fields lead: the fields they go over, and those with the fields that stop them.
    pub(crate) fn slide(&mut self, fingers: &Fingers, direction: Direction, over: &Set) -> (Set, Set) {
        match self.ray_run(fingers, direction, over) {
            Some(run) => run,
            None => self.fill_run(fingers, direction, over),
        }
    }

    /// From a single field on a small board: the ray up to its first obstacle.
    fn ray_run(&mut self, fingers: &Fingers, direction: Direction, over: &Set) -> Option<(Set, Set)> {
        let Fingers::From(index, table) = fingers else { return None };
        let sense = self.geometry.sense(direction);
        let known = self.is_identity(table) && self.slides;
        if self.geometry.words != 1 || !known || sense == 0 {
            return None;
        }
        let mut rays = vec![0; 64];
        for (field, ray) in rays.iter_mut().enumerate().take(self.geometry.fields) {
            *ray = self.geometry.ray(direction, field)?[0];
        }
        let rays = self.tables.add(rays);
        let ray = self.table(rays, *index);
        let obstacles = self.and_not(ray, over[0]);
        let one = self.constant(1);
        let up_to_first = if sense > 0 {
            // All bits up to the lowest one; all there are if there is none.
            let below = self.binary(Binary::Subtract, obstacles, one);
            self.xor(obstacles, below)
        } else {
            // All bits from the highest one on; all there are if there is none.
            let obstacles = self.or(obstacles, one);
            let zeros = self.unary(Unary::LeadingZeros, obstacles);
            let top = self.constant(1 << 63);
            self.binary(Binary::ShiftRightSigned, top, zeros)
        };
        let reached = self.and(ray, up_to_first);
        let run = self.and(reached, over[0]);
        Some((smallvec![run], smallvec![reached]))
    }

    /// From any set on any board.
    fn fill_run(&mut self, fingers: &Fingers, direction: Direction, over: &Set) -> (Set, Set) {
        let start = self.as_set(fingers);
        let next = self.step_set(&start, direction);
        let first = self.intersection(&next, over);
        let longest = self.geometry.longest[direction.index()];
        let run = self.fill(first, direction, over, longest, false);
        let further = self.step_set(&run, direction);
        let reached = self.union_of(&next, &further);
        (run, reached)
    }

    /// The same one field after the other.
    fn fill_by_steps(
        &mut self,
        mut filled: Set,
        direction: Direction,
        over: &Set,
        longest: usize,
        backward: bool,
    ) -> Set {
        for _ in 1..longest {
            let next = match backward {
                true => self.step_back_set(&filled, direction),
                false => self.step_set(&filled, direction),
            };
            let next = self.intersection(&next, over);
            filled = self.union_of(&filled, &next);
        }
        filled
    }

    /// Adds to fields of `over` what follows them in a direction (or, backward, comes before them) without
    /// leaving `over`; rows are at most `longest` fields long.
    pub(crate) fn fill(
        &mut self,
        mut filled: Set,
        direction: Direction,
        over: &Set,
        longest: usize,
        backward: bool,
    ) -> Set {
        let Some(by) = self.geometry.distance(direction).filter(|_| self.slides) else {
            return self.fill_by_steps(filled, direction, over, longest, backward);
        };
        let by = if backward { -by } else { by };
        // Onto these fields a shift is a step: nothing comes round an edge.
        let entered = self.geometry.entered(direction, backward);
        let mut passed = match entered {
            Some(entered) => {
                let entered = self.constant_set(&entered);
                self.intersection(over, &entered)
            }
            None => over.clone(),
        };
        // How many fields long the rows are that have been found so far, and how far a step goes.
        let (mut length, mut stride) = (1, 1);
        while length < longest {
            let moved = self.shifted(&filled, by * stride as i32);
            let more = self.intersection(&moved, &passed);
            filled = self.union_of(&filled, &more);
            length += stride;
            // Twice as far in one step pays if more than one step of this size is missing.
            if longest > length + stride {
                let moved = self.shifted(&passed, by * stride as i32);
                passed = self.intersection(&passed, &moved);
                stride *= 2;
            }
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::Pass;
    use crate::testing::{BOARD, check, check_on, check_on_without, check_without};

    #[test]
    fn a_slide_of_one_piece_is_a_ray_up_to_its_first_obstacle() {
        let rules = "find own man, replace by rock, north, repeat 1 .. infinity times [ step,
            points at empty field ], replace by rock";
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
                  for v9 in v2 {
                    v10 = 1 << v9
                    v11 = v2 &~ v10
                    v12 = v4 | v10
                    v13 = t2[v9]
                    v14 = v13 &~ v8
                    v15 = v14 - 1
                    v16 = v14 ^ v15
                    v17 = v13 & v16
                    v18 = v8 & v17
                    v19 = x0
                    v20 = ones v18
                    v21 = v19 + v20
                    x0 = v21
                  }
                }
            "#]],
        );
        check_without(
            Pass::Slides,
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
                  for v9 in v2 {
                    v10 = 1 << v9
                    v11 = v2 &~ v10
                    v12 = v4 | v10
                    v14 = v10 & 0xfff
                    v16 = v14 << 4
                    v18 = v8 & v16
                    v19 = 0xfff & v18
                    v20 = v19 << 4
                    v21 = v8 & v20
                    v22 = v18 | v21
                    v23 = 0xfff & v22
                    v24 = v23 << 4
                    v25 = v8 & v24
                    v26 = v22 | v25
                    v27 = 0xfff & v26
                    v28 = v27 << 4
                    v29 = v16 | v28
                    v30 = v8 & v29
                    v31 = x0
                    v32 = ones v30
                    v33 = v31 + v32
                    x0 = v33
                  }
                }
            "#]],
        );
    }

    #[test]
    fn a_slide_of_a_set_goes_twice_as_far_each_round() {
        let rules = "find own man, north, repeat 1 .. infinity times [ step, points at empty field ],
            replace by rock, irreversible";
        let declarations = BOARD.replace("(4, 4)", "(8, 8)");
        check_on(
            &declarations,
            rules,
            "main_white_count",
            expect![[r#"
                main_white_count() -> x0, x1 {
                  v2 = word 2
                  v3 = word 3
                  v4 = word 4
                  v5 = v2 | v3
                  v6 = v4 | v5
                  v8 = 0xffffffffffffffff &~ v6
                  v10 = v2 << 8
                  v12 = v8 & v10
                  v13 = v12 << 8
                  v14 = v8 & v13
                  v15 = v12 | v14
                  v16 = v8 << 8
                  v17 = v8 & v16
                  v19 = v15 << 16
                  v21 = v17 & v19
                  v22 = v15 | v21
                  v23 = v17 << 16
                  v24 = v17 & v23
                  v26 = v22 << 32
                  v27 = v24 & v26
                  v28 = v22 | v27
                  v29 = v28 << 8
                  v30 = v10 | v29
                  v31 = v8 & v30
                  v32 = x0
                  v33 = ones v31
                  v34 = v32 + v33
                  x0 = v34
                }
            "#]],
        );
        check_on_without(
            Pass::Slides,
            &declarations,
            rules,
            "main_white_count",
            expect![[r#"
                main_white_count() -> x0, x1 {
                  v2 = word 2
                  v3 = word 3
                  v4 = word 4
                  v5 = v2 | v3
                  v6 = v4 | v5
                  v8 = 0xffffffffffffffff &~ v6
                  v10 = v2 << 8
                  v12 = v8 & v10
                  v13 = v12 << 8
                  v14 = v8 & v13
                  v15 = v12 | v14
                  v16 = v15 << 8
                  v17 = v8 & v16
                  v18 = v15 | v17
                  v19 = v18 << 8
                  v20 = v8 & v19
                  v21 = v18 | v20
                  v22 = v21 << 8
                  v23 = v8 & v22
                  v24 = v21 | v23
                  v25 = v24 << 8
                  v26 = v8 & v25
                  v27 = v24 | v26
                  v28 = v27 << 8
                  v29 = v8 & v28
                  v30 = v27 | v29
                  v31 = v30 << 8
                  v32 = v10 | v31
                  v33 = v8 & v32
                  v34 = x0
                  v35 = ones v33
                  v36 = v34 + v35
                  x0 = v36
                }
            "#]],
        );
    }
}
