//! Which move to try first: what the tables that learn during a search say, put together into one score.

use serde::{Deserialize, Serialize};

mod history;
mod killers;
mod merits;
mod moves;
mod refutation;

pub(crate) use history::HistoryTable;
pub use killers::Killer;
pub(crate) use killers::Killers;
pub(crate) use merits::{LIMIT as MOST_MERIT, Merits, reply};
pub(crate) use refutation::Refutations;

/// A move of a list with its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The better, the earlier it is tried.
    pub score: i64,
    /// The key of the move.
    pub key: u64,
    /// Its place in the list of moves.
    pub index: u32,
    /// The captured material, where that tells whether it is quiet; see [`crate::Evaluator::gain`].
    pub gain: Option<i32>,
    /// The promise by itself.
    pub priority: i32,
    /// The success elsewhere, where that is kept; see [`crate::Options::merits`].
    pub merit: i32,
}

impl Choice {
    /// A move about which nothing is known.
    pub(crate) fn of_index(index: usize) -> Choice {
        Choice { score: 0, key: 0, index: index as u32, gain: None, priority: 0, merit: 0 }
    }

    /// Whether more than history speaks for the move: it is the table's, on a refutation line, promising by
    /// itself (a good capture) or a killer.
    pub fn is_promising(&self) -> bool {
        self.score >= stage::KILLER
    }
}

/// The stages of move ordering, best first: winning at once, refutation line, table move, promising,
/// killers, history, doubtful, losing at once.
pub(crate) mod stage {
    pub const WINNING: i64 = 1 << 53;
    pub const LINE: i64 = 1 << 52;
    pub const TABLE: i64 = 1 << 51;
    pub const PROMISING: i64 = 1 << 50;
    pub const KILLER: i64 = 1 << 40;
    /// From this many replies on, their number does not matter.
    pub const MANY_REPLIES: i64 = 1 << 9;
    /// The weight of replies and evaluation of a move, above history counts; twice the most stays below
    /// [`PROMISING`].
    pub const POINT: i64 = 1 << 30;
    pub const MOST_POINTS: i64 = 1 << 18;
    pub const HISTORY: i64 = 0;
    pub const LOSING: i64 = -(1 << 40);
}

/// The moves of a node, the best ones brought to the front as they are asked for; equal ones keep the order
/// of generation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choices {
    all: Vec<Choice>,
    /// Number of moves that are in their places.
    picked: usize,
    /// Whether one of them ends the game.
    endings: bool,
}

impl Choices {
    /// Most nodes need only the first few moves, so these are looked for one by one; who asks for more needs
    /// nearly all.
    const FEW: usize = 6;

    pub fn clear(&mut self) {
        self.all.clear();
        (self.picked, self.endings) = (0, false);
    }

    /// One of the moves that have been or will be added ends the game.
    pub fn has_ending(&mut self) {
        self.endings = true;
    }

    /// Whether one of the moves ends the game.
    pub fn may_end_the_game(&self) -> bool {
        self.endings
    }

    #[inline]
    pub fn push(&mut self, choice: Choice) {
        self.all.push(choice);
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// All of them, to be given other scores.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Choice> {
        self.picked = 0;
        self.all.iter_mut()
    }

    /// Those that come after this many.
    pub fn from(&self, number: usize) -> &[Choice] {
        &self.all[number.min(self.all.len())..]
    }

    /// Becomes a copy without taking memory if there is enough.
    pub fn copy(&mut self, other: &Choices) {
        self.all.clone_from(&other.all);
        (self.picked, self.endings) = (other.picked, other.endings);
    }

    /// The choice at a place, which must be one of theirs.
    #[inline]
    pub fn pick(&mut self, number: usize) -> Choice {
        while self.picked <= number && self.picked < self.all.len() {
            if self.picked < Self::FEW {
                let rest = &mut self.all[self.picked..];
                let mut best = 0;
                for other in 1..rest.len() {
                    if rest[other].score > rest[best].score {
                        best = other;
                    }
                }
                rest[..=best].rotate_right(1);
                self.picked += 1;
            } else {
                self.all[self.picked..].sort_by_key(|choice| std::cmp::Reverse(choice.score));
                self.picked = self.all.len();
            }
        }
        self.all[number]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_the_best_and_keeps_the_order_of_equals() {
        let scores = [3, 9, 3, 9, 5, 3, 1, 4, 3];
        let mut choices = Choices::default();
        for (index, score) in scores.into_iter().enumerate() {
            choices.push(Choice { score, ..Choice::of_index(index) });
        }
        let order: Vec<u32> = (0..scores.len()).map(|number| choices.pick(number).index).collect();
        assert_eq!(order, [1, 3, 4, 7, 0, 2, 5, 8, 6]);
        let again: Vec<u32> = (0..scores.len()).map(|number| choices.pick(number).index).collect();
        assert_eq!(again, order);
    }

    #[test]
    fn choices_with_other_scores_are_picked_anew() {
        let mut choices = Choices::default();
        (0..3).for_each(|index| choices.push(Choice { score: -(index as i64), ..Choice::of_index(index) }));
        assert_eq!(choices.pick(0).index, 0);
        choices.iter_mut().for_each(|choice| choice.score = -choice.score);
        assert_eq!([0, 1, 2].map(|number| choices.pick(number).index), [2, 1, 0]);
    }
}
