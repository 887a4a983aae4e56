//! Iterative deepening with aspiration windows around the Alpha-Beta engines.

use std::ops::ControlFlow;

use multigame_game::Game;

use crate::hooks::Interrupt;
use crate::kernel::{Answer, Kernel, KernelInput, MAX_PLY};
use crate::passes::{Passes, decided, depths};
use crate::transposition::TranspositionTable;
use crate::{
    Bounds, Engine, Evaluator, Found, Grounds, Monitor, Options, Proved, Root, SearchResult, Value, Window,
    Workspace,
};

/// Searches the root to a depth, by way of smaller depths. Stopped early, it answers with the last iteration,
/// or with what the unfinished one found better: its first move was the best one so far.
pub(crate) fn deepen<'a, G: Game, E: Evaluator<G>, M: Monitor<G>>(
    task: KernelInput<'a, G, E>,
    root: &Root<G>,
    depth: u32,
    work: &'a mut Workspace<G>,
    monitor: &'a mut M,
) -> Result<SearchResult<G::Move>, Interrupt> {
    let depth = depth.min(MAX_PLY as u32 / 2 - 1);
    let mut kernel = Kernel::new(task, root, work, monitor);
    let grounds = Grounds::new(task.game, task.options, task.table.is_some());
    let mut result = SearchResult::nothing();
    let mut others = Others::new(task, root)?;
    let deepest = depth;
    for depth in depths(depth, task.options.deepening) {
        let last = (result.depth > 0).then_some(result.value);
        let answer = iterate(&mut kernel, depth, last, task.options);
        match answer {
            Ok(found) => {
                result.bounds = found.bounds;
                result.proved = result.proved.and(Proved::of_search(found, depth, grounds));
                result.value = found.bounds.strongest().1;
                result.depth = depth;
                result.pv = full_line(&kernel, task.game, root);
                let told = kernel.pulse.iteration(depth, result.bounds, result.proved, &result.pv);
                let mut stop = told.is_break();
                if !stop && others.wanted() > 0 {
                    stop = others.search(&mut kernel, depth, &result.pv, root, task)?.is_break();
                    result.reported &= !stop;
                }
                let over = depth == deepest || decided(found, depth, task.options);
                result.finished = result.reported && (over || !stop);
                if stop || over {
                    break;
                }
            }
            Err(Interrupt::Stopped) => {
                (result.finished, result.reported) = (false, false);
                if !kernel.pv().is_empty() {
                    result.pv = kernel.pv().to_vec();
                    result.value = kernel.lower();
                    result.bounds = Bounds::at_least(result.value);
                    let found = Found { bounds: result.bounds, complete: false };
                    result.proved = result.proved.and(Proved::of_search(found, depth, grounds));
                }
                break;
            }
            Err(interrupt) => return Err(interrupt),
        }
    }
    result.statistics = *kernel.statistics();
    Ok(result)
}

/// The lines after the best one, each beginning with another move: what they were worth in the last
/// iteration.
struct Others {
    values: Vec<Option<Value>>,
}

impl Others {
    fn new<G: Game, E>(task: KernelInput<'_, G, E>, root: &Root<G>) -> Result<Others, Interrupt> {
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

    /// Searches and reports them. `Break` says that the time was over before all were searched.
    fn search<'a, G: Game, E: Evaluator<G>, M: Monitor<G>>(
        &mut self,
        kernel: &mut Kernel<'a, G, E, M>,
        depth: u32,
        best: &[G::Move],
        root: &Root<G>,
        task: KernelInput<'a, G, E>,
    ) -> Result<ControlFlow<()>, Interrupt> {
        let grounds = Grounds::new(task.game, task.options, task.table.is_some());
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
                    let proved = Proved::of_search(found, depth, grounds);
                    let _ = kernel.pulse.line(depth, found.bounds, proved, &pv, number + 1);
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

fn iterate<G: Game, E: Evaluator<G>, M: Monitor<G>>(
    kernel: &mut Kernel<'_, G, E, M>,
    depth: u32,
    last: Option<Value>,
    options: &Options,
) -> Answer {
    let mut passes = Passes::new(depth, last, options);
    // A pass that fails low knows no best move; the line of the last one that failed high stays.
    let mut line = Vec::new();
    loop {
        let asked = kernel.pulse.narrowed(passes.window());
        let found = kernel.search(depth, asked)?;
        let matters = kernel.pulse.narrowed(Window::FULL);
        let decided = passes.absorb(found, asked, matters);
        kernel.pulse.statistics.root_passes += u64::from(passes.counts());
        let frame = &mut kernel.work.frames[0];
        if passes.keeps_line(found, asked) && !frame.pv.is_empty() {
            line.clone_from(&frame.pv);
        }
        if let Some(found) = decided {
            if options.engine == Engine::Mtdf {
                frame.pv = line;
            }
            return Ok(found);
        }
    }
}

/// The best line, continued by the moves of the transposition table.
fn full_line<G: Game, E: Evaluator<G>, M: Monitor<G>>(
    kernel: &Kernel<'_, G, E, M>,
    game: &G,
    root: &Root<G>,
) -> Vec<G::Move> {
    let line = kernel.pv().to_vec();
    match kernel.table {
        Some(table) => continued(game, table, root, line, kernel.root_depth as usize),
        None => line,
    }
}

/// A line from a root, continued by the moves of the transposition table up to a length. An empty line stays
/// empty.
pub fn continued<G: Game>(
    game: &G,
    table: &TranspositionTable,
    root: &Root<G>,
    mut line: Vec<G::Move>,
    length: usize,
) -> Vec<G::Move> {
    if line.is_empty() {
        return line;
    }
    let mut position = root.position.clone();
    for mv in &line {
        let before = position.clone();
        game.apply(&before, mv, &mut position);
    }
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
