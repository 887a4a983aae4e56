//! The description of a game besides its moves: board, pieces, properties, conventions.

use crate::{Board, Chance, Diagram, Piece, PieceSet, Side, Stacks};

/// Everything about a game that front ends show and texts are written in.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The game's name.
    pub name: String,
    /// 1 or 2.
    pub players: u8,
    /// The board.
    pub board: Board,
    /// The pieces; entry 0 is the empty field.
    pub pieces: Vec<PieceInfo>,
    /// Board, player and field properties.
    pub properties: Vec<Property>,
    /// What positions say about chance; nothing in games without.
    pub chance: Option<Chance>,
    /// The rule for a player without a move.
    pub no_moves: NoMoves,
    /// The rule for a position that comes back.
    pub repetition: Repetition,
    /// The styles in which moves are written, the preferred one first; empty for the generic form.
    pub notation: Vec<NotationStyle>,
    /// How fields hold several pieces, if they can.
    pub stacks: Option<Stacks>,
    /// Hints for drawing.
    pub looks: Looks,
    /// Where a game starts.
    pub initial: Diagram,
}

/// A piece: kind and owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceInfo {
    /// The kind's name, the same for both owners.
    pub name: String,
    /// Whose it is; nobody's if neutral.
    pub side: Option<Side>,
    /// The sign in texts and pictures.
    pub symbol: char,
    /// A glyph to draw instead of the sign.
    pub glyph: Option<String>,
    /// A colour to draw it in.
    pub colour: Option<String>,
}

/// A named integer that belongs to the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// To what it belongs.
    pub scope: Scope,
    /// Least value, and the value where nothing is said.
    pub low: i32,
    /// Greatest value.
    pub high: i32,
    /// Whether it is part of a position's identity.
    pub hashed: bool,
    /// Where its values stand among [`Diagram::values`]: one, one for each side, or one for each field.
    pub offset: usize,
}

/// To what a property belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One value.
    Board,
    /// One value for each player, White's first.
    Player,
    /// One value for each field.
    Field,
}

/// The rule for a player without a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMoves {
    /// The player has lost.
    Loss,
    /// The game is drawn.
    Draw,
    /// The player passes if the opponent can move; otherwise the game is over.
    Pass,
    /// The rules are wrong.
    Error,
}

/// The rule for a position that comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Nothing.
    Ignored,
    /// The game is drawn at that occurrence.
    Draw(u32),
    /// The player who made that occurrence has won.
    Win(u32),
    /// The player who made that occurrence has lost.
    Loss(u32),
    /// At that occurrence the game ends as its rules say, see [`crate::Game::judge`].
    Judge(u32),
    /// Such a move is not legal.
    Forbidden,
}

/// A way to write moves that players of a game know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotationStyle {
    /// `e2e4`, `e7e8q`: origin, target, promotion.
    Uci,
    /// `Nf3`, `exd5`, `O-O`, `e8=Q`: short algebraic notation of chess.
    Algebraic,
    /// `11-15`, `22x15`: numbered dark fields, as in draughts.
    Pdn,
    /// `a2-a3`, `a2xb3`, `a1`, `a1xb3`: origin, target or placement, and what was taken.
    Coordinates,
    /// `d`: the column a piece was dropped in.
    Column,
    /// `up`, `left`: where the piece went.
    Shift,
    /// `l`, `u`, `r`, `d`, and capitals where something is pushed, as in Sokoban.
    Lurd,
    /// `7g7f`, `8h2b+`, `P*5e`: columns numbered from the right, rows lettered from the top, as in shogi.
    Usi,
    /// `h2e2`: columns lettered from the left, rows numbered from 0, as in xiangqi.
    Iccs,
    /// FEN for positions, with the names of its properties.
    Fen(FenProperties),
}

/// The styles that need no properties, by their names.
const PLAIN_STYLES: [(&str, NotationStyle); 9] = [
    ("uci", NotationStyle::Uci),
    ("algebraic", NotationStyle::Algebraic),
    ("pdn", NotationStyle::Pdn),
    ("coordinates", NotationStyle::Coordinates),
    ("column", NotationStyle::Column),
    ("shift", NotationStyle::Shift),
    ("lurd", NotationStyle::Lurd),
    ("usi", NotationStyle::Usi),
    ("iccs", NotationStyle::Iccs),
];

impl NotationStyle {
    /// The style of that name, if it needs no properties: all but `fen`.
    pub fn plain(name: &str) -> Option<NotationStyle> {
        PLAIN_STYLES.iter().find(|(known, _)| *known == name).map(|(_, style)| style.clone())
    }

    /// The name in rules.
    pub fn name(&self) -> &'static str {
        PLAIN_STYLES.iter().find(|(_, style)| style == self).map_or("fen", |(name, _)| name)
    }
}

/// The names of the properties behind the fields of a FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenProperties {
    /// Player property: may castle on the king's side.
    pub king_side: String,
    /// Player property: may castle on the queen's side.
    pub queen_side: String,
    /// Board property: the column of the pawn that may be taken en passant as the mover sees it, or 0.
    pub en_passant: String,
    /// Board property: half moves since the last capture or pawn move.
    pub half_moves: String,
}

/// Hints for drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// `chequered`, `plain`, `lines`, `holes`; nothing leaves it to the front end.
    pub fields: Option<String>,
}

impl Description {
    /// Number of values in a [`Diagram`].
    pub fn value_count(&self) -> usize {
        self.properties.last().map_or(0, |p| p.offset + p.length(&self.board))
    }

    /// The property of that name.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// The piece drawn with that sign.
    pub fn piece_of_symbol(&self, symbol: char) -> Option<Piece> {
        (1..self.pieces.len()).find(|&p| self.pieces[p].symbol == symbol).map(|p| Piece(p as u8))
    }

    /// Everything known about a piece.
    pub fn piece(&self, piece: Piece) -> &PieceInfo {
        &self.pieces[piece.index()]
    }

    /// The pieces of one player.
    pub fn pieces_of(&self, side: Side) -> PieceSet {
        (1..self.pieces.len())
            .filter(|&p| self.pieces[p].side == Some(side))
            .map(|p| Piece(p as u8))
            .collect()
    }

    /// The same kind of piece of the other player; itself if there is none.
    pub fn counterpart(&self, piece: Piece) -> Piece {
        let own = self.piece(piece);
        let Some(side) = own.side else { return piece };
        let same = |info: &PieceInfo| info.name == own.name && info.side == Some(side.opponent());
        self.pieces.iter().position(same).map_or(piece, |found| Piece(found as u8))
    }

    /// Whether a piece has a digit for a sign, so that digits cannot count empty fields in texts.
    pub fn uses_digits(&self) -> bool {
        self.pieces.iter().any(|piece| piece.symbol.is_ascii_digit())
    }

    /// `white queen`, `taken`: the piece as people say it; a puzzle's pieces need no owner.
    pub fn piece_name(&self, piece: Piece) -> String {
        let info = self.piece(piece);
        match info.side {
            Some(side) if self.players == 2 => format!("{side} {}", info.name),
            _ => info.name.clone(),
        }
    }
}

impl Property {
    /// Number of values.
    pub fn length(&self, board: &Board) -> usize {
        match self.scope {
            Scope::Board => 1,
            Scope::Player => 2,
            Scope::Field => board.size(),
        }
    }
}

impl PieceInfo {
    /// The entry for the empty field.
    pub fn none() -> PieceInfo {
        PieceInfo { name: "empty field".to_string(), side: None, symbol: '.', glyph: None, colour: None }
    }
}
