//! Which move to try first: what the tables that learn during a search say, put together into one score.

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The better, the earlier it is tried.
    pub score: i64,
    /// The key of the move.
    pub key: u64,
    /// Its place in the list of moves.
    pub index: u32,
    /// What it takes, where that tells whether it is quiet; see [`crate::Evaluator::gain`].
    pub gain: Option<i32>,
    /// How promising it looks by itself.
    pub priority: i32,
    /// How it did when it was tried elsewhere, where that is kept; see [`crate::Options::merits`].
    pub merit: i32,
}

impl Choice {
    /// A move about which nothing is known.
    pub(crate) fn of_index(index: usize) -> Choice {
        Choice { score: 0, key: 0, index: index as u32, gain: None, priority: 0, merit: 0 }
    }

    /// Whether more than history speaks for the move: it is the table's, on a refutation line, promising by itself
    /// (a good capture) or a killer.
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
    /// From so many replies on it does not matter how many there are.
    pub const MANY_REPLIES: i64 = 1 << 9;
    /// What replies and evaluation say about a move, above history counts; twice the most stays below [`PROMISING`].
    pub const POINT: i64 = 1 << 30;
    pub const MOST_POINTS: i64 = 1 << 18;
    pub const HISTORY: i64 = 0;
    pub const LOSING: i64 = -(1 << 40);
}

/// Brings the best choice from `number` on to that place. Most nodes need only the first few, so nothing is sorted;
/// equal ones keep the order of generation.
#[inline]
pub(crate) fn pick(choices: &mut [Choice], number: usize) -> Choice {
    let mut best = number;
    for other in number + 1..choices.len() {
        if choices[other].score > choices[best].score {
            best = other;
        }
    }
    choices[number..=best].rotate_right(1);
    choices[number]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_the_best_and_keeps_the_order_of_equals() {
        let scores = [3, 9, 3, 9, 5];
        let choice = |(index, score)| Choice { score, ..Choice::of_index(index) };
        let mut choices: Vec<Choice> = scores.into_iter().enumerate().map(choice).collect();
        let order: Vec<u32> = (0..5).map(|number| pick(&mut choices, number).index).collect();
        assert_eq!(order, [1, 3, 4, 0, 2]);
    }
}
