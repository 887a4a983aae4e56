//! The evaluation that searches use: what the rules say positions are worth, or else what was measured.

use std::sync::Arc;

use multigame_game::{Appraiser, Game, Purpose, RulesError, Weights};

use crate::endgames::{Endgames, Shared};
use crate::patterns::{LowerBound, Perimeter};
use crate::{Engine, Estimate, Evaluator, Net, Patterns, Standard, Value};

/// Names of evaluations that every game of two players has, and what they are.
pub const ALWAYS: [(&str, &str); 3] = [
    ("measured", "what random games tell about the rules"),
    ("material", "measured values of pieces, nothing else"),
    ("random", "a number that depends on the position and means nothing"),
];

/// Judges positions by an evaluation of the rules if there is one, and moves by what was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct RulesEvaluator {
    standard: Standard,
    way: Way,
    /// Added to what the way says.
    learned: Option<Learned>,
    /// For puzzles: positions near the goal.
    perimeter: Option<Arc<Perimeter>>,
    /// True values of some positions.
    endgames: Option<Shared>,
}

#[derive(Clone, Debug, PartialEq)]
enum Way {
    Rules(Box<Appraiser>),
    Measured,
    Random,
    Nothing,
}

/// Learned additions to an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub enum Learned {
    /// Tables over groups of fields.
    Patterns(Arc<Patterns>),
    /// A network over the whole position.
    Network(Arc<Net>),
}

impl Learned {
    /// The additions that come with a game, if any.
    fn of<G: Game>(game: &G) -> Result<Option<Learned>, String> {
        if let Some(network) = game.network() {
            return Ok(Some(Net::new(game.description(), network.clone())?.into()));
        }
        if game.patterns().is_empty() {
            return Ok(None);
        }
        Ok(Some(Patterns::new(game.description(), game.patterns().to_vec())?.into()))
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        match self {
            Learned::Patterns(_) => "patterns",
            Learned::Network(_) => "network",
        }
    }

    /// The addition for the player to move.
    #[inline]
    pub fn value<G: Game>(&self, game: &G, position: &G::Position) -> i32 {
        match self {
            Learned::Patterns(patterns) => patterns.value(game, position),
            Learned::Network(network) => network.value(game, position),
        }
    }
}

impl From<Patterns> for Learned {
    fn from(patterns: Patterns) -> Learned {
        Learned::Patterns(Arc::new(patterns))
    }
}

impl From<Net> for Learned {
    fn from(network: Net) -> Learned {
        Learned::Network(Arc::new(network))
    }
}

impl RulesEvaluator {
    /// Gets to know a game. Without a name the rules' usual evaluation is taken, or what is measured,
    /// together with the network or the patterns that were learned for the game.
    pub fn new<G: Game>(game: &G, name: Option<&str>) -> Result<RulesEvaluator, String> {
        let evaluations = game.evaluations();
        let named = name.map(|name| evaluations.iter().position(|evaluation| evaluation.name == name));
        let standard = Standard::measure(game);
        match (named, name) {
            (None, _) => {
                let evaluator = match evaluations.is_empty() {
                    false => RulesEvaluator::of(game, Appraiser::new(game, 0), standard),
                    true => RulesEvaluator::by(standard, Way::Measured),
                };
                Ok(RulesEvaluator { learned: Learned::of(game)?, ..evaluator })
            }
            (Some(Some(number)), _) => Ok(RulesEvaluator::of(game, Appraiser::new(game, number), standard)),
            (_, Some("measured")) => Ok(RulesEvaluator::by(standard, Way::Measured)),
            (_, Some("material")) => Ok(RulesEvaluator::by(standard.only_material(), Way::Measured)),
            (_, Some("random")) => Ok(RulesEvaluator::by(standard, Way::Random)),
            (_, name) => {
                let own = evaluations.iter().map(|evaluation| evaluation.name.as_str());
                let names: Vec<&str> = own.chain(ALWAYS.map(|(name, _)| name)).collect();
                let name = name.unwrap_or_default();
                Err(format!("there is no evaluation `{name}`; there are {}", names.join(", ")))
            }
        }
    }

    /// Judges nothing, like [`Nothing`](crate::Nothing): only endings count. For solving, by the same type of
    /// evaluator as for playing, so that searches are compiled once.
    pub fn nothing<G: Game>(game: &G) -> RulesEvaluator {
        RulesEvaluator::by(Standard::blank(game), Way::Nothing)
    }

    /// Whether only endings count.
    pub fn is_nothing(&self) -> bool {
        matches!(self.way, Way::Nothing)
    }

    /// Judges by an evaluation whose weights are set.
    pub fn with_appraiser<G: Game>(game: &G, appraiser: Appraiser) -> RulesEvaluator {
        RulesEvaluator::of(game, appraiser, Standard::measure(game))
    }

    fn of<G: Game>(game: &G, appraiser: Appraiser, standard: Standard) -> RulesEvaluator {
        let worth = appraiser.worth_of_pieces(game.description());
        RulesEvaluator::by(standard.with_worth(&worth), Way::Rules(Box::new(appraiser)))
    }

    fn by(standard: Standard, way: Way) -> RulesEvaluator {
        RulesEvaluator { standard, way, learned: None, perimeter: None, endgames: None }
    }

    /// Lets positions near the goal of a puzzle say how many moves others need at least.
    pub fn with_perimeter(self, perimeter: Perimeter) -> RulesEvaluator {
        RulesEvaluator { perimeter: Some(Arc::new(perimeter)), ..self }
    }

    /// Lets endgame databases say what they know.
    pub fn with_endgames(self, endgames: Arc<dyn Endgames>) -> RulesEvaluator {
        RulesEvaluator { endgames: Some(Shared(endgames)), ..self }
    }

    /// Whether there are endgame databases.
    pub fn has_endgames(&self) -> bool {
        self.endgames.is_some()
    }

    /// The same without what was learned on top of the evaluation.
    pub fn without_learned(self) -> RulesEvaluator {
        RulesEvaluator { learned: None, ..self }
    }

    /// Adds what learned patterns or a network say, instead of others; they must be made for the game.
    pub fn with_learned(self, learned: impl Into<Learned>) -> RulesEvaluator {
        RulesEvaluator { learned: Some(learned.into()), ..self }
    }

    /// Learned additions to the evaluation.
    pub fn learned(&self) -> Option<&Learned> {
        self.learned.as_ref()
    }

    /// A value with what was learned on top of it.
    #[inline]
    fn with_learned_value<G: Game>(&self, game: &G, position: &G::Position, value: Value) -> Value {
        match &self.learned {
            None => value,
            Some(learned) => Value::new(value.number() + learned.value(game, position)),
        }
    }

    /// Leaves the counting of moves out of what is measured: faster, and blinder. The rules' evaluation
    /// stays.
    pub fn without_mobility(self) -> RulesEvaluator {
        RulesEvaluator { standard: self.standard.without_mobility(), ..self }
    }

    /// Lets tables say how many moves a puzzle needs at least; the rules' own bound counts too.
    pub fn with_bound(self, bound: LowerBound) -> RulesEvaluator {
        RulesEvaluator { standard: self.standard.with_bound(bound), ..self }
    }

    /// The rules' evaluation, if positions are judged by one.
    pub fn appraiser(&self) -> Option<&Appraiser> {
        match &self.way {
            Way::Rules(appraiser) => Some(appraiser),
            Way::Measured | Way::Random | Way::Nothing => None,
        }
    }

    /// The derived evaluation.
    pub fn standard(&self) -> &Standard {
        &self.standard
    }

    /// The name of the evaluation.
    pub fn name(&self) -> &str {
        match &self.way {
            Way::Rules(appraiser) => &appraiser.evaluation().name,
            Way::Measured if self.standard.counts_moves() || self.standard.knows_goals() => "measured",
            Way::Measured => "material",
            Way::Random => "random",
            Way::Nothing => "nothing",
        }
    }

    /// The engine that plays such a game best. An evaluation in the rules, or a learned one, knows more than
    /// random games find out, as far as the bundled games tell.
    pub fn suits<G: Game>(&self, game: &G) -> Engine {
        match self.standard.suits(game) {
            Engine::Mcts if self.appraiser().is_some() || self.learned.is_some() => Engine::NegaScout,
            engine => engine,
        }
    }
}

impl<G: Game> Evaluator<G> for RulesEvaluator {
    #[inline]
    fn evaluate(&self, game: &G, position: &G::Position) -> Value {
        let value = match &self.way {
            Way::Rules(appraiser) => Value::new(appraiser.value_or_fields(game, position)),
            Way::Measured => self.standard.evaluate(game, position),
            Way::Random => {
                let mixed = game.signature(position).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                Value::new((mixed >> 40) as i32 % 201 - 100)
            }
            Way::Nothing => Value::DRAW,
        };
        self.with_learned_value(game, position, value)
    }

    #[inline]
    fn known(&self, game: &G, position: &G::Position) -> Option<Value> {
        self.endgames.as_ref()?.value(game, position)
    }

    fn looks_first(&self) -> bool {
        matches!(self.way, Way::Rules(_) | Way::Random)
    }

    fn estimate(&self, game: &G, position: &G::Position) -> Result<Estimate, RulesError> {
        match self.way {
            Way::Measured => Ok(match self.standard.estimate(game, position)? {
                Estimate::Worth(value) => Estimate::Worth(self.with_learned_value(game, position, value)),
                over => over,
            }),
            Way::Rules(_) | Way::Random | Way::Nothing => Ok(match game.outcome(position)? {
                Some(outcome) => Estimate::Over(outcome),
                None => Estimate::Worth(self.evaluate(game, position)),
            }),
        }
    }

    fn is_quiet(&self, game: &G, position: &G::Position, mv: &G::Move, child: &G::Position) -> bool {
        self.standard.is_quiet(game, position, mv, child)
    }

    fn tells_quiet_moves(&self) -> bool {
        // Where nothing is known of captures, moves are not told apart by them.
        self.is_nothing() || Evaluator::<G>::tells_quiet_moves(&self.standard)
    }

    #[inline]
    fn gain(&self, game: &G, position: &G::Position, mv: &G::Move) -> Option<i32> {
        self.standard.gain(game, position, mv)
    }

    fn prey(&self, game: &G, position: &G::Position) -> Option<&Weights> {
        self.standard.prey(game, position)
    }

    #[inline]
    fn stake(&self, game: &G, position: &G::Position, mv: &G::Move) -> i32 {
        Evaluator::<G>::stake(&self.standard, game, position, mv)
    }

    #[inline]
    fn is_calm(&self, game: &G, position: &G::Position) -> Option<bool> {
        match &self.way {
            Way::Rules(appraiser) => game.is_calm(position, appraiser.number()),
            Way::Measured | Way::Random | Way::Nothing => None,
        }
    }

    fn extension(&self, game: &G, _position: &G::Position, _mv: &G::Move, child: &G::Position) -> u32 {
        u32::from(self.is_calm(game, child) == Some(false))
    }

    fn extends_threats(&self) -> bool {
        true
    }

    /// Only where rules say what calm means, and not near the end of the game, where having to move may be a
    /// disadvantage.
    fn pass(&self, game: &G, position: &G::Position, child: &mut G::Position) -> bool {
        let Way::Rules(appraiser) = &self.way else { return false };
        if self.is_calm(game, position) != Some(true) || appraiser.is_near_the_end(game, position) {
            return false;
        }
        game.hand_over(position, child);
        true
    }

    #[inline]
    fn priority(&self, game: &G, position: &G::Position, mv: &G::Move, gain: Option<i32>) -> i32 {
        self.standard.priority(game, position, mv, gain)
    }

    fn lower_bound(&self, game: &G, position: &G::Position) -> u32 {
        let near = self.perimeter.as_ref().map_or(0, |perimeter| perimeter.bound(game.signature(position)));
        match &self.way {
            Way::Rules(appraiser) if appraiser.evaluation().purpose == Purpose::Bound => {
                let bound = appraiser.value(game, position).unwrap_or(0).max(0) as u32;
                bound.max(self.standard.lower_bound(game, position)).max(near)
            }
            _ => self.standard.lower_bound(game, position).max(near),
        }
    }

    fn bound_parts(&self) -> usize {
        match &self.way {
            Way::Rules(appraiser) if appraiser.evaluation().purpose == Purpose::Bound => 0,
            _ if self.perimeter.is_some() => 0,
            _ => Evaluator::<G>::bound_parts(&self.standard),
        }
    }

    fn bound_parts_are_single(&self) -> bool {
        Evaluator::<G>::bound_parts_are_single(&self.standard)
    }

    #[inline]
    fn bound_part(&self, game: &G, position: &G::Position, part: usize) -> u32 {
        self.standard.bound_part(game, position, part)
    }

    fn bound_part_moves(&self, game: &G, before: &G::Position, after: &G::Position, part: usize) -> bool {
        self.standard.bound_part_moves(game, before, after, part)
    }
}
