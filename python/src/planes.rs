//! Positions as tensors: planes of the size of the board, the same for every position of a game.
//!
//! A plane for each piece, with 1 where it stands; for games of two players a plane of ones where Black is to
//! move; a plane for each board property, two for each player property (White's first), and one for each
//! field property. Properties are counted from their least value and scaled down if they do not fit a byte.

use multigame_game::{Description, Game, Piece, Property, Scope, Side};

/// The names of the planes.
pub fn names(description: &Description) -> Vec<String> {
    let pieces = (1..description.pieces.len()).map(|piece| description.piece_name(Piece(piece as u8)));
    let mut names: Vec<String> = pieces.collect();
    if description.players == 2 {
        names.push("black to move".to_string());
    }
    for property in &description.properties {
        match property.scope {
            Scope::Board | Scope::Field => names.push(property.name.clone()),
            Scope::Player => {
                names.extend(Side::BOTH.map(|side| format!("{} of {side}", property.name)));
            }
        }
    }
    names
}

/// Writes the planes of a position, which must be zero: rows from White's first on.
pub fn write<G: Game>(game: &G, position: &G::Position, planes: &mut [u8]) {
    let description = game.description();
    let size = description.board.size();
    game.for_each_piece(position, |piece, field| planes[(piece.index() - 1) * size + field] = 1);
    let mut rest = planes[(description.pieces.len() - 1) * size..].chunks_mut(size);
    if description.players == 2
        && let Some(plane) = rest.next()
    {
        plane.fill(u8::from(game.side_to_move(position) == Side::Black));
    }
    for property in &description.properties {
        let value = |number: usize| scaled(property, game.value(position, property.offset + number));
        match property.scope {
            Scope::Board => rest.by_ref().take(1).for_each(|plane| plane.fill(value(0))),
            Scope::Player => {
                rest.by_ref().take(2).enumerate().for_each(|(side, plane)| plane.fill(value(side)));
            }
            Scope::Field => {
                let cells = rest.by_ref().take(1).flat_map(|plane| plane.iter_mut().enumerate());
                cells.for_each(|(field, cell)| *cell = value(field));
            }
        }
    }
}

/// A property's value as a byte.
fn scaled(property: &Property, value: i32) -> u8 {
    let (above, range) =
        (i64::from(value) - i64::from(property.low), i64::from(property.high) - i64::from(property.low));
    let scaled = if range > 255 { above * 255 / range } else { above };
    scaled.clamp(0, 255) as u8
}
