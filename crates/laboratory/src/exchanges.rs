//! Judges positions as the rules do. Captures as the rules order them, or as ZUGZWANG did: promising if the
//! victim is worth as much as the piece that takes it, or if that one is not taken in return; the others come
//! after all other moves.

use multigame_game::{Game, RulesError, Weights};
use multigame_search::{Estimate, Evaluator, RulesEvaluator, Value};

/// See the module.
pub struct Exchanges {
    evaluator: RulesEvaluator,
    /// What each piece is worth; nothing if captures are left in the order of the rules.
    worth: Option<Vec<i32>>,
}

impl Exchanges {
    /// Gets to know a game, whose rules have to have an evaluation if captures are to be sorted.
    pub fn new<G: Game>(game: &G, sorts: bool) -> Result<Exchanges, String> {
        let evaluator = RulesEvaluator::new(game, None)?;
        if !sorts {
            return Ok(Exchanges { evaluator, worth: None });
        }
        let appraiser = evaluator
            .appraiser()
            .ok_or("captures cannot be sorted without an evaluation in the rules; use `captures = all`")?;
        let worth = appraiser.worth_of_pieces(game.description()).into_iter().map(i32::abs).collect();
        Ok(Exchanges { evaluator, worth: Some(worth) })
    }

    /// Whether the piece that a move brings to a field can be taken there.
    fn is_answered<G: Game>(&self, game: &G, position: &G::Position, mv: &G::Move) -> bool {
        let Some(piece) = game.mover(position, mv) else { return false };
        let mut child = position.clone();
        game.apply(position, mv, &mut child);
        let field = game.fields_of(&child, piece) & !game.fields_of(position, piece);
        let (mut answers, mut grandchild) = (Vec::new(), child.clone());
        let Some(prey) = Evaluator::<G>::prey(&self.evaluator, game, &child) else { return false };
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
        self.evaluator.evaluate(game, position)
    }

    fn looks_first(&self) -> bool {
        Evaluator::<G>::looks_first(&self.evaluator)
    }

    fn estimate(&self, game: &G, position: &G::Position) -> Result<Estimate, RulesError> {
        self.evaluator.estimate(game, position)
    }

    fn is_quiet(&self, game: &G, position: &G::Position, mv: &G::Move, child: &G::Position) -> bool {
        self.evaluator.is_quiet(game, position, mv, child)
    }

    fn tells_quiet_moves(&self) -> bool {
        Evaluator::<G>::tells_quiet_moves(&self.evaluator)
    }

    fn gain(&self, game: &G, position: &G::Position, mv: &G::Move) -> Option<i32> {
        self.evaluator.gain(game, position, mv)
    }

    fn prey(&self, game: &G, position: &G::Position) -> Option<&Weights> {
        self.evaluator.prey(game, position)
    }

    fn stake(&self, game: &G, position: &G::Position, mv: &G::Move) -> i32 {
        self.evaluator.stake(game, position, mv)
    }

    fn is_calm(&self, game: &G, position: &G::Position) -> Option<bool> {
        self.evaluator.is_calm(game, position)
    }

    fn extension(&self, game: &G, position: &G::Position, mv: &G::Move, child: &G::Position) -> u32 {
        self.evaluator.extension(game, position, mv, child)
    }

    fn extends_threats(&self) -> bool {
        Evaluator::<G>::extends_threats(&self.evaluator)
    }

    fn pass(&self, game: &G, position: &G::Position, child: &mut G::Position) -> bool {
        self.evaluator.pass(game, position, child)
    }

    fn priority(&self, game: &G, position: &G::Position, mv: &G::Move, gain: Option<i32>) -> i32 {
        let priority = self.evaluator.priority(game, position, mv, gain);
        let Some(worth) = &self.worth else { return priority };
        let mover = game.mover(position, mv).filter(|_| priority > 0);
        let worth = mover.map_or(0, |mover| worth[mover.index()]);
        if worth > gain.unwrap_or(0) && self.is_answered(game, position, mv) {
            // The greatest gain first, among those that come last.
            priority - (1 << 24)
        } else {
            priority
        }
    }

    fn history_key(&self, game: &G, mv: &G::Move) -> u64 {
        Evaluator::<G>::history_key(&self.evaluator, game, mv)
    }

    fn lower_bound(&self, game: &G, position: &G::Position) -> u32 {
        self.evaluator.lower_bound(game, position)
    }

    fn bound_parts(&self) -> usize {
        Evaluator::<G>::bound_parts(&self.evaluator)
    }

    fn bound_part(&self, game: &G, position: &G::Position, part: usize) -> u32 {
        self.evaluator.bound_part(game, position, part)
    }

    fn bound_parts_are_single(&self) -> bool {
        Evaluator::<G>::bound_parts_are_single(&self.evaluator)
    }

    fn bound_part_moves(&self, game: &G, before: &G::Position, after: &G::Position, part: usize) -> bool {
        self.evaluator.bound_part_moves(game, before, after, part)
    }
}

#[cfg(test)]
mod tests {
    use multigame_game::{notation, parse_position};
    use multigame_jit::JitGame;

    use super::*;

    #[test]
    fn captures_that_lose_material_come_after_other_moves() {
        let source = multigame_loader::source("chess").unwrap();
        let game = JitGame::new(multigame_loader::compile(&source, &[]).program.unwrap()).unwrap();
        // A queen that can take a guarded pawn and one that is not, a pawn that can take a guarded rook.
        let text = "4k3/2p5/1r1p4/P7/8/3Q3p/8/4K3 w - - 0 1";
        let position = game.position(&parse_position(game.description(), text).unwrap());
        let priority = |evaluator: &Exchanges, text: &str| {
            let mv = notation::find(&game, &position, text).expect("a legal move");
            let gain = evaluator.gain(&game, &position, &mv);
            evaluator.priority(&game, &position, &mv, gain)
        };
        let good = Exchanges::new(&game, true).unwrap();
        assert!(priority(&good, "d3d6") < 0, "the queen would be taken");
        assert!(priority(&good, "d3h3") > 0, "nobody guards the pawn");
        assert!(priority(&good, "a5b6") > priority(&good, "d3h3"), "a rook for a pawn");
        assert_eq!(priority(&good, "d3d4"), 0, "nothing is taken");
        let all = Exchanges::new(&game, false).unwrap();
        assert!(priority(&all, "d3d6") > 0, "the rules do not look at answers");
    }
}
