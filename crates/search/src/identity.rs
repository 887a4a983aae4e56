//! The identity of positions in tables that engines keep themselves.

use multigame_game::{Game, Outcome, Side, Signature};

/// The signature with the ending mixed in: a position that was won by a move may look like one where the game
/// goes on.
#[inline]
pub(crate) fn identity<G: Game>(game: &G, position: &G::Position) -> Signature {
    let signature = game.signature(position);
    game.ended(position).map_or(signature, |outcome| signature ^ mark(outcome))
}

#[cold]
fn mark(outcome: Outcome) -> Signature {
    (outcome.worth_to(Side::White) as u64).wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x6a09_e667_f3bc_c908
}
