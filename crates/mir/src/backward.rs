//! Running statements backward: from which fields would they succeed?

use std::rc::Rc;

use multigame_game::{Direction, Field, PieceSet, Side};
use multigame_ir::{Expr, ExprOp, Op, Slot, Stmt};
use smallvec::smallvec;

use crate::Value;
use crate::branches::known;
use crate::facts::Depends;
use crate::geometry::Mask;
use crate::lower::{Lowering, R, Refusal};
use crate::state::{Set, State};

/// What a walk does with statements that look at the board.
#[derive(Clone, Copy, PartialEq)]
enum Look {
    /// They have no place in it.
    Forbidden,
    /// They may succeed everywhere.
    Ignored,
}

/// Fields with the directions fingers there face.
type Fingers = std::collections::BTreeSet<(Field, Option<Direction>)>;

impl<'p> Lowering<'p> {
    /// The fields from which statements lead into a set.
    pub(crate) fn before(
        &mut self,
        parts: &[&'p Stmt],
        facing: Option<Direction>,
        end: &Set,
        state: &mut State,
    ) -> R<Set> {
        let Some((&first, rest)) = parts.split_first() else { return Ok(end.clone()) };
        let with = |inner: &[&'p Stmt]| -> Vec<&'p Stmt> { inner.iter().chain(rest).copied().collect() };
        match &first.op {
            Op::Sequence(inner) => {
                let parts = with(&inner.iter().collect::<Vec<_>>());
                self.before(&parts, facing, end, state)
            }
            Op::Call(function) => {
                let parts = with(&[self.facts.body(*function)]);
                self.before(&parts, facing, end, state)
            }
            Op::Either(inner) => {
                let mut any = self.empty();
                for part in inner {
                    let fields = self.before(&with(&[part]), facing, end, state)?;
                    any = self.union_of(&any, &fields);
                }
                Ok(any)
            }
            Op::Try(a, b) => {
                let all = self.all();
                let succeeds = self.before(&[a], facing, &all, state)?;
                let first = self.before(&with(&[a]), facing, end, state)?;
                let second = self.before(&with(&[b]), facing, end, state)?;
                let second = self.without(&second, &succeeds);
                Ok(self.union_of(&first, &second))
            }
            Op::Test(a) | Op::Not(a) => {
                let all = self.all();
                let succeeds = self.before(&[a], facing, &all, state)?;
                let after = self.before(rest, facing, end, state)?;
                Ok(match &first.op {
                    Op::Test(_) => self.intersection(&after, &succeeds),
                    _ => self.without(&after, &succeeds),
                })
            }
            Op::Repeat { low, high: None, body } if self.slides_over(body).is_some() => {
                let over = self.fields_of(self.slides_over(body).unwrap_or(PieceSet::EMPTY), state);
                let facing = known(facing)?;
                let after = self.before(rest, Some(facing), end, state)?;
                // What comes first does not look at the end of a row if another step follows.
                let steps_on = matches!(self.first_of(rest), Some(Stmt { op: Op::Step, .. }));
                let longest = self.rounds_facing(Some(facing))?.saturating_sub(usize::from(steps_on));
                let last = self.intersection(&after, &over);
                let passed = self.fill(last, facing, &over, longest, true);
                let mut fields = self.step_back_set(&passed, facing);
                if *low == 0 {
                    fields = self.union_of(&after, &fields);
                }
                for _ in 1..*low {
                    fields = self.before(&[body], Some(facing), &fields, state)?;
                }
                Ok(fields)
            }
            Op::Repeat { low, high, body } => {
                let mut fields = self.before(rest, facing, end, state)?;
                let more = match high {
                    Some(high) => (*high - *low) as usize,
                    None if self.facts.faces(body) => {
                        fields = self.spread(fields, &mut |lowering, reached| {
                            lowering.before(&[body], None, &reached, &mut state.clone())
                        })?;
                        0
                    }
                    None => self.rounds_facing(facing)?,
                };
                for _ in 0..more {
                    let earlier = self.before(&[body], facing, &fields, state)?;
                    fields = self.union_of(&fields, &earlier);
                }
                for _ in 0..*low {
                    fields = self.before(&[body], facing, &fields, state)?;
                }
                Ok(fields)
            }
            Op::While { condition, body } => {
                let all = self.all();
                let goes_on = self.before(&[condition], facing, &all, state)?;
                let after = self.before(rest, facing, end, state)?;
                let mut fields = self.without(&after, &goes_on);
                for _ in 0..self.rounds_facing(facing)? {
                    let earlier = self.before(&[condition, body], facing, &fields, state)?;
                    fields = self.union_of(&fields, &earlier);
                }
                Ok(fields)
            }
            Op::Face(directions) => {
                let mut any = self.empty();
                for &direction in directions {
                    let fields = self.before(rest, Some(direction), end, state)?;
                    any = self.union_of(&any, &fields);
                }
                Ok(any)
            }
            Op::Turn(steps) => {
                let count = self.geometry.next.len() as i32;
                let turned = (i32::from(known(facing)?.0) + steps).rem_euclid(count);
                self.before(rest, Some(Direction(turned as u8)), end, state)
            }
            Op::Step | Op::StepBackward => {
                let facing = known(facing)?;
                let way = match &first.op {
                    Op::Step => Some(facing),
                    _ => self.geometry.opposite[facing.index()],
                };
                let way = way.ok_or_else(|| Refusal::new("a step backward without an opposite direction"))?;
                let after = self.before(rest, Some(facing), end, state)?;
                Ok(self.step_back_set(&after, way))
            }
            Op::PointsAt(pieces) => {
                let after = self.before(rest, facing, end, state)?;
                let fields = self.fields_of(*pieces, state);
                Ok(self.intersection(&after, &fields))
            }
            Op::Find(pieces) => {
                let after = self.before(rest, facing, end, state)?;
                let fields = self.fields_of(*pieces, state);
                let found = self.intersection(&after, &fields);
                self.everywhere_if(&found)
            }
            Op::Place(field) => {
                let after = self.before(rest, facing, end, state)?;
                let mask = self.geometry.single(field.index());
                let field = self.constant_set(&mask);
                let found = self.intersection(&after, &field);
                self.everywhere_if(&found)
            }
            Op::Match(fields) => {
                let after = self.before(rest, facing, end, state)?;
                let matches = self.matches(fields, state);
                Ok(self.only_if(matches, &after))
            }
            Op::Assert(value) => {
                let after = self.before(rest, facing, end, state)?;
                match self.facts.depends(value) {
                    Depends::Place => {
                        let mask = self.place_mask(value)?;
                        let fields = self.constant_set(&mask);
                        Ok(self.intersection(&after, &fields))
                    }
                    Depends::Position => {
                        let value = self.evaluate(value, state)?;
                        let condition = self.builder.is_nonzero(value);
                        Ok(self.only_if(condition, &after))
                    }
                    Depends::Mixed => {
                        Err(Refusal::new("an assertion on sets that depends on finger and position"))
                    }
                }
            }
            _ => Err(Refusal::new("a statement that does not run on sets")),
        }
    }

    /// The statement that is done first.
    fn first_of(&self, parts: &[&'p Stmt]) -> Option<&'p Stmt> {
        let mut flat = Vec::new();
        self.flatten(parts.first()?, &mut flat);
        flat.first().copied()
    }

    pub(crate) fn rounds_facing(&self, facing: Option<Direction>) -> R<usize> {
        let rounds = self.geometry.longest[known(facing)?.index()];
        if rounds > 24 { Err(Refusal::new("a loop on sets with more than 24 rounds")) } else { Ok(rounds) }
    }

    pub(crate) fn everywhere_if(&mut self, found: &Set) -> R<Set> {
        let inhabited = self.is_inhabited(found);
        let all = self.all();
        Ok(self.only_if(inhabited, &all))
    }

    /// 1 if each field holds one of its pieces.
    pub(crate) fn matches(&mut self, fields: &[(Field, PieceSet)], state: &mut State) -> Value {
        let mut wanted: Vec<(PieceSet, Mask)> = Vec::new();
        let single = |pieces: &PieceSet| pieces.iter().next().filter(|_| pieces.len() == 1);
        let (mut missing, mut plain) = (self.empty(), fields.to_vec());
        if self.layout.coded {
            plain.retain(|(_, pieces)| pieces.len() != 1);
            let certain = fields.iter().filter_map(|(field, pieces)| Some((*field, single(pieces)?)));
            missing = self.differing(&certain.collect::<Vec<_>>(), state);
        }
        for (field, pieces) in &plain {
            let single = self.geometry.single(field.index());
            match wanted.iter_mut().find(|(known, _)| known == pieces) {
                Some((_, mask)) => mask.iter_mut().zip(single).for_each(|(word, bit)| *word |= bit),
                None => wanted.push((*pieces, single)),
            }
        }
        for (pieces, mask) in wanted {
            let fields = self.fields_of(pieces, state);
            let mask = self.constant_set(&mask);
            let absent = self.without(&mask, &fields);
            missing = self.union_of(&missing, &absent);
        }
        let any = self.is_inhabited(&missing);
        self.builder.is_zero(any)
    }

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
            let start: Fingers = [(Field(field), None)].into();
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
    fn walk(&self, stmt: &Stmt, from: &Fingers, look: Look) -> R<Fingers> {
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
        let each = |keep: &dyn Fn(&Fingers) -> bool, inner: &Stmt| -> R<Fingers> {
            let mut kept = Fingers::new();
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
                let mut all = Fingers::new();
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
            Op::Test(inner) => each(&|found| !found.is_empty(), inner)?,
            Op::Not(inner) => each(&Fingers::is_empty, inner)?,
            Op::Call(function) => self.walk(self.facts.body(*function), from, look)?,
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
