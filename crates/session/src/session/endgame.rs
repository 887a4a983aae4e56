//! What endgame databases know about the position of a session, and about its moves.

use multigame_game::Portable;
use serde_json::{Value, json};

use super::{Session, Status};
use crate::failure::Failure;

impl<G: Portable> Session<'_, G> {
    /// The value of the position and of each legal move, the best moves first; nothing if no value is known.
    pub(super) fn known(&self) -> Result<Option<Value>, Failure> {
        let (Some(endgames), Status::Playing(legal)) = (self.endgames, &self.status) else { return Ok(None) };
        let position = self.line.position();
        let standing = endgames.probe(self.game, position);
        let valued = endgames.moves(self.game, position)?;
        if standing.is_none() && valued.iter().all(|(_, value)| value.is_none()) {
            return Ok(None);
        }
        let named = valued.iter().filter_map(|(mv, value)| {
            let key = self.game.move_key(mv);
            let legal = legal.iter().find(|legal| self.game.move_key(&legal.mv) == key)?;
            Some(json!({"move": legal.info.name, "standing": value}))
        });
        Ok(Some(json!({"standing": standing, "moves": named.collect::<Vec<_>>()})))
    }
}
