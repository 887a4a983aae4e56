//! Boards as SVG, for notebooks.

use std::fmt::Write;

use multigame_game::{Board, Description, Diagram, Field, Piece, Side, Topology, column_name};

/// Edge of a field.
const UNIT: f64 = 40.0;
/// Room for the coordinates.
const MARGIN: f64 = 20.0;
const LIGHT: &str = "#f0e6d2";
const DARK: &str = "#c8ab83";
const CHANGED: &str = "#f7d154";
const INK: &str = "#333333";

/// Where things are on the picture.
struct Layout<'d> {
    board: &'d Board,
    left: f64,
    bottom: f64,
    width: f64,
    height: f64,
}

impl<'d> Layout<'d> {
    fn new(board: &'d Board) -> Layout<'d> {
        let (columns, rows) = (f64::from(board.columns()), f64::from(board.rows()));
        let mut layout = Layout { board, left: 0.0, bottom: 0.0, width: columns * UNIT, height: rows * UNIT };
        if board.topology() == Topology::Hex {
            layout.width = (columns + (rows - 1.0) / 2.0) * UNIT;
            layout.height = ((rows - 1.0) * 0.75f64.sqrt() + 1.0) * UNIT;
        }
        layout.left = MARGIN + UNIT / 2.0;
        layout.bottom = layout.height - UNIT / 2.0 + MARGIN / 2.0;
        layout
    }

    /// The centre of a field: White is below.
    fn centre(&self, field: Field) -> (f64, f64) {
        let (x, y) = (f64::from(self.board.column(field)) - 1.0, f64::from(self.board.row(field)) - 1.0);
        let (x, y) = match self.board.topology() {
            Topology::Hex => (x + y / 2.0, y * 0.75f64.sqrt()),
            Topology::Square | Topology::Graph => (x, y),
        };
        (self.left + x * UNIT, self.bottom - y * UNIT)
    }
}

/// A picture of a position `size` pixels wide; `changed` are the fields that the last move changed.
pub fn svg(description: &Description, diagram: &Diagram, changed: &[Field], size: u32) -> String {
    let board = &description.board;
    let layout = Layout::new(board);
    let (width, height) = (layout.width + 2.0 * MARGIN, layout.height + 1.5 * MARGIN);
    let (shown, tall) = (f64::from(size), f64::from(size) * height / width);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" \
         width=\"{shown:.0}\" \
         height=\"{tall:.0}\" font-family=\"sans-serif\" text-anchor=\"middle\">"
    );
    links(&mut out, &layout);
    for field in board.fields() {
        let colour = if changed.contains(&field) { CHANGED } else { shade(description, field) };
        outline(&mut out, &layout, field, colour);
    }
    for field in board.fields().filter(|&field| diagram.piece(field) != Piece::NONE) {
        piece(&mut out, description, diagram.piece(field), layout.centre(field));
    }
    coordinates(&mut out, &layout, height);
    out.push_str("</svg>");
    out
}

fn shade(description: &Description, field: Field) -> &'static str {
    let chequered = match description.looks.fields.as_deref() {
        Some(looks) => looks == "chequered",
        None => false,
    };
    let board = &description.board;
    if chequered && (board.column(field) + board.row(field)).is_multiple_of(2) { DARK } else { LIGHT }
}

fn outline(out: &mut String, layout: &Layout<'_>, field: Field, colour: &str) {
    let (x, y) = layout.centre(field);
    let half = UNIT / 2.0;
    // Writing into a string cannot fail.
    let _ = match layout.board.topology() {
        Topology::Square => write!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{UNIT}\" height=\"{UNIT}\" fill=\"{colour}\" \
             stroke=\"{INK}\" \
             stroke-width=\"0.5\"/>",
            x - half,
            y - half
        ),
        Topology::Graph => write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{colour}\" stroke=\"{INK}\"/>",
            half * 0.8
        ),
        Topology::Hex => {
            let corner = |number: u32| {
                let angle = (f64::from(number) + 0.5) * std::f64::consts::PI / 3.0;
                let radius = half / 0.75f64.sqrt();
                format!("{:.1},{:.1}", x + radius * angle.cos(), y + radius * angle.sin())
            };
            let corners: Vec<String> = (0..6).map(corner).collect();
            let points = corners.join(" ");
            write!(
                out,
                "<polygon points=\"{points}\" fill=\"{colour}\" stroke=\"{INK}\" stroke-width=\"0.5\"/>"
            )
        }
    };
}

/// The links of a graph.
fn links(out: &mut String, layout: &Layout<'_>) {
    let board = layout.board;
    if board.topology() != Topology::Graph {
        return;
    }
    for field in board.fields() {
        let next = board.directions().filter_map(|direction| board.step(field, direction));
        for to in next.filter(|&to| to != field) {
            let ((x1, y1), (x2, y2)) = (layout.centre(field), layout.centre(to));
            let _ = write!(
                out,
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{INK}\" \
                 stroke-width=\"1\"/>"
            );
        }
    }
}

/// A glyph of the rules as it is, else the piece's sign on a disc in its owner's colour.
fn piece(out: &mut String, description: &Description, piece: Piece, (x, y): (f64, f64)) {
    let info = description.piece(piece);
    let (fill, ink) = match info.side {
        Some(Side::White) => ("#ffffff", "#111111"),
        Some(Side::Black) => ("#222222", "#ffffff"),
        None => ("#9db4c0", "#111111"),
    };
    let title = escaped(&description.piece_name(piece));
    if let Some(glyph) = &info.glyph {
        let ink = info.colour.as_deref().filter(|colour| is_colour(colour)).unwrap_or("#111111");
        let _ = write!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{:.0}\" \
             fill=\"{ink}\"><title>{title}</title>{}</text>",
            y + UNIT * 0.28,
            UNIT * 0.8,
            escaped(glyph)
        );
        return;
    }
    let fill = info.colour.as_deref().filter(|colour| is_colour(colour)).unwrap_or(fill);
    let _ = write!(
        out,
        "<g><title>{title}</title><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{fill}\" \
         stroke=\"{INK}\"/><text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{:.0}\" fill=\"{ink}\">{}</text></g>",
        UNIT * 0.38,
        y + UNIT * 0.16,
        UNIT * 0.45,
        escaped(&info.symbol.to_string())
    );
}

fn coordinates(out: &mut String, layout: &Layout<'_>, height: f64) {
    let board = layout.board;
    if board.topology() == Topology::Graph {
        return;
    }
    for column in 1..=board.columns() {
        let x = layout.left + f64::from(column - 1) * UNIT;
        let y = height - MARGIN * 0.3;
        let name = column_name(column);
        let _ = write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"11\" fill=\"{INK}\">{name}</text>");
    }
    for row in 1..=board.rows() {
        let up = f64::from(row - 1);
        let hex = board.topology() == Topology::Hex;
        let (x, y) = if hex {
            (layout.left + up / 2.0 * UNIT, layout.bottom - up * 0.75f64.sqrt() * UNIT)
        } else {
            (layout.left, layout.bottom - up * UNIT)
        };
        let (x, y) = (x - UNIT / 2.0 - MARGIN * 0.5, y + 4.0);
        let _ = write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"11\" fill=\"{INK}\">{row}</text>");
    }
}

/// Text of the rules inside of the picture.
fn escaped(text: &str) -> String {
    let escape = |letter: char| match letter {
        '<' => "&lt;".to_string(),
        '>' => "&gt;".to_string(),
        '&' => "&amp;".to_string(),
        '"' => "&quot;".to_string(),
        letter => letter.to_string(),
    };
    text.chars().map(escape).collect()
}

/// Whether a colour of the rules is one, and nothing that ends an attribute.
fn is_colour(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '#')
}
