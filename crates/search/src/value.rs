//! Values of positions: [`Value`], the interval a search has proved ([`Bounds`]) and the interval it is
//! asked about ([`Window`]).

use std::fmt;
use std::ops::{Add, Neg, Sub};

use multigame_game::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// The worth of a position.
///
/// Values are 24-bit numbers as the player to move sees them. From the middle outwards:
///
/// | range (both signs) | meaning |
/// |---|---|
/// | 0 | a draw, or an even evaluation |
/// | up to [`Value::MAX_EVALUATION`] | a guess of the evaluation; by convention 100 is the worth of one man |
/// | from [`Value::LEAST_SCORE`] | the game is over with that margin ([`Outcome::Score`]): better than every guess |
/// | from [`Value::LEAST_WIN`] to [`Value::WIN`] | won outright; `WIN - n` is a win in `n` plies, so short wins are better |
/// | [`Value::INFINITE`] | no position has it; the end of a full window |
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Value(i32);

impl Value {
    /// Nobody is better.
    pub const DRAW: Value = Value(0);
    /// Above every value of a position; it fits in 24 bits with its sign.
    pub const INFINITE: Value = Value(8_300_000);
    /// Won already.
    pub const WIN: Value = Value(8_000_000);
    /// The longest win there is room for.
    pub const LEAST_WIN: Value = Value(7_000_000);
    /// Finished with a margin of 0 or more: margin `m` is `LEAST_SCORE + m`.
    pub const LEAST_SCORE: Value = Value(4_000_000);
    /// The greatest guess.
    pub const MAX_EVALUATION: Value = Value(Self::LEAST_SCORE.0 - 1);
    /// The longest win or loss in plies.
    pub const MAX_PLIES: u32 = (Self::WIN.0 - Self::LEAST_WIN.0) as u32;

    /// An evaluation; what is too large is cut back to the largest evaluation.
    pub fn new(evaluation: i32) -> Value {
        Value(evaluation.clamp(-Self::MAX_EVALUATION.0, Self::MAX_EVALUATION.0))
    }

    /// The value with that number.
    pub fn from_number(number: i32) -> Value {
        Value(number)
    }

    /// The plain number.
    pub fn number(self) -> i32 {
        self.0
    }

    /// Won after that many plies.
    pub fn win_in(plies: u32) -> Value {
        Value(Self::WIN.0 - plies.min(Self::MAX_PLIES) as i32)
    }

    /// Lost after that many plies.
    pub fn loss_in(plies: u32) -> Value {
        -Value::win_in(plies)
    }

    /// The worth of an outcome to a player if it comes about after this many plies.
    pub fn of_outcome(outcome: Outcome, side: Side, plies: u32) -> Value {
        match outcome {
            Outcome::Wins(winner) if winner == side => Value::win_in(plies),
            Outcome::Wins(_) => Value::loss_in(plies),
            Outcome::Draw | Outcome::Score(0) => Value::DRAW,
            Outcome::Score(margin) => {
                let room = Self::LEAST_WIN.0 - 1 - Self::LEAST_SCORE.0;
                let size = Self::LEAST_SCORE.0 + margin.unsigned_abs().min(room as u32) as i32;
                if (margin > 0) == (side == Side::White) { Value(size) } else { Value(-size) }
            }
        }
    }

    /// Whether it is a win outright.
    pub fn is_win(self) -> bool {
        self >= Self::LEAST_WIN
    }

    /// Whether it is a loss outright.
    pub fn is_loss(self) -> bool {
        self <= -Self::LEAST_WIN
    }

    /// After how many plies the game is over, where it is won or lost outright.
    pub fn plies(self) -> Option<u32> {
        (self.is_win() || self.is_loss()).then(|| (Self::WIN.0 - self.0.abs()).max(0) as u32)
    }

    /// The margin of a game finished with one.
    pub fn margin(self) -> Option<i32> {
        let size = self.0.abs() - Self::LEAST_SCORE.0;
        (size >= 0 && self.plies().is_none()).then(|| size * self.0.signum())
    }

    /// A value counted from a node becomes one counted from the root `ply` plies above it.
    pub fn from_node(self, ply: usize) -> Value {
        self.further(ply as i32)
    }

    /// A value counted from the root becomes one counted from a node `ply` plies below it.
    pub fn to_node(self, ply: usize) -> Value {
        self.further(-(ply as i32))
    }

    fn further(self, plies: i32) -> Value {
        if self.0.abs() >= Self::INFINITE.0 {
            self
        } else if self.is_win() {
            Value((self.0 - plies).max(Self::LEAST_WIN.0))
        } else if self.is_loss() {
            Value((self.0 + plies).min(-Self::LEAST_WIN.0))
        } else {
            self
        }
    }
}

impl Neg for Value {
    type Output = Value;
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl Add<i32> for Value {
    type Output = Value;
    fn add(self, difference: i32) -> Value {
        Value((self.0 + difference).clamp(-Self::INFINITE.0, Self::INFINITE.0))
    }
}

impl Sub<i32> for Value {
    type Output = Value;
    fn sub(self, difference: i32) -> Value {
        self + -difference
    }
}

/// `+35`, `draw`, `won in 5`, `lost in 4`, `won by 12`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.0 > 0 { "won" } else { "lost" };
        if self.0.abs() == Self::INFINITE.0 {
            f.write_str(if self.0 > 0 { "+infinite" } else { "-infinite" })
        } else if let Some(plies) = self.plies() {
            write!(f, "{word} in {plies}")
        } else if let Some(margin) = self.margin() {
            write!(f, "{word} by {}", margin.abs())
        } else {
            write!(f, "{:+}", self.0)
        }
    }
}

/// The kind of a proved statement about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Bound {
    /// The value is at least that.
    Lower,
    /// The value is at most that.
    Upper,
    /// The value is that.
    Exact,
}

/// An interval in which the value of a position is known to lie.
///
/// Searches compute with intervals instead of a number and a flag: the value of a node is at least the
/// greatest of its children's lower bounds, and at most the greatest of their upper bounds once all are
/// known. Every interval is a true statement whatever the window was, so no case needs an argument of its
/// own. Reinefeld's rule (no re-search where all grandsons are leaves) needs no code: the interval of such a
/// child has collapsed to one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bounds {
    /// The value is at least that.
    pub lower: Value,
    /// The value is at most that.
    pub upper: Value,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Bounds = Bounds { lower: Value(-Value::INFINITE.0), upper: Value::INFINITE };

    /// The value is that.
    pub fn exact(value: Value) -> Bounds {
        Bounds { lower: value, upper: value }
    }

    /// The value is at least that.
    pub fn at_least(value: Value) -> Bounds {
        Bounds { lower: value, ..Bounds::UNKNOWN }
    }

    /// The value is at most that.
    pub fn at_most(value: Value) -> Bounds {
        Bounds { upper: value, ..Bounds::UNKNOWN }
    }

    /// The statement of one kind about a value.
    pub fn of(bound: Bound, value: Value) -> Bounds {
        match bound {
            Bound::Lower => Bounds::at_least(value),
            Bound::Upper => Bounds::at_most(value),
            Bound::Exact => Bounds::exact(value),
        }
    }

    /// Whether only one value is left.
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// Whether a value is possible.
    pub fn contains(self, value: Value) -> bool {
        self.lower <= value && value <= self.upper
    }

    /// The statement in one number: the value, else the lower bound if there is one, else the upper bound.
    pub fn strongest(self) -> (Bound, Value) {
        if self.is_exact() {
            (Bound::Exact, self.lower)
        } else if self.lower > Bounds::UNKNOWN.lower {
            (Bound::Lower, self.lower)
        } else {
            (Bound::Upper, self.upper)
        }
    }

    /// Both statements together. Unsound pruning can make them contradict each other; then `other`
    /// wins.
    pub fn and(self, other: Bounds) -> Bounds {
        let both = Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) };
        if both.lower > both.upper { other } else { both }
    }

    /// Whether nothing more has to be known to answer a question about a window.
    pub fn decides(self, window: Window) -> bool {
        self.is_exact() || self.lower >= window.beta || self.upper <= window.alpha
    }

    /// Counted from the root instead of from a node `ply` plies below.
    pub fn from_node(self, ply: usize) -> Bounds {
        Bounds { lower: self.lower.from_node(ply), upper: self.upper.from_node(ply) }
    }
}

/// As the opponent sees it.
impl Neg for Bounds {
    type Output = Bounds;
    fn neg(self) -> Bounds {
        Bounds { lower: -self.upper, upper: -self.lower }
    }
}

/// `= +35`, `>= won in 5`, `<= -12`, `unknown`.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Bounds::UNKNOWN {
            return f.write_str("unknown");
        }
        let (bound, value) = self.strongest();
        let sign = match bound {
            Bound::Lower => ">=",
            Bound::Upper => "<=",
            Bound::Exact => "=",
        };
        write!(f, "{sign} {value}")
    }
}

/// The values a search tells apart: what is at most `alpha` or at least `beta` needs no better answer than
/// that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Window {
    /// Values up to this one are all too small.
    pub alpha: Value,
    /// Values from this one on are all too large.
    pub beta: Value,
}

impl Window {
    /// Every value matters.
    pub const FULL: Window = Window { alpha: Value(-Value::INFINITE.0), beta: Value::INFINITE };

    /// The question whether the value is greater than `alpha`.
    pub fn above(alpha: Value) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The values that matter to both.
    pub fn and(self, other: Window) -> Window {
        Window { alpha: self.alpha.max(other.alpha), beta: self.beta.min(other.beta) }
    }

    /// Whether no value lies strictly inside.
    pub fn is_zero(self) -> bool {
        self.alpha + 1 >= self.beta
    }
}

/// As the opponent sees it.
impl Neg for Window {
    type Output = Window;
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_ordered_and_scores_lie_between_draws_and_wins() {
        let white = |outcome, plies| Value::of_outcome(outcome, Side::White, plies);
        let ordered = [
            white(Outcome::Wins(Side::Black), 1),
            white(Outcome::Wins(Side::Black), 9),
            white(Outcome::Score(i32::MIN), 0),
            white(Outcome::Score(-3), 0),
            Value::new(i32::MIN),
            white(Outcome::Draw, 4),
            Value::new(i32::MAX),
            white(Outcome::Score(1), 0),
            white(Outcome::Score(i32::MAX), 0),
            white(Outcome::Wins(Side::White), 9),
            white(Outcome::Wins(Side::White), 1),
            Value::INFINITE,
        ];
        assert!(ordered.windows(2).all(|pair| pair[0] < pair[1]), "{ordered:?}");
        for outcome in [Outcome::Wins(Side::White), Outcome::Draw, Outcome::Score(-7)] {
            assert_eq!(white(outcome, 3), -Value::of_outcome(outcome, Side::Black, 3));
        }
        assert_eq!(white(Outcome::Score(-12), 0).to_string(), "lost by 12");
        assert_eq!(Value::win_in(5).to_string(), "won in 5");
    }

    #[test]
    fn distances_move_with_the_node() {
        assert_eq!(Value::win_in(3).from_node(4), Value::win_in(7));
        assert_eq!(Value::loss_in(7).to_node(4), Value::loss_in(3));
        assert_eq!(Value::INFINITE.from_node(4), Value::INFINITE);
        assert_eq!(Value::new(17).from_node(4), Value::new(17));
    }

    #[test]
    fn intervals_decide_windows() {
        let window = Window { alpha: Value::new(1), beta: Value::new(5) };
        assert!(Bounds::at_least(Value::new(5)).decides(window));
        assert!(Bounds::at_most(Value::new(1)).decides(window));
        assert!(!Bounds::at_least(Value::new(4)).decides(window));
        assert_eq!(-(-window), window);
        assert!(Window::above(Value::DRAW).is_zero());
    }
}
