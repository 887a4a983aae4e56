//! Chess by `cozy-chess`: the fastest move generator in Rust that is published as a library.
//!
//! It is the only game here that we did not write: chess generators are an art of their own, and a yardstick
//! of ours would be a poor one.

use std::ops::ControlFlow;

use cozy_chess::{Board, BoardBuilder, Color, File, Move, Piece as Kind, Rank, Square};
use multigame_game::{
    Description, Diagram, FenProperties, Looks, NoMoves, NotationStyle, Outcome, Piece, Property, Repetition,
    Scope, Side,
};

use crate::by_hand::{ByHand, HandWritten};
use crate::describe::{diagram_of, lost, mix, square, starting};

/// Half moves without progress after which the game is drawn.
const MOST_QUIET: u8 = 100;

/// Chess.
pub type Chess = ByHand<Rules>;

/// The rules of chess.
#[derive(Debug)]
pub struct Rules;

/// A position of [`Chess`].
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    board: Board,
    irreversible: bool,
}

fn side(color: Color) -> Side {
    if color == Color::White { Side::White } else { Side::Black }
}

fn color(side: Side) -> Color {
    if side == Side::White { Color::White } else { Color::Black }
}

/// A column as the player to move sees it, from 1: Black looks from the other side.
fn seen(side: Side, file: File) -> i32 {
    let column = file as i32 + 1;
    if side == Side::White { column } else { 9 - column }
}

/// The column of the pawn that may be taken en passant, if a legal move does it; else 0.
fn en_passant(board: &Board) -> i32 {
    let Some(file) = board.en_passant() else { return 0 };
    let target = Square::new(file, Rank::Sixth.relative_to(board.side_to_move()));
    let pawns = board.colored_pieces(board.side_to_move(), Kind::Pawn);
    let legal = board.generate_moves_for(pawns, |moves| moves.to.has(target) && moves.from.file() != file);
    if legal { seen(side(board.side_to_move()), file) } else { 0 }
}

fn properties() -> Vec<Property> {
    let property = |name: &str, scope, high, hashed, offset| Property {
        name: name.to_string(),
        scope,
        low: 0,
        high,
        hashed,
        offset,
    };
    vec![
        property("king_side", Scope::Player, 1, true, 0),
        property("queen_side", Scope::Player, 1, true, 2),
        property("en_passant", Scope::Board, 8, true, 4),
        property("quiet", Scope::Board, i32::from(MOST_QUIET), false, 5),
    ]
}

impl HandWritten for Rules {
    type Position = Position;
    type Move = Move;

    fn description() -> Description {
        let kinds = [
            ("pawn", ['P', 'p'], Some(["♙", "♟"])),
            ("knight", ['N', 'n'], Some(["♘", "♞"])),
            ("bishop", ['B', 'b'], Some(["♗", "♝"])),
            ("rook", ['R', 'r'], Some(["♖", "♜"])),
            ("queen", ['Q', 'q'], Some(["♕", "♛"])),
            ("king", ['K', 'k'], Some(["♔", "♚"])),
        ];
        let fen = FenProperties {
            king_side: "king_side".to_string(),
            queen_side: "queen_side".to_string(),
            en_passant: "en_passant".to_string(),
            half_moves: "quiet".to_string(),
        };
        let board = Description {
            properties: properties(),
            chance: None,
            no_moves: NoMoves::Error,
            repetition: Repetition::Draw(3),
            notation: vec![NotationStyle::Uci, NotationStyle::Algebraic, NotationStyle::Fen(fen)],
            looks: Looks { fields: Some("chequered".to_string()) },
            ..square("chess", 8, 8, true, &kinds)
        };
        starting(board, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    }

    /// Positions that cannot arise (no king, the opponent in check) become the initial one.
    fn read(diagram: &Diagram) -> Position {
        let mut builder = BoardBuilder::empty();
        for (field, piece) in diagram.cells.iter().enumerate().filter(|(_, piece)| **piece != Piece::NONE) {
            let (kind, owner) = ((piece.index() - 1) / 2, (piece.index() - 1) % 2);
            builder.board[field] = Some((Kind::index(kind), Color::index(owner)));
        }
        builder.side_to_move = color(diagram.side);
        for owner in [Color::White, Color::Black] {
            let rights = &mut builder.castle_rights[owner as usize];
            rights.short = (diagram.values[owner as usize] != 0).then_some(File::H);
            rights.long = (diagram.values[2 + owner as usize] != 0).then_some(File::A);
        }
        let column = diagram.values[4];
        builder.en_passant = (column != 0).then(|| {
            let column = if diagram.side == Side::White { column } else { 9 - column };
            Square::new(File::index(column as usize - 1), Rank::Sixth.relative_to(builder.side_to_move))
        });
        builder.halfmove_clock = diagram.values[5] as u8;
        Position { board: builder.build().unwrap_or_default(), irreversible: false }
    }

    fn show(position: &Position) -> Diagram {
        let board = &position.board;
        let boards: Vec<u64> = Kind::ALL
            .iter()
            .flat_map(|kind| [Color::White, Color::Black].map(|owner| board.colored_pieces(owner, *kind).0))
            .collect();
        let rights = [Color::White, Color::Black].map(|owner| board.castle_rights(owner));
        let short = rights.map(|rights| i32::from(rights.short.is_some()));
        let long = rights.map(|rights| i32::from(rights.long.is_some()));
        let values = [short, long, [en_passant(board), i32::from(board.halfmove_clock())]].concat();
        diagram_of(&boards, values, side(board.side_to_move()))
    }

    fn side(position: &Position) -> Side {
        side(position.board.side_to_move())
    }

    fn signature(position: &Position) -> u64 {
        position.board.hash()
    }

    fn irreversible(position: &Position) -> bool {
        position.irreversible
    }

    fn each(position: &Position, mut take: impl FnMut(Move) -> ControlFlow<()>) -> Option<Outcome> {
        let board = &position.board;
        let drawn = board.halfmove_clock() == MOST_QUIET;
        let mut any = false;
        board.generate_moves(|moves| {
            any = true;
            drawn || moves.into_iter().any(|mv| take(mv).is_break())
        });
        match any {
            true if drawn => Some(Outcome::Draw),
            true => None,
            false if board.checkers().is_empty() => Some(Outcome::Draw),
            false => Some(lost(side(board.side_to_move()))),
        }
    }

    fn count(position: &Position) -> u64 {
        if position.board.halfmove_clock() == MOST_QUIET {
            return 0;
        }
        let mut count = 0;
        position.board.generate_moves(|moves| {
            count += moves.len() as u64;
            false
        });
        count
    }

    fn play(position: &Position, mv: Move) -> Position {
        let mut board = position.board.clone();
        let castles = board.color_on(mv.to) == Some(board.side_to_move());
        board.play_unchecked(mv);
        let irreversible = castles || board.halfmove_clock() == 0;
        Position { board, irreversible }
    }

    fn key(mv: Move) -> u64 {
        let promotion = mv.promotion.map_or(0, |kind| 1 + kind as u64);
        mix(1 + mv.from as u64 + 64 * mv.to as u64 + 4096 * promotion)
    }
}
