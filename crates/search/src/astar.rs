//! A*: expands the position first whose solution may be shortest. For spaces that fit in memory.

use multigame_game::Game;

use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::kernel::KernelInput;
use crate::puzzle::{Added, NEVER, Tree, is_solution, solved, unsolved};
use crate::{Evaluator, Root, SearchResult};

/// Finds a shortest solution of at most `longest` moves.
pub(crate) fn solve<G: Game, E: Evaluator<G>, M: Monitor<G>>(
    task: KernelInput<'_, G, E>,
    root: &Root<G>,
    longest: u32,
    monitor: &mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let game = task.game;
    let mut pulse = Pulse::new(monitor, task.abort, task.options.poll_interval);
    let mut tree = Tree::new(game, &root.position, task.options.tree_nodes);
    let mut open = Buckets::default();
    open.push(task.evaluator.lower_bound(game, &root.position), 0, 0);
    let mut moves = Vec::new();
    let mut child = root.position.clone();
    while let Some((total, number, length)) = open.pop() {
        if total > longest {
            return Ok(unsolved(total, true, pulse.statistics));
        }
        if tree.nodes[number as usize].length < length {
            continue;
        }
        match pulse.tick() {
            Err(Interrupt::Stopped) => return Ok(unsolved(total, false, pulse.statistics)),
            polled => polled?,
        };
        let position = tree.nodes[number as usize].position.clone();
        match game.moves(&position, &mut moves)? {
            Some(outcome) if is_solution(outcome) => {
                return Ok(solved(game, &root.position, tree.line(number), pulse.statistics)?);
            }
            _ => {}
        }
        for mv in &moves {
            game.apply(&position, mv, &mut child);
            match tree.add(game, number, mv, &child) {
                Added::New(number) | Added::Shorter(number) => {
                    let bound = task.evaluator.lower_bound(game, &child);
                    // Never less than the parent's: a solution through it cannot be shorter.
                    open.push((length + 1 + bound).max(total), number, length + 1);
                }
                Added::Known => {}
                Added::Full => return Ok(unsolved(total, false, pulse.statistics)),
            }
        }
    }
    Ok(unsolved(NEVER, true, pulse.statistics))
}

/// A queue by total length; among equals the one with more moves behind it is not sought out, the newest is
/// taken.
#[derive(Default)]
struct Buckets {
    buckets: Vec<Vec<(u32, u32)>>,
    least: usize,
}

impl Buckets {
    fn push(&mut self, total: u32, number: u32, length: u32) {
        let total = total as usize;
        if self.buckets.len() <= total {
            self.buckets.resize_with(total + 1, Vec::new);
        }
        self.buckets[total].push((number, length));
        self.least = self.least.min(total);
    }

    fn pop(&mut self) -> Option<(u32, u32, u32)> {
        while self.least < self.buckets.len() {
            if let Some((number, length)) = self.buckets[self.least].pop() {
                return Some((self.least as u32, number, length));
            }
            self.least += 1;
        }
        None
    }
}
