//! Running statements for many fingers at once.
//!
//! `forward` follows statements from a set of fingers to where they lead; `before` (see `backward`) goes the other way:
//! from which fields would these statements succeed? Both work on whole sets with a handful of instructions a
//! statement. From a single field, steps are table look-ups until something on the board is looked at.

use multigame_game::{Direction, Piece, PieceSet};
use multigame_ir::{Op, Stmt};

use crate::Brevity;
use crate::branches::known;
use crate::facts::Depends;
use crate::lower::{Lowering, R, Refusal};
use crate::state::{Branch, Finger, Fingers, Set, State};

/// All pieces and the empty field.
pub(crate) fn anything(pieces: usize) -> PieceSet {
    (0..=pieces).map(|piece| Piece(piece as u8)).collect()
}

impl<'p> Lowering<'p> {
    /// Runs a statement on a state; its finger becomes a set.
    pub(crate) fn run_on_sets(&mut self, stmt: &'p Stmt, state: &mut State) -> R<()> {
        let branches = self.branches(state);
        let content = state.content;
        if let Finger::One(index) = state.finger {
            state.known_contents.retain(|(field, _)| *field != index);
            state.known_contents.push((index, content));
        }
        let (branches, content) = self.forward(stmt, branches, content, state)?;
        state.finger = Finger::Many(branches);
        state.content = content;
        Ok(())
    }

    /// Where a statement leads, and what may stand there.
    pub(crate) fn forward(
        &mut self,
        stmt: &'p Stmt,
        branches: Vec<Branch>,
        content: PieceSet,
        state: &mut State,
    ) -> R<(Vec<Branch>, PieceSet)> {
        let unknown = anything(self.layout.pieces);
        match &stmt.op {
            Op::Sequence(parts) => {
                let mut now = (branches, content);
                for part in parts {
                    now = self.forward(part, now.0, now.1, state)?;
                }
                Ok(now)
            }
            Op::Call(function) => self.forward(self.facts.body(*function), branches, content, state),
            Op::Either(parts) => {
                let mut all = Vec::new();
                let mut contents = PieceSet::EMPTY;
                for part in parts {
                    let (branches, content) = self.forward(part, branches.clone(), content, state)?;
                    all.extend(branches);
                    contents = contents.union(content);
                }
                Ok((self.merge(all), contents))
            }
            Op::Try(a, b) => {
                let succeeding = self.filter(&branches, a, state, true)?;
                let failing = self.filter(&branches, a, state, false)?;
                let (mut all, first) = self.forward(a, succeeding, content, state)?;
                let (rest, second) = self.forward(b, failing, content, state)?;
                all.extend(rest);
                Ok((self.merge(all), first.union(second)))
            }
            Op::Test(a) => Ok((self.filter(&branches, a, state, true)?, content)),
            Op::Not(a) => {
                let content = match &a.op {
                    Op::PointsAt(pieces) => content.iter().filter(|&piece| !pieces.contains(piece)).collect(),
                    _ => content,
                };
                Ok((self.filter(&branches, a, state, false)?, content))
            }
            // Any number of rounds first: from a single field a slide is then looked up instead of followed.
            Op::Repeat { low, high: None, body } if self.slides_over(body).is_some() => {
                let mut now = self.forward_closure(body, branches, content, state)?;
                for _ in 0..*low {
                    now = self.forward(body, now.0, now.1, state)?;
                }
                Ok(now)
            }
            Op::Repeat { low, high, body } => {
                let mut now = (branches, content);
                for _ in 0..*low {
                    now = self.forward(body, now.0, now.1, state)?;
                }
                match high {
                    Some(high) => {
                        let mut all = now.0.clone();
                        let mut contents = now.1;
                        for _ in *low..*high {
                            now = self.forward(body, now.0, now.1, state)?;
                            all.extend(now.0.clone());
                            contents = contents.union(now.1);
                        }
                        Ok((self.merge(all), contents))
                    }
                    None => self.forward_closure(body, now.0, now.1, state),
                }
            }
            Op::While { condition, body } => {
                let fixed = |branch: &Branch| self.fixed_while(condition, body, branch.direction);
                if let Some(ways) = branches.iter().map(fixed).collect::<Option<Vec<_>>>() {
                    let followed = branches.iter().zip(&ways);
                    return Ok((
                        followed.map(|(branch, way)| self.follow_fixed(branch, way)).collect(),
                        unknown,
                    ));
                }
                let mut all = branches;
                let rounds = self.rounds(&all)?;
                for _ in 0..rounds {
                    let (after, _) = self.forward(condition, all.clone(), unknown, state)?;
                    let (after, _) = self.forward(body, after, unknown, state)?;
                    all.extend(after);
                    all = self.merge(all);
                }
                Ok((self.filter(&all, condition, state, false)?, unknown))
            }
            Op::Find(pieces) => {
                let fields = self.fields_of(*pieces, state);
                Ok((self.jump(&branches, &fields, state), *pieces))
            }
            Op::Place(field) => {
                let mask = self.geometry.single(field.index());
                let set = self.constant_set(&mask);
                Ok((self.jump(&branches, &set, state), unknown))
            }
            Op::PointsAt(pieces) => {
                let fields = self.fields_of(*pieces, state);
                let content = content.iter().filter(|&piece| pieces.contains(piece)).collect();
                Ok((self.restrict(branches, &fields), content))
            }
            Op::Face(directions) => {
                let mut all = Vec::new();
                for branch in &branches {
                    for &direction in directions {
                        all.push(Branch { direction: Some(direction), behind: None, ..branch.clone() });
                    }
                }
                Ok((self.merge(all), content))
            }
            Op::Turn(steps) => {
                let count = self.geometry.next.len() as i32;
                let mut turned = branches;
                for branch in &mut turned {
                    let direction = known(branch.direction)?;
                    branch.direction =
                        Some(Direction((i32::from(direction.0) + steps).rem_euclid(count) as u8));
                    branch.behind = None;
                }
                Ok((turned, content))
            }
            Op::Step => Ok((self.step_branches(branches, content, |_, direction| Some(direction))?, unknown)),
            Op::StepBackward => {
                let content = match (&state.finger, state.behind) {
                    (Finger::One(index), Some((field, content))) if *index == field => content,
                    _ => unknown,
                };
                Ok((self.step_branches(branches, unknown, |g, d| g.opposite[d.index()])?, content))
            }
            Op::Match(fields) => {
                let matches = self.matches(fields, state);
                Ok((self.keep_if(branches, matches), content))
            }
            Op::Assert(value) => match self.facts.depends(value) {
                Depends::Place => {
                    let mask = self.place_mask(value)?;
                    let fields = self.constant_set(&mask);
                    Ok((self.restrict(branches, &fields), content))
                }
                Depends::Position => {
                    let value = self.evaluate(value, state)?;
                    let condition = self.builder.is_nonzero(value);
                    Ok((self.keep_if(branches, condition), content))
                }
                Depends::Mixed => {
                    Err(Refusal::new("an assertion on sets that depends on finger and position"))
                }
            },
            _ => Err(Refusal::new("a statement that does not run on sets")),
        }
    }

    /// Zero or more rounds of a body that keeps the direction.
    fn forward_closure(
        &mut self,
        body: &'p Stmt,
        branches: Vec<Branch>,
        content: PieceSet,
        state: &mut State,
    ) -> R<(Vec<Branch>, PieceSet)> {
        if let Some(pieces) = self.slides_over(body) {
            let over = self.fields_of(pieces, state);
            let mut runs = Vec::new();
            for branch in branches {
                let direction = known(branch.direction)?;
                runs.push(self.run_along(branch, direction, &over));
            }
            return Ok((runs, content.union(pieces)));
        }
        if self.facts.faces(body) {
            let mut start = self.empty();
            for branch in &branches {
                let set = self.as_set(&branch.fingers);
                start = self.union_of(&start, &set);
            }
            let spread = self.spread_by(start, body, None, state)?;
            let branch = Branch { direction: None, fingers: Fingers::Set(spread), reach: None, behind: None };
            return Ok((vec![branch], anything(self.layout.pieces)));
        }
        if self.brevity == Brevity::Loops {
            let spread = branches.iter().map(|branch| self.spread_facing(body, branch, state));
            return Ok((spread.collect::<R<Vec<Branch>>>()?, anything(self.layout.pieces)));
        }
        let mut all = branches;
        for _ in 0..self.rounds(&all)? {
            let (after, _) = self.forward(body, all.clone(), anything(self.layout.pieces), state)?;
            all.extend(after);
            all = self.merge(all);
        }
        Ok((all, anything(self.layout.pieces)))
    }

    /// All fields that any number of rounds of a statement lead to, facing so at the beginning of each.
    pub(crate) fn spread_by(
        &mut self,
        start: Set,
        body: &'p Stmt,
        direction: Option<Direction>,
        state: &State,
    ) -> R<Set> {
        self.spread(start, &mut |lowering, reached| {
            let here = Branch { direction, fingers: Fingers::Set(reached), reach: None, behind: None };
            let unknown = anything(lowering.layout.pieces);
            let (after, _) = lowering.forward(body, vec![here], unknown, &mut state.clone())?;
            let mut all = lowering.empty();
            for branch in &after {
                let set = lowering.as_set(&branch.fingers);
                all = lowering.union_of(&all, &set);
            }
            Ok(all)
        })
    }

    /// Adds to a set what one round gives until nothing is new.
    pub(crate) fn spread(&mut self, start: Set, round: &mut dyn FnMut(&mut Self, Set) -> R<Set>) -> R<Set> {
        let variables: Vec<_> = start.iter().map(|_| self.builder.variable()).collect();
        for (&variable, &word) in variables.iter().zip(&start) {
            self.builder.set(variable, word);
        }
        self.builder.open();
        let reached: Set = variables.iter().map(|&variable| self.builder.get(variable)).collect();
        let done = round(self, reached.clone()).map(|more| {
            let after = self.union_of(&reached, &more);
            let fresh = self.without(&after, &reached);
            for (&variable, &word) in variables.iter().zip(&after) {
                self.builder.set(variable, word);
            }
            let grows = self.is_inhabited(&fresh);
            let ends = self.builder.is_zero(grows);
            self.builder.push(crate::Stmt::BreakIf(ends));
        });
        let block = self.builder.close();
        done?;
        self.builder.push(crate::Stmt::Loop(block));
        Ok(variables.iter().map(|&variable| self.builder.get(variable)).collect())
    }

    /// How often a loop can make progress at most.
    fn rounds(&self, branches: &[Branch]) -> R<usize> {
        let mut rounds = 0;
        for branch in branches {
            rounds = rounds.max(self.geometry.longest[known(branch.direction)?.index()]);
        }
        if rounds > 24 {
            return Err(Refusal::new("a loop on sets with more than 24 rounds"));
        }
        Ok(rounds)
    }
}
