//! IDA*: depth-first searches with a growing limit on the length of the solution, cut off where the evaluator's lower
//! bound does not fit in any more. The transposition table keeps better lower bounds.
//!
//! Statistics: `nodes` are positions expanded or found solved, `leaves` those generated and cut off at once; their sum
//! is what the literature calls nodes generated.

use multigame_game::{Game, Signature};

use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::kernel::Task;
use crate::puzzle::{NEVER, is_solution, solved, unsolved};
use crate::transposition::{Entry, TranspositionTable};
use crate::{Bound, Bounds, Evaluator, Root, SearchResult, Value};

struct IdaStar<'a, G: Game, E, M> {
    game: &'a G,
    evaluator: &'a E,
    table: Option<&'a TranspositionTable>,
    pulse: Pulse<'a, M>,
    frames: Vec<Frame<G>>,
}

struct Frame<G: Game> {
    position: G::Position,
    signature: Signature,
    moves: Vec<G::Move>,
    /// The move that led to the solution.
    chosen: Option<usize>,
}

/// Finds a shortest solution of at most `longest` moves.
pub(crate) fn solve<'a, G: Game, E: Evaluator<G>, M: Monitor<G>>(
    task: Task<'a, G, E>,
    root: &Root<G>,
    longest: u32,
    monitor: &'a mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let longest = longest.min(NEVER - 1);
    let mut search = IdaStar {
        game: task.game,
        evaluator: task.evaluator,
        table: task.table.filter(|_| task.options.table),
        pulse: Pulse::new(monitor, task.abort, task.options.poll_interval),
        frames: Vec::new(),
    };
    search.ensure(0, &root.position);
    search.frames[0].signature = task.game.signature(&root.position);
    let mut limit = task.evaluator.lower_bound(task.game, &root.position);
    while limit <= longest {
        let needed = match search.search(0, limit) {
            Err(Interrupt::Stopped) => return Ok(unsolved(limit, false, search.pulse.statistics)),
            needed => needed?,
        };
        if needed <= limit {
            return Ok(solved(search.line(), search.pulse.statistics));
        }
        if needed == NEVER {
            return Ok(unsolved(NEVER, true, search.pulse.statistics));
        }
        let bounds = Bounds::at_most(Value::win_in(needed));
        let stop = search.pulse.iteration(limit, bounds, &[]).is_break();
        limit = needed;
        if stop {
            break;
        }
    }
    Ok(unsolved(limit, true, search.pulse.statistics))
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> IdaStar<'_, G, E, M> {
    fn ensure(&mut self, ply: usize, position: &G::Position) {
        while self.frames.len() < ply + 2 {
            let (position, moves) = (position.clone(), Vec::new());
            self.frames.push(Frame { position, signature: 0, moves, chosen: None });
        }
    }

    /// The number of moves needed if that is at most `left`; otherwise a lower bound of it.
    fn search(&mut self, ply: usize, left: u32) -> Result<u32, Interrupt> {
        self.pulse.tick()?;
        if self.frames.len() < ply + 2 {
            let any = self.frames[0].position.clone();
            self.ensure(ply, &any);
        }
        let signature = self.frames[ply].signature;
        if let Some(known) = self.known(signature).filter(|&known| known > left) {
            self.pulse.statistics.table_cutoffs += 1;
            return Ok(known);
        }
        let game = self.game;
        let frame = &mut self.frames[ply];
        if let Some(outcome) = game.moves(&frame.position, &mut frame.moves)? {
            frame.chosen = None;
            return Ok(if is_solution(outcome) { 0 } else { NEVER });
        }
        let back = ply.checked_sub(1).map(|above| self.frames[above].signature);
        let mut least = NEVER;
        for index in 0..self.frames[ply].moves.len() {
            let (upper, lower) = self.frames.split_at_mut(ply + 1);
            let (frame, child) = (&mut upper[ply], &mut lower[0]);
            game.apply(&frame.position, &frame.moves[index], &mut child.position);
            child.signature = game.signature(&child.position);
            if Some(child.signature) == back {
                // The father is being searched with one move more; if he cannot do it, going back to him needs at
                // least three moves more than are left here.
                least = least.min(left + 3);
                continue;
            }
            let mut needed = 1 + self.evaluator.lower_bound(game, &child.position);
            if needed <= left {
                needed = (1 + self.search(ply + 1, left - 1)?).min(NEVER);
            } else {
                self.pulse.statistics.leaves += 1;
            }
            if needed <= left {
                self.frames[ply].chosen = Some(index);
                return Ok(needed);
            }
            least = least.min(needed);
        }
        self.learn(signature, left, least);
        Ok(least)
    }

    fn known(&mut self, signature: Signature) -> Option<u32> {
        let table = self.table?;
        self.pulse.statistics.table_probes += 1;
        let entry = table.probe(signature)?;
        self.pulse.statistics.table_hits += 1;
        let known = entry.value.number().max(0) as u32;
        Some(if entry.value == Value::MAX_EVALUATION { NEVER } else { known })
    }

    fn learn(&mut self, signature: Signature, left: u32, least: u32) {
        let Some(table) = self.table else { return };
        self.pulse.statistics.table_stores += 1;
        let value = Value::new(least as i32);
        table.store(
            signature,
            Entry { value, bound: Bound::Lower, depth: left.min(255), complete: false, mark: 0 },
        );
    }

    fn line(&self) -> Vec<G::Move> {
        let chosen =
            self.frames.iter().map_while(|frame| frame.chosen.map(|index| frame.moves[index].clone()));
        chosen.collect()
    }
}
