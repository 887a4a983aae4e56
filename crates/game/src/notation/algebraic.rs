//! Short algebraic notation, as chess players write it: `Nf3`, `exd5`, `O-O`, `e8=Q`, `Rad1`, `Qh5#`.

use super::{Candidate, styles};
use crate::{Description, Diagram, Field, Piece};

/// For each move its name, with the mate sign where the game ends.
pub(super) fn names<M>(
    description: &Description,
    before: &Diagram,
    moves: &[Candidate<M>],
) -> Vec<Vec<String>> {
    let journeys: Vec<Option<(Field, Field)>> =
        moves.iter().map(|mv| styles::journey(description, before, &mv.delta)).collect();
    let name = |number: usize| {
        let mut text = match (styles::dropped(description, &moves[number].delta), journeys[number]) {
            (Some(drop), _) => drop,
            (None, Some((from, to))) => name_of(description, before, moves, &journeys, number, from, to),
            (None, None) => return None,
        };
        if moves[number].outcome.and_then(|outcome| outcome.winner()) == Some(before.side) {
            text.push('#');
        }
        Some(text)
    };
    (0..moves.len()).map(|number| name(number).into_iter().collect()).collect()
}

fn name_of<M>(
    description: &Description,
    before: &Diagram,
    moves: &[Candidate<M>],
    journeys: &[Option<(Field, Field)>],
    number: usize,
    from: Field,
    to: Field,
) -> String {
    let board = &description.board;
    let delta = &moves[number].delta;
    if delta.moved.len() == 2 {
        let wing = if board.column(to) > board.column(from) { "O-O" } else { "O-O-O" };
        return wing.to_string();
    }
    let symbol = description.piece(before.piece(from)).symbol.to_ascii_uppercase();
    let takes = before.piece(to) != Piece::NONE || (!delta.moved.is_empty() && !delta.removed.is_empty());
    let target = board.field_name(to);
    if symbol == 'P' {
        let origin =
            if takes { format!("{}x", crate::column_name(board.column(from))) } else { String::new() };
        let promotion = delta
            .promotion()
            .map(|piece| format!("={}", description.piece(piece).symbol.to_ascii_uppercase()));
        return format!("{origin}{target}{}", promotion.unwrap_or_default());
    }
    let rivals: Vec<Field> = (0..moves.len())
        .filter(|&other| other != number)
        .filter_map(|other| journeys[other])
        .filter(|&(other, there)| there == to && before.piece(other) == before.piece(from) && other != from)
        .map(|(other, _)| other)
        .collect();
    let same_column = rivals.iter().any(|&other| board.column(other) == board.column(from));
    let same_row = rivals.iter().any(|&other| board.row(other) == board.row(from));
    let origin = match (rivals.is_empty(), same_column, same_row) {
        (true, ..) => String::new(),
        (_, false, _) => crate::column_name(board.column(from)),
        (_, true, false) => board.row(from).to_string(),
        (_, true, true) => board.field_name(from),
    };
    format!("{symbol}{origin}{}{target}", if takes { "x" } else { "" })
}
