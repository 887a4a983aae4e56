//! Small games written by hand.

pub mod cycles;
pub mod drop;
pub mod eight;
pub mod nim;
pub mod tictactoe;
pub mod twin;

use multigame_game::*;

/// The description of a game whose positions need no text.
pub fn describe(
    name: &str,
    players: u8,
    columns: u16,
    rows: u16,
    pieces: &[(&str, Side, char)],
) -> Description {
    let size = usize::from(columns) * usize::from(rows);
    let mut infos = vec![PieceInfo::none()];
    for &(name, side, symbol) in pieces {
        infos.push(PieceInfo { name: name.into(), side: Some(side), symbol, ..PieceInfo::none() });
    }
    let board = Board::grid(Topology::Square, columns, rows, vec![true; size], false).unwrap();
    let initial = Diagram { cells: vec![Piece::NONE; size], values: Vec::new(), side: Side::White };
    Description {
        name: name.to_string(),
        players,
        board,
        pieces: infos,
        properties: Vec::new(),
        chance: None,
        no_moves: NoMoves::Draw,
        repetition: Repetition::Ignored,
        notation: Vec::new(),
        stacks: None,
        looks: Looks::default(),
        initial,
    }
}

/// A random number that depends on the input alone.
pub fn mix(input: u64) -> u64 {
    Random::new(input).next_u64()
}

/// The side with one stone less is to move.
pub fn side_after(stones: u32) -> Side {
    if stones.is_multiple_of(2) { Side::White } else { Side::Black }
}
