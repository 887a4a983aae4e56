//! Common parts of the two proof-number engines: the question, the numbers, the answer.
//!
//! An *attacker* tries to reach an ending that is good enough; a position that comes back on the path never
//! is. For the question whether the player to move wins, this player is the attacker; for the question
//! whether this player at least draws, the opponent attacks and the answer is turned around. So repetition
//! and endless play count as draws in both.

use multigame_game::{Game, Outcome, Repetition, Side};

use crate::hooks::Interrupt;
use crate::{Bounds, Proved, SearchError, SearchResult, Statistics, Value};

/// Enough to count as infinitely many.
pub(crate) const INFINITE: u32 = u32::MAX / 2;

/// Proof and disproof number: how many leaves have at least to be proved so that the attacker succeeds, or
/// fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub proof: u32,
    pub disproof: u32,
}

impl Numbers {
    pub const UNKNOWN: Numbers = Numbers { proof: 1, disproof: 1 };
    pub const SUCCESS: Numbers = Numbers { proof: 0, disproof: INFINITE };
    pub const FAILURE: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    pub fn is_solved(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// The numbers of a node from those of its children. At the attacker's nodes one child is enough for
    /// success, at the others all are needed.
    pub fn of_children(attacks: bool, children: impl Iterator<Item = Numbers>) -> Numbers {
        let (mut least, mut sum) = (INFINITE, 0u32);
        for child in children {
            let child = if attacks { child } else { child.swapped() };
            least = least.min(child.proof);
            // Only what is solved is infinite.
            let most = if child.proof == 0 { INFINITE } else { INFINITE - 1 };
            sum = sum.saturating_add(child.disproof).min(most).max(sum);
        }
        let numbers = Numbers { proof: least, disproof: sum };
        if attacks { numbers } else { numbers.swapped() }
    }

    pub fn swapped(self) -> Numbers {
        Numbers { proof: self.disproof, disproof: self.proof }
    }
}

/// The attacker's aim.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attack {
    pub attacker: Side,
    least: Value,
    /// The attacker's failure is what was asked for.
    turned: bool,
    /// Whether a game ended with a score, which is less than a win.
    pub saw_score: bool,
}

impl Attack {
    /// Asks whether a position is worth at least a value to a player.
    pub fn new(player: Side, at_least: Value) -> Attack {
        let turned = at_least <= Value::DRAW;
        let (attacker, least) = if turned { (player.opponent(), -at_least + 1) } else { (player, at_least) };
        Attack { attacker, least, turned, saw_score: false }
    }

    /// A number for the question: others have others.
    pub fn number(&self) -> u64 {
        u64::from(self.least.number() as u32) << 1 | self.attacker.index() as u64
    }

    /// Judges an ending.
    pub fn judge(&mut self, outcome: Outcome) -> Numbers {
        self.saw_score |= matches!(outcome, Outcome::Score(_));
        let success = Value::of_outcome(outcome, self.attacker, 0) >= self.least;
        if success { Numbers::SUCCESS } else { Numbers::FAILURE }
    }

    /// The answer to the question.
    fn answer(&self, success: Option<bool>) -> Option<bool> {
        success.map(|success| success != self.turned)
    }
}

/// The result of an attack.
#[derive(Debug)]
pub(crate) struct Verdict<M> {
    /// Whether the attacker succeeds, if that is known.
    pub success: Option<bool>,
    pub pv: Vec<M>,
    pub saw_score: bool,
}

/// Whether the rules on repetition are those the proof-number engines know.
pub(crate) fn check<G: Game>(game: &G) -> Result<(), SearchError> {
    match game.description().repetition {
        Repetition::Ignored | Repetition::Draw(_) => Ok(()),
        Repetition::Win(_) | Repetition::Loss(_) | Repetition::Judge(_) | Repetition::Forbidden => {
            Err(SearchError::Unsuitable(
                "proof-number search takes repetition for a draw, but the rules of this game say otherwise"
                    .to_string(),
            ))
        }
    }
}

/// Finds out whether a position is won, drawn or lost, by two attacks at most.
pub(crate) fn solve<M>(
    player: Side,
    mut attack: impl FnMut(Attack) -> Result<Verdict<M>, Interrupt>,
) -> Result<SearchResult<M>, Interrupt> {
    let mut ask = |at_least: Value| {
        let question = Attack::new(player, at_least);
        let verdict = attack(question)?;
        Ok::<_, Interrupt>((question.answer(verdict.success), verdict.pv, verdict.saw_score))
    };
    let (won, mut pv, scores) = ask(Value::LEAST_SCORE)?;
    let mut bounds = match won {
        Some(true) => Bounds::at_least(if scores { Value::LEAST_SCORE } else { Value::LEAST_WIN }),
        Some(false) => Bounds::at_most(Value::DRAW),
        None => Bounds::UNKNOWN,
    };
    if won == Some(false) {
        let (holds, line, scores) = ask(Value::DRAW)?;
        match holds {
            Some(true) => bounds = Bounds::exact(Value::DRAW),
            Some(false) => {
                bounds = Bounds::at_most(if scores { -Value::LEAST_SCORE } else { -Value::LEAST_WIN })
            }
            None => {}
        }
        pv = line;
    }
    let finished = bounds != Bounds::UNKNOWN && bounds != Bounds::at_most(Value::DRAW);
    let value = if bounds == Bounds::UNKNOWN { Value::DRAW } else { bounds.strongest().1 };
    let (proved, statistics) = (Proved::within(bounds), Statistics::default());
    Ok(SearchResult { bounds, proved, value, pv, depth: 0, finished, reported: finished, statistics })
}
