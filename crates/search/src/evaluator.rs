//! Everything that a search must know about a game beyond its rules.

use multigame_game::{Game, Outcome, RulesError, Side, Weights};

use crate::Value;

/// The estimate of a position at the horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimate {
    /// The game is over.
    Over(Outcome),
    /// The game goes on, and this is the guess.
    Worth(Value),
}

/// Judges positions and moves of a game.
///
/// Only [`evaluate`](Evaluator::evaluate) is needed; everything else has an answer that switches the
/// enhancement off. All answers must depend on their arguments alone, or searches give values that depend on
/// the order of their work.
pub trait Evaluator<G: Game>: Send + Sync {
    /// A guess of what the position is worth to the player to move; 100 is the worth of one man. It is called
    /// only where the game goes on.
    fn evaluate(&self, game: &G, position: &G::Position) -> Value;

    /// Whether [`evaluate`](Evaluator::evaluate) may be asked before it is known that the game goes on, and
    /// costs less than to find that out. The answer is not used where the game is over.
    fn looks_first(&self) -> bool {
        false
    }

    /// Whether the game is over, and if not, what the position is worth. Evaluators that look at the moves
    /// anyway can tell both at once.
    fn estimate(&self, game: &G, position: &G::Position) -> Result<Estimate, RulesError> {
        Ok(match game.outcome(position)? {
            Some(outcome) => Estimate::Over(outcome),
            None => Estimate::Worth(self.evaluate(game, position)),
        })
    }

    /// The true value of a position in which the game goes on, where it was worked out before: plies are
    /// counted from the position.
    fn known(&self, _game: &G, _position: &G::Position) -> Option<Value> {
        None
    }

    /// Whether a move leaves the position calm, so that the child may be judged by its evaluation. Below the
    /// horizon only the other moves are searched.
    fn is_quiet(&self, _game: &G, _position: &G::Position, _mv: &G::Move, _child: &G::Position) -> bool {
        true
    }

    /// Whether [`is_quiet`](Evaluator::is_quiet) tells moves apart at all. Where every move is quiet, being
    /// quiet is not a reason to search a move less deeply.
    fn tells_quiet_moves(&self) -> bool {
        true
    }

    /// The captured material of a move, where that alone tells whether it is quiet: exactly the moves without
    /// captures are. Then it need not be made to be told from others.
    fn gain(&self, _game: &G, _position: &G::Position, _mv: &G::Move) -> Option<i32> {
        None
    }

    /// Where moves are quiet exactly if they leave alone what these weights count, the weights: then only the
    /// other moves need to be generated below the horizon. It has to agree with [`gain`](Evaluator::gain).
    fn prey(&self, _game: &G, _position: &G::Position) -> Option<&Weights> {
        None
    }

    /// The worth of the moving piece: the loss if it is captured in return.
    fn stake(&self, _game: &G, _position: &G::Position, _mv: &G::Move) -> i32 {
        0
    }

    /// Whether nothing serious (check in chess) is threatened to the player to move; nothing where that is
    /// not known. Where something is, the player may not stand pat below the horizon: then all moves
    /// are searched.
    fn is_calm(&self, _game: &G, _position: &G::Position) -> Option<bool> {
        None
    }

    /// By how many plies a move is searched more deeply; independent of windows and search state.
    fn extension(&self, _game: &G, _position: &G::Position, _mv: &G::Move, _child: &G::Position) -> u32 {
        0
    }

    /// Whether [`extension`](Evaluator::extension) is 1 exactly where the child is not
    /// [calm](Evaluator::is_calm), so that nobody has to ask twice.
    fn extends_threats(&self) -> bool {
        false
    }

    /// Writes the position after a pass that the rules do not allow into `child`: the null move. False where
    /// it must not be tried, because passing may be an advantage (zugzwang) or means nothing (check).
    fn pass(&self, _game: &G, _position: &G::Position, _child: &mut G::Position) -> bool {
        false
    }

    /// The promise of a move by itself: positive ones are tried before killers, negative ones last.
    /// `gain` is what [`gain`](Evaluator::gain) says about it.
    fn priority(&self, _game: &G, _position: &G::Position, _mv: &G::Move, _gain: Option<i32>) -> i32 {
        0
    }

    /// The key by which the history heuristic identifies moves. The signature difference unless a game knows
    /// better: origin and target fields, for example.
    fn history_key(&self, game: &G, mv: &G::Move) -> u64 {
        game.move_key(mv)
    }

    /// For puzzles: a number of moves that are certainly needed to solve it.
    fn lower_bound(&self, _game: &G, _position: &G::Position) -> u32 {
        0
    }

    /// Number of parts that [`lower_bound`](Evaluator::lower_bound) is the sum of, where each depends on
    /// where some pieces stand and no piece counts for two: then only the parts of pieces that moved change.
    /// Each part is below 256. 0 where it is not such a sum.
    fn bound_parts(&self) -> usize {
        0
    }

    /// One of the parts that the lower bound of a position is the sum of.
    fn bound_part(&self, _game: &G, _position: &G::Position, _part: usize) -> u32 {
        0
    }

    /// Whether each of these parts depends on where one piece stands and on nothing else.
    fn bound_parts_are_single(&self) -> bool {
        false
    }

    /// Whether pieces that a part depends on stand elsewhere in another position.
    fn bound_part_moves(&self, game: &G, before: &G::Position, after: &G::Position, part: usize) -> bool {
        self.bound_part(game, before, part) != self.bound_part(game, after, part)
    }
}

/// Knows nothing: every position is worth 0. For solving.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl<G: Game> Evaluator<G> for Nothing {
    fn evaluate(&self, _game: &G, _position: &G::Position) -> Value {
        Value::DRAW
    }
}

/// Counts pieces: 100 for each own one, -100 for each of the opponent's. A move is quiet if
/// neither player has fewer pieces after it.
///
/// It works for every game and is slow, because it goes through [`multigame_game::Diagram`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl Material {
    fn counts<G: Game>(game: &G, position: &G::Position) -> [i32; 2] {
        let description = game.description();
        let mut counts = [0; 2];
        for &piece in &game.diagram(position).cells {
            if let Some(side) = description.pieces.get(piece.index()).and_then(|info| info.side) {
                counts[side.index()] += 1;
            }
        }
        counts
    }
}

impl<G: Game> Evaluator<G> for Material {
    fn evaluate(&self, game: &G, position: &G::Position) -> Value {
        let [white, black] = Self::counts(game, position);
        let difference = 100 * (white - black);
        Value::new(if game.side_to_move(position) == Side::White { difference } else { -difference })
    }

    fn is_quiet(&self, game: &G, position: &G::Position, _mv: &G::Move, child: &G::Position) -> bool {
        let (before, after) = (Self::counts(game, position), Self::counts(game, child));
        after[0] >= before[0] && after[1] >= before[1]
    }
}
