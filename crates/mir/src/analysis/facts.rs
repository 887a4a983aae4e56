//! What can be said about statements without running them.

use std::cell::RefCell;
use std::rc::Rc;

use multigame_game::{Direction, PieceSet};
use multigame_ir::{Expr, ExprOp, FunctionId, Op, Program, Slot, Stmt};
use rustc_hash::FxHashMap;

use crate::Layout;
use crate::analysis::geometry::{Geometry, Table};
use crate::analysis::live::Live;

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
    pub program: &'p Program,
    pub geometry: Rc<Geometry>,
    pub layout: Rc<Layout>,
    recursive: Vec<bool>,
    /// Answers already found, by statement.
    pub(super) live: RefCell<FxHashMap<(*const Stmt, Live), Live>>,
    on_sets: RefCell<FxHashMap<*const Stmt, bool>>,
    weights: RefCell<FxHashMap<*const Stmt, usize>>,
    /// Where statements lead at most.
    pub widest: RefCell<FxHashMap<(*const Stmt, Option<Direction>), Table>>,
    /// For each threat the pieces it asks for.
    pub asked: RefCell<FxHashMap<*const Stmt, Rc<Vec<PieceSet>>>>,
}

impl<'p> Facts<'p> {
    pub fn new(program: &'p Program) -> Facts<'p> {
        Facts {
            program,
            geometry: Rc::new(Geometry::new(&program.description.board)),
            layout: Rc::new(Layout::new(program)),
            recursive: multigame_ir::recursive_functions(program),
            live: RefCell::default(),
            on_sets: RefCell::default(),
            weights: RefCell::default(),
            widest: RefCell::default(),
            asked: RefCell::default(),
        }
    }

    /// The numbers of all values while a move is made.
    pub fn slots(&self) -> std::ops::Range<usize> {
        0..self.program.slot_count()
    }

    pub fn recursive(&self, function: FunctionId) -> bool {
        self.recursive[function.0 as usize]
    }

    pub fn body(&self, function: FunctionId) -> &'p Stmt {
        &self.program.function(function).body
    }

    /// Whether a statement only moves the finger and looks at fields, so that it can be run for many fingers
    /// at once.
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

    /// Whether a statement does the same whatever the direction was, so that repeating it spreads over the
    /// board.
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
            Op::Unchanged => true,
            _ => false,
        }
    }

    /// Whether a statement may change the pieces on the board, tests aside.
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
            ExprOp::Count(body) if self.only_walks(body) && self.live_in_expr(expr) == Live::FINGER => {
                Depends::Place
            }
            // Neither finger nor direction matter: it is the same number for all of them.
            ExprOp::Count(body) | ExprOp::Sum(_, body)
                if self.runs_on_sets(body) && self.live_in_expr(expr) == Live::default() =>
            {
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

    /// Whether a statement only moves the finger from its place, over any pieces.
    pub fn only_walks(&self, stmt: &Stmt) -> bool {
        match &stmt.op {
            Op::Sequence(parts) | Op::Either(parts) => parts.iter().all(|part| self.only_walks(part)),
            Op::Test(a) | Op::Not(a) => self.only_walks(a),
            Op::Call(function) => !self.recursive(*function) && self.only_walks(self.body(*function)),
            Op::Face(_) | Op::Turn(_) | Op::Step | Op::StepBackward => true,
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
