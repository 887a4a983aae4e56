//! Walks that are followed while compiling: where statements lead from each field, as far as the place alone decides.

use std::rc::Rc;

use multigame_game::{Direction, Field, Side};
use multigame_ir::{Expr, ExprOp, Op, Slot, Stmt};
use smallvec::smallvec;

use crate::facts::Depends;
use crate::geometry::Mask;
use crate::lower::{Lowering, R, Refusal};

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

impl<'p> Lowering<'p> {
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

    /// For each field where a statement can lead from there at most, whatever stands on the board.
    pub(crate) fn widest(&mut self, stmt: &'p Stmt, facing: Option<Direction>) -> R<Rc<Vec<Mask>>> {
        let key = (std::ptr::from_ref(stmt), facing);
        if let Some(known) = self.widest.get(&key) {
            return Ok(Rc::clone(known));
        }
        let table = Rc::new(self.find_widest(stmt, facing)?);
        self.widest.insert(key, Rc::clone(&table));
        Ok(table)
    }

    /// The same for statements one after the other.
    pub(crate) fn widest_of(&self, parts: &[&'p Stmt]) -> R<Vec<Mask>> {
        let fields = (0..self.geometry.fields as u16).map(|field| {
            let start: Pointing = [(Field(field), None)].into();
            let reached = parts.iter().try_fold(start, |at, part| self.walk(part, &at, Look::Ignored))?;
            let mut mask = smallvec![0; self.geometry.words];
            for (to, _) in reached {
                mask[to.index() / 64] |= 1 << (to.index() % 64);
            }
            Ok(mask)
        });
        fields.collect()
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
        let step = |opposite: bool| {
            let steps = from.iter().filter_map(|&(field, direction)| {
                let along = match opposite {
                    false => direction,
                    true => self.geometry.opposite[direction?.index()],
                };
                let next = self.geometry.next[along?.index()][field.index()]?;
                Some((next, direction))
            });
            steps.collect()
        };
        let each = |keep: &dyn Fn(&Pointing) -> bool, inner: &Stmt| -> R<Pointing> {
            let mut kept = Pointing::new();
            for &finger in from {
                if keep(&self.walk(inner, &[finger].into(), look)?) {
                    kept.insert(finger);
                }
            }
            Ok(kept)
        };
        Ok(match &stmt.op {
            Op::Sequence(parts) => {
                parts.iter().try_fold(from.clone(), |fingers, part| self.walk(part, &fingers, look))?
            }
            Op::Either(parts) => {
                let mut all = Pointing::new();
                for part in parts {
                    all.extend(self.walk(part, from, look)?);
                }
                all
            }
            Op::Test(_) | Op::Not(_) | Op::PointsAt(_) | Op::Match(_) | Op::Assert(_)
                if look == Look::Ignored =>
            {
                from.clone()
            }
            Op::Repeat { low, high, body } if look == Look::Ignored => {
                let mut now = from.clone();
                for _ in 0..*low {
                    now = self.walk(body, &now, look)?;
                }
                let mut all = now.clone();
                let mut rounds = high.map_or(u32::MAX, |high| high - low);
                while rounds > 0 && !now.is_empty() {
                    now = &self.walk(body, &now, look)? - &all;
                    all.extend(&now);
                    rounds -= 1;
                }
                all
            }
            Op::While { condition, body } if look == Look::Ignored => {
                let (mut now, mut all) = (from.clone(), from.clone());
                while !now.is_empty() {
                    now = &self.walk(body, &self.walk(condition, &now, look)?, look)? - &all;
                    all.extend(&now);
                }
                all
            }
            Op::Test(inner) => each(&|found| !found.is_empty(), inner)?,
            Op::Not(inner) => each(&Pointing::is_empty, inner)?,
            Op::Call(function) => self.walk(self.facts.body(*function), from, look)?,
            Op::Assert(value) if self.facts.depends(value) == Depends::Place => {
                let mut kept = Pointing::new();
                for &(field, direction) in from {
                    if self.at_place(value, field)? != 0 {
                        kept.insert((field, direction));
                    }
                }
                kept
            }
            Op::Face(directions) => {
                let facing = |field| directions.iter().map(move |&direction| (field, Some(direction)));
                from.iter().flat_map(|&(field, _)| facing(field)).collect()
            }
            Op::Turn(steps) => {
                let count = self.geometry.next.len() as i32;
                let turn = |direction: Direction| {
                    Direction((i32::from(direction.0) + steps).rem_euclid(count) as u8)
                };
                from.iter().map(|&(field, direction)| (field, direction.map(turn))).collect()
            }
            Op::Step => step(false),
            Op::StepBackward => step(true),
            _ => return Err(Refusal::new("a walk that looks at the board")),
        })
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
                    B::ShiftLeft | B::ShiftRight => return Err(odd()),
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
