//! Slides: from fields along a direction as long as certain pieces are met.
//!
//! From a single field a slide is a ray up to its first obstacle: a table entry and a little arithmetic. For a whole set
//! it is followed step by step, but each round goes twice as far as the one before: what is passed in two steps, then in
//! four, is found out on the way.

use std::rc::Rc;

use multigame_game::{Direction, PieceSet};
use multigame_ir::{Op, Stmt};
use smallvec::smallvec;

use crate::lower::Lowering;
use crate::state::{Branch, Fingers, Reach, Set};
use crate::{Binary, Pass, Unary};

impl<'p> Lowering<'p> {
    /// What the rounds of a loop go over, if a round is `step, points at P`.
    pub(crate) fn slides_over(&self, body: &'p Stmt) -> Option<PieceSet> {
        let mut parts = Vec::new();
        self.flatten(body, &mut parts);
        match parts[..] {
            [Stmt { op: Op::Step, .. }, Stmt { op: Op::PointsAt(pieces), .. }] => Some(*pieces),
            _ => None,
        }
    }

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
        let known = self.is_identity(table) && self.options.has(Pass::Slides);
        if self.geometry.words != 1 || !known || sense == 0 {
            return None;
        }
        let mut rays = vec![0; 64];
        for (field, ray) in rays.iter_mut().enumerate().take(self.geometry.fields) {
            *ray = self.geometry.ray(direction, field)?[0];
        }
        let rays = self.tables.add(rays);
        let ray = self.builder.table(&self.tables, rays, *index);
        let obstacles = self.builder.and_not(ray, over[0]);
        let one = self.builder.constant(1);
        let up_to_first = if sense > 0 {
            // All bits up to the lowest one; all there are if there is none.
            let below = self.builder.binary(Binary::Subtract, obstacles, one);
            self.builder.xor(obstacles, below)
        } else {
            // All bits from the highest one on; all there are if there is none.
            let obstacles = self.builder.or(obstacles, one);
            let zeros = self.builder.unary(Unary::LeadingZeros, obstacles);
            let top = self.builder.constant(1 << 63);
            self.builder.binary(Binary::ShiftRightSigned, top, zeros)
        };
        let reached = self.builder.and(ray, up_to_first);
        let run = self.builder.and(reached, over[0]);
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

    /// Adds to fields of `over` what follows them in a direction (or, backward, comes before them) without leaving
    /// `over`; rows are at most `longest` fields long.
    pub(crate) fn fill(
        &mut self,
        mut filled: Set,
        direction: Direction,
        over: &Set,
        longest: usize,
        backward: bool,
    ) -> Set {
        let by = self.geometry.distance(direction).filter(|_| self.options.has(Pass::Slides));
        let Some(by) = by else {
            for _ in 1..longest {
                let next = match backward {
                    true => self.step_back_set(&filled, direction),
                    false => self.step_set(&filled, direction),
                };
                let next = self.intersection(&next, over);
                filled = self.union_of(&filled, &next);
            }
            return filled;
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
        // So many fields long are the rows found so far, and so far does a step go.
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
