//! Symmetries that are proved: ways to turn or reflect the board of which the rules take no notice.
//!
//! Rules as a whole seldom are symmetric: pawns go north, and kings castle to unlike sides. But a few pieces
//! need a small part of the rules, and that part may be. So the program is first reduced to what can run with
//! these pieces (`reduce.rs`); then each statement, with its directions and fields turned, has to be the same
//! statement up to the order of alternatives (`compare.rs`). Nothing is tried on positions: a symmetry that
//! is found holds, and one that the comparison does not understand is missed.

mod compare;
mod reduce;

use multigame_game::{Board, Direction, Field, PieceSet};

use crate::Program;
use compare::Comparison;
use reduce::Reduction;

/// A way to turn or reflect the board: where fields and directions go.
struct Turned {
    fields: Vec<Field>,
    directions: Vec<Direction>,
}

/// The symmetries of positions with these pieces alone, all properties that are hashed at their least values,
/// without the one that changes nothing: where each field goes.
pub(crate) fn symmetries(program: &Program, pieces: PieceSet) -> Vec<Vec<Field>> {
    let candidates = candidates(&program.description.board);
    if candidates.is_empty() {
        return Vec::new();
    }
    let program = program.without_names();
    let reduction = Reduction::of(&program, pieces);
    let holds = |turned: &Turned| Comparison::holds(&reduction, turned);
    candidates.into_iter().filter(holds).map(|turned| turned.fields).collect()
}

/// The ways in which the board with its directions is mapped onto itself.
fn candidates(board: &Board) -> Vec<Turned> {
    let mut all: Vec<Turned> = Vec::new();
    for way in 1..8 {
        let Some(turned) = turned(board, way) else { continue };
        let changes = turned.fields.iter().enumerate().any(|(from, to)| from != to.index());
        if changes && all.iter().all(|other| other.fields != turned.fields) {
            all.push(turned);
        }
    }
    all
}

fn turned(board: &Board, way: u8) -> Option<Turned> {
    let (columns, rows) = (i64::from(board.columns()), i64::from(board.rows()));
    let image = |field: Field| {
        let (column, row) = (i64::from(board.column(field)), i64::from(board.row(field)));
        let (column, row) = if way & 4 == 0 { (column, row) } else { (row, column) };
        let column = if way & 1 == 0 { column } else { columns + 1 - column };
        let row = if way & 2 == 0 { row } else { rows + 1 - row };
        // Holes need not go anywhere.
        if board.is_field(field) { board.field_at(column, row) } else { Some(field) }
    };
    let fields: Vec<Field> =
        (0..board.size() as u16).map(|field| image(Field(field))).collect::<Option<_>>()?;
    let mut sorted = fields.clone();
    sorted.sort_unstable_by_key(|field| field.0);
    if !sorted.iter().enumerate().all(|(number, field)| field.index() == number) {
        return None;
    }
    let mut directions: Vec<Direction> = Vec::new();
    for direction in board.directions() {
        let fits = |other: &Direction| {
            let goes = |field: Field| board.step(field, direction).map(|next| fields[next.index()]);
            !directions.contains(other)
                && board.fields().all(|field| goes(field) == board.step(fields[field.index()], *other))
        };
        let found = board.directions().find(fits)?;
        directions.push(found);
    }
    let opposites = |direction: Direction| {
        let image = board.opposite(direction).map(|opposite| directions[opposite.index()]);
        image == board.opposite(directions[direction.index()])
    };
    let kept = board.directions().all(opposites);
    kept.then_some(Turned { fields, directions })
}

#[cfg(test)]
mod tests;
