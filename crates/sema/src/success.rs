//! Which statements surely fail and which surely have a result. If nothing can be proved, the answer is no.

use multigame_game::{Board, Side};

use crate::calls::Calls;
use crate::checker::Checker;
use crate::model::{Expr, ExprKind, Rule, Stmt, StmtKind};

/// Facts about each rule.
pub(crate) struct Success<'c> {
    board: Option<&'c Board>,
    players: u8,
    piece_count: usize,
    /// Whether the rule has a result in every state, unless it ends in a run-time error.
    total: Vec<bool>,
    /// Whether the rule has a result in any state.
    possible: Vec<bool>,
}

impl<'c> Success<'c> {
    pub fn new(checker: &'c Checker<'_>, rules: &[Rule], calls: &Calls) -> Success<'c> {
        let mut success = Success {
            board: checker.board.as_ref(),
            players: checker.players,
            piece_count: checker.pieces.len(),
            total: Vec::new(),
            possible: Vec::new(),
        };
        let total = calls.fixed_point(rules, false, |stmt, total| success.total_given(stmt, total));
        success.total = total.unwrap_or_else(|| vec![false; rules.len()]);
        let possible =
            calls.fixed_point(rules, false, |stmt, possible| success.possible_given(stmt, possible));
        success.possible = possible.unwrap_or_else(|| vec![true; rules.len()]);
        success
    }

    /// Whether the statement has a result in every state, unless it ends in a run-time error.
    pub fn is_total(&self, stmt: &Stmt) -> bool {
        self.total_given(stmt, &self.total)
    }

    /// Whether the statement has a result in some state, as far as is known.
    pub fn is_possible(&self, stmt: &Stmt) -> bool {
        self.possible_given(stmt, &self.possible)
    }

    /// Whether each rule has a result in some state, as far as is known.
    pub fn possible_rules(&self) -> &[bool] {
        &self.possible
    }

    fn total_given(&self, stmt: &Stmt, rules: &[bool]) -> bool {
        let total = |stmt: &Stmt| self.total_given(stmt, rules);
        match &stmt.kind {
            StmtKind::Sequence(parts) => parts.iter().all(total),
            StmtKind::Either(parts) => parts.iter().any(total),
            StmtKind::Try(_, None) | StmtKind::Optionally(_) => true,
            StmtKind::Try(a, Some(b)) => total(a) || total(b),
            StmtKind::Test(a) | StmtKind::Greatest(_, a) | StmtKind::AsOpponent(a) => total(a),
            StmtKind::Repeat { low, body, .. } => *low == 0 || total(body),
            StmtKind::Call(rule) => rules[rule.index()],
            StmtKind::Find(pattern) | StmtKind::PointsAt(pattern) => {
                pattern.0.iter().all(|pieces| pieces.len() == self.piece_count)
            }
            StmtKind::MoveTo(column, row) => match (fixed(column), fixed(row), self.board) {
                (Some(column), Some(row), Some(board)) => board.field_at(column, row).is_some(),
                _ => false,
            },
            StmtKind::Face(directions) => !directions.is_empty(),
            StmtKind::Assert(e) => fixed(e).is_some_and(|value| value != 0),
            StmtKind::Replace(_)
            | StmtKind::PutDown
            | StmtKind::Turn(_)
            | StmtKind::Assign(_)
            | StmtKind::Irreversible
            | StmtKind::Outcome(_)
            | StmtKind::KeepTurn
            | StmtKind::Score(_)
            | StmtKind::Called(_)
            | StmtKind::ForEachField(..)
            | StmtKind::ForEachDirection(..) => true,
            _ => false,
        }
    }

    fn possible_given(&self, stmt: &Stmt, rules: &[bool]) -> bool {
        let possible = |stmt: &Stmt| self.possible_given(stmt, rules);
        match &stmt.kind {
            StmtKind::Sequence(parts) => parts.iter().all(possible),
            StmtKind::Either(parts) => parts.iter().any(possible),
            StmtKind::Try(a, Some(b)) => possible(a) || possible(b),
            StmtKind::Test(a) | StmtKind::Greatest(_, a) | StmtKind::AsOpponent(a) => possible(a),
            StmtKind::Not(a) => !self.is_total(a),
            StmtKind::Repeat { low, body, .. } => *low == 0 || possible(body),
            StmtKind::While { condition, .. } => !self.is_total(condition),
            StmtKind::DoWhile { body, condition } => possible(body) && !self.is_total(condition),
            StmtKind::Call(rule) => rules[rule.index()],
            StmtKind::Find(pattern) | StmtKind::PointsAt(pattern) => {
                pattern.0.iter().any(|pieces| !pieces.is_empty())
            }
            StmtKind::Assert(e) => fixed(e) != Some(0),
            StmtKind::ToMove(Side::Black) => self.players == 2,
            _ => true,
        }
    }
}

/// The value of a constant that is the same for all choices of parameters.
fn fixed(expr: &Expr) -> Option<i64> {
    match expr.kind {
        ExprKind::Const { value, adjustable: false } => Some(value),
        _ => None,
    }
}
