//! Writing functions: statements one on a line.

use std::fmt::Write;

use multigame_game::{Direction, Field, Outcome, Piece, PieceSet};

use super::quoted_unless_word;
use crate::{Function, NamePart, Op, OriginId, Program, Stmt};

/// Longer lines with statements inside an expression are broken.
const WIDTH: usize = 100;

/// How the statements of a body are set.
#[derive(Clone, Copy)]
pub(super) enum Layout {
    /// One on a line; this many levels inside.
    Lines(usize),
    /// All on one line.
    Inline,
}

impl Layout {
    fn inside(self) -> Layout {
        match self {
            Layout::Lines(level) => Layout::Lines(level + 1),
            Layout::Inline => Layout::Inline,
        }
    }
}

/// Writes the bodies of functions.
pub(super) struct Body<'p> {
    pub program: &'p Program,
    pub labels: &'p [String],
    pub out: &'p mut String,
}

impl Body<'_> {
    /// Writes what follows the function's name; one that cannot be known by its name is told by a comment.
    pub fn function(&mut self, function: &Function, label: &str) {
        let (parts, origin) = parts(&function.body);
        self.out.push('{');
        self.origin(origin);
        if label.contains('~') {
            self.write(format_args!(" # {label}"));
        }
        self.list(parts, Layout::Lines(0));
        self.out.push('\n');
    }

    pub(super) fn write(&mut self, arguments: std::fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(arguments);
    }

    fn origin(&mut self, origin: OriginId) {
        if origin != OriginId::default() {
            self.write(format_args!(" @{}", origin.0));
        }
    }

    /// A body in braces: its only statement, or the statements of a sequence.
    pub(super) fn block(&mut self, body: &Stmt, layout: Layout) {
        let (parts, origin) = parts(body);
        self.out.push_str(" {");
        self.origin(origin);
        self.list(parts, layout);
    }

    /// The statements after `{`, and `}`.
    fn list(&mut self, parts: &[Stmt], layout: Layout) {
        for (number, part) in parts.iter().enumerate() {
            match layout.inside() {
                Layout::Lines(level) => self.line(level),
                Layout::Inline => self.out.push_str(if number == 0 { " " } else { "; " }),
            }
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.statement(part, layout.inside()));
        }
        match layout {
            Layout::Lines(level) => self.line(level),
            Layout::Inline => self.out.push(' '),
        }
        self.out.push('}');
    }

    fn line(&mut self, level: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("  ", level));
    }

    fn statement(&mut self, stmt: &Stmt, layout: Layout) {
        let start = self.out.len();
        self.head(stmt, Layout::Inline);
        if let Layout::Lines(level) = layout
            && self.out.len() - start + 2 * level > WIDTH
        {
            self.out.truncate(start);
            self.head(stmt, layout);
        }
        self.origin(stmt.origin);
        match &stmt.op {
            Op::Sequence(parts) if !parts.is_empty() => {
                self.out.push_str(" {");
                self.list(parts, layout);
            }
            Op::Either(parts) => {
                for (number, part) in parts.iter().enumerate() {
                    if number > 0 {
                        self.out.push_str(" or");
                    }
                    self.block(part, layout);
                }
            }
            Op::Try(first, second) => {
                self.block(first, layout);
                if **second != Stmt::nothing() {
                    self.out.push_str(" else");
                    self.block(second, layout);
                }
            }
            Op::While { condition, body } => {
                self.block(condition, layout);
                self.out.push_str(" do");
                self.block(body, layout);
            }
            Op::Test(body)
            | Op::Not(body)
            | Op::Repeat { body, .. }
            | Op::Greatest(_, body)
            | Op::ForEachField(_, body)
            | Op::ForEachDirection(_, body) => self.block(body, layout),
            _ => {}
        }
    }

    /// What stands before the origin and the bodies.
    fn head(&mut self, stmt: &Stmt, layout: Layout) {
        match &stmt.op {
            Op::Sequence(parts) if parts.is_empty() => self.out.push_str("nothing"),
            Op::Sequence(_) => self.out.push_str("sequence"),
            Op::Either(parts) if parts.is_empty() => self.out.push_str("fail"),
            Op::Either(_) => self.out.push_str("either"),
            Op::Try(..) => self.out.push_str("try"),
            Op::Test(_) => self.out.push_str("test"),
            Op::Not(_) => self.out.push_str("not"),
            Op::Repeat { low, high: None, .. } => self.write(format_args!("repeat {low} .. infinity")),
            Op::Repeat { low, high: Some(high), .. } if low == high => {
                self.write(format_args!("repeat {low}"));
            }
            Op::Repeat { low, high: Some(high), .. } => self.write(format_args!("repeat {low} .. {high}")),
            Op::While { .. } => self.out.push_str("while"),
            Op::Greatest(value, _) => self.bracketed("greatest", value, layout),
            Op::ForEachField(set, _) => self.pieces("for each", *set),
            Op::ForEachDirection(directions, _) => self.directions("for each direction", directions),
            Op::Call(function) => {
                let label = self.labels.get(function.0 as usize).map_or("?", |label| label);
                self.write(format_args!("call @{label}"));
            }
            Op::Find(set) => self.pieces("find", *set),
            Op::PointsAt(set) => self.pieces("points at", *set),
            Op::Replace(piece) => {
                let symbol = self.symbol(*piece);
                self.write(format_args!("replace {symbol:?}"));
            }
            Op::PickUp => self.out.push_str("pick up"),
            Op::PutDown => self.out.push_str("put down"),
            Op::Face(directions) => self.directions("face", directions),
            Op::Turn(steps) => self.write(format_args!("turn {steps}")),
            Op::Step => self.out.push_str("step"),
            Op::StepBackward => self.out.push_str("step backward"),
            Op::Place(field) => {
                let name = self.program.description.board.field_name(*field);
                self.write(format_args!("place {name}"));
            }
            Op::MoveTo { column, row, view } => {
                self.out.push_str("move to (");
                self.expression(column, layout);
                self.out.push_str(", ");
                self.expression(row, layout);
                self.write(format_args!(") as {view}"));
            }
            Op::Match(fields) => self.match_fields(fields),
            Op::Assert(value) => self.bracketed("assert", value, layout),
            Op::Assign(value) => self.bracketed("assign", value, layout),
            Op::Irreversible => self.out.push_str("irreversible"),
            Op::Outcome(Outcome::Wins(side)) => self.write(format_args!("outcome {side}")),
            Op::Outcome(Outcome::Draw) => self.out.push_str("outcome draw"),
            Op::Outcome(Outcome::Score(margin)) => self.write(format_args!("outcome score {margin}")),
            Op::Score(value, view) => {
                self.bracketed("score", value, layout);
                self.write(format_args!(" as {view}"));
            }
            Op::KeepTurn => self.out.push_str("keep turn"),
            Op::Unchanged => self.out.push_str("board unchanged"),
            Op::Called(parts) => {
                self.out.push_str("called");
                for part in parts {
                    match part {
                        NamePart::Text(text) => self.write(format_args!(" {text:?}")),
                        NamePart::Field => self.out.push_str(" field"),
                        NamePart::Number(value) => self.bracketed("", value, layout),
                    }
                }
            }
        }
    }

    fn symbol(&self, piece: Piece) -> char {
        match piece {
            Piece::NONE => '.',
            _ => self.program.description.pieces.get(piece.index()).map_or('?', |info| info.symbol),
        }
    }

    fn set_text(&self, set: PieceSet) -> String {
        let symbols: String = set.iter().map(|piece| self.symbol(piece)).collect();
        format!("{symbols:?}")
    }

    fn pieces(&mut self, words: &str, set: PieceSet) {
        let set = self.set_text(set);
        self.write(format_args!("{words} {set}"));
    }

    fn directions(&mut self, words: &str, directions: &[Direction]) {
        self.out.push_str(words);
        for &direction in directions {
            let name = quoted_unless_word(self.program.description.board.direction_name(direction));
            self.write(format_args!(" {name}"));
        }
    }

    /// Fields in a row that want the same pieces share one text.
    fn match_fields(&mut self, fields: &[(Field, PieceSet)]) {
        self.out.push_str("match");
        for (number, group) in fields.chunk_by(|a, b| a.1 == b.1).enumerate() {
            let set = self.set_text(group[0].1);
            self.write(format_args!("{} {set}", if number == 0 { "" } else { "," }));
            for (field, _) in group {
                let name = self.program.description.board.field_name(*field);
                self.write(format_args!(" {name}"));
            }
        }
    }
}

/// The statements a body in braces shows, and the origin of the sequence if it is one.
fn parts(body: &Stmt) -> (&[Stmt], OriginId) {
    match &body.op {
        Op::Sequence(parts) if parts.len() > 1 => (parts, body.origin),
        _ => (std::slice::from_ref(body), OriginId::default()),
    }
}
