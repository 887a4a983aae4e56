//! Lints: rules never used, statements never reached, patterns and loops that cannot
//! work.

use multigame_game::{Piece, PieceSet};
use multigame_syntax::{Diagnostic, Span};

use crate::model::{Expr, Pattern, Rule, Stmt, StmtKind};
use crate::success::Success;

/// More alternatives are not compared with each other.
const MOST_ALTERNATIVES: usize = 16;

/// Warnings about the statements of a rule.
pub(crate) fn check_rule(
    rule: &Rule,
    success: &Success<'_>,
    piece_count: usize,
    found: &mut Vec<Diagnostic>,
) {
    let all = (0..piece_count).map(|piece| Piece(piece as u8)).collect();
    Lints { success, all, found }.statement(&rule.body);
}

struct Lints<'l, 's> {
    success: &'l Success<'s>,
    /// All pieces and the empty field.
    all: PieceSet,
    found: &'l mut Vec<Diagnostic>,
}

impl Lints<'_, '_> {
    fn warn(&mut self, code: &'static str, span: Span, message: &str, label: &str) -> &mut Diagnostic {
        self.found.push(Diagnostic::warning(code, span, message).label(label));
        let last = self.found.len() - 1;
        &mut self.found[last]
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Sequence(parts) => {
                self.unreachable_after(parts);
                let mut field = Some(Pattern([self.all; 2]));
                self.follow_field(parts, &mut field);
            }
            StmtKind::Either(parts) => self.different_outcomes(parts),
            StmtKind::Try(a, Some(b)) if self.success.is_total(a) => {
                self.unreachable(b.span, a.span, "always")
            }
            StmtKind::Repeat { high: Some(0), body, .. } => {
                self.warn("unreachable", body.span, "this is never reached", "repeated 0 times");
            }
            StmtKind::While { condition, .. } | StmtKind::DoWhile { condition, .. }
                if self.success.is_total(condition) =>
            {
                self.warn(
                    "endless-loop",
                    condition.span,
                    "this loop has no way out",
                    "this always has a result",
                )
                .help
                .push(
                    "a loop ends where its condition has no result; one without end has no result"
                        .to_string(),
                );
            }
            _ => {}
        }
        for child in stmt.children() {
            self.statement(child);
        }
        for expr in stmt.expressions() {
            self.expression(expr);
        }
    }

    fn expression(&mut self, expr: &Expr) {
        for operand in expr.operands() {
            self.expression(operand);
        }
        if let Some(body) = expr.counted() {
            self.statement(body);
        }
    }

    fn unreachable(&mut self, span: Span, because: Span, word: &str) {
        let why = format!("this {word} has a result");
        let diagnostic = self.warn("unreachable", span, "this is never reached", "");
        *diagnostic = diagnostic.clone().related(because, why);
    }

    fn unreachable_after(&mut self, parts: &[Stmt]) {
        let Some(failing) = parts.iter().position(|part| !self.success.is_possible(part)) else { return };
        if let Some(next) = parts.get(failing + 1) {
            let span = next.span.cover(parts[parts.len() - 1].span);
            self.unreachable(span, parts[failing].span, "never");
        }
    }

    /// Two ways to the same position with different outcomes: the position does not say who has won.
    fn different_outcomes(&mut self, parts: &[Stmt]) {
        if parts.len() > MOST_ALTERNATIVES {
            return;
        }
        let flat: Vec<_> = parts.iter().map(effects_and_outcome).collect();
        for (i, (effects, outcome)) in flat.iter().enumerate() {
            let Some(outcome) = outcome else { continue };
            let earlier = flat[..i].iter().position(|(other, other_outcome)| {
                other_outcome.is_some_and(|other| other.kind != outcome.kind) && other == effects
            });
            if let Some(earlier) = earlier {
                let span = parts[earlier].span;
                let message = "the same position has different outcomes";
                let diagnostic = self.warn("different-outcomes", parts[i].span, message, "one outcome here");
                *diagnostic = diagnostic.clone().related(span, "another one here");
            }
        }
    }

    /// Follows what can stand under the finger through a sequence; nothing is known after most statements.
    fn follow_field(&mut self, parts: &[Stmt], field: &mut Option<Pattern>) {
        for part in parts {
            match &part.kind {
                StmtKind::Find(pattern) => *field = Some(*pattern),
                StmtKind::PointsAt(pattern) => {
                    let known = field.map_or(*pattern, |known| both(known, *pattern, true));
                    *field = self.still_possible(field.is_some(), known, *pattern, part.span);
                }
                StmtKind::Not(inside) if matches!(inside.kind, StmtKind::PointsAt(_)) => {
                    if let (StmtKind::PointsAt(pattern), Some(known)) = (&inside.kind, *field) {
                        let rest = both(known, *pattern, false);
                        *field = self.still_possible(true, rest, Pattern([self.all; 2]), part.span);
                    }
                }
                StmtKind::Replace(pieces) => {
                    let put = |view: usize| pieces.iter().map(|both| both[view]).collect();
                    *field = Some(Pattern([put(0), put(1)]));
                }
                StmtKind::PickUp => *field = Some(Pattern([PieceSet::of(Piece::NONE); 2])),
                StmtKind::Face(_)
                | StmtKind::Turn(_)
                | StmtKind::Assert(_)
                | StmtKind::Assign(_)
                | StmtKind::Irreversible
                | StmtKind::Outcome(_)
                | StmtKind::KeepTurn
                | StmtKind::Score(_)
                | StmtKind::Called(_)
                | StmtKind::ToMove(_)
                | StmtKind::Test(_)
                | StmtKind::Not(_) => {}
                _ => *field = None,
            }
        }
    }

    fn still_possible(&mut self, known: bool, rest: Pattern, asked: Pattern, span: Span) -> Option<Pattern> {
        let is_empty = |pattern: Pattern| pattern.0.iter().all(|pieces| pieces.is_empty());
        if known && is_empty(rest) && !is_empty(asked) {
            let label = "the statements before already decide this";
            self.warn("never-matches", span, "this never holds", label);
            return None;
        }
        Some(rest)
    }
}

/// The members of the first that are (`inside`) or are not in the second.
fn both(first: Pattern, second: Pattern, inside: bool) -> Pattern {
    let view = |view: usize| {
        first.0[view].iter().filter(|&piece| second.0[view].contains(piece) == inside).collect()
    };
    Pattern([view(0), view(1)])
}

/// The effect of a sequence apart from outcomes, and its last outcome.
fn effects_and_outcome(stmt: &Stmt) -> (Vec<&Stmt>, Option<&Stmt>) {
    fn flatten<'s>(stmt: &'s Stmt, effects: &mut Vec<&'s Stmt>, outcome: &mut Option<&'s Stmt>) {
        match &stmt.kind {
            StmtKind::Sequence(parts) => parts.iter().for_each(|part| flatten(part, effects, outcome)),
            StmtKind::Outcome(_) => *outcome = Some(stmt),
            _ => effects.push(stmt),
        }
    }
    let (mut effects, mut outcome) = (Vec::new(), None);
    flatten(stmt, &mut effects, &mut outcome);
    (effects, outcome)
}
