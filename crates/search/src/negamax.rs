//! NegaMax: the whole tree to a depth, without any pruning. The meaning of a depth-limited search.
//!
//! It knows horizon, quiescence, extensions and repetition, because they decide what a value is, and nothing
//! that only saves work. All other engines are tested against it.

use multigame_game::{Game, Outcome};

use crate::hooks::{Interrupt, Monitor, Pulse};
use crate::kernel::{Found, KernelInput, MAX_PLY};
use crate::root::Path;
use crate::selective::may_extend;
use crate::{Bounds, Evaluator, Grounds, Options, Proved, RepetitionMode, Root, SearchResult, Value};

struct NegaMax<'a, G: Game, E, M> {
    game: &'a G,
    evaluator: &'a E,
    options: &'a Options,
    pulse: Pulse<'a, M>,
    path: Path,
    root_depth: u32,
    /// Whether nothing but finished games was met so far.
    complete: bool,
}

/// Searches the root to a depth.
pub(crate) fn negamax<'a, G: Game, E: Evaluator<G>, M: Monitor<G>>(
    task: KernelInput<'a, G, E>,
    root: &Root<G>,
    depth: u32,
    monitor: &'a mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let mut search = NegaMax {
        game: task.game,
        evaluator: task.evaluator,
        options: task.options,
        pulse: Pulse::new(monitor, task.abort, task.options.poll_interval),
        path: Path::new(task.game, root, task.options.repetition),
        root_depth: depth,
        complete: true,
    };
    let mut pv = Vec::new();
    let value = match search.value(&root.position, 0, depth, &mut pv) {
        Err(Interrupt::Stopped) => None,
        value => Some(value?),
    };
    let bounds = value.map_or(Bounds::UNKNOWN, Bounds::exact);
    let found = Found { bounds, complete: search.complete };
    Ok(SearchResult {
        bounds,
        proved: Proved::of_search(found, depth, Grounds::new(task.game, task.options, false)),
        value: value.unwrap_or_default(),
        pv: if value.is_some() { pv } else { Vec::new() },
        depth: if value.is_some() { depth } else { 0 },
        finished: value.is_some(),
        reported: value.is_some(),
        statistics: search.pulse.statistics,
    })
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> NegaMax<'_, G, E, M> {
    fn value(
        &mut self,
        position: &G::Position,
        ply: usize,
        depth: u32,
        pv: &mut Vec<G::Move>,
    ) -> Result<Value, Interrupt> {
        pv.clear();
        self.pulse.tick()?;
        if depth == 0 || ply >= MAX_PLY {
            self.pulse.statistics.leaves += 1;
            return self.below_horizon(position, ply, 0);
        }
        let mut moves = Vec::new();
        let mut child = position.clone();
        if let Some(outcome) = self.path.moves(self.game, position, &mut moves, &mut child)? {
            self.pulse.statistics.leaves += 1;
            return Ok(self.worth(outcome, position, ply));
        }
        if ply == 0 {
            self.path.limit(self.game, &mut moves);
        }
        let mut best = -Value::INFINITE;
        let mut line = Vec::new();
        for mv in &moves {
            self.game.apply(position, mv, &mut child);
            let (signature, irreversible) = (self.game.signature(&child), self.game.is_irreversible(&child));
            self.path.enter(signature, irreversible);
            line.clear();
            let mover = self.game.side_to_move(position);
            let ended = self.game.ended(&child);
            let repeated = ended.is_none().then(|| self.path.ending(self.game, &child, mover)).flatten();
            self.complete &= repeated.is_none() || self.options.repetition == RepetitionMode::Exact;
            let value = match ended.or(repeated) {
                Some(outcome) => self.worth(outcome, &child, ply + 1),
                None => {
                    let depth = depth - 1 + self.extension(position, mv, &child, ply);
                    self.value(&child, ply + 1, depth, &mut line)?
                }
            };
            self.path.back_to(ply);
            let value = if self.game.side_to_move(&child) == mover { value } else { -value };
            if value > best {
                best = value;
                pv.clear();
                pv.push(mv.clone());
                pv.append(&mut line);
            }
        }
        Ok(best)
    }

    fn below_horizon(&mut self, position: &G::Position, ply: usize, below: u32) -> Result<Value, Interrupt> {
        let mut moves = Vec::new();
        let mut child = position.clone();
        if let Some(outcome) = self.path.moves(self.game, position, &mut moves, &mut child)? {
            return Ok(self.worth(outcome, position, ply));
        }
        self.complete = false;
        let quiet = !self.options.quiescence
            || below >= self.options.quiescence_plies(self.game.description())
            || ply >= MAX_PLY;
        let stands = quiet || self.evaluator.is_calm(self.game, position) != Some(false);
        let mut best = -Value::INFINITE;
        if stands {
            self.pulse.statistics.evaluations += 1;
            best = self.evaluator.evaluate(self.game, position);
        }
        if quiet {
            return Ok(best);
        }
        for mv in &moves {
            self.game.apply(position, mv, &mut child);
            if stands && self.evaluator.is_quiet(self.game, position, mv, &child) {
                continue;
            }
            self.pulse.statistics.quiescence_nodes += 1;
            self.pulse.tick()?;
            self.path.enter(self.game.signature(&child), self.game.is_irreversible(&child));
            let value = self.below_horizon(&child, ply + 1, below + 1)?;
            self.path.back_to(ply);
            let same_side = self.game.side_to_move(&child) == self.game.side_to_move(position);
            best = best.max(if same_side { value } else { -value });
        }
        Ok(best)
    }

    fn extension(&mut self, position: &G::Position, mv: &G::Move, child: &G::Position, ply: usize) -> u32 {
        if !may_extend(self.options, ply, self.root_depth) {
            return 0;
        }
        self.evaluator.extension(self.game, position, mv, child).min(1)
    }

    fn worth(&self, outcome: Outcome, position: &G::Position, ply: usize) -> Value {
        Value::of_outcome(outcome, self.game.side_to_move(position), ply as u32)
    }
}
