//! An evaluation for every game, from its rules alone: material and mobility, measured in random games.
//!
//! Before the first search, a few random games (always the same ones) tell
//! - what pieces are worth: the more moves a piece has on average, the more; the least mobile kind is worth
//!   100;
//! - which properties count: those whose values go with the result of the game, such as the stones captured;
//!   a player property called like a kind of piece (`pawns`) counts as pieces in hand;
//! - how often moves take something from the opponent. Such moves are not quiet, unless that is what most
//!   moves do;
//! - how many moves a position has, so that mobility can be compared with it, unless it depends on the ply
//!   alone.
//!
//! Where a win condition names places ([`Game::goals`]), pieces are worth more the nearer they are. Otherwise
//! nothing is known about the best places of pieces. In puzzles with one goal position, each piece's way to
//! its place is measured as well, see [`crate::patterns`].

mod study;

use multigame_game::{FieldWeights, Game, Piece, RulesError, Scope, Side, Weights};

use self::study::{
    Study, correlation_with_results, is_race, near_goals, only_time_tells, properties, random_games,
};
use crate::patterns::LowerBound;
use crate::{Engine, Estimate, Evaluator, Value};

/// Positions whose moves are looked at.
const STUDIED: usize = 300;
/// An evaluation that goes less with results tells next to nothing. Games nobody has a clue about have up to
/// 0.09 (quarto), others at least 0.23 (breakthrough).
const NO_CORRELATION: f64 = 0.15;
/// With as few moves, searches look far enough to do without an evaluation (connect-4, 6.8). Ultimate
/// tic-tac-toe has 9.2.
const FEW_MOVES: f64 = 8.0;
/// The weight of the victim's worth beside the attacker's when captures are ordered.
const VICTIM: i32 = 16;

/// Material and mobility; see the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Standard {
    weights: Weights,
    /// The worth of twice as many moves as usual.
    mobility: i32,
    mean_moves: f64,
    /// The worth of White's and Black's pieces to the capturing player; nothing where moves usually take
    /// some.
    prey: Option<[Weights; 2]>,
    /// Whether some moves take something and most do not.
    takes: bool,
    /// The worth of being near a goal.
    goals: Option<FieldWeights>,
    /// Whether the evaluation tells next to nothing.
    blind: bool,
    /// For puzzles: moves that are certainly needed.
    bound: Option<LowerBound>,
}

impl Standard {
    /// Knows nothing of a game.
    pub fn blank<G: Game>(game: &G) -> Standard {
        Standard {
            weights: Weights { pieces: vec![0; game.description().pieces.len()], values: Vec::new() },
            mobility: 0,
            mean_moves: 0.0,
            prey: None,
            takes: false,
            goals: None,
            blind: true,
            bound: None,
        }
    }

    /// Measures a game.
    pub fn measure<G: Game>(game: &G) -> Standard {
        let (description, mut standard) = (game.description(), Standard::blank(game));
        if description.players != 2 {
            standard.bound = crate::patterns::derived(game);
            return standard;
        }
        let games = random_games(game);
        let positions: Vec<&G::Position> = games.iter().flat_map(|(positions, _)| positions).collect();
        let studied: Vec<&G::Position> =
            positions.iter().step_by(positions.len().div_ceil(STUDIED).max(1)).copied().collect();
        let Ok(study) = Study::of(game, &studied) else { return standard };
        let moving = study.moved.iter().any(|&moved| moved > 0);
        standard.mean_moves = study.moves as f64 / studied.len().max(1) as f64;
        standard.mobility = if moving { 60 } else { 100 };
        standard.weights = Weights { pieces: study.worth(game, moving), values: properties(game, &games) };
        standard.add_hands(game);
        let restless = standard.learn_prey(game, &studied);
        standard.goals = near_goals(game);
        if is_race(game) {
            standard.mobility /= 4;
        }
        if only_time_tells(game, &games) {
            standard.mobility = 0;
        }
        standard.blind =
            !moving && standard.goals.is_none() && restless < 0.1 && standard.weights.values.is_empty()
                || standard.tells_nothing(game, &games);
        standard
    }

    /// Leaves mobility out: evaluating becomes cheaper, and blinder.
    pub fn without_mobility(self) -> Standard {
        Standard { mobility: 0, ..self }
    }

    /// Lets tables say how many moves a puzzle needs at least.
    pub fn with_bound(self, bound: LowerBound) -> Standard {
        Standard { bound: Some(bound), ..self }
    }

    /// For puzzles: the tables behind the lower bound.
    pub fn bound(&self) -> Option<&LowerBound> {
        self.bound.as_ref()
    }

    /// Leaves out everything but what pieces and properties are worth.
    pub fn only_material(self) -> Standard {
        Standard { mobility: 0, goals: None, ..self }
    }

    /// The worth of nearness to a goal for White, minus that for Black.
    pub fn nearness<G: Game>(&self, game: &G, position: &G::Position) -> i32 {
        self.goals.as_ref().map_or(0, |goals| game.weigh_fields(position, goals)[0])
    }

    /// Whether a win condition names places.
    pub fn knows_goals(&self) -> bool {
        self.goals.is_some()
    }

    /// Whether moves are counted.
    pub fn counts_moves(&self) -> bool {
        self.mobility != 0
    }

    /// Takes over what pieces are worth from somebody who knows better: one number for each piece, White's
    /// positive. If all are 0, the measured ones stay.
    pub fn with_worth(mut self, pieces: &[i32]) -> Standard {
        if pieces.iter().all(|&worth| worth == 0) {
            return self;
        }
        self.weights.pieces = pieces.to_vec();
        for (side, weights) in self.prey.iter_mut().flatten().enumerate() {
            let sign = if side == 0 { 1 } else { -1 };
            for (own, &worth) in weights.pieces.iter_mut().zip(pieces).filter(|(own, _)| **own != 0) {
                *own = (sign * worth).max(0);
            }
        }
        self
    }

    /// The worth of pieces and properties, White's positive.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The worth of having this many moves.
    pub fn mobility(&self, moves: u64) -> i32 {
        let mean = (self.mean_moves as i32).max(1);
        self.mobility * (moves.min(100_000) as i32 - mean) / mean
    }

    /// The engine that plays such a game best.
    pub fn suits<G: Game>(&self, game: &G) -> Engine {
        match game.description().players {
            _ if game.description().chance.is_some() => Engine::Expectimax,
            1 => Engine::IdaStar,
            _ if self.blind && self.mean_moves > FEW_MOVES => Engine::Mcts,
            _ => Engine::NegaScout,
        }
    }

    /// White's surplus over Black.
    pub fn material<G: Game>(&self, game: &G, position: &G::Position) -> i32 {
        game.weigh(position, &self.weights)
    }

    /// The worth of a position with this many moves for the player to move.
    fn with_moves<G: Game>(&self, game: &G, position: &G::Position, moves: u64) -> Value {
        let material = self.material(game, position) + self.nearness(game, position);
        let material = if game.side_to_move(position) == Side::White { material } else { -material };
        Value::new(material + if self.mobility == 0 { 0 } else { self.mobility(moves) })
    }

    /// Whether results of random games have nothing to do with what positions before them were worth.
    fn tells_nothing<G: Game>(&self, game: &G, games: &[(Vec<G::Position>, Option<f64>)]) -> bool {
        let worth = |position: &G::Position| {
            let value = self.evaluate(game, position).number();
            if game.side_to_move(position) == Side::White { value } else { -value }
        };
        correlation_with_results(games, worth).is_some_and(|correlation| correlation.abs() < NO_CORRELATION)
    }

    /// Pieces in hand are worth what they are on the board.
    fn add_hands<G: Game>(&mut self, game: &G) {
        let description = game.description();
        for property in description.properties.iter().filter(|property| property.scope == Scope::Player) {
            let called = |name: &str| property.name == name || property.name == format!("{name}s");
            for side in Side::BOTH {
                let piece = description.pieces.iter().position(|p| p.side == Some(side) && called(&p.name));
                let Some(piece) = piece else { continue };
                self.weights.values.resize(description.value_count(), 0);
                self.weights.values[property.offset + side.index()] = self.weights.pieces[piece];
            }
        }
    }

    /// Finds out how often moves take something; tells the share of such moves.
    fn learn_prey<G: Game>(&mut self, game: &G, positions: &[&G::Position]) -> f64 {
        let of = |side: Side| {
            let own = game.description().pieces_of(side);
            let weights = self.weights.pieces.iter().enumerate();
            let pieces = weights
                .map(|(piece, &weight)| if own.contains(Piece(piece as u8)) { weight.abs() } else { 0 });
            Weights { pieces: pieces.collect(), values: Vec::new() }
        };
        self.prey = Some(Side::BOTH.map(of));
        let (mut taking, mut total) = (0, 0);
        let mut moves = Vec::new();
        for position in positions {
            if game.moves(position, &mut moves).is_ok() {
                taking += moves.iter().filter(|mv| self.taken(game, position, mv) > 0).count();
                total += moves.len();
            }
        }
        let share = taking as f64 / total.max(1) as f64;
        if share > 0.4 {
            self.prey = None;
        }
        self.takes = taking > 0 && self.prey.is_some();
        share
    }

    /// The material that a move captures.
    #[inline]
    fn taken<G: Game>(&self, game: &G, position: &G::Position, mv: &G::Move) -> i32 {
        self.prey(game, position).map_or(0, |prey| -game.weigh_move(position, mv, prey))
    }
}

impl<G: Game> Evaluator<G> for Standard {
    fn evaluate(&self, game: &G, position: &G::Position) -> Value {
        // Rules that fail here fail in the search as well, which says so.
        let moves = if self.mobility == 0 { 0 } else { game.count(position).unwrap_or(0) };
        self.with_moves(game, position, moves)
    }

    fn estimate(&self, game: &G, position: &G::Position) -> Result<Estimate, RulesError> {
        if self.mobility != 0 {
            let moves = game.count(position)?;
            // Without moves the game is over, in most games.
            if moves > 0 {
                return Ok(Estimate::Worth(self.with_moves(game, position, moves)));
            }
        }
        Ok(match game.outcome(position)? {
            Some(outcome) => Estimate::Over(outcome),
            None => Estimate::Worth(self.evaluate(game, position)),
        })
    }

    fn is_quiet(&self, game: &G, position: &G::Position, mv: &G::Move, _child: &G::Position) -> bool {
        self.taken(game, position, mv) <= 0
    }

    fn tells_quiet_moves(&self) -> bool {
        self.takes
    }

    #[inline]
    fn gain(&self, game: &G, position: &G::Position, mv: &G::Move) -> Option<i32> {
        Some(self.taken(game, position, mv))
    }

    #[inline]
    fn prey(&self, game: &G, position: &G::Position) -> Option<&Weights> {
        self.prey.as_ref().map(|prey| &prey[game.side_to_move(position).opponent().index()])
    }

    fn lower_bound(&self, game: &G, position: &G::Position) -> u32 {
        self.bound.as_ref().map_or(0, |bound| bound.of(game, position))
    }

    fn bound_parts(&self) -> usize {
        self.bound.as_ref().map_or(0, LowerBound::parts)
    }

    fn bound_parts_are_single(&self) -> bool {
        self.bound.as_ref().is_some_and(LowerBound::parts_are_single)
    }

    #[inline]
    fn bound_part(&self, game: &G, position: &G::Position, part: usize) -> u32 {
        self.bound.as_ref().map_or(0, |bound| bound.part(game, position, part))
    }

    fn bound_part_moves(&self, game: &G, before: &G::Position, after: &G::Position, part: usize) -> bool {
        self.bound.as_ref().is_some_and(|bound| bound.part_moves(game, before, after, part))
    }

    /// The most valuable victim first, and among equal ones the least valuable attacker.
    #[inline]
    fn priority(&self, game: &G, position: &G::Position, mv: &G::Move, gain: Option<i32>) -> i32 {
        let taken = gain.unwrap_or(0);
        if taken <= 0 {
            return 0;
        }
        (taken * VICTIM - Evaluator::<G>::stake(self, game, position, mv)).max(1)
    }

    #[inline]
    fn stake(&self, game: &G, position: &G::Position, mv: &G::Move) -> i32 {
        game.mover(position, mv).map_or(0, |mover| self.weights.pieces[mover.index()].abs())
    }
}
