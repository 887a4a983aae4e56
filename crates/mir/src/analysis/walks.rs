//! Walks that are followed while compiling: where statements lead from each field, as far as the place alone
//! decides.

use std::rc::Rc;

use multigame_game::{Direction, Field, Side};
use multigame_ir::{Expr, ExprOp, Op, Slot, Stmt};
use smallvec::smallvec;

use crate::analysis::facts::{Depends, Facts};
use crate::analysis::geometry::{Mask, Table};
use crate::refusal::{R, Refusal};

/// What a walk does with statements that look at the board.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Look {
    /// They have no place in it.
    Forbidden,
    /// They may succeed everywhere.
    Ignored,
}

/// Fields with the directions fingers there face.
pub(crate) type Pointing = std::collections::BTreeSet<(Field, Option<Direction>)>;

impl<'p> Facts<'p> {
    /// The fields at which an expression that depends on the finger's place alone is not 0.
    pub(crate) fn place_mask(&self, value: &Expr) -> R<Mask> {
        let mut mask = smallvec![0; self.geometry.words];
        for field in self.program.description.board.fields() {
            if self.at_place(value, field)? != 0 {
                mask[field.index() / 64] |= 1 << (field.index() % 64);
            }
        }
        Ok(mask)
    }

    /// For each field where a statement can lead from there at most, over any pieces.
    pub(crate) fn widest(&self, stmt: &'p Stmt, facing: Option<Direction>) -> R<Table> {
        let key = (std::ptr::from_ref(stmt), facing);
        if let Some(known) = self.widest.borrow().get(&key) {
            return Ok(Rc::clone(known));
        }
        let table = Rc::new(self.find_widest(stmt, facing)?);
        self.widest.borrow_mut().insert(key, Rc::clone(&table));
        Ok(table)
    }

    fn find_widest(&self, stmt: &Stmt, facing: Option<Direction>) -> R<Vec<Mask>> {
        let fields = (0..self.geometry.fields as u16).map(|field| {
            let mut mask = smallvec![0; self.geometry.words];
            for (to, _) in self.walk(stmt, &[(Field(field), facing)].into(), Look::Ignored)? {
                mask[to.index() / 64] |= 1 << (to.index() % 64);
            }
            Ok(mask)
        });
        fields.collect()
    }

    /// Where a statement that only moves the finger leads, with which directions.
    pub(crate) fn walk(&self, stmt: &Stmt, from: &Pointing, look: Look) -> R<Pointing> {
        match &stmt.op {
            Op::Sequence(parts) => {
                parts.iter().try_fold(from.clone(), |fingers, part| self.walk(part, &fingers, look))
            }
            Op::Either(parts) => union(parts.iter().map(|part| self.walk(part, from, look))),
            Op::Call(function) => self.walk(self.body(*function), from, look),
            Op::Test(_) | Op::Not(_) | Op::PointsAt(_) | Op::Match(_) | Op::Assert(_)
                if look == Look::Ignored =>
            {
                Ok(from.clone())
            }
            Op::Repeat { low, high, body } if look == Look::Ignored => {
                rounds(*low, *high, from, &mut |now| self.walk(body, now, look))
            }
            Op::While { condition, body } if look == Look::Ignored => {
                let again = &mut |now: &Pointing| self.walk(body, &self.walk(condition, now, look)?, look);
                rounds(0, None, from, again)
            }
            Op::Test(inner) => keep(from, |finger| Ok(!self.walk(inner, finger, look)?.is_empty())),
            Op::Not(inner) => keep(from, |finger| Ok(self.walk(inner, finger, look)?.is_empty())),
            Op::Assert(value) if self.depends(value) == Depends::Place => keep(from, |finger| {
                let places: R<Vec<i64>> =
                    finger.iter().map(|(field, _)| self.at_place(value, *field)).collect();
                Ok(places?.into_iter().all(|value| value != 0))
            }),
            Op::Face(directions) => {
                let facing = |field| directions.iter().map(move |&direction| (field, Some(direction)));
                Ok(from.iter().flat_map(|&(field, _)| facing(field)).collect())
            }
            Op::Turn(steps) => {
                let turn = |direction| self.geometry.turned(direction, *steps);
                Ok(from.iter().map(|&(field, direction)| (field, direction.map(turn))).collect())
            }
            Op::Step => Ok(self.steps(from, Some)),
            Op::StepBackward => Ok(self.steps(from, |direction| self.geometry.opposite[direction.index()])),
            _ => Err(Refusal::new("a walk that looks at the board")),
        }
    }

    /// One step of each finger; those that leave the board are gone.
    fn steps(&self, from: &Pointing, along: impl Fn(Direction) -> Option<Direction>) -> Pointing {
        let steps = from.iter().filter_map(|&(field, direction)| {
            let next = self.geometry.next[along(direction?)?.index()][field.index()]?;
            Some((next, direction))
        });
        steps.collect()
    }

    pub(crate) fn at_place(&self, expr: &Expr, field: Field) -> R<i64> {
        let board = &self.program.description.board;
        let seen = |view: Side| board.seen_by(view, field);
        let odd = || Refusal::new("an expression that cannot be computed while compiling");
        Ok(match &expr.op {
            ExprOp::Const(value) => *value,
            ExprOp::Row(view) => i64::from(board.row(seen(*view))),
            ExprOp::Column(view) => i64::from(board.column(seen(*view))),
            ExprOp::Count(body) => self.walk(body, &[(field, None)].into(), Look::Forbidden)?.len() as i64,
            ExprOp::Negate(a) => self.at_place(a, field)?.checked_neg().ok_or_else(odd)?,
            ExprOp::Not(a) => i64::from(self.at_place(a, field)? == 0),
            ExprOp::Complement(a) => !self.at_place(a, field)?,
            ExprOp::And(a, b) => i64::from(self.at_place(a, field)? != 0 && self.at_place(b, field)? != 0),
            ExprOp::Or(a, b) => i64::from(self.at_place(a, field)? != 0 || self.at_place(b, field)? != 0),
            ExprOp::Conditional(c, a, b) => match self.at_place(c, field)? {
                0 => self.at_place(b, field)?,
                _ => self.at_place(a, field)?,
            },
            ExprOp::Binary(op, a, b) => {
                use multigame_ir::BinaryOp as B;
                let (a, b) = (self.at_place(a, field)?, self.at_place(b, field)?);
                match op {
                    B::Add => a.checked_add(b).ok_or_else(odd)?,
                    B::Subtract => a.checked_sub(b).ok_or_else(odd)?,
                    B::Multiply => a.checked_mul(b).ok_or_else(odd)?,
                    B::Divide => a.checked_div(b).ok_or_else(odd)?,
                    B::Remainder => a.checked_rem(b).ok_or_else(odd)?,
                    B::ShiftLeft | B::ShiftIn | B::ShiftRight => return Err(odd()),
                    B::Less => i64::from(a < b),
                    B::LessEqual => i64::from(a <= b),
                    B::Greater => i64::from(a > b),
                    B::GreaterEqual => i64::from(a >= b),
                    B::Equal => i64::from(a == b),
                    B::NotEqual => i64::from(a != b),
                    B::BitAnd => a & b,
                    B::BitXor => a ^ b,
                    B::BitOr => a | b,
                }
            }
            ExprOp::Load(Slot::Value(_) | Slot::AtFinger(_)) => return Err(odd()),
            _ => return Err(odd()),
        })
    }
}

/// The fingers for which something holds.
fn keep(from: &Pointing, holds: impl Fn(&Pointing) -> R<bool>) -> R<Pointing> {
    let mut kept = Pointing::new();
    for &finger in from {
        if holds(&[finger].into())? {
            kept.insert(finger);
        }
    }
    Ok(kept)
}

/// All that some ways lead to.
pub(crate) fn union(ways: impl Iterator<Item = R<Pointing>>) -> R<Pointing> {
    let mut all = Pointing::new();
    for way in ways {
        all.extend(way?);
    }
    Ok(all)
}

/// What `low` to `high` rounds lead to, any number of them without `high`.
pub(crate) fn rounds(
    low: u32,
    high: Option<u32>,
    from: &Pointing,
    round: &mut dyn FnMut(&Pointing) -> R<Pointing>,
) -> R<Pointing> {
    let mut now = from.clone();
    for _ in 0..low {
        now = round(&now)?;
    }
    let mut all = now.clone();
    let mut left = high.map_or(u32::MAX, |high| high - low);
    while left > 0 && !now.is_empty() {
        now = &round(&now)? - &all;
        all.extend(&now);
        left -= 1;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BOARD, program};

    #[test]
    fn where_a_statement_leads_at_most() {
        let program = program(
            BOARD,
            "find own man, north, step, east, repeat 1 .. infinity times [ step,
            points at empty field ], replace by rock",
        );
        let facts = Facts::new(&program);
        let Op::Sequence(parts) = &facts.body(program.main[0]).op else { panic!("one statement") };
        let from: Pointing = [(Field(1), None)].into();
        let walked =
            parts[1..5].iter().try_fold(from, |at, part| facts.walk(part, &at, Look::Ignored)).unwrap();
        let fields: Vec<u16> = walked.into_iter().map(|(field, _)| field.0).collect();
        assert_eq!(fields, [6, 7]);
        // The compiler does not ask which piece stands there.
        assert!(facts.walk(&parts[4], &[(Field(1), Some(Direction(0)))].into(), Look::Forbidden).is_err());
    }

    #[test]
    fn rounds_end_where_nothing_is_new() {
        let ring = |now: &Pointing| {
            Ok(now.iter().map(|(field, facing)| (Field((field.0 + 1) % 5), *facing)).collect())
        };
        let from: Pointing = [(Field(0), None)].into();
        assert_eq!(rounds(0, None, &from, &mut { ring }).unwrap().len(), 5);
        assert_eq!(rounds(1, Some(2), &from, &mut { ring }).unwrap().len(), 2);
    }
}
