//! The kernel one node at a time, for searches that keep the upper part of the tree in their own hands.
//!
//! A parallel worker opens a node, gives some of its children away, has others searched by the [`Kernel`] and
//! closes the node when all is known. A worker that does all of that alone and in order visits exactly the
//! nodes the kernel does.
//!
//! Nodes are at their ply of the whole search, wherever a worker's own part of it begins: so wins are
//! counted from the root, and killers stay at their ply.

use multigame_game::{Game, Signature};
use serde::{Deserialize, Serialize};

use crate::hooks::{Interrupt, Pulse};
use crate::kernel::{Found, Kernel, KernelInput, Opened, Opening};
use crate::ordering::{Choice, Choices};
use crate::root::Path;
use crate::{Engine, Evaluator, Monitor, Root, Statistics, Value, Window, Workspace};

/// A position on the way to a node, as far as repetition is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathEntry {
    /// Its signature.
    pub signature: Signature,
    /// Whether the move that led to it cannot be undone.
    pub irreversible: bool,
}

/// The children of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Brood<M> {
    moves: Vec<M>,
    order: Choices,
}

impl<M> Default for Brood<M> {
    fn default() -> Self {
        Brood { moves: Vec::new(), order: Choices::default() }
    }
}

impl<M: Clone> Brood<M> {
    /// Only one child.
    pub fn single(mv: M, choice: Choice) -> Brood<M> {
        let mut order = Choices::default();
        order.push(Choice { index: 0, ..choice });
        Brood { moves: vec![mv], order }
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The child to be tried at that place; those before it have been picked.
    pub fn pick(&mut self, number: usize) -> Choice {
        self.order.pick(number)
    }

    /// Whether a child from that place on is promising.
    pub fn is_promising_from(&self, number: usize) -> bool {
        self.order.from(number).iter().any(Choice::is_promising)
    }

    /// The move of a choice.
    pub fn mv(&self, choice: Choice) -> &M {
        &self.moves[choice.index as usize]
    }

    fn copy(&mut self, moves: &[M], order: &Choices) {
        self.moves.clear();
        self.moves.extend_from_slice(moves);
        self.order.copy(order);
    }
}

/// The result of a node.
#[derive(Clone, Copy, Debug)]
pub struct Closing {
    /// Facts from before.
    pub opened: Opened,
    /// The answers of the children.
    pub found: Found,
    /// The best of them, if it is better than alpha.
    pub best: Option<Choice>,
    /// The place of the child that made the others superfluous.
    pub cutoff: Option<usize>,
}

/// One worker's kernel, taken apart; see the module.
#[derive(Debug)]
pub struct Stepper<'a, G: Game, E> {
    task: KernelInput<'a, G, E>,
    work: Workspace<G>,
    /// Away only while a kernel runs.
    path: Option<Path>,
    root: G::Position,
    root_depth: u32,
    statistics: Statistics,
}

impl<'a, G: Game, E: Evaluator<G>> Stepper<'a, G, E> {
    /// Prepares the search of a root. The workspace may come from an earlier search.
    pub fn new(task: KernelInput<'a, G, E>, root: &Root<G>, mut work: Workspace<G>) -> Self {
        work.begin(&root.position, task.options);
        let path = Some(Path::new(task.game, root, task.options.repetition));
        let statistics = Statistics::default();
        Stepper { task, work, path, root: root.position.clone(), root_depth: 0, statistics }
    }

    /// The inputs of the searches.
    pub fn task(&self) -> &KernelInput<'a, G, E> {
        &self.task
    }

    /// The counters so far.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The workspace, for the next search.
    pub fn into_workspace(self) -> Workspace<G> {
        self.work
    }

    /// The learned tables of the worker.
    pub fn workspace(&mut self) -> &mut Workspace<G> {
        &mut self.work
    }

    /// The depth of the iteration, which limits extensions.
    pub fn set_root_depth(&mut self, depth: u32) {
        self.root_depth = depth;
    }

    /// Begins an iteration at the root.
    pub fn seat_root(&mut self, depth: u32) {
        self.root_depth = depth;
        self.path_mut().back_to(0);
        let frame = &mut self.work.frames[0];
        frame.position.clone_from(&self.root);
        (frame.scouting, frame.follows, frame.passed) = (false, false, false);
    }

    /// Puts a node of somebody else's search at its ply, with the one child that matters. `path` tells the
    /// positions from the one after the root to the node itself.
    pub fn seat(&mut self, ply: usize, position: &G::Position, path: &[PathEntry], brood: &Brood<G::Move>) {
        debug_assert_eq!(path.len(), ply);
        self.work.ensure(ply, position);
        self.set_path(path);
        let frame = &mut self.work.frames[ply];
        frame.position.clone_from(position);
        frame.moves.clone_from(&brood.moves);
        frame.order.copy(&brood.order);
        (frame.scouting, frame.follows, frame.passed) = (false, false, false);
        (frame.arrived, frame.father, frame.without, frame.singular) = (0, 0, 0, 0);
    }

    /// Goes back to a node that is still at its ply, after another one was seated.
    pub fn set_path(&mut self, path: &[PathEntry]) {
        let own = self.path_mut();
        own.back_to(0);
        for entry in path {
            own.enter(entry.signature, entry.irreversible);
        }
    }

    /// The position at a ply.
    pub fn position(&self, ply: usize) -> &G::Position {
        &self.work.frames[ply].position
    }

    /// The best line of the last kernel search from a ply.
    pub fn pv(&self, ply: usize) -> &[G::Move] {
        &self.work.frames[ply].pv
    }

    /// Does everything that comes before the children of a node, which are written into `brood`. The window
    /// that is left is in [`window`](Self::window).
    pub fn open(
        &mut self,
        ply: usize,
        depth: u32,
        window: Window,
        brood: &mut Brood<G::Move>,
        mut monitor: &mut dyn Monitor<G>,
    ) -> Result<Opening, Interrupt> {
        let began = self.statistics.nodes;
        let opening = self.with_kernel(&mut monitor, |kernel| {
            kernel.base = ply;
            kernel.work.frames[ply].began = began;
            kernel.work.frames[ply].scouting = false;
            let answer = kernel.open(ply, depth, window);
            match answer {
                Err(Interrupt::Unwind(_)) => {
                    kernel.path.back_to(ply);
                    let bounds = crate::Bounds::at_least(kernel.work.frames[ply].lower);
                    Ok(Opening::Answer(Found { bounds, complete: false }))
                }
                answer => answer,
            }
        })?;
        if let Opening::Node(_) = opening {
            let frame = &self.work.frames[ply];
            brood.copy(&frame.moves, &frame.order);
        }
        Ok(opening)
    }

    /// The window of a node that has been opened, and what it is worth at least.
    pub fn window(&self, ply: usize) -> (Window, Value) {
        (self.work.frames[ply].window, self.work.frames[ply].lower)
    }

    /// Goes to a child of a node.
    pub fn make(&mut self, ply: usize, choice: Choice) {
        self.path_mut().back_to(ply);
        self.with_kernel::<(), _>(&mut (), |kernel| {
            if kernel.work.frames.len() < ply + 3 {
                let any = kernel.work.frames[0].position.clone();
                kernel.work.ensure(ply + 1, &any);
            }
            kernel.make(ply, choice);
        });
    }

    /// The extension of the child that has been made.
    pub fn extension(&mut self, ply: usize, choice: Choice) -> u32 {
        self.with_kernel::<(), _>(&mut (), |kernel| kernel.extension(ply, choice))
    }

    /// By how many plies the child that has been made is to be searched less deeply first. `window` is what is
    /// left of that of the node.
    pub fn reduction(
        &mut self,
        (ply, depth): (usize, u32),
        window: Window,
        number: usize,
        choice: Choice,
    ) -> u32 {
        self.work.frames[ply].window = window;
        self.with_kernel::<(), _>(&mut (), |kernel| {
            let node = kernel.prospects(ply, depth);
            kernel.reduction(&node, number, choice)
        })
    }

    /// Has the kernel search the node that has been made at a ply.
    pub fn search(
        &mut self,
        ply: usize,
        depth: u32,
        window: Window,
        mut monitor: &mut dyn Monitor<G>,
    ) -> Result<Found, Interrupt> {
        let found = self.with_kernel(&mut monitor, |kernel| kernel.search_from(ply, depth, window))?;
        self.path_mut().back_to(ply);
        Ok(found)
    }

    /// Does everything that comes after the children of a node that was asked for `window`.
    pub fn close(
        &mut self,
        ply: usize,
        depth: u32,
        window: Window,
        closing: Closing,
        mut monitor: &mut dyn Monitor<G>,
    ) -> Found {
        let Closing { opened, found, best, cutoff } = closing;
        self.statistics.cutoffs += u64::from(cutoff.is_some());
        self.statistics.first_move_cutoffs += u64::from(cutoff == Some(0));
        let nodes = self.statistics.nodes;
        self.with_kernel(&mut monitor, |kernel| {
            if let Some(best) = best {
                kernel.learn(ply, depth, best, cutoff.is_some());
            }
            if let Some(number) = cutoff {
                kernel.unlearn(ply, depth, number);
            }
            let frame = &mut kernel.work.frames[ply];
            frame.effort.add(nodes - frame.began + 1);
            kernel.close(ply, depth, window, opened, found, best.map(|best| best.key))
        })
    }

    /// Counts a child searched again with a wider window.
    pub fn count_research(&mut self) {
        self.statistics.researches += 1;
    }

    /// Counts root searches that had to be repeated.
    pub fn count_root_passes(&mut self, passes: u64) {
        self.statistics.root_passes += passes;
    }

    /// Remembers the line that answered a root move.
    pub fn refuted(&mut self, root_move: u64, line: &[G::Move]) {
        if self.task.options.refutation {
            let game = self.task.game;
            self.work.refutations.save(root_move, line.iter().map(|mv| game.move_key(mv)));
        }
    }

    /// Whether the same player moves at a ply and at the next.
    pub fn is_same_side(&self, ply: usize) -> bool {
        let side = |ply: usize| self.task.game.side_to_move(&self.work.frames[ply].position);
        side(ply) == side(ply + 1)
    }

    fn path_mut(&mut self) -> &mut Path {
        self.path.as_mut().expect("no kernel is running")
    }

    /// Runs a part of the kernel on this worker's state.
    fn with_kernel<M: Monitor<G>, R>(
        &mut self,
        monitor: &mut M,
        run: impl FnOnce(&mut Kernel<'_, G, E, M>) -> R,
    ) -> R {
        let (task, options) = (self.task, self.task.options);
        let path = self.path.take().expect("one kernel runs at a time");
        let mut kernel = Kernel {
            quiescence_plies: options.quiescence_plies(task.game.description()),
            witnessed: monitor.witnesses(),
            stored_from: monitor.stored_from(),
            game: task.game,
            evaluator: task.evaluator,
            options,
            table: task.table.filter(|_| options.table),
            busy: task.busy,
            pulse: Pulse::new(monitor, task.abort, options.poll_interval),
            work: &mut self.work,
            path,
            root_depth: self.root_depth,
            zero_windows: options.engine == Engine::NegaScout,
            base: 0,
        };
        let result = run(&mut kernel);
        let Kernel { path, pulse, .. } = kernel;
        self.path = Some(path);
        self.statistics += pulse.statistics;
        result
    }
}
