//! Parallel aspiration, after Baudet: each thread searches the whole tree with a window of its own, and one of them holds
//! the value.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use multigame_game::Game;
use multigame_search::{
    Control, Evaluator, Found, Interrupt, Iteration, Kernel, KernelInput, Monitor, Proved, Root, SearchError,
    SearchResult, Statistics, Value, Window, Workspace, decided, depths,
};

use crate::crew::{Crew, MOST_DEPTH};
use crate::lazy::Halts;
use crate::report::CrewReport;
use crate::stage;

/// The windows of an iteration: together they hold every value, and none of them the same.
fn windows(guess: Value, count: u32, width: i32) -> Vec<Window> {
    let middle = count as i32 / 2;
    let cut = |number: i32| match number {
        0 => -Value::INFINITE,
        number if number == count as i32 => Value::INFINITE,
        number => guess + (number - middle) * width - width / 2,
    };
    let end = count as i32;
    (0..end).map(|n| Window { alpha: if n == 0 { cut(0) } else { cut(n) - 1 }, beta: cut(n + 1) }).collect()
}

/// What the thread whose window held the value found.
type Winner<M> = Option<(Found, Vec<M>)>;

impl<G: Game, E: Evaluator<G>> Crew<'_, G, E> {
    pub(crate) fn run_windows(
        &mut self,
        root: &Root<G>,
        depth: u32,
        monitor: &mut dyn Monitor<G>,
    ) -> Result<(SearchResult<G::Move>, CrewReport), SearchError> {
        let start = Instant::now();
        self.workspaces.resize_with(self.threads as usize, Workspace::default);
        let mut workspaces = std::mem::take(&mut self.workspaces);
        let mut counted = vec![Statistics::default(); self.threads as usize];
        let mut result = SearchResult::nothing();
        let (deepest, grounds) = (depth.min(MOST_DEPTH), self.grounds());
        for depth in depths(deepest, self.options.deepening) {
            let winner = self.iterate(root, depth, result.value, &mut workspaces, &mut counted, monitor)?;
            result.statistics = sum(&counted);
            let Some((found, pv)) = winner else {
                (result.finished, result.reported) = (false, false);
                break;
            };
            (result.bounds, result.value, result.depth) = (found.bounds, found.bounds.strongest().1, depth);
            result.pv = pv;
            result.proved = result.proved.and(Proved::of_search(found, depth, grounds));
            let (bounds, proved, statistics) = (result.bounds, result.proved, &result.statistics);
            let iteration = Iteration { depth, bounds, proved, pv: &result.pv, line: 0, statistics };
            let stop = monitor.iteration(&iteration).is_break();
            let over = depth == deepest || decided(found, depth, &self.options);
            result.finished = over || !stop;
            if stop || over {
                break;
            }
        }
        self.workspaces = workspaces;
        Ok((result, CrewReport::of_busy(self.named_policy(), counted, start.elapsed(), self.trace)))
    }

    /// One iteration; nothing if it was stopped.
    fn iterate(
        &self,
        root: &Root<G>,
        depth: u32,
        guess: Value,
        workspaces: &mut [Workspace<G>],
        counted: &mut [Statistics],
        monitor: &mut dyn Monitor<G>,
    ) -> Result<Winner<G::Move>, SearchError> {
        let halt = AtomicBool::new(false);
        let (nodes, searching) = (AtomicU64::new(0), AtomicU64::new(u64::from(self.threads) - 1));
        let answer: Mutex<Result<Winner<G::Move>, SearchError>> = Mutex::new(Ok(None));
        let windows = windows(guess, self.threads, self.options.aspiration_wide);
        let before = sum(counted);
        stage::scope(|scope| {
            let mut teams = workspaces.iter_mut().zip(counted).zip(&windows);
            let first = teams.next();
            let works: Vec<_> = teams
                .map(|((work, counted), &window)| {
                    let (halt, nodes, answer, searching) = (&halt, &nodes, &answer, &searching);
                    move || {
                        let mut quiet = Counting { nodes, seen: 0 };
                        *counted += self.search_window(root, depth, window, work, halt, &mut quiet, answer);
                        searching.fetch_sub(1, Ordering::Relaxed);
                    }
                })
                .collect();
            stage::spawn_all(scope, works.into_iter())?;
            let _end = Halts(&halt);
            if let Some(((work, counted), &window)) = first {
                let mut leader =
                    Leader { monitor, nodes: &nodes, before, abort: self.abort, halt: &halt, seen: 0 };
                *counted += self.search_window(root, depth, window, work, &halt, &mut leader, &answer);
                // The value may lie in another window: somebody has to look at the clock until it is found.
                while !halt.load(Ordering::Relaxed) && searching.load(Ordering::Relaxed) > 0 {
                    Monitor::<G>::poll(&mut leader, &Statistics::default());
                    stage::sleep(Duration::from_millis(1));
                }
                // Entries deeper than needed can make all windows fail.
                if !halt.load(Ordering::Relaxed) {
                    leader.seen = 0;
                    *counted +=
                        self.search_window(root, depth, Window::FULL, work, &halt, &mut leader, &answer);
                }
            }
            Ok::<_, SearchError>(())
        })?;
        answer.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    #[allow(clippy::too_many_arguments)]
    fn search_window(
        &self,
        root: &Root<G>,
        depth: u32,
        window: Window,
        work: &mut Workspace<G>,
        halt: &AtomicBool,
        mut monitor: &mut dyn Monitor<G>,
        answer: &Mutex<Result<Winner<G::Move>, SearchError>>,
    ) -> Statistics {
        let task = KernelInput {
            game: self.game,
            evaluator: self.evaluator,
            options: &self.options,
            table: self.table,
            abort: Some(halt),
            busy: None,
        };
        let mut kernel = Kernel::new(task, root, work, &mut monitor);
        let found = kernel.search(depth, window);
        let inside = |found: &Found| {
            window == Window::FULL
                || found.bounds.is_exact()
                || (found.bounds.lower > window.alpha && found.bounds.upper < window.beta)
        };
        let news = match found {
            Ok(found) if inside(&found) => Some(Ok(Some((found, kernel.pv().to_vec())))),
            Err(Interrupt::Rules(error)) => Some(Err(SearchError::Rules(error))),
            _ => None,
        };
        if let Some(news) = news {
            *answer.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = news;
            halt.store(true, Ordering::Relaxed);
        }
        *kernel.statistics()
    }
}

fn sum(counted: &[Statistics]) -> Statistics {
    let mut all = Statistics::default();
    counted.iter().for_each(|&statistics| all += statistics);
    all
}

/// Adds the nodes of one thread to those of all.
struct Counting<'n> {
    nodes: &'n AtomicU64,
    seen: u64,
}

impl<G: Game> Monitor<G> for Counting<'_> {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        self.nodes.fetch_add(statistics.nodes - self.seen, Ordering::Relaxed);
        self.seen = statistics.nodes;
        Control::Continue
    }
}

/// Asks the caller's monitor with the counts of all threads.
struct Leader<'l, G: Game> {
    monitor: &'l mut dyn Monitor<G>,
    nodes: &'l AtomicU64,
    before: Statistics,
    abort: Option<&'l AtomicBool>,
    halt: &'l AtomicBool,
    seen: u64,
}

impl<G: Game> Monitor<G> for Leader<'_, G> {
    fn poll(&mut self, statistics: &Statistics) -> Control {
        self.nodes.fetch_add(statistics.nodes.saturating_sub(self.seen), Ordering::Relaxed);
        self.seen = self.seen.max(statistics.nodes);
        let nodes = self.before.nodes + self.nodes.load(Ordering::Relaxed);
        let told = self.abort.is_some_and(|abort| abort.load(Ordering::Relaxed));
        if told || self.monitor.poll(&Statistics { nodes, ..self.before }) == Control::Stop {
            self.halt.store(true, Ordering::Relaxed);
            return Control::Stop;
        }
        Control::Continue
    }

    fn iteration(&mut self, _iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_in_one_window() {
        for count in 1..8 {
            let windows = windows(Value::new(13), count, 25);
            for value in -300..300 {
                let inside =
                    |window: &&Window| window.alpha < Value::new(value) && Value::new(value) < window.beta;
                assert_eq!(windows.iter().filter(inside).count(), 1, "{value} in {windows:?}");
            }
        }
    }
}
