//! Win conditions that name places: `try [ assert (row == 8), win ]`.
//!
//! Only what rules say plainly is found: on the way to a win the place of the finger was asserted, and what stands there
//! is known. Everything that is not understood is passed over, so a goal may need more than it says, and goals may be
//! missing; they are for evaluations, not for rules.

use multigame_game::{Board, Field, Goal, Outcome, PieceSet, Side};

use crate::{BinaryOp, Expr, ExprOp, Op, Program, Stmt};

/// So many statements are looked at.
const MOST_WORK: u32 = 20_000;

/// So many ways through a statement are followed.
const MOST_WAYS: usize = 32;

/// What is known at a point of a move.
#[derive(Clone, Debug, Default, PartialEq)]
struct Way {
    /// What stands under the finger, if that is known.
    here: Option<PieceSet>,
    hand: Option<PieceSet>,
    /// Where the finger can be, if it was asserted.
    places: Option<Vec<Field>>,
}

struct Walk<'p> {
    program: &'p Program,
    side: Side,
    own: PieceSet,
    work: u32,
    goals: Vec<Goal>,
}

/// The goals of both players.
pub(crate) fn goals(program: &Program) -> Vec<Goal> {
    if program.description.players != 2 {
        return Vec::new();
    }
    let mut goals = Vec::new();
    for side in Side::BOTH {
        let own = program.description.pieces_of(side);
        let mut walk = Walk { program, side, own, work: 0, goals: Vec::new() };
        walk.follow(&program.function(program.main[side.index()]).body, vec![Way::default()], 0);
        goals.append(&mut walk.goals);
    }
    goals
}

impl Walk<'_> {
    fn follow(&mut self, stmt: &Stmt, ways: Vec<Way>, depth: u32) -> Vec<Way> {
        self.work += 1;
        if self.work > MOST_WORK || depth > 50 || ways.is_empty() {
            return ways;
        }
        let mut after = match &stmt.op {
            Op::Sequence(parts) => parts.iter().fold(ways, |ways, part| self.follow(part, ways, depth + 1)),
            Op::Either(parts) => {
                parts.iter().flat_map(|part| self.follow(part, ways.clone(), depth + 1)).collect()
            }
            Op::Try(a, b) => {
                let mut both = self.follow(a, ways.clone(), depth + 1);
                both.extend(self.follow(b, ways, depth + 1));
                both
            }
            Op::Greatest(_, a) => self.follow(a, ways, depth + 1),
            Op::Call(function) => self.follow(&self.program.function(*function).body, ways, depth + 1),
            Op::Outcome(Outcome::Wins(side)) if *side == self.side => {
                ways.iter().for_each(|way| self.note(way));
                ways
            }
            _ => ways.into_iter().map(|way| self.step(stmt, way)).collect(),
        };
        after.truncate(MOST_WAYS);
        after
    }

    /// What a statement with one way through does to what is known.
    fn step(&self, stmt: &Stmt, mut way: Way) -> Way {
        let everywhere = || self.program.description.board.fields().collect::<Vec<_>>();
        match &stmt.op {
            Op::Find(pieces) => (way.here, way.places) = (Some(*pieces), None),
            Op::PointsAt(pieces) => way.here = Some(*pieces),
            Op::Replace(piece) => way.here = Some(PieceSet::of(*piece)),
            Op::PickUp => (way.hand, way.here) = (way.here, None),
            Op::PutDown => (way.here, way.hand) = (way.hand, None),
            Op::Assert(expr) => {
                let mut places = way.places.take().unwrap_or_else(everywhere);
                let board = &self.program.description.board;
                let values: Option<Vec<i64>> = places.iter().map(|&field| at(expr, board, field)).collect();
                way.places = match values {
                    Some(values) => {
                        let mut keep = values.iter().map(|&value| value != 0);
                        places.retain(|_| keep.next().unwrap_or(false));
                        Some(places)
                    }
                    None if places.len() < everywhere().len() => Some(places),
                    None => None,
                };
            }
            Op::Step | Op::StepBackward | Op::MoveTo { .. } | Op::Place(_) => {
                (way.here, way.places) = (None, None);
            }
            Op::Repeat { .. } | Op::While { .. } => (way.here, way.places) = (None, None),
            _ => {}
        }
        way
    }

    fn note(&mut self, way: &Way) {
        let Some(fields) = &way.places else { return };
        let all = self.program.description.board.fields().count();
        let pieces = way.here.unwrap_or(self.own);
        let pieces: PieceSet = pieces.iter().filter(|&piece| self.own.contains(piece)).collect();
        if fields.is_empty() || fields.len() * 2 > all || pieces.is_empty() {
            return;
        }
        let goal = Goal { side: self.side, pieces, fields: fields.clone() };
        if !self.goals.contains(&goal) {
            self.goals.push(goal);
        }
    }
}

/// The value of an expression that depends on the finger's place alone.
fn at(expr: &Expr, board: &Board, field: Field) -> Option<i64> {
    let part = |part: &Expr| at(part, board, field);
    Some(match &expr.op {
        ExprOp::Const(value) => *value,
        ExprOp::Row(view) => i64::from(board.row(board.seen_by(*view, field))),
        ExprOp::Column(view) => i64::from(board.column(board.seen_by(*view, field))),
        ExprOp::Not(a) => i64::from(part(a)? == 0),
        ExprOp::Negate(a) => part(a)?.checked_neg()?,
        ExprOp::And(a, b) => i64::from(part(a)? != 0 && part(b)? != 0),
        ExprOp::Or(a, b) => i64::from(part(a)? != 0 || part(b)? != 0),
        ExprOp::Binary(op, a, b) => {
            let (a, b) = (part(a)?, part(b)?);
            match op {
                BinaryOp::Add => a.checked_add(b)?,
                BinaryOp::Subtract => a.checked_sub(b)?,
                BinaryOp::Multiply => a.checked_mul(b)?,
                BinaryOp::Divide => a.checked_div(b)?,
                BinaryOp::Remainder => a.checked_rem(b)?,
                BinaryOp::Less => i64::from(a < b),
                BinaryOp::LessEqual => i64::from(a <= b),
                BinaryOp::Greater => i64::from(a > b),
                BinaryOp::GreaterEqual => i64::from(a >= b),
                BinaryOp::Equal => i64::from(a == b),
                BinaryOp::NotEqual => i64::from(a != b),
                _ => return None,
            }
        }
        _ => return None,
    })
}
