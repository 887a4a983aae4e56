//! A position drawn for a terminal: rows, coordinates, and what the properties say.

use crate::{Description, Diagram, Field, Piece, Scope, Side, Topology, column_name};

/// Choices for drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawStyle {
    /// Plain signs.
    Plain,
    /// With colours for a terminal, and the glyphs of the rules where there are any.
    Colour,
}

/// Draws a position, White below.
pub fn draw(description: &Description, diagram: &Diagram, style: DrawStyle) -> String {
    let board = &description.board;
    let margin = board.rows().to_string().len();
    let mut lines = Vec::new();
    for row in (0..board.rows()).rev() {
        let mut line = format!("{:>margin$} ", row + 1);
        if board.topology() == Topology::Hex {
            line.push_str(&" ".repeat(usize::from(row)));
        }
        for column in 0..board.columns() {
            line.push(' ');
            line.push_str(&cell(description, diagram, Field(row * board.columns() + column), style));
        }
        lines.push(line.trim_end().to_string());
    }
    let letters: Vec<String> = (1..=board.columns()).map(column_name).collect();
    let width = if letters.iter().any(|name| name.len() > 1) { 0 } else { 1 };
    if width == 1 {
        lines.push(format!("{:>margin$}  {}", "", letters.join(" ")));
    } else {
        let last: String = letters.iter().map(|name| format!(" {}", &name[name.len() - 1..])).collect();
        lines.push(format!("{:>margin$} {last}", ""));
    }
    lines.extend(stacks(description, diagram));
    lines.extend(properties(description, diagram));
    if description.players == 2 {
        lines.push(format!("{} to move", diagram.side));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// `a3 wwb  c1 wB`: the fields that hold several pieces, the lowest first.
fn stacks(description: &Description, diagram: &Diagram) -> Option<String> {
    let fields = description.board.fields();
    let tall = fields.map(|field| (field, description.stack(diagram, field)));
    let tall: Vec<String> = tall
        .filter(|(_, pieces)| pieces.len() > 1)
        .map(|(field, pieces)| {
            let signs: String = pieces.iter().map(|&piece| description.piece(piece).symbol).collect();
            format!("{} {signs}", description.board.field_name(field))
        })
        .collect();
    (!tall.is_empty()).then(|| format!("stacks: {}", tall.join("  ")))
}

fn cell(description: &Description, diagram: &Diagram, field: Field, style: DrawStyle) -> String {
    if !description.board.is_field(field) {
        return " ".to_string();
    }
    let piece = diagram.piece(field);
    let info = description.piece(piece);
    if style == DrawStyle::Plain {
        return info.symbol.to_string();
    }
    let sign = info.glyph.clone().unwrap_or_else(|| info.symbol.to_string());
    match (piece, info.side) {
        (Piece::NONE, _) => "\u{1b}[2m.\u{1b}[0m".to_string(),
        (_, Some(Side::White)) => format!("\u{1b}[1;33m{sign}\u{1b}[0m"),
        (_, Some(Side::Black)) => format!("\u{1b}[1;36m{sign}\u{1b}[0m"),
        (_, None) => format!("\u{1b}[1m{sign}\u{1b}[0m"),
    }
}

fn properties(description: &Description, diagram: &Diagram) -> Vec<String> {
    let mut lines = Vec::new();
    for property in description.shown_properties() {
        let values = &diagram.values[property.offset..property.offset + property.length(&description.board)];
        match property.scope {
            Scope::Board => lines.push(format!("{} = {}", property.name, values[0])),
            Scope::Player => {
                lines.push(format!("{} = {} (white), {} (black)", property.name, values[0], values[1]));
            }
            Scope::Field => {
                lines.push(format!("{}:", property.name));
                let columns = usize::from(description.board.columns());
                let width = values.iter().map(|value| value.to_string().len()).max().unwrap_or(1);
                for row in values.chunks(columns).rev() {
                    let row: Vec<String> = row.iter().map(|value| format!("{value:>width$}")).collect();
                    lines.push(format!("  {}", row.join(" ")));
                }
            }
        }
    }
    lines
}
