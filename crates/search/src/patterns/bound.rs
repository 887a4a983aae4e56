//! Several databases as one lower bound.

use multigame_game::Game;

use super::{Costs, Pattern};
use crate::{Evaluator, Value};

/// The lower bound of several databases: those that count only their own moves and share no piece are added, and the
/// greatest sum counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LowerBound {
    /// Databases whose numbers are added.
    families: Vec<Vec<Pattern>>,
}

impl LowerBound {
    /// Groups databases; the first group that one fits into takes it.
    pub fn new(patterns: Vec<Pattern>) -> LowerBound {
        let mut families: Vec<Vec<Pattern>> = Vec::new();
        for pattern in patterns {
            let fits = |family: &&mut Vec<Pattern>| {
                pattern.costs() == Costs::Own
                    && family.iter().all(|other| other.costs() == Costs::Own && other.is_disjoint(&pattern))
            };
            match families.iter_mut().find(fits) {
                Some(family) => family.push(pattern),
                None => families.push(vec![pattern]),
            }
        }
        LowerBound { families }
    }

    /// The databases whose numbers are added, for each group.
    pub fn families(&self) -> &[Vec<Pattern>] {
        &self.families
    }

    /// A number of moves that are certainly needed.
    #[inline]
    pub fn of<G: Game>(&self, game: &G, position: &G::Position) -> u32 {
        let sum = |family: &Vec<Pattern>| family.iter().map(|pattern| pattern.bound(game, position)).sum();
        self.families.iter().map(sum).max().unwrap_or(0)
    }
}

/// For solving puzzles: it judges nothing.
impl<G: Game> Evaluator<G> for LowerBound {
    fn evaluate(&self, _game: &G, _position: &G::Position) -> Value {
        Value::DRAW
    }

    fn lower_bound(&self, game: &G, position: &G::Position) -> u32 {
        self.of(game, position)
    }
}
