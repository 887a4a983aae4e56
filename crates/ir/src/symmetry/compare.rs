//! Whether a reduced program with its fields and directions turned is the same program.
//!
//! A statement is a set of states, so the order of alternatives does not matter; everything else has to be
//! the same, statement by statement. Functions that call each other are assumed to be the same until that is
//! refuted.

use multigame_game::{Board, Field, PieceSet, Side};
use rustc_hash::FxHashSet;

use super::Turned;
use super::reduce::{Reduction, compared};
use crate::{BinaryOp, Expr, ExprOp, FunctionId, Op, Slot, Stmt};

type Pair = (FunctionId, FunctionId);

/// A comparison under a way to turn the board.
pub(super) struct Comparison<'a> {
    reduction: &'a Reduction<'a>,
    turned: &'a Turned,
    /// Functions of which the turned first one is not the second.
    unlike: FxHashSet<Pair>,
    /// Those that were compared, or are being compared, since the last one was found to be unlike.
    assumed: FxHashSet<Pair>,
}

impl<'a> Comparison<'a> {
    /// Whether nothing changes.
    pub fn holds(reduction: &'a Reduction<'a>, turned: &'a Turned) -> bool {
        let (unlike, assumed) = (FxHashSet::default(), FxHashSet::default());
        let mut comparison = Comparison { reduction, turned, unlike, assumed };
        // An assumption that was refuted may have been built on: each refutation begins anew.
        loop {
            let known = comparison.unlike.len();
            comparison.assumed.clear();
            let holds = reduction.entries().all(|entry| comparison.functions((entry, entry)));
            if comparison.unlike.len() == known || !holds {
                return holds;
            }
        }
    }

    fn board(&self) -> &'a Board {
        &self.reduction.program.description.board
    }

    fn functions(&mut self, pair: Pair) -> bool {
        if self.unlike.contains(&pair) {
            return false;
        }
        if !self.assumed.insert(pair) {
            return true;
        }
        let reduction = self.reduction;
        let same = match (reduction.function(pair.0), reduction.function(pair.1)) {
            (Some(a), Some(b)) => self.same(a, b),
            _ => false,
        };
        if !same {
            self.unlike.insert(pair);
        }
        same
    }

    /// Whether the first statement, turned, is the second.
    fn same(&mut self, a: &Stmt, b: &Stmt) -> bool {
        match (&a.op, &b.op) {
            (Op::Sequence(a), Op::Sequence(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(a, b))
            }
            (Op::Either(a), Op::Either(b)) => self.same_in_any_order(a, b),
            (Op::Try(a, c), Op::Try(b, d)) => self.same(a, b) && self.same(c, d),
            (Op::Test(a), Op::Test(b)) | (Op::Not(a), Op::Not(b)) => self.same(a, b),
            (
                Op::Repeat { low: a_low, high: a_high, body: a },
                Op::Repeat { low: b_low, high: b_high, body: b },
            ) => (a_low, a_high) == (b_low, b_high) && self.same(a, b),
            (Op::While { condition: a, body: c }, Op::While { condition: b, body: d }) => {
                self.same(a, b) && self.same(c, d)
            }
            (Op::Greatest(a, c), Op::Greatest(b, d)) => self.equal(a, b) && self.same(c, d),
            (Op::Call(a), Op::Call(b)) => self.functions((*a, *b)),
            (Op::Face(a), Op::Face(b)) => {
                let mut a: Vec<u8> = a.iter().map(|it| self.turned.directions[it.index()].0).collect();
                let mut b: Vec<u8> = b.iter().map(|it| it.0).collect();
                a.sort_unstable();
                b.sort_unstable();
                a == b
            }
            (Op::Turn(a), Op::Turn(b)) => self.turns_alike(*a, *b),
            (Op::Place(a), Op::Place(b)) => self.turned.fields[a.index()] == *b,
            (Op::Match(a), Op::Match(b)) => {
                let turned =
                    |&(field, pieces): &(Field, PieceSet)| (self.turned.fields[field.index()], pieces);
                let a: Vec<(Field, PieceSet)> = a.iter().map(turned).collect();
                a.len() == b.len() && a.iter().all(|it| b.contains(it)) && b.iter().all(|it| a.contains(it))
            }
            (Op::Assert(a), Op::Assert(b)) | (Op::Assign(a), Op::Assign(b)) => self.equal(a, b),
            (Op::Score(a, one), Op::Score(b, other)) => one == other && self.equal(a, b),
            (
                Op::Find(_)
                | Op::PointsAt(_)
                | Op::Replace(_)
                | Op::PickUp
                | Op::PutDown
                | Op::Step
                | Op::StepBackward
                | Op::Irreversible
                | Op::Outcome(_)
                | Op::KeepTurn,
                _,
            ) => a.op == b.op,
            // Fields and directions in their order, columns and rows that are computed.
            _ => false,
        }
    }

    /// Whether each alternative has its counterpart. Any will do: two counterparts of one are alike.
    fn same_in_any_order(&mut self, a: &[Stmt], b: &[Stmt]) -> bool {
        let mut free: Vec<&Stmt> = b.iter().collect();
        for a in a {
            let Some(found) = free.iter().position(|b| self.same(a, b)) else { return false };
            free.swap_remove(found);
        }
        free.is_empty()
    }

    /// Whether turning by `b` after the board was turned is what turning by `a` was before.
    fn turns_alike(&self, a: i32, b: i32) -> bool {
        let count = self.board().direction_count() as i32;
        let by = |direction: u8, steps: i32| (i32::from(direction) + steps).rem_euclid(count) as usize;
        let directions = &self.turned.directions;
        (0..count as u8).all(|direction| {
            let image = directions[usize::from(direction)].0;
            usize::from(directions[by(direction, a)].0) == by(image, b)
        })
    }

    /// Whether the first expression is worth on a turned board what the second is.
    fn equal(&mut self, a: &Expr, b: &Expr) -> bool {
        if let (Some(a), Some(b)) = (self.by_field(a), self.by_field(b)) {
            return self
                .board()
                .fields()
                .all(|field| a[field.index()] == b[self.turned.fields[field.index()].index()]);
        }
        match (&a.op, &b.op) {
            (ExprOp::Const(a), ExprOp::Const(b)) => a == b,
            (ExprOp::Load(a), ExprOp::Load(b)) => self.same_slot(*a, *b),
            (ExprOp::PostAdd(a, by), ExprOp::PostAdd(b, other)) => by == other && self.same_slot(*a, *b),
            (ExprOp::Store(slot, a), ExprOp::Store(other, b)) => {
                self.same_slot(*slot, *other) && self.equal(a, b)
            }
            (ExprOp::Binary(operator, a, c), ExprOp::Binary(other, b, d)) => {
                operator == other && self.equal(a, b) && self.equal(c, d)
            }
            (ExprOp::Negate(a), ExprOp::Negate(b))
            | (ExprOp::Not(a), ExprOp::Not(b))
            | (ExprOp::Complement(a), ExprOp::Complement(b)) => self.equal(a, b),
            (ExprOp::And(a, c), ExprOp::And(b, d))
            | (ExprOp::Or(a, c), ExprOp::Or(b, d))
            | (ExprOp::Comma(a, c), ExprOp::Comma(b, d)) => self.equal(a, b) && self.equal(c, d),
            (ExprOp::Conditional(a, c, e), ExprOp::Conditional(b, d, f)) => {
                self.equal(a, b) && self.equal(c, d) && self.equal(e, f)
            }
            (ExprOp::Count(a), ExprOp::Count(b)) => self.same(a, b),
            (ExprOp::Sum(a, c), ExprOp::Sum(b, d)) => self.equal(a, b) && self.same(c, d),
            _ => false,
        }
    }

    fn same_slot(&self, a: Slot, b: Slot) -> bool {
        match a {
            Slot::Value(slot) => a == b && !self.reduction.belongs_to_field(slot),
            Slot::AtFinger(_) => a == b,
        }
    }

    /// The values of an expression that depends on nothing but the finger, for each field.
    fn by_field(&self, expr: &Expr) -> Option<Vec<i64>> {
        let board = self.board();
        (0..board.size() as u16).map(|field| value_at(board, Field(field), expr)).collect()
    }
}

fn value_at(board: &Board, field: Field, expr: &Expr) -> Option<i64> {
    let at = |expr: &Expr| value_at(board, field, expr);
    let seen = |side: Side| board.seen_by(side, field);
    match &expr.op {
        ExprOp::Const(value) => Some(*value),
        ExprOp::Row(side) => Some(board.row(seen(*side)).into()),
        ExprOp::Column(side) => Some(board.column(seen(*side)).into()),
        ExprOp::Negate(a) => at(a)?.checked_neg(),
        ExprOp::Not(a) => Some((at(a)? == 0).into()),
        ExprOp::And(a, b) => Some((at(a)? != 0 && at(b)? != 0).into()),
        ExprOp::Or(a, b) => Some((at(a)? != 0 || at(b)? != 0).into()),
        ExprOp::Binary(BinaryOp::Add, a, b) => at(a)?.checked_add(at(b)?),
        ExprOp::Binary(BinaryOp::Subtract, a, b) => at(a)?.checked_sub(at(b)?),
        ExprOp::Binary(BinaryOp::Multiply, a, b) => at(a)?.checked_mul(at(b)?),
        ExprOp::Binary(BinaryOp::Remainder, a, b) => match (at(a)?, at(b)?) {
            (a @ 0.., b @ 1..) => Some(a % b),
            _ => None,
        },
        ExprOp::Binary(operator, a, b) => compared(*operator, at(a)?, at(b)?),
        _ => None,
    }
}
