//! What can be said about statements without running them.

use std::cell::RefCell;

use multigame_game::PieceSet;
use multigame_ir::{Expr, ExprOp, FunctionId, Op, Program, Slot, Stmt};
use rustc_hash::FxHashMap;

/// Whether finger and direction matter to what follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Live {
    pub finger: bool,
    pub direction: bool,
}

impl Live {
    pub fn or(self, other: Live) -> Live {
        Live { finger: self.finger || other.finger, direction: self.direction || other.direction }
    }
}

/// On what an expression without side effects depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depends {
    /// On the finger's place alone: a mask known while compiling.
    Place,
    /// On the position, not on the finger.
    Position,
    /// On both, or it has side effects.
    Mixed,
}

/// Facts about the functions of a program.
pub(crate) struct Facts<'p> {
    pub(crate) program: &'p Program,
    recursive: Vec<bool>,
    /// Answers already found, by statement.
    live: RefCell<FxHashMap<(*const Stmt, Live), Live>>,
    on_sets: RefCell<FxHashMap<*const Stmt, bool>>,
    weights: RefCell<FxHashMap<*const Stmt, usize>>,
}

impl<'p> Facts<'p> {
    pub fn new(program: &'p Program) -> Facts<'p> {
        Facts {
            program,
            recursive: multigame_ir::recursive_functions(program),
            live: RefCell::default(),
            on_sets: RefCell::default(),
            weights: RefCell::default(),
        }
    }

    pub fn recursive(&self, function: FunctionId) -> bool {
        self.recursive[function.0 as usize]
    }

    pub fn body(&self, function: FunctionId) -> &'p Stmt {
        &self.program.function(function).body
    }

    /// Which of finger and direction matter before a statement, given what matters after it.
    pub fn live(&self, stmt: &Stmt, after: Live) -> Live {
        let key = (std::ptr::from_ref(stmt), after);
        if let Some(&live) = self.live.borrow().get(&key) {
            return live;
        }
        let live = self.find_live(stmt, after);
        self.live.borrow_mut().insert(key, live);
        live
    }

    fn find_live(&self, stmt: &Stmt, after: Live) -> Live {
        let nothing = Live::default();
        match &stmt.op {
            Op::Sequence(parts) => parts.iter().rev().fold(after, |live, part| self.live(part, live)),
            Op::Either(parts) => parts.iter().fold(nothing, |live, part| live.or(self.live(part, after))),
            Op::Try(a, b) => self.live(a, after).or(self.live(b, after)),
            Op::Test(a) | Op::Not(a) => self.live(a, nothing).or(after),
            Op::Repeat { low, body, .. } => {
                let again = self.live(body, after.or(self.live(body, after)));
                if *low == 0 { again.or(after) } else { again }
            }
            Op::While { condition, body } => {
                let round = |after: Live| self.live(condition, self.live(body, after));
                let live = after.or(self.live(condition, nothing));
                live.or(round(live.or(round(live))))
            }
            Op::Greatest(value, a) => self.live(a, after.or(self.live_in_expr(value))),
            Op::ForEachField(_, a) => after.or(Live { finger: false, ..self.live(a, nothing) }),
            Op::ForEachDirection(_, a) => after.or(Live { direction: false, ..self.live(a, nothing) }),
            Op::Call(function) if self.recursive(*function) => Live { finger: true, direction: true },
            Op::Call(function) => self.live(self.body(*function), after),
            Op::Find(_) | Op::Place(_) => Live { finger: false, ..after },
            Op::PointsAt(_) | Op::Replace(_) | Op::PickUp | Op::PutDown => Live { finger: true, ..after },
            Op::Face(_) => Live { direction: false, ..after },
            Op::Turn(_) => Live { direction: true, ..after },
            Op::Step | Op::StepBackward => Live { finger: true, direction: true },
            Op::MoveTo { column, row, .. } => {
                let after = Live { finger: false, ..after };
                after.or(self.live_in_expr(column)).or(self.live_in_expr(row))
            }
            Op::Assert(value) | Op::Assign(value) | Op::Score(value, _) => after.or(self.live_in_expr(value)),
            Op::Match(_) | Op::Irreversible | Op::Outcome(_) | Op::KeepTurn | Op::Called(_) => after,
        }
    }

    pub fn live_in_expr(&self, expr: &Expr) -> Live {
        match &expr.op {
            ExprOp::Row(_) | ExprOp::Column(_) => Live { finger: true, direction: false },
            ExprOp::Load(Slot::AtFinger(_)) | ExprOp::PostAdd(Slot::AtFinger(_), _) => {
                Live { finger: true, direction: false }
            }
            ExprOp::Store(Slot::AtFinger(_), a) => {
                Live { finger: true, direction: false }.or(self.live_in_expr(a))
            }
            ExprOp::Count(body) => self.live(body, Live::default()),
            ExprOp::Sum(value, body) => self.live(body, self.live_in_expr(value)),
            _ => expr.operands().into_iter().fold(Live::default(), |live, a| live.or(self.live_in_expr(a))),
        }
    }

    /// Whether a statement only moves the finger and looks at fields, so that it can be run for many fingers at once.
    pub fn runs_on_sets(&self, stmt: &Stmt) -> bool {
        let key = std::ptr::from_ref(stmt);
        if let Some(&answer) = self.on_sets.borrow().get(&key) {
            return answer;
        }
        let answer = self.finds_to_run_on_sets(stmt);
        self.on_sets.borrow_mut().insert(key, answer);
        answer
    }

    fn finds_to_run_on_sets(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Sequence(parts) | Op::Either(parts) => parts.iter().all(|part| self.runs_on_sets(part)),
            Op::Try(a, b) => self.runs_on_sets(a) && self.runs_on_sets(b),
            Op::Test(a) | Op::Not(a) => self.runs_on_sets(a),
            Op::Repeat { high, body, .. } => {
                self.runs_on_sets(body) && (high.is_some() || !self.faces(body) || self.spreads(body))
            }
            Op::While { condition, body } => {
                [condition, body].iter().all(|part| self.runs_on_sets(part) && !self.faces(part))
            }
            Op::Call(function) => !self.recursive(*function) && self.runs_on_sets(self.body(*function)),
            Op::Find(_) | Op::PointsAt(_) | Op::Face(_) | Op::Turn(_) | Op::Step | Op::StepBackward => true,
            Op::Place(_) | Op::Match(_) => true,
            Op::Assert(value) => self.depends(value) != Depends::Mixed,
            _ => false,
        }
    }

    /// Whether a statement does the same whatever the direction was, so that repeating it spreads over the board.
    pub fn spreads(&self, stmt: &Stmt) -> bool {
        !self.live(stmt, Live { finger: true, direction: false }).direction
    }

    /// Whether a statement may change the direction.
    pub fn faces(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Face(_) | Op::Turn(_) => true,
            Op::Test(_) | Op::Not(_) => false,
            Op::Call(function) => self.recursive(*function) || self.faces(self.body(*function)),
            _ => stmt.children().into_iter().any(|child| self.faces(child)),
        }
    }

    /// Whether a statement leaves finger and direction as they are.
    pub fn stays(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Sequence(parts) | Op::Either(parts) => parts.iter().all(|part| self.stays(part)),
            Op::Try(a, b) => self.stays(a) && self.stays(b),
            Op::Call(function) => !self.recursive(*function) && self.stays(self.body(*function)),
            Op::PointsAt(_) | Op::Match(_) | Op::Assert(_) | Op::Test(_) | Op::Not(_) => true,
            _ => false,
        }
    }

    /// Whether a statement may change what stands on the board, tests aside.
    pub fn writes(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Replace(_) | Op::PickUp | Op::PutDown => true,
            Op::Test(_) | Op::Not(_) => false,
            Op::Call(function) => self.recursive(*function) || self.writes(self.body(*function)),
            _ => stmt.children().into_iter().any(|child| self.writes(child)),
        }
    }

    /// On what an expression depends.
    pub fn depends(&self, expr: &Expr) -> Depends {
        match &expr.op {
            ExprOp::Const(_) => Depends::Place,
            ExprOp::Row(_) | ExprOp::Column(_) => Depends::Place,
            ExprOp::Load(Slot::Value(_)) => Depends::Position,
            ExprOp::Count(body) if self.runs_on_sets(body) && !self.live(body, Live::default()).finger => {
                Depends::Position
            }
            ExprOp::Count(body) if self.only_walks(body) && !self.live(body, Live::default()).direction => {
                Depends::Place
            }
            ExprOp::Sum(_, body) if self.runs_on_sets(body) && !self.live_in_expr(expr).finger => {
                Depends::Position
            }
            ExprOp::Load(_) | ExprOp::Store(..) | ExprOp::PostAdd(..) => Depends::Mixed,
            ExprOp::Count(_) | ExprOp::Sum(..) => Depends::Mixed,
            _ => {
                let operands = expr.operands();
                let constant = |e: &&Expr| matches!(e.op, ExprOp::Const(_));
                let parts: Vec<Depends> =
                    operands.iter().filter(|e| !constant(e)).map(|e| self.depends(e)).collect();
                match parts.first() {
                    None => Depends::Place,
                    Some(&first) if parts.iter().all(|&part| part == first) => first,
                    Some(_) => Depends::Mixed,
                }
            }
        }
    }

    /// Whether a statement only moves the finger from where it is, whatever stands on the board.
    pub fn only_walks(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Sequence(parts) | Op::Either(parts) => parts.iter().all(|part| self.only_walks(part)),
            Op::Test(a) | Op::Not(a) => self.only_walks(a),
            Op::Call(function) => !self.recursive(*function) && self.only_walks(self.body(*function)),
            Op::Face(_) | Op::Turn(_) | Op::Step | Op::StepBackward => true,
            _ => false,
        }
    }

    /// Whether a statement gives each state at most once: sets first, then only tests of single states.
    pub fn distinct(&self, stmt: &Stmt) -> bool {
        let mut parts = Vec::new();
        self.flatten(stmt, &mut parts);
        parts.into_iter().skip_while(|part| self.runs_on_sets(part)).all(|part| self.pure_test(part))
    }

    /// The statements that are done one after the other.
    fn flatten<'s>(&'s self, stmt: &'s Stmt, parts: &mut Vec<&'s Stmt>) {
        match &stmt.op {
            _ if self.runs_on_sets(stmt) => parts.push(stmt),
            Op::Sequence(inner) => inner.iter().for_each(|part| self.flatten(part, parts)),
            Op::Call(function) if !self.recursive(*function) => self.flatten(self.body(*function), parts),
            _ => parts.push(stmt),
        }
    }

    fn pure_test(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Assert(value) => self.is_pure(value),
            // A recursive rule that is nothing but a test.
            Op::Call(function) => matches!(self.body(*function).op, Op::Test(_) | Op::Not(_)),
            _ => matches!(stmt.op, Op::Test(_) | Op::Not(_) | Op::PointsAt(_) | Op::Match(_)),
        }
    }

    /// Whether a statement has at most one result and leaves the board alone.
    pub fn only_judges(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Sequence(parts) => parts.iter().all(|part| self.only_judges(part)),
            Op::Try(a, b) => self.only_judges(a) && self.only_judges(b),
            Op::Call(function) => !self.recursive(*function) && self.only_judges(self.body(*function)),
            Op::Test(_) | Op::Not(_) | Op::PointsAt(_) | Op::Match(_) | Op::Assert(_) | Op::Assign(_) => true,
            Op::Irreversible | Op::Outcome(_) | Op::Score(..) | Op::KeepTurn => true,
            _ => false,
        }
    }

    /// How many statements there are in a statement, those of the rules it calls included.
    pub fn weight(&self, stmt: &Stmt) -> usize {
        let key = std::ptr::from_ref(stmt);
        if let Some(&weight) = self.weights.borrow().get(&key) {
            return weight;
        }
        let inner = match &stmt.op {
            Op::Call(function) if self.recursive(*function) => 0,
            Op::Call(function) => self.weight(self.body(*function)),
            _ => stmt.children().into_iter().map(|child| self.weight(child)).sum(),
        };
        self.weights.borrow_mut().insert(key, inner + 1);
        inner + 1
    }

    /// Whether a statement surely gives exactly one result and cannot be an error.
    pub fn surely_one(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Sequence(parts) => parts.iter().all(|part| self.surely_one(part)),
            Op::Try(a, b) => self.at_most_one(a) && self.surely_one(b),
            Op::ForEachDirection(_, a) => self.at_most_one(a),
            Op::Call(function) => !self.recursive(*function) && self.surely_one(self.body(*function)),
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

    /// Whether a statement has at most one result and cannot be an error, if what it does to finger and direction does
    /// not matter.
    pub fn at_most_one(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Sequence(parts) => {
                let mut live = Live::default();
                parts.iter().rev().all(|part| {
                    let fine = if self.runs_on_sets(part) {
                        self.stays(part) || !(live.finger || live.direction) || matches!(part.op, Op::Step)
                    } else {
                        self.at_most_one(part)
                    };
                    live = self.live(part, live);
                    fine
                })
            }
            Op::Try(a, b) => self.at_most_one(a) && self.at_most_one(b),
            Op::Call(function) => !self.recursive(*function) && self.at_most_one(self.body(*function)),
            Op::Test(a) | Op::Not(a) => self.at_most_one(a) || self.runs_on_sets(a) || self.never_errs(a),
            Op::While { .. } => self.sweep(stmt).is_some(),
            _ => self.runs_on_sets(stmt) || self.surely_one(stmt),
        }
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

    /// `while points at P do [ replace by X, step ]`: the fields P along a direction all become X.
    pub fn sweep(&self, stmt: &'_ Stmt) -> Option<(multigame_game::PieceSet, multigame_game::Piece)> {
        let Op::While { condition, body } = &stmt.op else { return None };
        let Op::PointsAt(swept) = &condition.op else { return None };
        let Op::Sequence(parts) = &body.op else { return None };
        match &parts[..] {
            [Stmt { op: Op::Replace(piece), .. }, Stmt { op: Op::Step, .. }] if !swept.contains(*piece) => {
                Some((*swept, *piece))
            }
            _ => None,
        }
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
    let ExprOp::Binary(multigame_ir::BinaryOp::Equal, a, b) = &expr.op else { return None };
    let ExprOp::Const(number) = b.op else { return None };
    let known = matches!(a.op, ExprOp::Load(_) | ExprOp::Row(_) | ExprOp::Column(_));
    known.then_some(Guard::Equals(&a.op, number))
}
