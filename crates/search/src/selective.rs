//! What leaves the fixed depth or skips work: extensions, internal deepening, enhanced transposition cutoffs, null
//! moves, late-move reductions, futility. One function each.

use multigame_game::Game;

use crate::hooks::Interrupt;
use crate::kernel::{Answer, Found, Kernel, MAX_PLY, Node};
use crate::ordering::Choice;
use crate::transposition::move_mark;
use crate::{Bounds, Evaluator, Monitor, Options, Value, Window};

/// A null move is searched so many plies less deeply.
const NULL_REDUCTION: u32 = 3;
/// Moves searched before reductions begin, and the least depth at which they do.
const UNREDUCED_MOVES: usize = 4;
const REDUCTION_DEPTH: u32 = 3;
/// Nodes up to this depth leave futile moves out.
pub(crate) const FUTILITY_DEPTH: u32 = 2;

/// Paths do not grow beyond twice the nominal depth by extensions. With `depth-exact` they may: that limit would make
/// the value of a position depend on the iteration that met it.
pub(crate) fn may_extend(options: &Options, ply: usize, root_depth: u32) -> bool {
    options.extensions && ply < MAX_PLY / 2 && (options.depth_exact || (ply as u32) < 2 * root_depth)
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Kernel<'_, G, E, M> {
    /// How much more deeply to search the child that has been made.
    pub(crate) fn extension(&mut self, ply: usize, choice: Choice) -> u32 {
        if !may_extend(self.options, ply, self.root_depth) {
            return 0;
        }
        let (frame, below) = self.work.pair(ply);
        let mv = &frame.moves[choice.index as usize];
        let extension = self.evaluator.extension(self.game, &frame.position, mv, &below.position).min(1);
        self.pulse.statistics.extensions += u64::from(extension);
        extension
    }

    /// Internal iterative deepening: finds a move to try first. The frame is left as it was.
    pub(crate) fn deepen_internally(&mut self, ply: usize, depth: u32) -> Result<u32, Interrupt> {
        let frame = &self.work.frames[ply];
        let (window, lower) = (frame.window, frame.lower);
        self.node(ply, depth - 2, window)?;
        let frame = &mut self.work.frames[ply];
        let mark = frame.pv.first().map_or(0, |mv| move_mark(self.game.move_key(mv)));
        frame.pv.clear();
        (frame.window, frame.lower) = (window, lower);
        Ok(mark)
    }

    /// Enhanced transposition cutoff: a child that the table knows to be good enough.
    pub(crate) fn enhanced_cutoff(&mut self, ply: usize, depth: u32) -> Option<Found> {
        if !self.options.enhanced_cutoffs || depth <= self.options.table_depth || depth < 2 || ply == 0 {
            return None;
        }
        let table = self.table?;
        let (game, exact) = (self.game, self.options.depth_exact);
        let side = self.side(ply);
        for index in 0..self.work.frames[ply].moves.len() {
            let (frame, below) = self.work.pair(ply);
            game.apply(&frame.position, &frame.moves[index], &mut below.position);
            let beta = frame.window.beta;
            let child = &below.position;
            if game.ended(child).is_some() {
                continue;
            }
            let signature = game.signature(child);
            if self.path.would_repeat(signature, game.is_irreversible(child)) {
                continue;
            }
            let extension = self.extension(ply, Choice { score: 0, key: 0, index: index as u32 });
            let Some(entry) = table.probe(signature) else { continue };
            if !entry.answers(depth - 1 + extension, exact) {
                continue;
            }
            let bounds = entry.bounds(ply + 1);
            let same_side = game.side_to_move(&self.work.frames[ply + 1].position) == side;
            let bounds = if same_side { bounds } else { -bounds };
            if bounds.lower >= beta {
                self.pulse.statistics.enhanced_cutoffs += 1;
                return Some(Found { bounds: Bounds::at_least(bounds.lower), complete: entry.complete });
            }
        }
        None
    }

    /// Null move: if the opponent may move twice and the position is still too good, it is too good.
    pub(crate) fn null_move(&mut self, ply: usize, depth: u32) -> Result<Option<Found>, Interrupt> {
        let frame = &self.work.frames[ply];
        let beta = frame.window.beta;
        if !self.options.null_move || ply == 0 || depth < 2 || frame.passed || beta.is_win() || beta.is_loss()
        {
            return Ok(None);
        }
        let (frame, below) = self.work.pair(ply);
        if !self.evaluator.pass(self.game, &frame.position, &mut below.position) {
            return Ok(None);
        }
        (below.passed, below.follows) = (true, false);
        self.path.enter(self.game.signature(&self.work.frames[ply + 1].position), true);
        let found = self.descend(ply, depth.saturating_sub(NULL_REDUCTION), Window::above(beta - 1), true)?;
        self.path.back_to(ply);
        if found.bounds.lower < beta {
            return Ok(None);
        }
        self.pulse.statistics.null_cutoffs += 1;
        // A win found by passing is not one that is there.
        let lower = if found.bounds.lower.is_win() { beta } else { found.bounds.lower };
        Ok(Some(Found { bounds: Bounds::at_least(lower), complete: false }))
    }

    /// Late-move reduction: an answer if a shallower search says that the child is not better.
    pub(crate) fn reduced(
        &mut self,
        node: &Node,
        number: usize,
        choice: Choice,
    ) -> Result<Option<Found>, Interrupt> {
        if !self.reduces(node.ply, node.depth, number, choice) {
            return Ok(None);
        }
        let alpha = self.work.frames[node.ply].window.alpha;
        let found = self.descend(node.ply, node.depth - 2, Window::above(alpha), true)?;
        let enough = found.bounds.upper <= self.work.frames[node.ply].window.alpha;
        Ok(enough.then_some(found))
    }

    /// Whether a child is to be searched less deeply first.
    #[inline]
    pub(crate) fn reduces(&mut self, ply: usize, depth: u32, number: usize, choice: Choice) -> bool {
        let reduces = self.options.reductions
            && number >= UNREDUCED_MOVES
            && depth >= REDUCTION_DEPTH
            && self.is_quiet(ply, choice);
        self.pulse.statistics.reductions += u64::from(reduces);
        reduces
    }

    /// What no quiet move of a node near the horizon is expected to surpass, if that is below alpha.
    pub(crate) fn futility(&mut self, ply: usize, depth: u32) -> Option<Value> {
        let alpha = self.work.frames[ply].window.alpha;
        if !self.options.futility || ply == 0 || depth > FUTILITY_DEPTH || alpha.is_loss() || alpha.is_win() {
            return None;
        }
        let hope = self.evaluate(ply) + self.options.futility_margin * depth as i32;
        (hope <= alpha).then_some(hope)
    }

    /// The answer for a child that is left out. Finished games never are.
    pub(crate) fn futile(
        &mut self,
        node: &Node,
        number: usize,
        choice: Choice,
    ) -> Result<Option<Found>, Interrupt> {
        let Some(hope) = node.futile_below else { return Ok(None) };
        if number == 0 || !self.is_quiet(node.ply, choice) {
            return Ok(None);
        }
        if self.game.outcome(&self.work.frames[node.ply + 1].position)?.is_some() {
            return Ok(None);
        }
        self.pulse.statistics.futile += 1;
        Ok(Some(Found { bounds: Bounds::at_most(hope), complete: false }))
    }

    /// Whether the move that has been made is quiet.
    pub(crate) fn is_quiet(&mut self, ply: usize, choice: Choice) -> bool {
        let (frame, below) = self.work.pair(ply);
        let mv = &frame.moves[choice.index as usize];
        self.evaluator.is_quiet(self.game, &frame.position, mv, &below.position)
    }

    /// The full answer below the horizon of a node: see [`crate::quiescence`].
    pub(crate) fn horizon(&mut self, ply: usize) -> Answer {
        self.pulse.statistics.leaves += 1;
        if self.options.quiescence { self.quiesce(ply, 0) } else { self.leaf(ply) }
    }
}
