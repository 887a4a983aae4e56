//! The proofs of a search, as opposed to its beliefs.
//!
//! A search answers with [`Bounds`]: true for the depth it has searched and the evaluation it has used. Only
//! some of that holds for the game itself. [`Proved`] holds that part, and nothing but the engines can make
//! one: a front end that says who wins, that a solution is shortest or that there is none has to show a
//! `Proved` for it.
//!
//! **Invariant:** a `Proved` is true however the search ended. A deepening that was stopped, a depth limit
//! that was reached and a window that was too small only make it say less.
//!
//! # Why an Alpha-Beta answer proves something
//! - [`Found::complete`]: the bounds rest on finished games alone, so they are bounds of the game's value.
//! - Evaluations lie below every score, so a lower bound that is a score or a win rests on finished games as
//!   well, and so does an upper bound that is a score or a win of the opponent. Pruning keeps wins (it never
//!   cuts where alpha or beta is one), but null moves can invent scores.
//! - Without pruning every ending up to the depth was seen, so a win or a loss up to that depth is the
//!   shortest.
//!
//! Repetition limits this: the transposition table knows nothing of paths. Where a repeated position is
//! drawn, no proof of a win needs one, but a shorter win can be overlooked where the table remembers a draw
//! of another path. Where it is won, lost or forbidden, a bound can rest on a path that is not there;
//! [`Grounds`] says what is left.

use multigame_game::{Game, Outcome, Repetition, RulesError, Side};

use crate::kernel::Found;
use crate::puzzle::{NEVER, is_solution};
use crate::{Bounds, Options, RepetitionMode, Value};

/// The proved value of a root for the player to move: an interval that holds the value of the
/// game.
///
/// It is about the position without its past: games that were drawn by repetition of earlier positions are
/// not considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    bounds: Bounds,
}

impl Default for Proved {
    fn default() -> Self {
        Proved::NOTHING
    }
}

impl Proved {
    /// Nothing has been proved.
    pub const NOTHING: Proved = Proved { bounds: Bounds::UNKNOWN };

    /// For engines of this crate that compute with nothing but finished games.
    pub(crate) fn within(bounds: Bounds) -> Proved {
        Proved { bounds }
    }

    /// The proof in the answer of an Alpha-Beta search of the root to a depth; `found` may be that of a
    /// search that was stopped.
    pub fn of_search(found: Found, depth: u32, grounds: Grounds) -> Proved {
        let bounds = match grounds.trust {
            Trust::Nothing => Bounds::UNKNOWN,
            _ if found.complete => found.bounds,
            Trust::Complete => Bounds::UNKNOWN,
            Trust::Endings => decisive(found.bounds, depth, grounds),
        };
        Proved { bounds }
    }

    /// A solution of a puzzle, if the moves are one: they are played. For engines that have excluded all that
    /// are shorter.
    pub fn shortest<G: Game>(
        game: &G,
        root: &G::Position,
        moves: &[G::Move],
    ) -> Result<Option<Proved>, RulesError> {
        let value = Value::win_in(moves.len() as u32);
        Ok(solves(game, root, moves)?.then_some(Proved { bounds: Bounds::exact(value) }))
    }

    /// A solution of a puzzle, if the moves are one: they are played. There may be shorter ones.
    pub fn solution<G: Game>(
        game: &G,
        root: &G::Position,
        moves: &[G::Move],
    ) -> Result<Option<Proved>, RulesError> {
        let value = Value::win_in(moves.len() as u32);
        Ok(solves(game, root, moves)?.then_some(Proved { bounds: Bounds::at_least(value) }))
    }

    /// A puzzle takes at least this many moves; with [`NEVER`] it has no solution. For engines that have
    /// excluded all others.
    pub fn at_least_moves(least: u32) -> Proved {
        let bounds = match least {
            NEVER => Bounds::exact(-Value::WIN),
            least => Bounds::at_most(Value::win_in(least)),
        };
        Proved { bounds }
    }

    /// Both statements together.
    pub fn and(self, other: Proved) -> Proved {
        Proved { bounds: self.bounds.and(other.bounds) }
    }

    /// The interval.
    pub fn bounds(self) -> Bounds {
        self.bounds
    }

    /// Whether the player to move wins, if that is known: by a win outright or by a score.
    pub fn is_win(self) -> bool {
        self.bounds.lower >= Value::LEAST_SCORE
    }

    /// Whether the player to move loses, if that is known. A puzzle that is lost has no solution.
    pub fn is_loss(self) -> bool {
        self.bounds.upper <= -Value::LEAST_SCORE
    }

    /// Whether it is known to be a draw.
    pub fn is_draw(self) -> bool {
        self.bounds == Bounds::exact(Value::DRAW)
    }

    /// Whether the result with best play is known, though perhaps not how soon it comes about or by how much.
    pub fn decides(self) -> bool {
        self.is_win() || self.is_loss() || self.is_draw()
    }

    /// The winner where `side` is to move; nobody if it is a draw or not known.
    pub fn winner(self, side: Side) -> Option<Side> {
        match (self.is_win(), self.is_loss()) {
            (true, _) => Some(side),
            (_, true) => Some(side.opponent()),
            _ => None,
        }
    }

    /// The value, where exactly one is left.
    pub fn value(self) -> Option<Value> {
        self.bounds.is_exact().then_some(self.bounds.lower)
    }
}

/// The part of an answer that rests on finished games because no evaluation is worth as much.
fn decisive(bounds: Bounds, depth: u32, grounds: Grounds) -> Bounds {
    let least = if grounds.scores { Value::LEAST_SCORE } else { Value::LEAST_WIN };
    let finite = bounds.lower > -Value::INFINITE && bounds.lower < Value::INFINITE;
    let seen = finite && bounds.lower.plies().is_some_and(|plies| plies <= depth);
    if grounds.distances && bounds.is_exact() && seen {
        return bounds;
    }
    let mut proved = Bounds::UNKNOWN;
    if bounds.lower >= least && bounds.lower < Value::INFINITE {
        proved.lower = bounds.lower;
    }
    if bounds.upper <= -least && bounds.upper > -Value::INFINITE {
        proved.upper = bounds.upper;
    }
    proved
}

fn solves<G: Game>(game: &G, root: &G::Position, moves: &[G::Move]) -> Result<bool, RulesError> {
    let mut position = root.clone();
    for mv in moves {
        let before = position.clone();
        game.apply(&before, mv, &mut position);
    }
    let outcome: Option<Outcome> = game.outcome(&position)?;
    Ok(outcome.is_some_and(is_solution))
}

/// The proving power of the answers of an Alpha-Beta search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grounds {
    trust: Trust,
    /// Whether a score that was found is there: nobody passes.
    scores: bool,
    /// Whether every ending up to the depth is seen.
    distances: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    /// Decisive values and complete answers.
    Endings,
    /// Complete answers only.
    Complete,
    Nothing,
}

impl Grounds {
    /// For searches whose values can be wrong.
    pub const NONE: Grounds = Grounds { trust: Trust::Nothing, scores: false, distances: false };

    /// For searches of a game with these options; `table` tells whether there is a transposition table.
    pub fn new<G: Game>(game: &G, options: &Options, table: bool) -> Grounds {
        let table = table && options.table;
        let exact = options.repetition == RepetitionMode::Exact && !table;
        let watched = options.repetition != RepetitionMode::Off;
        let repetition = game.description().repetition;
        let trust = match repetition {
            Repetition::Ignored | Repetition::Draw(_) => Trust::Endings,
            Repetition::Win(_) | Repetition::Loss(_) | Repetition::Judge(_) if exact => Trust::Endings,
            Repetition::Win(_) | Repetition::Loss(_) | Repetition::Judge(_) if watched => Trust::Complete,
            Repetition::Forbidden if watched && !table => Trust::Endings,
            _ => Trust::Nothing,
        };
        let Options { null_move, reductions, futility, late_pruning, internal_reduction, singular, .. } =
            *options;
        let bends = null_move || reductions || futility || late_pruning || internal_reduction || singular;
        let overlooks = table && watched && repetition != Repetition::Ignored;
        Grounds { trust, scores: !bends, distances: !bends && !overlooks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Grounds = Grounds { trust: Trust::Endings, scores: true, distances: true };
    const PRUNED: Grounds = Grounds { trust: Trust::Endings, scores: false, distances: false };

    fn proved(bounds: Bounds, complete: bool, depth: u32, grounds: Grounds) -> Bounds {
        Proved::of_search(Found { bounds, complete }, depth, grounds).bounds()
    }

    #[test]
    fn an_evaluation_proves_nothing() {
        for value in [Value::DRAW, Value::new(35), Value::MAX_EVALUATION] {
            for bounds in [Bounds::exact(value), Bounds::at_least(value), Bounds::at_most(value)] {
                assert_eq!(proved(bounds, false, 249, PLAIN), Bounds::UNKNOWN);
                assert_eq!(proved(bounds, true, 1, PLAIN), bounds);
            }
        }
    }

    #[test]
    fn a_win_is_shortest_only_if_all_shorter_ones_were_looked_for() {
        let won = Bounds::exact(Value::win_in(5));
        assert_eq!(proved(won, false, 5, PLAIN), won);
        assert_eq!(proved(won, false, 4, PLAIN), Bounds::at_least(Value::win_in(5)));
        assert_eq!(proved(won, false, 5, PRUNED), Bounds::at_least(Value::win_in(5)));
        let lost = Bounds::exact(Value::loss_in(4));
        assert_eq!(proved(lost, false, 3, PLAIN), Bounds::at_most(Value::loss_in(4)));
    }

    #[test]
    fn bounds_that_are_no_statements_stay_none() {
        let above = Bounds { lower: -Value::INFINITE, upper: Value::win_in(3) };
        assert_eq!(proved(above, false, 9, PLAIN), Bounds::UNKNOWN);
        assert_eq!(proved(Bounds::UNKNOWN, true, 9, PLAIN), Bounds::UNKNOWN);
        let nobody = Bounds { lower: -Value::INFINITE, upper: -Value::INFINITE };
        assert_eq!(proved(nobody, false, 9, PLAIN), Bounds::UNKNOWN);
    }

    #[test]
    fn scores_are_believed_without_pruning() {
        let score = Bounds::at_least(Value::LEAST_SCORE + 12);
        assert_eq!(proved(score, false, 3, PLAIN), score);
        assert_eq!(proved(score, false, 3, PRUNED), Bounds::UNKNOWN);
    }

    #[test]
    fn paths_that_matter_leave_complete_answers_or_none() {
        let won = Bounds::exact(Value::win_in(3));
        let only_complete = Grounds { trust: Trust::Complete, ..PLAIN };
        assert_eq!(proved(won, false, 9, only_complete), Bounds::UNKNOWN);
        assert_eq!(proved(won, true, 9, only_complete), won);
        assert_eq!(proved(won, true, 9, Grounds { trust: Trust::Nothing, ..PLAIN }), Bounds::UNKNOWN);
    }
}
