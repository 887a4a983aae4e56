//! A glance at the whole board before a close look at one field.
//!
//! Whether the disc that was just put down completes a row is asked in every direction: to the end of the row, then back
//! along it. Nearly always there is no such row anywhere, and that is a few shifts of the whole board: only where there
//! is one, it is looked whether the field under the finger is part of it.

use multigame_game::{Direction, PieceSet};
use multigame_ir::{Op, Stmt};

use crate::lower::{Lowering, R};
use crate::state::{Finger, Set, State};
use crate::{Pass, Value};

/// Shorter rows are looked for at once.
const SHORTEST: u32 = 2;

impl<'p> Lowering<'p> {
    /// 1 if there is a row anywhere of the kind that statements look for through the finger; nothing if they do not
    /// look for rows, or not from a single field that may be part of one.
    pub(crate) fn row_anywhere(&mut self, parts: &[&'p Stmt], state: &mut State) -> R<Option<Value>> {
        if !matches!(state.finger, Finger::One(_)) || !self.options.has(Pass::Rows) {
            return Ok(None);
        }
        let Some((pieces, directions, steps)) = self.row(parts) else { return Ok(None) };
        if !state.content.iter().all(|piece| pieces.contains(piece)) {
            return Ok(None);
        }
        let fields = self.fields_of(pieces, state);
        let mut any = self.empty();
        let mut done: Vec<Direction> = Vec::new();
        for direction in directions {
            // A row is the same from both ends.
            let opposite = self.geometry.opposite[direction.index()];
            if !opposite.is_some_and(|opposite| done.contains(&opposite)) {
                let rows = self.rows(&fields, direction, steps);
                any = self.union_of(&any, &rows);
                done.push(direction);
            }
        }
        Ok(Some(self.is_inhabited(&any)))
    }

    /// `any direction, while [ step, points at P ] do nothing, repeat 3 times [ step backward, points at P ]`, whatever
    /// follows: what the rows consist of, their directions, and how many steps they are long.
    fn row(&self, parts: &[&'p Stmt]) -> Option<(PieceSet, Vec<Direction>, u32)> {
        let [face, to_end, back, ..] = parts else { return None };
        let Op::Face(directions) = &face.op else { return None };
        let Op::While { condition, body } = &to_end.op else { return None };
        let Op::Repeat { low, high: Some(high), body: step } = &back.op else { return None };
        let pieces = self.slides_over(condition)?;
        let mut nothing = Vec::new();
        self.flatten(body, &mut nothing);
        let mut backward = Vec::new();
        self.flatten(step, &mut backward);
        let returns = match backward[..] {
            [Stmt { op: Op::StepBackward, .. }, Stmt { op: Op::PointsAt(same), .. }] => *same == pieces,
            _ => false,
        };
        let fits = nothing.is_empty() && returns && low == high && *low >= SHORTEST;
        let straight = directions.iter().all(|direction| {
            let opposite = self.geometry.opposite[direction.index()];
            opposite.is_some_and(|opposite| self.geometry.opposite[opposite.index()] == Some(*direction))
        });
        (fits && straight).then(|| (pieces, directions.clone(), *low))
    }

    /// The last fields of rows of so many steps.
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
