//! For which games verdicts can be found.

use multigame_game::{Game, Random, Repetition};

use crate::SearchError;

/// Length up to which a random game is followed.
const LONGEST: usize = 300;

/// Whether positions of a game cannot come back, as far as its rules say.
pub(crate) fn check<G: Game>(game: &G) -> Result<(), SearchError> {
    let description = game.description();
    let refused = match description.players {
        1 if !only_goes_on(game) => {
            "`engine=verdict` is for puzzles whose moves are all irreversible; use `idastar`"
        }
        2 if description.repetition != Repetition::Ignored => {
            "`engine=verdict` is for games whose positions never come back; use `dfpn`"
        }
        _ => return Ok(()),
    };
    Err(SearchError::Unsuitable(refused.to_string()))
}

/// Whether there are moves in a random game and all of them are irreversible.
fn only_goes_on<G: Game>(game: &G) -> bool {
    let (mut random, mut moves) = (Random::new(1), Vec::new());
    let mut position = game.initial();
    for number in 0..LONGEST {
        if !matches!(game.moves(&position, &mut moves), Ok(None)) {
            return number > 0;
        }
        let mut child = position.clone();
        game.apply(&position, &moves[random.below(moves.len())], &mut child);
        if !game.is_irreversible(&child) {
            return false;
        }
        position = child;
    }
    true
}
