//! Running statements backward: from which fields would they succeed?

use multigame_game::{Direction, Field, PieceSet};
use multigame_ir::{Expr, Op, Stmt};

use crate::analysis::facts::{Depends, Facts};
use crate::analysis::geometry::Mask;
use crate::analysis::live::Live;
use crate::lowering::Lowering;
use crate::lowering::state::{Set, State};
use crate::refusal::{self, R, Refusal};
use crate::sets::branches::known;
use crate::sets::code::Code;
use crate::{Brevity, Value};

/// More rounds that change the direction are not followed.
const MOST_TURNS: u32 = 24;

impl<'p> Facts<'p> {
    /// The statement that is done first.
    fn first_of(&self, parts: &[&'p Stmt]) -> Option<&'p Stmt> {
        let mut flat = Vec::new();
        self.flatten(parts.first()?, &mut flat);
        flat.first().copied()
    }

    /// Whether statements depend on the direction before them.
    fn needs_direction(&self, parts: &[&'p Stmt]) -> bool {
        parts.iter().rev().fold(Live::default(), |live, part| self.live(part, live)).direction
    }

    pub(crate) fn rounds_facing(&self, facing: Option<Direction>) -> R<usize> {
        let rounds = self.geometry.longest[known(facing)?.index()];
        if rounds > 24 { Err(Refusal::new(refusal::FAR)) } else { Ok(rounds) }
    }
}

/// Whether a statement may be followed in several ways.
fn has_ways(stmt: &Stmt) -> bool {
    matches!(
        stmt.op,
        Op::Sequence(_) | Op::Call(_) | Op::Either(_) | Op::Try(..) | Op::Repeat { .. } | Op::While { .. }
    )
}

impl Code {
    /// All fields if a set has any, else nothing.
    fn everywhere_if(&mut self, found: &Set) -> Set {
        let inhabited = self.is_inhabited(found);
        let all = self.all();
        self.only_if(inhabited, &all)
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
        self.is_zero(any)
    }
}

/// What comes after a statement that is run backward.
#[derive(Clone, Copy)]
struct Onward<'a, 'p> {
    rest: &'a [&'p Stmt],
    /// The direction before the statement.
    facing: Option<Direction>,
    /// Where it all has to lead.
    end: &'a Set,
}

impl<'p> Onward<'_, 'p> {
    /// Statements in place of the one at hand, and what comes after it.
    fn with(&self, inner: &[&'p Stmt]) -> Vec<&'p Stmt> {
        inner.iter().chain(self.rest).copied().collect()
    }
}

impl<'p> Lowering<'p> {
    /// The fields from which statements lead into a set.
    ///
    /// **Invariant:** `facing` is the direction at the beginning of `parts`. A statement that changes it must
    /// be followed together with everything after it, because sets of fields do not remember directions.
    /// Where what comes after does not need to know, it is followed once for all ways of the statement: the
    /// code for several such statements would grow with the product of their ways.
    pub(crate) fn before(
        &mut self,
        parts: &[&'p Stmt],
        facing: Option<Direction>,
        end: &Set,
        state: &mut State,
    ) -> R<Set> {
        let Some((&first, rest)) = parts.split_first() else { return Ok(end.clone()) };
        if !rest.is_empty() && has_ways(first) && !self.facts.needs_direction(rest) {
            // Any direction will do.
            let any = (!self.facts.geometry.longest.is_empty()).then_some(Direction(0));
            let end = self.before(rest, facing.or(any), end, state)?;
            return self.before(&[first], facing, &end, state);
        }
        let after = Onward { rest, facing, end };
        match &first.op {
            Op::Sequence(inner) => {
                self.before(&after.with(&inner.iter().collect::<Vec<_>>()), facing, end, state)
            }
            Op::Call(function) => self.before(&after.with(&[self.facts.body(*function)]), facing, end, state),
            Op::Either(inner) => {
                let ways = inner.iter().map(|part| (after.with(&[part]), facing));
                self.before_any(ways, end, state)
            }
            Op::Face(directions) => {
                let ways = directions.iter().map(|&direction| (rest.to_vec(), Some(direction)));
                self.before_any(ways, end, state)
            }
            Op::Turn(steps) => {
                let turned = self.facts.geometry.turned(known(facing)?, *steps);
                self.before(rest, Some(turned), end, state)
            }
            Op::Try(a, b) => self.before_try(a, b, after, state),
            Op::Test(_) | Op::Not(_) => self.before_test(first, after, state),
            Op::Repeat { .. } => self.before_repeat(first, after, state),
            Op::While { condition, body } => self.before_while(condition, body, after, state),
            Op::Step | Op::StepBackward => self.before_step(first, after, state),
            _ => self.before_look(first, after, state),
        }
    }

    /// What remains after a statement that keeps the direction.
    fn onward(&mut self, after: Onward<'_, 'p>, state: &mut State) -> R<Set> {
        self.before(after.rest, after.facing, after.end, state)
    }

    /// The fields from which any of some ways leads into a set.
    fn before_any(
        &mut self,
        ways: impl Iterator<Item = (Vec<&'p Stmt>, Option<Direction>)>,
        end: &Set,
        state: &mut State,
    ) -> R<Set> {
        let mut any = self.code.empty();
        for (parts, facing) in ways {
            let fields = self.before(&parts, facing, end, state)?;
            any = self.code.union_of(&any, &fields);
        }
        Ok(any)
    }

    /// The fields from which a statement has a result.
    fn succeeding(&mut self, stmt: &'p Stmt, facing: Option<Direction>, state: &mut State) -> R<Set> {
        let all = self.code.all();
        self.before(&[stmt], facing, &all, state)
    }

    fn before_try(&mut self, a: &'p Stmt, b: &'p Stmt, after: Onward<'_, 'p>, state: &mut State) -> R<Set> {
        let succeeds = self.succeeding(a, after.facing, state)?;
        let first = self.before(&after.with(&[a]), after.facing, after.end, state)?;
        let second = self.before(&after.with(&[b]), after.facing, after.end, state)?;
        let second = self.code.without(&second, &succeeds);
        Ok(self.code.union_of(&first, &second))
    }

    fn before_test(&mut self, test: &'p Stmt, after: Onward<'_, 'p>, state: &mut State) -> R<Set> {
        let (Op::Test(inner) | Op::Not(inner)) = &test.op else { return no_set() };
        let succeeds = self.succeeding(inner, after.facing, state)?;
        let remaining = self.onward(after, state)?;
        Ok(match &test.op {
            Op::Test(_) => self.code.intersection(&remaining, &succeeds),
            _ => self.code.without(&remaining, &succeeds),
        })
    }

    fn before_repeat(&mut self, repeat: &'p Stmt, after: Onward<'_, 'p>, state: &mut State) -> R<Set> {
        let Op::Repeat { low, high, body } = &repeat.op else { return no_set() };
        match (high, self.facts.slides_over(body)) {
            (None, Some(over)) => self.before_slide(*low, body, over, after, state),
            (Some(high), _) if self.facts.faces(body) => self.before_turns(*low, *high, body, after, state),
            _ => self.before_rounds(*low, *high, body, after, state),
        }
    }

    /// `repeat low .. infinity times [ step, points at P ]`
    fn before_slide(
        &mut self,
        low: u32,
        body: &'p Stmt,
        over: PieceSet,
        after: Onward<'_, 'p>,
        state: &mut State,
    ) -> R<Set> {
        let over = self.code.fields_of(over, state);
        let facing = known(after.facing)?;
        let remaining = self.onward(after, state)?;
        // The first step does not look at the end of a row if another step follows.
        let steps_on = matches!(self.facts.first_of(after.rest), Some(Stmt { op: Op::Step, .. }));
        let longest = self.facts.rounds_facing(Some(facing))?.saturating_sub(usize::from(steps_on));
        let last = self.code.intersection(&remaining, &over);
        let passed = self.code.fill(last, facing, &over, longest, true);
        let mut fields = self.code.step_back_set(&passed, facing);
        if low == 0 {
            fields = self.code.union_of(&remaining, &fields);
        }
        self.before_each_round(1..low, body, Some(facing), fields, state)
    }

    /// Rounds that change the direction, a known number of them: each number is a way of its own.
    fn before_turns(
        &mut self,
        low: u32,
        high: u32,
        body: &'p Stmt,
        after: Onward<'_, 'p>,
        state: &mut State,
    ) -> R<Set> {
        if high > MOST_TURNS {
            return Err(Refusal::new("a loop on sets that turns more often than 24 times"));
        }
        let ways = (low..=high).map(|rounds| (after.with(&vec![body; rounds as usize]), after.facing));
        self.before_any(ways, after.end, state)
    }

    /// **Invariant:** the body keeps the direction, or it does not matter what the direction is, neither to
    /// another round nor to what remains.
    fn before_rounds(
        &mut self,
        low: u32,
        high: Option<u32>,
        body: &'p Stmt,
        after: Onward<'_, 'p>,
        state: &mut State,
    ) -> R<Set> {
        let turns = self.facts.faces(body);
        if turns && self.facts.needs_direction(after.rest) {
            return Err(Refusal::new("a loop on sets after which it is not known where fingers face"));
        }
        let mut fields = self.onward(after, state)?;
        let spreads = turns || self.size.brevity == Brevity::Loops;
        let more = match high {
            Some(high) => (high - low) as usize,
            None if spreads => {
                let facing = after.facing.filter(|_| !turns);
                let mut parts = Vec::new();
                self.facts.flatten(body, &mut parts);
                let (ways, rest) = self.facts.ways(&parts, facing);
                // One way after the other, as in `spread_once`.
                fields = self.spread(fields, &mut |lowering, reached| {
                    ways.iter().try_fold(reached, |reached, way| {
                        let earlier = lowering.before(rest, *way, &reached, &mut state.clone())?;
                        Ok(lowering.code.union_of(&reached, &earlier))
                    })
                })?;
                0
            }
            None => self.facts.rounds_facing(after.facing)?,
        };
        for _ in 0..more {
            let earlier = self.before(&[body], after.facing, &fields, state)?;
            fields = self.code.union_of(&fields, &earlier);
        }
        self.before_each_round(0..low, body, after.facing, fields, state)
    }

    /// Rounds that must be there, each before the other.
    fn before_each_round(
        &mut self,
        rounds: std::ops::Range<u32>,
        body: &'p Stmt,
        facing: Option<Direction>,
        end: Set,
        state: &mut State,
    ) -> R<Set> {
        let mut fields = end;
        for _ in rounds {
            fields = self.before(&[body], facing, &fields, state)?;
        }
        Ok(fields)
    }

    fn before_while(
        &mut self,
        condition: &'p Stmt,
        body: &'p Stmt,
        after: Onward<'_, 'p>,
        state: &mut State,
    ) -> R<Set> {
        if let Some(fixed) = self.facts.fixed_while(condition, body, after.facing) {
            let remaining = self.onward(after, state)?;
            return Ok(self.code.before_fixed(&remaining, &fixed));
        }
        let goes_on = self.succeeding(condition, after.facing, state)?;
        let remaining = self.onward(after, state)?;
        let mut fields = self.code.without(&remaining, &goes_on);
        for _ in 0..self.facts.rounds_facing(after.facing)? {
            let earlier = self.before(&[condition, body], after.facing, &fields, state)?;
            fields = self.code.union_of(&fields, &earlier);
        }
        Ok(fields)
    }

    fn before_step(&mut self, step: &'p Stmt, after: Onward<'_, 'p>, state: &mut State) -> R<Set> {
        let facing = known(after.facing)?;
        let way = match &step.op {
            Op::Step => Some(facing),
            _ => self.facts.geometry.opposite[facing.index()],
        };
        let way = way.ok_or_else(|| Refusal::new("a step backward without an opposite direction"))?;
        let remaining = self.onward(after, state)?;
        Ok(self.code.step_back_set(&remaining, way))
    }

    /// Statements that look at the board or go to a field, whatever the direction is.
    fn before_look(&mut self, look: &'p Stmt, after: Onward<'_, 'p>, state: &mut State) -> R<Set> {
        if !self.facts.runs_on_sets(look) && !matches!(look.op, Op::Assert(_)) {
            return no_set();
        }
        let remaining = self.onward(after, state)?;
        match &look.op {
            Op::PointsAt(pieces) => {
                let fields = self.code.fields_of(*pieces, state);
                Ok(self.code.intersection(&remaining, &fields))
            }
            Op::Find(pieces) => {
                let fields = self.code.fields_of(*pieces, state);
                let found = self.code.intersection(&remaining, &fields);
                Ok(self.code.everywhere_if(&found))
            }
            Op::Place(field) => {
                let mask = self.facts.geometry.single(field.index());
                let field = self.code.constant_set(&mask);
                let found = self.code.intersection(&remaining, &field);
                Ok(self.code.everywhere_if(&found))
            }
            Op::Match(fields) => {
                let matches = self.code.matches(fields, state);
                Ok(self.code.only_if(matches, &remaining))
            }
            Op::Assert(value) => self.before_assertion(value, &remaining, state),
            _ => no_set(),
        }
    }

    fn before_assertion(&mut self, value: &'p Expr, remaining: &Set, state: &mut State) -> R<Set> {
        match self.facts.depends(value) {
            Depends::Place => {
                let mask = self.facts.place_mask(value)?;
                let fields = self.code.constant_set(&mask);
                Ok(self.code.intersection(remaining, &fields))
            }
            Depends::Position => {
                let value = self.evaluate(value, state)?;
                let condition = self.code.is_nonzero(value);
                Ok(self.code.only_if(condition, remaining))
            }
            Depends::Mixed => Err(Refusal::new("an assertion on sets that depends on finger and position")),
        }
    }
}

fn no_set<T>() -> R<T> {
    Err(Refusal::new("a statement that does not run on sets"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::Options;
    use crate::testing::{BOARD, check, function, module};

    #[test]
    fn a_test_is_run_backward_for_all_fields() {
        let rules = "find own man, not [ north, repeat 2 times [ step, points at empty field ] ],
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
                  v11 = v8 >> 4
                  v12 = v8 & v11
                  v13 = v12 >> 4
                  v14 = 0xffff &~ v13
                  v15 = v2 & v14
                  v16 = x0
                  v17 = ones v15
                  v18 = v16 + v17
                  x0 = v18
                }
            "#]],
        );
    }

    #[test]
    fn alternatives_and_directions_are_united() {
        let rules = "find own man, test either [ north, step,
            points at own man ] or [ either east or west, step, points at rock ], replace by rock,
            irreversible";
        check(
            rules,
            "main_white_count",
            expect![[r#"
                main_white_count() -> x0, x1 {
                  v2 = word 2
                  v3 = word 3
                  v4 = word 4
                  v6 = v2 & 0xffff
                  v9 = v6 >> 4
                  v10 = v4 & 0xffff
                  v12 = v10 >> 1
                  v14 = v12 & 0x7777
                  v15 = v10 << 1
                  v17 = v15 & 0xeeee
                  v18 = v14 | v17
                  v19 = v9 | v18
                  v20 = v2 & v19
                  v21 = x0
                  v22 = ones v20
                  v23 = v21 + v22
                  x0 = v23
                }
            "#]],
        );
    }

    #[test]
    fn ways_of_statements_one_after_the_other_are_not_multiplied() {
        let values = |rounds: u32| {
            let rules = format!(
                "find own man, test [ repeat 0 .. {rounds} times [ hop, points at empty field ], hop,
                    points at rock ], replace by rock, irreversible.
                hop = either [ any direction, step ] or [ north, step, step ]"
            );
            function(&module(BOARD, &rules, &Options::default()), "main_white_count").values
        };
        let growth = [values(2) - values(1), values(4) - values(3)];
        assert!(growth[1] < 2 * growth[0] + 20, "{growth:?}");
    }
}
