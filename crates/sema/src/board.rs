//! The board: its shape from `dimensions` and the picture in `setup`, its links, and how Black sees it.

use multigame_game::{Board, BoardError, MAX_FIELDS, Topology};
use multigame_syntax::ast::{DeclarationKind, SetupItem};
use multigame_syntax::{Diagnostic, Span};

use crate::checker::Checker;
use crate::suggest::list;

const TOPOLOGIES: [&str; 3] = ["square", "hex", "graph"];

/// Columns, rows, which fields are there, and the declaration that says so.
pub(crate) struct Shape {
    pub columns: u16,
    pub rows: u16,
    pub present: Vec<bool>,
    pub span: Span,
}

impl<'a> Checker<'a> {
    /// Reads `topology`, `dimensions`, `sides`, `directions` and the holes in `setup`.
    pub fn declare_board(&mut self) {
        self.declare_topology();
        let setup = self.only("`setup`", |kind| match kind {
            DeclarationKind::Setup(items) => Some(items),
            _ => None,
        });
        let picture = self.picture(setup.map(|(items, _)| items.as_slice()).unwrap_or_default());
        let dimensions = self.only("`dimensions`", |kind| match kind {
            DeclarationKind::Dimensions { columns, rows } => Some((columns, rows)),
            _ => None,
        });
        let size = match dimensions {
            Some(((columns, rows), span)) => {
                let (columns, rows) = (self.constant(columns), self.constant(rows));
                columns.zip(rows).map(|(columns, rows)| (columns, rows, span))
            }
            None if picture.is_empty() => return self.no_dimensions(),
            None => {
                let columns = picture[0].0.chars().count() as i64;
                let (_, first) = picture[0];
                Some((columns, picture.len() as i64, first.cover(picture[picture.len() - 1].1)))
            }
        };
        let turned = self.sides();
        let Some((columns, rows, span)) = size else { return };
        let Some(shape) = self.shape(columns, rows, span, &picture) else { return };
        self.board = match self.topology {
            Topology::Graph => self.graph(shape, turned),
            _ => {
                let board =
                    Board::grid(self.topology, shape.columns, shape.rows, shape.present.clone(), turned);
                board.map_err(|error| self.board_error(&error, shape.span)).ok()
            }
        };
    }

    fn no_dimensions(&mut self) {
        self.sides();
        let message = "the size of the board is not declared";
        self.report(
            Diagnostic::error("missing-dimensions", Span::default(), message)
                .help("write `dimensions (columns, rows)` or draw the board in `setup`")
                .fix("declare a board of 8 x 8 fields", Span::default(), "dimensions (8, 8)\n"),
        );
    }

    fn declare_topology(&mut self) {
        let topology = self.only("`topology`", |kind| match kind {
            DeclarationKind::Topology(name) => Some(name),
            _ => None,
        });
        if let Some((name, _)) = topology {
            self.topology = match name.text.as_str() {
                "square" => Topology::Square,
                "hex" => Topology::Hex,
                "graph" => Topology::Graph,
                _ => {
                    let diagnostic =
                        self.undefined("unknown-topology", "topology", &name.text, name.span, TOPOLOGIES);
                    self.report(diagnostic.help(format!("{} are known", list(TOPOLOGIES))));
                    Topology::Square
                }
            };
        }
        let directions = self.program.declarations.iter().find_map(|declaration| match &declaration.kind {
            DeclarationKind::Directions(_) => Some(declaration.span),
            _ => None,
        });
        match (self.topology, directions) {
            (Topology::Graph, None) => {
                let span = topology.map_or(Span::default(), |(name, _)| name.span);
                let message = "a free graph needs its directions";
                let help = "write `directions { along / back : a1 b1 c1, a2 b2 c2 }`";
                self.report(Diagnostic::error("missing-directions", span, message).help(help));
            }
            (Topology::Square | Topology::Hex, Some(span))
                if topology.is_none_or(|(name, _)| TOPOLOGIES.contains(&name.text.as_str())) =>
            {
                let message = "only a free graph can have its own directions";
                let help = "write `topology graph`, or leave the directions to the grid";
                self.report(Diagnostic::error("directions-without-graph", span, message).help(help));
            }
            _ => {}
        }
    }

    /// Whether Black sees the board turned.
    fn sides(&mut self) -> bool {
        let sides = self.only("`sides`", |kind| match kind {
            DeclarationKind::Sides(count) => Some(count),
            _ => None,
        });
        let default = self.players == 2 && self.topology != Topology::Graph;
        let Some((count, _)) = sides else { return default };
        match self.constant(count) {
            Some(1) => false,
            Some(2) if self.players == 2 => true,
            Some(2) => {
                let message = "one player sees the board from one side";
                let diagnostic = Diagnostic::error("bad-sides", count.span, message);
                self.report(diagnostic.label("1 is expected").fix("write `1`", count.span, "1"));
                false
            }
            Some(other) => {
                let message = format!("{other} sides are not possible");
                self.report(Diagnostic::error("bad-sides", count.span, message).label("1 or 2 is expected"));
                default
            }
            None => default,
        }
    }

    /// The rows of the picture, top first.
    fn picture(&mut self, items: &'a [SetupItem]) -> Vec<(&'a str, Span)> {
        let rows = items.iter().filter_map(|item| match item {
            SetupItem::Row(text, span) => Some((text.as_str(), *span)),
            _ => None,
        });
        rows.collect()
    }

    fn shape(&mut self, columns: i64, rows: i64, span: Span, picture: &[(&str, Span)]) -> Option<Shape> {
        let most = MAX_FIELDS as i64;
        let possible = (1..=most).contains(&columns) && (1..=most).contains(&rows) && columns * rows <= most;
        if !possible {
            let message = format!("a board of {columns} x {rows} fields is not possible");
            let label = format!("1 to {MAX_FIELDS} fields are expected");
            self.report(Diagnostic::error("board-size", span, message).label(label));
            return None;
        }
        let mut present = vec![true; (columns * rows) as usize];
        if !picture.is_empty() && picture.len() as i64 != rows {
            let span = picture[0].1.cover(picture[picture.len() - 1].1);
            let message = format!(
                "the picture has {}, the board {}",
                count(picture.len(), "row"),
                count(rows as usize, "row")
            );
            self.report(
                Diagnostic::error("setup-size", span, message).label("one string for each row is expected"),
            );
            return None;
        }
        let mut fits = true;
        for (i, (text, span)) in picture.iter().enumerate() {
            let width = text.chars().count();
            if width as i64 != columns {
                let message = format!(
                    "this row has {}, the board {}",
                    count(width, "field"),
                    count(columns as usize, "column")
                );
                let diagnostic = Diagnostic::error("setup-size", *span, message);
                self.report(diagnostic.label(format!("{columns} signs are expected")));
                fits = false;
                continue;
            }
            let row = rows as usize - 1 - i;
            for (column, symbol) in text.chars().enumerate() {
                present[row * columns as usize + column] = symbol != '_';
            }
        }
        if fits && !present.contains(&true) {
            self.report(
                Diagnostic::error("board-size", span, "the board has holes only").label("no field is left"),
            );
            return None;
        }
        fits.then_some(Shape { columns: columns as u16, rows: rows as u16, present, span })
    }

    /// Reports why there is no such board.
    pub fn board_error(&mut self, error: &BoardError, span: Span) {
        let sides = self.program.declarations.iter().find_map(|declaration| match &declaration.kind {
            DeclarationKind::Sides(_) => Some(declaration.span),
            _ => None,
        });
        let diagnostic = match error {
            BoardError::NotSymmetric(_) => {
                Diagnostic::error("not-symmetric", sides.unwrap_or(span), error.to_string())
                    .help("with `sides = 1` both players see the board from White's side")
            }
            BoardError::DoubleLink { .. } => Diagnostic::error("double-link", span, error.to_string()),
            BoardError::NoSuchField(_) => Diagnostic::error("no-such-field", span, error.to_string()),
            BoardError::Size(..) => Diagnostic::error("board-size", span, error.to_string()),
        };
        self.report(diagnostic);
    }
}

/// `1 row`, `3 rows`.
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
