//! Directions as a set: what `for each` goes through, and what `facing` asks about.
//!
//! Nothing behind this file knows `facing`: a step from a field where every direction leads somewhere else
//! tells the present one. So the question costs what the same walk would cost, which is nothing where the
//! direction is known.

use multigame_game::{Board, Direction, Field, Topology};
use multigame_syntax::ast::{self, BinaryOp, Owner, PatternKind};
use multigame_syntax::{Diagnostic, Span};

use crate::checker::Checker;
use crate::model::{Expr, ExprKind, Stmt, StmtKind};
use crate::suggest::shown;

impl<'a> Checker<'a> {
    /// Whether what `for each` goes through is the name of a direction, or of a rule and not of a piece.
    pub(crate) fn names_directions(&self, pattern: &ast::Pattern) -> bool {
        let PatternKind::Piece(Owner::Plain, name) = &pattern.kind else { return false };
        let name = name.text.as_str();
        let is_direction = || self.board.as_ref().is_some_and(|board| board.direction_named(name).is_some());
        let is_pattern = self.piece_names.contains_key(name) || self.pattern_names.contains_key(name);
        !is_pattern && (self.rule_names.contains_key(name) || is_direction())
    }

    pub(crate) fn directions_of_name(&mut self, pattern: &'a ast::Pattern) -> Option<Vec<Direction>> {
        let PatternKind::Piece(_, name) = &pattern.kind else { return None };
        self.directions_called(&name.text, pattern.span)
    }

    /// The directions that a statement sets; anything else that it does is an error.
    pub(crate) fn directions(&mut self, stmt: &'a ast::Stmt) -> Option<Vec<Direction>> {
        if !self.enter(stmt.span) {
            return None;
        }
        let directions = self.directions_here(stmt);
        self.leave();
        directions
    }

    fn directions_here(&mut self, stmt: &'a ast::Stmt) -> Option<Vec<Direction>> {
        match &stmt.kind {
            ast::StmtKind::Missing => {
                self.incomplete = true;
                None
            }
            ast::StmtKind::AnyDirection => Some(self.all_directions()),
            ast::StmtKind::Compass(_) | ast::StmtKind::Orthogonal | ast::StmtKind::Diagonal => {
                match self.statement(stmt).kind {
                    StmtKind::Face(directions) => Some(directions),
                    _ => None,
                }
            }
            ast::StmtKind::Sequence(parts) if parts.len() == 1 => self.directions(&parts[0]),
            ast::StmtKind::Either(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    let more = self.directions(part)?;
                    all.extend(
                        more.into_iter().filter(|direction| !all.contains(direction)).collect::<Vec<_>>(),
                    );
                }
                Some(all)
            }
            ast::StmtKind::Call(name) => self.directions_called(name, stmt.span),
            _ => {
                self.report(
                    Diagnostic::error("not-a-direction", stmt.span, "this does not say which directions")
                        .label("a direction is expected, `orthogonal`, `diagonal` or `any direction`")
                        .help("several are `either north or east`, here or as a rule of its own"),
                );
                None
            }
        }
    }

    /// The directions of that name, which may be a rule's.
    fn directions_called(&mut self, name: &'a str, span: Span) -> Option<Vec<Direction>> {
        let Some(&rule) = self.rule_names.get(name) else {
            return match self.call(name, span) {
                StmtKind::Face(directions) => Some(directions),
                _ => None,
            };
        };
        if self.direction_rules.contains(&(rule, true)) {
            let message = format!("`{}` is made of itself and does not say which directions", shown(name));
            self.report(Diagnostic::error("not-a-direction", span, message));
            return None;
        }
        self.direction_rules.insert((rule, true));
        let directions = self.directions(&self.program.rules[rule.index()].body);
        self.direction_rules.remove(&(rule, true));
        self.direction_rules.insert((rule, false));
        directions
    }

    /// `facing D`: whether a step from some field leads where one of these directions leads.
    pub(crate) fn facing(&mut self, directions: &'a ast::Stmt, span: Span) -> StmtKind {
        let Some(directions) = self.directions(directions) else { return StmtKind::Unknown };
        let Some(board) = &self.board else { return StmtKind::Unknown };
        match told_apart(board, self.topology, &directions) {
            Some(looks) => {
                let looks = looks.iter().map(|look| look.statement(board, span)).collect();
                StmtKind::Test(Box::new(Stmt { kind: StmtKind::Either(looks), span }))
            }
            None => {
                let message = "this direction cannot be told from others on this board";
                let diagnostic = Diagnostic::error("no-such-direction", span, message);
                self.report(diagnostic.label("no field has a neighbour there and nowhere else"));
                StmtKind::Unknown
            }
        }
    }

    /// `holds P`: whether the piece in the hand would match on a field.
    pub(crate) fn holds(&mut self, pattern: &'a ast::Pattern, span: Span) -> StmtKind {
        let Some(pattern) = self.pattern(pattern) else { return StmtKind::Unknown };
        if let Some(stacks) = &self.stacks {
            return stacks.holds(pattern, span);
        }
        let parts = [StmtKind::PutDown, StmtKind::PointsAt(pattern)];
        let parts = parts.into_iter().map(|kind| Stmt { kind, span }).collect();
        StmtKind::Test(Box::new(Stmt { kind: StmtKind::Sequence(parts), span }))
    }

    /// `rank`: the number of the piece under the finger in the order of the declarations, put together from
    /// its binary digits, so that a game of n pieces needs log n questions.
    pub(crate) fn rank(&self, span: Span) -> ExprKind {
        let mut ranks = vec![0_usize; self.pieces.len()];
        for piece in 1..self.pieces.len() {
            let same = (1..piece).find(|&other| self.pieces[other].name == self.pieces[piece].name);
            ranks[piece] =
                same.map_or_else(|| ranks.iter().max().map_or(0, |most| most + 1), |other| ranks[other]);
        }
        let digits = (0..usize::BITS).take_while(|digit| ranks.iter().any(|rank| rank >> digit > 0));
        let terms = digits.map(|digit| {
            let has = |piece: &usize| ranks[*piece] >> digit & 1 == 1;
            let pieces =
                (1..ranks.len()).filter(has).map(|piece| multigame_game::Piece(piece as u8)).collect();
            let look = Stmt { kind: StmtKind::PointsAt(crate::model::Pattern([pieces; 2])), span };
            let one = Expr { kind: ExprKind::Count(Box::new(look)), span };
            binary(BinaryOp::ShiftLeft, one, number(i64::from(digit), span))
        });
        terms.reduce(|a, b| binary(BinaryOp::Add, a, b)).unwrap_or_else(|| number(0, span)).kind
    }
}

/// A step that leads to one of some fields only in certain directions.
struct Look {
    /// By how many of the grid's directions the direction is turned before.
    turn: i32,
    from: Field,
    to: Vec<Field>,
}

impl Look {
    /// `turn ..., move to (...), step, assert (row == ... && column == ... || ...)`
    fn statement(&self, board: &Board, span: Span) -> Stmt {
        let at = |field: Field| [i64::from(board.column(field)), i64::from(board.row(field))];
        let [column, row] = at(self.from).map(|value| number(value, span));
        let there = self.to.iter().map(|&field| {
            let [column, row] = at(field);
            let equals = |kind, value| binary(BinaryOp::Equal, Expr { kind, span }, number(value, span));
            let (column, row) = (equals(ExprKind::Column, column), equals(ExprKind::Row, row));
            Expr { kind: ExprKind::And(Box::new(column), Box::new(row)), span }
        });
        let either = |a, b| Expr { kind: ExprKind::Or(Box::new(a), Box::new(b)), span };
        let there = there.reduce(either).unwrap_or_else(|| number(0, span));
        let turn = Some(StmtKind::Turn(self.turn)).filter(|_| self.turn != 0);
        let steps = [StmtKind::MoveTo(column, row), StmtKind::Step, StmtKind::Assert(there)];
        let steps = turn.into_iter().chain(steps).map(|kind| Stmt { kind, span }).collect();
        Stmt { kind: StmtKind::Sequence(steps), span }
    }
}

pub(crate) fn number(value: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Const { value, adjustable: false }, span }
}

pub(crate) fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), span }
}

/// Steps by which some directions can be told from all others, as few as are easily found; nothing if there
/// are none for some direction.
fn told_apart(board: &Board, topology: Topology, directions: &[Direction]) -> Option<Vec<Look>> {
    let count = board.direction_count();
    let turns = if topology == Topology::Graph { 1 } else { count };
    let turned = |direction: Direction, turn: usize| Direction(((direction.index() + turn) % count) as u8);
    let mut left = directions.to_vec();
    let mut looks = Vec::new();
    while !left.is_empty() {
        let mut best: Option<(Look, Vec<Direction>)> = None;
        for turn in 0..turns {
            for from in board.fields() {
                let next = |direction| board.step(from, turned(direction, turn));
                let others: Vec<Field> =
                    board.directions().filter(|other| !directions.contains(other)).filter_map(next).collect();
                let told = |direction: &&Direction| next(**direction).is_some_and(|to| !others.contains(&to));
                let seen: Vec<Direction> = left.iter().filter(told).copied().collect();
                if seen.len() > best.as_ref().map_or(0, |(_, most)| most.len()) {
                    let mut to: Vec<Field> = seen.iter().filter_map(|&direction| next(direction)).collect();
                    to.dedup();
                    best = Some((Look { turn: turn as i32, from, to }, seen));
                }
            }
            // Without turning is better than with.
            if best.is_some() {
                break;
            }
        }
        let (look, seen) = best?;
        left.retain(|direction| !seen.contains(direction));
        looks.push(look);
    }
    Some(looks)
}
