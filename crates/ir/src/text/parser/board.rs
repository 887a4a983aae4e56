//! Reading the board: its shape, its holes and the links of a free graph.

use multigame_game::{Board, BoardError, Chains, Topology};

use super::{Cursor, Parsed};
use crate::text::ParseError;
use crate::text::lexer::Token;

/// Directions have numbers of 8 bits.
const MAX_DIRECTIONS: usize = 255;

/// The lines that describe the board.
#[derive(Default)]
pub(super) struct BoardLines {
    shape: Option<Shape>,
    holes: Vec<String>,
    holes_line: u32,
    directions: Vec<DirectionLine>,
}

struct Shape {
    topology: Topology,
    columns: u16,
    rows: u16,
    turned: bool,
    line: u32,
}

struct DirectionLine {
    name: String,
    opposite: Option<String>,
    chains: Vec<Vec<String>>,
    line: u32,
}

impl BoardLines {
    /// `square 8 8 turned`
    pub fn shape(&mut self, cursor: &mut Cursor<'_>) -> Parsed<()> {
        self.shape = Some(read_shape(cursor)?);
        Ok(())
    }

    /// `a1 b2`
    pub fn holes(&mut self, cursor: &mut Cursor<'_>) {
        self.holes_line = cursor.line();
        self.holes = coordinates(cursor);
    }

    /// `direction "sow" / "back" : a1 b1 c1, a2 b2`
    pub fn direction(&mut self, cursor: &mut Cursor<'_>) -> Parsed<()> {
        let line = cursor.line();
        let name = self.direction_name(cursor, None)?;
        let opposite =
            if cursor.accept_sign("/") { Some(self.direction_name(cursor, Some(&name))?) } else { None };
        let mut chains = Vec::new();
        if cursor.accept_sign(":") {
            chains.push(coordinates(cursor));
            while cursor.accept_sign(",") {
                chains.push(coordinates(cursor));
            }
        }
        self.directions.push(DirectionLine { name, opposite, chains, line });
        Ok(())
    }

    fn direction_name(&self, cursor: &mut Cursor<'_>, other: Option<&String>) -> Parsed<String> {
        let line = cursor.line();
        let name = cursor.text("the direction's name")?;
        let names = self.directions.iter().flat_map(|d| std::iter::once(&d.name).chain(&d.opposite));
        let mut names = names.chain(other);
        let count = names.clone().count();
        let message = match (names.any(|known| *known == name), count < MAX_DIRECTIONS) {
            (true, _) => format!("there already is a direction {name:?}"),
            (_, false) => format!("there can be {MAX_DIRECTIONS} directions"),
            _ => return Ok(name),
        };
        Err(ParseError { line, message })
    }

    /// The board of these lines.
    pub fn build(&self, cursor: &Cursor<'_>) -> Parsed<Board> {
        let Some(shape) = &self.shape else {
            return cursor.error("a line such as `board square 8 8 turned` is needed before the functions");
        };
        let failed = |error: BoardError| ParseError { line: shape.line, message: error.to_string() };
        let size = usize::from(shape.columns) * usize::from(shape.rows);
        let full = Board::grid(Topology::Square, shape.columns, shape.rows, vec![true; size], false);
        let full = full.map_err(failed)?;
        let mut present = vec![true; size];
        for hole in &self.holes {
            let Some(field) = full.parse_field(hole) else {
                let message = BoardError::NoSuchField(hole.clone()).to_string();
                return Err(ParseError { line: self.holes_line, message });
            };
            present[field.index()] = false;
        }
        if shape.topology == Topology::Graph {
            let chains: Vec<Chains<'_>> = self
                .directions
                .iter()
                .map(|d| (d.name.as_str(), d.opposite.as_deref(), d.chains.as_slice()))
                .collect();
            let board = Board::graph(shape.columns, shape.rows, present, shape.turned, &chains);
            return board.map_err(|error| ParseError {
                line: self.direction_at_fault(&error).unwrap_or(shape.line),
                message: error.to_string(),
            });
        }
        if !self.directions.is_empty() {
            let message = "only a `board graph` declares directions".to_string();
            return Err(ParseError { line: shape.line, message });
        }
        Board::grid(shape.topology, shape.columns, shape.rows, present, shape.turned).map_err(failed)
    }

    /// The line of the direction that a board cannot have.
    fn direction_at_fault(&self, error: &BoardError) -> Option<u32> {
        let is_at_fault = |line: &&DirectionLine| match error {
            BoardError::NoSuchField(field) => line.chains.iter().flatten().any(|named| named == field),
            BoardError::DoubleLink { direction, .. } => {
                line.name == *direction || line.opposite.as_ref() == Some(direction)
            }
            _ => false,
        };
        self.directions.iter().find(is_at_fault).map(|line| line.line)
    }
}

fn read_shape(cursor: &mut Cursor<'_>) -> Parsed<Shape> {
    let line = cursor.line();
    let topology = match cursor.word("`square`, `hex` or `graph`")? {
        "square" => Topology::Square,
        "hex" => Topology::Hex,
        "graph" => Topology::Graph,
        other => return cursor.error(format!("`{other}` is not `square`, `hex` or `graph`")),
    };
    let columns = cursor.number(1, u16::MAX.into())? as u16;
    let rows = cursor.number(1, u16::MAX.into())? as u16;
    let turned = cursor.accept_word("turned");
    let size = u32::from(columns) * u32::from(rows);
    if size as usize > multigame_game::MAX_FIELDS {
        let message = BoardError::Size(columns.into(), rows.into()).to_string();
        return Err(ParseError { line, message });
    }
    Ok(Shape { topology, columns, rows, turned, line })
}

fn coordinates(cursor: &mut Cursor<'_>) -> Vec<String> {
    let mut fields = Vec::new();
    while let Token::Word(field) = *cursor.peek() {
        fields.push(field.to_string());
        cursor.take();
    }
    fields
}
