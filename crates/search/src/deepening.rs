//! Iterative deepening with aspiration windows around the Alpha-Beta engines.

use std::ops::ControlFlow;

use multigame_game::Game;

use crate::hooks::Interrupt;
use crate::kernel::{Answer, Kernel, MAX_PLY, Task};
use crate::transposition::TranspositionTable;
use crate::{Bounds, Engine, Evaluator, Monitor, Options, Root, SearchResult, Value, Window, Workspace};

/// Searches the root to a depth, by way of smaller depths. Stopped early, it answers with the last iteration, or with
/// what the unfinished one found better: its first move was the best one so far.
pub(crate) fn deepen<'a, G: Game, E: Evaluator<G>, M: Monitor<G>>(
    task: Task<'a, G, E>,
    root: &Root<G>,
    depth: u32,
    work: &'a mut Workspace<G>,
    monitor: &'a mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let depth = depth.min(MAX_PLY as u32 / 2 - 1);
    let mut kernel = Kernel::new(task, root, work, monitor);
    let mut result = SearchResult {
        bounds: Bounds::UNKNOWN,
        value: Value::DRAW,
        pv: Vec::new(),
        depth: 0,
        finished: true,
        statistics: Default::default(),
    };
    let mut others = Others::new(task, root)?;
    for depth in depths(depth, task.options.deepening) {
        let last = (result.depth > 0).then_some(result.value);
        let answer = iterate(&mut kernel, depth, last, task.options);
        match answer {
            Ok(found) => {
                result.bounds = found.bounds;
                result.value = found.bounds.strongest().1;
                result.depth = depth;
                result.pv = full_line(&kernel, task.game, root);
                let mut stop = kernel.pulse.iteration(depth, result.bounds, &result.pv).is_break();
                if !stop && others.wanted() > 0 {
                    stop = others.search(&mut kernel, depth, &result.pv, root, task)?.is_break();
                    result.finished &= !stop;
                }
                if stop || decided(result.bounds, depth, found.complete, task.options) {
                    break;
                }
            }
            Err(Interrupt::Stopped) => {
                result.finished = false;
                if !kernel.pv().is_empty() {
                    result.pv = kernel.pv().to_vec();
                    result.value = kernel.lower();
                    result.bounds = Bounds::at_least(result.value);
                }
                break;
            }
            Err(interrupt) => return Err(interrupt),
        }
    }
    result.statistics = *kernel.statistics();
    Ok(result)
}

/// The lines after the best one, each beginning with another move: what they were worth in the last iteration.
struct Others {
    values: Vec<Option<Value>>,
}

impl Others {
    fn new<G: Game, E>(task: Task<'_, G, E>, root: &Root<G>) -> Result<Others, Interrupt> {
        let mut wanted = task.options.lines.max(1) as usize - 1;
        if wanted > 0 {
            let mut moves = Vec::new();
            task.game.moves(&root.position, &mut moves)?;
            root.limit(task.game, &mut moves);
            wanted = wanted.min(moves.len().saturating_sub(1));
        }
        Ok(Others { values: vec![None; wanted] })
    }

    fn wanted(&self) -> usize {
        self.values.len()
    }

    /// Searches and reports them. `Break` says that there was no time for all.
    fn search<'a, G: Game, E: Evaluator<G>, M: Monitor<G>>(
        &mut self,
        kernel: &mut Kernel<'a, G, E, M>,
        depth: u32,
        best: &[G::Move],
        root: &Root<G>,
        task: Task<'a, G, E>,
    ) -> Result<ControlFlow<()>, Interrupt> {
        let mut first = best.first().map(|mv| task.game.move_key(mv));
        let mut flow = ControlFlow::Continue(());
        for number in 0..self.values.len() {
            let Some(key) = first.take() else { break };
            kernel.path.leave_out(key);
            match iterate(kernel, depth, self.values[number], task.options) {
                Ok(found) => {
                    self.values[number] = Some(found.bounds.strongest().1);
                    let pv = full_line(kernel, task.game, root);
                    first = pv.first().map(|mv| task.game.move_key(mv));
                    let _ = kernel.pulse.line(depth, found.bounds, &pv, number + 1);
                }
                Err(Interrupt::Stopped) => {
                    flow = ControlFlow::Break(());
                    break;
                }
                Err(interrupt) => return Err(interrupt),
            }
        }
        kernel.path.leave_nothing_out();
        Ok(flow)
    }
}

/// The depths of the iterations; the last one is the depth asked for.
fn depths(depth: u32, step: u32) -> impl Iterator<Item = u32> {
    let first = match step {
        0 => depth,
        1 => 1.min(depth),
        _ => 2 - depth % 2,
    };
    (first.min(depth)..=depth).step_by(step.max(1) as usize)
}

/// Whether deeper iterations cannot change anything.
fn decided(bounds: Bounds, depth: u32, complete: bool, options: &Options) -> bool {
    let shortest = bounds.lower.plies().is_some_and(|plies| plies <= depth);
    // Pruning may overlook a defence, not invent a win.
    let sound = bounds.lower.is_win() || !(options.null_move || options.reductions || options.futility);
    bounds.is_exact() && (complete || (shortest && sound))
}

fn iterate<G: Game, E: Evaluator<G>, M: Monitor<G>>(
    kernel: &mut Kernel<'_, G, E, M>,
    depth: u32,
    last: Option<Value>,
    options: &Options,
) -> Answer {
    if options.engine == Engine::Mtdf {
        return kernel.mtdf(depth, last.unwrap_or_default());
    }
    let mut passes = 0;
    let mut window =
        last.filter(|_| options.aspiration).map_or(Window::FULL, |value| aspire(depth, value, options));
    loop {
        let asked = kernel.pulse.narrowed(window);
        let found = kernel.search(depth, asked)?;
        let bounds = found.bounds;
        if bounds.decides(kernel.pulse.narrowed(Window::FULL)) {
            return Ok(found);
        }
        kernel.pulse.statistics.root_passes += 1;
        passes += 1;
        if window == Window::FULL {
            return Ok(found);
        }
        // Entries deeper than needed can make a value jump to and fro between two windows.
        window = if passes > 2 {
            Window::FULL
        } else if bounds.lower >= asked.beta {
            Window { alpha: bounds.lower - 1, beta: Value::INFINITE }
        } else if bounds.upper <= asked.alpha {
            Window { alpha: -Value::INFINITE, beta: bounds.upper + 1 }
        } else {
            Window::FULL
        };
    }
}

/// The window around the value of the last iteration. The side that is to move at the horizon gains by it, so values
/// swing up with odd depths and down with even ones: that side gets the wider half.
fn aspire(depth: u32, value: Value, options: &Options) -> Window {
    let (narrow, wide) = (options.aspiration_narrow, options.aspiration_wide);
    if depth % 2 == 1 {
        Window { alpha: value - narrow, beta: value + wide }
    } else {
        Window { alpha: value - wide, beta: value + narrow }
    }
}

/// The best line, continued by the moves of the transposition table.
fn full_line<G: Game, E: Evaluator<G>, M: Monitor<G>>(
    kernel: &Kernel<'_, G, E, M>,
    game: &G,
    root: &Root<G>,
) -> Vec<G::Move> {
    let mut line = kernel.pv().to_vec();
    let (Some(table), false) = (kernel.table, line.is_empty()) else { return line };
    let mut position = root.position.clone();
    for mv in &line {
        let before = position.clone();
        game.apply(&before, mv, &mut position);
    }
    let length = kernel.root_depth as usize;
    while line.len() < length
        && let Some(mv) = table_move(table, game, &position)
    {
        let before = position.clone();
        game.apply(&before, &mv, &mut position);
        line.push(mv);
    }
    line
}

fn table_move<G: Game>(table: &TranspositionTable, game: &G, position: &G::Position) -> Option<G::Move> {
    let mark = table.probe(game.signature(position))?.mark;
    let mut moves = Vec::new();
    game.moves(position, &mut moves).ok()?;
    moves.into_iter().find(|mv| crate::transposition::move_mark(game.move_key(mv)) == mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_end_at_the_depth_asked_for() {
        let all = |depth, step| depths(depth, step).collect::<Vec<_>>();
        assert_eq!(all(4, 1), [1, 2, 3, 4]);
        assert_eq!(all(5, 2), [1, 3, 5]);
        assert_eq!(all(6, 2), [2, 4, 6]);
        assert_eq!(all(6, 0), [6]);
        assert_eq!(all(0, 1), [0]);
        assert_eq!(all(1, 2), [1]);
        assert_eq!(all(0, 2), [0]);
    }

    #[test]
    fn odd_iterations_look_upwards() {
        let window = aspire(3, Value::DRAW, &Options::default());
        assert_eq!((window.alpha.number(), window.beta.number()), (-10, 25));
        let window = aspire(4, Value::DRAW, &Options::default());
        assert_eq!((window.alpha.number(), window.beta.number()), (-25, 10));
    }
}
