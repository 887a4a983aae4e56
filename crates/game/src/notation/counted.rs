//! Styles that name fields or ways in their own manner: USI of shogi, ICCS of xiangqi, LURD of Sokoban.

use super::delta::Delta;
use super::styles::journey;
use crate::{Description, Diagram, Field, Piece, column_name};

/// `7g7f`, `8h2b+`, `P*5e`: columns are numbered from the right, rows lettered from the top.
pub(super) fn usi(description: &Description, before: &Diagram, delta: &Delta) -> Option<String> {
    let board = &description.board;
    let name = |field: Field| {
        let column = board.columns() + 1 - board.column(field);
        format!("{column}{}", column_name(board.rows() + 1 - board.row(field)))
    };
    if let Some((field, piece)) = delta.drop() {
        let symbol = description.piece(piece).symbol.to_ascii_uppercase();
        return Some(format!("{symbol}*{}", name(field)));
    }
    let (from, to) = journey(description, before, delta)?;
    let promotion = if delta.promotion().is_some() { "+" } else { "" };
    Some(format!("{}{}{promotion}", name(from), name(to)))
}

/// `h2e2`: rows are numbered from 0.
pub(super) fn iccs(description: &Description, before: &Diagram, delta: &Delta) -> Option<String> {
    let board = &description.board;
    let (from, to) = journey(description, before, delta)?;
    let name = |field: Field| format!("{}{}", column_name(board.column(field)), board.row(field) - 1);
    Some(format!("{}{}", name(from), name(to)))
}

/// `l`, `u`, `r`, `d` for a step, `L`, `U`, `R`, `D` for a push: a piece that came to an occupied field
/// pushed its content.
pub(super) fn lurd(description: &Description, before: &Diagram, delta: &Delta) -> Option<String> {
    let board = &description.board;
    let way = |&(from, to): &(Field, Field)| {
        let across = i32::from(board.column(to)) - i32::from(board.column(from));
        let along = i32::from(board.row(to)) - i32::from(board.row(from));
        (across, along)
    };
    let first = way(delta.moved.first()?);
    if !delta.placed.is_empty()
        || !delta.removed.is_empty()
        || delta.moved.iter().any(|pair| way(pair) != first)
    {
        return None;
    }
    let letter = match first {
        (-1, 0) => 'l',
        (0, 1) => 'u',
        (1, 0) => 'r',
        (0, -1) => 'd',
        _ => return None,
    };
    let pushes = delta.moved.iter().any(|(_, to)| before.piece(*to) != Piece::NONE);
    Some(if pushes { letter.to_ascii_uppercase() } else { letter }.to_string())
}
