//! The styles that need only the change itself: UCI, coordinates, columns, shifts, numbers.

use super::delta::Delta;
use super::{counted, draughts};
use crate::{Description, Diagram, Field, NotationStyle, Piece};

/// The names of a move in a style, the shortest first.
pub(super) fn names(
    style: &NotationStyle,
    description: &Description,
    before: &Diagram,
    delta: &Delta,
) -> Vec<String> {
    if delta == &Delta::default() {
        return vec!["pass".to_string()];
    }
    let name = match style {
        NotationStyle::Uci => uci(description, before, delta),
        NotationStyle::Coordinates => coordinates(description, before, delta),
        NotationStyle::Column => column(description, before, delta),
        NotationStyle::Shift => shift(description, delta),
        NotationStyle::Lurd => counted::lurd(description, before, delta),
        NotationStyle::Usi => counted::usi(description, before, delta),
        NotationStyle::Iccs => counted::iccs(description, before, delta),
        NotationStyle::Pdn => return draughts::names(description, before, delta),
        NotationStyle::Algebraic | NotationStyle::Fen(_) => None,
    };
    name.into_iter().collect()
}

/// Whether a text is that name in that style; what people add or leave out is forgiven.
pub(super) fn same(style: &NotationStyle, name: &str, text: &str) -> bool {
    let bare = |text: &str| text.trim_end_matches(['+', '#', '!', '?']).replace('=', "").replace('0', "O");
    match style {
        NotationStyle::Algebraic => bare(name) == bare(text),
        NotationStyle::Column => {
            let as_number = |text: &str| match text.as_bytes() {
                [letter @ b'a'..=b'z'] => (letter - b'a' + 1).to_string(),
                _ => text.to_string(),
            };
            name == text || name == as_number(text)
        }
        NotationStyle::Iccs => name == text.replace('-', "").to_ascii_lowercase(),
        NotationStyle::Coordinates => name == text || name.replace('-', "") == text,
        _ => name == text,
    }
}

/// The mover's piece that went somewhere, or was exchanged on the way: origin and target.
pub(super) fn journey(description: &Description, before: &Diagram, delta: &Delta) -> Option<(Field, Field)> {
    let is_own = |piece: Piece| description.piece(piece).side.is_none_or(|side| side == before.side);
    let mut own = delta.moved.iter().filter(|(from, _)| is_own(before.piece(*from)));
    // When castling the king leads: it is the piece players name.
    let king = |&&(from, _): &&(Field, Field)| {
        description.piece(before.piece(from)).symbol.eq_ignore_ascii_case(&'k')
    };
    if let Some(&pair) = own.clone().find(king).or_else(|| own.next()) {
        return Some(pair);
    }
    let gone: Vec<Field> =
        delta.removed.iter().copied().filter(|&field| is_own(before.piece(field))).collect();
    match (&gone[..], &delta.placed[..]) {
        ([from], [(to, _)]) => Some((*from, *to)),
        _ => None,
    }
}

/// A piece dropped from the hand: `N@f3`.
pub(super) fn dropped(description: &Description, delta: &Delta) -> Option<String> {
    let (field, piece) = delta.drop()?;
    let symbol = description.piece(piece).symbol.to_ascii_uppercase();
    Some(format!("{symbol}@{}", description.board.field_name(field)))
}

fn uci(description: &Description, before: &Diagram, delta: &Delta) -> Option<String> {
    if let Some(drop) = dropped(description, delta) {
        return Some(drop);
    }
    let (from, to) = journey(description, before, delta)?;
    let board = &description.board;
    let promotion = delta.promotion().map(|piece| description.piece(piece).symbol.to_ascii_lowercase());
    let promotion = promotion.map_or(String::new(), String::from);
    Some(format!("{}{}{promotion}", board.field_name(from), board.field_name(to)))
}

/// `a2-a3`, `a2xb3`, `b2`, `a1-a4xb2`, `b2xd6`: what was taken elsewhere is named, what stood on the target
/// is not. `a1-a2` also for two pieces put down, `d1-d7/g7` for a piece that moved and a neutral one put
/// down.
fn coordinates(description: &Description, before: &Diagram, delta: &Delta) -> Option<String> {
    let board = &description.board;
    let taken: String = delta
        .removed
        .iter()
        .chain(&delta.lowered)
        .filter(|&&field| description.piece(before.piece(field)).side == Some(before.side.opponent()))
        .map(|&field| format!("x{}", board.field_name(field)))
        .collect();
    if let Some((from, to)) = journey(description, before, delta) {
        let sign = if before.piece(to) == Piece::NONE { '-' } else { 'x' };
        let neutral = |&&(_, piece): &&(Field, Piece)| description.piece(piece).side.is_none();
        let shot = delta.placed.iter().find(neutral).filter(|(field, _)| *field != to);
        let shot = shot.map_or(String::new(), |(field, _)| format!("/{}", board.field_name(*field)));
        return Some(format!("{}{sign}{}{taken}{shot}", board.field_name(from), board.field_name(to)));
    }
    if let ([], [(first, a), (second, b)], []) = (&delta.moved[..], &delta.placed[..], &delta.removed[..])
        && a == b
        && [first, second].iter().all(|field| before.piece(**field) == Piece::NONE)
    {
        return Some(format!("{}-{}", board.field_name(*first), board.field_name(*second)));
    }
    arrival(description, before, delta).map(|field| format!("{}{taken}", board.field_name(field)))
}

/// The one field that was empty and is not any more, or the one of them where a neutral piece is now.
fn arrival(description: &Description, before: &Diagram, delta: &Delta) -> Option<Field> {
    let fresh = || delta.placed.iter().filter(|(field, _)| before.piece(*field) == Piece::NONE);
    let mut neutral = fresh().filter(|(_, piece)| description.piece(*piece).side.is_none());
    match (fresh().next(), fresh().nth(1), neutral.next(), neutral.next()) {
        (Some(&(field, _)), None, ..) | (_, _, Some(&(field, _)), None) => Some(field),
        _ => None,
    }
}

/// `4` for a drop, `1-3` for a move from column to column.
fn column(description: &Description, before: &Diagram, delta: &Delta) -> Option<String> {
    let board = &description.board;
    match journey(description, before, delta) {
        Some((from, to)) => Some(format!("{}-{}", board.column(from), board.column(to))),
        None => arrival(description, before, delta).map(|field| board.column(field).to_string()),
    }
}

/// Where a piece went: `up`, `down`, `left`, `right`.
fn shift(description: &Description, delta: &Delta) -> Option<String> {
    let &[(from, to)] = &delta.moved[..] else { return None };
    let board = &description.board;
    let across = i32::from(board.column(to)) - i32::from(board.column(from));
    let along = i32::from(board.row(to)) - i32::from(board.row(from));
    let word = match (across.signum(), along.signum()) {
        (0, 1) => "up",
        (0, -1) => "down",
        (-1, 0) => "left",
        (1, 0) => "right",
        _ => return None,
    };
    Some(word.to_string())
}
