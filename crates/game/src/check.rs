//! The promises of every game, checked for one position at a time: along random games this finds wrong rules,
//! wrong notation and wrong engines.

use std::collections::HashSet;

use crate::{Game, RulesError, notation, parse_position, position_text};

/// A promise that was not kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenPromise {
    /// The rules failed.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The text of a position does not lead back to it.
    #[error("the position text `{0}` does not read back as the same position")]
    PositionText(String),
    /// Two moves of a position have the same name.
    #[error("in `{position}` two moves are called `{name}`")]
    SameName {
        /// The position.
        position: String,
        /// The name.
        name: String,
    },
    /// Two moves of a position have the same key.
    #[error("in `{position}` the move `{name}` has the key of another one")]
    SameKey {
        /// The position.
        position: String,
        /// The move.
        name: String,
    },
    /// A name does not lead back to its move.
    #[error("in `{position}` the name `{name}` does not read back: {reason}")]
    Name {
        /// The position.
        position: String,
        /// The name.
        name: String,
        /// The finding instead.
        reason: String,
    },
}

/// Checks a position: its text reads back, and the names of its moves are unique and read back, at most
/// `most` of them. The answer is the number of names that were read.
pub fn check_position<G: Game>(
    game: &G,
    position: &G::Position,
    most: usize,
) -> Result<usize, BrokenPromise> {
    let diagram = game.diagram(position);
    let text = position_text(game.description(), &diagram);
    if parse_position(game.description(), &text).as_ref() != Ok(&diagram) {
        return Err(BrokenPromise::PositionText(text));
    }
    let named = notation::Names::new(game, position)?;
    let (mut names, mut keys) = (HashSet::new(), HashSet::new());
    for (mv, name) in named.iter() {
        if !names.insert(name) {
            return Err(BrokenPromise::SameName { position: text, name: name.to_string() });
        }
        if !keys.insert(game.move_key(mv)) {
            return Err(BrokenPromise::SameKey { position: text, name: name.to_string() });
        }
    }
    for (mv, name) in named.iter().take(most) {
        let reason = match named.find(name) {
            Ok(found) if game.move_key(found) == game.move_key(mv) => continue,
            Ok(_) => "another move is found".to_string(),
            Err(error) => error.to_string(),
        };
        return Err(BrokenPromise::Name { position: text, name: name.to_string(), reason });
    }
    Ok(named.iter().len().min(most))
}
