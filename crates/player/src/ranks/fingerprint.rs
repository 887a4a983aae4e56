//! Numbers that tell apart what ranks play.
//!
//! The text of the rules alone would not do: each rank compiles it for its own processor. So a rank also
//! plays a short random game, always the same one, and adds the moves, positions and values that it saw.
//! Ranks with the same number play the same game and judge it alike.

use std::hash::Hasher;

use multigame_files::Checksum;
use multigame_game::{Game, Random, RulesError};
use multigame_search::Evaluator;

/// Plies of the game that is played.
const PLIES: u32 = 32;

/// The fingerprint of a game that was made of the text of a program.
pub(super) fn of_game<G: Game>(game: &G, program: &str) -> u64 {
    let mut sum = Checksum::default();
    sum.write(program.as_bytes());
    let walked = walk(game, |position, moves| {
        sum.write_u64(game.signature(position));
        moves.iter().for_each(|mv| sum.write_u64(game.move_key(mv)));
    });
    finish(sum, walked)
}

/// The fingerprint of what judges positions.
pub(super) fn of_evaluator<G: Game>(game: &G, evaluator: &impl Evaluator<G>) -> u64 {
    let mut sum = Checksum::default();
    let walked = walk(game, |position, _| {
        sum.write_u64(evaluator.evaluate(game, position).number() as u64);
        sum.write_u64(evaluator.lower_bound(game, position).into());
    });
    finish(sum, walked)
}

/// Rules that fail do so in the same place everywhere.
fn finish(mut sum: Checksum, walked: Result<(), RulesError>) -> u64 {
    if let Err(error) = walked {
        sum.write_u64(u64::from(error.line));
    }
    sum.finish()
}

/// Visits the positions of a game, the last one excepted, with their moves.
fn walk<G: Game>(game: &G, mut visit: impl FnMut(&G::Position, &[G::Move])) -> Result<(), RulesError> {
    let (mut random, mut moves) = (Random::new(1), Vec::new());
    let mut position = game.initial();
    for _ in 0..PLIES {
        if game.moves(&position, &mut moves)?.is_some() || moves.is_empty() {
            break;
        }
        visit(&position, &moves);
        let before = position.clone();
        game.apply(&before, &moves[random.below(moves.len())], &mut position);
    }
    Ok(())
}
