//! Running statements backward: from which fields would they succeed?

use multigame_game::{Direction, Field, PieceSet};
use multigame_ir::{Op, Stmt};

use crate::branches::known;
use crate::facts::Depends;
use crate::geometry::Mask;
use crate::lower::{Lowering, R, Refusal};
use crate::state::{Set, State};
use crate::{Brevity, Value};

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
                    None if self.brevity == Brevity::Loops => {
                        fields = self.spread(fields, &mut |lowering, reached| {
                            lowering.before(&[body], facing, &reached, &mut state.clone())
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
                if let Some(fixed) = self.fixed_while(condition, body, facing) {
                    let after = self.before(rest, facing, end, state)?;
                    return Ok(self.before_fixed(&after, &fixed));
                }
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
}
