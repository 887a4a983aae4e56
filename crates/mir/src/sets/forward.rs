//! Running statements for many fingers at once.
//!
//! `forward` follows statements from a set of fingers to where they lead; `before` (see `backward`) goes the
//! other way: from which fields would these statements succeed? Both work on whole sets with a handful of
//! instructions a statement. From a single field, steps are table look-ups until something on the board is
//! looked at.

use multigame_game::{Direction, PieceSet};
use multigame_ir::{Expr, Op, Stmt};

use crate::analysis::facts::{Depends, Facts};
use crate::lowering::Lowering;
use crate::lowering::state::{Branch, Finger, Set, State};
use crate::refusal::{self, R, Refusal};
use crate::sets::branches::known;
use crate::{Brevity, Value};

/// Where fingers are, and what may stand there.
#[derive(Clone)]
pub(crate) struct Reached {
    pub branches: Vec<Branch>,
    pub content: PieceSet,
}

impl<'p> Lowering<'p> {
    /// Runs a statement on a state; its finger becomes a set.
    pub(crate) fn run_on_sets(&mut self, stmt: &'p Stmt, state: &mut State) -> R<()> {
        let from = Reached { branches: self.code.branches(state), content: state.content };
        if let Finger::One(index) = state.finger {
            state.known_contents.retain(|(field, _)| *field != index);
            state.known_contents.push((index, from.content));
        }
        let reached = self.forward(stmt, from, state)?;
        state.finger = Finger::Many(reached.branches);
        state.content = reached.content;
        Ok(())
    }

    /// The fields to which a statement leads, and their possible contents.
    ///
    /// **Invariant:** the statement runs on sets (`Facts::runs_on_sets`); anything else is refused.
    pub(crate) fn forward(&mut self, stmt: &'p Stmt, from: Reached, state: &mut State) -> R<Reached> {
        match &stmt.op {
            Op::Sequence(parts) => parts.iter().try_fold(from, |now, part| self.forward(part, now, state)),
            Op::Call(function) => self.forward(self.facts.body(*function), from, state),
            Op::Either(parts) => self.forward_either(parts, from, state),
            Op::Try(a, b) => self.forward_try(a, b, from, state),
            Op::Test(a) => Ok(from.at(self.filter(&from.branches, a, state, true)?)),
            Op::Not(a) => {
                let failing = self.filter(&from.branches, a, state, false)?;
                let content = match &a.op {
                    Op::PointsAt(pieces) => without(from.content, *pieces),
                    _ => from.content,
                };
                Ok(Reached { branches: failing, content })
            }
            Op::Repeat { low, high, body } => self.forward_repeat(*low, *high, body, from, state),
            Op::While { condition, body } => self.forward_while(condition, body, from, state),
            Op::Find(_) | Op::Place(_) => self.forward_jump(stmt, &from, state),
            Op::PointsAt(_) | Op::Match(_) | Op::Assert(_) => self.forward_look(stmt, from, state),
            Op::Face(directions) => Ok(self.forward_face(directions, from)),
            Op::Turn(steps) => self.forward_turn(*steps, from),
            Op::Step => {
                let stepped =
                    self.code.step_branches(from.branches, from.content, |_, direction| Some(direction))?;
                Ok(self.anywhere(stepped))
            }
            Op::StepBackward => self.forward_step_backward(from),
            _ => Err(Refusal::new("a statement that does not run on sets")),
        }
    }

    /// Fingers on fields of unknown content.
    pub(crate) fn anywhere(&self, branches: Vec<Branch>) -> Reached {
        Reached { branches, content: self.facts.layout.anything() }
    }

    fn forward_either(&mut self, parts: &'p [Stmt], from: Reached, state: &mut State) -> R<Reached> {
        let mut all = Reached { branches: Vec::new(), content: PieceSet::EMPTY };
        for part in parts {
            all.add(self.forward(part, from.clone(), state)?);
        }
        Ok(self.merged(all))
    }

    fn forward_try(&mut self, a: &'p Stmt, b: &'p Stmt, from: Reached, state: &mut State) -> R<Reached> {
        let succeeding = self.filter(&from.branches, a, state, true)?;
        let failing = self.filter(&from.branches, a, state, false)?;
        let mut all = self.forward(a, from.at(succeeding), state)?;
        all.add(self.forward(b, from.at(failing), state)?);
        Ok(self.merged(all))
    }

    fn merged(&mut self, reached: Reached) -> Reached {
        Reached { branches: self.code.merge(reached.branches), ..reached }
    }

    fn forward_repeat(
        &mut self,
        low: u32,
        high: Option<u32>,
        body: &'p Stmt,
        from: Reached,
        state: &mut State,
    ) -> R<Reached> {
        if high.is_none() && self.facts.slides_over(body).is_some() {
            // Any number of rounds first: from a single field a slide is then looked up instead of followed.
            let all = self.forward_closure(body, from, state)?;
            return (0..low).try_fold(all, |now, _| self.forward(body, now, state));
        }
        let mut now = (0..low).try_fold(from, |now, _| self.forward(body, now, state))?;
        let Some(high) = high else { return self.forward_closure(body, now, state) };
        let mut all = now.clone();
        for _ in low..high {
            now = self.forward(body, now, state)?;
            all.add(now.clone());
        }
        Ok(self.merged(all))
    }

    fn forward_while(
        &mut self,
        condition: &'p Stmt,
        body: &'p Stmt,
        from: Reached,
        state: &mut State,
    ) -> R<Reached> {
        let mut all = from.branches;
        let fixed = |branch: &Branch| self.facts.fixed_while(condition, body, branch.direction);
        if let Some(ways) = all.iter().map(fixed).collect::<Option<Vec<_>>>() {
            let followed = all.iter().zip(&ways);
            let branches = followed.map(|(branch, way)| self.code.follow_fixed(branch, way)).collect();
            return Ok(self.anywhere(branches));
        }
        for _ in 0..self.rounds(&all)? {
            let goes_on = self.forward(condition, self.anywhere(all.clone()), state)?;
            let after = self.forward(body, self.anywhere(goes_on.branches), state)?;
            all.extend(after.branches);
            all = self.code.merge(all);
        }
        let ended = self.filter(&all, condition, state, false)?;
        Ok(self.anywhere(ended))
    }

    /// The finger goes to fields that do not depend on where it was.
    fn forward_jump(&mut self, stmt: &'p Stmt, from: &Reached, state: &mut State) -> R<Reached> {
        let (fields, content) = match &stmt.op {
            Op::Find(pieces) => (self.code.fields_of(*pieces, state), *pieces),
            Op::Place(field) => {
                let mask = self.facts.geometry.single(field.index());
                (self.code.constant_set(&mask), self.facts.layout.anything())
            }
            _ => return Err(Refusal::new("a statement that does not run on sets")),
        };
        Ok(Reached { branches: self.code.jump(&from.branches, &fields, state), content })
    }

    /// Only some of the fingers remain.
    fn forward_look(&mut self, stmt: &'p Stmt, from: Reached, state: &mut State) -> R<Reached> {
        match &stmt.op {
            Op::PointsAt(pieces) => {
                let fields = self.code.fields_of(*pieces, state);
                let content = from.content.iter().filter(|&piece| pieces.contains(piece)).collect();
                Ok(Reached { branches: self.code.restrict(from.branches, &fields), content })
            }
            Op::Match(fields) => {
                let matches = self.code.matches(fields, state);
                Ok(Reached { branches: self.code.keep_if(from.branches, matches), ..from })
            }
            Op::Assert(value) => self.forward_assertion(value, from, state),
            _ => Err(Refusal::new("a statement that does not run on sets")),
        }
    }

    fn forward_assertion(&mut self, value: &'p Expr, from: Reached, state: &mut State) -> R<Reached> {
        match self.facts.depends(value) {
            Depends::Place => {
                let mask = self.facts.place_mask(value)?;
                let fields = self.code.constant_set(&mask);
                Ok(Reached { branches: self.code.restrict(from.branches, &fields), ..from })
            }
            Depends::Position => {
                let value = self.evaluate(value, state)?;
                let condition = self.code.is_nonzero(value);
                Ok(Reached { branches: self.code.keep_if(from.branches, condition), ..from })
            }
            Depends::Mixed => Err(Refusal::new("an assertion on sets that depends on finger and position")),
        }
    }

    fn forward_face(&mut self, directions: &[Direction], from: Reached) -> Reached {
        let mut all = Vec::new();
        for branch in &from.branches {
            for &direction in directions {
                all.push(Branch { direction: Some(direction), behind: None, ..branch.clone() });
            }
        }
        from.at(self.code.merge(all))
    }

    fn forward_turn(&self, steps: i32, from: Reached) -> R<Reached> {
        let turned = from.branches.into_iter().map(|branch| {
            let direction = self.facts.geometry.turned(known(branch.direction)?, steps);
            Ok(Branch { direction: Some(direction), behind: None, ..branch })
        });
        Ok(Reached { branches: turned.collect::<R<Vec<Branch>>>()?, content: from.content })
    }

    fn forward_step_backward(&mut self, from: Reached) -> R<Reached> {
        let unknown = self.facts.layout.anything();
        // Each branch knows what is behind it; the state's own finger may be somewhere else by now.
        let behind = from.branches.iter().map(|branch| branch.behind.unwrap_or(unknown));
        let content = behind.fold(PieceSet::EMPTY, PieceSet::union);
        let branches = self.code.step_branches(from.branches, unknown, |g, d| g.opposite[d.index()])?;
        Ok(Reached { branches, content })
    }

    /// Zero or more rounds of a body.
    ///
    /// **Invariant:** the body keeps the direction, or it does not matter what the direction was
    /// (`Facts::spreads`).
    fn forward_closure(&mut self, body: &'p Stmt, from: Reached, state: &mut State) -> R<Reached> {
        if let Some(pieces) = self.facts.slides_over(body) {
            let over = self.code.fields_of(pieces, state);
            let run = |branch: Branch| {
                let direction = known(branch.direction)?;
                Ok(self.code.run_along(branch, direction, &over))
            };
            let branches = from.branches.into_iter().map(run).collect::<R<Vec<Branch>>>()?;
            return Ok(Reached { branches, content: from.content.union(pieces) });
        }
        if self.facts.faces(body) {
            let start = self.code.all_fingers(&from.branches);
            let spread = self.spread_by(start, body, None, state)?;
            return Ok(self.anywhere(vec![Branch::set(None, spread)]));
        }
        if self.size.brevity == Brevity::Loops {
            let spread = from.branches.iter().map(|branch| self.spread_facing(body, branch, state));
            let spread = spread.collect::<R<Vec<Branch>>>()?;
            return Ok(self.anywhere(spread));
        }
        let mut all = from.branches;
        for _ in 0..self.rounds(&all)? {
            let after = self.forward(body, self.anywhere(all.clone()), state)?;
            all.extend(after.branches);
            all = self.code.merge(all);
        }
        Ok(self.anywhere(all))
    }

    /// All fields that any number of rounds of a statement lead to, facing this way at the beginning of each.
    pub(crate) fn spread_by(
        &mut self,
        start: Set,
        body: &'p Stmt,
        direction: Option<Direction>,
        state: &State,
    ) -> R<Set> {
        self.spread_until(start, None, &mut |lowering, reached| {
            lowering.spread_once(body, direction, reached, state)
        })
    }

    /// 1 if any number of rounds that face somewhere lead into a set; the rounds end when one does.
    pub(crate) fn spreads_into(&mut self, start: Set, body: &'p Stmt, goal: &Set, state: &State) -> R<Value> {
        let reached = self.spread_until(start, Some(goal), &mut |lowering, reached| {
            lowering.spread_once(body, None, reached, state)
        })?;
        let met = self.code.intersection(&reached, goal);
        Ok(self.code.is_inhabited(&met))
    }

    /// Some fields with those to which a round leads from there.
    ///
    /// PERF: a round that faces several ways takes them one after the other, each from all that is reached by
    /// then. It is not longer for that, and fewer are needed.
    fn spread_once(
        &mut self,
        body: &'p Stmt,
        direction: Option<Direction>,
        from: Set,
        state: &State,
    ) -> R<Set> {
        let mut parts = Vec::new();
        self.facts.flatten(body, &mut parts);
        let (ways, rest) = self.facts.ways(&parts, direction);
        ways.into_iter().try_fold(from, |reached, way| {
            let here = self.anywhere(vec![Branch::set(way, reached.clone())]);
            let mut state = state.clone();
            let after = rest.iter().try_fold(here, |now, part| self.forward(part, now, &mut state))?;
            let fingers = self.code.all_fingers(&after.branches);
            Ok(self.code.union_of(&reached, &fingers))
        })
    }

    /// Adds to a set what one round gives until nothing is new.
    pub(crate) fn spread(&mut self, start: Set, round: &mut dyn FnMut(&mut Self, Set) -> R<Set>) -> R<Set> {
        self.spread_until(start, None, round)
    }

    /// The same, or until the set has a field of the goal.
    fn spread_until(
        &mut self,
        start: Set,
        goal: Option<&Set>,
        round: &mut dyn FnMut(&mut Self, Set) -> R<Set>,
    ) -> R<Set> {
        let variables = self.code.kept_set(&start);
        self.code.open();
        let reached = self.code.get_set(&variables);
        if let Some(goal) = goal {
            let met = self.code.intersection(&reached, goal);
            let met = self.code.is_inhabited(&met);
            self.code.push(crate::Stmt::BreakIf(met));
        }
        let done = round(self, reached.clone()).map(|more| {
            let after = self.code.union_of(&reached, &more);
            let fresh = self.code.without(&after, &reached);
            self.code.assign_set(&variables, &after);
            let grows = self.code.is_inhabited(&fresh);
            let ends = self.code.is_zero(grows);
            self.code.push(crate::Stmt::BreakIf(ends));
        });
        let block = self.code.close();
        done?;
        self.code.push(crate::Stmt::Loop(block));
        Ok(self.code.get_set(&variables))
    }

    /// How often a loop can make progress at most.
    fn rounds(&self, branches: &[Branch]) -> R<usize> {
        let mut rounds = 0;
        for branch in branches {
            rounds = rounds.max(self.facts.geometry.longest[known(branch.direction)?.index()]);
        }
        if rounds > 24 {
            return Err(Refusal::new(refusal::FAR));
        }
        Ok(rounds)
    }
}

impl<'p> Facts<'p> {
    /// The ways that statements face first, and what comes then; the direction before them if they do not
    /// face.
    pub(crate) fn ways<'a>(
        &self,
        parts: &'a [&'p Stmt],
        direction: Option<Direction>,
    ) -> (Vec<Option<Direction>>, &'a [&'p Stmt]) {
        match parts {
            [Stmt { op: Op::Face(directions), .. }, rest @ ..] => {
                (directions.iter().copied().map(Some).collect(), rest)
            }
            _ => (vec![direction], parts),
        }
    }
}

impl Reached {
    /// Other fingers, on fields of the same content.
    fn at(&self, branches: Vec<Branch>) -> Reached {
        Reached { branches, content: self.content }
    }

    fn add(&mut self, other: Reached) {
        self.branches.extend(other.branches);
        self.content = self.content.union(other.content);
    }
}

fn without(content: PieceSet, pieces: PieceSet) -> PieceSet {
    content.iter().filter(|&piece| !pieces.contains(piece)).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::Options;
    use crate::testing::{BOARD, check, function, module};

    #[test]
    fn a_walk_of_all_men_is_shifts_and_masks() {
        let rules = "find own man, either [ north, step ] or [ east, step, step ],
            points at empty field, replace by rock, irreversible";
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
                  v10 = v2 & 0xfff
                  v12 = v10 << 4
                  v15 = v2 & 0x7777
                  v16 = v15 << 1
                  v18 = 0x7777 & v16
                  v19 = v18 << 1
                  v20 = v12 | v19
                  v21 = v8 & v20
                  v22 = x0
                  v23 = ones v21
                  v24 = v22 + v23
                  x0 = v24
                }
            "#]],
        );
    }

    #[test]
    fn what_turns_spreads_until_nothing_is_new() {
        let rules = "find own man, repeat 0 .. infinity times [ orthogonal, step, points at own man ],
            replace by rock";
        let module = module(BOARD, rules, &Options::default());
        let generate = function(&module, "main_white_generate").to_string();
        assert!(generate.contains("loop {"), "{generate}");
        // A known number of rounds needs no loop.
        let rules = rules.replace("0 .. infinity", "0 .. 2");
        let module = crate::testing::module(BOARD, &rules, &Options::default());
        let generate = function(&module, "main_white_generate").to_string();
        assert!(!generate.contains("loop {"), "{generate}");
    }

    /// Stones that are put beside others, and the loops and breaks of the code for them.
    fn loops_and_breaks(move_on: &str) -> (usize, usize) {
        let rules = format!(
            "find empty field, replace by man, {move_on}, irreversible. neighbour = orthogonal, step.
            breathes = test [ repeat 0 .. infinity times [ neighbour, points at own man ], neighbour,
                points at empty field ]"
        );
        let text = function(&module(BOARD, &rules, &Options::default()), "main_white_generate").to_string();
        (text.matches("loop {").count(), text.matches("break if").count())
    }

    #[test]
    fn a_group_is_followed_until_the_first_way_out() {
        // A break where there is a way out, and one where nothing is new.
        assert_eq!(loops_and_breaks("breathes"), (1, 2));
    }

    #[test]
    fn the_same_test_of_several_neighbours_is_made_once() {
        let captures = "test [ neighbour, points at opponent's man, not as opponent breathes ]";
        assert_eq!(loops_and_breaks(captures), (1, 1));
    }

    #[test]
    fn what_follows_a_failed_test_has_no_rounds() {
        let rules = "find empty field, replace by man, irreversible, try [
                test [ north, step, points at opponent's man ],
                for each opponent's man do [ test [ south, step, points at own man ], replace by rock ]
            ]";
        let text = function(&module(BOARD, rules, &Options::default()), "main_white_generate").to_string();
        let begins = text.find("loop {").unwrap();
        assert!(text[..begins].contains(" ? v3 : 0"), "{text}");
    }
}
