//! A perimeter: all positions of a puzzle within a number of moves of its goal, and how many each
//! needs.
//!
//! Everything farther away needs at least one move more, so that a perimeter is a lower bound for every
//! position; IDA* with it meets the goal half-way. It needs no abstraction, only that moves can be undone,
//! and is for puzzles whose pieces cannot be told apart or all move together (Rubik's cube).
//!
//! That moves can be undone is checked as it is for databases (see `build`), for all moves between positions
//! whose moves were looked at, and that properties stay as they are, for those positions.

use std::ops::ControlFlow;

use multigame_game::{Game, Signature};

use super::PatternError;
use super::build::edge;

/// Largest perimeter; nobody has memory for more.
pub const WIDEST: u32 = 14;

/// Positions around a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perimeter {
    /// Signatures, whose last four bits are the number of moves and one; 0 where there is none.
    slots: Vec<u64>,
    /// Brings the leading bits of a signature to the size of the table.
    shift: u32,
    /// Number of positions for each number of moves.
    counts: Vec<usize>,
}

const MOVES: u64 = 0xf;

impl Perimeter {
    /// Finds all positions at most `width` moves from a goal, up to `most` of them. The game must go on at
    /// the goal, so rules are needed that know none. `report` is told how many have been met and says whether
    /// to go on.
    pub fn around<G: Game>(
        game: &G,
        goal: &G::Position,
        width: u32,
        most: usize,
        report: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Perimeter, PatternError> {
        if width > WIDEST {
            return Err(PatternError::new(format!("a perimeter of more than {WIDEST} moves is too large")));
        }
        let mut perimeter = Perimeter { slots: vec![0; 1 << 10], shift: 54, counts: vec![0] };
        perimeter.insert(game.signature(goal), 0);
        let values = game.diagram(goal).values;
        let (mut layer, mut next, mut balance) = (vec![goal.clone()], Vec::new(), 0u64);
        for distance in 0..width {
            for position in layer.drain(..) {
                if game.diagram(&position).values != values {
                    return Err(PatternError::new(
                        "moves change properties, so that there may be several goals",
                    ));
                }
                let last = distance + 1 == width;
                let number = game.signature(&position);
                let outcome = game.children(&position, &mut |child| {
                    let other = game.signature(child);
                    let is_new = perimeter.insert(other, distance + 1);
                    if is_new && !last {
                        next.push(child.clone());
                    }
                    // Positions found last are not expanded, so the way back is not seen.
                    if !last || perimeter.distance(other).is_some_and(|other| other < width) {
                        balance = balance.wrapping_add(edge(number, other)).wrapping_sub(edge(other, number));
                    }
                    ControlFlow::Continue(())
                })?;
                if outcome.is_some() {
                    return Err(PatternError::new("the puzzle ends before its goal"));
                }
                let count = perimeter.len();
                if count > most {
                    return Err(PatternError::new(format!(
                        "more than {most} positions are at most {width} moves from the goal; choose fewer \
                         moves, or \
                         more memory"
                    )));
                }
                if !report(count) {
                    return Err(PatternError::Stopped);
                }
            }
            std::mem::swap(&mut layer, &mut next);
        }
        match balance {
            0 => Ok(perimeter),
            _ => Err(PatternError::new(
                "moves cannot be undone, so that the way back from the goal is not known",
            )),
        }
    }

    /// All positions, each as a number, for another process.
    pub fn entries(&self) -> impl Iterator<Item = u64> {
        self.slots.iter().copied().filter(|&slot| slot != 0)
    }

    /// The perimeter that has these entries; nothing if they are none of a perimeter.
    pub fn of_entries(entries: &[u64]) -> Option<Perimeter> {
        // They come in the order of their places, and would crowd at the beginning of a smaller table.
        let size = (2 * entries.len()).max(1 << 10).next_power_of_two();
        let mut perimeter = Perimeter { slots: vec![0; size], shift: 64 - size.ilog2(), counts: vec![0] };
        for entry in entries {
            let distance = (entry & MOVES).checked_sub(1)?;
            if !perimeter.insert(*entry, distance as u32) {
                return None;
            }
        }
        // There is one goal.
        (perimeter.counts[0] == 1).then_some(perimeter)
    }

    /// Number of positions that need 0 moves, 1 move and so on.
    pub fn counts(&self) -> &[usize] {
        &self.counts
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Whether there is none; a goal is always there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Least number of moves from a position: exact inside of the perimeter.
    #[inline]
    pub fn bound(&self, signature: Signature) -> u32 {
        self.distance(signature).unwrap_or(self.counts.len() as u32)
    }

    #[inline]
    fn distance(&self, signature: Signature) -> Option<u32> {
        match self.slots[self.place(signature)] {
            0 => None,
            slot => Some((slot & MOVES) as u32 - 1),
        }
    }

    /// Where a signature is, or would be.
    #[inline]
    fn place(&self, signature: Signature) -> usize {
        let mut place = ((signature & !MOVES).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.slots[place] != 0 && (self.slots[place] ^ signature) & !MOVES != 0 {
            place = (place + 1) % self.slots.len();
        }
        place
    }

    /// Adds a position unless it is there; whether it was not.
    fn insert(&mut self, signature: Signature, distance: u32) -> bool {
        let place = self.place(signature);
        if self.slots[place] != 0 {
            return false;
        }
        self.slots[place] = signature & !MOVES | u64::from(distance + 1);
        let distance = distance as usize;
        self.counts.resize(self.counts.len().max(distance + 1), 0);
        self.counts[distance] += 1;
        if self.len() * 2 > self.slots.len() {
            self.grow();
        }
        true
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        self.shift -= 1;
        for slot in old.into_iter().filter(|&slot| slot != 0) {
            let place = self.place(slot);
            self.slots[place] = slot;
        }
    }
}
