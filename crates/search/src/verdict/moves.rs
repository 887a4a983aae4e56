//! In which order moves are tried: by what they did elsewhere, and in the beginning by what they did in
//! random games.

use multigame_game::{Game, Random, RulesError, Side, Signature};

/// Random games for the first order of moves, and how far they are followed.
const GAMES: usize = 4000;
const LONGEST: usize = 300;
/// Moves in them; whichever comes first.
const MOVES: usize = 200_000;
/// Moves that are told apart, as a power of two.
const MOVE_BITS: u32 = 16;

/// A child whose worth is not known yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub child: u32,
    /// Its place in the history.
    pub slot: u32,
    /// Whether one node was enough to answer.
    pub at_once: bool,
    pub score: i64,
    /// The least signature of its images.
    pub signature: Signature,
}

/// The success of moves, by the difference of signatures that they make.
#[derive(Debug)]
pub(super) struct Moves {
    scores: Vec<i32>,
}

impl Moves {
    pub fn new() -> Moves {
        Moves { scores: vec![0; 1 << MOVE_BITS] }
    }

    #[inline]
    pub fn order(&self, open: &mut [Candidate]) {
        for candidate in open {
            candidate.score = i64::from(self.scores[candidate.slot as usize]);
        }
    }

    /// Learns that a move answered the question, and those before it did not. Moves that were refuted at once
    /// say nothing about other positions: where one reply is forced, all others would count against theirs.
    ///
    /// PERF: scores that forget, and scores of moves after the move before, need as many nodes or up to twice
    /// as many in connect-4.
    #[inline]
    pub fn cut(&mut self, open: &[Candidate], turn: usize) {
        let mut vain = 0;
        for tried in open[..turn].iter().filter(|tried| !tried.at_once) {
            self.scores[tried.slot as usize] -= 1;
            vain += 1;
        }
        self.scores[open[turn].slot as usize] += vain;
    }

    /// Counts which moves winners play and which losers play.
    pub fn play_random_games<G: Game>(
        &mut self,
        game: &G,
        root: &G::Position,
        seed: u64,
    ) -> Result<(), RulesError> {
        let mut random = Random::new(seed);
        let (mut moves, mut played, mut total) = (Vec::new(), Vec::new(), 0);
        for _ in 0..GAMES {
            let mut position = root.clone();
            played.clear();
            let outcome = loop {
                if let Some(outcome) = game.moves(&position, &mut moves)? {
                    break Some(outcome);
                }
                if played.len() >= LONGEST {
                    break None;
                }
                let side = game.side_to_move(&position);
                let mut child = position.clone();
                game.apply(&position, &moves[random.below(moves.len())], &mut child);
                played.push((slot(game.signature(&child) ^ game.signature(&position), side), side));
                position = child;
            };
            for &(slot, side) in &played {
                let worth = outcome.map_or(0, |outcome| outcome.worth_to(side).signum());
                self.scores[slot as usize] += worth as i32;
            }
            total += played.len();
            if total >= MOVES {
                break;
            }
        }
        Ok(())
    }
}

/// The place of a move in the history.
#[inline]
pub(super) fn slot(difference: Signature, side: Side) -> u32 {
    let key = difference ^ (side.index() as u64) << 40;
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - MOVE_BITS)) as u32
}

/// Brings the most promising of the candidates from `turn` on to the front of them.
#[inline]
pub(super) fn pick(open: &mut [Candidate], turn: usize) -> Candidate {
    let rest = open.iter().enumerate().skip(turn);
    let best = rest.max_by_key(|(number, candidate)| (candidate.score, usize::MAX - number));
    let best = best.map_or(turn, |(number, _)| number);
    open[turn..=best].rotate_right(1);
    open[turn]
}
