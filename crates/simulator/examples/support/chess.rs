//! Chess as ZUGZWANG searched it: the bundled rules and their evaluation, and captures that lose material after the other
//! moves.

use multigame_game::{Game, RulesError, Weights};
use multigame_jit::JitGame;
use multigame_search::{Evaluator, Judge, Judgement, Value};

/// The bundled game.
pub fn chess() -> JitGame {
    let source = multigame_loader::source("chess").expect("a bundled game");
    let compiled = multigame_loader::compile(&source, &[]);
    JitGame::new(compiled.program.expect("rules without errors")).expect("rules that can be compiled")
}

/// Judges positions as the rules do, and captures as ZUGZWANG did: they are promising if the victim is worth as much as the
/// piece that takes it or if that one is not taken in return.
pub struct Exchanges {
    judge: Judge,
    worth: Vec<i32>,
}

impl Exchanges {
    /// Gets to know a game whose rules have an evaluation.
    pub fn new<G: Game>(game: &G) -> Exchanges {
        let judge = Judge::new(game, Some("main")).expect("chess can be judged");
        let worth = judge.appraiser().expect("its rules say how").worth_of_pieces(game.description());
        Exchanges { judge, worth: worth.into_iter().map(i32::abs).collect() }
    }

    /// Whether the piece that a move brings to a field can be taken there.
    fn is_answered<G: Game>(&self, game: &G, position: &G::Position, mv: &G::Move) -> bool {
        let Some(piece) = game.mover(position, mv) else { return false };
        let mut child = position.clone();
        game.apply(position, mv, &mut child);
        let field = game.fields_of(&child, piece) & !game.fields_of(position, piece);
        let (mut answers, mut grandchild) = (Vec::new(), child.clone());
        let Some(prey) = Evaluator::<G>::prey(&self.judge, game, &child) else { return false };
        if game.takes(&child, prey, false, &mut answers).is_err() {
            return false;
        }
        answers.iter().any(|answer| {
            game.apply(&child, answer, &mut grandchild);
            game.fields_of(&grandchild, piece) & field != field
        })
    }
}

impl<G: Game> Evaluator<G> for Exchanges {
    fn evaluate(&self, game: &G, position: &G::Position) -> Value {
        self.judge.evaluate(game, position)
    }

    fn looks_first(&self) -> bool {
        Evaluator::<G>::looks_first(&self.judge)
    }

    fn judge(&self, game: &G, position: &G::Position) -> Result<Judgement, RulesError> {
        self.judge.judge(game, position)
    }

    fn is_quiet(&self, game: &G, position: &G::Position, mv: &G::Move, child: &G::Position) -> bool {
        self.judge.is_quiet(game, position, mv, child)
    }

    fn tells_quiet_moves(&self) -> bool {
        Evaluator::<G>::tells_quiet_moves(&self.judge)
    }

    fn gain(&self, game: &G, position: &G::Position, mv: &G::Move) -> Option<i32> {
        self.judge.gain(game, position, mv)
    }

    fn prey(&self, game: &G, position: &G::Position) -> Option<&Weights> {
        self.judge.prey(game, position)
    }

    fn is_calm(&self, game: &G, position: &G::Position) -> Option<bool> {
        self.judge.is_calm(game, position)
    }

    fn extension(&self, game: &G, position: &G::Position, mv: &G::Move, child: &G::Position) -> u32 {
        self.judge.extension(game, position, mv, child)
    }

    fn extends_threats(&self) -> bool {
        Evaluator::<G>::extends_threats(&self.judge)
    }

    fn priority(&self, game: &G, position: &G::Position, mv: &G::Move, gain: Option<i32>) -> i32 {
        let priority = self.judge.priority(game, position, mv, gain);
        let mover = game.mover(position, mv).filter(|_| priority > 0);
        let worth = mover.map_or(0, |mover| self.worth[mover.index()]);
        if worth > gain.unwrap_or(0) && self.is_answered(game, position, mv) {
            // The greatest gain first, among those that come last.
            priority - (1 << 24)
        } else {
            priority
        }
    }
}
