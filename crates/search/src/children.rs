//! The children of a node: one after the other, those that others are at later, each as deeply as it
//! deserves.

use multigame_game::Game;

use crate::busy::BusyMoves;
use crate::hooks::{Interrupt, Monitor};
use crate::kernel::{Answer, Found, Kernel, Node};
use crate::ordering::Choice;
use crate::selective::PassedOver;
use crate::transposition::move_mark;
use crate::{Bounds, Evaluator, Value, Window};

/// Less deep nodes are searched sooner than others could be told.
const BUSY_DEPTH: u32 = 3;

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Kernel<'_, G, E, M> {
    /// Searches the children in order until one is too good. Tells the best one if it is better than alpha.
    pub(crate) fn children(&mut self, ply: usize, depth: u32) -> Result<(Found, Option<Choice>), Interrupt> {
        let node = self.prospects(ply, depth);
        let (mut upper, mut complete, mut best) = (-Value::INFINITE, true, None);
        let (mut own_lower, mut strongest) = (-Value::INFINITE, None);
        let (mut count, without) = (self.work.frames[ply].moves.len(), self.work.frames[ply].without);
        self.work.frames[ply].deferred.clear();
        for turn in 0.. {
            let (number, choice) = if turn < count {
                let choice = self.work.frames[ply].order.pick(turn);
                if turn > 0 && self.defers(ply, depth, choice) {
                    self.work.frames[ply].deferred.push((turn, choice));
                    continue;
                }
                (turn, choice)
            } else if let Some(&deferred) = self.work.frames[ply].deferred.get(turn - count) {
                deferred
            } else {
                break;
            };
            if without != 0 && move_mark(choice.key) == without {
                continue;
            }
            let passed = match self.passes_over(&node, number, choice)? {
                PassedOver::Nothing => 0,
                PassedOver::Move => 1,
                PassedOver::Rest => count.saturating_sub(turn).max(1),
            };
            if passed > 0 {
                self.pulse.statistics.futile += passed as u64;
                (upper, complete) = (upper.max(self.work.frames[ply].window.alpha), false);
                count -= passed - 1;
                continue;
            }
            self.make(ply, choice);
            let found = match self.busy {
                None => self.child(&node, number, choice)?,
                Some(busy) => self.busily(busy, &node, number, choice)?,
            };
            self.path.back_to(ply);
            if ply == 0 && self.options.refutation {
                let answers = self.work.frames[1].pv.iter().map(|mv| self.game.move_key(mv));
                self.work.refutations.save(choice.key, answers);
            }
            upper = upper.max(found.bounds.upper);
            if found.bounds.lower > own_lower {
                (own_lower, strongest) = (found.bounds.lower, Some(choice));
            }
            let frame = &mut self.work.frames[ply];
            frame.lower = frame.lower.max(found.bounds.lower);
            if found.bounds.lower > frame.window.alpha {
                frame.window.alpha = found.bounds.lower;
                best = Some(choice);
                self.extend_pv(ply, choice);
            }
            let beta = self.work.frames[ply].window.beta;
            if found.bounds.lower >= beta {
                self.pulse.statistics.cutoffs += 1;
                self.pulse.statistics.first_move_cutoffs += u64::from(number == 0);
                self.learn(ply, depth, choice, true);
                self.unlearn(ply, depth, number);
                let bounds = Bounds::at_least(found.bounds.lower);
                return Ok((Found { bounds, complete: found.complete }, best));
            }
            complete &= found.complete;
        }
        if let Some(best) = best {
            self.learn(ply, depth, best, false);
        } else if let Some(strongest) = strongest.filter(|_| ply == 0 && own_lower == upper) {
            // The table can tell the exact value of a root below the window: then this is its move.
            let frame = &mut self.work.frames[0];
            frame.pv.clear();
            frame.pv.push(frame.moves[strongest.index as usize].clone());
        }
        Ok((Found { bounds: Bounds { lower: own_lower, upper }, complete }, best))
    }

    /// Whether somebody else is searching a child just now, so that it is better left for later (ABDADA).
    #[inline]
    fn defers(&self, ply: usize, depth: u32, choice: Choice) -> bool {
        let Some(busy) = self.busy.filter(|_| depth >= BUSY_DEPTH) else { return false };
        busy.contains(self.busy_key(ply, depth, choice))
    }

    fn busy_key(&self, ply: usize, depth: u32, choice: Choice) -> u64 {
        let signature = self.game.signature(&self.work.frames[ply].position);
        signature ^ choice.key.rotate_left(17) ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Searches a child and tells the others for as long as that takes.
    fn busily(&mut self, busy: &BusyMoves, node: &Node, number: usize, choice: Choice) -> Answer {
        if node.depth < BUSY_DEPTH {
            return self.child(node, number, choice);
        }
        let key = self.busy_key(node.ply, node.depth, choice);
        busy.enter(key);
        let answer = self.child(node, number, choice);
        busy.leave(key);
        answer
    }

    /// Searches the child that has just been made; the answer is as the node sees it.
    fn child(&mut self, node: &Node, number: usize, choice: Choice) -> Answer {
        let extension = self.extension(node.ply, choice);
        if extension == 0
            && let Some(found) = self.left_out(node, number, choice)?
        {
            return Ok(found);
        }
        let depth = node.depth - 1 + extension;
        if extension == 0
            && let Some(found) = self.reduced(node, number, choice)?
        {
            return Ok(found);
        }
        if self.zero_windows { self.scout(node.ply, depth, number) } else { self.full(node.ply, depth) }
    }

    /// Searches the child with a window of the node.
    #[inline]
    pub(crate) fn descend(&mut self, ply: usize, depth: u32, window: Window, scouting: bool) -> Answer {
        let same_side = self.side(ply) == self.side(ply + 1);
        self.work.frames[ply + 1].scouting = scouting;
        let found = self.node(ply + 1, depth, if same_side { window } else { -window })?;
        self.path.back_to(ply + 1);
        Ok(if same_side { found } else { Found { bounds: -found.bounds, ..found } })
    }

    /// The best line now begins with this move.
    fn extend_pv(&mut self, ply: usize, choice: Choice) {
        let (frame, below) = self.work.pair(ply);
        frame.pv.clear();
        frame.pv.push(frame.moves[choice.index as usize].clone());
        frame.pv.extend_from_slice(&below.pv);
    }
}
