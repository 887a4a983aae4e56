//! Turns: players of different games who use the ranks one after the other, as the sessions of a server do.
//!
//! Ranks play one game at a time. A player who has the turn has them learn the rules of its own game, unless
//! they play it already.

use std::sync::{Arc, MutexGuard};

use multigame_cluster::LOST;
use multigame_game::{Game, Portable};
use multigame_ir::Program;

use super::conductor::{Conductor, OtherRanks, Ranks};
use super::orders::EvaluatorSpec;

/// What ranks are told to play a game.
#[derive(Debug, PartialEq, Eq)]
pub struct Rulebook {
    program: String,
    interpret: bool,
}

impl Rulebook {
    /// The rules of a move program; the interpreter plays them if the player's does.
    pub fn new(program: &Program, interpret: bool) -> Rulebook {
        Rulebook { program: multigame_ir::print(program), interpret }
    }
}

/// One player may talk to the ranks for as long as it lives.
#[derive(Debug)]
#[must_use]
pub struct Turn<'r> {
    ranks: &'r Ranks,
    _guard: MutexGuard<'r, ()>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // The others are in the middle of a search that nobody conducts any more.
        if std::thread::panicking() {
            self.ranks.cluster().abort(LOST);
        }
    }
}

impl Ranks {
    /// Waits until no other player uses the ranks.
    pub fn turn(&self) -> Turn<'_> {
        let guard = self.turns.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        Turn { ranks: self, _guard: guard }
    }

    /// The ranks for a player of one of several games, who searches only in its turn.
    pub fn others_in_turn<'l, G: Portable>(
        &'l self,
        game: &'l G,
        book: &Arc<Rulebook>,
        evaluator: EvaluatorSpec,
    ) -> Box<dyn OtherRanks<G> + 'l> {
        Box::new(Conductor { ranks: self, game, evaluator, book: Some(Arc::clone(book)) })
    }

    /// Has all ranks play the game of a rulebook, unless they do.
    pub(super) fn learn<G: Game>(&self, book: &Arc<Rulebook>, game: &G) -> anyhow::Result<()> {
        if self.learned().as_ref() == Some(book) {
            return Ok(());
        }
        self.load_text(book.program.clone(), book.interpret).wait(game)?;
        *self.learned() = Some(Arc::clone(book));
        Ok(())
    }
}
