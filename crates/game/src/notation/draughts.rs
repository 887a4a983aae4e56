//! The numbers of draughts players: dark fields counted from the top left, `11-15`, `22x15`, `22x15x8`.

use super::delta::Delta;
use super::styles::journey;
use crate::{Board, Description, Diagram, Direction, Field, Piece};

/// The short form, then the one that names every stop.
pub(super) fn names(description: &Description, before: &Diagram, delta: &Delta) -> Vec<String> {
    // A king that takes and comes back to where it started has no journey: the generic form names such a
    // move.
    let Some((from, to)) = journey(description, before, delta) else { return Vec::new() };
    let board = &description.board;
    let taken: Vec<Field> = delta.removed.iter().copied().filter(|&field| field != from).collect();
    let number = |field: Field| number(board, field).to_string();
    if taken.is_empty() {
        return vec![format!("{}-{}", number(from), number(to))];
    }
    let mut names = vec![format!("{}x{}", number(from), number(to))];
    if let Some(stops) = stops(board, before, from, to, &taken).filter(|stops| stops.len() > 2) {
        names.push(stops.iter().map(|&stop| number(stop)).collect::<Vec<_>>().join("x"));
    }
    names
}

/// The number of a field among those of its colour: the one that is played on is called dark, wherever it
/// lies.
fn number(board: &Board, field: Field) -> usize {
    let colour = |f: Field| (board.column(f) + board.row(f)) % 2;
    let before = |f: Field| (board.row(f), board.column(field)) > (board.row(field), board.column(f));
    let fields = (0..board.size() as u16).map(Field);
    fields.filter(|&f| colour(f) == colour(field) && before(f)).count() + 1
}

/// The fields where a piece that jumps takes off and lands, if that can be told: its origin first, its target
/// last.
pub fn stops(board: &Board, before: &Diagram, from: Field, to: Field, taken: &[Field]) -> Option<Vec<Field>> {
    let mut stops = vec![from];
    path(board, before, to, taken, &mut stops).then_some(stops)
}

/// Finds the stops of a jump that takes exactly these pieces.
fn path(board: &Board, before: &Diagram, to: Field, taken: &[Field], stops: &mut Vec<Field>) -> bool {
    let here = stops[stops.len() - 1];
    if taken.is_empty() {
        return here == to;
    }
    let free = |field: Field| before.piece(field) == Piece::NONE || field == stops[0];
    for direction in board.directions() {
        let Some(victim) = next_piece(board, here, direction, &free) else { continue };
        let Some(number) = taken.iter().position(|&field| field == victim) else { continue };
        let mut rest = taken.to_vec();
        rest.remove(number);
        let mut landing = board.step(victim, direction).filter(|&field| free(field));
        while let Some(field) = landing {
            let mut further = stops.clone();
            further.push(field);
            if path(board, before, to, &rest, &mut further) {
                *stops = further;
                return true;
            }
            landing = board.step(field, direction).filter(|&field| free(field));
        }
    }
    false
}

fn next_piece(
    board: &Board,
    from: Field,
    direction: Direction,
    free: &dyn Fn(Field) -> bool,
) -> Option<Field> {
    let mut field = board.step(from, direction)?;
    while free(field) {
        field = board.step(field, direction)?;
    }
    Some(field)
}
