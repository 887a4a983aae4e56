//! The changes of a move on the board, and the generic form of writing it.

use crate::{Board, Description, Diagram, Field, Piece, Scope};

/// The difference between two boards, as people describe it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// A piece that left one field and is now on another.
    pub moved: Vec<(Field, Field)>,
    /// Fields that hold a piece that came from nowhere.
    pub placed: Vec<(Field, Piece)>,
    /// Fields that are empty now and whose piece went nowhere.
    pub removed: Vec<Field>,
    /// Fields whose stack lost pieces, which went nowhere else, and still has some.
    pub lowered: Vec<Field>,
}

impl Delta {
    /// From one board to another.
    pub fn between(description: &Description, before: &Diagram, after: &Diagram) -> Delta {
        let board = &description.board;
        if description.stacks.is_some()
            && let Some(delta) = Delta::between_stacks(description, before, after)
        {
            return delta;
        }
        let changed: Vec<Field> = (0..before.cells.len() as u16)
            .map(Field)
            .filter(|&field| before.piece(field) != after.piece(field))
            .collect();
        let mut delta = Delta::default();
        let mut used: Vec<Field> = Vec::new();
        for &to in changed.iter().filter(|&&field| after.piece(field) != Piece::NONE) {
            let same_piece = |&&from: &&Field| before.piece(from) == after.piece(to) && !used.contains(&from);
            // A field left empty is the likelier origin than one that was filled again, and who jumps over
            // its like comes from behind it.
            let sources = || changed.iter().filter(same_piece);
            let emptied = sources().filter(|from| after.piece(**from) == Piece::NONE);
            let source = emptied
                .max_by_key(|from| (distance(board, **from, to), std::cmp::Reverse(from.0)))
                .or_else(|| sources().next());
            match source.copied() {
                Some(from) => {
                    used.push(from);
                    delta.moved.push((from, to));
                }
                None => delta.placed.push((to, after.piece(to))),
            }
        }
        let gone = |field: &&Field| after.piece(**field) == Piece::NONE && !used.contains(field);
        delta.removed = changed.iter().filter(gone).copied().collect();
        delta
    }

    /// A stack, or its upper part, that went from one field to another, if that is what happened.
    fn between_stacks(description: &Description, before: &Diagram, after: &Diagram) -> Option<Delta> {
        let height = |diagram: &Diagram, field: Field| description.stack(diagram, field).len();
        let fields = || description.board.fields();
        let mut grown = fields().filter(|&field| height(after, field) > height(before, field));
        let (to, None) = (grown.next()?, grown.next()) else { return None };
        let shrunk: Vec<Field> =
            fields().filter(|&field| height(after, field) < height(before, field)).collect();
        let is_own = |field: &&Field| {
            description.piece(before.piece(**field)).side.is_none_or(|side| side == before.side)
        };
        let mut own = shrunk.iter().filter(is_own);
        let (&from, None) = (own.next()?, own.next()) else { return None };
        let others = || shrunk.iter().copied().filter(|&field| field != from);
        let emptied = |field: &Field| after.piece(*field) == Piece::NONE;
        Some(Delta {
            moved: vec![(from, to)],
            placed: Vec::new(),
            removed: others().filter(emptied).collect(),
            lowered: others().filter(|field| !emptied(field)).collect(),
        })
    }

    /// The piece that another one became on its way, if that is what happened.
    pub(super) fn promotion(&self) -> Option<Piece> {
        match (&self.moved[..], &self.placed[..]) {
            ([], [(_, piece)]) if !self.removed.is_empty() => Some(*piece),
            _ => None,
        }
    }

    /// The one piece that came from nowhere, if nothing else happened on the board.
    pub fn drop(&self) -> Option<(Field, Piece)> {
        match (&self.moved[..], &self.placed[..], &self.removed[..]) {
            ([], [only], []) => Some(*only),
            _ => None,
        }
    }

    /// `a3 -> c5; white queen -> e8; empty field -> b4`, or `pass`.
    pub(super) fn text(&self, description: &Description) -> String {
        let name = |field: Field| description.board.field_name(field);
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.moved.iter().map(|&(from, to)| format!("{} -> {}", name(from), name(to))));
        for &(field, piece) in &self.placed {
            parts.push(format!("{} -> {}", description.piece_name(piece), name(field)));
        }
        parts.extend(self.removed.iter().map(|&field| format!("empty field -> {}", name(field))));
        parts.extend(self.lowered.iter().map(|&field| format!("lower stack -> {}", name(field))));
        if parts.is_empty() { "pass".to_string() } else { parts.join("; ") }
    }
}

/// Number of steps between two fields of a square grid.
fn distance(board: &Board, from: Field, to: Field) -> u16 {
    board.column(from).abs_diff(board.column(to)).max(board.row(from).abs_diff(board.row(to)))
}

/// `; name = v` for each value that differs.
pub(super) fn value_text(description: &Description, before: &Diagram, after: &Diagram) -> String {
    let mut text = String::new();
    let signs = |diagram: &Diagram, field: Field| -> String {
        description.stack(diagram, field).iter().map(|&piece| description.piece(piece).symbol).collect()
    };
    for field in description.board.fields().filter(|_| description.stacks.is_some()) {
        let (old, new) = (signs(before, field), signs(after, field));
        if old != new {
            let new = if new.is_empty() { "empty field" } else { &new };
            text.push_str(&format!("; {} = {new}", description.board.field_name(field)));
        }
    }
    for property in description.shown_properties() {
        for index in 0..property.length(&description.board) {
            let (old, new) = (before.values[property.offset + index], after.values[property.offset + index]);
            if old == new {
                continue;
            }
            let owner = match property.scope {
                Scope::Board => String::new(),
                Scope::Player => format!("{} ", if index == 0 { "white" } else { "black" }),
                Scope::Field => format!("{} ", description.board.field_name(Field(index as u16))),
            };
            text.push_str(&format!("; {owner}{} = {new}", property.name));
        }
    }
    text
}

/// Reads the generic form into the board after the move: `pass`, or parts `from -> to`, `piece -> field`,
/// `empty field -> field` in any order, the owner of a piece optional.
pub(super) fn parse(description: &Description, before: &Diagram, text: &str) -> Option<Vec<Piece>> {
    let mut cells = before.cells.clone();
    if text == "pass" {
        return Some(cells);
    }
    let board = &description.board;
    let mut filled = Vec::new();
    for part in text.split(';') {
        let (what, target) = part.split_once("->")?;
        let (what, target) = (what.trim(), board.parse_field(target.trim())?);
        let piece = match board.parse_field(what) {
            Some(from) => {
                if !filled.contains(&from) {
                    cells[from.index()] = Piece::NONE;
                }
                before.piece(from)
            }
            None if what == "empty field" => Piece::NONE,
            None => named_piece(description, before, what)?,
        };
        cells[target.index()] = piece;
        filled.push(target);
    }
    Some(cells)
}

fn named_piece(description: &Description, before: &Diagram, name: &str) -> Option<Piece> {
    let pieces = || (1..description.pieces.len()).map(|number| Piece(number as u8));
    let exact = pieces().find(|&piece| description.piece_name(piece) == name);
    let own = |piece: &Piece| {
        let info = description.piece(*piece);
        info.name == name && info.side.is_none_or(|side| side == before.side)
    };
    exact.or_else(|| pieces().find(own))
}
