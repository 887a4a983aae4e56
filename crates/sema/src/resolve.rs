//! Statements: from words to numbers.

use multigame_game::{Direction, Side, Topology};
use multigame_syntax::ast::{self, Compass, Expr, RepeatHigh};
use multigame_syntax::{Diagnostic, Span};

use crate::checker::Checker;
use crate::model::{ExprKind, NamePart, Stmt, StmtKind};
use crate::suggest::{list, shown};

/// More repetitions are mistakes.
const MOST_TIMES: i64 = 1_000_000;

/// Words that are statements on their own: candidates for "did you mean".
const STATEMENT_WORDS: [&str; 16] = [
    "step",
    "north",
    "northeast",
    "east",
    "southeast",
    "south",
    "southwest",
    "west",
    "northwest",
    "orthogonal",
    "diagonal",
    "nothing",
    "irreversible",
    "win",
    "lose",
    "draw",
];

impl<'a> Checker<'a> {
    /// Resolves a statement; what cannot be resolved is reported and becomes `Unknown`.
    pub fn statement(&mut self, stmt: &'a ast::Stmt) -> Stmt {
        if !self.enter(stmt.span) {
            return Stmt { kind: StmtKind::Unknown, span: stmt.span };
        }
        let kind = self.statement_kind(stmt);
        self.leave();
        Stmt { kind, span: stmt.span }
    }

    fn boxed(&mut self, stmt: &'a ast::Stmt) -> Box<Stmt> {
        Box::new(self.statement(stmt))
    }

    fn statement_kind(&mut self, stmt: &'a ast::Stmt) -> StmtKind {
        let span = stmt.span;
        match &stmt.kind {
            ast::StmtKind::Missing => {
                self.incomplete = true;
                StmtKind::Unknown
            }
            ast::StmtKind::Sequence(parts) => self.sequence(parts),
            ast::StmtKind::Either(parts) => {
                StmtKind::Either(parts.iter().map(|part| self.statement(part)).collect())
            }
            ast::StmtKind::Try(a, b) => {
                let a = self.boxed(a);
                StmtKind::Try(a, b.as_ref().map(|b| self.boxed(b)))
            }
            ast::StmtKind::Optionally(a) => StmtKind::Optionally(self.boxed(a)),
            ast::StmtKind::Test(a) => StmtKind::Test(self.boxed(a)),
            ast::StmtKind::Not(a) => StmtKind::Not(self.boxed(a)),
            ast::StmtKind::Repeat { low, high, body } => self.repeat(low, high, body),
            ast::StmtKind::While { condition, body } => {
                StmtKind::While { condition: self.boxed(condition), body: self.boxed(body) }
            }
            ast::StmtKind::DoWhile { body, condition } => {
                StmtKind::DoWhile { body: self.boxed(body), condition: self.boxed(condition) }
            }
            ast::StmtKind::Find(pattern) => self.with_pattern(pattern, StmtKind::Find),
            ast::StmtKind::PointsAt(pattern) => self.with_pattern(pattern, StmtKind::PointsAt),
            ast::StmtKind::ReplaceBy(pattern) => match self.replacement(pattern) {
                Some(pieces) => self.replaces_top(pieces, span),
                None => StmtKind::Unknown,
            },
            ast::StmtKind::Add(pattern) => match self.replacement(pattern) {
                Some(pieces) => self.add_pieces(pieces, span),
                None => StmtKind::Unknown,
            },
            ast::StmtKind::MoveTo(column, row) => self.move_to(column, row, span),
            ast::StmtKind::Match(patterns) => self.match_board(patterns, span),
            ast::StmtKind::PickUp => self.pick_up(None, span),
            ast::StmtKind::PickUpSome(e) => self.pick_up(Some(e), span),
            ast::StmtKind::PutDown => self.put_down(None, span),
            ast::StmtKind::PutDownSome(e) => self.put_down(Some(e), span),
            ast::StmtKind::Step => StmtKind::Step,
            ast::StmtKind::StepBackward => self.step_backward(span),
            ast::StmtKind::Compass(compass) => self.compass(*compass, span),
            ast::StmtKind::Orthogonal => self.grid_directions("orthogonal", 0, span),
            ast::StmtKind::Diagonal => self.grid_directions("diagonal", 1, span),
            ast::StmtKind::AnyDirection => StmtKind::Face(self.all_directions()),
            ast::StmtKind::Turn(degrees) => self.turn(*degrees, span),
            ast::StmtKind::Assert(e) => self.assertion(e),
            ast::StmtKind::Assign(e) => StmtKind::Assign(self.expression(e)),
            ast::StmtKind::WhiteToMove => StmtKind::ToMove(Side::White),
            ast::StmtKind::BlackToMove => StmtKind::ToMove(Side::Black),
            ast::StmtKind::Nothing => StmtKind::Sequence(Vec::new()),
            ast::StmtKind::Irreversible => StmtKind::Irreversible,
            ast::StmtKind::Outcome(word) => StmtKind::Outcome(*word),
            ast::StmtKind::Call(name) => self.call(name, span),
            // All of them have been written out.
            ast::StmtKind::CallWith(..) => StmtKind::Unknown,
            ast::StmtKind::Greatest(e, a) => {
                let e = self.expression(e);
                StmtKind::Greatest(e, self.boxed(a))
            }
            ast::StmtKind::KeepTurn => StmtKind::KeepTurn,
            ast::StmtKind::Score(e) => StmtKind::Score(self.expression(e)),
            ast::StmtKind::Called(parts) => StmtKind::Called(
                parts
                    .iter()
                    .map(|part| match part {
                        ast::NamePart::Text(text) => NamePart::Text(text.clone()),
                        ast::NamePart::Field(_) => NamePart::Field,
                        ast::NamePart::Number(e) => NamePart::Number(self.expression(e)),
                    })
                    .collect(),
            ),
            ast::StmtKind::AsOpponent(a) => {
                if self.players == 1 {
                    self.no_opponent(Span::new(span.start, a.span.start.max(span.start)));
                }
                StmtKind::AsOpponent(self.boxed(a))
            }
            ast::StmtKind::ForEachField(pattern, a) if self.names_directions(pattern) => {
                let directions = self.directions_of_name(pattern);
                let body = self.boxed(a);
                directions.map_or(StmtKind::Unknown, |all| StmtKind::ForEachDirection(all, body))
            }
            ast::StmtKind::ForEachField(pattern, a) => {
                let pattern = self.pattern(pattern);
                let body = self.boxed(a);
                pattern.map_or(StmtKind::Unknown, |pattern| StmtKind::ForEachField(pattern, body))
            }
            ast::StmtKind::ForEachDirection(directions, a) => {
                let directions = self.directions(directions);
                let body = self.boxed(a);
                directions.map_or(StmtKind::Unknown, |all| StmtKind::ForEachDirection(all, body))
            }
            ast::StmtKind::Facing(directions) => self.facing(directions, span),
            ast::StmtKind::Holds(pattern) => self.holds(pattern, span),
            ast::StmtKind::BoardUnchanged => StmtKind::BoardUnchanged,
        }
    }

    /// `assert (e)`; an assignment there was meant as a comparison, unless it has parentheses of its own.
    fn assertion(&mut self, e: &'a Expr) -> StmtKind {
        if let ast::ExprKind::Assign(target, None, value) = &e.kind
            && target.span.start == e.span.start
        {
            let sign = Span::new(target.span.end, value.span.start);
            if self.is_read_only(target) {
                self.expression(value);
                let diagnostic = self.read_only(target).help("to compare, write `==`");
                self.report(diagnostic.fix("write `==`", sign, " == "));
                return StmtKind::Unknown;
            }
            self.report(
                Diagnostic::warning("assignment-in-assert", e.span, "this assigns and does not compare")
                    .label("the value assigned is asserted")
                    .help("if it is meant, write `assert ((...))`")
                    .fix("write `==`", sign, " == "),
            );
        }
        StmtKind::Assert(self.expression(e))
    }

    /// After `assert (0)` bad constants are not errors: no move gets there with these parameters.
    fn sequence(&mut self, parts: &'a [ast::Stmt]) -> StmtKind {
        let dead_before = self.dead;
        let mut resolved = Vec::with_capacity(parts.len());
        for part in parts {
            let part = self.statement(part);
            if let StmtKind::Assert(e) = &part.kind
                && e.constant() == Some(0)
            {
                self.dead += 1;
            }
            resolved.push(part);
        }
        self.dead = dead_before;
        StmtKind::Sequence(resolved)
    }

    fn repeat(&mut self, low: &'a Expr, high: &'a RepeatHigh, body: &'a ast::Stmt) -> StmtKind {
        let low_times = self.times(low);
        let high_times = match high {
            RepeatHigh::Same => low_times.map(Some),
            RepeatHigh::To(high) => self.times(high).map(Some),
            RepeatHigh::Infinity => Some(None),
        };
        let body = self.boxed(body);
        let (Some(low_times), Some(high_times)) = (low_times, high_times) else { return StmtKind::Unknown };
        if let (RepeatHigh::To(high), Some(most)) = (high, high_times)
            && low_times > most
        {
            let message = format!("{low_times} .. {most} counts nothing");
            let diagnostic = Diagnostic::error("bad-repeat", low.span.cover(high.span), message);
            self.report(diagnostic.label("the lower count comes first"));
            return StmtKind::Unknown;
        }
        StmtKind::Repeat { low: low_times, high: high_times, body }
    }

    fn times(&mut self, count: &'a Expr) -> Option<u32> {
        let value = self.constant(count)?;
        if !(0..=MOST_TIMES).contains(&value) {
            let message = format!("{value} times is not possible");
            let diagnostic = Diagnostic::error("bad-repeat", count.span, message);
            self.report(diagnostic.label(format!("0 to {MOST_TIMES} is expected")));
            return None;
        }
        Some(value as u32)
    }

    fn with_pattern(
        &mut self,
        pattern: &'a ast::Pattern,
        statement: impl Fn(crate::model::Pattern) -> StmtKind,
    ) -> StmtKind {
        self.pattern(pattern).map_or(StmtKind::Unknown, statement)
    }

    fn move_to(&mut self, column: &'a Expr, row: &'a Expr, span: Span) -> StmtKind {
        let (column, row) = (self.column(column), self.expression(row));
        if let (
            ExprKind::Const { value: x, adjustable: false },
            ExprKind::Const { value: y, adjustable: false },
            Some(board),
        ) = (&column.kind, &row.kind, &self.board)
        {
            // A turned board is symmetric, so what is a field for White is one for Black.
            if board.field_at(*x, *y).is_none() && self.dead == 0 {
                let message = format!("there is no field ({x}, {y})");
                let label =
                    format!("(1, 1) to ({}, {}) is expected, and no hole", board.columns(), board.rows());
                self.report(Diagnostic::error("off-board", span, message).label(label));
            }
        }
        StmtKind::MoveTo(column, row)
    }

    /// An expression of `move to`; a column given by its letter becomes its number.
    fn column(&mut self, column: &'a Expr) -> crate::model::Expr {
        let ast::ExprKind::Variable(ast::Owner::Plain, name) = &column.kind else {
            return self.expression(column);
        };
        let text = name.text.as_str();
        let is_known = self.property_names.contains_key(text) || self.parameters.contains_key(text);
        let letter = match text.as_bytes() {
            [letter @ (b'a'..=b'z' | b'A'..=b'Z')] if !is_known => letter.to_ascii_lowercase(),
            _ => return self.expression(column),
        };
        let value = i64::from(letter - b'a') + 1;
        let message = format!("there is no property `{text}`");
        self.report(
            Diagnostic::error("undefined-property", column.span, message)
                .help(format!("columns are numbers: `{text}` is {value}"))
                .fix(format!("write `{value}`"), column.span, value.to_string()),
        );
        crate::model::Expr { kind: ExprKind::Unknown, span: column.span }
    }

    fn match_board(&mut self, patterns: &'a [ast::Pattern], span: Span) -> StmtKind {
        let resolved: Vec<_> = patterns.iter().map(|pattern| self.pattern(pattern)).collect();
        let fields = self.board.as_ref().map(|board| board.fields().count());
        if let Some(fields) = fields
            && fields != patterns.len()
        {
            let message = format!("`match` has {} patterns, the board {fields} fields", patterns.len());
            self.report(
                Diagnostic::error("match-size", span, message)
                    .label("one pattern for each field is expected, from the top left, row by row"),
            );
            return StmtKind::Unknown;
        }
        let resolved: Option<Vec<_>> = resolved.into_iter().collect();
        resolved.map_or(StmtKind::Unknown, StmtKind::Match)
    }

    fn step_backward(&mut self, span: Span) -> StmtKind {
        if let Some(board) = &self.board {
            let without = board.directions().find(|&direction| board.opposite(direction).is_none());
            if let Some(direction) = without {
                let name = shown(board.direction_name(direction));
                let message = format!("there is no way back: direction `{name}` has no opposite");
                let diagnostic = Diagnostic::error("no-way-back", span, message);
                self.report(diagnostic.help(format!("declare one: `{name} / back_from_{name} : ...`")));
            }
        }
        StmtKind::StepBackward
    }

    pub(crate) fn all_directions(&self) -> Vec<Direction> {
        self.board.as_ref().map_or(Vec::new(), |board| board.directions().collect())
    }

    fn compass(&mut self, compass: Compass, span: Span) -> StmtKind {
        let word = match compass {
            Compass::North => "north",
            Compass::Northeast => "northeast",
            Compass::East => "east",
            Compass::Southeast => "southeast",
            Compass::South => "south",
            Compass::Southwest => "southwest",
            Compass::West => "west",
            Compass::Northwest => "northwest",
        };
        let Some(board) = &self.board else { return StmtKind::Unknown };
        if let Some(direction) = board.direction_named(word) {
            return StmtKind::Face(vec![direction]);
        }
        let help = match self.topology {
            Topology::Graph => "on a free graph every direction must be declared in `directions`",
            _ => "a hexagonal board has north, east, southeast, south, west and northwest",
        };
        let message = format!("there is no `{word}` on this board");
        self.report(Diagnostic::error("no-such-direction", span, message).help(help));
        StmtKind::Unknown
    }

    /// Every second direction of a square grid.
    fn grid_directions(&mut self, word: &str, first: usize, span: Span) -> StmtKind {
        if self.topology == Topology::Square {
            return StmtKind::Face(self.all_directions().into_iter().skip(first).step_by(2).collect());
        }
        let message = format!("`{word}` has no meaning on this board");
        self.report(
            Diagnostic::error("no-such-direction", span, message)
                .label("only a square grid has orthogonal and diagonal directions")
                .fix("write `any direction`", span, "any direction"),
        );
        StmtKind::Unknown
    }

    fn turn(&mut self, degrees: i64, span: Span) -> StmtKind {
        let (unit, count) = match self.topology {
            Topology::Square => (45, 8),
            Topology::Hex => (60, 6),
            Topology::Graph => {
                let message = "directions of a free graph cannot be turned";
                self.report(Diagnostic::error("bad-turn", span, message).label("name the direction instead"));
                return StmtKind::Unknown;
            }
        };
        if degrees % unit != 0 {
            let message = format!("directions cannot be turned by {degrees} degrees");
            let diagnostic = Diagnostic::error("bad-turn", span, message);
            self.report(diagnostic.label(format!("a multiple of {unit} is expected")));
            return StmtKind::Unknown;
        }
        StmtKind::Turn((degrees / unit % count) as i32)
    }

    pub(crate) fn call(&mut self, name: &'a str, span: Span) -> StmtKind {
        if let Some(&rule) = self.rule_names.get(name) {
            return StmtKind::Call(rule);
        }
        let directions: Vec<String> = match &self.board {
            Some(board) if self.topology == Topology::Graph => {
                if let Some(direction) = board.direction_named(name) {
                    return StmtKind::Face(vec![direction]);
                }
                board.directions().map(|direction| board.direction_name(direction).to_string()).collect()
            }
            // Without a board nothing is known about its directions.
            None if self.topology == Topology::Graph => return StmtKind::Unknown,
            _ => Vec::new(),
        };
        if self.is_flooded() {
            return StmtKind::Unknown;
        }
        let is_piece = self.piece_names.contains_key(name);
        let is_property = self.property_names.contains_key(name);
        let mut known: Vec<&str> = Vec::new();
        if !is_piece && !is_property {
            known.extend(self.rule_names.keys());
            known.extend(directions.iter().map(String::as_str));
            known.extend(STATEMENT_WORDS);
        }
        let mut diagnostic = self.undefined("undefined-rule", "rule", name, span, known);
        if is_piece {
            diagnostic = diagnostic.help(format!("`{name}` is a piece: `find {name}`, `points at {name}`"));
        } else if is_property {
            diagnostic = diagnostic.help(format!("`{name}` is a property: `assert ({name})`"));
        } else if !directions.is_empty() {
            diagnostic =
                diagnostic.help(format!("directions: {}", list(directions.iter().map(String::as_str))));
        }
        self.report(diagnostic);
        StmtKind::Unknown
    }

    /// Reports a word that needs a second player.
    pub fn no_opponent(&mut self, span: Span) {
        let message = "there is no opponent: this game has one player";
        self.report(Diagnostic::error("no-opponent", span, message));
    }
}
