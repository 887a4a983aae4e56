//! The horizon, and the search below it for as long as it is not quiet.
//!
//! The player to move may be content with his evaluation (*stand pat*) or try one of the moves that are not quiet.

use multigame_game::Game;

use crate::kernel::{Answer, Found, Kernel, MAX_PLY};
use crate::ordering::pick;
use crate::{Bounds, Evaluator, Monitor, Value, Window};

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Kernel<'_, G, E, M> {
    /// The outcome or the evaluation of a position.
    pub(crate) fn leaf(&mut self, ply: usize) -> Answer {
        let (frame, below) = self.work.pair(ply);
        let outcome = self.path.outcome(self.game, &frame.position, &mut frame.moves, &mut below.position)?;
        Ok(match outcome {
            Some(outcome) => Found::exact(self.worth(ply, outcome), true),
            None => Found::exact(self.evaluate(ply), false),
        })
    }

    /// Searches a node `below` plies below the horizon; the frame's window is set.
    pub(crate) fn quiesce(&mut self, ply: usize, below: u32) -> Answer {
        if below >= self.options.quiescence_depth || ply >= MAX_PLY {
            return self.leaf(ply);
        }
        let stands = self.evaluator.may_stand_pat(self.game, &self.work.frames[ply].position);
        if let Some(outcome) = self.generate(ply)? {
            return Ok(Found::exact(self.worth(ply, outcome), true));
        }
        let (mut lower, mut upper) = (-Value::INFINITE, -Value::INFINITE);
        if stands {
            lower = self.evaluate(ply);
            upper = lower;
            let frame = &mut self.work.frames[ply];
            frame.lower = lower;
            frame.window.alpha = frame.window.alpha.max(lower);
            if lower >= frame.window.beta {
                return Ok(Found { bounds: Bounds::at_least(lower), complete: false });
            }
        }
        self.order(ply, 0);
        for number in 0..self.work.frames[ply].moves.len() {
            let choice = pick(&mut self.work.frames[ply].order, number);
            self.make(ply, choice);
            if stands && self.is_quiet(ply, choice) {
                self.path.back_to(ply);
                continue;
            }
            let found = self.quiesce_child(ply, below)?;
            self.path.back_to(ply);
            lower = lower.max(found.bounds.lower);
            upper = upper.max(found.bounds.upper);
            let frame = &mut self.work.frames[ply];
            frame.lower = lower;
            frame.window.alpha = frame.window.alpha.max(lower);
            if lower >= frame.window.beta {
                return Ok(Found { bounds: Bounds::at_least(lower), complete: false });
            }
        }
        Ok(Found { bounds: Bounds { lower, upper }, complete: false })
    }

    fn quiesce_child(&mut self, ply: usize, below: u32) -> Answer {
        let same_side = self.side(ply) == self.side(ply + 1);
        let window: Window = self.work.frames[ply].window;
        self.work.frames[ply + 1].scouting = false;
        self.pulse.statistics.quiescence_nodes += 1;
        let answer = match self.start(ply + 1, if same_side { window } else { -window }) {
            Ok(()) => self.quiesce(ply + 1, below + 1),
            Err(interrupt) => Err(interrupt),
        };
        let found = self.caught(ply + 1, answer)?;
        Ok(if same_side { found } else { Found { bounds: -found.bounds, ..found } })
    }

    /// The evaluation of a position where the game goes on.
    pub(crate) fn evaluate(&mut self, ply: usize) -> Value {
        let (game, evaluator) = (self.game, self.evaluator);
        let position = &self.work.frames[ply].position;
        let signature = game.signature(position);
        let (value, known) = self.work.evaluations.get(signature, || evaluator.evaluate(game, position));
        self.pulse.statistics.evaluations += u64::from(!known);
        self.pulse.statistics.evaluation_hits += u64::from(known);
        value
    }
}
