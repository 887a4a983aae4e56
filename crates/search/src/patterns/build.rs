//! Making a database: all abstract positions, breadth first from the goal.
//!
//! The rules are run forwards from the goal, which gives the way back only if every move can be undone. That
//! is checked for all moves that are met: each of them adds a number made from its two ends to a sum and each
//! taken the other way round subtracts the same, so that the sum is 0 in the end only if (but for a chance of
//! 2^-64) every move can be undone. The set of found positions is closed under moves, so nothing else matters
//! for positions with an entry.

use std::ops::ControlFlow;

use multigame_game::{Abstraction, Diagram, Game, Puzzle, Random, RulesError, Side};

use super::{Arrangement, Costs, PatternDatabase};

/// The reason why a database cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PatternError {
    /// The abstraction cannot be used.
    #[error("{0}")]
    Unsuitable(String),
    /// It was stopped.
    #[error("stopped before it was complete")]
    Stopped,
    /// The rules failed.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

impl PatternError {
    pub(super) fn new(reason: impl Into<String>) -> PatternError {
        PatternError::Unsuitable(reason.into())
    }

    pub(super) fn too_large() -> PatternError {
        PatternError::new("it has too many positions; keep fewer pieces")
    }
}

/// Most positions of an abstraction: a bit for each has to fit into memory beside the numbers.
const LIMIT: u64 = 1 << 33;
/// Positions between two reports.
const REPORT: u64 = 1 << 16;

/// Makes the database of an abstraction. `report` is told now and then how many positions have been met and
/// says whether to go on.
pub fn build<G: Game>(
    game: &G,
    puzzle: &Puzzle,
    abstraction: &Abstraction,
    report: &mut dyn FnMut(u64) -> bool,
) -> Result<PatternDatabase, PatternError> {
    let arrangement = Arrangement::new(game.description(), puzzle, abstraction)?;
    if arrangement.positions() > LIMIT {
        return Err(PatternError::too_large());
    }
    let mut goal = Diagram { cells: puzzle.goal.clone(), values: Vec::new(), side: Side::White };
    arrangement.hide(&mut goal);
    for costs in [Costs::Own, Costs::All] {
        let mut flood = Flood::new(game, &arrangement, costs, &goal);
        match flood.run(report)? {
            Ending::Complete => {
                let numbers = std::mem::take(&mut flood.numbers);
                return Ok(PatternDatabase::pack(abstraction.clone(), arrangement, costs, &numbers));
            }
            // Moves that carry kept and hidden pieces together count for all.
            Ending::Mixed => {}
        }
    }
    unreachable!("counting all moves mixes nothing")
}

enum Ending {
    Complete,
    Mixed,
}

struct Flood<'a, G: Game> {
    game: &'a G,
    arrangement: &'a Arrangement,
    costs: Costs,
    numbers: Vec<u8>,
    met: Vec<u64>,
    count: u64,
    /// 0 in the end if every move can be undone.
    balance: u64,
    /// Room to work in.
    diagram: Diagram,
    start: u64,
}

impl<'a, G: Game> Flood<'a, G> {
    fn new(game: &'a G, arrangement: &'a Arrangement, costs: Costs, goal: &Diagram) -> Flood<'a, G> {
        let entries = match costs {
            Costs::Own => arrangement.kept_count(),
            Costs::All => arrangement.positions(),
        };
        Flood {
            game,
            arrangement,
            costs,
            numbers: vec![u8::MAX; entries as usize],
            met: vec![0; arrangement.positions().div_ceil(64) as usize],
            count: 0,
            balance: 0,
            diagram: goal.clone(),
            start: arrangement.number(goal).unwrap_or(0),
        }
    }

    fn run(&mut self, report: &mut dyn FnMut(u64) -> bool) -> Result<Ending, PatternError> {
        let (mut now, mut next, mut distance) = (vec![self.start], Vec::new(), 0u8);
        while !now.is_empty() {
            while let Some(number) = now.pop() {
                let (word, bit) = (number as usize / 64, 1 << (number % 64));
                if self.met[word] & bit != 0 {
                    continue;
                }
                self.met[word] |= bit;
                let entry = match self.costs {
                    Costs::Own => number / self.arrangement.empties(),
                    Costs::All => number,
                };
                let entry = &mut self.numbers[entry as usize];
                *entry = (*entry).min(distance);
                self.count += 1;
                if self.count.is_multiple_of(REPORT) && !report(self.count) {
                    return Err(PatternError::Stopped);
                }
                if let Ending::Mixed = self.expand(number, &mut now, &mut next)? {
                    return Ok(Ending::Mixed);
                }
            }
            distance =
                distance.checked_add(1).filter(|&d| d < u8::MAX).ok_or_else(PatternError::too_large)?;
            std::mem::swap(&mut now, &mut next);
        }
        match self.balance {
            0 => Ok(Ending::Complete),
            _ => Err(PatternError::new(
                "moves cannot be undone, so that the way back from the goal is not known",
            )),
        }
    }

    /// Looks at all moves of a position.
    fn expand(
        &mut self,
        number: u64,
        now: &mut Vec<u64>,
        next: &mut Vec<u64>,
    ) -> Result<Ending, PatternError> {
        self.arrangement.diagram(number, &mut self.diagram);
        let (game, arrangement, costs) = (self.game, self.arrangement, self.costs);
        let (met, balance, before) = (&self.met, &mut self.balance, &self.diagram);
        let position = game.position(before);
        let kept = arrangement.pieces();
        let (mut mixed, mut lost) = (false, false);
        let outcome = game.children(&position, &mut |child| {
            let after = game.diagram(child);
            let Some(other) = arrangement.number(&after) else {
                lost = true;
                return ControlFlow::Break(());
            };
            *balance = balance.wrapping_add(edge(number, other)).wrapping_sub(edge(other, number));
            let moved_kept = number / arrangement.empties() != other / arrangement.empties();
            if costs == Costs::Own && moved_kept {
                // Hidden pieces are the same set of fields before and after, but for those that kept ones
                // leave.
                let hidden = |piece: &multigame_game::Piece| piece.index() != 0 && !kept.contains(piece);
                mixed = before.cells.iter().zip(&after.cells).any(|(b, a)| hidden(b) != hidden(a));
                if mixed {
                    return ControlFlow::Break(());
                }
            }
            if met[other as usize / 64] >> (other % 64) & 1 == 0 {
                if costs == Costs::Own && !moved_kept { &mut *now } else { &mut *next }.push(other);
            }
            ControlFlow::Continue(())
        })?;
        if lost {
            return Err(PatternError::new("moves add or remove pieces, which tables cannot follow"));
        }
        if outcome.is_some() {
            return Err(PatternError::new(
                "the puzzle ends before its goal, so that tables cannot reach all positions",
            ));
        }
        Ok(if mixed { Ending::Mixed } else { Ending::Complete })
    }
}

/// A number for a move from one position to another.
pub(super) fn edge(from: u64, to: u64) -> u64 {
    Random::new(from.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ to.rotate_left(32)).next_u64()
}
