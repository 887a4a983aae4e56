//! IDA*: depth-first searches with a growing limit on the length of the solution, cut off where the
//! evaluator's lower bound does not fit in any more. The transposition table keeps better lower bounds.
//!
//! Children are searched while they are being generated, so that no moves are described and no position is
//! kept: a solution is remembered by its signatures. A bound that is a sum over pieces or groups of them is
//! followed move by move ([`Evaluator::bound_parts`]): the same difference of signatures [changes](changes)
//! the same part of it.
//!
//! Parts of the tree can be [given away](gifts) while it is searched.
//!
//! **Invariant:** an entry of the table says that a position needs at least this many moves, *unless the root
//! has a solution within the limit*. The condition is needed because a position is searched without the move
//! back to its parent. The parent is being searched itself, and the entry relies on it not being solvable in
//! the moves that it has left. Therefore only searches of the same root under the same limit may read an
//! entry, all of which are searched to the end unless one of them finds a solution; and searches under
//! greater limits, once that limit had no solution. Two limits searched at the same time must not read each
//! other's entries. Nor may a search read those of an earlier one, which may have found its solution or been
//! stopped: the [`Salt`] of a search keeps its entries apart.
//!
//! Statistics: `nodes` are positions expanded or found solved, `leaves` those generated and cut off at once;
//! their sum is what the literature calls nodes generated.

mod changes;
mod gifts;
mod salt;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use multigame_game::{Game, Signature};

use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::kernel::KernelInput;
use crate::puzzle::{NEVER, is_solution, line, solved, unsolved};
use crate::transposition::{Entry, TranspositionTable};
use crate::{Evaluator, Proved, Root, SearchResult, Statistics};

use changes::{Change, Changes, MOST_PARTS, Parts};
use gifts::Gifts;
pub use salt::Salt;

struct IdaStar<'a, G: Game, E, M> {
    game: &'a G,
    evaluator: &'a E,
    table: Option<&'a TranspositionTable>,
    salt: Salt,
    pulse: Pulse<'a, M>,
    /// Which part of the bound moves change, where it is a sum of parts.
    changes: Option<Changes>,
    /// The parts of the bound of the position that is being searched.
    ///
    /// PERF: changed and changed back. Copied for each position they cost a sixth of the time: what was
    /// written byte by byte has to arrive in memory before it can be read as a whole.
    parts: Parts,
    /// The signatures of the positions of a solution, the last one first.
    solution: Vec<Signature>,
    gifts: Gifts,
}

/// A position on the path.
struct Node<'a, P> {
    position: &'a P,
    father: Option<&'a Node<'a, P>>,
    signature: Signature,
    /// Moves that are certainly needed from here.
    bound: u32,
    /// The difference of signatures of the move that led here: the same one leads back.
    back: Signature,
}

/// Finds a shortest solution of at most `longest` moves.
pub(crate) fn solve<'a, G: Game, E: Evaluator<G>, M: Monitor<G>>(
    task: KernelInput<'a, G, E>,
    root: &Root<G>,
    longest: u32,
    monitor: &'a mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let (game, position) = (task.game, &root.position);
    let longest = longest.min(NEVER - 1);
    let table = task.table.filter(|_| task.options.table);
    let mut search = IdaStar {
        game,
        evaluator: task.evaluator,
        table,
        salt: Salt::new(table, game.signature(position)),
        pulse: Pulse::new(monitor, task.abort, task.options.poll_interval),
        changes: Changes::of::<G, E>(task.evaluator),
        parts: Parts::default(),
        solution: Vec::new(),
        gifts: Gifts::new(0),
    };
    let bound = task.evaluator.lower_bound(game, position);
    let mut limit = bound;
    while limit <= longest {
        search.gifts = Gifts::new(limit);
        search.parts = search.parts_of(position);
        let signature = game.signature(position);
        let node = Node { position, father: None, signature, bound, back: 0 };
        let needed = match search.search(&node, limit) {
            Err(Interrupt::Stopped) => return Ok(unsolved(limit, false, search.pulse.statistics)),
            needed => needed?,
        };
        if needed <= limit {
            let line = line(game, position, search.solution.iter().rev())?;
            return Ok(solved(game, position, line, search.pulse.statistics)?);
        }
        if needed == NEVER {
            return Ok(unsolved(NEVER, true, search.pulse.statistics));
        }
        let proved = Proved::at_least_moves(needed);
        let stop = search.pulse.iteration(limit, proved.bounds(), proved, &[]).is_break();
        limit = needed;
        if stop && limit <= longest {
            return Ok(SearchResult { reported: true, ..unsolved(limit, false, search.pulse.statistics) });
        }
    }
    Ok(unsolved(limit, true, search.pulse.statistics))
}

/// Nodes between two polls of a pursuit: somebody may wait for a part of the work.
const POLL: u32 = 32;

/// The search below one position after the other, for those who divide the work on a puzzle.
#[derive(Debug, Default)]
pub struct Pursuit {
    salt: Salt,
    changes: Option<Changes>,
    solution: Vec<Signature>,
}

impl Pursuit {
    /// Prepares searches with an evaluator, always the same one.
    pub fn new<G: Game, E: Evaluator<G>>(evaluator: &E, salt: Salt) -> Pursuit {
        Pursuit { salt, changes: Changes::of::<G, E>(evaluator), solution: Vec::new() }
    }

    /// From now on reads and writes entries with another salt.
    pub fn set_salt(&mut self, salt: Salt) {
        self.salt = salt;
    }

    /// Searches a position, with the difference of signatures of the move that led there, or 0. The number of
    /// moves needed if that is at most `left`, with [`solution`](Self::solution); otherwise a lower bound of
    /// it, or [`NEVER`]. The table must know nothing but what such searches tell it.
    pub fn search<'a, G: Game, E: Evaluator<G>>(
        &mut self,
        (game, evaluator): (&'a G, &'a E),
        table: Option<&'a TranspositionTable>,
        abort: Option<&'a AtomicBool>,
        (position, back): (&G::Position, Signature),
        left: u32,
        mut monitor: &'a mut dyn Monitor<G>,
    ) -> (Result<u32, Interrupt>, Statistics) {
        self.solution.clear();
        let mut search = IdaStar {
            game,
            evaluator,
            table,
            salt: self.salt,
            pulse: Pulse::new(&mut monitor, abort, POLL),
            changes: self.changes.take(),
            parts: Parts::default(),
            solution: std::mem::take(&mut self.solution),
            gifts: Gifts::new(left),
        };
        let (signature, bound) = (game.signature(position), evaluator.lower_bound(game, position));
        search.parts = search.parts_of(position);
        let needed = search.search(&Node { position, father: None, signature, bound, back }, left);
        let IdaStar { pulse, changes, solution, .. } = search;
        (self.changes, self.solution) = (changes, solution);
        (needed, pulse.statistics)
    }

    /// The least number of moves from a position, as far as the table knows.
    #[inline]
    pub fn known(&self, table: &TranspositionTable, signature: Signature) -> Option<u32> {
        self.salt.known(table, signature)
    }

    /// Tells the table that a position, searched with a number of moves left, needs at least another number,
    /// and says what it was told.
    #[inline]
    pub fn learn(&self, table: &TranspositionTable, signature: Signature, left: u32, least: u32) -> Entry {
        self.salt.learn(table, signature, left, least)
    }

    /// What the table knows about a position, for the table of another worker of the same search.
    pub fn entry(&self, table: &TranspositionTable, signature: Signature) -> Option<Entry> {
        table.probe(self.salt.key(signature))
    }

    /// Tells the table what that of another worker of the same search knows about a position.
    pub fn store(&self, table: &TranspositionTable, signature: Signature, entry: Entry) {
        table.store(self.salt.key(signature), entry);
    }

    /// The signatures of the positions of the solution found last.
    pub fn solution(&self) -> impl Iterator<Item = Signature> + '_ {
        self.solution.iter().rev().copied()
    }
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> IdaStar<'_, G, E, M> {
    /// The number of moves needed if that is at most `left`; otherwise a lower bound of it.
    fn search(&mut self, node: &Node<'_, G::Position>, left: u32) -> Result<u32, Interrupt> {
        self.pulse.tick()?;
        if self.pulse.asked {
            self.share(node, left);
        }
        if let Some(known) = self.known(node.signature).filter(|&known| known > left) {
            self.pulse.statistics.table_cutoffs += 1;
            return Ok(known);
        }
        let game = self.game;
        let mut least = NEVER;
        let mut decided = None;
        let outcome = game.children(node.position, &mut |child| {
            let signature = game.signature(child);
            let difference = signature ^ node.signature;
            if difference == node.back {
                // The parent is being searched with one move more; if it cannot be solved, going back to it
                // needs at least three moves more than are left here.
                least = least.min(left + 3);
                return ControlFlow::Continue(());
            }
            if left >= self.gifts.marked && self.gifts.has(left, signature) {
                return ControlFlow::Continue(());
            }
            let (bound, step) = self.bound(node, child, difference);
            let mut needed = 1 + bound;
            if needed <= left {
                let below = Node { position: child, father: Some(node), signature, bound, back: difference };
                match self.follow(&below, left - 1, step) {
                    Ok(more) => needed = (1 + more).min(NEVER),
                    Err(interrupt) => {
                        decided = Some(Err(interrupt));
                        return ControlFlow::Break(());
                    }
                }
                if needed <= left {
                    self.solution.push(signature);
                    decided = Some(Ok(needed));
                    return ControlFlow::Break(());
                }
            } else {
                self.pulse.statistics.leaves += 1;
            }
            least = least.min(needed);
            ControlFlow::Continue(())
        })?;
        if let Some(outcome) = outcome {
            return Ok(if is_solution(outcome) { 0 } else { NEVER });
        }
        if let Some(decided) = decided {
            return decided;
        }
        if left < self.gifts.marked || self.gifts.leave(left) {
            self.learn(node.signature, left, least);
        }
        Ok(least)
    }

    /// Moves that are certainly needed from a child, and how the parts of the bound change.
    #[inline]
    fn bound(
        &mut self,
        node: &Node<'_, G::Position>,
        child: &G::Position,
        difference: Signature,
    ) -> (u32, Step) {
        let (game, evaluator) = (self.game, self.evaluator);
        let Some(changes) = &mut self.changes else {
            return (evaluator.lower_bound(game, child), Step::Nothing);
        };
        let change = match changes.get(difference) {
            Some(change) => change,
            None => changes.learn((game, evaluator), node.position, child),
        };
        // PERF: a jump by the kind of change is harder to guess than these questions, which have always the
        // same answers.
        let before = |part: u8| u32::from(self.parts[usize::from(part) % MOST_PARTS]);
        if let Change::Swaps(part, both) = change {
            let now = u32::from(both) - before(part);
            return (node.bound + now - before(part), Step::One(part, now as u8));
        }
        if let Change::One(part) = change {
            let now = evaluator.bound_part(game, child, usize::from(part));
            return (node.bound + now - before(part), Step::One(part, now as u8));
        }
        if change == Change::Nothing {
            return (node.bound, Step::Nothing);
        }
        (evaluator.lower_bound(game, child), Step::Several)
    }

    /// Searches a child.
    #[inline]
    fn follow(&mut self, child: &Node<'_, G::Position>, left: u32, step: Step) -> Result<u32, Interrupt> {
        let Step::One(part, now) = step else {
            let before = self.parts;
            if let Step::Several = step {
                self.parts = self.parts_of(child.position);
            }
            let needed = self.search(child, left);
            self.parts = before;
            return needed;
        };
        let part = usize::from(part) % MOST_PARTS;
        let before = std::mem::replace(&mut self.parts[part], now);
        let needed = self.search(child, left);
        self.parts[part] = before;
        needed
    }

    /// The parts of the bound of a position.
    fn parts_of(&self, position: &G::Position) -> Parts {
        let mut parts = Parts::default();
        if self.changes.is_some() {
            for (number, part) in parts.iter_mut().enumerate().take(self.evaluator.bound_parts()) {
                *part = self.evaluator.bound_part(self.game, position, number) as u8;
            }
        }
        parts
    }

    fn known(&mut self, signature: Signature) -> Option<u32> {
        let table = self.table?;
        self.pulse.statistics.table_probes += 1;
        let known = self.salt.known(table, signature)?;
        self.pulse.statistics.table_hits += 1;
        Some(known)
    }

    fn learn(&mut self, signature: Signature, left: u32, least: u32) {
        let Some(table) = self.table else { return };
        self.pulse.statistics.table_stores += 1;
        self.salt.learn(table, signature, left, least);
    }
}

/// The change of the parts of the bound on the way to a child.
#[derive(Clone, Copy, Debug)]
enum Step {
    Nothing,
    /// A part, and what it is there.
    One(u8, u8),
    Several,
}
