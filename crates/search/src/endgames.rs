//! Values that were worked out before: endgame databases as searches see them.
//!
//! A search has positions of any type, a database has pieces on fields. This is all they have to tell each
//! other; who makes databases knows searches, not the other way round.

use std::fmt::Debug;
use std::sync::Arc;

use multigame_game::{Game, Piece, Side};
use smallvec::SmallVec;

use crate::Value;

/// Knows the true value of some positions.
pub trait Endgames: Send + Sync + Debug {
    /// The most pieces of a position that it may know.
    fn most_pieces(&self) -> usize;

    /// The value of a position for the player to move, plies counted from there; nothing if it is not known.
    /// `property` gives the values that [`multigame_game::Diagram::values`] has.
    fn value(
        &self,
        side: Side,
        pieces: &[(Piece, u16)],
        property: &mut dyn FnMut(usize) -> i32,
    ) -> Option<Value>;
}

/// A database, equal to itself alone.
#[derive(Clone, Debug)]
pub(crate) struct Shared(pub Arc<dyn Endgames>);

impl PartialEq for Shared {
    fn eq(&self, other: &Shared) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Shared {
    /// The value of a position, if it is known.
    pub fn value<G: Game>(&self, game: &G, position: &G::Position) -> Option<Value> {
        let most = self.0.most_pieces();
        let (mut pieces, mut count) = (SmallVec::<[(Piece, u16); 8]>::new(), 0);
        game.for_each_piece(position, |piece, field| {
            count += 1;
            if count <= most {
                pieces.push((piece, field as u16));
            }
        });
        if count > most {
            return None;
        }
        self.0.value(game.side_to_move(position), &pieces, &mut |slot| game.value(position, slot))
    }
}
