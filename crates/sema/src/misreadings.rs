//! Warnings about rules that mean something else than they seem to say: comparisons in a row, numbers that
//! should be a parameter, conditions that leave only the moves that end the game, loops that can always go
//! back.

use multigame_game::{Board, Direction, Piece};
use multigame_syntax::ast::{self, BinaryOp, DeclarationKind, OutcomeWord};
use multigame_syntax::{Diagnostic, Span};

use crate::checker::Checker;
use crate::model::{Expr, ExprKind, Pattern, Rule, RuleId, Stmt, StmtKind};

/// Statements of `main` and the rules it calls that are looked at one after the other.
const MOST_STATEMENTS: usize = 2_000;

/// Calls that are followed inside each other.
const DEEPEST_CALLS: usize = 50;

impl<'a> Checker<'a> {
    /// `1 < row < 4` compares 0 or 1 with 4.
    pub(crate) fn chained_comparison(&mut self, op: BinaryOp, left: &ast::Expr, span: Span) {
        let ast::ExprKind::Binary(first, a, b) = &left.kind else { return };
        let both = |test: fn(BinaryOp) -> bool| test(op) && test(*first);
        // With parentheses of its own the left side begins before its operand.
        if left.span.start != a.span.start || !(both(is_order) || both(is_equality)) {
            return;
        }
        let mut diagnostic = Diagnostic::warning(
            "chained-comparison",
            span,
            "this compares the result 0 or 1 of a comparison",
        )
        .label("the left comparison comes first")
        .help("two comparisons are joined by `&&`, as in `1 < row && row < 4`");
        let between = Span::new(left.span.end, left.span.end);
        let middle = match &b.kind {
            ast::ExprKind::Int(value) => Some(value.to_string()),
            ast::ExprKind::Variable(ast::Owner::Plain, name) => Some(name.text.clone()),
            _ => None,
        };
        if let Some(middle) = middle {
            diagnostic = diagnostic.fix(format!("insert `&& {middle}`"), between, format!(" && {middle}"));
        }
        self.report(diagnostic);
    }

    /// `row == 5` on a board whose number of rows is a parameter that happens to be 5.
    pub(crate) fn fixed_size(&mut self, op: BinaryOp, a: &Expr, b: &Expr) {
        // A number that was chosen for this game may be any number's value.
        if !(is_order(op) || is_equality(op)) || self.chosen {
            return;
        }
        let (place, number) = match (&a.kind, &b.kind) {
            (ExprKind::Row | ExprKind::Column, _) => (a, b),
            (_, ExprKind::Row | ExprKind::Column) => (b, a),
            _ => return,
        };
        let ExprKind::Const { value, adjustable: false } = number.kind else { return };
        let Some(board) = &self.board else { return };
        let is_row = place.kind == ExprKind::Row;
        let size = if is_row { board.rows() } else { board.columns() };
        if value <= 1 || value != i64::from(size) {
            return;
        }
        let dimensions = self.program.declarations.iter().find_map(|found| match &found.kind {
            DeclarationKind::Dimensions { columns, rows } => Some(if is_row { rows } else { columns }),
            _ => None,
        });
        let Some(dimension) = dimensions.filter(|dimension| has_name(dimension)) else { return };
        let what = if is_row { "rows" } else { "columns" };
        let mut diagnostic = Diagnostic::warning(
            "fixed-size",
            number.span,
            format!("the number of {what} is a parameter, and this is not"),
        )
        .label("with `--set` this means another field")
        .related(dimension.span, format!("there are {size} {what} because of this"));
        if let ast::ExprKind::Variable(_, name) = &dimension.kind {
            let name = &name.text;
            diagnostic = diagnostic.fix(format!("write `{name}`"), number.span, name.as_str());
        }
        self.report(diagnostic);
    }
}

fn is_order(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual)
}

fn is_equality(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
}

/// Whether a constant depends on parameters.
fn has_name(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ast::ExprKind::Variable(..) => true,
        ast::ExprKind::Unary(_, a) => has_name(a),
        ast::ExprKind::Binary(_, a, b) => has_name(a) || has_name(b),
        ast::ExprKind::Conditional(a, b, c) => has_name(a) || has_name(b) || has_name(c),
        _ => false,
    }
}

/// `put down, assert (row == 5), win` without `try`: whoever cannot win has no move. Found where every result
/// of `main` has an outcome.
pub(crate) fn only_endings(rules: &[Rule], main: RuleId) -> Option<Diagnostic> {
    let mut all = Vec::new();
    flatten(rules, &rules[main.index()].body, 0, &mut all);
    let is_mark = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Irreversible | StmtKind::Called(_));
    let last = all.iter().rposition(|stmt| !is_mark(stmt))?;
    let StmtKind::Outcome(word) = all[last].kind else { return None };
    let condition = all[..last].iter().rposition(|stmt| !is_mark(stmt))?;
    let changed = all[..condition].iter().any(|stmt| {
        matches!(stmt.kind, StmtKind::PutDown | StmtKind::Drop(_) | StmtKind::Add(_) | StmtKind::Replace(_))
    });
    if !changed || !is_condition(&all[condition].kind) {
        return None;
    }
    let word = match word {
        OutcomeWord::Win => "win",
        OutcomeWord::Lose => "lose",
        OutcomeWord::Draw => "draw",
    };
    let message = "only moves that end the game are legal";
    Some(
        Diagnostic::warning("only-endings", all[condition].span, message)
            .label("where this fails, there is no move")
            .related(all[last].span, "every move comes here")
            .help(format!("if the game goes on otherwise, write `try [ ..., {word} ]` around both")),
    )
}

fn is_condition(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Assert(_)
            | StmtKind::PointsAt(_)
            | StmtKind::Test(_)
            | StmtKind::Not(_)
            | StmtKind::Match(_)
    )
}

/// The statements that every result has gone through, in their order; rules in the place of their calls.
fn flatten<'r>(rules: &'r [Rule], stmt: &'r Stmt, depth: usize, all: &mut Vec<&'r Stmt>) {
    if all.len() >= MOST_STATEMENTS || depth > DEEPEST_CALLS {
        return;
    }
    match &stmt.kind {
        StmtKind::Sequence(parts) => parts.iter().for_each(|part| flatten(rules, part, depth, all)),
        StmtKind::Call(rule) => flatten(rules, &rules[rule.index()].body, depth + 1, all),
        _ => all.push(stmt),
    }
}

/// `pick up, hop, while hop do nothing`: whoever has hopped can hop back, so the loop never ends.
pub(crate) fn endless_hops(board: &Board, rules: &[Rule], rule: &Rule, found: &mut Vec<Diagnostic>) {
    let mut work = MOST_STATEMENTS;
    Hops { board, rules, found }.statement(&rule.body, &mut work);
}

struct Hops<'h> {
    board: &'h Board,
    rules: &'h [Rule],
    found: &'h mut Vec<Diagnostic>,
}

impl Hops<'_> {
    fn statement(&mut self, stmt: &Stmt, work: &mut usize) {
        *work = work.saturating_sub(1);
        if *work == 0 {
            return;
        }
        if let StmtKind::Sequence(parts) = &stmt.kind {
            self.sequence(parts);
        }
        stmt.children().into_iter().for_each(|child| self.statement(child, work));
    }

    fn sequence(&mut self, parts: &[Stmt]) {
        let Some(lifted) = parts.iter().position(|part| part.kind == StmtKind::PickUp) else { return };
        for at in lifted + 1..parts.len() {
            let condition = match &parts[at].kind {
                StmtKind::While { condition, body } if is_nothing(body) && parts[at - 1] == **condition => {
                    condition
                }
                StmtKind::DoWhile { body, condition } if body == condition => condition,
                _ => continue,
            };
            if self.goes_back(condition) {
                self.found.push(
                    Diagnostic::warning("endless-loop", condition.span, "this loop has no way out")
                        .label("whoever has come this way can go back the same way")
                        .help("`repeat 1 .. infinity times` may stop after each round, and ends where nothing new is found"),
                );
            }
        }
    }

    /// Whether the way can always be gone back: any direction or its opposite, and what is asked for on the
    /// way is the same from both ends.
    fn goes_back(&self, way: &Stmt) -> bool {
        let mut all = Vec::new();
        flatten(self.rules, way, 0, &mut all);
        let [first, rest @ ..] = all.as_slice() else { return false };
        let StmtKind::Face(directions) = &first.kind else { return false };
        let back = |&direction: &Direction| {
            self.board.opposite(direction).is_some_and(|opposite| directions.contains(&opposite))
        };
        if !directions.iter().all(back) {
            return false;
        }
        // What is asked for on each field after the first.
        let mut asked: Vec<Vec<Pattern>> = Vec::new();
        for part in rest {
            match (&part.kind, asked.last_mut()) {
                (StmtKind::Step, _) => asked.push(Vec::new()),
                (StmtKind::PointsAt(pattern), Some(here)) => here.push(*pattern),
                _ => return false,
            }
        }
        let Some((target, between)) = asked.split_last() else { return false };
        let holds_nothing = |pattern: &Pattern| pattern.0.iter().all(|set| set.contains(Piece::NONE));
        target.iter().all(holds_nothing) && between.iter().eq(between.iter().rev())
    }
}

fn is_nothing(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Sequence(parts) if parts.is_empty())
}
