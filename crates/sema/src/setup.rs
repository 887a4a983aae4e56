//! The initial position: the picture, values of properties, whose turn it is, a rule that finishes it.

use std::collections::{BTreeMap, BTreeSet};

use multigame_game::{Board, Diagram, Field, Piece, Scope, Side};
use multigame_syntax::ast::{DeclarationKind, Expr, Name, SetupItem, SetupValue};
use multigame_syntax::{Diagnostic, Span};

use crate::board::count;
use crate::checker::Checker;
use crate::suggest::shown;

impl<'a> Checker<'a> {
    /// Reads `setup`; without one the board is empty and White moves.
    pub fn initial(&mut self) -> Diagram {
        let mut diagram = Diagram { cells: Vec::new(), values: Vec::new(), side: Side::White };
        let board = self.board.clone();
        if let Some(board) = &board {
            diagram.cells = vec![Piece::NONE; board.size()];
            for property in &self.properties {
                diagram.values.extend(std::iter::repeat_n(property.low, property.length(board)));
            }
        }
        let program = self.program;
        for declaration in &program.declarations {
            let DeclarationKind::Setup(items) = &declaration.kind else { continue };
            self.setup_items(items, board.as_ref(), &mut diagram);
            break;
        }
        self.initial_heights(&mut diagram);
        diagram
    }

    fn setup_items(&mut self, items: &'a [SetupItem], board: Option<&Board>, diagram: &mut Diagram) {
        let mut top = board.map_or(0, |board| usize::from(board.rows()));
        let mut to_move = None;
        let mut unknown = BTreeSet::new();
        let mut values: BTreeMap<&str, Span> = BTreeMap::new();
        for item in items {
            match item {
                SetupItem::Row(text, span) => {
                    top = top.saturating_sub(1);
                    self.setup_row(
                        text,
                        *span,
                        board.map(|board| top * usize::from(board.columns())),
                        &mut unknown,
                        diagram,
                    );
                }
                SetupItem::ToMove { white, span } => {
                    if let Some(first) = to_move.replace(*span) {
                        self.declared_twice("the player to move", *span, first);
                    }
                    if !white && self.players == 1 {
                        let message = "there is one player, who counts as White";
                        self.report(Diagnostic::error("no-opponent", *span, message));
                    }
                    diagram.side = if *white { Side::White } else { Side::Black };
                }
                SetupItem::Value { name, value } => {
                    if let Some(first) = values.insert(&name.text, name.span) {
                        let what = format!("the value of `{}`", shown(&name.text));
                        self.declared_twice(&what, name.span, first);
                    }
                    self.setup_value(name, value, board, diagram);
                }
                SetupItem::Apply(_) => {}
            }
        }
    }

    /// One row of the picture; `first` is the number of its leftmost field.
    /// Each symbol that is not known is reported once.
    fn setup_row(
        &mut self,
        text: &str,
        span: Span,
        first: Option<usize>,
        unknown: &mut BTreeSet<char>,
        diagram: &mut Diagram,
    ) {
        for (column, (offset, symbol)) in text.char_indices().enumerate() {
            if matches!(symbol, '.' | '_') {
                continue;
            }
            let piece = (1..self.pieces.len()).find(|&piece| self.pieces[piece].symbol == symbol);
            let Some(piece) = piece else {
                if !unknown.insert(symbol) {
                    continue;
                }
                let start = span.start + 1 + offset as u32;
                let message = format!("no piece has the symbol `{}`", symbol.escape_debug());
                self.report(
                    Diagnostic::error(
                        "unknown-symbol",
                        Span::new(start, start + symbol.len_utf8() as u32),
                        message,
                    )
                    .label("`.` is an empty field, `_` a hole"),
                );
                continue;
            };
            if let Some(cell) = first.and_then(|first| diagram.cells.get_mut(first + column)) {
                *cell = Piece(piece as u8);
            }
        }
    }

    fn setup_value(
        &mut self,
        name: &'a Name,
        value: &'a SetupValue,
        board: Option<&Board>,
        diagram: &mut Diagram,
    ) {
        let Some(entry) = self.property_names.get(name.text.as_str()).copied() else {
            let known: Vec<&str> = self.property_names.keys().copied().collect();
            let diagnostic = self.undefined("undefined-property", "property", &name.text, name.span, known);
            return self.report(diagnostic);
        };
        if entry.scope == multigame_syntax::ast::Scope::Move {
            let message = format!("`{}` lives only while a move is built", shown(&name.text));
            let label = "it begins every move with its least value";
            return self.report(Diagnostic::error("setup-value", name.span, message).label(label));
        }
        let property = &self.properties[entry.index];
        let (scope, offset) = (property.scope, property.offset);
        match (scope, value) {
            (Scope::Field, SetupValue::Rows(rows)) => {
                let Some(board) = board else { return };
                self.setup_field_values(
                    name,
                    rows,
                    board,
                    (entry.low, entry.high),
                    &mut diagram.values[offset..],
                );
            }
            (_, SetupValue::Rows(_)) => {
                let message = format!("`{}` has no values for rows of fields", shown(&name.text));
                self.report(
                    Diagnostic::error("setup-value", name.span, message).label("numbers are expected"),
                );
            }
            (_, SetupValue::Numbers(numbers)) => {
                let values: Vec<i32> = numbers
                    .iter()
                    .filter_map(|number| self.value_in_range(number, &name.text, entry.low, entry.high))
                    .collect();
                let most = if scope == Scope::Player { usize::from(self.players) } else { 1 };
                if numbers.len() > most {
                    let message = format!(
                        "`{}` takes {}, not {}",
                        shown(&name.text),
                        count(most, "value"),
                        numbers.len()
                    );
                    return self.report(Diagnostic::error("setup-value", name.span, message));
                }
                let (Some(&first), Some(&last), Some(board)) = (values.first(), values.last(), board) else {
                    return;
                };
                let length = self.properties[entry.index].length(board);
                let places = &mut diagram.values[offset..offset + length];
                places.fill(last);
                places[0] = first;
            }
        }
    }

    /// A constant that a property can hold.
    fn value_in_range(&mut self, number: &'a Expr, name: &str, low: i32, high: i32) -> Option<i32> {
        let value = self.constant(number)?;
        let fitting = i32::try_from(value).ok().filter(|value| (low..=high).contains(value));
        if fitting.is_none() {
            let message = format!("{value} is outside the range of `{}`", shown(name));
            let label = format!("{low} .. {high} is expected");
            self.report(Diagnostic::error("out-of-range", number.span, message).label(label));
        }
        fitting
    }

    fn setup_field_values(
        &mut self,
        name: &Name,
        rows: &[(String, Span)],
        board: &Board,
        (low, high): (i32, i32),
        values: &mut [i32],
    ) {
        let (columns, row_count) = (usize::from(board.columns()), usize::from(board.rows()));
        if rows.len() != row_count {
            let message = format!("{} for {} of fields", count(rows.len(), "row"), count(row_count, "row"));
            return self.report(
                Diagnostic::error("setup-value", name.span, message)
                    .label("one string for each row is expected"),
            );
        }
        for (i, (text, span)) in rows.iter().enumerate() {
            let words: Vec<&str> = text.split_whitespace().collect();
            if words.len() != columns {
                let message = format!("{} for {}", count(words.len(), "number"), count(columns, "column"));
                let diagnostic = Diagnostic::error("setup-value", *span, message);
                self.report(diagnostic.label("one number for each field is expected, `_` for a hole"));
                continue;
            }
            for (column, word) in words.into_iter().enumerate() {
                let field = Field(((row_count - 1 - i) * columns + column) as u16);
                match (word.parse::<i32>(), board.is_field(field)) {
                    (Ok(value), true) if (low..=high).contains(&value) => values[field.index()] = value,
                    (Err(_), false) if word == "_" => {}
                    (_, true) => {
                        let message = format!("`{}` is not a value of `{}`", shown(word), shown(&name.text));
                        let diagnostic = Diagnostic::error("out-of-range", *span, message);
                        self.report(diagnostic.label(format!("{low} .. {high} is expected")));
                    }
                    (_, false) => {
                        let message = format!("`{}` is a hole and has no value", board.field_name(field));
                        self.report(
                            Diagnostic::error("setup-value", *span, message).label("`_` is expected"),
                        );
                    }
                }
            }
        }
    }
}
