//! Breadth-first search: all positions, the nearest first. It needs no lower bounds, so it checks the others.

use std::ops::ControlFlow;

use multigame_game::Game;

use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::kernel::KernelInput;
use crate::puzzle::{Added, NEVER, Place, Tree, is_solution, solved, unsolved};
use crate::{Proved, Root, SearchResult};

/// Finds a shortest solution of at most `longest` moves.
pub(crate) fn solve<G: Game, E, M: Monitor<G>>(
    task: KernelInput<'_, G, E>,
    root: &Root<G>,
    longest: u32,
    monitor: &mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let game = task.game;
    let mut pulse = Pulse::new(monitor, task.abort, task.options.poll_interval);
    let mut tree = Tree::new(task.options.tree_nodes);
    tree.plant(game, &root.position);
    let (mut number, mut level) = (0, 0);
    let mut moves = Vec::new();
    let mut child = root.position.clone();
    while number < tree.nodes.len() {
        let length = tree.nodes[number].length;
        if length > longest {
            return Ok(unsolved(length, true, pulse.statistics));
        }
        if length > level {
            let proved = Proved::at_least_moves(length);
            if let ControlFlow::Break(()) = pulse.iteration(level, proved.bounds(), proved, &[]) {
                return Ok(SearchResult { reported: true, ..unsolved(length, false, pulse.statistics) });
            }
            level = length;
        }
        match pulse.tick() {
            Err(Interrupt::Stopped) => return Ok(unsolved(length, false, pulse.statistics)),
            polled => polled?,
        };
        let position = tree.nodes[number].position.clone();
        match game.moves(&position, &mut moves)? {
            Some(outcome) if is_solution(outcome) => {
                let line = Tree::line(&[&tree], Place::here(number as u32));
                return Ok(solved(game, &root.position, line, pulse.statistics)?);
            }
            _ => {}
        }
        for mv in &moves {
            game.apply(&position, mv, &mut child);
            let parent = Place::here(number as u32);
            if let Added::Full = tree.add(game, parent, length + 1, mv, &child) {
                return Ok(unsolved(length + 1, false, pulse.statistics));
            }
        }
        number += 1;
    }
    Ok(unsolved(NEVER, true, pulse.statistics))
}
