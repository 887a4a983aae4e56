//! A glance at the whole board before a close look at one field.
//!
//! Whether the disc that was just put down completes a row is asked in every direction: to the end of the
//! row, then back along it. Nearly always there is no such row anywhere, which a few shifts of the whole
//! board tell. Only where there is one, the code asks whether the field under the finger is part of it.

use multigame_game::{Direction, PieceSet};
use multigame_ir::{Op, Stmt};

use crate::analysis::facts::Facts;
use crate::lowering::Lowering;
use crate::lowering::state::{Finger, Set, State};
use crate::refusal::R;
use crate::sets::code::Code;
use crate::{Pass, Value};

/// Shorter rows are looked for at once.
const SHORTEST: u32 = 2;

impl<'p> Facts<'p> {
    /// `any direction, while [ step, points at P ] do nothing, repeat 3 times [ step backward, points at P
    /// ]`, whatever follows: what the rows consist of, their directions, and how many steps they are long.
    ///
    /// The same is said by `repeat 0 .. 3 times` in the place of the loop, by `turn 180` and `step` in the
    /// place of `step backward`, and by `test` around all of it.
    fn row(&self, parts: &[&'p Stmt]) -> Option<(PieceSet, Vec<Direction>, u32)> {
        if let [Stmt { op: Op::Test(inside), .. }, ..] = parts {
            let mut parts = Vec::new();
            self.flatten(inside, &mut parts);
            return self.row(&parts);
        }
        let [face, to_end, rest @ ..] = parts else { return None };
        let Op::Face(directions) = &face.op else { return None };
        let pieces = self.run_over(to_end)?;
        let half = self.program.description.board.direction_count() as i32 / 2;
        let (back, turned) = match rest {
            [Stmt { op: Op::Turn(steps), .. }, back, ..] if steps.abs() == half => (back, true),
            [back, ..] => (back, false),
            [] => return None,
        };
        let Op::Repeat { low, high: Some(high), body: step } = &back.op else { return None };
        let mut backward = Vec::new();
        self.flatten(step, &mut backward);
        let returns = match backward[..] {
            [walk, Stmt { op: Op::PointsAt(same), .. }] => {
                *same == pieces && walk.op == if turned { Op::Step } else { Op::StepBackward }
            }
            _ => false,
        };
        let fits = returns && low == high && *low >= SHORTEST;
        let straight = directions.iter().all(|direction| {
            let opposite = self.geometry.opposite[direction.index()];
            opposite.is_some_and(|opposite| self.geometry.opposite[opposite.index()] == Some(*direction))
        });
        (fits && straight).then(|| (pieces, directions.clone(), *low))
    }

    /// The pieces that a statement runs over, as far as it goes or less far.
    fn run_over(&self, stmt: &'p Stmt) -> Option<PieceSet> {
        match &stmt.op {
            Op::While { condition, body } => {
                let mut nothing = Vec::new();
                self.flatten(body, &mut nothing);
                self.slides_over(condition).filter(|_| nothing.is_empty())
            }
            Op::Repeat { low: 0, body, .. } => self.slides_over(body),
            _ => None,
        }
    }
}

impl Code {
    /// The last fields of rows of this many steps.
    fn rows(&mut self, fields: &Set, direction: Direction, steps: u32) -> Set {
        let Some(by) = self.geometry.distance(direction) else {
            let mut rows = fields.clone();
            for _ in 0..steps {
                let next = self.step_set(&rows, direction);
                rows = self.intersection(&next, fields);
            }
            return rows;
        };
        // Fields that a step leads to: nothing comes round an edge.
        let entered = match self.geometry.entered(direction, false) {
            Some(entered) => {
                let entered = self.constant_set(&entered);
                self.intersection(fields, &entered)
            }
            None => fields.clone(),
        };
        let (mut rows, mut length) = (entered, 1);
        while length < steps {
            let further = length.min(steps - length);
            let moved = self.shifted(&rows, by * further as i32);
            rows = self.intersection(&rows, &moved);
            length += further;
        }
        let first = self.shifted(fields, by * steps as i32);
        self.intersection(&rows, &first)
    }
}

impl<'p> Lowering<'p> {
    /// 1 if there is a row anywhere of the kind that statements look for through the finger; nothing if they
    /// do not look for rows, or not from a single field that may be part of one.
    pub(crate) fn row_anywhere(&mut self, parts: &[&'p Stmt], state: &mut State) -> R<Option<Value>> {
        if !matches!(state.finger, Finger::One(_)) || !self.options.has(Pass::Rows) {
            return Ok(None);
        }
        let Some((pieces, directions, steps)) = self.facts.row(parts) else { return Ok(None) };
        if !state.content.iter().all(|piece| pieces.contains(piece)) {
            return Ok(None);
        }
        let fields = self.code.fields_of(pieces, state);
        let mut any = self.code.empty();
        let mut done: Vec<Direction> = Vec::new();
        for direction in directions {
            // A row is the same from both ends.
            let opposite = self.facts.geometry.opposite[direction.index()];
            if !opposite.is_some_and(|opposite| done.contains(&opposite)) {
                let rows = self.code.rows(&fields, direction, steps);
                any = self.code.union_of(&any, &rows);
                done.push(direction);
            }
        }
        Ok(Some(self.code.is_inhabited(&any)))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{BOARD, function, module};
    use crate::{Options, Pass};

    #[test]
    fn a_row_is_looked_for_on_the_whole_board_first() {
        let ends = ["while more do nothing", "repeat 0 .. 2 times more", "repeat 0 .. infinity times more"];
        let ways = ["repeat 2 times [ step backward, points at own man ]", "turn 180, repeat 2 times more"];
        for (end, way) in ends.iter().flat_map(|end| ways.map(|way| (end, way))) {
            let line = format!("line = any direction, {end}, {way}. more = step, points at own man");
            glances(&format!("find empty field, replace by man, line. {line}"));
            glances(&format!("find empty field, replace by man, test line. {line}"));
        }
    }

    fn glances(rules: &str) {
        let count =
            |options: &Options| function(&module(BOARD, rules, options), "main_white_count").to_string();
        let (with, without) = (count(&Options::default()), count(&Options::without(Pass::Rows)));
        // A few shifts of the whole board; only where there is a row, it is looked for through the field.
        let (glance, close_look) = with.split_once("if ").unwrap();
        let glance = &glance[glance.find("for ").unwrap()..];
        assert!(close_look.lines().count() > 2 * glance.lines().count(), "{with}");
        // Without it each field is followed to the end of all rows.
        assert!(without.lines().count() > 2 * glance.lines().count() && !without.contains("x2"), "{without}");
    }
}
