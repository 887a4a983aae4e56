//! Deviations from the fixed depth: extensions, internal deepening, enhanced transposition cutoffs,
//! null moves, late-move reductions, futility, late-move pruning.

use std::sync::LazyLock;

use multigame_game::Game;

use crate::hooks::Interrupt;
use crate::kernel::{Answer, Found, Kernel, MAX_PLY, Node};
use crate::ordering::{Choice, stage};
use crate::transposition::{Entry, move_mark};
use crate::{Bounds, Evaluator, Monitor, Options, Value, Window};

/// Null-move reduction in plies; it grows by one for each four plies of depth.
const NULL_REDUCTION: u32 = 3;
/// Moves searched before reductions begin, and the least depth at which they do.
const UNREDUCED_MOVES: usize = 3;
const REDUCTION_DEPTH: u32 = 3;
/// Moves of this merit are reduced by a ply less, moves of the opposite by one more.
const MERIT_FOR_A_PLY: i32 = 8192;
/// Nodes up to this depth leave futile and late moves out. A worker that takes the kernel apart must not go
/// so near to the horizon.
pub const PRUNED_DEPTH: u32 = 4;
/// Nodes up to this depth are left alone where they are better than beta by this much for each ply.
const STATIC_DEPTH: u32 = 6;
const STATIC_MARGIN: i32 = 100;

/// Quiet moves that did so badly elsewhere for each ply are left out near the horizon.
const POOR_MERIT: i32 = 3072;
/// Null-move reduction grows by one ply for each of these points that the evaluation exceeds beta, three at
/// most.
const SURPLUS: i32 = 200;
/// Captures that lose this much for each ply by static exchange evaluation are pruned near the horizon.
const LOSS: i32 = 60;

/// Nodes from this depth on look for a move to try first.
pub(crate) const INTERNAL_DEPTH: u32 = 4;
/// Nodes from this depth on look whether only one move is good, where the table knows one that was searched
/// to at most this many plies less. The others have to be worse by this much for each ply.
const SINGULAR_DEPTH: u32 = 6;
const SINGULAR_BEHIND: u32 = 3;
const SINGULAR_MARGIN: i32 = 2;

/// The table is asked about children where nodes after as many moves take at least this many nodes on
/// average.
const ENHANCED_EFFORT: u64 = 100;

/// From this depth and this number on, reductions stay the same.
const REDUCED: usize = 64;

/// By how many plies moves are reduced at a depth, by their place: with the logarithms of both, a ply at
/// first and five for the last moves of nodes 12 plies deep.
///
/// PERF: against steps of powers of two, with fewer late moves left out: 3.6 instead of 6.1 million nodes for
/// 11 plies of the Bratko-Kopec positions.
static REDUCTIONS: LazyLock<[[u8; REDUCED]; REDUCED]> = LazyLock::new(|| {
    let log = |number: usize| (number.max(1) as f64).ln();
    std::array::from_fn(|depth| {
        std::array::from_fn(|number| (0.5 + log(depth) * log(number + 1) / 2.25) as u8)
    })
});

/// The pruning decisions of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PassedOver {
    Nothing,
    Move,
    /// The move and all that come after it.
    Rest,
}

/// Paths do not grow beyond twice the nominal depth by extensions. With `depth-exact` they may: that limit
/// would make the value of a position depend on the iteration that met it.
pub(crate) fn may_extend(options: &Options, ply: usize, root_depth: u32) -> bool {
    options.extensions && ply < MAX_PLY / 2 && (options.depth_exact || within_twice(ply, root_depth))
}

/// Whether a ply is above twice a depth, which may be as large as numbers are.
fn within_twice(ply: usize, depth: u32) -> bool {
    ply as u32 / 2 < depth
}

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Kernel<'_, G, E, M> {
    /// The extension of the child that has been made.
    pub(crate) fn extension(&mut self, ply: usize, choice: Choice) -> u32 {
        let singular = self.work.frames[ply].singular;
        if singular != 0 && move_mark(choice.key) == singular {
            self.pulse.statistics.extensions += 1;
            return 1;
        }
        if !may_extend(self.options, ply, self.root_depth) {
            return 0;
        }
        let extension = if self.evaluator.extends_threats() {
            u32::from(self.calm(ply + 1) == Some(false))
        } else {
            let (frame, below) = self.work.pair(ply);
            let mv = &frame.moves[choice.index as usize];
            self.evaluator.extension(self.game, &frame.position, mv, &below.position).min(1)
        };
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

    /// Internal reduction: whether a node whose best move nobody knows is searched a ply less deeply. Others
    /// find out about it in the next iteration.
    pub(crate) fn goes_less_deep(&self, ply: usize, depth: u32) -> bool {
        self.options.internal_reduction
            && depth >= INTERNAL_DEPTH
            && ply > 0
            && self.evaluator.tells_quiet_moves()
    }

    /// Looks whether the table's move is the only good one, by a shallower search of the others: then it is
    /// searched more deeply. If the others reach beta too, that is the answer. The frame is left as it was,
    /// but for the mark.
    pub(crate) fn single_out(
        &mut self,
        ply: usize,
        depth: u32,
        entry: Option<Entry>,
    ) -> Result<Option<Found>, Interrupt> {
        let Some(entry) = entry.filter(|entry| entry.mark != 0 && entry.depth + SINGULAR_BEHIND >= depth)
        else {
            return Ok(None);
        };
        let frame = &self.work.frames[ply];
        let known = entry.bounds(ply).lower;
        let decisive = known.is_win() || known.is_loss();
        let tries = self.options.singular
            && depth >= SINGULAR_DEPTH
            && ply > 0
            && frame.without == 0
            && !decisive
            && known > -Value::INFINITE
            && within_twice(ply, self.root_depth)
            && self.evaluator.tells_quiet_moves();
        if !tries {
            return Ok(None);
        }
        let (window, lower, scouting, follows) = (frame.window, frame.lower, frame.scouting, frame.follows);
        let bound = known - SINGULAR_MARGIN * depth as i32;
        let frame = &mut self.work.frames[ply];
        (frame.without, frame.scouting, frame.follows) = (entry.mark, true, false);
        let answer = self.node(ply, (depth - 1) / 2, Window::above(bound - 1));
        let frame = &mut self.work.frames[ply];
        frame.without = 0;
        (frame.window, frame.lower, frame.scouting, frame.follows) = (window, lower, scouting, follows);
        frame.pv.clear();
        let others = answer?.bounds;
        self.path.back_to(ply);
        if others.upper < bound {
            self.work.frames[ply].singular = entry.mark;
        } else if others.lower >= window.beta && window.is_zero() {
            return Ok(Some(Found { bounds: Bounds::at_least(others.lower), complete: false }));
        }
        Ok(None)
    }

    /// Enhanced transposition cutoff: a child that the table knows to be good enough.
    pub(crate) fn enhanced_cutoff(&mut self, ply: usize, depth: u32) -> Option<Found> {
        if !self.options.enhanced_cutoffs || depth <= self.options.table_depth || depth < 2 || ply == 0 {
            return None;
        }
        let table = self.table.filter(|_| self.work.frames[ply].effort.takes(ENHANCED_EFFORT))?;
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
            let extension = self.extension(ply, Choice::of_index(index));
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

    /// Whether a node is only asked if it is better than a value. On the best line nothing is left out.
    fn is_tested(&self, ply: usize) -> bool {
        ply > 0 && self.work.frames[ply].window.is_zero()
    }

    /// Whether a node may be finished without searching its moves, as far as switches and its window tell.
    #[inline]
    pub(crate) fn may_prune(&self, ply: usize) -> bool {
        let Options { futility, null_move, .. } = *self.options;
        let beta = self.work.frames[ply].window.beta;
        let decisive = beta.is_win() || beta.is_loss();
        (futility || null_move) && self.is_tested(ply) && !self.work.frames[ply].passed && !decisive
    }

    /// The answer of a calm node that needs no moves.
    pub(crate) fn pruned(&mut self, ply: usize, depth: u32) -> Result<Option<Found>, Interrupt> {
        match self.static_cutoff(ply, depth) {
            Some(found) => Ok(Some(found)),
            None => self.null_move(ply, depth),
        }
    }

    /// Static pruning: near the horizon, what is far better than beta and not threatened stays so.
    fn static_cutoff(&mut self, ply: usize, depth: u32) -> Option<Found> {
        let beta = self.work.frames[ply].window.beta;
        if !self.options.futility || depth > STATIC_DEPTH {
            return None;
        }
        let margin = STATIC_MARGIN * depth as i32;
        let least = margin - STATIC_MARGIN / 2;
        let estimate = self.estimate(ply);
        if estimate - least < beta {
            return None;
        }
        let value = estimate - if self.improves(ply) { least } else { margin };
        if value < beta {
            return None;
        }
        self.pulse.statistics.futile += 1;
        Some(Found { bounds: Bounds::at_least(value), complete: false })
    }

    /// Null move: if the opponent may move twice and the position is still too good, it is too good. It is
    /// tried only where the evaluation says so already.
    pub(crate) fn null_move(&mut self, ply: usize, depth: u32) -> Result<Option<Found>, Interrupt> {
        let beta = self.work.frames[ply].window.beta;
        let tries = self.options.null_move && depth >= 2 && self.may_prune(ply);
        if !tries || self.calm(ply) == Some(false) || self.estimate(ply) < beta {
            return Ok(None);
        }
        let (frame, below) = self.work.pair(ply);
        if !self.evaluator.pass(self.game, &frame.position, &mut below.position) {
            return Ok(None);
        }
        (below.passed, below.follows, below.arrived, below.without) = (true, false, 0, 0);
        below.father = self.game.signature(&frame.position);
        self.path.enter(self.game.signature(&self.work.frames[ply + 1].position), true);
        let surplus = ((self.estimate(ply).number() - beta.number()) / SURPLUS).clamp(0, 3) as u32;
        let below = depth.saturating_sub(NULL_REDUCTION + depth / 4 + surplus);
        let found = self.descend(ply, below, Window::above(beta - 1), true)?;
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
        let reduction = self.reduction(node, number, choice);
        if reduction == 0 {
            return Ok(None);
        }
        let alpha = self.work.frames[node.ply].window.alpha;
        let found = self.descend(node.ply, node.depth - 1 - reduction, Window::above(alpha), true)?;
        let enough = found.bounds.upper <= self.work.frames[node.ply].window.alpha;
        Ok(enough.then_some(found))
    }

    /// By how many plies a child is to be searched less deeply first; it stays above the horizon. Answers to
    /// threats are not reduced.
    #[inline]
    pub(crate) fn reduction(&mut self, node: &Node, number: usize, choice: Choice) -> u32 {
        let Node { ply, depth, .. } = *node;
        let reduces = self.options.reductions
            && number >= UNREDUCED_MOVES
            && depth >= REDUCTION_DEPTH
            && node.calm != Some(false)
            && self.evaluator.tells_quiet_moves()
            && !choice.is_promising()
            && self.is_quiet(ply, choice);
        if !reduces {
            return 0;
        }
        let (wide, worse) = (i32::from(!self.is_tested(ply)), i32::from(!node.improves));
        let steps = REDUCTIONS[(depth as usize).min(REDUCED - 1)][number.min(REDUCED - 1)];
        let usual = (i32::from(steps) - wide + worse).max(1);
        let reduction = (usual - choice.merit / MERIT_FOR_A_PLY).clamp(0, depth as i32 - 2) as u32;
        self.pulse.statistics.reductions += u64::from(reduction > 0);
        reduction
    }

    /// Facts about the children of a node before they are searched.
    #[inline]
    pub(crate) fn prospects(&mut self, ply: usize, depth: u32) -> Node {
        let mut node = Node { ply, depth, calm: None, futile_below: None, late: usize::MAX, improves: true };
        let Options { reductions, futility, late_pruning, .. } = *self.options;
        if !(reductions || futility || late_pruning) || !self.evaluator.tells_quiet_moves() {
            return node;
        }
        node.calm = self.calm(ply);
        node.improves = node.calm == Some(false) || self.improves(ply);
        let frame = &self.work.frames[ply];
        if depth > PRUNED_DEPTH || frame.window.alpha.is_loss() || !self.is_tested(ply) {
            return node;
        }
        if late_pruning && node.calm == Some(true) {
            // Ordering puts the good ones first.
            node.late = (4 + depth * depth) as usize / if node.improves { 1 } else { 2 };
        }
        if node.calm != Some(false) {
            node.futile_below = self.futility(ply, depth);
        }
        node
    }

    /// Whether the evaluation of a node is better than the one two plies above, as far as both say something.
    fn improves(&mut self, ply: usize) -> bool {
        let Some(before) = ply.checked_sub(2) else { return true };
        let made_from = |ply: usize| {
            let father = &self.work.frames[ply - 1].position;
            self.work.frames[ply].father == self.game.signature(father)
        };
        let comparable = made_from(ply) && made_from(ply - 1) && self.side(before) == self.side(ply);
        if !comparable || self.calm(before) != Some(true) {
            return true;
        }
        self.evaluate(ply) > self.evaluate(before)
    }

    /// The evaluation of a node, or what the table says about it where that contradicts: it has looked
    /// further.
    fn estimate(&mut self, ply: usize) -> Value {
        let Bounds { lower, upper } = self.work.frames[ply].hearsay;
        let value = self.evaluate(ply);
        if lower > value && !lower.is_win() {
            lower
        } else if upper < value && !upper.is_loss() {
            upper
        } else {
            value
        }
    }

    /// The futility bound: no quiet move of a node near the horizon is expected to exceed it; only if it is
    /// below alpha.
    fn futility(&mut self, ply: usize, depth: u32) -> Option<Value> {
        let alpha = self.work.frames[ply].window.alpha;
        if !self.options.futility || alpha.is_win() {
            return None;
        }
        let hope = self.estimate(ply) + self.options.futility_margin * depth as i32;
        (hope <= alpha).then_some(hope)
    }

    /// Whether a move is left out without being made: a quiet one that comes late or did badly elsewhere, or
    /// a capture that loses. Where a quiet one is, all that come after it are.
    #[inline]
    pub(crate) fn passes_over(
        &mut self,
        node: &Node,
        number: usize,
        choice: Choice,
    ) -> Result<PassedOver, Interrupt> {
        let Some(gain) = choice.gain.filter(|_| number > 0 && node.late != usize::MAX) else {
            return Ok(PassedOver::Nothing);
        };
        let depth = node.depth as i32;
        let quiet = gain <= 0;
        let poor = if quiet {
            !choice.is_promising() && (number >= node.late || choice.merit < -POOR_MERIT * depth)
        } else {
            choice.score < stage::TABLE && self.is_lost(node.ply, choice, gain, LOSS * depth)?
        };
        let frame = &self.work.frames[node.ply];
        Ok(match poor {
            true if quiet && !frame.order.may_end_the_game() => PassedOver::Rest,
            true if self.game.ending(&frame.moves[choice.index as usize]).is_none() => PassedOver::Move,
            _ => PassedOver::Nothing,
        })
    }

    /// Whether a capture loses more than `loss` by static exchange evaluation.
    fn is_lost(&mut self, ply: usize, choice: Choice, gain: i32, loss: i32) -> Result<bool, Interrupt> {
        let frame = &self.work.frames[ply];
        let stake = self.evaluator.stake(self.game, &frame.position, &frame.moves[choice.index as usize]);
        let lost = stake - gain > loss && self.exchanged(ply, choice)? < -loss;
        self.pulse.statistics.losing_captures += u64::from(lost);
        Ok(lost)
    }

    /// The answer for a quiet child that is left out because it is futile or comes late. Finished games never
    /// are, as far as can be told at once: where the evaluator knows threats, winning at once is one.
    pub(crate) fn left_out(
        &mut self,
        node: &Node,
        number: usize,
        choice: Choice,
    ) -> Result<Option<Found>, Interrupt> {
        let hope = match node.futile_below {
            Some(hope) if number > 0 => hope,
            _ if number >= node.late && !choice.is_promising() => self.work.frames[node.ply].window.alpha,
            _ => return Ok(None),
        };
        if !self.is_quiet(node.ply, choice) {
            return Ok(None);
        }
        let child = &self.work.frames[node.ply + 1].position;
        let over = if node.calm.is_some() { self.game.ended(child) } else { self.game.outcome(child)? };
        if over.is_some() {
            return Ok(None);
        }
        self.pulse.statistics.futile += 1;
        Ok(Some(Found { bounds: Bounds::at_most(hope), complete: false }))
    }

    /// Whether nothing serious is threatened at a node, see [`Evaluator::is_calm`]; asked once for each
    /// position.
    #[inline]
    pub(crate) fn calm(&mut self, ply: usize) -> Option<bool> {
        let frame = &mut self.work.frames[ply];
        let signature = self.game.signature(&frame.position);
        match frame.calm {
            Some((known, calm)) if known == signature => calm,
            _ => {
                let calm = self.evaluator.is_calm(self.game, &frame.position);
                frame.calm = Some((signature, calm));
                calm
            }
        }
    }

    /// Whether the move that has been made is quiet.
    #[inline]
    pub(crate) fn is_quiet(&mut self, ply: usize, choice: Choice) -> bool {
        if let Some(gain) = choice.gain {
            return gain <= 0;
        }
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
