//! Tests that decide how many results there are, asked for all fields at once.
//!
//! `find empty field, replace by man, try [ mill, take ]` gives one result for each field, except where a mill comes
//! about. Such a test looks at fields around the man, never at the man's own field: so it makes no difference that the
//! man is not there yet, and the fields where it would hold are found by running it backward, once. The others are
//! counted; only where it holds one field is looked at after the other.

use std::collections::BTreeSet;

use multigame_game::{Direction, Field};
use multigame_ir::{Op, Stmt};

use crate::facts::Depends;
use crate::lower::{Lowering, R, Refusal};
use crate::rest::{Rest, Step};
use crate::state::{Hand, Set, State};
use crate::walks::{Look, Pointing};
use crate::{Kind, Pass, Variable};

/// What happens to a set of fingers on the way to its results.
enum Decision<'p> {
    /// Who fails the test has no result.
    Keeps(&'p Stmt),
    /// Who passes the test may have any number of results, everybody else goes on.
    Leaves(&'p Stmt),
    /// It is remembered that somebody came this far.
    Marks(Variable),
}

impl<'p> Lowering<'p> {
    /// Counts fingers that give one result each or none, by tests of the whole set, and follows only the others; false
    /// if all have to be followed.
    pub(crate) fn count_decided(
        &mut self,
        rest: &Rest<'p>,
        set: &Set,
        direction: Option<Direction>,
        state: &State,
    ) -> R<bool> {
        if self.kind != Kind::Count || !self.options.has(Pass::Wholesale) {
            return Ok(false);
        }
        let Some(decisions) = self.decisions(&rest.steps(), direction, state) else { return Ok(false) };
        let (mut sure, mut unsure) = (set.clone(), self.empty());
        for decision in decisions {
            match decision {
                Decision::Keeps(test) => {
                    let passing = self.passing(test, direction, state)?;
                    sure = self.intersection(&sure, &passing);
                }
                Decision::Leaves(test) => {
                    let passing = self.passing(test, direction, state)?;
                    let leaving = self.intersection(&sure, &passing);
                    unsure = self.union_of(&unsure, &leaving);
                    sure = self.without(&sure, &passing);
                }
                Decision::Marks(variable) => {
                    let inhabited = self.is_inhabited(&sure);
                    self.builder.set_bits(variable, inhabited);
                }
            }
        }
        self.add_members(&sure);
        self.each_field(rest, direction, &unsure, state)?;
        Ok(true)
    }

    fn passing(&mut self, test: &'p Stmt, direction: Option<Direction>, state: &State) -> R<Set> {
        let all = self.all();
        self.before(&[test], direction, &all, &mut state.clone())
    }

    /// What decides about fingers that put a piece down, if that can be asked beforehand.
    fn decisions(
        &self,
        steps: &[Step<'p>],
        direction: Option<Direction>,
        state: &State,
    ) -> Option<Vec<Decision<'p>>> {
        let (first, after) = steps.split_first()?;
        let puts = match first {
            Step::Do(Stmt { op: Op::PutDown, .. }) => state.hand != Hand::Empty,
            Step::Do(Stmt { op: Op::Replace(piece), .. }) => !state.content.contains(*piece),
            _ => false,
        };
        let mut decisions = Vec::new();
        let (mut asks, mut still) = (false, true);
        let mut left: Vec<Step<'p>> = after.iter().rev().cloned().collect();
        while let Some(step) = left.pop() {
            let stmt = match step {
                Step::Do(stmt) => stmt,
                Step::Mark(variable) => {
                    decisions.push(Decision::Marks(variable));
                    continue;
                }
                _ => return None,
            };
            let mut follow = |stmt: &'p Stmt| {
                let mut parts = Vec::new();
                self.flatten(stmt, &mut parts);
                left.extend(parts.into_iter().rev().map(Step::Do));
            };
            match &stmt.op {
                Op::Sequence(_) | Op::Call(_) if !matches!(&stmt.op, Op::Call(f) if self.facts.recursive(*f)) =>
                {
                    follow(stmt);
                }
                Op::Assign(_) | Op::Irreversible | Op::Outcome(_) | Op::KeepTurn
                    if self.facts.surely_one(stmt) => {}
                _ if self.facts.surely_one(stmt) => still = false,
                _ if still && self.asks_around(stmt, direction) => {
                    decisions.push(Decision::Keeps(stmt));
                    asks = true;
                }
                Op::Try(consequence, otherwise) if still => {
                    let mut parts = Vec::new();
                    self.flatten(consequence, &mut parts);
                    let test = parts.first().filter(|test| self.asks_around(test, direction))?;
                    decisions.push(Decision::Leaves(test));
                    asks = true;
                    follow(otherwise);
                }
                _ => return None,
            }
        }
        (puts && asks).then_some(decisions)
    }

    /// Whether a test looks at other fields than the finger's, and at nothing else.
    fn asks_around(&self, stmt: &'p Stmt, direction: Option<Direction>) -> bool {
        self.facts.stays(stmt)
            && self.facts.runs_on_sets(stmt)
            && self.program.description.board.fields().all(|field| {
                let mut seen = BTreeSet::new();
                let looked = self.looks_at(stmt, &[(field, direction)].into(), &mut seen);
                looked.is_ok() && !seen.contains(&field)
            })
    }

    /// Adds the fields that a statement may look at, and says where it leads at most.
    fn looks_at(&self, stmt: &Stmt, from: &Pointing, seen: &mut BTreeSet<Field>) -> R<Pointing> {
        match &stmt.op {
            Op::Sequence(parts) => {
                parts.iter().try_fold(from.clone(), |from, part| self.looks_at(part, &from, seen))
            }
            Op::Either(parts) => {
                let mut all = Pointing::new();
                for part in parts {
                    all.extend(self.looks_at(part, from, seen)?);
                }
                Ok(all)
            }
            Op::Test(inner) | Op::Not(inner) => {
                self.looks_at(inner, from, seen)?;
                Ok(from.clone())
            }
            Op::Call(function) => self.looks_at(self.facts.body(*function), from, seen),
            Op::Repeat { low, high: Some(high), body } => {
                let (mut now, mut all) = (from.clone(), Pointing::new());
                for round in 0..=*high {
                    if round >= *low {
                        all.extend(&now);
                    }
                    if round < *high {
                        now = self.looks_at(body, &now, seen)?;
                    }
                }
                Ok(all)
            }
            Op::PointsAt(_) => {
                seen.extend(from.iter().map(|(field, _)| *field));
                Ok(from.clone())
            }
            Op::Assert(value) if self.facts.depends(value) == Depends::Place => Ok(from.clone()),
            Op::Face(_) | Op::Turn(_) | Op::Step | Op::StepBackward => self.walk(stmt, from, Look::Forbidden),
            _ => Err(Refusal::new("a test that looks farther than around")),
        }
    }
}
