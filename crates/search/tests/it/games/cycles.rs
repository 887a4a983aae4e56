//! A random game on a graph with cycles: a token goes along arrows, some nodes end the game.

use std::ops::ControlFlow;

use multigame_game::*;

use super::{describe, mix};

#[derive(Debug)]
pub struct Cycles {
    description: Description,
    pub arrows: Vec<Vec<u16>>,
    pub endings: Vec<Option<Outcome>>,
}

/// Node and side.
pub type Token = (u16, Side);

impl Cycles {
    pub fn new(nodes: usize, seed: u64, repetition: Repetition) -> Cycles {
        let mut random = Random::new(seed.wrapping_mul(0x1234_5678_9abc_def1));
        let mut arrows: Vec<Vec<u16>> = Vec::new();
        let mut endings = Vec::new();
        for node in 0..nodes {
            let ending = match random.below(10) {
                0 if node > 0 => Some(Outcome::Wins(Side::White)),
                1 if node > 0 => Some(Outcome::Wins(Side::Black)),
                2 if node > 0 => Some(Outcome::Draw),
                _ => None,
            };
            endings.push(ending);
            let mut targets: Vec<u16> =
                (0..1 + random.below(3)).map(|_| random.below(nodes) as u16).collect();
            targets.sort_unstable();
            targets.dedup();
            arrows.push(targets);
        }
        let mut description = describe("cycles", 2, 1, 1, &[]);
        description.repetition = repetition;
        Cycles { description, arrows, endings }
    }

    /// Solves the game backwards from its endings; who can keep it going forever has a draw.
    pub fn solve(&self) -> Vec<[Option<Side>; 2]> {
        let mut winners = vec![[None; 2]; self.arrows.len()];
        loop {
            let mut changed = false;
            for node in 0..self.arrows.len() {
                for side in Side::BOTH {
                    let winner = match self.endings[node] {
                        Some(outcome) => outcome.winner(),
                        None => {
                            let after = |&target: &u16| winners[usize::from(target)][side.opponent().index()];
                            let after: Vec<Option<Side>> = self.arrows[node].iter().map(after).collect();
                            if after.contains(&Some(side)) {
                                Some(side)
                            } else if after.iter().all(|winner| *winner == Some(side.opponent())) {
                                Some(side.opponent())
                            } else {
                                None
                            }
                        }
                    };
                    changed |= winners[node][side.index()] != winner;
                    winners[node][side.index()] = winner;
                }
            }
            if !changed {
                return winners;
            }
        }
    }
}

impl Game for Cycles {
    type Position = Token;
    /// From, to.
    type Move = (u16, u16);

    fn description(&self) -> &Description {
        &self.description
    }
    fn initial(&self) -> Token {
        (0, Side::White)
    }
    fn position(&self, diagram: &Diagram) -> Token {
        (0, diagram.side)
    }
    fn diagram(&self, token: &Token) -> Diagram {
        Diagram { cells: vec![Piece::NONE], values: Vec::new(), side: token.1 }
    }
    fn side_to_move(&self, token: &Token) -> Side {
        token.1
    }
    fn signature(&self, token: &Token) -> Signature {
        mix(u64::from(token.0) << 1 | token.1 as u64)
    }
    fn is_irreversible(&self, _: &Token) -> bool {
        false
    }
    fn visit(&self, token: &Token, visitor: &mut Visitor<'_, Self>) -> Result<Option<Outcome>, RulesError> {
        let node = usize::from(token.0);
        if self.endings[node].is_some() {
            return Ok(self.endings[node]);
        }
        for &target in &self.arrows[node] {
            if let ControlFlow::Break(()) = visitor(&(token.0, target), &(target, token.1.opponent())) {
                break;
            }
        }
        Ok(None)
    }
    fn ended(&self, _: &Token) -> Option<Outcome> {
        None
    }
    fn ending(&self, _: &(u16, u16)) -> Option<Outcome> {
        None
    }
    multigame_game::moves_alone!();
    fn apply(&self, token: &Token, mv: &(u16, u16), child: &mut Token) {
        *child = (mv.1, token.1.opponent());
    }
    fn move_key(&self, mv: &(u16, u16)) -> u64 {
        mix(u64::from(mv.0) << 16 | u64::from(mv.1))
    }
}
