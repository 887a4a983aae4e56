//! Random games.

use crate::{Game, Line, Outcome, Repetition, RulesError, chance};

/// A small random number generator (SplitMix64): the same seed gives the same games everywhere.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that starts from a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        crate::signature::mix(self.0)
    }

    /// A number below `bound`, which must not be 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }
}

/// The course of a random game.
#[derive(Clone, Debug)]
pub struct Playout {
    /// Number of moves played.
    pub plies: u32,
    /// Sum over all positions of the number of legal moves.
    pub choices: u64,
    /// The end.
    pub ending: Ending,
}

/// The end of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Over(Outcome),
    /// By repetition.
    Repeated(Outcome),
    /// Too many moves.
    TooLong,
}

/// Plays random moves until the game is over or `max_plies` moves are played. The line keeps the whole game.
pub fn playout<G: Game>(
    line: &mut Line<'_, G>,
    max_plies: u32,
    random: &mut Random,
) -> Result<Playout, RulesError> {
    let mut result = Playout { plies: 0, choices: 0, ending: Ending::TooLong };
    let mut moves = Vec::new();
    let game = line.game();
    let forbidden = game.description().repetition == Repetition::Forbidden;
    loop {
        let repeated = line.repetition()?.outcome();
        let stops = repeated.is_some() || result.plies == max_plies;
        let mut choices = 0;
        let outcome = if game.is_chance(line.position()) {
            let outcome = game.moves(line.position(), &mut moves)?;
            if outcome.is_none() {
                choices = moves.len();
                let chosen = if stops { 0 } else { chance::throw(game, line.position(), &moves, random) };
                moves.swap(0, chosen);
            }
            outcome
        } else {
            let mut choose = |count: usize| {
                choices = count;
                if stops { 0 } else { random.below(count) }
            };
            // Where repetition is forbidden, the legal moves depend on the way here.
            if forbidden {
                let outcome = line.legal_moves(&mut moves)?;
                if outcome.is_none() {
                    let chosen = choose(moves.len());
                    moves.swap(0, chosen);
                }
                outcome
            } else {
                game.pick(line.position(), &mut choose, &mut moves)?
            }
        };
        match (outcome, repeated) {
            (Some(outcome), _) => result.ending = Ending::Over(outcome),
            (_, Some(outcome)) => result.ending = Ending::Repeated(outcome),
            (None, None) if !stops => {
                result.choices += choices as u64;
                result.plies += 1;
                line.play(&moves[0]);
                continue;
            }
            (None, None) => {}
        }
        return Ok(result);
    }
}
