//! Our own players.

use std::time::Duration;

use multigame_game::{Game, Line, Random};
use multigame_player::{Limits, Player};

use crate::{Contestant, Failure};

/// A player of this process.
pub struct Computer<'l, G: Game> {
    player: Player<'l, G>,
    /// The game before its first move.
    start: Line<'l, G>,
}

impl<'l, G: Game> Computer<'l, G> {
    /// Lets a player take part.
    pub fn new(game: &'l G, player: Player<'l, G>) -> Computer<'l, G> {
        Computer { player, start: Line::new(game, game.initial()) }
    }
}

impl<G: Game> Contestant<G> for Computer<'_, G> {
    fn new_game(&mut self) -> Result<(), Failure> {
        self.player.forget();
        self.player.get_ready(&self.start).map_err(|error| Failure::Broken(format!("{error:#}")))
    }

    fn choose(&mut self, line: &Line<'_, G>, limits: &Limits, _: Duration) -> Result<G::Move, Failure> {
        self.player.limits = *limits;
        let thought = self.player.think(line, &mut |_| {});
        let thought = thought.map_err(|error| Failure::Broken(format!("{error:#}")))?;
        thought.best.ok_or_else(|| Failure::Broken("no move was found".to_string()))
    }
}

/// Plays any legal move.
pub struct Guesser(Random);

impl Guesser {
    /// The same seed gives the same guesses.
    pub fn new(seed: u64) -> Guesser {
        Guesser(Random::new(seed))
    }
}

impl<G: Game> Contestant<G> for Guesser {
    fn new_game(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(&mut self, line: &Line<'_, G>, _: &Limits, _: Duration) -> Result<G::Move, Failure> {
        let mut moves = Vec::new();
        line.legal_moves(&mut moves).map_err(|error| Failure::Broken(error.to_string()))?;
        if moves.is_empty() {
            return Err(Failure::Broken("there is no move".to_string()));
        }
        Ok(moves.swap_remove(self.0.below(moves.len())))
    }
}
