//! What statements do to finger and direction, as far as it decides which results are the same.
//!
//! Results of `count` and `sum` are told apart by finger and direction. If a statement leaves one of them
//! alone on every way, all results share it, whatever it is; if every way sets it anew, it does not matter
//! what it was. Only where some ways keep it and others do not, the number of different results depends on
//! what was there before.

use multigame_game::Direction;
use multigame_ir::{Op, Stmt};

use crate::analysis::facts::Facts;
use crate::analysis::live::Live;

/// Which way fingers face.
#[derive(Clone, Copy, Default, PartialEq)]
struct Facing {
    /// The direction, if it is the same on all ways.
    direction: Option<Direction>,
    /// Whether directions that differ may have become one.
    forgotten: bool,
}

impl Facing {
    fn or(self, other: Facing) -> Facing {
        let direction = self.direction.filter(|_| self.direction == other.direction);
        Facing { direction, forgotten: self.forgotten || other.forgotten }
    }
}

/// What may happen on some way through a statement.
#[derive(Clone, Copy, Default)]
struct Effect {
    keeps: Live,
    changes: Live,
}

impl Effect {
    const KEEPS: Effect = Effect {
        keeps: Live { finger: true, direction: true },
        changes: Live { finger: false, direction: false },
    };

    fn or(self, other: Effect) -> Effect {
        Effect { keeps: self.keeps.or(other.keeps), changes: self.changes.or(other.changes) }
    }

    fn then(self, other: Effect) -> Effect {
        let keeps = Live {
            finger: self.keeps.finger && other.keeps.finger,
            direction: self.keeps.direction && other.keeps.direction,
        };
        Effect { keeps, changes: self.changes.or(other.changes) }
    }
}

impl Facts<'_> {
    /// Which of finger and direction some results have from before the statement, and others have not.
    pub fn blurs(&self, stmt: &Stmt) -> Live {
        let Effect { keeps, changes } = self.effect(stmt);
        Live { finger: keeps.finger && changes.finger, direction: keeps.direction && changes.direction }
    }

    /// Whether a statement may repeat something that turns until nothing is new, and not set the direction
    /// afterwards: sets do not remember the directions then. It is harmless if each round ends with the
    /// direction that the first one began with.
    pub fn forgets_direction(&self, stmt: &Stmt) -> bool {
        self.facing_after(stmt, Facing::default()).forgotten
    }

    fn facing_after(&self, stmt: &Stmt, before: Facing) -> Facing {
        match &stmt.op {
            Op::Sequence(parts) => parts.iter().fold(before, |facing, part| self.facing_after(part, facing)),
            Op::Call(function) if !self.recursive(*function) => {
                self.facing_after(self.body(*function), before)
            }
            Op::Face(directions) => {
                let only = directions.first().copied().filter(|_| directions.len() == 1);
                Facing { direction: only, forgotten: false }
            }
            Op::Either(parts) => {
                let ways = parts.iter().map(|part| self.facing_after(part, before));
                ways.reduce(Facing::or).unwrap_or_default()
            }
            Op::Repeat { high: None, body, .. } if self.faces(body) => {
                let known = before.direction.is_some() && self.facing_after(body, before) == before;
                if known { before } else { Facing { direction: None, forgotten: true } }
            }
            Op::Turn(_) => Facing { direction: None, ..before },
            Op::Test(_) | Op::Not(_) => before,
            _ => stmt
                .children()
                .into_iter()
                .fold(before, |all, child| all.or(self.facing_after(child, before))),
        }
    }

    fn effect(&self, stmt: &Stmt) -> Effect {
        let any =
            |parts: &[&Stmt]| parts.iter().fold(Effect::default(), |any, part| any.or(self.effect(part)));
        match &stmt.op {
            Op::Sequence(parts) => {
                parts.iter().fold(Effect::KEEPS, |effect, part| effect.then(self.effect(part)))
            }
            Op::Either(parts) => any(&parts.iter().collect::<Vec<_>>()),
            Op::Try(a, b) => any(&[a, b]),
            Op::Repeat { low: 0, body, .. } => Effect::KEEPS.or(self.effect(body)),
            Op::Repeat { body, .. } | Op::Greatest(_, body) => self.effect(body),
            Op::While { condition, body } => Effect::KEEPS.or(any(&[condition, body])),
            Op::Call(function) if self.recursive(*function) => {
                Effect { keeps: Effect::KEEPS.keeps, changes: Effect::KEEPS.keeps }
            }
            Op::Call(function) => self.effect(self.body(*function)),
            Op::Find(_) | Op::Place(_) | Op::MoveTo { .. } | Op::Step | Op::StepBackward => Effect {
                keeps: Live { finger: false, direction: true },
                changes: Live { finger: true, direction: false },
            },
            Op::Face(_) | Op::Turn(_) => Effect {
                keeps: Live { finger: true, direction: false },
                changes: Live { finger: false, direction: true },
            },
            _ => Effect::KEEPS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BOARD, program};

    #[test]
    fn a_repetition_that_turns_forgets_the_direction() {
        let forgets = |rules: &str| {
            let program = program(BOARD, &format!("find own man, {rules}, replace by rock"));
            let facts = Facts::new(&program);
            facts.forgets_direction(facts.body(program.main[0]))
        };
        assert!(forgets("repeat 0 .. infinity times [ orthogonal, step ]"));
        // Whatever it was, it is set anew.
        assert!(!forgets("repeat 0 .. infinity times [ orthogonal, step ], north"));
        assert!(!forgets("north, repeat 0 .. infinity times step"));
    }
}
