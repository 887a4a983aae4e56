//! Chance: which positions are nature's, and how likely what happens there is.
//!
//! Nature moves where a board property has its least value; what its rule leads to are moves like those of
//! players, and the position after each says how often it occurs. So everything that makes, names, counts and
//! replays moves knows chance without knowing it. Weights are whole numbers: the probability of an outcome is
//! its weight divided by the sum of all weights, exactly.

use crate::{Game, Random};

/// Where a game's positions say what chance has to do with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    /// Nature moves where the value in this place of [`crate::Diagram::values`] ...
    pub slot: usize,
    /// ... is this one.
    pub waiting: i32,
    /// The place of the weight of the outcome that led to a position; without, all weigh the same.
    pub weight: Option<usize>,
}

/// The weight of each of nature's moves in a position.
pub fn weights<G: Game>(game: &G, position: &G::Position, moves: &[G::Move]) -> Vec<u64> {
    let mut after = position.clone();
    let weight = |mv| {
        game.apply(position, mv, &mut after);
        game.weight(&after)
    };
    moves.iter().map(weight).collect()
}

/// The number of one of nature's moves, each as likely as its weight says; there is at least one.
pub fn throw<G: Game>(game: &G, position: &G::Position, moves: &[G::Move], random: &mut Random) -> usize {
    if game.description().chance.is_none_or(|chance| chance.weight.is_none()) {
        return random.below(moves.len());
    }
    draw(weights(game, position, moves).into_iter(), random)
}

/// The number of one of several weights, each as likely as it says; they are not all 0.
pub fn draw(weights: impl Iterator<Item = u64> + Clone, random: &mut Random) -> usize {
    let mut left = random.below(weights.clone().sum::<u64>() as usize) as u64;
    let reached = |weight: u64| match left.checked_sub(weight) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    };
    weights.map(reached).position(|reached| reached).unwrap_or(0)
}

/// The number of a random move: every one of a player's is equally likely, nature's as their weights say.
pub fn pick<G: Game>(game: &G, position: &G::Position, moves: &[G::Move], random: &mut Random) -> usize {
    match game.is_chance(position) {
        true => throw(game, position, moves, random),
        false => random.below(moves.len()),
    }
}
