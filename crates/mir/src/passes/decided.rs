//! Tests that decide how many results there are, asked for all fields at once.
//!
//! `find empty field, replace by man, try [ mill, take ]` gives one result for each field, except where a
//! mill comes about. Such a test looks at fields around the man, never at the man's own field: so it makes no
//! difference that the man is not there yet, and the fields where it would hold are found by running it
//! backward, once. The others are counted; only where it holds one field is looked at after the other.

use std::collections::BTreeSet;

use multigame_game::{Direction, Field};
use multigame_ir::{Op, Stmt};

use crate::analysis::facts::{Depends, Facts};
use crate::analysis::live::Live;
use crate::analysis::walks::{Look, Pointing, rounds, union};
use crate::lowering::Lowering;
use crate::lowering::rest::{Rest, Step};
use crate::lowering::state::{Hand, Set, State};
use crate::refusal::{R, Refusal};
use crate::{Kind, Pass, Variable};

/// What happens to a set of fingers on the way to its results.
pub(crate) enum Decision<'p> {
    /// Fingers that fail the test have no result.
    Keeps(&'p Stmt),
    /// Fingers that pass the test may have any number of results, all others go on.
    Leaves(&'p Stmt),
    /// It is remembered that a finger came this far.
    Marks(Variable),
}

/// Steps that are being asked what they decide.
struct Deciding<'p> {
    direction: Option<Direction>,
    decisions: Vec<Decision<'p>>,
    /// Whether nothing has been done yet that a test could see.
    still: bool,
    /// What is left to be asked, the next step last.
    left: Vec<Step<'p>>,
}

impl<'p> Facts<'p> {
    /// What decides about fingers that put a piece down, if that can be asked beforehand.
    pub(crate) fn decisions(
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
        let left = after.iter().rev().cloned().collect();
        let mut deciding = Deciding { direction, decisions: Vec::new(), still: true, left };
        while let Some(step) = deciding.left.pop() {
            match step {
                Step::Do(stmt) => self.decide(stmt, &mut deciding)?,
                Step::Mark(variable) => deciding.decisions.push(Decision::Marks(variable)),
                _ => return None,
            }
        }
        let asks = |decision: &Decision<'_>| !matches!(decision, Decision::Marks(_));
        (puts && deciding.decisions.iter().any(asks)).then_some(deciding.decisions)
    }

    /// What a statement decides; nothing if that cannot be asked beforehand.
    fn decide(&self, stmt: &'p Stmt, deciding: &mut Deciding<'p>) -> Option<()> {
        let live = deciding.left.iter().fold(Live::default(), |live, step| match step {
            Step::Do(stmt) => self.live(stmt, live),
            _ => live,
        });
        match &stmt.op {
            Op::Sequence(_) => self.decide_parts(stmt, deciding),
            Op::Call(function) if !self.recursive(*function) => self.decide_parts(stmt, deciding),
            Op::Assign(_) | Op::Irreversible | Op::Outcome(_) | Op::KeepTurn
                if self.surely_one(stmt, live) => {}
            _ if self.surely_one(stmt, live) => deciding.still = false,
            _ if deciding.still && self.asks_around(stmt, deciding.direction) => {
                deciding.decisions.push(Decision::Keeps(stmt));
            }
            Op::Try(consequence, otherwise) if deciding.still => {
                let mut parts = Vec::new();
                self.flatten(consequence, &mut parts);
                let test = parts.first().filter(|test| self.asks_around(test, deciding.direction))?;
                deciding.decisions.push(Decision::Leaves(test));
                self.decide_parts(otherwise, deciding);
            }
            _ => return None,
        }
        Some(())
    }

    fn decide_parts(&self, stmt: &'p Stmt, deciding: &mut Deciding<'p>) {
        let mut parts = Vec::new();
        self.flatten(stmt, &mut parts);
        deciding.left.extend(parts.into_iter().rev().map(Step::Do));
    }

    /// Whether a test looks at other fields than the finger's, and at nothing else.
    fn asks_around(&self, stmt: &'p Stmt, direction: Option<Direction>) -> bool {
        self.stays(stmt)
            && self.runs_on_sets(stmt)
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
            Op::Either(parts) => union(parts.iter().map(|part| self.looks_at(part, from, seen))),
            Op::Test(inner) | Op::Not(inner) => {
                self.looks_at(inner, from, seen)?;
                Ok(from.clone())
            }
            Op::Call(function) => self.looks_at(self.body(*function), from, seen),
            Op::Repeat { low, high: Some(high), body } => {
                rounds(*low, Some(*high), from, &mut |now| self.looks_at(body, now, seen))
            }
            Op::PointsAt(_) => {
                seen.extend(from.iter().map(|(field, _)| *field));
                Ok(from.clone())
            }
            Op::Assert(value) if self.depends(value) == Depends::Place => Ok(from.clone()),
            Op::Face(_) | Op::Turn(_) | Op::Step | Op::StepBackward => self.walk(stmt, from, Look::Forbidden),
            _ => Err(Refusal::new("a test that looks farther than around")),
        }
    }
}

impl<'p> Lowering<'p> {
    /// Counts fingers that give one result each or none, by tests of the whole set, and follows only the
    /// others; false if all have to be followed.
    pub(crate) fn count_decided(
        &mut self,
        rest: &Rest<'p>,
        set: &Set,
        direction: Option<Direction>,
        state: &State,
    ) -> R<bool> {
        if self.aim.kind != Kind::Count || !self.options.has(Pass::Wholesale) {
            return Ok(false);
        }
        let Some(decisions) = self.facts.decisions(&rest.steps(), direction, state) else { return Ok(false) };
        let (mut sure, mut unsure) = (set.clone(), self.code.empty());
        for decision in decisions {
            match decision {
                Decision::Keeps(test) => {
                    let passing = self.passing(test, direction, state)?;
                    sure = self.code.intersection(&sure, &passing);
                }
                Decision::Leaves(test) => {
                    let passing = self.passing(test, direction, state)?;
                    let leaving = self.code.intersection(&sure, &passing);
                    unsure = self.code.union_of(&unsure, &leaving);
                    sure = self.code.without(&sure, &passing);
                }
                Decision::Marks(variable) => {
                    let inhabited = self.code.is_inhabited(&sure);
                    self.code.set_bits(variable, inhabited);
                }
            }
        }
        self.add_members(&sure);
        self.each_field(rest, direction, &unsure, state)?;
        Ok(true)
    }

    fn passing(&mut self, test: &'p Stmt, direction: Option<Direction>, state: &State) -> R<Set> {
        let all = self.code.all();
        self.before(&[test], direction, &all, &mut state.clone())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::Pass;
    use crate::testing::{BOARD, check, check_unchanged_by, check_without};

    #[test]
    fn fields_where_a_test_holds_are_found_for_all_at_once() {
        let rules = "find empty field, replace by man, not [ north, step, points at own man ]";
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
                  v9 = v2 & 0xffff
                  v12 = v9 >> 4
                  v13 = 0xffff &~ v12
                  v14 = v8 & v13
                  v15 = x0
                  v16 = ones v14
                  v17 = v15 + v16
                  x0 = v17
                }
            "#]],
        );
        check_without(
            Pass::Wholesale,
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
                  for v9 in v8 {
                    v10 = 1 << v9
                    v11 = v2 | v10
                    v12 = v8 &~ v10
                    v13 = t1[v9]
                    v14 = v11 & v13
                    v15 = 0 != v14
                    v16 = 0 == v14
                    v17 = v16 ? v10 : 0
                    if v16 {
                      v18 = x0
                      v19 = 1 + v18
                      x0 = v19
                    }
                  }
                }
            "#]],
        );
    }

    #[test]
    fn a_test_of_the_field_itself_is_not_asked_beforehand() {
        let rules = "find empty field, replace by man, not [ north, step, step backward, points at own man ]";
        check_unchanged_by(Pass::Wholesale, BOARD, rules, "main_white_count");
    }
}
