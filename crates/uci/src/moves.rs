//! Moves as single words: what the game calls them, without blanks.

use multigame_game::notation::MoveTextError;
use multigame_game::{Game, RulesError, notation};

/// The name of a move as one word: blanks of the generic form become `_`.
pub fn move_text<G: Game>(game: &G, position: &G::Position, mv: &G::Move) -> Result<String, RulesError> {
    Ok(as_word(&notation::name_of(game, position, mv)?))
}

/// The legal move with that name; every name that people may type will do, too.
pub fn find_move<G: Game>(game: &G, position: &G::Position, text: &str) -> Result<G::Move, MoveTextError> {
    if text.contains('_') {
        let named = notation::names(game, position)?.into_iter().find(|named| as_word(&named.name) == text);
        if let Some(named) = named {
            return Ok(named.mv);
        }
    }
    notation::find(game, position, text)
}

fn as_word(name: &str) -> String {
    name.replace(' ', "_")
}
