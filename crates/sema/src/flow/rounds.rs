//! Statements made of others: which parts the first round of a loop surely comes to.
//!
//! A later round finds finger, direction and hand as the earlier ones left them, so what it knows hides a
//! first round that must go wrong. The first round is therefore looked at on its own as well.

use super::{Flow, State, join};
use crate::model::Stmt;

/// The conclusions from the first round of the loops around a statement for all rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Round {
    /// Nothing: this is another round, or the first may leave the statement out.
    Other,
    /// The statement is run in the first round, but only up to its first result.
    FirstResult,
    /// The statement is run in the first round, whether it has a result or not.
    First,
    /// A state that reaches another round has had a result of this statement in the first.
    FirstPassed,
    /// Outside of loops.
    Only,
}

impl Flow<'_, '_> {
    /// Follows something that the first round of a loop outside is said to reach at most like this.
    pub(super) fn at_most<T>(&mut self, round: Round, follow: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.round;
        if outer != Round::Only {
            self.round = outer.min(round);
        }
        let followed = follow(self);
        self.round = outer;
        followed
    }

    /// Follows a part of a loop in a certain round.
    pub(super) fn in_round<T>(&mut self, round: Round, follow: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.round, round);
        let followed = follow(self);
        self.round = outer;
        followed
    }

    /// Parts that are run one after the other, as long as each has a result.
    pub(super) fn sequence(&mut self, parts: &[Stmt], state: State) -> Option<State> {
        let mut state = state;
        for (at, part) in parts.iter().enumerate() {
            // Only who has passed one is sure to come to the next.
            let round = match self.round {
                Round::FirstResult | Round::First if at > 0 => Round::Other,
                round => round,
            };
            state = self.in_round(round, |flow| flow.statement(part, Some(state)))?;
        }
        Some(state)
    }

    /// Alternatives, all of which are run unless one result is enough.
    pub(super) fn alternatives(&mut self, parts: &[Stmt], state: State) -> Option<State> {
        let mut union = None;
        for (at, part) in parts.iter().enumerate() {
            let round = if self.round == Round::FirstResult && at > 0 { Round::Other } else { Round::First };
            union = join(union, self.at_most(round, |flow| flow.statement(part, Some(state))));
        }
        union
    }

    pub(super) fn repeat(&mut self, low: u32, high: Option<u32>, body: &Stmt, state: State) -> Option<State> {
        let mut state = Some(state);
        let mut exact = low;
        let mut round =
            if low > 0 { self.round.min(Round::FirstPassed) } else { self.round.min(Round::First) };
        // The counted rounds settle after a few; those that alternate are joined below.
        while exact > 0 && low - exact < 8 {
            let after = self.in_round(round, |flow| flow.statement(body, state));
            round = Round::Other;
            exact -= 1;
            if after == state {
                exact = 0;
            }
            state = after;
        }
        if exact == 0 && high == Some(low) {
            return state;
        }
        loop {
            let wider = join(state, self.in_round(round, |flow| flow.statement(body, state)));
            round = Round::Other;
            if wider == state {
                return state;
            }
            state = wider;
        }
    }

    /// `while C do A`
    pub(super) fn repeat_while(&mut self, condition: &Stmt, body: &Stmt, before: State) -> Option<State> {
        // A loop inside another one may be left at once, by a condition without result.
        let rounds = match self.round {
            Round::Only => [Round::FirstPassed, Round::FirstPassed],
            round => [round.min(Round::First), Round::Other],
        };
        self.go_round(condition, body, Some(before), rounds)
    }

    /// `do A while C`
    pub(super) fn do_while(&mut self, body: &Stmt, condition: &Stmt, before: State) -> Option<State> {
        let (body_round, condition_round) = match self.round {
            Round::Only => (Round::FirstPassed, Round::FirstPassed),
            Round::FirstPassed => (Round::FirstPassed, Round::First),
            round => (round, Round::Other),
        };
        let after = self.in_round(body_round, |flow| flow.statement(body, Some(before)));
        self.go_round(condition, body, after, [condition_round, Round::Other])
    }

    /// Condition and body by turns; `rounds` tells in which of them they are at first.
    fn go_round(
        &mut self,
        condition: &Stmt,
        body: &Stmt,
        before: Option<State>,
        mut rounds: [Round; 2],
    ) -> Option<State> {
        let mut state = before;
        loop {
            let inside = self.in_round(rounds[0], |flow| flow.statement(condition, state));
            let wider = join(state, self.in_round(rounds[1], |flow| flow.statement(body, inside)));
            if wider == state {
                return state.filter(|_| !self.success.is_total(condition));
            }
            state = wider;
            rounds = [Round::Other; 2];
        }
    }

    /// Finger and direction are as before afterwards; the hand may have changed.
    pub(super) fn for_each(&mut self, body: &Stmt, before: State, mut inside: State) -> Option<State> {
        loop {
            let after = self.in_round(Round::Other, |flow| flow.statement(body, Some(inside)));
            let hand = after.map_or(inside.hand, |after| inside.hand | after.hand);
            if hand == inside.hand {
                return Some(State { hand, ..before });
            }
            inside.hand = hand;
        }
    }
}
