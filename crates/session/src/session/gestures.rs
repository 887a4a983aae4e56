//! What somebody touches to make a move: clicks, the way of the piece, and what tells apart moves that share
//! them.
//!
//! A move is only known by the difference it makes. The interpreter tells in which order the rules change
//! fields (see [`multigame_ir::RulesGame::trails`]), which says what is moved, where it goes and what happens
//! elsewhere; without that order, guesses from the difference must do.

use std::collections::HashMap;

use multigame_game::notation::{Delta, stops};
use multigame_game::{Description, Diagram, Field, Piece, Scope};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// More fields than this beside the first ones are not a gesture.
const MOST_EXTRAS: usize = 2;
/// A keeper pushes a box, a peg jumps over another; what changes more fields of a puzzle turns a cube or
/// moves everything.
const MOST_CHANGED: usize = 3;
/// Where more pieces than this change their places, nobody can say which one was moved.
const MOST_JOURNEYS: usize = 2;

/// A move as clients see it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveInfo {
    /// Its name, unique in its position.
    pub name: String,
    /// The fields to click.
    pub clicks: Vec<String>,
    /// The way of the piece.
    pub path: Vec<String>,
    /// What tells it apart from moves with the same clicks.
    pub label: Option<String>,
    /// Fields whose piece is taken, the target not included.
    pub captured: Vec<String>,
    /// What is different afterwards.
    pub changes: Value,
}

/// A legal move before it becomes clicks.
#[derive(Debug)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// The position after it.
    pub after: Diagram,
}

/// What one move does, as fields.
#[derive(Debug, Default)]
struct Gesture {
    /// Origin and target, or the one field that matters; nothing if it cannot be told.
    primary: Vec<Field>,
    /// What else is changed, as far as it may be chosen: arrows, stones taken.
    extras: Vec<Field>,
    /// The way with all stops.
    path: Vec<Field>,
    captured: Vec<Field>,
}

/// The moves of a position as clients see them.
pub fn moves(
    description: &Description,
    before: &Diagram,
    candidates: &[Candidate],
    trails: &[(Diagram, Vec<Field>)],
) -> Vec<MoveInfo> {
    let mut trail_of: HashMap<&Diagram, &[Field]> = HashMap::with_capacity(trails.len());
    for (after, trail) in trails {
        trail_of.entry(after).or_insert(trail);
    }
    let gestures: Vec<Gesture> = candidates
        .iter()
        .map(|candidate| {
            let trail = trail_of.get(&candidate.after).copied().unwrap_or(&[]);
            gesture(description, before, &candidate.after, trail)
        })
        .collect();
    let clicks = shortest(&gestures);
    let labels = labels(description, before, candidates, &clicks);
    let board = &description.board;
    let names = |fields: &[Field]| fields.iter().map(|&field| board.field_name(field)).collect();
    let parts = candidates.iter().zip(&gestures).zip(&clicks).zip(labels);
    parts
        .map(|(((candidate, gesture), clicks), label)| MoveInfo {
            name: candidate.name.clone(),
            clicks: names(clicks),
            path: names(&gesture.path),
            label,
            captured: names(&gesture.captured),
            changes: changes(description, before, &candidate.after),
        })
        .collect()
}

fn gesture(description: &Description, before: &Diagram, after: &Diagram, trail: &[Field]) -> Gesture {
    let board = &description.board;
    let differs = |field: Field| match description.stacks {
        Some(_) => description.stack(before, field) != description.stack(after, field),
        None => before.piece(field) != after.piece(field),
    };
    let changed: Vec<Field> = board.fields().filter(|&field| differs(field)).collect();
    if description.players == 1 && changed.len() > MOST_CHANGED {
        return Gesture::default();
    }
    let delta = Delta::between(description, before, after);
    let primary = match changed.is_empty() {
        true => sown(description, before, after, trail).into_iter().collect(),
        // Several ways may lead there; people click what they see.
        false if changed.len() == 1 => changed.clone(),
        false => primary(description, before, after, trail, &delta),
    };
    let Some(&first) = primary.first() else { return Gesture::default() };
    let target = primary[primary.len() - 1];
    let captured: Vec<Field> = changed
        .iter()
        .copied()
        .filter(|&f| after.piece(f) == Piece::NONE && before.piece(f) != Piece::NONE && f != first)
        .collect();
    let mut extras: Vec<Field> = Vec::new();
    for (number, &field) in trail.iter().chain(&changed).enumerate() {
        // An arrow may hit the field that the piece has left: then the trail comes back to it.
        let comes_back = field == first
            && primary.len() == 2
            && (number > 1 || trail.is_empty())
            && after.piece(field) != Piece::NONE;
        let other = !primary.contains(&field) && changed.contains(&field);
        if (comes_back || other) && !extras.contains(&field) {
            extras.push(field);
        }
    }
    // Pieces that the move turns or pushes along are not a choice.
    if delta.moved.len() >= primary.len() {
        extras.clear();
    }
    let path = match primary[..] {
        [from, to] if !captured.is_empty() => {
            stops(board, before, from, to, &captured).unwrap_or(primary.clone())
        }
        _ => primary.clone(),
    };
    let path = if path.last() == Some(&target) { path } else { primary.clone() };
    Gesture { primary, extras, path, captured }
}

/// Origin and target of the piece that is moved, or the field where one is placed.
fn primary(
    description: &Description,
    before: &Diagram,
    after: &Diagram,
    trail: &[Field],
    delta: &Delta,
) -> Vec<Field> {
    let changed = |field: Field| before.piece(field) != after.piece(field);
    let is_own = |piece: Piece| {
        let side = description.piece(piece).side;
        piece != Piece::NONE && (description.players == 1 || side.is_none_or(|side| side == before.side))
    };
    let moves_own = |&&(from, _): &&(Field, Field)| is_own(before.piece(from));
    let is_king = |&&(from, _): &&(Field, Field)| {
        description.piece(before.piece(from)).symbol.eq_ignore_ascii_case(&'k')
    };
    let journeys: Vec<(Field, Field)> = delta.moved.iter().filter(moves_own).copied().collect();
    // When castling the king leads.
    if journeys.len() == MOST_JOURNEYS
        && let Some(&(from, to)) = journeys.iter().find(is_king)
    {
        return vec![from, to];
    }
    // A stack may look the same from above afterwards.
    if description.stacks.is_some()
        && let [(from, to)] = journeys[..]
    {
        return vec![from, to];
    }
    // A jump that comes back to where it began leaves its piece as it was.
    let first = trail.iter().copied().find(|&field| changed(field) || is_own(before.piece(field)));
    let arrivals = || {
        let mut fields = board_fields(description).filter(|&f| changed(f) && before.piece(f) == Piece::NONE);
        (fields.next(), fields.next())
    };
    let Some(first) = first else {
        return match (&journeys[..], arrivals()) {
            (&[(from, to)], _) => vec![from, to],
            (_, (Some(field), None)) => vec![field],
            _ => Vec::new(),
        };
    };
    if before.piece(first) == Piece::NONE {
        return vec![first];
    }
    if journeys.len() > MOST_JOURNEYS {
        return match arrivals() {
            (Some(field), None) => vec![field],
            _ => Vec::new(),
        };
    }
    if !is_own(before.piece(first)) {
        return vec![first];
    }
    let piece = before.piece(first);
    let lands = |field: Field| changed(field) && field != first && is_own(after.piece(field));
    let same = trail.iter().copied().find(|&field| lands(field) && after.piece(field) == piece);
    let other = || trail.iter().copied().find(|&field| lands(field));
    match same.or_else(other) {
        Some(to) => vec![first, to],
        None => vec![first],
    }
}

fn board_fields(description: &Description) -> impl Iterator<Item = Field> + '_ {
    description.board.fields()
}

/// Where values of fields change and no piece does: the field that the rules change first, such as the house
/// whose seeds are sown.
fn sown(description: &Description, before: &Diagram, after: &Diagram, trail: &[Field]) -> Option<Field> {
    let loss = |field: Field| -> i32 {
        let fields = description.properties.iter().filter(|property| property.scope == Scope::Field);
        let losses = fields.map(|p| {
            before.values[p.offset + field.index()].saturating_sub(after.values[p.offset + field.index()])
        });
        losses.max().unwrap_or(0)
    };
    let changes = |field: Field| {
        let fields = description.properties.iter().filter(|property| property.scope == Scope::Field);
        fields
            .into_iter()
            .any(|p| before.values[p.offset + field.index()] != after.values[p.offset + field.index()])
    };
    let by_trail = trail.first().copied();
    by_trail.or_else(|| description.board.fields().filter(|&f| changes(f)).max_by_key(|&f| loss(f)))
}

/// For each move as few clicks as leave no other move, beginning with its primary ones.
fn shortest(gestures: &[Gesture]) -> Vec<Vec<Field>> {
    let mut uses: HashMap<&[Field], u32> = HashMap::new();
    for gesture in gestures {
        *uses.entry(&gesture.primary).or_default() += 1;
    }
    let whole: Vec<Vec<Field>> = gestures
        .iter()
        .map(|gesture| {
            let mut whole = gesture.primary.clone();
            if whole.is_empty() || uses[&gesture.primary[..]] == 1 {
                return whole;
            }
            if gesture.path.len() > gesture.primary.len() {
                return gesture.path.clone();
            }
            if gesture.extras.len() <= MOST_EXTRAS {
                whole.extend(&gesture.extras);
            }
            whole
        })
        .collect();
    let mut prefixes: HashMap<&[Field], u32> = HashMap::new();
    for whole in &whole {
        for length in 1..=whole.len() {
            *prefixes.entry(&whole[..length]).or_default() += 1;
        }
    }
    let cut = |(whole, gesture): (&Vec<Field>, &Gesture)| {
        let least = gesture.primary.len().min(whole.len());
        let length = (least.max(1)..whole.len()).find(|&length| prefixes[&whole[..length]] == 1);
        whole[..length.unwrap_or(whole.len())].to_vec()
    };
    whole.iter().zip(gestures).map(cut).collect()
}

/// What tells apart the moves that share their clicks: the piece on the last field, values, or the whole
/// name.
fn labels(
    description: &Description,
    before: &Diagram,
    candidates: &[Candidate],
    clicks: &[Vec<Field>],
) -> Vec<Option<String>> {
    let mut groups: HashMap<&[Field], Vec<usize>> = HashMap::new();
    for (number, clicks) in clicks.iter().enumerate().filter(|(_, clicks)| !clicks.is_empty()) {
        groups.entry(clicks).or_default().push(number);
    }
    let mut labels = vec![None; candidates.len()];
    for (clicks, group) in groups.into_iter().filter(|(_, group)| group.len() > 1) {
        let last = clicks[clicks.len() - 1];
        let pieces: Vec<String> = group
            .iter()
            .map(|&number| description.piece(candidates[number].after.piece(last)).name.clone())
            .collect();
        let values: Vec<String> =
            group.iter().map(|&number| value_text(description, before, &candidates[number].after)).collect();
        for (place, &number) in group.iter().enumerate() {
            let label = [&pieces, &values]
                .into_iter()
                .find(|texts| all_different(texts))
                .map(|texts| texts[place].clone());
            labels[number] = Some(label.unwrap_or_else(|| candidates[number].name.clone()));
        }
    }
    labels
}

fn all_different(texts: &[String]) -> bool {
    let mut sorted: Vec<&String> = texts.iter().collect();
    sorted.sort();
    sorted.dedup();
    sorted.len() == texts.len() && sorted.iter().all(|text| !text.is_empty())
}

/// `given = 7`: the values of the board and the players that a move changes.
fn value_text(description: &Description, before: &Diagram, after: &Diagram) -> String {
    let mut parts = Vec::new();
    for property in description.properties.iter().filter(|property| property.scope != Scope::Field) {
        for index in property.offset..property.offset + property.length(&description.board) {
            if before.values[index] != after.values[index] {
                parts.push(format!("{} = {}", property.name, after.values[index]));
            }
        }
    }
    parts.join(", ")
}

/// The pieces and values that differ afterwards.
fn changes(description: &Description, before: &Diagram, after: &Diagram) -> Value {
    let board = &description.board;
    let cells: Map<String, Value> = board
        .fields()
        .filter(|&f| before.piece(f) != after.piece(f))
        .map(|f| (board.field_name(f), json!(after.piece(f).0)))
        .collect();
    let mut values = Map::new();
    for property in description.shown_properties() {
        let range = property.offset..property.offset + property.length(board);
        let (old, new) = (&before.values[range.clone()], &after.values[range]);
        if old == new {
            continue;
        }
        let value = match property.scope {
            Scope::Board => json!(new[0]),
            Scope::Player => json!(new),
            Scope::Field => board
                .fields()
                .filter(|f| old[f.index()] != new[f.index()])
                .map(|f| (board.field_name(f), json!(new[f.index()])))
                .collect::<Map<String, Value>>()
                .into(),
        };
        values.insert(property.name.clone(), value);
    }
    let mut changes = json!({"cells": cells, "values": values});
    let stack = |diagram, field| description.stack(diagram, field);
    let stacks: Map<String, Value> = board
        .fields()
        .filter(|&f| description.stacks.is_some() && stack(before, f) != stack(after, f))
        .map(|f| (board.field_name(f), json!(stack(after, f).iter().map(|p| p.0).collect::<Vec<_>>())))
        .collect();
    if !stacks.is_empty() {
        changes["stacks"] = stacks.into();
    }
    changes
}
