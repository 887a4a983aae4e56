//! A*: expands the position first whose solution may be shortest. For spaces that fit in memory.
//!
//! Several threads divide the positions among themselves by their signatures (hash-distributed A*, Kishimoto,
//! Fukunaga and Botea): each is an [`Owner`], which keeps and expands its own positions and offers the others
//! theirs. One thread is the only owner. A solution that was found is shortest once no owner has a position
//! left that could lead to a shorter one, and no offer is on its way.

use std::sync::atomic::AtomicBool;

use multigame_game::{Game, RulesError};

use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::identity::identity;
use crate::kernel::KernelInput;
use crate::puzzle::{Added, NEVER, Place, Tree, is_solution, solved, unsolved};
use crate::{Control, Evaluator, Options, Proved, Root, SearchResult, Statistics};

/// Finds a shortest solution of at most `longest` moves.
pub(crate) fn solve<G: Game, E: Evaluator<G>, M: Monitor<G>>(
    task: KernelInput<'_, G, E>,
    root: &Root<G>,
    longest: u32,
    monitor: &mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let known = (task.game, task.evaluator);
    let mut owner = Owner::new((0, 1), known, task.options, task.abort, monitor);
    owner.begin(&root.position);
    let below = longest.saturating_add(1);
    let complete = loop {
        match owner.step(below, &mut |_, _| unreachable!("one owner owns all positions"))? {
            Step::On => {}
            Step::Rest | Step::Solved(_) => break true,
            Step::Stop => break false,
        }
    };
    let statistics = owner.statistics();
    Ok(conclude(task.game, root, &[owner.estate()], NEVER, complete, statistics)?)
}

/// The positions that belong to one thread, and what it makes of them.
#[derive(Debug)]
pub struct Owner<'a, G: Game, E, M> {
    game: &'a G,
    evaluator: &'a E,
    pulse: Pulse<'a, M>,
    number: u32,
    owners: u32,
    estate: Estate<G>,
    moves: Vec<G::Move>,
    child: G::Position,
}

/// The positions of an owner, and the shortest solution among them.
#[derive(Debug)]
pub struct Estate<G: Game> {
    tree: Tree<G>,
    open: Buckets,
    /// The least total length of what had to be dropped.
    lost: u32,
    /// The shortest solution that was met: its length and last position.
    solution: Option<(u32, Place)>,
}

/// A position for another owner.
#[derive(Debug)]
pub struct Offer<G: Game> {
    position: G::Position,
    parent: Place,
    mv: G::Move,
    length: u32,
    /// No solution through it has fewer moves.
    total: u32,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There may be more to do.
    On,
    /// No position here leads to a solution as short as that.
    Rest,
    /// There is a solution of this length.
    Solved(u32),
    /// Somebody stopped the search, or the memory is full.
    Stop,
}

impl<'a, G: Game, E: Evaluator<G>, M: Monitor<G>> Owner<'a, G, E, M> {
    /// The owner of that number among as many. Memory is divided equally.
    pub fn new(
        (number, owners): (u32, u32),
        (game, evaluator): (&'a G, &'a E),
        options: &Options,
        abort: Option<&'a AtomicBool>,
        monitor: &'a mut M,
    ) -> Self {
        let limit = (options.tree_nodes / owners as usize).clamp(1, u32::MAX as usize);
        let (tree, open) = (Tree::new(limit), Buckets::default());
        let estate = Estate { tree, open, lost: NEVER, solution: None };
        let pulse = Pulse::new(monitor, abort, options.poll_interval);
        Owner { game, evaluator, pulse, number, owners, estate, moves: Vec::new(), child: game.initial() }
    }

    /// Begins with the root, whoever it belongs to.
    pub fn begin(&mut self, root: &G::Position) {
        self.estate.tree.plant(self.game, root);
        self.estate.open.push(self.evaluator.lower_bound(self.game, root), 0, 0);
    }

    /// Counts so far.
    pub fn statistics(&self) -> Statistics {
        self.pulse.statistics
    }

    /// Everything that was gathered.
    pub fn estate(self) -> Estate<G> {
        self.estate
    }

    /// Asks the monitor, which has to be done from time to time while there is nothing to do.
    pub fn rest(&mut self) -> Step {
        let stop = self.pulse.monitor.poll(&self.pulse.statistics) == Control::Stop;
        if stop { Step::Stop } else { Step::Rest }
    }

    /// Takes a position that belongs here.
    pub fn accept(&mut self, offer: &Offer<G>) -> Step {
        let Offer { position, parent, mv, length, total } = offer;
        self.add(*parent, *length, mv, position, *total)
    }

    fn add(&mut self, parent: Place, length: u32, mv: &G::Move, child: &G::Position, total: u32) -> Step {
        match self.estate.tree.add(self.game, parent, length, mv, child) {
            Added::New(number) | Added::Shorter(number) => {
                let bound = self.evaluator.lower_bound(self.game, child);
                // Never less than the parent's: a solution through it cannot be shorter.
                self.estate.open.push(length.saturating_add(bound).max(total), number, length);
            }
            Added::Known => {}
            Added::Full => {
                self.estate.lost = self.estate.lost.min(total);
                return Step::Stop;
            }
        }
        Step::On
    }

    /// Expands the most promising position, if a solution through it may be shorter than that. Children of
    /// others are offered to them.
    pub fn step(&mut self, below: u32, offer: &mut dyn FnMut(u32, Offer<G>)) -> Result<Step, Interrupt> {
        let game = self.game;
        let Some((total, number, length)) = self.estate.open.pop_below(below) else { return Ok(Step::Rest) };
        if self.estate.tree.nodes[number as usize].length < length {
            return Ok(Step::On);
        }
        match self.pulse.tick() {
            Err(Interrupt::Stopped) => {
                self.estate.lost = self.estate.lost.min(total);
                return Ok(Step::Stop);
            }
            polled => polled?,
        };
        let position = self.estate.tree.nodes[number as usize].position.clone();
        let parent = Place { tree: self.number, number };
        let mut moves = std::mem::take(&mut self.moves);
        match game.moves(&position, &mut moves)? {
            Some(outcome) if is_solution(outcome) => {
                self.estate.solution = Some((length, parent));
                return Ok(Step::Solved(length));
            }
            _ => {}
        }
        let mut child = self.child.clone();
        let mut step = Step::On;
        for mv in &moves {
            game.apply(&position, mv, &mut child);
            let home = self.home(&child);
            if home != self.number {
                let (position, mv) = (child.clone(), mv.clone());
                offer(home, Offer { position, parent, mv, length: length + 1, total });
            } else if self.add(parent, length + 1, mv, &child, total) == Step::Stop {
                step = Step::Stop;
                break;
            }
        }
        (self.moves, self.child) = (moves, child);
        Ok(step)
    }

    /// The owner of a position.
    fn home(&self, position: &G::Position) -> u32 {
        if self.owners == 1 {
            return 0;
        }
        let mixed = identity(self.game, position).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mixed) * u128::from(self.owners)) >> 64) as u32
    }
}

impl<G: Game> Offer<G> {
    /// No solution through it has fewer moves.
    pub fn total(&self) -> u32 {
        self.total
    }
}

/// The result that follows from the estates of all owners. `rest` is the least total length of offers that
/// nobody has accepted. The search is `complete` if no owner had anything left to do.
pub fn conclude<G: Game>(
    game: &G,
    root: &Root<G>,
    estates: &[Estate<G>],
    rest: u32,
    complete: bool,
    statistics: Statistics,
) -> Result<SearchResult<G::Move>, RulesError> {
    let least = estates.iter().map(Estate::least).fold(rest, u32::min);
    let Some((length, place)) = estates.iter().filter_map(|estate| estate.solution).min_by_key(|it| it.0)
    else {
        return Ok(unsolved(least, complete, statistics));
    };
    let trees: Vec<_> = estates.iter().map(|estate| &estate.tree).collect();
    let pv = Tree::line(&trees, place);
    if complete || least >= length {
        return solved(game, &root.position, pv, statistics);
    }
    let result = unsolved(least, false, statistics);
    let Some(proved) = Proved::solution(game, &root.position, &pv)? else { return Ok(result) };
    let proved = proved.and(result.proved);
    let (bounds, value) = (proved.bounds(), proved.bounds().lower);
    Ok(SearchResult { bounds, proved, value, pv, ..result })
}

impl<G: Game> Estate<G> {
    /// No solution has fewer moves but through positions of others, or one that was found.
    fn least(&self) -> u32 {
        self.open.least_total().map_or(self.lost, |total| total.min(self.lost))
    }
}

/// A queue by total length; among equals the one with more moves behind it is not sought out, the newest is
/// taken.
#[derive(Debug, Default)]
struct Buckets {
    buckets: Vec<Vec<(u32, u32)>>,
    least: usize,
}

impl Buckets {
    fn push(&mut self, total: u32, number: u32, length: u32) {
        if total >= NEVER {
            return;
        }
        let total = total as usize;
        if self.buckets.len() <= total {
            self.buckets.resize_with(total + 1, Vec::new);
        }
        self.buckets[total].push((number, length));
        self.least = self.least.min(total);
    }

    /// The least total length in it.
    fn least_total(&self) -> Option<u32> {
        let rest = self.buckets.get(self.least..)?;
        rest.iter().position(|bucket| !bucket.is_empty()).map(|more| (self.least + more) as u32)
    }

    /// Takes one of the least total length, if that is below a limit.
    fn pop_below(&mut self, limit: u32) -> Option<(u32, u32, u32)> {
        let total = self.least_total()?;
        self.least = total as usize;
        if total >= limit {
            return None;
        }
        self.buckets[self.least].pop().map(|(number, length)| (total, number, length))
    }
}
