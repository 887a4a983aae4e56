//! How many results a statement has, as far as that can be told beforehand.

use multigame_game::PieceSet;
use multigame_ir::{BinaryOp, Expr, ExprOp, Op, Stmt};

use crate::analysis::facts::Facts;
use crate::analysis::live::Live;

impl Facts<'_> {
    /// Whether a statement gives each state at most once: sets first, then only tests of single states.
    pub fn distinct(&self, stmt: &Stmt) -> bool {
        let mut parts = Vec::new();
        self.taken_apart(stmt, &mut parts);
        parts.into_iter().skip_while(|part| self.runs_on_sets(part)).all(|part| self.pure_test(part))
    }

    /// The statements that are done one after the other.
    fn taken_apart<'s>(&'s self, stmt: &'s Stmt, parts: &mut Vec<&'s Stmt>) {
        match &stmt.op {
            _ if self.runs_on_sets(stmt) => parts.push(stmt),
            Op::Sequence(inner) => inner.iter().for_each(|part| self.taken_apart(part, parts)),
            Op::Call(function) if !self.recursive(*function) => self.taken_apart(self.body(*function), parts),
            _ => parts.push(stmt),
        }
    }

    fn pure_test(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Assert(value) => self.is_pure(value),
            // A recursive rule that is nothing but a test.
            Op::Call(function) => matches!(self.body(*function).op, Op::Test(_) | Op::Not(_)),
            _ => matches!(stmt.op, Op::Test(_) | Op::Not(_) | Op::PointsAt(_) | Op::Match(_) | Op::Unchanged),
        }
    }

    /// Whether a statement has at most one result and leaves the board alone.
    pub fn only_judges(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Sequence(parts) => parts.iter().all(|part| self.only_judges(part)),
            Op::Try(a, b) => self.only_judges(a) && self.only_judges(b),
            Op::Call(function) => !self.recursive(*function) && self.only_judges(self.body(*function)),
            Op::Test(_) | Op::Not(_) | Op::PointsAt(_) | Op::Match(_) | Op::Assert(_) | Op::Assign(_) => true,
            Op::Irreversible | Op::Outcome(_) | Op::Score(..) | Op::KeepTurn | Op::Unchanged => true,
            _ => false,
        }
    }

    /// Whether a statement surely gives exactly one result and cannot be an error. `after` says what matters
    /// to what follows: results that differ only in what does not matter are one.
    pub fn surely_one(&self, stmt: &Stmt, after: Live) -> bool {
        match &stmt.op {
            Op::Sequence(parts) => self.all_before(parts, after, &|part, live| self.surely_one(part, live)),
            Op::Try(a, b) => self.at_most_one(a, after) && self.surely_one(b, after),
            Op::ForEachDirection(_, a) => self.at_most_one(a, Live::default()),
            Op::Call(function) => !self.recursive(*function) && self.surely_one(self.body(*function), after),
            Op::PutDown | Op::Replace(_) | Op::Irreversible | Op::Outcome(_) | Op::KeepTurn => true,
            Op::Assign(value) => self.surely_fits(value),
            _ => false,
        }
    }

    /// Whether a statement comes to an end and cannot be an error.
    fn never_errs(&self, stmt: &Stmt) -> bool {
        let mut fits = true;
        stmt.for_each_expression(&mut |expr| fits &= self.surely_fits(expr));
        fits && match &stmt.op {
            Op::Call(function) => !self.recursive(*function) && self.never_errs(self.body(*function)),
            Op::While { .. } | Op::Repeat { high: None, .. } => self.runs_on_sets(stmt),
            _ => stmt.children().into_iter().all(|child| self.never_errs(child)),
        }
    }

    /// Whether a statement has at most one result and cannot be an error, as far as what follows can tell
    /// results apart.
    pub fn at_most_one(&self, stmt: &Stmt, after: Live) -> bool {
        match &stmt.op {
            _ if self.runs_on_sets(stmt) && (self.stays(stmt) || !after.any()) => true,
            Op::Sequence(parts) => self.all_before(parts, after, &|part, live| self.at_most_one(part, live)),
            Op::Try(a, b) => self.at_most_one(a, after) && self.at_most_one(b, after),
            Op::Call(function) => !self.recursive(*function) && self.at_most_one(self.body(*function), after),
            Op::Test(a) | Op::Not(a) => self.at_most_one(a, Live::default()) || self.never_errs(a),
            Op::While { .. } => self.sweep(stmt).is_some(),
            Op::Step | Op::StepBackward | Op::Unchanged => true,
            _ => self.surely_one(stmt, after),
        }
    }

    /// Whether something holds for each of some statements one after the other, given what matters after it.
    fn all_before(&self, parts: &[Stmt], after: Live, holds: &dyn Fn(&Stmt, Live) -> bool) -> bool {
        let mut live = after;
        parts.iter().rev().all(|part| {
            let fine = holds(part, live);
            live = self.live(part, live);
            fine
        })
    }

    /// Whether at most one of some alternatives can succeed, by what they look at first.
    pub fn exclusive(&self, parts: &[Stmt]) -> bool {
        let guards: Vec<Vec<Guard<'_>>> = parts
            .iter()
            .map(|part| {
                let mut guards = Vec::new();
                self.first_tests(part, &mut guards);
                guards
            })
            .collect();
        let mut pairs = (0..guards.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.all(|(a, b)| guards[a].iter().any(|x| guards[b].iter().any(|y| x.contradicts(y))))
    }

    /// The tests a statement begins with; false if it does something else then.
    fn first_tests<'s>(&'s self, stmt: &'s Stmt, tests: &mut Vec<Guard<'s>>) -> bool {
        match &stmt.op {
            Op::Sequence(parts) => parts.iter().all(|part| self.first_tests(part, tests)),
            Op::Call(function) if !self.recursive(*function) => self.first_tests(self.body(*function), tests),
            Op::Either(parts) => {
                let pointed = parts.iter().map(|part| {
                    let mut tests = Vec::new();
                    self.first_tests(part, &mut tests);
                    tests.iter().find_map(|test| match test {
                        Guard::PointsAt(pieces) => Some(*pieces),
                        Guard::Equals(..) => None,
                    })
                });
                let pointed: Option<Vec<PieceSet>> = pointed.collect();
                let any = |pieces: Vec<PieceSet>| pieces.into_iter().fold(PieceSet::EMPTY, PieceSet::union);
                tests.extend(pointed.map(any).map(Guard::PointsAt));
                false
            }
            Op::PointsAt(pieces) => {
                tests.push(Guard::PointsAt(*pieces));
                true
            }
            Op::Assert(value) if self.is_pure(value) => {
                tests.extend(equals_constant(value));
                true
            }
            _ => false,
        }
    }

    fn is_pure(&self, expr: &Expr) -> bool {
        !matches!(expr.op, ExprOp::Store(..) | ExprOp::PostAdd(..))
            && expr.operands().into_iter().all(|operand| self.is_pure(operand))
    }
}

/// A test that a statement begins with.
enum Guard<'s> {
    PointsAt(PieceSet),
    /// This has that value.
    Equals(&'s ExprOp, i64),
}

impl Guard<'_> {
    /// Whether two tests of the same state cannot both succeed.
    fn contradicts(&self, other: &Guard<'_>) -> bool {
        match (self, other) {
            (Guard::PointsAt(a), Guard::PointsAt(b)) => !a.iter().any(|piece| b.contains(piece)),
            (Guard::Equals(x, m), Guard::Equals(y, n)) => x == y && m != n,
            _ => false,
        }
    }
}

/// `property == 3`, `row == 2`.
fn equals_constant(expr: &Expr) -> Option<Guard<'_>> {
    let ExprOp::Binary(BinaryOp::Equal, a, b) = &expr.op else { return None };
    let ExprOp::Const(number) = b.op else { return None };
    let known = matches!(a.op, ExprOp::Load(_) | ExprOp::Row(_) | ExprOp::Column(_));
    known.then_some(Guard::Equals(&a.op, number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BOARD, program};

    #[test]
    fn statements_that_surely_have_one_result() {
        let one = |rules| {
            let program = program(BOARD, rules);
            let facts = Facts::new(&program);
            let Op::Sequence(parts) = &facts.body(program.main[0]).op else { panic!("one statement") };
            let last = parts.last().unwrap();
            (facts.surely_one(last, Live::default()), facts.at_most_one(last, Live::default()))
        };
        assert_eq!(one("find own man, replace by rock"), (true, true));
        assert_eq!(one("find own man, assign (seen = 3)"), (true, true));
        // It may leave the range of the property.
        assert_eq!(one("find own man, assign (seen = seen + 1)"), (false, false));
        assert_eq!(one("find own man, points at rock"), (false, true));
        assert_eq!(one("find own man, either replace by rock or replace by man"), (false, false));
    }

    #[test]
    fn tests_of_different_contents_exclude_each_other() {
        let exclusive = |rules| {
            let program = program(BOARD, rules);
            let facts = Facts::new(&program);
            let Op::Either(parts) = &facts.body(program.main[0]).op else { panic!("no alternatives") };
            facts.exclusive(parts)
        };
        assert!(exclusive(
            "either [ assert (seen == 1), pass_on ] or [ assert (seen == 2),
            pass_on ]. pass_on = find own man, replace by rock"
        ));
        assert!(!exclusive(
            "either [ assert (seen == 1), pass_on ] or [ assert (tried == 2),
            pass_on ]. pass_on = find own man, replace by rock"
        ));
    }
}
