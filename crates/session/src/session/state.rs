//! A position as clients see it.

use multigame_game::{Description, Diagram, Outcome, Piece, Scope, position_text};
use multigame_player::outcome_text;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::gestures::MoveInfo;
use crate::describe::side_name;

/// What stands where: the part of a state that needs no game.
#[derive(Debug, Serialize)]
pub struct Picture {
    /// Who is to move.
    pub side: &'static str,
    /// The piece on each field that is not empty.
    pub cells: Map<String, Value>,
    /// The pieces on each field that holds several, the lowest first.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub stacks: Map<String, Value>,
    /// The value of each property.
    pub values: Map<String, Value>,
    /// The position as text.
    pub position: String,
}

/// A move that was made.
#[derive(Clone, Debug, Serialize)]
pub struct Played {
    /// The move.
    #[serde(flatten)]
    pub info: MoveInfo,
    /// Who made it.
    pub side: &'static str,
    /// What the position after it is worth to White, if that is known.
    pub value: Option<i32>,
    /// Milliseconds.
    pub time: u64,
}

/// The whole state but for `thinking`, which whoever hosts the session adds.
#[derive(Debug, Serialize)]
pub struct State<'s> {
    /// Grows with every change, so that clients know which of two states is newer.
    pub version: u64,
    /// Moves made on the way to the position.
    pub ply: usize,
    /// Moves known, those taken back included.
    pub length: usize,
    /// What stands where.
    #[serde(flatten)]
    pub picture: Picture,
    /// Where the game began.
    pub start: &'s str,
    /// The legal moves.
    pub moves: Vec<&'s MoveInfo>,
    /// The move that led here.
    pub last: Option<&'s Played>,
    /// All moves.
    pub history: &'s [Played],
    /// What databases know about the position and its moves.
    pub endgame: Option<&'s Value>,
    /// How the game ended.
    pub outcome: Option<Value>,
    /// The time left.
    pub clock: Option<Value>,
}

/// A diagram as clients see it.
pub fn picture(description: &Description, diagram: &Diagram) -> Picture {
    let board = &description.board;
    let filled = board.fields().filter(|&f| diagram.piece(f) != Piece::NONE);
    let cells = filled.map(|f| (board.field_name(f), json!(diagram.piece(f).0))).collect();
    let mut values = Map::new();
    for property in description.shown_properties() {
        let numbers = &diagram.values[property.offset..property.offset + property.length(board)];
        let value = match property.scope {
            Scope::Board => json!(numbers[0]),
            Scope::Player => json!(numbers),
            Scope::Field => {
                let fields = board.fields().filter(|f| numbers[f.index()] != property.low);
                let fields = fields.map(|f| (board.field_name(f), json!(numbers[f.index()])));
                Value::Object(fields.collect())
            }
        };
        values.insert(property.name.clone(), value);
    }
    let tall = board.fields().map(|field| (field, description.stack(diagram, field)));
    let tall = tall.filter(|(_, pieces)| pieces.len() > 1);
    let stacks = tall.map(|(field, pieces)| {
        (board.field_name(field), json!(pieces.iter().map(|piece| piece.0).collect::<Vec<_>>()))
    });
    let stacks = stacks.collect();
    let position = position_text(description, diagram);
    Picture { stacks, side: side_name(diagram.side), cells, values, position }
}

/// How a game ended and why.
pub fn outcome(description: &Description, outcome: Outcome, reason: &str) -> Value {
    json!({
        "winner": outcome.winner().map(side_name),
        "text": outcome_text(description, outcome),
        "reason": reason,
    })
}
