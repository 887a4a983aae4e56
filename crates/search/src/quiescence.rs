//! The horizon, and the search below it for as long as it is not quiet.
//!
//! The player to move may be content with his evaluation (*stand pat*) or try one of the moves that are not quiet.

use multigame_game::{Game, Outcome};

use crate::hooks::Interrupt;
use crate::kernel::{Answer, Found, Kernel, MAX_PLY};
use crate::ordering::{Choice, pick};
use crate::{Bounds, Evaluator, Judgement, Monitor, Value, Window};

impl<G: Game, E: Evaluator<G>, M: Monitor<G>> Kernel<'_, G, E, M> {
    /// The outcome or the evaluation of a position.
    pub(crate) fn leaf(&mut self, ply: usize) -> Answer {
        Ok(match self.judge(ply)? {
            Judgement::Over(outcome) => Found::exact(self.worth(ply, outcome), true),
            Judgement::Worth(value) => Found::exact(value, false),
        })
    }

    /// Searches a node `below` plies below the horizon; the frame's window is set.
    pub(crate) fn quiesce(&mut self, ply: usize, below: u32) -> Answer {
        if below >= self.options.quiescence_depth || ply >= MAX_PLY {
            return self.leaf(ply);
        }
        if let Some(found) = self.ended(ply) {
            return Ok(found);
        }
        let stands = self.evaluator.may_stand_pat(self.game, &self.work.frames[ply].position);
        let (mut lower, mut upper) = (-Value::INFINITE, -Value::INFINITE);
        let mut stand = Value::DRAW;
        if stands {
            lower = match self.judge(ply)? {
                Judgement::Over(outcome) => return Ok(Found::exact(self.worth(ply, outcome), true)),
                Judgement::Worth(value) => value,
            };
            (stand, upper) = (lower, lower);
            let frame = &mut self.work.frames[ply];
            frame.lower = lower;
            frame.window.alpha = frame.window.alpha.max(lower);
            if lower >= frame.window.beta {
                return Ok(Found { bounds: Bounds::at_least(lower), complete: false });
            }
        }
        if let Some(outcome) = self.generate_unquiet(ply, stands)? {
            return Ok(Found::exact(self.worth(ply, outcome), true));
        }
        let known_unquiet = stands && self.order_unquiet(ply);
        if !known_unquiet {
            self.order(ply, 0);
        }
        for number in 0..self.work.frames[ply].order.len() {
            let choice = pick(&mut self.work.frames[ply].order, number);
            if known_unquiet && let Some(hope) = self.gains_too_little(ply, choice, stand) {
                upper = upper.max(hope);
                continue;
            }
            self.make(ply, choice);
            if stands && !known_unquiet && self.is_quiet(ply, choice) {
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

    /// What a move is hoped to lead to, if that does not reach alpha: the value before it with what it takes, and as much
    /// as a quiet move may gain.
    fn gains_too_little(&self, ply: usize, choice: Choice, stand: Value) -> Option<Value> {
        let frame = &self.work.frames[ply];
        let alpha = frame.window.alpha;
        if !self.options.futility || alpha.is_loss() || alpha.is_win() {
            return None;
        }
        let prey = self.evaluator.prey(self.game, &frame.position)?;
        let taken = -self.game.weigh_move(&frame.position, &frame.moves[choice.index as usize], prey);
        let hope = stand + taken + self.options.futility_margin;
        (hope <= alpha).then_some(hope)
    }

    /// Generates the moves that are not quiet where they can be told from the others, and otherwise all. A player who
    /// may not stand pat needs all.
    fn generate_unquiet(&mut self, ply: usize, stands: bool) -> Result<Option<Outcome>, Interrupt> {
        let (game, evaluator) = (self.game, self.evaluator);
        let frame = &mut self.work.frames[ply];
        match evaluator.prey(game, &frame.position) {
            Some(prey) if stands && ply > 0 && !self.path.forbids() => {
                Ok(game.takes(&frame.position, prey, &mut frame.moves)?)
            }
            _ => self.generate(ply),
        }
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

    /// Whether the game is over at a node, and if not, what the evaluation says. An evaluation that is remembered
    /// tells that the game goes on, unless that depends on the path.
    #[inline]
    fn judge(&mut self, ply: usize) -> Result<Judgement, Interrupt> {
        let (game, evaluator) = (self.game, self.evaluator);
        let (frame, below) = self.work.pair(ply);
        if let Some(outcome) = game.ended(&frame.position) {
            return Ok(Judgement::Over(outcome));
        }
        if self.path.forbids() {
            let outcome = self.path.outcome(game, &frame.position, &mut frame.moves, &mut below.position)?;
            return Ok(outcome.map_or_else(|| Judgement::Worth(self.evaluate(ply)), Judgement::Over));
        }
        let signature = game.signature(&frame.position);
        if let Some(value) = self.work.evaluations.get(signature) {
            self.pulse.statistics.evaluation_hits += 1;
            return Ok(Judgement::Worth(value));
        }
        let judgement = evaluator.judge(game, &self.work.frames[ply].position)?;
        if let Judgement::Worth(value) = judgement {
            self.pulse.statistics.evaluations += 1;
            self.work.evaluations.set(signature, value);
        }
        Ok(judgement)
    }

    /// The evaluation of a position where the game goes on.
    pub(crate) fn evaluate(&mut self, ply: usize) -> Value {
        let position = &self.work.frames[ply].position;
        let signature = self.game.signature(position);
        if let Some(value) = self.work.evaluations.get(signature) {
            self.pulse.statistics.evaluation_hits += 1;
            return value;
        }
        let value = self.evaluator.evaluate(self.game, position);
        self.pulse.statistics.evaluations += 1;
        self.work.evaluations.set(signature, value);
        value
    }
}
