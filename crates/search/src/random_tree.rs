//! A game for experiments: a uniform random tree whose width, height, move ordering and transpositions are
//! chosen.
//!
//! Without transpositions the value of every node is laid down from the root downwards: one child is as good
//! as its father, the others are worse. So the minimax value of the root is known without search, and it is
//! known how often the first child is the best. With transpositions, each level has a limited number of
//! positions, and only the leaves have values.

use std::ops::ControlFlow;

use multigame_game::portable::{take_bool, take_i32, take_u16, take_u64};
use multigame_game::{
    Board, Description, Diagram, Game, Looks, NoMoves, Outcome, PieceInfo, Portable, Property, Random,
    Repetition, RulesError, Scope, Side, Signature, Topology, Unreadable, Visitor, Zobrist,
};
use serde::{Deserialize, Serialize};

use crate::{Evaluator, Value};

/// The shape of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// Moves of each position.
    pub width: u16,
    /// Plies until the game is over.
    pub height: u16,
    /// Chooses one of all such trees.
    pub seed: u64,
    /// Share of nodes whose first move is a best one, in percent.
    pub ordered: u32,
    /// Positions of each level, for transpositions; 0 for a tree, the only kind with an ordering.
    pub positions: u32,
    /// Scores lie between minus this and this; also how much worse than the best a move can be.
    pub spread: i32,
    /// By how much evaluations can be wrong.
    pub noise: i32,
    /// Positions won or lost before the last ply, in thousandths; only with transpositions.
    pub sudden: u32,
    /// Moves after which the same player moves again, in thousandths.
    pub again: u32,
    /// Moves that are not quiet, in thousandths.
    pub unquiet: u32,
    /// Moves that are searched more deeply, in thousandths.
    pub extended: u32,
    /// Whether every move is so far better than those before it that no search can leave anything
    /// out: the worst order there is. Nothing but width and height matters then.
    pub worst: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Shape {
            width: 4,
            height: 8,
            seed: 1,
            ordered: 80,
            positions: 0,
            spread: 100,
            noise: 30,
            sudden: 0,
            again: 0,
            unquiet: 0,
            extended: 0,
            worst: false,
        }
    }
}

/// The game.
#[derive(Clone, Debug)]
pub struct RandomTree {
    shape: Shape,
    description: Description,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreePosition {
    state: u64,
    /// The worth for the player to move; 0 with transpositions.
    value: i32,
    ply: u16,
    side: Side,
}

impl RandomTree {
    /// A tree of that shape.
    pub fn new(shape: Shape) -> RandomTree {
        let board = Board::grid(Topology::Square, 1, 1, vec![true], false).expect("one field is a board");
        let property = |(offset, name): (usize, &str)| Property {
            name: name.to_string(),
            scope: Scope::Board,
            low: i32::MIN,
            high: i32::MAX,
            hashed: true,
            offset,
        };
        let names = ["high", "low", "value", "ply"];
        let mut description = Description {
            name: "random tree".to_string(),
            players: 2,
            board,
            pieces: vec![PieceInfo::none()],
            properties: names.into_iter().enumerate().map(property).collect(),
            chance: None,
            no_moves: NoMoves::Error,
            repetition: Repetition::Ignored,
            notation: Vec::new(),
            stacks: None,
            looks: Looks::default(),
            initial: Diagram { cells: Vec::new(), values: Vec::new(), side: Side::White },
        };
        let spread = shape.spread.max(1);
        let mut random = Random::new(shape.seed);
        let value = random.below(2 * spread as usize + 1) as i32 - spread;
        let root = TreePosition {
            state: if shape.worst { interval(-WORST, WORST) } else { 0 },
            value: if shape.positions > 0 || shape.worst { 0 } else { value },
            ply: 0,
            side: Side::White,
        };
        description.initial = diagram(&root);
        RandomTree { shape, description }
    }

    /// Its shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The minimax value of a position to its player, which only a tree without transpositions knows.
    pub fn known_value(&self, position: &TreePosition) -> Option<Value> {
        let white = if position.side == Side::White { position.value } else { -position.value };
        (self.shape.positions == 0).then(|| Value::of_outcome(Outcome::Score(white), position.side, 0))
    }

    /// A number that depends on nothing but the position and what it is for.
    fn chance(&self, position: &TreePosition, purpose: u64) -> Random {
        let seed = position.state ^ (u64::from(position.ply) << 48) ^ ((position.side as u64) << 47);
        Random::new(Random::new(seed ^ purpose.rotate_left(32)).next_u64() ^ self.shape.seed)
    }

    fn in_thousand(&self, position: &TreePosition, purpose: u64, share: u32) -> bool {
        share > 0 && self.chance(position, purpose).below(1000) < share as usize
    }

    fn between(&self, position: &TreePosition, purpose: u64, limit: i32) -> i32 {
        self.chance(position, purpose).below(2 * limit.max(0) as usize + 1) as i32 - limit.max(0)
    }

    fn outcome_of(&self, position: &TreePosition) -> Option<Outcome> {
        let white = |value: i32| if position.side == Side::White { value } else { -value };
        if position.ply >= self.shape.height || self.shape.width == 0 {
            let score = match self.shape.positions {
                0 => position.value,
                _ => self.between(position, PURPOSE_SCORE, self.shape.spread),
            };
            return Some(Outcome::Score(white(score)));
        }
        let sudden = self.shape.positions > 0 && position.ply > 0;
        if sudden && self.in_thousand(position, PURPOSE_SUDDEN, self.shape.sudden) {
            let lost = self.chance(position, PURPOSE_SUDDEN + 1).below(4) > 0;
            return Some(Outcome::Wins(if lost { position.side.opponent() } else { position.side }));
        }
        None
    }

    /// A node of the worst tree knows the values between which it lies. Its children divide the lower part
    /// among them.
    fn worst_child(&self, position: &TreePosition, mv: u16) -> TreePosition {
        let (low, high) = ((position.state >> 32) as i32, position.state as i32);
        let part = |number: i64| {
            let span = i64::from(position.value) - i64::from(low);
            low + (span * number / i64::from(self.shape.width)) as i32
        };
        let (before, value) = (part(i64::from(mv)), part(i64::from(mv) + 1));
        TreePosition {
            state: interval(-high, -before),
            value: -value,
            ply: position.ply + 1,
            side: position.side.opponent(),
        }
    }

    fn child(&self, position: &TreePosition, mv: u16) -> TreePosition {
        if self.shape.worst {
            return self.worst_child(position, mv);
        }
        let purpose = PURPOSE_MOVE + u64::from(mv);
        let again = self.in_thousand(position, purpose ^ PURPOSE_AGAIN, self.shape.again);
        let side = if again { position.side } else { position.side.opponent() };
        let (mut random, ply) = (self.chance(position, purpose), position.ply + 1);
        if self.shape.positions > 0 {
            return TreePosition {
                state: random.below(self.shape.positions as usize) as u64,
                value: 0,
                ply,
                side,
            };
        }
        let state = random.next_u64();
        let mut value = position.value;
        if mv != self.best(position) {
            value -= random.below(self.shape.spread.max(1) as usize) as i32;
        }
        TreePosition { state, value: if again { value } else { -value }, ply, side }
    }

    fn best(&self, position: &TreePosition) -> u16 {
        let mut random = self.chance(position, PURPOSE_BEST);
        if self.shape.width < 2 || random.below(100) < self.shape.ordered as usize {
            return 0;
        }
        1 + random.below(usize::from(self.shape.width) - 1) as u16
    }
}

const PURPOSE_SCORE: u64 = 1;
const PURPOSE_SUDDEN: u64 = 2;
const PURPOSE_BEST: u64 = 4;
const PURPOSE_GUESS: u64 = 5;
const PURPOSE_PASS: u64 = 6;
const PURPOSE_AGAIN: u64 = 1 << 20;
const PURPOSE_QUIET: u64 = 2 << 20;
const PURPOSE_EXTENDED: u64 = 3 << 20;
const PURPOSE_MOVE: u64 = 1 << 30;

/// Values in the worst tree lie between minus this and this.
const WORST: i32 = 2_000_000;

fn interval(low: i32, high: i32) -> u64 {
    u64::from(low as u32) << 32 | u64::from(high as u32)
}

fn diagram(position: &TreePosition) -> Diagram {
    let state = position.state;
    let values = vec![(state >> 32) as i32, state as i32, position.value, i32::from(position.ply)];
    Diagram { cells: vec![multigame_game::Piece::NONE], values, side: position.side }
}

impl Game for RandomTree {
    type Position = TreePosition;
    type Move = u16;

    fn description(&self) -> &Description {
        &self.description
    }

    fn position(&self, diagram: &Diagram) -> TreePosition {
        let [high, low, value, ply] = diagram.values[..] else { panic!("a tree position has four values") };
        let state = u64::from(high as u32) << 32 | u64::from(low as u32);
        TreePosition { state, value, ply: ply.clamp(0, i32::from(u16::MAX)) as u16, side: diagram.side }
    }

    fn diagram(&self, position: &TreePosition) -> Diagram {
        diagram(position)
    }

    fn side_to_move(&self, position: &TreePosition) -> Side {
        position.side
    }

    fn signature(&self, position: &TreePosition) -> Signature {
        let side = if position.side == Side::White { 0 } else { Zobrist::BLACK_TO_MOVE };
        let value = position.value as u32;
        Random::new(position.state).next_u64()
            ^ Random::new((u64::from(value) << 20 | u64::from(position.ply)) + (1 << 62)).next_u64()
            ^ side
    }

    fn is_irreversible(&self, _position: &TreePosition) -> bool {
        true
    }

    fn visit(
        &self,
        position: &TreePosition,
        visitor: &mut Visitor<'_, Self>,
    ) -> Result<Option<Outcome>, RulesError> {
        if let Some(outcome) = self.outcome_of(position) {
            return Ok(Some(outcome));
        }
        for mv in 0..self.shape.width {
            if let ControlFlow::Break(()) = visitor(&mv, &self.child(position, mv)) {
                break;
            }
        }
        Ok(None)
    }

    fn moves(&self, position: &TreePosition, moves: &mut Vec<u16>) -> Result<Option<Outcome>, RulesError> {
        moves.clear();
        let outcome = self.outcome_of(position);
        if outcome.is_none() {
            moves.extend(0..self.shape.width);
        }
        Ok(outcome)
    }

    fn outcome(&self, position: &TreePosition) -> Result<Option<Outcome>, RulesError> {
        Ok(self.outcome_of(position))
    }

    fn ended(&self, _: &TreePosition) -> Option<Outcome> {
        None
    }

    fn ending(&self, _: &u16) -> Option<Outcome> {
        None
    }

    multigame_game::moves_alone!();

    fn apply(&self, position: &TreePosition, mv: &u16, child: &mut TreePosition) {
        *child = self.child(position, *mv);
    }

    fn move_key(&self, mv: &u16) -> u64 {
        Random::new(u64::from(*mv)).next_u64()
    }
}

impl Portable for RandomTree {
    fn pack_position(&self, position: &TreePosition, bytes: &mut Vec<u8>) {
        bytes.extend(position.state.to_le_bytes());
        bytes.extend(position.value.to_le_bytes());
        bytes.extend(position.ply.to_le_bytes());
        bytes.push(position.side.index() as u8);
    }

    fn unpack_position(&self, bytes: &mut &[u8]) -> Result<TreePosition, Unreadable> {
        let (state, value, ply) = (take_u64(bytes)?, take_i32(bytes)?, take_u16(bytes)?);
        let side = Side::BOTH[usize::from(take_bool(bytes)?)];
        Ok(TreePosition { state, value, ply, side })
    }

    fn pack_move(&self, mv: &u16, bytes: &mut Vec<u8>) {
        bytes.extend(mv.to_le_bytes());
    }

    fn unpack_move(&self, bytes: &mut &[u8]) -> Result<u16, Unreadable> {
        let mv = take_u16(bytes)?;
        if mv < self.shape.width { Ok(mv) } else { Err(Unreadable("a move of this tree")) }
    }
}

/// Guesses as well as [`Shape::noise`] allows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guess;

impl Evaluator<RandomTree> for Guess {
    fn evaluate(&self, game: &RandomTree, position: &TreePosition) -> Value {
        let limit = if game.shape.positions > 0 { game.shape.spread } else { game.shape.noise };
        Value::new(position.value + game.between(position, PURPOSE_GUESS, limit))
    }

    fn is_quiet(&self, game: &RandomTree, position: &TreePosition, mv: &u16, _child: &TreePosition) -> bool {
        !game.in_thousand(position, PURPOSE_QUIET + u64::from(*mv), game.shape.unquiet)
    }

    /// In a tree without transpositions a pass is like one of the worse moves.
    fn pass(&self, game: &RandomTree, position: &TreePosition, child: &mut TreePosition) -> bool {
        let mut random = game.chance(position, PURPOSE_PASS);
        let state = random.next_u64();
        let value = position.value - random.below(game.shape.spread.max(1) as usize) as i32;
        *child = TreePosition { state, value: -value, ply: position.ply + 1, side: position.side.opponent() };
        game.shape.positions == 0
    }

    fn extension(&self, game: &RandomTree, position: &TreePosition, mv: &u16, _child: &TreePosition) -> u32 {
        u32::from(game.in_thousand(position, PURPOSE_EXTENDED + u64::from(*mv), game.shape.extended))
    }
}
