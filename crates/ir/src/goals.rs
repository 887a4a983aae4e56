//! Win conditions that name places: `try [ assert (row == 8), win ]`, and
//! `try [ not [ find own man, not at_home ], win ]`, where all have to arrive.
//!
//! Only what rules say plainly is found: on the way to a win the place of the finger was asserted, and what
//! stands there is known, or pieces elsewhere were ruled out. Everything that is not understood is passed
//! over, so a goal may need more than it says, and goals may be missing; they are for evaluations, not for
//! rules.

use multigame_game::{Board, Field, Goal, Outcome, PieceSet, Side};

use crate::{BinaryOp, Expr, ExprOp, Op, Program, Stmt};

/// This many statements are looked at.
const MOST_WORK: u32 = 20_000;

/// This many ways through a statement are followed.
const MOST_WAYS: usize = 32;

/// So deeply statements are looked into: rules may call themselves.
const MOST_DEPTH: u32 = 50;

/// What is known at a point of a move.
#[derive(Clone, Debug, Default, PartialEq)]
struct Way {
    /// What stands under the finger, if that is known.
    here: Option<PieceSet>,
    hand: Option<PieceSet>,
    /// Where the finger can be, if it was asserted.
    places: Option<Vec<Field>>,
    /// Pieces that are on these fields and nowhere else.
    confined: Option<(PieceSet, Vec<Field>)>,
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
        if self.work > MOST_WORK || depth > MOST_DEPTH || ways.is_empty() {
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
            Op::Not(body) => way.confined = self.confinement(body).or(way.confined),
            Op::Step | Op::StepBackward | Op::MoveTo { .. } | Op::Place(_) => {
                (way.here, way.places) = (None, None);
            }
            Op::Repeat { .. } | Op::While { .. } => (way.here, way.places) = (None, None),
            _ => {}
        }
        way
    }

    /// What `not [ find pieces, somewhere ]` says: the pieces, and where they are instead.
    fn confinement(&self, body: &Stmt) -> Option<(PieceSet, Vec<Field>)> {
        let Op::Sequence(parts) = &body.op else { return None };
        let [Stmt { op: Op::Find(pieces), .. }, somewhere @ ..] = parts.as_slice() else { return None };
        let mut elsewhere = Vec::new();
        for field in self.program.description.board.fields() {
            if !self.holds_in_turn(somewhere, field, 0)? {
                elsewhere.push(field);
            }
        }
        Some((*pieces, elsewhere))
    }

    /// Whether a statement that asks for the place of the finger and nothing else has a result there.
    fn holds(&self, stmt: &Stmt, field: Field, depth: u32) -> Option<bool> {
        if depth > MOST_DEPTH {
            return None;
        }
        Some(match &stmt.op {
            Op::Sequence(parts) => self.holds_in_turn(parts, field, depth + 1)?,
            Op::Call(function) => self.holds(&self.program.function(*function).body, field, depth + 1)?,
            Op::Test(body) => self.holds(body, field, depth + 1)?,
            Op::Not(body) => !self.holds(body, field, depth + 1)?,
            Op::Assert(expr) => at(expr, &self.program.description.board, field)? != 0,
            _ => return None,
        })
    }

    fn holds_in_turn(&self, parts: &[Stmt], field: Field, depth: u32) -> Option<bool> {
        for part in parts {
            if !self.holds(part, field, depth)? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn note(&mut self, way: &Way) {
        if let Some(fields) = &way.places {
            self.add(way.here.unwrap_or(self.own), fields, false);
        }
        if let Some((pieces, fields)) = &way.confined {
            self.add(*pieces, fields, true);
        }
    }

    fn add(&mut self, pieces: PieceSet, fields: &[Field], all: bool) {
        let size = self.program.description.board.fields().count();
        let pieces: PieceSet = pieces.iter().filter(|&piece| self.own.contains(piece)).collect();
        if fields.is_empty() || fields.len() * 2 > size || pieces.is_empty() {
            return;
        }
        let goal = Goal { side: self.side, pieces, fields: fields.to_vec(), all };
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
