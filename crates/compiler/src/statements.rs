//! Statements as one player sees them.

use multigame_game::{Board, Direction, Field, Outcome, PieceSet};
use multigame_ir::{NamePart, Op, Stmt};
use multigame_sema::model::{self, Pattern, StmtKind};
use multigame_syntax::ast::OutcomeWord;

use crate::lower::Body;

impl<'l, 'm> Body<'l, 'm> {
    /// Lowers a statement.
    pub fn statement(&mut self, stmt: &'m model::Stmt) -> Stmt {
        match &stmt.kind {
            StmtKind::Sequence(parts) => self.sequence(parts, stmt),
            StmtKind::Either(parts) => self.either(parts, stmt),
            StmtKind::AsOpponent(inside) => self.turned().statement(inside),
            _ => {
                let op = self.operation(stmt);
                Stmt { op, origin: self.origin(stmt.span) }
            }
        }
    }

    fn boxed(&mut self, stmt: &'m model::Stmt) -> Box<Stmt> {
        Box::new(self.statement(stmt))
    }

    /// Leaves out statements that change nothing, and those after one that always fails.
    fn sequence(&mut self, parts: &'m [model::Stmt], whole: &model::Stmt) -> Stmt {
        let mut lowered = Vec::with_capacity(parts.len());
        for part in parts {
            let part = self.statement(part);
            let fails = is_fail(&part);
            if !is_nothing(&part) {
                lowered.push(part);
            }
            if fails {
                break;
            }
        }
        self.unless_single(lowered, Op::Sequence, whole)
    }

    /// What always fails adds nothing.
    fn either(&mut self, parts: &'m [model::Stmt], whole: &model::Stmt) -> Stmt {
        let lowered = parts.iter().map(|part| self.statement(part));
        let lowered = lowered.filter(|part| !is_fail(part)).collect();
        self.unless_single(lowered, Op::Either, whole)
    }

    fn unless_single(
        &mut self,
        mut parts: Vec<Stmt>,
        combine: impl Fn(Vec<Stmt>) -> Op,
        whole: &model::Stmt,
    ) -> Stmt {
        match (parts.len(), parts.pop()) {
            (1, Some(only)) => only,
            (_, last) => {
                parts.extend(last);
                Stmt { op: combine(parts), origin: self.origin(whole.span) }
            }
        }
    }

    fn operation(&mut self, stmt: &'m model::Stmt) -> Op {
        match &stmt.kind {
            StmtKind::Unknown => Op::Either(Vec::new()),
            StmtKind::Sequence(_) | StmtKind::Either(_) | StmtKind::AsOpponent(_) => self.statement(stmt).op,
            StmtKind::Try(a, b) => {
                let a = self.boxed(a);
                let b = b.as_ref().map_or_else(Stmt::nothing, |b| self.statement(b));
                Op::Try(a, Box::new(b))
            }
            StmtKind::Optionally(a) => Op::Either(vec![Stmt::nothing(), self.statement(a)]),
            StmtKind::Test(a) => Op::Test(self.boxed(a)),
            StmtKind::Not(a) => Op::Not(self.boxed(a)),
            StmtKind::Repeat { low, high, body } => {
                Op::Repeat { low: *low, high: *high, body: self.boxed(body) }
            }
            StmtKind::While { condition, body } => {
                Op::While { condition: self.boxed(condition), body: self.boxed(body) }
            }
            StmtKind::DoWhile { body, condition } => self.do_while(body, condition, stmt),
            StmtKind::Find(pattern) => Op::Find(self.pieces(*pattern)),
            StmtKind::PointsAt(pattern) => Op::PointsAt(self.pieces(*pattern)),
            StmtKind::Replace(pieces) => self.replace(pieces, stmt),
            StmtKind::MoveTo(column, row) => self.move_to(column, row),
            StmtKind::Match(patterns) => self.match_board(patterns),
            StmtKind::PickUp => Op::PickUp,
            StmtKind::PutDown => Op::PutDown,
            StmtKind::Lift(count) => self.lift(count, stmt.span),
            StmtKind::Drop(count) => self.drop(count.as_ref(), stmt.span),
            StmtKind::Add(pieces) => self.add(pieces, stmt.span),
            StmtKind::RemoveTop => self.remove_top(stmt.span),
            StmtKind::Step => Op::Step,
            StmtKind::StepBackward => Op::StepBackward,
            StmtKind::Face(directions) => Op::Face(self.directions(directions)),
            StmtKind::Turn(steps) => Op::Turn(*steps),
            StmtKind::Assert(e) => match e.constant() {
                Some(0) => Op::Either(Vec::new()),
                Some(_) => Op::Sequence(Vec::new()),
                None => Op::Assert(self.expression(e)),
            },
            StmtKind::Assign(e) => match e.constant() {
                Some(_) => Op::Sequence(Vec::new()),
                None => Op::Assign(self.expression(e)),
            },
            StmtKind::ToMove(side) if *side == self.view => Op::Sequence(Vec::new()),
            StmtKind::ToMove(_) => Op::Either(Vec::new()),
            StmtKind::Irreversible => Op::Irreversible,
            StmtKind::Outcome(word) => Op::Outcome(match word {
                OutcomeWord::Win => Outcome::Wins(self.view),
                OutcomeWord::Lose => Outcome::Wins(self.view.opponent()),
                OutcomeWord::Draw => Outcome::Draw,
            }),
            StmtKind::Call(rule) => {
                let view = self.view;
                Op::Call(self.lowering.function(*rule, view))
            }
            StmtKind::Greatest(e, a) => Op::Greatest(self.expression(e), self.boxed(a)),
            StmtKind::KeepTurn => Op::KeepTurn,
            StmtKind::BoardUnchanged => Op::Unchanged,
            StmtKind::Score(e) => Op::Score(self.expression(e), self.view),
            StmtKind::Called(parts) => Op::Called(
                parts
                    .iter()
                    .map(|part| match part {
                        model::NamePart::Text(text) => NamePart::Text(text.clone()),
                        model::NamePart::Field => NamePart::Field,
                        model::NamePart::Number(e) => NamePart::Number(self.expression(e)),
                    })
                    .collect(),
            ),
            StmtKind::ForEachField(pattern, a) => {
                let pieces = self.pieces(*pattern);
                Op::ForEachField(pieces, self.boxed(a))
            }
            StmtKind::ForEachDirection(directions, a) => {
                let directions = self.directions(directions);
                Op::ForEachDirection(directions, self.boxed(a))
            }
        }
    }

    /// `A, while C do A`. A nested loop would double its body at every level, so it becomes a function of its
    /// own.
    fn do_while(&mut self, body: &'m model::Stmt, condition: &'m model::Stmt, whole: &'m model::Stmt) -> Op {
        let (first, again) = if contains_do_while(body) {
            let function = self.lowering.part(self.rule, self.view, body);
            let call = Stmt::new(Op::Call(function), self.origin(body.span));
            (call.clone(), call)
        } else {
            (self.statement(body), self.statement(body))
        };
        let again = Op::While { condition: self.boxed(condition), body: Box::new(again) };
        Op::Sequence(vec![first, Stmt::new(again, self.origin(whole.span))])
    }

    fn board(&self) -> &'m Board {
        &self.lowering.model.description.board
    }

    fn pieces(&self, pattern: Pattern) -> PieceSet {
        pattern.seen_by(self.view)
    }

    fn directions(&self, directions: &[Direction]) -> Vec<Direction> {
        let mut seen: Vec<Direction> = Vec::with_capacity(directions.len());
        for &direction in directions {
            let direction = self.board().direction_seen_by(self.view, direction);
            if !seen.contains(&direction) {
                seen.push(direction);
            }
        }
        seen
    }

    /// Each possibility is a statement of its own; the same piece twice is one possibility.
    fn replace(&mut self, pieces: &[[multigame_game::Piece; 2]], stmt: &'m model::Stmt) -> Op {
        let set: PieceSet = pieces.iter().map(|both| both[self.view.index()]).collect();
        if let (1, Some(piece)) = (set.len(), set.iter().next()) {
            return self.replace_top(piece, stmt.span);
        }
        let origin = self.origin(stmt.span);
        let each = set.iter().map(|piece| Stmt::new(self.replace_top(piece, stmt.span), origin));
        Op::Either(each.collect())
    }

    fn move_to(&mut self, column: &'m model::Expr, row: &'m model::Expr) -> Op {
        let board = self.board();
        if let (Some(column), Some(row)) = (column.constant(), row.constant()) {
            return match board.field_at(column, row) {
                Some(field) => Op::Place(board.seen_by(self.view, field)),
                None => Op::Either(Vec::new()),
            };
        }
        Op::MoveTo { column: self.expression(column), row: self.expression(row), view: self.view }
    }

    /// The patterns come from the mover's top left, row by row, without the holes.
    fn match_board(&self, patterns: &[Pattern]) -> Op {
        let board = self.board();
        let (columns, rows) = (board.columns(), board.rows());
        let from_top =
            (0..rows).rev().flat_map(|row| (0..columns).map(move |column| Field(row * columns + column)));
        let seen =
            from_top.map(|field| board.seen_by(self.view, field)).filter(|&field| board.is_field(field));
        Op::Match(seen.zip(patterns.iter().map(|&pattern| self.pieces(pattern))).collect())
    }
}

fn is_nothing(stmt: &Stmt) -> bool {
    matches!(&stmt.op, Op::Sequence(parts) if parts.is_empty())
}

fn is_fail(stmt: &Stmt) -> bool {
    matches!(&stmt.op, Op::Either(parts) if parts.is_empty())
}

fn contains_do_while(stmt: &model::Stmt) -> bool {
    matches!(stmt.kind, StmtKind::DoWhile { .. })
        || stmt.children().into_iter().any(contains_do_while)
        || stmt.expressions().into_iter().any(counts_do_while)
}

fn counts_do_while(expr: &model::Expr) -> bool {
    expr.counted().is_some_and(contains_do_while) || expr.operands().into_iter().any(counts_do_while)
}
