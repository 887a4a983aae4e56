//! Positions and moves of the interpreter as bytes.
//!
//! A move of the interpreter is a list of changes; both are checked against the description before anything
//! is made of them.

use multigame_game::portable::{take_bool, take_i32, take_u8, take_u16, take_u64};
use multigame_game::{Description, Field, Game, Outcome, Piece, Portable, Side, Unreadable};
use smallvec::SmallVec;

use crate::game::{Change, RulesGame, RulesMove, RulesPosition};

impl Portable for RulesGame {
    fn pack_position(&self, position: &RulesPosition, bytes: &mut Vec<u8>) {
        bytes.extend(position.matter.cells.iter().map(|piece| piece.0));
        bytes.extend(position.matter.values.iter().flat_map(|value| value.to_le_bytes()));
        bytes.push(position.side.index() as u8);
        pack_outcome(position.outcome, bytes);
        bytes.push(u8::from(position.irreversible));
        bytes.extend(position.signature.to_le_bytes());
    }

    fn unpack_position(&self, bytes: &mut &[u8]) -> Result<RulesPosition, Unreadable> {
        let description = self.description();
        let mut position = self.initial();
        for cell in &mut position.matter.cells {
            *cell = take_piece(description, bytes)?;
        }
        for (slot, value) in position.matter.values.iter_mut().enumerate() {
            *value = take_value(description, slot, bytes)?;
        }
        position.side = Side::BOTH[usize::from(take_bool(bytes)?)];
        position.outcome = take_outcome(bytes)?;
        position.irreversible = take_bool(bytes)?;
        position.signature = take_u64(bytes)?;
        Ok(position)
    }

    fn pack_move(&self, mv: &RulesMove, bytes: &mut Vec<u8>) {
        bytes.extend((mv.changes.len() as u16).to_le_bytes());
        for change in &mv.changes {
            match *change {
                Change::Cell(field, piece) => {
                    bytes.push(0);
                    bytes.extend(field.0.to_le_bytes());
                    bytes.push(piece.0);
                }
                Change::Value(slot, value) => {
                    bytes.push(1);
                    bytes.extend(slot.to_le_bytes());
                    bytes.extend(value.to_le_bytes());
                }
            }
        }
        bytes.extend(mv.difference.to_le_bytes());
        bytes.extend(mv.key.to_le_bytes());
        pack_outcome(mv.outcome, bytes);
        bytes.extend([u8::from(mv.irreversible), u8::from(mv.passes_turn)]);
    }

    fn unpack_move(&self, bytes: &mut &[u8]) -> Result<RulesMove, Unreadable> {
        let count = take_u16(bytes)?;
        let mut changes = SmallVec::new();
        for _ in 0..count {
            changes.push(take_change(self.description(), bytes)?);
        }
        let (difference, key) = (take_u64(bytes)?, take_u64(bytes)?);
        let outcome = take_outcome(bytes)?;
        let (irreversible, passes_turn) = (take_bool(bytes)?, take_bool(bytes)?);
        Ok(RulesMove { changes, difference, key, outcome, irreversible, passes_turn })
    }
}

fn take_piece(description: &Description, bytes: &mut &[u8]) -> Result<Piece, Unreadable> {
    let piece = Piece(take_u8(bytes)?);
    if piece.index() < description.pieces.len() { Ok(piece) } else { Err(Unreadable("a piece")) }
}

fn take_value(description: &Description, slot: usize, bytes: &mut &[u8]) -> Result<i32, Unreadable> {
    let value = take_i32(bytes)?;
    let board = &description.board;
    let belongs = |offset: usize, length: usize| (offset..offset + length).contains(&slot);
    let property = description.properties.iter().find(|it| belongs(it.offset, it.length(board)));
    match property {
        Some(property) if (property.low..=property.high).contains(&value) => Ok(value),
        _ => Err(Unreadable("a value of a property")),
    }
}

fn take_change(description: &Description, bytes: &mut &[u8]) -> Result<Change, Unreadable> {
    let is_value = take_bool(bytes)?;
    let place = take_u16(bytes)?;
    if is_value {
        return take_value(description, usize::from(place), bytes).map(|value| Change::Value(place, value));
    }
    if usize::from(place) >= description.board.size() {
        return Err(Unreadable("a field"));
    }
    take_piece(description, bytes).map(|piece| Change::Cell(Field(place), piece))
}

fn pack_outcome(outcome: Option<Outcome>, bytes: &mut Vec<u8>) {
    let (kind, score) = match outcome {
        None => (0, 0),
        Some(Outcome::Wins(Side::White)) => (1, 0),
        Some(Outcome::Wins(Side::Black)) => (2, 0),
        Some(Outcome::Draw) => (3, 0),
        Some(Outcome::Score(score)) => (4, score),
    };
    bytes.push(kind);
    bytes.extend(score.to_le_bytes());
}

fn take_outcome(bytes: &mut &[u8]) -> Result<Option<Outcome>, Unreadable> {
    let (kind, score) = (take_u8(bytes)?, take_i32(bytes)?);
    Ok(match kind {
        0 => None,
        1 => Some(Outcome::Wins(Side::White)),
        2 => Some(Outcome::Wins(Side::Black)),
        3 => Some(Outcome::Draw),
        4 => Some(Outcome::Score(score)),
        _ => return Err(Unreadable("an outcome")),
    })
}
