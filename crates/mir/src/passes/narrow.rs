//! Which pieces can move at all.
//!
//! `find own man, pick up, northeast, step, points at opponent's piece, ..., step, points at empty field`
//! would look at one man after the other, most of them for nothing. The statements behind `pick up` are
//! followed backward on sets as far as they only walk away in one direction and look: a piece that is not
//! found that way need not be picked up. What pieces change behind them does not matter, because a way that
//! never comes back does not see it.

use multigame_game::{Direction, PieceSet};
use multigame_ir::{Expr, Op, Stmt};

use crate::analysis::facts::{Depends, Facts};
use crate::lowering::Lowering;
use crate::lowering::rest::{Rest, Step};
use crate::lowering::state::{Finger, Set, State};
use crate::refusal::R;
use crate::{Pass, Value};

/// With fewer looks than this on the shortest way, looking at each piece with tables is as cheap.
const WORTH: u32 = 2;

/// How far a piece has gone.
#[derive(Clone, Copy, Default)]
struct Way {
    direction: Option<Direction>,
    /// Whether it may have gone, and whether it surely has left its field.
    gone: bool,
    left: bool,
    /// Whether the field it has come to has been changed.
    changed: bool,
}

/// What a piece does next.
enum Next<'p> {
    /// Something that may succeed for all that is known here.
    Anything,
    /// One of these.
    Either(Vec<(Vec<&'p Stmt>, Way)>),
    Step(Direction, Vec<&'p Stmt>, Way),
    Slide(Direction, PieceSet, Vec<&'p Stmt>, Way),
    Look(PieceSet, Vec<&'p Stmt>, Way),
    Place(&'p Expr, Vec<&'p Stmt>, Way),
}

impl<'p> Facts<'p> {
    /// Whether statements only walk and look, so that they succeed exactly where that is possible.
    fn follows_all(&self, parts: &[&'p Stmt], way: Way) -> bool {
        match self.next(parts, way) {
            Next::Anything => parts.is_empty(),
            Next::Either(ways) => ways.iter().all(|(parts, way)| self.follows_all(parts, *way)),
            Next::Look(_, parts, way)
            | Next::Step(_, parts, way)
            | Next::Slide(_, _, parts, way)
            | Next::Place(_, parts, way) => self.follows_all(&parts, way),
        }
    }

    fn next(&self, parts: &[&'p Stmt], way: Way) -> Next<'p> {
        let Some((&first, after)) = parts.split_first() else { return Next::Anything };
        let with = |inner: &[&'p Stmt]| -> Vec<&'p Stmt> { inner.iter().chain(after).copied().collect() };
        let onward = way.direction.filter(|&direction| self.never_returns(direction));
        match (&first.op, onward) {
            (Op::Sequence(inner), _) => Next::Either(vec![(with(&inner.iter().collect::<Vec<_>>()), way)]),
            (Op::Call(function), _) if !self.recursive(*function) => {
                Next::Either(vec![(with(&[self.body(*function)]), way)])
            }
            (Op::Either(inner), _) => Next::Either(inner.iter().map(|part| (with(&[part]), way)).collect()),
            (Op::Face(directions), _) if !way.gone => {
                let facing = |&direction: &Direction| Way { direction: Some(direction), ..way };
                Next::Either(directions.iter().map(|direction| (after.to_vec(), facing(direction))).collect())
            }
            (Op::Repeat { low, high: Some(high), body }, _) if low == high => {
                Next::Either(vec![(with(&vec![&**body; *low as usize]), way)])
            }
            (Op::Repeat { low: 0, high: None, body }, Some(direction)) => match self.slides_over(body) {
                Some(over) => Next::Slide(direction, over, after.to_vec(), Way { gone: true, ..way }),
                None => Next::Anything,
            },
            (Op::Step, Some(direction)) => {
                Next::Step(direction, after.to_vec(), Way { gone: true, left: true, changed: false, ..way })
            }
            (Op::PointsAt(pieces), _) if way.left && !way.changed => Next::Look(*pieces, after.to_vec(), way),
            (Op::Replace(_), _) if way.left => {
                Next::Either(vec![(after.to_vec(), Way { changed: true, ..way })])
            }
            (Op::Assert(value), _) if self.depends(value) == Depends::Place => {
                Next::Place(value, after.to_vec(), way)
            }
            _ => Next::Anything,
        }
    }

    /// How often the shortest way looks at a field.
    fn looks(&self, parts: &[&'p Stmt], way: Way) -> u32 {
        match self.next(parts, way) {
            Next::Anything => 0,
            Next::Either(ways) => ways.iter().map(|(parts, way)| self.looks(parts, *way)).min().unwrap_or(0),
            Next::Look(_, parts, way) => 1 + self.looks(&parts, way),
            Next::Step(_, parts, way) | Next::Slide(_, _, parts, way) | Next::Place(_, parts, way) => {
                self.looks(&parts, way)
            }
        }
    }
}

impl<'p> Lowering<'p> {
    /// Of some fields those whose pieces may move, if what remains begins by picking them up.
    pub(crate) fn narrowed(&mut self, rest: &Rest<'p>, origins: &Set, state: &State) -> R<Set> {
        if !self.options.has(Pass::Narrowing) {
            return Ok(origins.clone());
        }
        let mut parts = Vec::new();
        for step in rest.steps() {
            match step {
                Step::Do(stmt) => parts.push(stmt),
                Step::Mark(_) => {}
                _ => break,
            }
        }
        match parts.split_first() {
            Some((Stmt { op: Op::PickUp, .. }, parts))
                if self.facts.looks(parts, Way::default()) >= WORTH =>
            {
                let possible = self.possible(parts, Way::default(), &mut state.clone())?;
                Ok(self.code.intersection(origins, &possible))
            }
            _ => Ok(origins.clone()),
        }
    }

    /// 1 if some alternatives have any result, where each of them picks up a piece and what decides then is
    /// only walking and looking; nothing where more decides. What surely succeeds need not be done.
    pub(crate) fn anybody_moves(&mut self, stmt: &'p Stmt, state: &State) -> R<Option<Value>> {
        let mut parts = Vec::new();
        self.facts.flatten(stmt, &mut parts);
        while parts.last().is_some_and(|part| self.facts.program.surely_succeeds(part)) {
            parts.pop();
        }
        match parts[..] {
            [Stmt { op: Op::Either(alternatives), .. }] => {
                let mut any = self.code.constant(0);
                for alternative in alternatives {
                    let Some(found) = self.anybody_moves(alternative, state)? else { return Ok(None) };
                    any = self.code.or(any, found);
                }
                Ok(Some(any))
            }
            [Stmt { op: Op::Find(pieces), .. }, Stmt { op: Op::PickUp, .. }, ref after @ ..]
                if self.options.has(Pass::Narrowing) && self.facts.follows_all(after, Way::default()) =>
            {
                let mut state = state.clone();
                let origins = self.code.fields_of(*pieces, &mut state);
                let possible = self.possible(after, Way::default(), &mut state)?;
                let movers = self.code.intersection(&origins, &possible);
                Ok(Some(self.code.is_inhabited(&movers)))
            }
            _ => Ok(None),
        }
    }

    /// 1 if a statement has any result from the field under the finger; nothing where more decides than
    /// walking and looking.
    pub(crate) fn goes_on(&mut self, stmt: &'p Stmt, state: &State) -> R<Option<Value>> {
        let Finger::One(index) = state.finger else { return Ok(None) };
        let way = Way { direction: state.direction, ..Way::default() };
        if !self.options.has(Pass::Narrowing) || !self.facts.follows_all(&[stmt], way) {
            return Ok(None);
        }
        let possible = self.possible(&[stmt], way, &mut state.clone())?;
        Ok(Some(self.code.contains(&possible, index)))
    }

    /// The fields from which statements may succeed.
    fn possible(&mut self, parts: &[&'p Stmt], way: Way, state: &mut State) -> R<Set> {
        match self.facts.next(parts, way) {
            Next::Anything => Ok(self.code.all()),
            Next::Either(ways) => {
                let mut any = self.code.empty();
                for (parts, way) in ways {
                    let fields = self.possible(&parts, way, state)?;
                    any = self.code.union_of(&any, &fields);
                }
                Ok(any)
            }
            Next::Step(direction, parts, way) => {
                let after = self.possible(&parts, way, state)?;
                Ok(self.code.step_back_set(&after, direction))
            }
            Next::Slide(direction, pieces, parts, way) => {
                let after = self.possible(&parts, way, state)?;
                let over = self.code.fields_of(pieces, state);
                let last = self.code.intersection(&after, &over);
                let longest = self.facts.geometry.longest[direction.index()];
                let passed = self.code.fill(last, direction, &over, longest, true);
                let before = self.code.step_back_set(&passed, direction);
                Ok(self.code.union_of(&after, &before))
            }
            Next::Look(pieces, parts, way) => {
                let after = self.possible(&parts, way, state)?;
                let fields = self.code.fields_of(pieces, state);
                Ok(self.code.intersection(&after, &fields))
            }
            Next::Place(value, parts, way) => {
                let after = self.possible(&parts, way, state)?;
                let mask = self.facts.place_mask(value)?;
                let fields = self.code.constant_set(&mask);
                Ok(self.code.intersection(&after, &fields))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::Pass;
    use crate::testing::{BOARD, check, check_unchanged_by, check_without};

    #[test]
    fn men_that_cannot_jump_are_not_picked_up() {
        let rules = "find own man, pick up, north, step, points at opponent's man,
            replace by empty field, step, points at empty field, put down";
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
                  v11 = v8 >> 4
                  v12 = v3 & v11
                  v13 = v12 >> 4
                  v14 = v2 & v13
                  for v15 in v14 {
                    v16 = 1 << v15
                    v17 = v2 &~ v16
                    v18 = v8 | v16
                    v19 = t1[v15]
                    v20 = v3 & v19
                    for v21 in v20 {
                      v22 = 1 << v21
                      v23 = v3 &~ v22
                      v24 = v18 | v22
                      v25 = t1[v21]
                      v26 = v24 & v25
                      v27 = x0
                      v28 = ones v26
                      v29 = v27 + v28
                      x0 = v29
                    }
                  }
                }
            "#]],
        );
        check_without(
            Pass::Narrowing,
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
                    v12 = v8 | v10
                    v13 = t1[v9]
                    v14 = v3 & v13
                    for v15 in v14 {
                      v16 = 1 << v15
                      v17 = v3 &~ v16
                      v18 = v12 | v16
                      v19 = t1[v15]
                      v20 = v18 & v19
                      v21 = x0
                      v22 = ones v20
                      v23 = v21 + v22
                      x0 = v23
                    }
                  }
                }
            "#]],
        );
    }

    #[test]
    fn one_look_is_not_worth_it() {
        let rules = "find own man, pick up, north, step, points at empty field, put down";
        check_unchanged_by(Pass::Narrowing, BOARD, rules, "main_white_count");
    }
}
