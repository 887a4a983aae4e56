//! FEN, the position text of chess players, for games that declare `notation { fen (...) }`.

use crate::text::{TextError, rows_text};
use crate::{Description, Diagram, FenProperties, Field, Property, Side};

/// Writes a FEN; the full-move number, which the rules do not need, is always 1.
pub(crate) fn write(description: &Description, names: &FenProperties, diagram: &Diagram) -> String {
    let mut castling = String::new();
    for side in Side::BOTH {
        for (name, letter) in [(&names.king_side, 'K'), (&names.queen_side, 'Q')] {
            if value(description, name, diagram, side) != 0 {
                castling.push(if side == Side::White { letter } else { letter.to_ascii_lowercase() });
            }
        }
    }
    if castling.is_empty() {
        castling.push('-');
    }
    let column = value(description, &names.en_passant, diagram, Side::White);
    let en_passant = match column {
        0 => "-".to_string(),
        _ => {
            let column = seen(description, diagram.side, column);
            format!("{}{}", crate::column_name(column as u16), target_row(diagram.side))
        }
    };
    let rows = rows_text(description, diagram);
    let clock = value(description, &names.half_moves, diagram, Side::White);
    format!("{rows} {} {castling} {en_passant} {clock} 1", diagram.side.letter())
}

/// Reads what follows the side to move: castling, en passant, and optionally the two counters.
pub(crate) fn parse_rest(
    description: &Description,
    names: &FenProperties,
    words: &[&str],
    diagram: &mut Diagram,
) -> Result<(), TextError> {
    let castling = words[0];
    if castling != "-" {
        for letter in castling.chars() {
            let side = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
            let name = match letter.to_ascii_uppercase() {
                'K' => &names.king_side,
                'Q' => &names.queen_side,
                _ => {
                    return Err(TextError(format!(
                        "`{castling}` is not a castling right: `KQkq` or `-` is expected"
                    )));
                }
            };
            set(description, name, diagram, side, 1)?;
        }
    }
    let en_passant = words.get(1).copied().unwrap_or("-");
    if en_passant != "-" {
        let target = description.board.parse_field(en_passant);
        let row = target_row(diagram.side);
        let Some(target) = target.filter(|&field| description.board.row(field) == row) else {
            let message = format!(
                "`{en_passant}` is not an en passant target: a field of row {row} or `-` is expected"
            );
            return Err(TextError(message));
        };
        if capturable(description, diagram, target) {
            let column = seen(description, diagram.side, i32::from(description.board.column(target)));
            set(description, &names.en_passant, diagram, Side::White, column)?;
        }
    }
    let half_moves = words.get(2).copied().unwrap_or("0");
    let Ok(half_moves) = half_moves.parse::<i32>() else {
        return Err(TextError(format!("`{half_moves}` is not a number of half moves")));
    };
    if let Some(full_moves) = words.get(3).filter(|word| word.parse::<u32>().is_err()) {
        return Err(TextError(format!("`{full_moves}` is not a move number")));
    }
    if let Some(extra) = words.get(4) {
        return Err(TextError(format!("`{extra}` is more than a FEN has")));
    }
    // A game drawn by the fifty-move rule may still be looked at.
    let high = description.property(&names.half_moves).map_or(0, |property| property.high);
    set(description, &names.half_moves, diagram, Side::White, half_moves.min(high))
}

/// Many programs name the target after every double step; it is part of the position only if a pawn can take.
fn capturable(description: &Description, diagram: &Diagram, target: Field) -> bool {
    let board = &description.board;
    let (symbol, row) = match diagram.side {
        Side::White => ('P', i64::from(board.row(target)) - 1),
        Side::Black => ('p', i64::from(board.row(target)) + 1),
    };
    let column = i64::from(board.column(target));
    [column - 1, column + 1].into_iter().any(|column| {
        board
            .field_at(column, row)
            .is_some_and(|field| description.piece(diagram.piece(field)).symbol == symbol)
    })
}

fn target_row(side: Side) -> u16 {
    if side == Side::White { 6 } else { 3 }
}

/// A column as the other eyes see it.
fn seen(description: &Description, side: Side, column: i32) -> i32 {
    match side {
        Side::Black if description.board.turned() => i32::from(description.board.columns()) + 1 - column,
        _ => column,
    }
}

fn index(property: &Property, side: Side) -> usize {
    property.offset + if property.scope == crate::Scope::Player { side.index() } else { 0 }
}

fn value(description: &Description, name: &str, diagram: &Diagram, side: Side) -> i32 {
    description.property(name).map_or(0, |property| diagram.values[index(property, side)])
}

fn set(
    description: &Description,
    name: &str,
    diagram: &mut Diagram,
    side: Side,
    value: i32,
) -> Result<(), TextError> {
    let Some(property) = description.property(name) else { return Ok(()) };
    if !(property.low..=property.high).contains(&value) {
        return Err(TextError(format!(
            "{value} is not a value of `{name}`: {} to {}",
            property.low, property.high
        )));
    }
    diagram.values[index(property, side)] = value;
    Ok(())
}
