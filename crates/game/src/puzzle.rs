//! Facts about a puzzle that its rules show without being run.

use crate::{Field, Piece, PieceSet};

/// A puzzle with one goal position, as far as pieces go; whether there are properties, the description tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The content of each field in the solved position, holes included.
    pub goal: Vec<Piece>,
    /// The sets of pieces that the rules for moves ask for: pieces that are in the same ones move alike.
    pub asked: Vec<PieceSet>,
    /// Abstractions declared in the rules.
    pub abstractions: Vec<Abstraction>,
    /// Ways to turn or reflect the board of which the moves are proved to take no notice: where each field
    /// goes.
    pub turns: Vec<Vec<Field>>,
}

/// Another look of a puzzle: with its fields turned and its pieces exchanged it is the same puzzle, goal
/// included. So a position and its image need the same number of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Where each field goes.
    pub fields: Vec<Field>,
    /// Each piece of the goal, and the piece that it becomes.
    pub pieces: Vec<(Piece, Piece)>,
}

/// A view of a puzzle that tells only some pieces apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abstraction {
    /// Its name.
    pub name: String,
    /// The pieces that are told apart; all others look the same.
    pub kept: PieceSet,
}

impl Puzzle {
    /// All other looks: turns of the board that take the goal to itself once pieces are exchanged that move
    /// alike.
    pub fn images(&self) -> Vec<Image> {
        self.turns.iter().filter_map(|turn| self.image(turn)).collect()
    }

    fn image(&self, turn: &[Field]) -> Option<Image> {
        let mut pieces: Vec<(Piece, Piece)> = Vec::new();
        for (field, &piece) in turn.iter().zip(&self.goal) {
            let becomes = self.goal[field.index()];
            match pieces.iter().find(|(known, other)| *known == piece || *other == becomes) {
                Some(&known) if known != (piece, becomes) => return None,
                Some(_) => {}
                None => pieces.push((piece, becomes)),
            }
        }
        let alike = |piece, other| self.asked.iter().all(|set| set.contains(piece) == set.contains(other));
        let known = |&(piece, other): &(Piece, Piece)| {
            piece == other || piece != Piece::NONE && other != Piece::NONE && alike(piece, other)
        };
        pieces.iter().all(known).then_some(Image { fields: turn.to_vec(), pieces })
    }

    /// Whether the rules for moves treat some pieces alike.
    pub fn move_alike(&self, pieces: PieceSet) -> bool {
        self.asked.iter().all(|asked| {
            let among = pieces.iter().filter(|&piece| asked.contains(piece)).count();
            among == 0 || among == pieces.len()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_keep_the_goal_and_what_moves_ask_for() {
        let turns = vec![[0, 2, 1, 3].map(Field).to_vec(), [3, 2, 1, 0].map(Field).to_vec()];
        let goal = [0, 1, 2, 3].map(Piece).to_vec();
        let mut puzzle = Puzzle { goal, asked: Vec::new(), abstractions: Vec::new(), turns };
        let pieces = [(0, 0), (1, 2), (2, 1), (3, 3)].map(|(one, other)| (Piece(one), Piece(other)));
        assert_eq!(puzzle.images(), [Image { fields: puzzle.turns[0].clone(), pieces: pieces.to_vec() }]);
        puzzle.asked = vec![PieceSet::of(Piece(1))];
        assert!(puzzle.images().is_empty(), "1 and 2 move in different ways");
        puzzle.asked.clear();
        puzzle.goal[3] = Piece(1);
        assert!(puzzle.images().is_empty(), "1 would become 2 and 1");
    }
}
