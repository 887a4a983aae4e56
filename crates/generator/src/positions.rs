//! Random positions: any contents, any values, either side to move.

use multigame_game::{Description, Diagram, Piece, Random, Side};

/// A random position of a game, reachable or not.
pub fn position(description: &Description, random: &mut Random) -> Diagram {
    let mut diagram = description.initial.clone();
    // A share of empty fields, so that there are crowded and lonely boards.
    let (empty, pieces) = (random.below(4), description.pieces.len());
    for field in description.board.fields() {
        let piece = if random.below(4) < empty { 0 } else { random.below(pieces) };
        let mut stack = Vec::new();
        if let Some(stacks) = description.stacks.as_ref().filter(|_| piece > 0) {
            let below = random.below(description.highest_stack());
            stack.extend((0..below).map(|_| stacks.covered[random.below(stacks.covered.len())]));
        }
        stack.extend(Some(Piece(piece as u8)).filter(|&piece| piece != Piece::NONE));
        description.put_stack(&mut diagram, field, &stack);
    }
    for property in description.shown_properties() {
        let range = property.high.abs_diff(property.low) as usize + 1;
        for value in &mut diagram.values[property.offset..][..property.length(&description.board)] {
            *value = property.low + random.below(range) as i32;
        }
    }
    // A puzzle has one player only.
    if description.players == 2 && random.below(2) == 1 {
        diagram.side = Side::Black;
    }
    diagram
}
