//! Common parts of descriptions and fingerprints of hand-written games.

use multigame_game::{
    Board, Description, Diagram, Looks, NoMoves, Outcome, Piece, PieceInfo, Repetition, Side, Topology,
    parse_position,
};

/// A kind of pieces: its name, White's and Black's sign, White's and Black's glyph.
pub(crate) type Kind = (&'static str, [char; 2], Option<[&'static str; 2]>);

/// A game of two players on a square board without holes, with nothing on it.
pub(crate) fn square(name: &str, columns: u16, rows: u16, turned: bool, kinds: &[Kind]) -> Description {
    let present = vec![true; usize::from(columns) * usize::from(rows)];
    let board = Board::grid(Topology::Square, columns, rows, present, turned).expect("a board of usual size");
    let mut pieces = vec![PieceInfo::none()];
    for (name, symbols, glyphs) in kinds {
        for side in Side::BOTH {
            pieces.push(PieceInfo {
                name: (*name).to_string(),
                side: Some(side),
                symbol: symbols[side.index()],
                glyph: glyphs.map(|glyphs| glyphs[side.index()].to_string()),
                colour: None,
            });
        }
    }
    let initial = Diagram { cells: vec![Piece::NONE; board.size()], values: Vec::new(), side: Side::White };
    Description {
        name: name.to_string(),
        players: 2,
        board,
        pieces,
        properties: Vec::new(),
        chance: None,
        no_moves: NoMoves::Loss,
        repetition: Repetition::Ignored,
        notation: Vec::new(),
        stacks: None,
        looks: Looks::default(),
        initial,
    }
}

/// The description with another initial position, given as text.
pub(crate) fn starting(mut description: Description, text: &str) -> Description {
    description.initial = parse_position(&description, text).expect("a text that was written for this game");
    description
}

/// The fields on which a piece stands.
pub(crate) fn fields_of(diagram: &Diagram, piece: Piece) -> u64 {
    let cells = diagram.cells.iter().enumerate();
    cells.filter(|(_, cell)| **cell == piece).fold(0, |set, (field, _)| set | 1 << field)
}

/// A diagram of 64 fields from the fields of each piece, the first piece's first.
pub(crate) fn diagram_of(boards: &[u64], values: Vec<i32>, side: Side) -> Diagram {
    let cell = |field: u32| {
        let standing = boards.iter().position(|board| board >> field & 1 != 0);
        standing.map_or(Piece::NONE, |board| Piece(board as u8 + 1))
    };
    Diagram { cells: (0..64).map(cell).collect(), values, side }
}

/// Scatters the bits of a word: a bijection whose every output bit depends on every input bit.
#[inline]
pub(crate) fn mix(word: u64) -> u64 {
    let mut word = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    word ^ word >> 29
}

/// The fingerprint of two words and the side to move.
#[inline]
pub(crate) fn fingerprint(first: u64, second: u64, side: Side) -> u64 {
    mix(mix(first).wrapping_add(second)) ^ side as u64
}

/// The opponent of the side to move has won.
#[inline]
pub(crate) fn lost(side: Side) -> Outcome {
    Outcome::Wins(side.opponent())
}
